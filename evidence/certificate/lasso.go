package certificate

// Divergence.
//
// Idea: of a violation there are runs whose last moves are a round that can be made again and again: it leads
// back to the control point where it begins, nothing of it is observed, and what its conditions speak of, and
// that is computed from, has at its end the values that it had at its beginning. The specification does not
// diverge then.
//
// That nothing diverges is shown by the models where no step that is not observed leads back to where it began: whoever
// checks the certificate looks at all tuples of their states. Where loops end by a ranking, there is no certificate.
//
// Source: docs/semantics.md, "What the specification must offer". Cost: linear in the run; in the tuples' steps.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/internal/graph"
	"magus/lts"
	"magus/smt/expr"
)

// A Lasso says of runs where their round begins.
type Lasso struct {
	Actions int   // of the trace before it
	Moves   []int // by run: before it

	line int
}

// checkLasso checks that the runs go on for ever.
func (c *Certificate) checkLasso(ctx context.Context, sub *Subject, checkers []*Checker) error {
	l := c.Round
	copies, err := c.copies(sub)
	if err != nil {
		return err
	}
	if len(l.Moves) != len(c.Runs) || l.Actions < 0 || l.Actions > len(c.Trace) {
		return refuted(l.line, "it is not said of each run where its round begins")
	}
	var lines []*lts.LTS
	goes := false
	for k := range c.Runs {
		line, err := c.Runs[k].goesRound(ctx, checkers[copies[k].Component].prog, l.Moves[k])
		if err != nil {
			return err
		}
		lines, goes = append(lines, line), goes || l.Moves[k] < len(c.Runs[k].Moves)
	}
	if !goes {
		return refuted(l.line, "nothing goes round")
	}
	own := c
	if sub.Single() {
		own = c.withParts(lines)
	}
	if err := own.together(sub, copies, lines); err != nil {
		return err
	}
	known := closed(sub.Spec, []lts.State{sub.Spec.Init()})
	for i, name := range c.Trace {
		a, _ := sub.Spec.Actions().Lookup(name)
		switch {
		case sub.IsCut(a):
			return refuted(c.traceLine, "the run comes to where recursion is not followed")
		case !sub.Spec.HasAction(a):
		case i >= l.Actions:
			return refuted(c.traceLine, "the specification observes the round")
		default:
			known = after(sub.Spec, known, a)
		}
	}
	if len(known) == 0 || sub.Divergent != nil && slices.Contains(known, *sub.Divergent) {
		return refuted(c.traceLine, "the specification does not have the trace, or diverges after it")
	}
	return c.beginTogether(own.By[:l.Actions])
}

// beginTogether checks that the rounds of all runs begin behind the actions before the round, each of which is
// by some of the runs.
func (c *Certificate) beginTogether(before [][]int) error {
	for k, run := range c.Runs {
		performed := 0
		for _, m := range run.Moves[:c.Round.Moves[k]] {
			if m.Action != "" {
				performed++
			}
		}
		for _, by := range before {
			if slices.Contains(by, k) {
				performed--
			}
		}
		if performed != 0 {
			return refuted(run.line, "the round does not begin after the same actions")
		}
	}
	return nil
}

// goesRound executes a run, and checks that its moves from a number on are a round, if there are any.
func (r *Run) goesRound(ctx context.Context, prog *program, from int) (*lts.LTS, error) {
	if from < 0 || from > len(r.Moves) {
		return nil, refuted(r.line, "the round begins after %d of %d moves", from, len(r.Moves))
	}
	var round []*step
	var before, now map[*expr.Expr]uint64
	copied := func(x *execution) map[*expr.Expr]uint64 { return x.clone().values }
	line, err := r.executeSeeing(ctx, prog, func(i int, s *step, x *execution) {
		if i == from-1 {
			before = copied(x)
		}
		if i >= from {
			round = append(round, s)
		}
		if i == len(r.Moves)-1 {
			now = copied(x)
		}
	})
	if err != nil || from == len(r.Moves) {
		return line, err
	}
	if from == 0 || len(round) != len(r.Moves)-from || r.Moves[from-1].To != r.Moves[len(r.Moves)-1].To {
		return nil, refuted(r.line, "the round does not lead back to where it begins")
	}
	vars, ok := restsOn(round)
	if !ok {
		return nil, refuted(r.line, "the round reads memory of which nothing is known")
	}
	for _, v := range vars {
		if before[v] != now[v] {
			return nil, refuted(r.line, "%v is not what it was when the round began", v)
		}
	}
	return line, nil
}

