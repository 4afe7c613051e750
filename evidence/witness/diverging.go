package witness

// A divergence, confirmed.
//
// Idea: the run goes twice round. It is a divergence if the specification observes nothing of the rounds,
// which can be made again and again: at the beginning of each, all parts that go round are where they were,
// and all that a round rests on has the values that it had.
//
// Source: docs/semantics.md, "What the specification must offer". Cost: linear in the run.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/smt/expr"
)

// A Twice says of a run where its rounds begin.
type Twice struct {
	Actions int   // so many visible actions come before the first round
	Round   int   // visible actions of a round
	Edges   []int // by part: so many edges come before the first round; each of the two rounds has half of the others
	// Within are conditions with which the round of the one part that goes round begins and ends, from whatever values,
	// as somebody else has shown; nil if it comes back to the values that it had.
	Within []*expr.Expr
}

// A Diverging is what goes on for ever.
type Diverging struct {
	Actions []lts.Action // that are performed in it, and not observed
	Parts   []RoundPart
	Within  []*expr.Expr // as of [Twice]
}

// A RoundPart is a part that goes round.
type RoundPart struct {
	Part int
	Locs []cfa.Loc // in the order of the round
}

// ReplayDiverging executes a run that goes twice round. The error is as of [Replay].
func ReplayDiverging(ctx context.Context, sys *component.System, parts []Part, schedule []Joint,
	l Twice) (*Violation, error) {
	v, err := execute(ctx, sys, parts, schedule)
	if err != nil {
		return nil, err
	}
	if err := v.begins(); err != nil {
		return nil, notDiverging(err)
	}
	if err := v.diverges(parts, l); err != nil {
		return nil, notDiverging(err)
	}
	if err := v.tainted(); err != nil {
		return nil, err
	}
	return v, nil
}

func notDiverging(err error) error {
	return verdict.Because(verdict.Fault,
		"the replayed run does not go on for ever, which is a fault of this tool: %v", err)
}

// diverges checks that the rounds can be made for ever where the specification does not diverge.
func (v *Violation) diverges(parts []Part, l Twice) error {
	spec := v.System.Spec
	if l.Actions+2*l.Round != len(v.Trace) {
		return fmt.Errorf("the rounds are not the rest of the run")
	}
	first, second := v.Trace[l.Actions:l.Actions+l.Round], v.Trace[l.Actions+l.Round:]
	if !slices.Equal(first, second) || slices.ContainsFunc(first, spec.HasAction) {
		return fmt.Errorf("the rounds perform %q and %q", spec.Actions().Names(first), spec.Actions().Names(second))
	}
	at := lts.After(spec, lts.Project(v.Trace[:l.Actions], spec.Alphabet()))
	switch {
	case at == nil:
		return fmt.Errorf("the specification does not have the trace")
	case v.System.Divergent != nil && slices.Contains(at, *v.System.Divergent):
		return fmt.Errorf("the specification may diverge")
	}
	v.Diverges = &Diverging{Actions: first, Within: l.Within}
	v.Lasso = &Lasso{Loops: true}
	for i, p := range parts {
		n, all := l.Edges[i], p.Execution.Edges
		round := all[n : n+(len(all)-n)/2]
		if !slices.Equal(all[n+len(round):], round) {
			return fmt.Errorf("part %d makes other steps in the second round", i+1)
		}
		if len(round) == 0 {
			v.Lasso.first = append(v.Lasso.first, len(v.Run.Runs[i].Steps))
			v.Circles = append(v.Circles, Circle{})
			continue
		}
		if l.Within != nil && v.Diverges.Parts != nil {
			return fmt.Errorf("several parts go round")
		}
		if err := v.comesBack(i, p, n, len(round), l.Within); err != nil {
			return err
		}
		v.Lasso.first = append(v.Lasso.first, p.firstStep(n, v.Run.Runs[i]))
		v.Circles = append(v.Circles, p.circle(n, n+len(round)))
		part := RoundPart{Part: i}
		for _, id := range round {
			if e := &p.Graph.Edges[id]; e.Loc >= 0 && p.Graph.IsLocation(e.From) {
				part.Locs = append(part.Locs, e.Loc)
			}
		}
		v.Diverges.Parts = append(v.Diverges.Parts, part)
	}
	if v.Diverges.Parts == nil {
		return fmt.Errorf("nothing goes round")
	}
	return nil
}

// comesBack checks that a part is where it was after each of two rounds: with the same values, or ones of which some
// conditions hold.
func (v *Violation) comesBack(i int, p Part, before, round int, within []*expr.Expr) error {
	g := p.Graph
	from := func(k int) component.Node { return g.Edges[p.Execution.Edges[k]].From }
	end := g.Edges[p.Execution.Edges[before+2*round-1]].To
	if from(before) != from(before+round) || from(before) != end {
		return fmt.Errorf("part %d does not come back", i+1)
	}
	matter, ok := g.Lasting(p.Execution.Edges[before : before+round])
	if !ok {
		return fmt.Errorf("part %d reads memory of which nothing is known", i+1)
	}
	begun := func(n int) (steps int) { // statements that the first n edges begin
		for _, id := range p.Execution.Edges[:n] {
			if e := &g.Edges[id]; e.Loc >= 0 && g.IsLocation(e.From) {
				steps++
			}
		}
		return steps
	}
	marks := []int{begun(before), begun(before + round), begun(before + 2*round)}
	if !g.IsLocation(end) { // within a routine that was called with the values that hold still
		for k, n := range []int{before, before + round, before + 2*round} {
			if !p.unchanged(n) {
				return fmt.Errorf("part %d has called a routine that has changed something", i+1)
			}
			marks[k]--
		}
	}
	var values [][]uint64
	for step, s := range v.Run.Runs[i].States {
		for _, m := range marks { // some may be one
			if m == step {
				values = append(values, evaluated(matter, s.Eval))
			}
		}
	}
	if within != nil {
		return v.staysWithin(i, marks, within)
	}
	if len(values) != len(marks) || !slices.Equal(values[0], values[1]) || !slices.Equal(values[1], values[2]) {
		return fmt.Errorf("part %d has other values after a round", i+1)
	}
	return nil
}

// staysWithin checks that conditions hold behind so many steps of a part.
func (v *Violation) staysWithin(i int, marks []int, within []*expr.Expr) error {
	met := 0
	for step, s := range v.Run.Runs[i].States {
		if !slices.Contains(marks, step) {
			continue
		}
		if met++; slices.Contains(evaluated(within, s.Eval), 0) {
			return fmt.Errorf("part %d has values from which it need not go round", i+1)
		}
	}
	if met < len(marks) {
		return fmt.Errorf("part %d does not go round twice", i+1)
	}
	return nil
}

// unchanged reports whether the edges before number n, back to where the last statement began, have changed nothing.
func (p *Part) unchanged(n int) bool {
	for k := n - 1; k >= 0; k-- {
		e := &p.Graph.Edges[p.Execution.Edges[k]]
		if len(e.Update) > 0 {
			return false
		}
		if p.Graph.IsLocation(e.From) {
			return true
		}
	}
	return false
}

func evaluated(vars []*expr.Expr, of func(*expr.Expr) uint64) (all []uint64) {
	for _, v := range vars {
		all = append(all, of(v))
	}
	return all
}
