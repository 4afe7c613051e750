package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"magus/app/input"
	"magus/internal/phrase"
	"magus/lts"
	"magus/lts/fsp"
	"magus/specs"
)

// ltsChange says how LTSs are changed as they are read.
type ltsChange struct {
	tau, rename, restrict, hide, keep []string
	keeps                             func() bool       // is --keep given, possibly without actions
	limits                            func() lts.Limits // of what is built as it is read

	progress map[string][]fsp.Progress // of files in FSP, by argument
	files    map[string]*fsp.File      // likewise
}

// none reports whether LTSs stay as they are read.
func (f *ltsChange) none() bool {
	return len(f.rename)+len(f.restrict)+len(f.hide) == 0 && !f.keeps()
}

// register adds the flags that change LTSs as they are read.
func (f *ltsChange) register(c *cobra.Command) {
	fs := c.Flags()
	fs.StringArrayVar(&f.tau, "tau", nil, "read `LABEL` as τ, besides tau (repeatable)")
	fs.StringSliceVar(&f.rename, "rename", nil, "give actions other names, `NEW/OLD,...`")
	fs.StringSliceVar(&f.restrict, "restrict", nil, "remove the transitions of `ACTIONS`")
	fs.StringSliceVar(&f.hide, "hide", nil, "make `ACTIONS` unobservable, that is τ")
	fs.StringSliceVar(&f.keep, "keep", nil, "make all but `ACTIONS` unobservable")
	f.keeps = func() bool { return fs.Changed("keep") }
}

// apply changes the LTSs. An action that none of them has is a mistake.
func (f *ltsChange) apply(ms []*lts.LTS) ([]*lts.LTS, error) {
	ms = slices.Clone(ms)
	names := make([]string, len(f.rename))
	to := map[string]string{}
	for i, pair := range f.rename {
		after, before, ok := strings.Cut(pair, "/")
		if !ok || strings.Contains(before, "/") || after == "" {
			return nil, input.Errorf("magus: --rename %s: expected NEW/OLD", pair)
		}
		names[i], to[before] = before, after
	}
	err := f.each(ms, "rename", names, func(m *lts.LTS, as []lts.Action) *lts.LTS {
		actions := map[lts.Action]lts.Action{}
		for _, a := range as {
			actions[a] = m.Actions().Intern(to[m.Actions().Name(a)])
		}
		return lts.Rename(m, actions)
	})
	if err == nil {
		err = f.each(ms, "restrict", f.restrict, lts.Restrict)
	}
	if err == nil {
		err = f.each(ms, "hide", f.hide, func(m *lts.LTS, as []lts.Action) *lts.LTS {
			return lts.Hide(m, slices.DeleteFunc(slices.Clone(m.Alphabet()), func(a lts.Action) bool {
				return slices.Contains(as, a)
			}))
		})
	}
	if err == nil {
		err = f.each(ms, "keep", f.keep, lts.Hide)
	}
	if f.keeps() && len(f.keep) == 0 {
		for i, m := range ms {
			ms[i] = lts.Hide(m, nil)
		}
	}
	return ms, err
}

// each replaces every LTS by what change makes of it with the named actions.
func (f *ltsChange) each(ms []*lts.LTS, flag string, names []string,
	change func(*lts.LTS, []lts.Action) *lts.LTS) error {
	if len(names) == 0 {
		return nil
	}
	var actions []lts.Action
	for _, name := range names {
		a, known := ms[0].Actions().Lookup(name)
		if !known || !slices.ContainsFunc(ms, func(m *lts.LTS) bool { return m.HasAction(a) }) {
			return input.Errorf("magus: --%s: no action %q", flag, name)
		}
		actions = append(actions, a)
	}
	for i, m := range ms {
		ms[i] = change(m, actions)
	}
	return nil
}

// load reads the LTSs that a command line names, over one table of actions, and
// changes them.
func (f *ltsChange) load(ctx context.Context, w *World, names []string) ([]*lts.LTS, error) {
	ms, err := f.read(ctx, w, names)
	if err != nil {
		return nil, err
	}
	return f.apply(ms)
}

// read reads LTSs and changes nothing but --tau.
func (f *ltsChange) read(ctx context.Context, w *World, names []string) ([]*lts.LTS, error) {
	table := lts.NewActions()
	ms := make([]*lts.LTS, len(names))
	for i, name := range names {
		var err error
		if text, ok := w.objects[name]; ok {
			ms[i], err = f.readText(ctx, bytes.NewReader(text), name, lts.ReadAut, table)
		} else if file, definition, ok := definitionName(name, ".spec"); ok {
			ms[i], err = f.definition(ctx, w, file, definition, table)
		} else if file, process, ok := definitionName(name, ".lts", ".fsp"); ok {
			ms[i], err = f.process(ctx, w, file, process, table)
		} else if read := formatOf(name); read != nil {
			ms[i], err = f.file(ctx, w, name, read, table)
		} else {
			err = unreadable(name)
		}
		if reason, ok := err.(*exhaustedError); ok {
			return nil, reason
		}
		if err != nil {
			return nil, input.Errorf("%s", err)
		}
	}
	return ms, w.try() // which files are read is known now
}