// restsOn are the variables on whose values at its beginning it rests that a round can be made again; ok is false if it
// reads memory without variables.
func restsOn(round []*step) (vars []*expr.Expr, ok bool) {
	for grown := -1; grown != len(vars); {
		grown = len(vars)
		now := slices.Clone(vars)
		for _, s := range slices.Backward(round) {
			if s.memory != nil && s.memory.Kind == cfa.Read {
				return nil, false
			}
			now = s.restsOn(now)
		}
		for _, v := range now {
			if !slices.Contains(vars, v) {
				vars = append(vars, v)
			}
		}
	}
	return vars, true
}

// restsOn are the variables before a step on which its guard and some variables behind it rest.
func (s *step) restsOn(behind []*expr.Expr) (before []*expr.Expr) {
	isFresh := func(v *expr.Expr) bool {
		return slices.ContainsFunc(s.assign, func(a assignment) bool { return a.fresh && a.value == v })
	}
	terms := slices.Clone(s.guard)
	for _, v := range behind {
		k := slices.IndexFunc(s.assign, func(a assignment) bool { return a.to == v })
		if k < 0 {
			before = append(before, v)
		} else {
			terms = append(terms, s.assign[k].value)
		}
	}
	for _, v := range expr.Vars(terms...) {
		if !isFresh(v) && !slices.Contains(before, v) {
			before = append(before, v)
		}
	}
	return before
}

// checkEndless checks that no steps of the tuples that are not observed lead in a circle where the
// specification does not diverge.
func (t *tuples) checkEndless(c *Certificate) error {
	number := map[string]int{}
	for n, q := range t.all {
		number[tupleKey(q)] = n
	}
	out := make([][]int, len(t.all))
	for n, q := range t.all {
		if t.sub.Divergent != nil && slices.Contains(q.known, *t.sub.Divergent) {
			continue
		}
		hidden := &tuples{models: t.models, progs: t.progs, sub: t.sub, spec: t.spec, of: t.of, met: map[string]bool{}}
		hidden.unobserved = true
		hidden.expand(q)
		for _, to := range hidden.all {
			m, met := number[tupleKey(to)]
			if !met {
				return refuted(c.line, "a tuple of states was not met")
			}
			out[n] = append(out[n], m)
		}
	}
	g := graph.Func{Nodes: len(out), Succ: func(n int, yield func(int)) {
		for _, m := range out[n] {
			yield(m)
		}
	}}
	if slices.Contains(graph.SCC(g).OnCycle(g), true) {
		return refuted(c.line, "steps of the models that are not observed lead in a circle")
	}
	return nil
}

// checkAlone checks that no steps of one model that are not observed lead in a circle: then no number of copies goes on
// for ever, for one of them would make infinitely many such steps.
func (c *Certificate) checkAlone(sub *Subject, checkers []*Checker, models []*lts.LTS) error {
	for i, m := range models {
		g := graph.Func{Nodes: m.NumStates(), Succ: func(n int, yield func(int)) {
			for _, e := range m.Out(lts.State(n)) {
				if _, says := checkers[i].prog.standing[e.Action]; !says && !sub.Spec.HasAction(e.Action) {
					yield(int(e.To))
				}
			}
		}}
		if slices.Contains(graph.SCC(g).OnCycle(g), true) {
			return refuted(c.line, "steps of component %d that are not observed lead in a circle", i+1)
		}
	}
	return nil
}

// asksDivergence reports whether the claim is besides that nothing goes on for ever unobserved.
func (sub *Subject) asksDivergence() bool { return sub.Relation == component.Divergences }
