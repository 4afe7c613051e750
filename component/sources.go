package component

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/specs"
)

// Sources are a program with its specifications. Claims are made of them. They
// are immutable.
type Sources struct {
	Program   *source.Program
	Specs     *specs.File // empty, not nil, without spec files
	LongWidth int         // bits of long in conditions of the specification
}

// ProcedureClaim is the claim that a procedure does what an abstraction of it
// says, whatever its parameters and globals are at the start.
func (s *Sources) ProcedureClaim(proc *specs.Procedure, a *specs.Abstract) *Claim {
	low := lower.Options{}
	if proc.Framed {
		low.Frame = &lower.Frame{Paths: proc.Writes()}
	}
	return &Claim{Sources: s, Name: fmt.Sprintf("procedure %s, abstraction %s", proc.Name, cmp.Or(a.Name, a.LTS)),
		Procedures: []string{proc.Name}, Guards: []*specs.CExpr{a.Guard}, Specification: a.LTS, Pos: cfa.Pos(a.Pos),
		Lowering: s.lowering(low)}
}

// Relate has the claim say of its specification what its block says; otherwise, if this says nothing.
func (c *Claim) Relate(block specs.Relation, otherwise Relation) {
	switch block {
	case "":
		c.Relation = otherwise
	case specs.Traces:
		c.Relation = Traces
	default:
		c.Relation = Relation(block)
	}
	if c.Relation != Traces {
		c.Name += ", " + string(c.Relation)
	}
}

// ProgramClaim is the claim that a program does what a specification of it says,
// with globals as C initialises them.
func (s *Sources) ProgramClaim(prog *specs.Program, spec *specs.ProgramSpec) *Claim {
	c := &Claim{Sources: s, Name: fmt.Sprintf("program %s, specification %s", prog.Names(), spec.Name),
		Procedures: prog.Components, Copies: prog.Copies, Guards: spec.Guards, Specification: spec.LTS,
		Pos: cfa.Pos(spec.Pos), Buffers: prog.Buffers,
		Lowering: s.lowering(lower.Options{InitGlobals: true})}
	return c.begunTogether(prog)
}

// DeadlockClaim is the claim that the components of a program do not wait for each other for ever, or for one that has
// ended. Their initial states are those of its specifications. The error is an *InputError where these differ.
func (s *Sources) DeadlockClaim(prog *specs.Program) (*Claim, error) {
	return s.blockClaim(prog, NoDeadlock, "no deadlock", "from which of them is there no deadlock?")
}

// blockClaim is a claim about the components of a program without a specification, from the initial states of
// those that it has.
func (s *Sources) blockClaim(prog *specs.Program, question Question, what, unclear string) (*Claim, error) {
	c := &Claim{Sources: s, Name: fmt.Sprintf("program %s: %s", prog.Names(), what), Question: question,
		Procedures: prog.Components, Copies: prog.Copies, Guards: make([]*specs.CExpr, len(prog.Components)),
		Pos: cfa.Pos(prog.Pos), Buffers: prog.Buffers,
		Lowering: s.lowering(lower.Options{InitGlobals: true, ErrorsEnd: true})}
	if len(c.Procedures) == 1 && c.Copies[0] == 1 { // perhaps its threads are meant
		c.Copies = nil
	}
	for i, spec := range prog.Specs {
		same := func(a, b *specs.CExpr) bool { return a.String() == b.String() }
		if i > 0 && !slices.EqualFunc(c.Guards, spec.Guards, same) {
			return nil, &InputError{Pos: c.Pos, Msg: fmt.Sprintf("the specifications of program %s have different conditions "+
				"on the initial states: %s", prog.Names(), unclear)}
		}
		c.Guards = slices.Clone(spec.Guards)
	}
	for i, g := range c.Guards {
		if g != nil && g.String() == "1" { // no condition
			c.Guards[i] = nil
		}
	}
	return c.begunTogether(prog), nil
}

// ErrorClaim is the claim that a program which starts in a procedure never
// performs the action `error`: by a call of one of the functions, or at a label; or another one of its
// threads. Where overflows are asked about, these alone are errors.
func (s *Sources) ErrorClaim(entry string, question Question, functions, labels []string) *Claim {
	says := map[Question]string{NoError: "error never happens", NoRace: "no data race", NoDeadlock: "no deadlock",
		Terminates: "every run ends", NoOverflow: "no signed operation overflows"}
	name, overflows := entry+": "+says[question], question == NoOverflow
	if overflows {
		question = NoError
	}
	return &Claim{Sources: s, Name: name, Question: question,
		Procedures: []string{entry}, Guards: []*specs.CExpr{nil},
		Lowering: s.lowering(lower.Options{InitGlobals: true, ErrorFunctions: functions, ErrorLabels: labels,
			ErrorsEnd: question == Terminates || overflows, OverflowsOnly: overflows})}
}

// lowering says which calls stay calls: those with a procedure abstraction.
// Globals that only the specification mentions are kept.
func (s *Sources) lowering(opt lower.Options) lower.Options {
	keep := func(es ...*specs.CExpr) {
		for _, e := range es {
			if e != nil {
				opt.Globals = append(append(opt.Globals, e.Names()...), e.Members()...)
			}
		}
	}
	for _, proc := range s.Specs.Procedures {
		keep(proc.Predicates...)
		for _, a := range proc.Abstracts {
			keep(a.Guard)
		}
	}
	for _, prog := range s.Specs.Programs {
		for _, spec := range prog.Specs {
			keep(spec.Guards...)
		}
	}
	for _, r := range s.Specs.Returns() {
		keep(r.Cond)
	}
	keep(s.Specs.Conditions()...)
	opt.ReturnsTell = s.returnsTell
	opt.Abstracted = func(name string) bool {
		proc := s.Specs.Procedure(name)
		return proc != nil && len(proc.Abstracts) > 0 && !proc.Inline && !proc.Skip
	}
	opt.Named = func(name string) []string {
		var all []string
		proc := s.Specs.Procedure(name)
		if proc == nil { // a call by a summary
			return nil
		}
		for _, a := range proc.Abstracts {
			if a.Guard != nil {
				all = append(all, a.Guard.Places()...)
			}
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	opt.Assigns = func(name string) ([]string, bool) {
		proc := s.Specs.Procedure(name)
		if proc == nil || !proc.Framed {
			return nil, false
		}
		return proc.Writes(), true
	}
	opt.Skipped = func(name string) bool {
		proc := s.Specs.Procedure(name)
		return proc != nil && proc.Skip
	}
	return opt
}

// returnsTell reports whether an abstraction of a procedure has a return whose condition speaks of more than the value.
func (s *Sources) returnsTell(procedure string) bool {
	proc := s.Specs.Procedure(procedure)
	return proc != nil && slices.ContainsFunc(proc.Abstracts, func(a *specs.Abstract) bool {
		return slices.ContainsFunc(s.Specs.ReturnsIn(a.LTS), func(r specs.ReturnAction) bool { return !r.OnlyValue() })
	})
}

// called are the numbers of arguments that a claim's returns speak of.
func (c *Claim) called() []int {
	if c.monitors != nil {
		return c.monitors.called()
	}
	var all []int
	for _, r := range c.Specs.ReturnsIn(c.Specification) {
		for _, a := range r.Args() {
			if i, err := strconv.Atoi(a[1:]); err == nil && i > 0 {
				all = append(all, i)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
