package cegar

// Induction beside the loop.
//
// Idea: after each share of the bounded search, which looks for a violation, an induction over the same
// layers (package bounded) has one to look for a proof. It follows from few facts about where loops
// close, where the loop would need a predicate for each value that a variable takes. Where the loop itself
// is at its end, for want of predicates, the two go on until they have made a last effort.
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

// lastEffort is made, in the loop's terms, where the loop itself is at its end.
const lastEffort = 1 << 26

// inductive reports whether an induction has a share after the bounded search.
func (s *state) inductive() bool {
	return s.opt.Engine.methods().induction && s.falsifiable() && !s.uninductive
}

// induct gives the induction a share: it may have made as much as the loop in all.
func (s *Session) induct(ctx context.Context) (Event, result, error) {
	induction, err := s.inductionOver(ctx)
	if err != nil {
		return nil, "", err
	}
	did, err := induction.upTo(ctx, portfolio.Effort(s.effort))
	if err != nil {
		return nil, "", err
	}
	s.inducted(did.made)
	if e, proved := did.event.(portfolio.Ended[bounded.Finding]); proved {
		if s.covered, err = s.layers.induction.Taken(ctx, min(coverEffort, s.effort)); err != nil {
			return nil, "", err
		}
		s.induced, s.shares.by = e.Outcome.Proof, e.Outcome.By
		s.withoutPredicates()
		return s.conforms(notLooked), ended, nil
	}
	_, s.uninductive = did.event.(portfolio.GaveUp[bounded.Finding])
	return s.goOn(Induced{Over: s.uninductive})
}

// inducted notes what effort the two means of the induction have made with a share.
func (s *state) inducted(made [2]int64) {
	if s.opt.Engine.methods().means == bounded.PropertyDirected {
		made = [2]int64{0, made[0] + made[1]}
	}
	for i, method := range []int{kinductionMethod, directedMethod} {
		if made[i] > 0 {
			s.shares.had(method, portfolio.Effort(made[i]), made[i])
		}
	}
}

// withoutPredicates leaves the components without abstractions: they have no part in the
// proof.
func (s *question) withoutPredicates() {
	c := s.comps[0]
	c.set, c.mp, c.ma, c.stale = nil, nil, nil, true
}

// certifyInduction writes out how many layers are assumed, and the invariants.
func (s *state) certifyInduction(c *Certificate) {
	proof := s.induced
	c.Induction = &certificate.Induction{Assumed: proof.K, Order: s.points(s.layers.search.Order())}
	of, seen := certificate.Component{Name: s.comps[0].Name}, map[*expr.Expr]int{}
	spec := s.possible()
	for i, p := range proof.Places {
		c.Induction.Places = append(c.Induction.Places, certificate.Place{
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