// definitionName parts FILE:Name, where the file's name ends in one of several ways;
// the name may be missing.
func definitionName(arg string, extensions ...string) (file, name string, ok bool) {
	for _, ext := range extensions {
		if i := strings.LastIndex(arg, ext+":"); i >= 0 {
			return arg[:i+len(ext)], arg[i+len(ext)+1:], true
		}
		if strings.EqualFold(filepath.Ext(arg), ext) {
			return arg, "", true
		}
	}
	return arg, "", false
}

// A format reads an LTS from text.
type format func(r io.Reader, file string, t *lts.Actions, opt lts.AutOptions) (*lts.LTS, error)

// formatOf is that of a file that has one LTS, by the end of its name; nil for others.
func formatOf(name string) format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".aut":
		return lts.ReadAut
	case ".fsm":
		return lts.ReadFSM
	}
	return nil
}

// file reads a file that has one LTS.
func (f *ltsChange) file(ctx context.Context, w *World, name string, read format,
	table *lts.Actions) (*lts.LTS, error) {
	w.reads(name)
	file, err := input.Open(w.Dir.Path(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, input.Cause(err))
	}
	defer file.Close()
	return f.readText(ctx, file, name, read, table)
}

// readText reads the text of one LTS.
func (f *ltsChange) readText(ctx context.Context, from io.Reader, name string, read format,
	table *lts.Actions) (*lts.LTS, error) {
	m, err := read(contextReader{ctx, from}, name, table, lts.AutOptions{Tau: append([]string{"tau"}, f.tau...)})
	var syntax *lts.SyntaxError
	if err != nil && !errors.As(err, &syntax) {
		return nil, fmt.Errorf("%s: %s", name, input.Cause(err))
	}
	return m, err
}

// contextReader ends with its context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// definition builds a definition of a specification file.
func (f *ltsChange) definition(ctx context.Context, w *World, file, name string, table *lts.Actions) (*lts.LTS, error) {
	src := input.NewSources(w.Dir)
	src.Seen = w.Seen
	text, err := src.Text(file)
	if err != nil {
		return nil, err
	}
	spec, err := specs.Parse(ctx, []specs.Source{{Name: file, Text: text}},
		src.Within([]string{".", filepath.Dir(file)}, "the working directory and that of "+file))
	if err != nil {
		return nil, err
	}
	switch names := spec.LTSNames(); {
	case len(names) == 0:
		return nil, fmt.Errorf("%s: no definition", file)
	case name == "" && len(names) == 1: // there is no doubt
		name = names[0]
	case name == "":
		return nil, fmt.Errorf("%s: which definition? write %s:%s; it has %s", file, file, names[0], phrase.Few(names, 20))
	case !slices.Contains(names, name):
		return nil, fmt.Errorf("%s: no definition %s; it has %s", file, name, phrase.Few(names, 20))
	}
	m, err := spec.LTS(ctx, name, table)
	if err != nil {
		return nil, err
	}
	return f.withoutTau(m, table), nil
}

// process builds a process of a file in FSP.
func (f *ltsChange) process(ctx context.Context, w *World, file, name string, table *lts.Actions) (*lts.LTS, error) {
	w.reads(file)
	text, err := input.NewSources(w.Dir).Text(file)
	if err != nil {
		return nil, err
	}
	described, err := fsp.Parse(file, text)
	if err != nil {
		return nil, err
	}
	named := file + ":" + name
	names := described.Names()
	if name == "" && len(names) == 1 { // there is no doubt
		name, named = names[0], file
	}
	plain, _, _ := strings.Cut(name, "(")
	switch {
	case name == "" && len(names) > 0:
		return nil, fmt.Errorf("%s: which process? write %s:%s; it has %s", file, file, names[0],
			phrase.Few(names, 20))
	case !slices.Contains(names, strings.TrimSpace(plain)):
		return nil, fmt.Errorf("%s: no process %s; it has %s", file, name, phrase.Few(names, 20))
	}
	m, err := described.LTS(ctx, name, table, f.limits())
	for _, warning := range described.Warnings() {
		fmt.Fprintf(w.Stderr, "warning: %s\n", warning)
	}
	var limit *lts.LimitError
	switch {
	case errors.As(err, &limit):
		return nil, tooLarge(err)
	case err != nil:
		return nil, err
	}
	properties, err := described.Progress(ctx)
	if err != nil {
		return nil, err
	}
	if f.progress == nil {
		f.progress, f.files = map[string][]fsp.Progress{}, map[string]*fsp.File{}
	}
	f.files[named] = described
	f.progress[named] = properties
	return f.withoutTau(m, table), nil
}

// withoutTau makes τ of the actions that --tau names.
func (f *ltsChange) withoutTau(m *lts.LTS, table *lts.Actions) *lts.LTS {
	hidden := map[lts.Action]lts.Action{}
	for _, label := range f.tau {
		if a, known := table.Lookup(label); known {
			hidden[a] = lts.Tau
		}
	}
	if len(hidden) > 0 {
		m = lts.Rename(m, hidden)
	}
	return m
}

// unreadable says that a name is none of an LTS, and what it may be.
func unreadable(name string) error {
	if strings.EqualFold(filepath.Ext(name), ".bcg") {
		return fmt.Errorf("%s: %s", name, otherForm(name))
	}
	return fmt.Errorf("%s: neither a file of one LTS (.aut, .fsm) nor a definition (FILE.spec:Name, FILE.lts:NAME)", name)
}
