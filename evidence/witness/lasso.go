package witness

// A violation by a whole run: a stem, and a loop that is executed once and comes back to the state before it, or the
// end of the run.
//
// Idea: each part is replayed as any other run. Behind the stem and behind the loop its control point is the same, and
// the variables that matter there have the same values: so it can go round again, and the components with it.
//
// Cost: linear in the run.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa/interp"
	"magus/component"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/smt/expr"
)

// A Turn is where the loop of a part begins: before so many edges of its execution. What matters there is compared.
type Turn struct {
	Edge    int
	Matters []*expr.Expr
}

// ReplayLasso executes a stem and a loop: the loop begins behind so many actions of the schedule. Without turns the run
// ends. An error is as that of [Replay].
func ReplayLasso(ctx context.Context, sys *component.System, parts []Part, schedule []Joint, turns []Turn) (*Violation, error) {
	v, err := execute(ctx, sys, parts, schedule)
	if err != nil {
		return nil, err
	}
	if err := v.begins(); err != nil {
		return nil, verdict.Because(verdict.Fault, "the replayed run is no violation, which is a fault of this tool: %v", err)
	}
	v.Lasso = &Lasso{Loops: turns != nil}
	for i := range turns {
		first, err := comesBack(parts[i], turns[i], v.Run.Runs[i])
		if err != nil {
			return nil, verdict.Because(verdict.Fault, "the replayed run is no violation, which is a fault of this tool: %s %v",
				sys.CopyName(parts[i].Copy), err)
		}
		v.Lasso.first = append(v.Lasso.first, first)
	}
	if err := v.tainted(); err != nil {
		return nil, err
	}
	return v, nil
}

// A Lasso says of a violation that it is by a whole run.
type Lasso struct {
	Loops bool  // else it ends
	first []int // by part, the step of its run with which the loop begins
}

// order puts the steps of the stem before those of the loop, and says how many there are of the stem.
func (l *Lasso) order(steps []interp.ProgramStep) ([]interp.ProgramStep, int) {
	if !l.Loops {
		return steps, len(steps)
	}
	var stem, loop []interp.ProgramStep
	for _, s := range steps {
		if s.Steps[0] < l.first[s.Components[0]] {
			stem = append(stem, s)
		} else {
			loop = append(loop, s)
		}
	}
	return append(stem, loop...), len(stem)
}

// comesBack checks that a part is behind its loop where it was before, and says with which step of its run that begins.
func comesBack(p Part, t Turn, run *interp.Run) (first int, err error) {
	edges := p.Execution.Edges
	node := func(n int) component.Node {
		if n == 0 {
			return component.Init
		}
		return p.Graph.Edges[edges[n-1]].To
	}
	if node(t.Edge) != node(len(edges)) {
		return 0, fmt.Errorf("is elsewhere behind the loop")
	}
	// the steps of the script that the edges before belong to; one that is not over counts for what comes
	begin := 0
	for _, id := range edges[:t.Edge] {
		if e := &p.Graph.Edges[id]; e.Loc >= 0 && p.Graph.IsLocation(e.From) {
			begin++
		}
	}
	within := !p.Graph.IsLocation(node(t.Edge)) && node(t.Edge) > component.Stop
	if within {
		begin--
	}
	var before, behind []uint64
	values := func(s interp.State) (all []uint64) {
		for _, x := range t.Matters {
			all = append(all, s.Eval(x))
		}
		return all
	}
	last := len(run.Script.Steps)
	if within {
		last--
	}
	for step, s := range run.States {
		if step == begin {
			before = values(s)
		}
		if step == last {
			behind = values(s)
		}
	}
	if !slices.Equal(before, behind) {
		return 0, fmt.Errorf("has other values behind the loop: %d, not %d", behind, before)
	}
	actions := 0 // of the step that is not over
	if within {
		for i := t.Edge - 1; i >= 0; i-- {
			e := &p.Graph.Edges[edges[i]]
			if e.Action != lts.Tau {
				actions++
			}
			if p.Graph.IsLocation(e.From) {
				break
			}
		}
	}
	for first < len(run.Steps) && run.Steps[first].Step < begin {
		first++
	}
	return first + actions, nil
}
