package magus

import (
	"cmp"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/internal/phrase"
	"magus/specs"
)

// A Claim is one thing to check: the components, each with a condition on its
// initial states, and the specification.
type Claim = component.Claim

// A Selection restricts claims; empty fields select everything. Relation is what those of them say whose block of the
// specification says nothing.
type Selection struct {
	Procedure     string
	Specification string
	Relation      component.Relation
	Fairness      component.Fairness
}

// A Property asks that the action `error` never happens, or what Question says.
type Property struct {
	Question       component.Question
	Fairness       component.Fairness // of a question about whole runs
	Entry          string             // default "main"
	ErrorFunctions []string           // besides reach_error and __VERIFIER_error
	ErrorLabels    []string
	Assume         []string // conditions on the parameters and globals where it starts
	Specification  string   // of NoDeadlock: only program blocks with one of this name; "" for all
}

// Claims are the selected claims: every abstraction of a procedure that has a
// body, then every program specification, in source order. Selecting what does
// not exist, or nothing at all, is an *InputError.
func (p *Project) Claims(sel Selection) ([]*Claim, error) {
	if err := p.checkSelection(sel); err != nil {
		return nil, err
	}
	var claims []*Claim
	unsaid := false // by the block of one of them what it says
	relate := func(c *Claim, block specs.Relation) {
		c.Relate(block, sel.Relation)
		claims, unsaid = append(claims, c), unsaid || block == ""
	}
	var lives []*Claim // of whole runs
	var names []string // of what could be selected
	for _, proc := range p.sources.Specs.Procedures {
		if sel.Procedure == "" && !p.sources.Program.HasBody(proc.Name) || sel.Procedure != "" && sel.Procedure != proc.Name {
			continue
		}
		for _, d := range proc.Demands {
			names = append(names, d.Name)
			if sel.Specification == "" || sel.Specification == d.Name {
				c, err := p.sources.ProcedureDemand(proc, d, sel.Fairness)
				if err != nil {
					return nil, err
				}
				lives = append(lives, c)
			}
		}
		for _, a := range proc.Abstracts {
			name := cmp.Or(a.Name, a.LTS)
			names = append(names, name)
			if sel.Specification == "" || sel.Specification == name {
				relate(p.sources.ProcedureClaim(proc, a), proc.Relation)
			}
		}
	}
	for _, prog := range p.sources.Specs.Programs {
		if sel.Procedure != "" {
			break
		}
		for _, s := range prog.Specs {
			names = append(names, s.Name)
			if sel.Specification == "" || sel.Specification == s.Name {
				relate(p.sources.ProgramClaim(prog, s), prog.Relation)
			}
		}
		for _, d := range prog.Demands {
			names = append(names, d.Name)
			if sel.Specification != "" && sel.Specification != d.Name {
				continue
			}
			c, err := p.sources.ProgramDemand(prog, d, sel.Fairness)
			if err != nil {
				return nil, err
			}
			lives = append(lives, c)
		}
	}
	if !unsaid {
		if err := sel.forNothing(claims); err != nil {
			return nil, err
		}
	}
	if claims = append(claims, lives...); len(claims) == 0 {
		return nil, p.nothing(sel, names)
	}
	return claims, nil
}

// nothing says why nothing is selected of what has these names.
func (p *Project) nothing(sel Selection, names []string) error {
	if sel.Specification != "" && !slices.Contains(names, sel.Specification) {
		return &InputError{Msg: "no specification " + sel.Specification + phrase.Instead(sel.Specification, names)}
	}
	if ms := p.misnamed(); len(ms) > 0 {
		return &InputError{Pos: ms[0].pos, Msg: "nothing to check: " + ms[0].text()}
	}
	return &InputError{Msg: "nothing to check: no abstraction of a procedure that has a body and no program specification" +
		sel.suffix()}
}

// forNothing is an error if a relation is asked for that no claim has, of which each says its own.
func (s Selection) forNothing(claims []*Claim) error {
	asked := func(c *Claim) bool { return c.Relation == s.Relation }
	if len(claims) == 0 || s.Relation == component.Traces || slices.ContainsFunc(claims, asked) {
		return nil
	}
	return &InputError{Pos: claims[0].Pos, Msg: fmt.Sprintf("--relation %s is for nothing: the specification says "+
		"the relation of each claim that is selected", s.Relation)}
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
	proc := p.sources.Specs.Procedure(sel.Procedure)
	switch {
	case proc == nil:
		return &InputError{Msg: fmt.Sprintf("no specification of a procedure %s%s", sel.Procedure, p.meant(sel.Procedure))}
	case !p.sources.Program.HasBody(sel.Procedure):
		return &InputError{Pos: cfa.Pos(proc.Pos),
			Msg: fmt.Sprintf("procedure %s has no body in the given C files", sel.Procedure)}
	}
	return nil
}

