package cegar

// Induction beside the loop.
//
// Idea: after each turn of the bounded search, which looks for a violation, an induction over the same
// layers (package bounded) has one to look for a proof. It follows from few facts about where loops
// close, where the loop would need a predicate for each value that a variable takes. Where the loop itself
// is at its end, for want of predicates, the two go on until they have made a last effort.
//
// Source: package bounded has those of the method. Cost: the same as the loop's.

import (
	"context"
	"slices"

	"magus/engine/bounded"
	"magus/engine/invariants"
	"magus/evidence/certificate"
	"magus/lts"
	"magus/smt/expr"
)

// lastEffort is made, in the loop's terms, where the loop itself is at its end.
const lastEffort = 1 << 26

// An induced is the answer of a turn.
type induced struct {
	proof *bounded.Proof
	over  bool
}

// inductive reports whether an induction has a turn after the bounded search.
func (s *Session) inductive() bool {
	return s.opt.Engine != BoundedEngine && s.falsifiable() && !s.uninductive
}

// induct gives the induction a turn.
func (s *Session) induct(ctx context.Context) (Event, result, error) {
	a, err := s.attemptInduction(ctx)
	if err != nil {
		return nil, "", err
	}
	if a.proof != nil {
		if s.covered, err = s.falsifier.induction.Taken(ctx, min(coverEffort, s.inductionEffort())); err != nil {
			return nil, "", err
		}
		s.induced = a.proof
		s.withoutPredicates()
		return s.conforms(notLooked), ended, nil
	}
	s.uninductive = a.over
	return s.goOn(Induced{Over: a.over})
}

// attemptInduction is the answer of the induction for its part of the effort.
func (s *Session) attemptInduction(ctx context.Context) (induced, error) {
	f := s.falsifier
	if f.induction == nil {
		g := s.comps[0].program()
		found, err := invariants.Bounds(ctx, g, f.search.Order())
		if err != nil {
			return induced{}, err
		}
		if f.induction, err = bounded.NewInduction(ctx, g, f.spec, found); err != nil {
			return induced{}, err
		}
		if s.opt.Product != nil {
			f.induction.Interleaves()
		}
		f.induced = map[int64]induced{}
	}
	a, known := f.induced[s.effort]
	if known {
		return a, nil
	}
	proof, over, err := f.induction.Prove(ctx, s.inductionEffort())
	a = induced{proof, over}
	if err == nil {
		f.induced[s.effort] = a
	}
	return a, err
}

// inductionEffort is what the induction may have done after its turn: as much as the loop has.
func (s *Session) inductionEffort() int64 { return s.effort }

// withoutPredicates leaves the components without abstractions: they have no part in the
// proof.
func (s *Session) withoutPredicates() {
	c := s.comps[0]
	c.set, c.mp, c.ma, c.stale = nil, nil, nil, true
}

// certifyInduction writes out how many layers are assumed, and the invariants.
func (s *Session) certifyInduction(c *Certificate) {
	proof := s.induced
	c.Induction = &certificate.Induction{Assumed: proof.K, Order: s.points(s.falsifier.search.Order())}
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
func (s *Session) possible() [][]int {
	det, m := s.falsifier.spec, s.system.Proof
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
