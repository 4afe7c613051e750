package cegar

// The induction as a method of a session.
//
// Idea: after each share of the bounded search, which looks for a violation, an induction over the same layers
// (package bounded) has one to look for a proof. Where the loop itself is at its end, for want of predicates,
// the two go on until they have made a last effort.
//
// Source: package bounded has those of the method. Cost: the same as the loop's.

import (
	"context"
	"slices"

	"magus/engine/bounded"
	"magus/engine/portfolio"
	"magus/evidence/certificate"
	"magus/lts"
	"magus/smt/expr"
)

// inducing is the induction as a method of a session.
type inducing struct {
	*task
	at portfolio.Effort // that it was granted
}

// Name implements [portfolio.Method].
func (s *inducing) Name() string { return s.opt.Engine.methods().means.String() }

// Rewind implements [portfolio.Rewinder].
func (s *inducing) Rewind(granted portfolio.Effort) { s.at = granted }

// Advance implements [portfolio.Method].
func (s *inducing) Advance(ctx context.Context, share portfolio.Effort) methodEvent {
	e, used, err := s.induct(ctx, s.at+share)
	if err == nil {
		s.at += share
	}
	if i, ok := e.(Induced); ok && i.Over {
		return gaveUp{Used: used, Why: &givenUp{e, bounded.ErrNoProof}}
	}
	return s.eventOf(ctx, used, e, yields, err)
}

// induct has the induction go on until it was granted so much in all.
func (s *inducing) induct(ctx context.Context, granted portfolio.Effort) (Event, portfolio.Effort, error) {
	induction, err := s.inductionOver(ctx)
	if err != nil {
		return nil, 0, err
	}
	did, err := induction.upTo(ctx, granted)
	if err != nil {
		return nil, 0, err
	}
	s.had(did.made)
	used := portfolio.Effort(did.made[0] + did.made[1])
	switch e := did.event.(type) {
	case portfolio.Ended[bounded.Finding]:
		if s.covered, err = s.layers.induction.Taken(ctx, int64(min(coverEffort, granted))); err != nil {
			return nil, used, err
		}
		s.induced, s.by = e.Outcome.Proof, e.Outcome.By
		s.withoutPredicates()
		return s.conforms(notLooked), used, nil
	case portfolio.GaveUp[bounded.Finding]:
		return Induced{Over: true}, used, nil
	}
	return Induced{}, used, nil
}

// withoutPredicates leaves the components without abstractions: they have no part in the
// proof.
func (s *question) withoutPredicates() {
	c := s.comps[0]
	c.set, c.mp, c.ma, c.stale = nil, nil, nil, true
}

// certifyInduction writes out how many layers are assumed, and the invariants.
func (s certifying) certifyInduction(c *Certificate) {
	proof := s.induced
	c.Induction = &certificate.Induction{Assumed: proof.K, Order: s.points(s.layers.search.Order())}
	of, seen := certificate.Component{Name: s.comps[0].Name}, map[*expr.Expr]int{}
	spec := s.possible()
	for i, p := range proof.CutPoints {
		c.Induction.CutPoints = append(c.Induction.CutPoints, certificate.CutPoint{
			At: s.comps[0].point(p.Node), Spec: spec[p.Spec], Invariants: of.AddTerms(seen, proof.Invariants[i]...)})
	}
	c.Components = append(c.Components, of)
}

// possible are, for each state of the deterministic specification, the states that what a proof
// has to show may be in.
func (s *question) possible() [][]int {
	det, m := s.layers.spec, s.system.Proof
	sets := make([][]lts.State, det.NumStates())
	sets[det.Init()] = silently(m, []lts.State{m.Init()})
	for todo := []lts.State{det.Init()}; len(todo) > 0; todo = todo[1:] {
		for _, e := range det.Out(todo[0]) {
			if sets[e.To] != nil {
				continue
			}
			var next []lts.State
			for _, st := range sets[todo[0]] {
				for _, t := range m.OutBy(st, e.Action) {
					next = append(next, t.To)
				}
			}
			sets[e.To] = silently(m, next)
			todo = append(todo, e.To)
		}
	}
	all := make([][]int, len(sets))
	for i, set := range sets {
		for _, st := range set {
			all[i] = append(all[i], int(st))
		}
		slices.Sort(all[i])
	}
	return all
}
