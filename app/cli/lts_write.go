package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"magus/app/draw"
	"magus/app/options"
	"magus/lts"
)

// ltsOutput is where an LTS is written to and how.
type ltsOutput struct {
	file string
	form string // "" for that of the file
}

// registerOutput adds the flags of the output.
func (f *ltsFlags) registerOutput(c *cobra.Command) {
	o := &f.out
	addFlag(c, f.options, "force")
	c.Flags().StringVarP(&o.file, "output", "o", "",
		"write to `FILE` (.aut, .fsm, .spec, .dot, .gv, .svg, .txt) instead of standard output")
	c.Flags().Var(options.NewValue(options.Choice, &o.form, "aut", "fsm", "spec", "dot", "svg", "text"), "to",
		"form of the output (default by the name of the output file, or aut)")
}

// formOf gives the form of the output. The name of what is there and no
// regular file, such as a pipe or /dev/null, says no form.
func (o *ltsOutput) formOf(w *World, command string) (string, error) {
	if o.form != "" {
		return o.form, nil
	}
	if o.file == "" {
		return "aut", nil
	}
	if info, err := os.Stat(w.Dir.Path(o.file)); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return "aut", nil
	}
	switch strings.ToLower(filepath.Ext(o.file)) {
	case ".aut":
		return "aut", nil
	case ".fsm":
		return "fsm", nil
	case ".spec":
		return "spec", nil
	case ".dot", ".gv":
		return "dot", nil
	case ".svg":
		return "svg", nil
	case ".txt":
		return "text", nil
	}
	if hint := otherForm(o.file); hint != "" {
		return "", &usageError{fmt.Sprintf("-o %s: %s; give --to, or another name", o.file, hint), command}
	}
	return "", &usageError{fmt.Sprintf("-o %s: the name says no form; give --to", o.file), command}
}

// otherForm says of a name that is one of a form which is not written, and for what is binary not read either, what
// there is instead; "" of others.
func otherForm(file string) string {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".bcg":
		return "BCG is binary: CADP's bcg_io makes it of a .aut file, and the other way round"
	case ".lts", ".fsp":
		return "FSP is read and not written"
	}
	return ""
}

// mostConverted is how many states a picture has of which nothing is folded.
const mostConverted = 60

// write writes m. A file is there completely or not at all.
func (o *ltsOutput) write(ctx context.Context, w *World, form string, m *lts.LTS) error {
	text := func(out io.Writer) error {
		switch form {
		case "fsm":
			return lts.WriteFSM(contextWriter{ctx, out}, m)
		case "spec":
			return writeSpec(ctx, out, m)
		case "dot":
			text, err := m.Dot(ctx)
			if err == nil {
				_, err = io.WriteString(out, text)
			}
			return err
		case "svg":
			all := draw.Selection{Unfold: true, All: m.NumStates() <= mostConverted, Limit: draw.DefaultLimit}
			d, note, err := draw.LTS("", m, nil).Drawing(ctx, all)
			if err != nil {
				return err
			}
			if note, _, _ = strings.Cut(note, ";"); note != "" {
				fmt.Fprintf(w.Stderr, "%s; FILE.dot has all %d\n", note, m.NumStates())
			}
			svg, err := d.SVG(ctx)
			if err == nil {
				_, err = out.Write(svg)
			}
			return err
		case "text":
			return lts.WriteText(contextWriter{ctx, out}, m)
		}
		return lts.WriteAut(contextWriter{ctx, out}, m)
	}
	return o.writeText(w, text)
}

// writeText writes what text writes.
func (o *ltsOutput) writeText(w *World, text func(io.Writer) error) error {
	if o.file == "" {
		return text(w.data())
	}
	return w.writeFile("-o", o.file, text)
}

// A contextWriter takes nothing any more once a context has ended.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (w contextWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(p)
}
