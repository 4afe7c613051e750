package component

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/smt/expr"
	"magus/specs"
)

// A Fairness says of which runs a claim about whole runs is.
type Fairness string

// The kinds of fairness.
const (
	AutoFairness Fairness = "" // weak; of progress, choice
	// NoFairness: all runs.
	NoFairness Fairness = "none"
	// WeakFairness: a component that can always go on from some time on, does.
	WeakFairness Fairness = "weak"
	// StrongFairness: a component that can go on again and again, does so again and again.
	StrongFairness Fairness = "strong"
	// ChoiceFairness: what is possible again and again is done again and again, the choices of a component too.
	ChoiceFairness Fairness = "choice"
)

// FairnessNames are the kinds that can be asked for.
func FairnessNames() []string {
	return []string{string(NoFairness), string(WeakFairness), string(StrongFairness), string(ChoiceFairness)}
}

// Said is the fairness in a sentence.
func (f Fairness) Said() string {
	return map[Fairness]string{NoFairness: "no fairness", WeakFairness: "weak fairness", StrongFairness: "strong fairness",
		ChoiceFairness: "fair choice"}[f]
}

// Liveness is what a claim asks of whole runs: progress, a formula, or that there is no livelock.
type Liveness struct {
	Progress *specs.Progress
	Formula  *specs.Formula
	Fairness Fairness // not AutoFairness
}

// demand is what a demand of the files asks.
func (s *Sources) demand(d *specs.Demand, f Fairness) *Liveness {
	l := &Liveness{Fairness: f}
	if d.Progress {
		l.Progress = s.Specs.Progress(d.Name)
	} else {
		l.Formula = s.Specs.Assertion(d.Name).Formula
	}
	l.fill()
	return l
}

// fill puts in the default.
func (l *Liveness) fill() {
	switch {
	case l.Fairness != AutoFairness:
	case l.Progress != nil:
		l.Fairness = ChoiceFairness
	default:
		l.Fairness = WeakFairness
	}
}

// check refuses fair choice where it has no meaning.
func (l *Liveness) check(pos cfa.Pos, name string) error {
	if l.Fairness == ChoiceFairness && l.Progress == nil {
		return &InputError{pos, "fair choice is of progress, and " + name + " is none (--fairness choice)"}
	}
	return nil
}

// ProgramDemand is the claim that the runs of a program have what it demands.
func (s *Sources) ProgramDemand(prog *specs.Program, d *specs.Demand, f Fairness) (*Claim, error) {
	live := s.demand(d, f)
	if err := live.check(cfa.Pos(d.Pos), d.Name); err != nil {
		return nil, err
	}
	c, err := s.blockClaim(prog, Live, fmt.Sprintf("%s %s, %s", d.Word(), d.Name, live.Fairness.Said()),
		fmt.Sprintf("from which of them is %s demanded?", d.Name))
	if err != nil {
		return nil, err
	}
	c.Live, c.Pos = live, cfa.Pos(d.Pos)
	return c, nil
}

// ProcedureDemand is the claim that the runs of a procedure have what it demands, whatever its parameters and globals
// are at the start.
func (s *Sources) ProcedureDemand(proc *specs.Procedure, d *specs.Demand, f Fairness) (*Claim, error) {
	live := s.demand(d, f)
	if err := live.check(cfa.Pos(d.Pos), d.Name); err != nil {
		return nil, err
	}
	return &Claim{Sources: s, Name: fmt.Sprintf("procedure %s: %s %s, %s", proc.Name, d.Word(), d.Name,
		live.Fairness.Said()),
		Question: Live, Live: live, Procedures: []string{proc.Name}, Guards: []*specs.CExpr{nil}, Pos: cfa.Pos(d.Pos),
		Lowering: s.lowering(lower.Options{})}, nil
}

// LivelockClaim is the claim that the components of a program do not go on for ever without an action.
func (s *Sources) LivelockClaim(prog *specs.Program, f Fairness) (*Claim, error) {
	live := &Liveness{Fairness: f}
	live.fill()
	if err := live.check(cfa.Pos(prog.Pos), "no-livelock"); err != nil {
		return nil, err
	}
	c, err := s.blockClaim(prog, NoLivelock, "no livelock, "+live.Fairness.Said(),
		"from which of them is there no livelock?")
	if err != nil {
		return nil, err
	}
	c.Live = live
	return c, nil
}

// EntryLivelock is the claim that a program which starts in a procedure does not go on for ever without an action.
func (s *Sources) EntryLivelock(entry string, f Fairness) (*Claim, error) {
	live := &Liveness{Fairness: f}
	live.fill()
	if err := live.check(cfa.Pos{}, "no-livelock"); err != nil {
		return nil, err
	}
	return &Claim{Sources: s, Name: entry + ": no livelock, " + live.Fairness.Said(), Question: NoLivelock, Live: live,
		Procedures: []string{entry}, Guards: []*specs.CExpr{nil},
		Lowering: s.lowering(lower.Options{InitGlobals: true, ErrorsEnd: true})}, nil
}

// LiveCondition is a condition of a formula over the variables of the component that it speaks of. The error has a
// place.
func (c *Claim) LiveCondition(e *specs.CExpr, autos []*cfa.CFA) (component int, cond *expr.Expr, err error) {
	of := c
	if c.joint != nil {
		of = c.joint.of
	}
	component, bare, err := of.speaksOf(e)
	if err != nil {
		return 0, nil, err
	}
	if c.joint != nil { // all is one automaton
		auto := autos[0]
		part := &auto.Joint.Parts[slices.Index(c.joint.names, of.Procedures[component])]
		sc := of.scope(auto, part.Frame)
		sc.part = part
		cond, err = bare.Cond(auto.Pool, sc, c.LongWidth)
		return 0, cond, err
	}
	auto := autos[component]
	cond, err = bare.Cond(auto.Pool, c.scope(auto, 0), c.LongWidth)
	return component, cond, err
}

// speaksOf is the component whose variables a condition speaks of, and the condition without its name.
func (c *Claim) speaksOf(e *specs.CExpr) (component int, bare *specs.CExpr, err error) {
	names := c.Procedures
	bare, of := e.Of(names)
	switch {
	case len(of) > 1:
		return 0, nil, &InputError{cfa.Pos(e.Pos()),
			fmt.Sprintf("%v speaks of variables of %s and %s: compare those of one", e,
				of[0], of[1])}
	case len(of) == 0 && len(names) > 1:
		return 0, nil, &InputError{cfa.Pos(e.Pos()), fmt.Sprintf("say of which component the variables of %v are: %s.x", e,
			names[0])}
	case len(of) == 1:
		component = slices.Index(names, of[0])
	}
	if c.CopiesOf(component) != 1 {
		return 0, nil, &InputError{cfa.Pos(e.Pos()), fmt.Sprintf("%v speaks of %s, of which several copies run", e,
			names[component])}
	}
	return component, bare, nil
}

// Watched are the variables of which what is asked of whole runs speaks. The error has a place.
func (c *Claim) Watched(autos []*cfa.CFA) (all []*expr.Expr, err error) {
	if c.Live == nil {
		return nil, nil
	}
	for _, e := range c.Specs.ConditionsAsked(c.Live.Formula) {
		_, cond, err := c.LiveCondition(e, autos)
		if err != nil {
			return nil, err
		}
		all = append(all, expr.Vars(cond)...)
	}
	return all, nil
}
