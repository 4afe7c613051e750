package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"magus/lts"
)

// ltsOutput is where an LTS is written to and how.
type ltsOutput struct {
	file string
	form choice
}

func (o *ltsOutput) register(c *cobra.Command) {
	o.form = choice{"", []string{"aut", "spec", "dot", "text"}}
	c.Flags().StringVarP(&o.file, "output", "o", "", "write to `FILE` (.aut, .spec, .dot, .gv, .txt) instead of standard output")
	c.Flags().Var(&o.form, "to", "form of the output (default by the name of the output file, or aut)")
}

// resolve gives the form of the output. The name of what is there and no
// regular file, such as a pipe or /dev/null, says no form.
func (o *ltsOutput) resolve(w *World, command string) (string, error) {
	if o.form.value != "" {
		return o.form.value, nil
	}
	if o.file == "" {
		return "aut", nil
	}
	if info, err := os.Stat(w.path(o.file)); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return "aut", nil
	}
	switch strings.ToLower(filepath.Ext(o.file)) {
	case ".aut":
		return "aut", nil
	case ".spec":
		return "spec", nil
	case ".dot", ".gv":
		return "dot", nil
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
			_, err := io.WriteString(out, m.Dot())
			return err
		case "text":
			_, err := io.WriteString(out, m.String())
			return err
		}
		return lts.WriteAut(out, m)
	}
	if o.file == "" {
		return text(w.data())
	}
	return w.writeFile(o.file, text)
}

// writeFile writes a file by its name as messages show it: to a temporary file
// in the same folder, which then takes its place. What is no regular file,
// such as a pipe, is written to.
func (w *World) writeFile(name string, text func(io.Writer) error) error {
	path := w.path(name)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return named(name, writeTo(path, os.O_WRONLY, text))
	}
	temporary := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	err := writeTo(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, text)
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil && !os.IsExist(err) {
		os.Remove(temporary)
	}
	if os.IsNotExist(err) {
		return &inputError{name + ": no such folder"}
	}
	return named(name, err)
}

func writeTo(path string, flags int, text func(io.Writer) error) error {
	file, err := os.OpenFile(path, flags, 0o666)
	if err != nil {
		return err
	}
	err = text(file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// named makes an error about a file one line that begins with its name.
func named(name string, err error) error {
	var input *inputError
	if err == nil || errors.As(err, &input) {
		return err
	}
	return &inputError{fmt.Sprintf("%s: %s", name, cause(err))}
}
