package certificate

// Progress that fair choice violates.
//
// Idea: no single run shows it, but a run and the models do. The run is executed. Where it ends each component is in a
// state of its model, for what the state says holds of its values. From there the models have no step with an action of
// the progress, and come to no assumption: whatever is chosen, none of these actions happens any more. Each run can
// go on in a way that is fair, or end.
//
// Left out: progress under a condition, of which it has to be known that its actions happen again and again.
//
// Source: Magee, Kramer: Concurrency (2nd ed. 2006), chapter 7: terminal sets. Cost: that of the run, and of what
// can be reached behind it in the models' composition.

import (
	"context"
	"slices"

	"magus/smt/expr"
)

// checkTrap checks that the runs lead to where no action of a progress is possible any more.
func (w *wholeRun) checkTrap(ctx context.Context) error {
	c := w.c
	if c.Round != nil || len(c.Components) == 0 {
		return refuted(c.line, "no single run shows what does not happen with %s", w.sub.Claim.Live.Fairness.Said())
	}
	if err := c.sameComponents(w.sub); err != nil {
		return err
	}
	if slices.ContainsFunc(w.sub.Copies, func(n int) bool { return n < 1 }) {
		return refuted(c.line, "any number of copies: tuples of states do not show what happens at last")
	}
	s, err := c.newLiveSearch(ctx, w.sub, w.checkers)
	if err != nil {
		return err
	}
	if s.owing.progressing == nil || s.owing.provided != nil {
		return refuted(c.line, "a run shows progress to be violated, without a condition, where choice is fair")
	}
	if s.of, err = w.inOrder(s.of); err != nil {
		return err
	}
	for k := range c.Runs {
		at, err := w.stateBehind(ctx, k, s.models[s.of[k]])
		if err != nil {
			return err
		}
		s.begin = append(s.begin, at)
	}
	if err := s.explore(s.owing.set(nil)); err != nil {
		return err
	}
	for n := range s.nodes {
		if s.tuples[s.nodes[n].tuple].noRun {
			return refuted(c.line, "an assumption may fail behind the run")
		}
		for _, a := range s.arcs[n] {
			if action := s.action(n, a); slices.Contains(s.owing.progressing, action) {
				return refuted(c.line, "%s may happen behind the run", action)
			}
		}
	}
	return nil
}

// inOrder checks that the runs are of the components in the order of the models' copies.
func (w *wholeRun) inOrder(of []int) ([]int, error) {
	if len(of) != len(w.c.Runs) || len(of) > mostCopies {
		return nil, refuted(w.c.line, "there are other runs than copies")
	}
	for k := range of {
		if w.copies[k].Component != of[k] {
			return nil, refuted(w.c.Runs[k].line, "the run is not of the component that comes next")
		}
	}
	return of, nil
}

// stateBehind is a state of a model that says nothing of a run's last values but what is so.
func (w *wholeRun) stateBehind(ctx context.Context, k int, m *liveModel) (int, error) {
	run := &w.c.Runs[k]
	var last *execution
	if _, err := run.executeSeeing(ctx, m.prog, func(i int, _ *step, x *execution) {
		if i == len(run.Moves)-1 {
			last = x.clone()
		}
	}); err != nil {
		return 0, err
	}
	if last == nil {
		return 0, refuted(run.line, "the run ends in rounds")
	}
	isTainted := func(v *expr.Expr) bool { return last.tainted[v] }
	value := func(v *expr.Expr) uint64 { return last.values[v] }
	for i := range m.comp.States {
		if m.comp.States[i].At == w.last(k) && !slices.ContainsFunc(m.sets[i], func(l *expr.Expr) bool {
			return anyTainted(l, isTainted) || expr.Eval(l, value) != 1
		}) {
			return i, nil
		}
	}
	return 0, refuted(run.line, "the model of %s has no state for where the run ends", m.comp.Name)
}
