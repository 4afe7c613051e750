package cli

// A first specification of one file, or of those of a folder.

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"magus/app/input"
	"magus/app/job"
	"magus/app/outfile"
	"magus/app/skeleton"
	"magus/cfa/source"
	"magus/internal/phrase"
)

// isAboutOne reports whether one C file or folder is named, and nothing that only projects have.
func (f *initFlags) isAboutOne(w *World, args []string) bool {
	o := f.options
	return len(args) == 1 && o.CompileCommands == "" && len(o.Rules) == 0 &&
		(input.KindOf(args[0]) == input.C || isFolder(w.Dir.Absolute(args[0])))
}

// specify writes a first specification of a C file, or of those of a folder.
func (f *initFlags) specify(ctx context.Context, w *World, name string) error {
	files, spec := []string{name}, strings.TrimSuffix(name, filepath.Ext(name))+".spec"
	if folder := w.Dir.Absolute(name); isFolder(folder) {
		found, err := w.sourcesIn(ctx, name)
		if err != nil {
			return err
		}
		files = found
		spec = filepath.Join(name, filepath.Base(folder)+".spec")
	}
	s, err := f.skeleton(ctx, w, files)
	if err != nil && len(files) > 1 && ctx.Err() == nil {
		fmt.Fprintln(w.Stderr,
			"magus: the C files of a folder are one program here; name one file, or the folder of one program")
	}
	if err != nil {
		return err
	}
	if len(s.Claims) == 0 {
		return input.Errorf("%s: no function with a body, so there is nothing to claim", name)
	}
	text := s.Text(files, spec)
	if f.dryRun {
		_, err := io.WriteString(w.Stdout, text)
		return err
	}
	if isThere(w.Dir.Absolute(spec)) && !f.options.Force {
		return input.Errorf("nothing is written: there is %s; --force replaces what is there", spec)
	}
	return f.writeSpec(w, s, files, spec, text)
}

// writeSpec writes the specification and says what comes next.
func (f *initFlags) writeSpec(w *World, s skeleton.Skeleton, files []string, spec, text string) error {
	err := w.run.Write(outfile.Name{Flag: spec, Text: spec, Path: w.Dir.Absolute(spec)}, func(out io.Writer) error {
		_, err := io.WriteString(out, text)
		return err
	})
	if err != nil {
		return err
	}
	lines := []string{"written: " + spec, "  claims about " + phrase.Few(s.Functions(), len(s.Claims))}
	events := "  no events: the program calls no function that it does not define; with assertions there is\n" +
		"  magus check --property unreach-call"
	if len(s.Events) > 0 {
		events = "  events " + phrase.Few(s.Names(), 12)
	}
	if slices.ContainsFunc(s.Claims, func(c skeleton.Claim) bool { return c.Threads }) {
		events += "\nit creates threads; of these you can ask more without a specification:\n  magus check " +
			"--property no-data-race " + strings.Join(files, " ") + "    also no-deadlock, unreach-call"
	}
	lines = append(lines, events, "it allows everything: take out what must not happen, then",
		"  magus check "+strings.Join(files, " ")+" "+spec)
	return w.told(nil, strings.Join(lines, "\n"))
}

// skeleton reads the files.
func (f *initFlags) skeleton(ctx context.Context, w *World, files []string) (skeleton.Skeleton, error) {
	w.reads(files...)
	settings := f.options.Reading()
	settings.Seen = w.Seen
	p, err := input.Read(w.Dir, settings, files)
	if err != nil {
		return skeleton.Skeleton{}, err
	}
	program, err := source.Parse(ctx, p.C, p.Options)
	if err != nil {
		return skeleton.Skeleton{}, job.Mistake(ctx, err)
	}
	s := skeleton.Of(program)
	if slices.ContainsFunc(s.Claims, func(c skeleton.Claim) bool { return c.Function == "main" }) {
		s.Claims = slices.DeleteFunc(s.Claims, func(c skeleton.Claim) bool { return c.Function != "main" })
	}
	return s, nil
}

// mostEntries is how many files and folders are looked at for C files.
const mostEntries = 20_000

// sourcesIn are the C files of a folder, or, where it has none, those of all folders below. It says which they are.
func (w *World) sourcesIn(ctx context.Context, name string) ([]string, error) {
	own, below, err := cFiles(ctx, w.Dir.Absolute(name))
	if err != nil {
		return nil, err
	}
	rest := ""
	switch {
	case len(own)+len(below) == 0:
		return nil, input.Errorf(
			"%s: no C file in the folder or below; where a project is meant, go there and say magus init",
			name)
	case len(own) == 0:
		own = below
	case len(below) > 0:
		rest = "; not taken: " + phrase.Plural(len(below), "C file") + " in folders below"
	}
	fmt.Fprintf(w.Stderr, "magus: %s of %s: %s%s\n", phrase.Plural(len(own), "C file"), name, phrase.Few(own, 12), rest)
	for i, file := range own {
		own[i] = filepath.Join(name, file)
	}
	return own, nil
}

// cFiles are the C files in a folder and those in folders below, by their paths from there. Folders whose name begins
// with a point are passed over, and what others have written (node_modules).
func cFiles(ctx context.Context, folder string) (own, below []string, err error) {
	left := mostEntries
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		left--
		short, other := filepath.Rel(folder, path)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case left < 0:
			return input.Errorf("%s: more than %d files and folders: name the C files", folder, mostEntries)
		case err != nil || other != nil:
			return nil // a folder that cannot be read has none for us
		case d.IsDir() && path != folder && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case filepath.Ext(path) != ".c" || !isFile(path):
		case short == d.Name():
			own = append(own, short)
		default:
			below = append(below, short)
		}
		return nil
	})
	return own, below, err
}
