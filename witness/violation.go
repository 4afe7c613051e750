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

	"magus/cfa/interp"
	"magus/component"
	"magus/internal/expr"
	"magus/internal/verdict"
	"magus/lts"
)

// A Violation is a counterexample that the interpreter has replayed.
type Violation struct {
	System *component.System
	Trace  []lts.Action // all visible actions
	Run    *interp.ProgramRun
}

// Replay executes a counterexample: for each component of the system its graph
// and its execution, and the visible actions of all together. An error is ctx's,
// or a *verdict.Reason: the run rests on a value that is not modelled, or it is
// none that violates the specification, which is a fault of whoever made it.
func Replay(ctx context.Context, sys *component.System, graphs []*component.Graph, executions []*component.Execution, trace []lts.Action) (*Violation, error) {
	var machines []*interp.Machine
	var scripts []interp.Script
	var alphabets [][]string
	actions := sys.Spec.Actions()
	joint := make([]interp.Joint, len(trace))
	for i, a := range trace {
		joint[i].Action = actions.Name(a)
	}
	for i, g := range graphs {
		machines = append(machines, interp.New(g.Comp.CFA))
		scripts = append(scripts, script(g, executions[i]))
		alphabet := g.Alphabet()
		alphabets = append(alphabets, actions.Names(alphabet))
		for k, a := range trace {
			if slices.Contains(alphabet, a) {
				joint[k].Components = append(joint[k].Components, i)
			}
		}
	}
	run, err := interp.ReplayProgram(ctx, machines, scripts, joint, alphabets)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, verdict.Because(verdict.Fault, "the counterexample could not be replayed, which is a fault of this tool: %v", err)
	}
	v := &Violation{sys, trace, run}
	if err := v.confirm(); err != nil {
		return nil, verdict.Because(verdict.Fault, "the replayed run is no violation, which is a fault of this tool: %v", err)
	}
	if t := run.Tainted; t != nil {
		return nil, &verdict.Reason{Kind: verdict.NotModelled, Place: t.Pos,
			Text: fmt.Sprintf("a counterexample was found, but it depends on a value that is not modelled (%s)", t.Reason)}
	}
	return v, nil
}

// confirm checks what the replay does not: the initial states satisfy the
// claim's guards, and the trace is not one that the specification allows.
func (v *Violation) confirm() error {
	for i, c := range v.System.Components {
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
			return fmt.Errorf("the initial state of %s does not satisfy its guard", c.Name)
		}
	}
	spec := v.System.Spec
	if !slices.Equal(v.Run.Trace, spec.Actions().Names(v.Trace)) {
		return fmt.Errorf("the run performs %q", v.Run.Trace)
	}
	observed := lts.Project(v.Trace, spec.Alphabet())
	_, allowed := lts.Member(spec, observed)
	if allowed && !spec.HasError() {
		return fmt.Errorf("the specification allows %q", spec.Actions().Names(observed))
	}
	return nil
}
