package certificate

// Divergence.
//
// Idea: of a violation there are runs whose last moves are a round that can be made again and again: it leads
// back to the control point where it begins, nothing of it is observed, and what its conditions speak of, and
// that is computed from, has at its end the values that it had at its beginning. The specification does not
// diverge then.
//
// A round that does not come back to the same values leads back into a recurrence set (recurrence.go). That nothing
// diverges is shown by the models (endless.go).
//
// Source: docs/semantics.md, "What the specification must offer". Cost: linear in the run; in the tuples' steps.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/lts"
	"magus/smt/expr"
)

// A Lasso says of runs where their round begins.
type Lasso struct {
	Actions int   // of the trace before it
	Moves   []int // by run: before it
	// Sets are those of runs that do not come back to the same values.
	Sets []RecurrenceSet

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
	if err := c.checkSets(sub); err != nil {
		return err
	}
	var lines []*lts.LTS
	goes := false
	for k := range c.Runs {
		line, err := c.Runs[k].goesRound(ctx, checkers[copies[k].Component], l.Moves[k], l.set(&c.Runs[k]), nil)
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

// checkGoesOn checks that a run of the only component goes on for ever.
func (c *Certificate) checkGoesOn(ctx context.Context, sub *Subject, checkers []*Checker) error {
	if len(checkers) != 1 || !sub.Single() || len(c.Runs) != 1 || len(c.Round.Moves) != 1 {
		return refuted(c.line, "the run of one component is one run")
	}
	if err := c.checkSets(sub); err != nil {
		return err
	}
	if c.Round.Moves[0] >= len(c.Runs[0].Moves) {
		return refuted(c.Round.line, "nothing goes round")
	}
	line, err := c.Runs[0].goesRound(ctx, checkers[0], c.Round.Moves[0], c.Round.set(&c.Runs[0]), nil)
	if err != nil {
		return err
	}
	performed := visible(line)
	if !slices.Equal(sub.Spec.Actions().Names(performed), c.Trace) {
		return refuted(c.traceLine, "the run performs other actions")
	}
	if slices.ContainsFunc(performed, sub.IsCut) {
		return refuted(c.traceLine, "the run comes to where it is not followed")
	}
	return nil
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

// goesRound executes a run, and checks that its moves from a number on are a round, if there are any, which can be made
// for ever: from the same values, or in a set. Some variables are watched while it is made.
func (r *Run) goesRound(ctx context.Context, ch *Checker, from int, set *RecurrenceSet, watched []*expr.Expr) (
	*lts.LTS, error) {
	if from < 0 || from > len(r.Moves) {
		return nil, refuted(r.line, "the round begins after %d of %d moves", from, len(r.Moves))
	}
	var round []*step
	var before, now *execution
	around := newRound(ch.prog.comp.CFA.Pool)
	line, err := r.executeSeeing(ctx, ch.prog, func(i int, s *step, x *execution) {
		if i == from-1 {
			before = x.clone()
		}
		if i >= from {
			round = append(round, s)
			around.take(s, func(v *expr.Expr) uint64 { return x.values[v] })
		}
		if i == len(r.Moves)-1 {
			now = x.clone()
		}
	})
	if err != nil || from == len(r.Moves) {
		return line, err
	}
	if from == 0 || before == nil || len(round) != len(r.Moves)-from ||
		r.Moves[from-1].To != r.Moves[len(r.Moves)-1].To {
		return nil, refuted(r.line, "the round does not lead back to where it begins")
	}
	if set == nil {
		return line, r.comesBack(round, watched, before, now)
	}
	if watched != nil {
		return nil, refuted(r.line, "what a formula says of variables need not be the same in each round")
	}
	if err := set.begins(before); err != nil {
		return nil, err
	}
	return line, set.recurs(ctx, ch, r.Moves[from-1].To, around)
}

// comesBack checks that all on which it rests that a round can be made has the values that it had, and is known.
func (r *Run) comesBack(round []*step, watched []*expr.Expr, before, now *execution) error {
	vars, ok := restsOn(round, watched)
	if !ok {
		return refuted(r.line, "the round reads memory of which nothing is known")
	}
	for _, v := range vars {
		switch {
		case before.values[v] != now.values[v]:
			return refuted(r.line, "%v is not what it was when the round began", v)
		case now.tainted[v]:
			return refuted(r.line, "that %v is what it was when the round began is not modelled", v)
		}
	}
	return nil
}

// restsOn are the variables on whose values at its beginning it rests that a round can be made again, and what some
// variables are at each moment of it; ok is false if it reads memory without variables.
func restsOn(round []*step, watched []*expr.Expr) (vars []*expr.Expr, ok bool) {
	vars = slices.Clone(watched)
	for grown := -1; grown != len(vars); {
		grown = len(vars)
		now := slices.Clone(vars)
		for _, s := range slices.Backward(round) {
			if s.memory != nil && s.memory.Kind == cfa.Read {
				return nil, false
			}
			now = s.restsOn(append(now, watched...))
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
		if k < 0 && !slices.Contains(before, v) {
			before = append(before, v)
		} else if k >= 0 {
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

// asksDivergence reports whether the claim is besides that nothing goes on for ever unobserved.
func (sub *Subject) asksDivergence() bool { return sub.Relation == component.Divergences }
