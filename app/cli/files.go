package cli

// Files that commands read and write: package outfile says what may be written.

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"magus/app/input"
	"magus/app/options"
	"magus/app/outfile"
)

// watchFiles lets the run know what checks read, and what else they write.
func (w *World) watchFiles() {
	if w.run != nil { // the command is one of a shell
		w.see(w.run)
		return
	}
	w.see(outfile.New())
	run, create := w.run, w.Create
	w.Create = func(path string) (io.WriteCloser, error) {
		if err := run.May(outfile.Name{Flag: "--dump-queries", Text: w.Dir.Short(path), Path: path}); err != nil {
			return nil, err
		}
		return create(path)
	}
}

// see makes what is read and written from now on a part of a run.
func (w *World) see(run *outfile.Run) {
	w.run = run
	w.Seen = func(path string) { run.Reads(path) }
}

// reads says that the run reads files, by their names.
func (w *World) reads(names ...string) {
	for _, name := range names {
		w.run.Reads(w.Dir.Absolute(name))
	}
}

// read reads a file that is no C file and no specification. The error begins with its name.
func (w *World) read(name string) ([]byte, error) {
	w.reads(name)
	text, err := w.Dir.Read(name)
	if err != nil {
		return nil, input.Errorf("%s: %s", name, input.Cause(err))
	}
	return text, nil
}

// forced says that outputs may replace what magus has not written if the option says so.
func (w *World) forced(o *options.Options) {
	outer := w.run.Force
	w.run.Force = func() bool { return o.Force || outer != nil && outer() }
}

// try looks whether outputs can be written, before any work. Those without a name are none.
func (w *World) try(outputs ...outfile.Name) error { return w.run.Try(outputs...) }

// tryFolder looks whether files can be written in a folder; "" is none.
func (w *World) tryFolder(name string) error {
	if name == "" {
		return nil
	}
	return input.Named(name, outfile.TryFolder(w.Dir.Path(name)))
}

// named is the output that a flag names, or none if there is no name.
func (w *World) named(flag, name string) outfile.Name {
	if name == "" {
		return outfile.Name{}
	}
	return outfile.Name{Flag: flag, Text: name, Path: w.Dir.Absolute(name)}
}

// writeFile writes the file of a flag by its name as messages show it; "" is the flag of what a shell writes.
func (w *World) writeFile(flag, name string, text func(io.Writer) error) error {
	path := w.Dir.Absolute(name)
	switch n, own := outfile.Descriptor(path); {
	case own && n == 1:
		return text(w.data())
	case own && n == 2:
		return text(w.Stderr)
	case own:
		return input.Named(name, outfile.WriteOpen(path, text))
	}
	return w.run.Write(w.named(flag, name), text)
}

// writeText writes what a command of a shell writes.
func (w *World) writeText(name string, text []byte) error {
	write := func(out io.Writer) error { _, err := out.Write(text); return err }
	if _, own := outfile.Descriptor(w.Dir.Absolute(name)); own {
		return w.writeFile("", name, write)
	}
	n := w.named("", name)
	n.Whole = text
	return w.run.Write(n, write)
}

// appendFile writes behind what is in a file.
func (w *World) appendFile(name string, text []byte) error {
	there, err := w.Dir.Read(name)
	info, missing := os.Stat(w.Dir.Path(name))
	if missing == nil && info.Mode().IsRegular() && err != nil {
		return input.Named(name, err)
	}
	n := w.named("", name)
	n.Appends = true
	return w.run.Write(n, func(out io.Writer) error {
		_, err := out.Write(slices.Concat(there, text))
		return err
	})
}

// writeNamed writes the file of a flag if there is a name.
func (w *World) writeNamed(flag, name string, text func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	return w.writeFile(flag, name, text)
}

// touch makes a file that says something by being there.
func (w *World) touch(name string) error {
	if name == "" {
		return nil
	}
	if _, err := os.Stat(w.Dir.Path(name)); err == nil {
		return nil
	}
	return w.writeFile("", name, func(io.Writer) error { return nil })
}

// tellOld tells which outputs are of an earlier run because this one has not written them.
func (w *World) tellOld() {
	for _, text := range w.run.Old() {
		fmt.Fprintf(w.Stderr, "magus: %s\n", text)
	}
}

// databaseFiles are the files of a compilation database that is a file or a folder, as it is named.
func databaseFiles(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name, filepath.Join(name, "compile_commands.json")}
}
