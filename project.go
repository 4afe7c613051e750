package magus

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"magus/cfa"
	"magus/cfa/source"
	"magus/component"
	"magus/internal/phrase"
	"magus/lts"
	"magus/specs"
)

// Input is the text a project is made of.
type Input struct {
	C       []source.Source
	Specs   []specs.Source
	Options source.Options
	// ReadFile reads what spec files import.
	ReadFile func(path string) ([]byte, error)
	// Notes are remarks of who read the files; they are the first warnings.
	Notes []cfa.Warning
}

// A Project is a parsed program with its specifications. It is immutable.
type Project struct {
	sources *component.Sources
	notes   []cfa.Warning
	slicing sync.Once
	slices  *source.Slices // when it is asked for
}

// An InputError is a mistake in what was asked for: a name that nothing
// defines, an empty selection.
type InputError = component.InputError

// Load parses the input. The error is cfa.Errors, specs.ErrorList or another
// with positions in its text: input that is wrong.
func Load(ctx context.Context, in Input) (*Project, error) {
	program, err := source.Parse(ctx, in.C, in.Options)
	if err != nil {
		return nil, err
	}
	s := &component.Sources{Program: program, Specs: &specs.File{}, LongWidth: 64}
	if in.Options.Model == cfa.ILP32 {
		s.LongWidth = 32
	}
	if len(in.Specs) > 0 {
		if s.Specs, err = specs.Parse(ctx, in.Specs, in.ReadFile); err != nil {
			return nil, err
		}
	}
	together, err := s.Together()
	if err != nil {
		return nil, err
	}
	if len(together) > 0 {
		if s.Program, err = source.Parse(ctx, append(slices.Clip(in.C), together...), in.Options); err != nil {
			return nil, err
		}
	}
	return &Project{sources: s, notes: in.Notes}, nil
}

// Warnings are remarks about the sources that do not stop a check.
func (p *Project) Warnings() []cfa.Warning {
	ws := slices.Clone(p.notes)
	for _, w := range p.sources.Specs.Warnings {
		ws = append(ws, cfa.Warning{Pos: cfa.Pos(w.Pos), Text: w.Message})
	}
	for _, n := range p.misnamed() {
		ws = append(ws, cfa.Warning{Pos: n.pos, Text: n.text()})
	}
	return append(ws, p.unmatched()...)
}

// A misnomer is a name of a procedure that the sources do not have, while they have
// one that is nearly called so and that nothing is said about.
type misnomer struct {
	pos        cfa.Pos
	name, hint string
}

func (m misnomer) text() string {
	return fmt.Sprintf("the C files have no procedure %s%s", m.name, m.hint)
}

// misnamed are the misnomers of the specifications, in their order.
func (p *Project) misnamed() []misnomer {
	var free []string
	for _, f := range p.sources.Program.Functions() {
		if p.sources.Specs.Procedure(f.Name) == nil && !slices.Contains(free, f.Name) {
			free = append(free, f.Name)
		}
	}
	var all []misnomer
	for _, proc := range p.sources.Specs.Procedures {
		if _, known := p.sources.Program.Declared(proc.Name); known || len(free) > maxCompared {
			continue
		}
		if hint := phrase.Misspelt(proc.Name, free); hint != "" {
			all = append(all, misnomer{cfa.Pos(proc.Pos), proc.Name, hint})
		}
	}
	return all
}

// maxCompared is how many names are compared for a hint.
const maxCompared = 5000

// Mentions are the places where the C files name something.
func (p *Project) Mentions() []source.Mention { return p.sources.Program.Mentions() }

// Functions are the functions of the C files, those with bodies first.
func (p *Project) Functions() []source.Function { return p.sources.Program.Functions() }

// Definitions are the names of the LTSs that the specifications define.
func (p *Project) Definitions() []string { return p.sources.Specs.LTSNames() }

// Definition is one of these LTSs, over the actions of t.
func (p *Project) Definition(ctx context.Context, name string, t *lts.Actions) (*lts.LTS, error) {
	return p.sources.Specs.LTS(ctx, name, t)
}
