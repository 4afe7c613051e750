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
	"magus/app/input"
	"magus/app/options"
	"magus/lts"
)

// ltsOutput is where an LTS is written to and how.
type ltsOutput struct {
	file string
	form string // "" for that of the file
}

// register adds the flags of the output.
func (o *ltsOutput) register(c *cobra.Command) {
	c.Flags().StringVarP(&o.file, "output", "o", "",
		"write to `FILE` (.aut, .spec, .dot, .gv, .svg, .txt) instead of standard output")
	c.Flags().Var(options.NewValue(options.Choice, &o.form, "aut", "spec", "dot", "svg", "text"), "to",
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
	case ".spec":
		return "spec", nil
	case ".dot", ".gv":
		return "dot", nil
	case ".svg":
		return "svg", nil
	case ".txt":
		return "text", nil
	}
	return "", &usageError{fmt.Sprintf("-o %s: the name says no form; give --to", o.file), command}
}

// write writes m. A file is there completely or not at all.
func (o *ltsOutput) write(ctx context.Context, w *World, form string, m *lts.LTS) error {
	text := func(out io.Writer) error {
		switch form {
		case "spec":
			return writeSpec(ctx, out, m)
		case "dot":
			text, err := m.Dot(ctx)
			if err == nil {
				_, err = io.WriteString(out, text)
			}
			return err
		case "svg":
			d, _, err := draw.LTS("", m, nil).Drawing(draw.Selection{All: true, Unfold: true})
			if err != nil {
				return err
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
	if o.file == "" {
		return text(w.data())
	}
	return w.writeFile(o.file, text)
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

// writeFile writes a file by its name as messages show it: to a temporary file
// in the same folder, which then takes its place. What is no regular file,
// such as a pipe, is written to. A file that was there keeps its permissions.
func (w *World) writeFile(name string, text func(io.Writer) error) error {
	path := w.Dir.Path(name)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	before, err := os.Stat(path)
	if err == nil && !before.Mode().IsRegular() {
		return input.Named(name, writeDevice(path, text))
	}
	err = replace(path, before, text)
	if os.IsNotExist(err) {
		return input.Errorf("%s: no such folder", name)
	}
	return input.Named(name, err)
}

// writeDevice writes to what is there and no regular file.
func writeDevice(path string, text func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return writeTo(file, text)
}

// replace writes a regular file, of which before tells if it is there.
func replace(path string, before os.FileInfo, text func(io.Writer) error) error {
	mode := os.FileMode(0o666) // less the user's mask
	if before != nil {
		mode = before.Mode().Perm()
	}
	file, err := temporary(path, mode)
	if err != nil {
		return err
	}
	if before != nil {
		err = file.Chmod(mode) // no mask
	}
	if wrong := writeTo(file, text); err == nil {
		err = wrong
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

// temporary creates a file beside path that nobody else has, not even what was
// left behind by a process of the same number.
func temporary(path string, mode os.FileMode) (file *os.File, err error) {
	for n := range 100 {
		name := fmt.Sprintf("%s.%d-%d.tmp", path, os.Getpid(), n)
		if file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode); !os.IsExist(err) {
			break
		}
	}
	return file, err
}

// writeTo writes to a file and closes it; the first error counts.
func writeTo(file *os.File, text func(io.Writer) error) error {
	err := text(file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}
