package witness

// From a feasible counterexample to a violation: the executions become scripts,
// the interpreter replays all of them together, and only a run that it confirms,
// and whose trace the specification does not allow, is a violation.
//
// Source: the paper stops at the satisfiable path formula (Chaki et al.,
// Efficient Verification of Sequential and Concurrent C Programs, FMSD 25 (2004),
// section 6.1).
// Cost: linear in the run.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/smt/expr"
)

// A Violation is a counterexample that the interpreter has replayed.
type Violation struct {
	System *component.System
	Copies []component.Copy // those that run, in the order of their components
	Trace  []lts.Action     // all visible actions
	Run    *interp.ProgramRun
	// Standing is where the parts stand still at the end, if it is a deadlock, or something is refused; nil of others.
	Standing []Stand
	// alphabets are, of these, those of the parts.
	alphabets [][]lts.Action
	// Refused is what is refused; nil of others.
	Refused *Refusal
	// Choices are what the specification cannot follow, if this is the first branch of a tree, and Branches the
	// other ones; nil of others.
	Choices  *Choices
	Branches []*Violation
	isBranch bool // of a tree
	// Diverges is what goes on for ever, twice at the end of the run; nil of others.
	Diverges *Diverging
	// Lasso is of violations by whole runs; nil of others. Circles are what each part goes round, of a run that does not
	// end.
	Lasso   *Lasso
	Circles []Circle
}

// A Part is what one copy of a component does in a counterexample.
type Part struct {
	component.Copy
	Graph     *component.Graph
	Execution *component.Execution
	// Stand is the action that says where it stands still at the end; τ where that does not matter.
	Stand lts.Action
}

// A Joint is a visible action with the parts that perform it together, in
// ascending order.
type Joint struct {
	Action lts.Action
	Parts  []int
}

// A BodyError says that a run rests on what the body of a routine writes, which was called
// by its abstraction: the body knows more.
type BodyError struct {
	Routine string
	Why     *verdict.Reason
}

func (e *BodyError) Error() string { return e.Why.Error() }

// Unwrap is the reason why nothing is known without the body.
func (e *BodyError) Unwrap() error { return e.Why }

// An UnknownError says that a run rests on a value that is not modelled: a decision of one of
// its parts, and the assignment where the value comes from.
type UnknownError struct {
	Part     int
	Decision cfa.Loc
	From     cfa.Loc
	Why      *verdict.Reason
}

func (e *UnknownError) Error() string { return e.Why.Error() }

// Unwrap is the reason of a verdict.
func (e *UnknownError) Unwrap() error { return e.Why }

// Replay executes a counterexample: its parts, in the order of the system's
// components, and the visible actions of all together. An error is ctx's, or a
// *verdict.Reason: the run rests on a value that is not modelled, or it is none
// that violates the specification, which is a fault of whoever made it.
func Replay(ctx context.Context, sys *component.System, parts []Part, schedule []Joint) (*Violation, error) {
	v, err := execute(ctx, sys, parts, schedule)
	if err != nil {
		return nil, err
	}
	if err := v.confirm(parts); err != nil {
		return nil, verdict.Because(verdict.Fault, "the replayed run is no violation, which is a fault of this tool: %v", err)
	}
	if err := v.tainted(); err != nil {
		return nil, err
	}
	return v, nil
}

// execute executes the parts of a counterexample together.
func execute(ctx context.Context, sys *component.System, parts []Part, schedule []Joint) (*Violation, error) {
	v := &Violation{System: sys}
	var machines []*interp.Machine
	var scripts []interp.Script
	var alphabets [][]string
	var copyOf []int
	actions := sys.Spec.Actions()
	for _, p := range parts {
		v.Copies, copyOf = append(v.Copies, p.Copy), append(copyOf, p.Component)
		machines = append(machines, interp.New(p.Graph.Comp.CFA))
		scripts = append(scripts, script(p.Graph, p.Execution))
		alphabets = append(alphabets, actions.Names(p.Graph.Alphabet()))
	}
	joint := make([]interp.Joint, len(schedule))
	for i, j := range schedule {
		v.Trace = append(v.Trace, j.Action)
		joint[i] = interp.Joint{Action: actions.Name(j.Action), Components: j.Parts}
	}
	run, err := interp.ReplayProgram(ctx, machines, scripts, joint, alphabets, copyOf)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, verdict.Because(verdict.Fault,
			"the counterexample could not be replayed, which is a fault of this tool: %v", err)
	}
	v.Run = run
	return v, nil
}

// tainted says on what the run rests that is not modelled; nil if there is nothing.
func (v *Violation) tainted() error {
	t := v.Run.Tainted
	if t == nil {
		return nil
	}
	why := &verdict.Reason{Kind: verdict.NotModelled, Place: t.Pos,
		Text: fmt.Sprintf("a counterexample was found, but it depends on a value that is not modelled (%s)", t.Reason)}
	if t.Body != "" {
		return &BodyError{t.Body, why}
	}
	return &UnknownError{v.Run.TaintedIn, t.Loc, t.From, why}
}

// confirm checks what the replay does not: the copies are as many as the system
// has, the initial states satisfy the claim's guards, and the trace is not one
// that the specification allows, or the run ends in a deadlock.
func (v *Violation) confirm(parts []Part) error {
	if err := v.begins(); err != nil {
		return err
	}
	if parts[0].Stand != lts.Tau {
		return v.stands(parts)
	}
	spec := v.System.Spec
	observed := lts.Project(v.Trace, spec.Alphabet())
	_, allowed := lts.Member(spec, observed)
	if allowed && !spec.HasError() {
		return fmt.Errorf("the specification allows %q", spec.Actions().Names(observed))
	}
	return nil
}

// begins checks that the copies are as many as the system has, that they begin where the claim says, and that
// they perform the trace.
func (v *Violation) begins() error {
	if !v.System.Runs(v.Copies) {
		return fmt.Errorf("the run has other copies of the components than the claim")
	}
	for i, copied := range v.Copies {
		c := v.component(i)
		if c.Guard == nil {
			continue
		}
		init := v.Run.Runs[i].Script.Init
		value := func(x *expr.Expr) uint64 {
			for _, b := range init {
				if b.Var == x {
					return b.Value
				}
			}
			return 0
		}
		if expr.Eval(c.Guard, value) != 1 {
			return fmt.Errorf("the initial state of %s does not satisfy its guard", v.System.CopyName(copied))
		}
	}
	spec := v.System.Spec
	if !slices.Equal(v.Run.Trace, spec.Actions().Names(v.Trace)) {
		return fmt.Errorf("the run performs %q", v.Run.Trace)
	}
	return nil
}

// component is that of which part i of the run is a copy.
func (v *Violation) component(i int) *component.Component {
	return v.System.Components[v.Copies[i].Component]
}
