package magus

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/component"
	"magus/specs"
)

// Input is the text a project is made of.
type Input struct {
	C       []source.Source
	Specs   []specs.Source
	Options source.Options
	// ReadFile reads what spec files import.
	ReadFile func(path string) ([]byte, error)
}

// A Project is a parsed program with its specifications. It is immutable.
type Project struct {
	program   *source.Program
	specs     *specs.File // empty, not nil, without spec files
	longWidth int
}

// A Selection restricts claims; empty fields select everything.
type Selection struct {
	Procedure     string
	Specification string
}

// A Property asks that the action `error` never happens.
type Property struct {
	Entry          string   // default "main"
	ErrorFunctions []string // besides reach_error and __VERIFIER_error
	ErrorLabels    []string
}

// An InputError is a mistake in what was asked for: a name that nothing
// defines, an empty selection.
type InputError = component.InputError

// Load parses the input. The error is cfa.Errors, specs.ErrorList or another
// with positions in its text: input that is wrong.
func Load(ctx context.Context, in Input) (*Project, error) {
	p := &Project{specs: &specs.File{}, longWidth: 64}
	if in.Options.Model == cfa.ILP32 {
		p.longWidth = 32
	}
	var err error
	if p.program, err = source.Parse(ctx, in.C, in.Options); err != nil {
		return nil, err
	}
	if len(in.Specs) > 0 {
		if p.specs, err = specs.Parse(in.Specs, in.ReadFile); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Warnings are remarks about the sources that do not stop a check.
func (p *Project) Warnings() []cfa.Warning {
	var ws []cfa.Warning
	for _, w := range p.specs.Warnings {
		ws = append(ws, cfa.Warning{Pos: cfa.Pos(w.Pos), Text: w.Message})
	}
	return ws
}

// A Claim is one thing to check: the components, each with a condition on its
// initial states, and the specification.
type Claim = component.Claim

// Claims are the selected claims: every abstraction of a procedure that has a
// body, then every program specification, in source order. Selecting what does
// not exist, or nothing at all, is an *InputError.
func (p *Project) Claims(sel Selection) ([]*Claim, error) {
	if err := p.checkSelection(sel); err != nil {
		return nil, err
	}
	var claims []*Claim
	for _, proc := range p.specs.Procedures {
		if sel.Procedure == "" && !p.program.HasBody(proc.Name) || sel.Procedure != "" && sel.Procedure != proc.Name {
			continue
		}
		for _, a := range proc.Abstracts {
			name := cmp.Or(a.Name, a.LTS)
			if sel.Specification == "" || sel.Specification == name {
				claims = append(claims, p.claim(fmt.Sprintf("procedure %s, abstraction %s", proc.Name, name),
					[]string{proc.Name}, []*specs.CExpr{a.Guard}, a.LTS, a.Pos, false))
			}
		}
	}
	for _, prog := range p.specs.Programs {
		if sel.Procedure != "" {
			break
		}
		for _, s := range prog.Specs {
			if sel.Specification == "" || sel.Specification == s.Name {
				claims = append(claims, p.claim(fmt.Sprintf("program %s, specification %s", strings.Join(prog.Components, ", "), s.Name),
					prog.Components, s.Guards, s.LTS, s.Pos, true))
			}
		}
	}
	if len(claims) == 0 {
		return nil, &InputError{Msg: "nothing to check: no abstraction of a procedure that has a body and no program specification" + sel.suffix()}
	}
	return claims, nil
}

func (s Selection) suffix() string {
	switch {
	case s.Procedure != "" && s.Specification != "":
		return fmt.Sprintf(" (--procedure %s --specification %s)", s.Procedure, s.Specification)
	case s.Procedure != "":
		return fmt.Sprintf(" (--procedure %s)", s.Procedure)
	case s.Specification != "":
		return fmt.Sprintf(" (--specification %s)", s.Specification)
	}
	return ""
}

func (p *Project) checkSelection(sel Selection) error {
	if sel.Procedure == "" {
		return nil
	}
	proc := p.specs.Procedure(sel.Procedure)
	switch {
	case proc == nil:
		return &InputError{Msg: fmt.Sprintf("no specification of a procedure %s; there are: %s", sel.Procedure, p.procedureNames())}
	case !p.program.HasBody(sel.Procedure):
		return &InputError{Msg: fmt.Sprintf("%v: procedure %s has no body in the given C files", cfa.Pos(proc.Pos), sel.Procedure)}
	}
	return nil
}

func (p *Project) procedureNames() string {
	var names []string
	for _, proc := range p.specs.Procedures {
		names = append(names, proc.Name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (p *Project) claim(name string, procs []string, guards []*specs.CExpr, spec string, pos specs.Pos, start bool) *Claim {
	return &Claim{Name: name, Program: p.program, Specs: p.specs, LongWidth: p.longWidth, Procedures: procs, Guards: guards,
		Specification: spec, Pos: cfa.Pos(pos), Lowering: p.lowering(lower.Options{InitGlobals: start})}
}

// lowering says which calls stay calls: those with a procedure abstraction.
// Globals that only the specification mentions are kept.
func (p *Project) lowering(opt lower.Options) lower.Options {
	keep := func(es ...*specs.CExpr) {
		for _, e := range es {
			if e != nil {
				opt.Globals = append(append(opt.Globals, e.Names()...), e.Members()...)
			}
		}
	}
	for _, proc := range p.specs.Procedures {
		keep(proc.Predicates...)
		for _, a := range proc.Abstracts {
			keep(a.Guard)
		}
	}
	for _, prog := range p.specs.Programs {
		for _, s := range prog.Specs {
			keep(s.Guards...)
		}
	}
	opt.Abstracted = func(name string) bool {
		proc := p.specs.Procedure(name)
		return proc != nil && len(proc.Abstracts) > 0 && !proc.Inline && !proc.Skip
	}
	opt.Skipped = func(name string) bool {
		proc := p.specs.Procedure(name)
		return proc != nil && proc.Skip
	}
	return opt
}

// Property is the claim that `error` never happens.
func (p *Project) Property(q Property) (*Claim, error) {
	q.Entry = cmp.Or(q.Entry, "main")
	if !p.program.HasBody(q.Entry) {
		names := p.program.Procedures()
		slices.Sort(names)
		if len(names) == 0 {
			return nil, &InputError{Msg: "no procedure in the sources has a body"}
		}
		return nil, &InputError{Msg: fmt.Sprintf("no procedure %s with a body; choose one with --entry: %s", q.Entry, strings.Join(names, ", "))}
	}
	for _, f := range q.ErrorFunctions {
		if _, ok := p.program.Declared(f); !ok && !p.program.HasBody(f) {
			return nil, &InputError{Msg: fmt.Sprintf("the sources declare no function %s (--error-function)", f)}
		}
	}
	lowering := p.lowering(lower.Options{InitGlobals: true, ErrorLabels: q.ErrorLabels,
		ErrorFunctions: append([]string{"reach_error", "__VERIFIER_error"}, q.ErrorFunctions...)})
	return &Claim{Name: q.Entry + ": error never happens", Program: p.program, Specs: p.specs, LongWidth: p.longWidth,
		Procedures: []string{q.Entry}, Guards: []*specs.CExpr{nil}, Lowering: lowering}, nil
}
