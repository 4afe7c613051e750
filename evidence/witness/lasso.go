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

	"magus/cfa"
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
	// Within are conditions that hold there each time, from whatever values, as somebody else has shown, which are
	// looked at instead; nil if the values are the same.
	Within []*expr.Expr
}

// ReplayLasso executes a stem and a loop: the loop begins behind so many actions of the schedule. Without turns the run
// ends. An error is as that of [Replay].
func ReplayLasso(ctx context.Context, sys *component.System, parts []Part, schedule []Joint,
	turns []Turn) (*Violation, error) {
	v, err := execute(ctx, sys, parts, schedule)
	if err != nil {
		return nil, err
	}
	if err := v.begins(); err != nil {
		return nil, verdict.Because(verdict.Fault, "the replayed run is no violation, which is a fault of this tool: %v", err)
	}
	v.Lasso = &Lasso{Loops: turns != nil}
	for i := range turns {
		first, err := comesBack(&parts[i], turns[i], v.Run.Runs[i])
		if err != nil {
			return nil, verdict.Because(verdict.Fault, "the replayed run is no violation, which is a fault of this tool: %s %v",
				sys.CopyName(parts[i].Copy), err)
		}
		v.Lasso.first, v.Lasso.within = append(v.Lasso.first, first), append(v.Lasso.within, turns[i].Within...)
		v.Circles = append(v.Circles, parts[i].circle(turns[i].Edge, len(parts[i].Execution.Edges)))
	}
	if err := v.tainted(); err != nil {
		return nil, err
	}
	return v, nil
}

// A Lasso says of a violation that it is by a whole run.
type Lasso struct {
	Loops  bool  // else it ends
	first  []int // by part, the step of its run with which the loop begins
	within []*expr.Expr
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
func comesBack(p *Part, t Turn, run *interp.Run) (first int, err error) {
	if p.node(t.Edge) != p.node(len(p.Execution.Edges)) {
		return 0, fmt.Errorf("is elsewhere behind the loop")
	}
	begin, within := p.begins(t.Edge)
	var before, behind []uint64
	values := func(s interp.State) (all []uint64) {
		conds := t.Matters
		if t.Within != nil {
			conds = t.Within
		}
		for _, x := range conds {
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
	if t.Within != nil {
		if len(before) == 0 || len(behind) == 0 || slices.Contains(slices.Concat(before, behind), 0) {
			return 0, fmt.Errorf("has values from which the loop need not be gone through once more")
		}
	} else if !slices.Equal(before, behind) {
		return 0, fmt.Errorf("has other values behind the loop: %d, not %d", behind, before)
	}
	return p.firstStep(t.Edge, run), nil
}

// node is where a part is behind so many edges.
func (p *Part) node(n int) component.Node {
	if n == 0 {
		return component.Init
	}
	return p.Graph.Edges[p.Execution.Edges[n-1]].To
}

// begins is how many statements so many edges begin; one that is not over, within a routine, counts for what comes.
func (p *Part) begins(n int) (statements int, within bool) {
	for _, id := range p.Execution.Edges[:n] {
		if e := &p.Graph.Edges[id]; e.Loc >= 0 && p.Graph.IsLocation(e.From) {
			statements++
		}
	}
	if within = !p.Graph.IsLocation(p.node(n)) && p.node(n) > component.Stop; within {
		statements--
	}
	return statements, within
}

// firstStep is the first step of a run that is behind so many edges.
func (p *Part) firstStep(n int, run *interp.Run) (first int) {
	begin, within := p.begins(n)
	for first < len(run.Steps) && run.Steps[first].Step < begin {
		first++
	}
	if !within {
		return first
	}
	for i := n - 1; i >= 0; i-- { // actions of the statement that is not over
		e := &p.Graph.Edges[p.Execution.Edges[i]]
		if e.Action != lts.Tau {
			first++
		}
		if p.Graph.IsLocation(e.From) {
			break
		}
	}
	return first
}

// roundParts says who goes round in which lines: a part, or those of components that are looked at together.
func roundParts(c *cfa.CFA, p RoundPart) (all []verdict.RoundPart) {
	if c.Joint == nil {
		return []verdict.RoundPart{{Component: p.Part, Lines: lines(c, p.Locs)}}
	}
	for k := range c.Joint.Parts {
		var at []cfa.Pos
		for _, l := range p.Locs {
			if x := c.Joint.Exchanges[l]; slices.Contains(x.Parts, k) {
				at = append(at, x.Pos[slices.Index(x.Parts, k)])
			} else if c.Joint.Movers(l)>>k&1 == 1 {
				at = append(at, c.Locs[l].Pos)
			}
		}
		if at != nil {
			all = append(all, verdict.RoundPart{Component: k, Lines: distinct(at)})
		}
	}
	return all
}

// reportRound writes what comes again and again for people.
func (v *Violation) reportRound(r *verdict.Run) {
	if v.Diverges != nil {
		r.Round.Times, r.Round.Actions = 2, v.System.Spec.Actions().Names(v.Diverges.Actions)
		for _, p := range v.Diverges.Parts {
			r.Round.Parts = append(r.Round.Parts, roundParts(v.component(p.Part).CFA, p)...)
		}
		for _, c := range v.Diverges.Within {
			r.Round.Set = append(r.Round.Set, c.String())
		}
		return
	}
	if !v.Lasso.Loops {
		return
	}
	r.Round.Times = 1
	for _, c := range v.Lasso.within {
		r.Round.Set = append(r.Round.Set, c.String())
	}
	for _, s := range r.Steps[r.Round.First:] {
		if s.Action != "" {
			r.Round.Actions = append(r.Round.Actions, s.Action)
		}
	}
}