// meant says which of the procedures that the specifications describe may have been
// meant, or which there are.
func (p *Project) meant(name string) string {
	var names []string
	for _, proc := range p.sources.Specs.Procedures {
		names = append(names, proc.Name)
	}
	return phrase.Instead(name, names)
}

// Procedures are claims about nothing: each procedure with a body that is selected, to be looked at.
func (p *Project) Procedures(sel Selection) (claims []*Claim, err error) {
	for _, name := range p.sources.Program.Procedures() {
		if sel.Procedure != "" && sel.Procedure != name {
			continue
		}
		c := p.sources.ErrorClaim(name, component.NoError, nil, nil)
		c.Name = "procedure " + name
		claims = append(claims, c)
	}
	if len(claims) == 0 {
		return nil, &InputError{Msg: "no procedure in the sources has a body" + sel.suffix()}
	}
	return claims, nil
}

// Properties are the claims of a property: for the questions of deadlocks and livelocks, where no entry is
// given and the specifications have programs, one of each of these; else [Project.Property].
func (p *Project) Properties(q Property) ([]*Claim, error) {
	programs := p.sources.Specs.Programs
	if q.Specification != "" {
		var err error
		if programs, err = p.blocksWith(q.Specification); err != nil {
			return nil, err
		}
	}
	if q.Question != component.NoDeadlock && q.Question != component.NoLivelock || q.Entry != "" || len(programs) == 0 {
		c, err := p.Property(q)
		if err != nil {
			return nil, err
		}
		return []*Claim{c}, nil
	}
	if len(q.Assume) > 0 {
		return nil, &InputError{Msg: "--assume is about one function, and this property about the components of a program"}
	}
	var claims []*Claim
	for _, prog := range programs {
		c, err := p.sources.DeadlockClaim(prog)
		if q.Question == component.NoLivelock {
			c, err = p.sources.LivelockClaim(prog, q.Fairness)
		}
		if err != nil {
			return nil, err
		}
		claims = append(claims, c)
	}
	return claims, nil
}

// blocksWith are the program blocks that have a specification of a name.
func (p *Project) blocksWith(name string) (blocks []*specs.Program, _ error) {
	var names []string
	for _, prog := range p.sources.Specs.Programs {
		for _, s := range prog.Specs {
			if names = append(names, s.Name); s.Name == name {
				blocks = append(blocks, prog)
			}
		}
	}
	if len(blocks) == 0 {
		return nil, &InputError{Msg: "no specification " + name + phrase.Instead(name, names)}
	}
	return slices.Compact(blocks), nil
}

// Property is the claim that `error` never happens.
func (p *Project) Property(q Property) (*Claim, error) {
	q.Entry = cmp.Or(q.Entry, "main")
	if !p.sources.Program.HasBody(q.Entry) {
		names := p.sources.Program.Procedures()
		slices.Sort(names)
		if len(names) == 0 {
			return nil, &InputError{Msg: "no procedure in the sources has a body"}
		}
		hint := phrase.Choose(q.Entry, names, "--entry")
		if q.Question == component.NoDeadlock {
			hint += "; components are asked about by a program block in a specification"
		}
		return nil, &InputError{Msg: fmt.Sprintf("no procedure %s with a body%s", q.Entry, hint)}
	}
	for _, f := range q.ErrorFunctions {
		if _, ok := p.sources.Program.Declared(f); !ok && !p.sources.Program.HasBody(f) {
			return nil, &InputError{Msg: fmt.Sprintf("the sources declare no function %s (--error-function)", f)}
		}
	}
	functions := append([]string{"reach_error", "__VERIFIER_error"}, q.ErrorFunctions...)
	c := p.sources.ErrorClaim(q.Entry, q.Question, functions, q.ErrorLabels)
	if q.Question == component.NoLivelock {
		var err error
		if c, err = p.sources.EntryLivelock(q.Entry, q.Fairness); err != nil {
			return nil, err
		}
	}
	for _, text := range q.Assume {
		var err error
		if c, err = c.Assuming(0, text); err == nil {
			err = c.CheckAssumed()
		}
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}
