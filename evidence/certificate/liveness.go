package certificate

// What happens at last.
//
// Idea: a claim about whole runs is shown by the models of the components, which have what the components do. Whoever
// checks the certificate composes them, keeps beside each tuple of their states what a run that violates the
// claim would still owe (liveness_formula.go), and looks at all parts that a run can stay in for ever
// (liveness_loops.go): each owes something for ever, is unfair, or is left by a run because of one of the
// certificate's ranks. A rank is a term over the variables of one component that no step of the part makes
// greater; a step that makes it less is not made for ever.
//
// A run counts as unfair only if a component does not move that can move at each moment for certain: whatever
// the values are that a state of its model stands for (liveness_model.go). Progress with fair choice is shown
// as well if from everywhere steps that are possible for certain lead to one of its actions.
//
// Law: what a state of a model lists is looked at where the composition comes there, and not before.
//
// Source: docs/semantics.md, "What happens at last"; written from there and not from package engine/liveness. Cost: the
// composition times what may be owed, and for each rank a query for each step in its part.

import (
	"context"
	"slices"

	"magus/component"
)

// Liveness has the ranks with which parts of the composition are left.
type Liveness struct {
	Ranks []Lessening

	line int
}

// A Lessening is a term of a component that gets less, or greater.
type Lessening struct {
	Component, Term int
	Up              bool

	line int
}

// asksRuns reports whether the claim is about whole runs.
func (sub *Subject) asksRuns() bool {
	return sub.Question == component.Live || sub.Question == component.NoLivelock
}

// checkRunsAtLast checks a proof of a claim about whole runs.
func (c *Certificate) checkRunsAtLast(ctx context.Context, sub *Subject, checkers []*Checker) error {
	if c.Live == nil || sub.Claim == nil || sub.Claim.Live == nil {
		return refuted(c.line, "nothing shows what happens at last")
	}
	if slices.ContainsFunc(sub.Copies, func(n int) bool { return n < 1 }) {
		return refuted(c.line, "any number of copies: tuples of states do not show what happens at last")
	}
	if _, assumes := sub.Components[0].CFA.Assumes(); assumes && sub.Claim.Live.Fairness == component.NoFairness {
		return refuted(c.line, "without fairness, an assumption ends runs of components that exchange values")
	}
	s, err := c.newLiveSearch(ctx, sub, checkers)
	if err != nil {
		return err
	}
	for i := range c.Live.Ranks {
		r := &c.Live.Ranks[i]
		if r.Component < 0 || r.Component >= len(s.models) {
			return refuted(r.line, "the rank is of component %d, there are %d", r.Component, len(s.models))
		}
		m := s.models[r.Component]
		if r.Term < 0 || r.Term >= len(m.terms) || !ranks(m.terms[r.Term].Type()) {
			return refuted(r.line, "the rank is no integer among the terms of %s", m.comp.Name)
		}
		s.ranks = append(s.ranks, &lessening{Lessening: *r, term: m.terms[r.Term], model: m, known: map[string]effect{}})
	}
	return s.check()
}

// newLiveSearch makes the models of the components ready.
func (c *Certificate) newLiveSearch(ctx context.Context, sub *Subject, checkers []*Checker) (*liveSearch, error) {
	f, err := newOwing(ctx, sub)
	if err != nil {
		return nil, refuted(c.line, "%v", err)
	}
	s := &liveSearch{ctx: ctx, sub: sub, owing: f, line: c.line}
	for i := range c.Components {
		if err := sub.forgets(i, c.Components[i].line); err != nil {
			return nil, err
		}
		m, err := newLiveModel(ctx, checkers[i], &c.Components[i], f.conds[i])
		if err != nil {
			return nil, err
		}
		s.models = append(s.models, m)
		for range sub.Copies[i] {
			s.of = append(s.of, i)
		}
	}
	return s, nil
}

// check searches the composition.
func (s *liveSearch) check() error {
	if len(s.of) > mostCopies {
		return refuted(s.line, "more than %d copies run", mostCopies)
	}
	fairness := s.sub.Claim.Live.Fairness
	if fairness == component.ChoiceFairness {
		shown, err := s.choice()
		if err != nil || shown {
			return err
		}
		fairness = component.WeakFairness // of whose runs those with fair choice are some
	}
	s.fairness = fairness
	if err := s.explore(s.owing.begin()); err != nil {
		return err
	}
	if err := s.without(); err != nil {
		return err
	}
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return nil
}
