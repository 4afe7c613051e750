package cegar

// Deadlocks of the composition, and what it refuses.
//
// Idea: the components say by actions where they stand still (package component), so what the loop does with a
// counterexample of traces it does with one that ends in such actions: project it, look for it in MP_i and in C_i,
// refine. Only the search is another one. Of any number of copies it counts how many are where, which decides most;
// where it does not, few copies are written out: a deadlock of some copies is one, and where there is none with few
// nothing is known. What any number of copies refuses is looked for likewise.
//
// A cut ends a component where recursion is not followed. No violation goes over a cut or a skip; a proof has to
// hold over skips, and to show besides that there are no cuts (component.System).
//
// Source: Chaki, Clarke, Ouaknine, Sharygina: Automated, compositional and iterative deadlock detection (MEMOCODE
// 2004). Deviations: see package lts.
//
// Cost: that of the search in package lts.

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"magus/component"
	"magus/lts"
	"magus/specs"
)

// mostCopies is how many copies are looked at where their number is not given.
const mostCopies = 3

// standstill looks for a deadlock of the composition, or for what it refuses and the specification must offer; over
// skips only where a proof is looked for.
func (s *state) standstill(ctx context.Context) (answer, error) {
	a := answer{verdict: lts.Unknown}
	what, why := "deadlock", ""
	if !s.asksDeadlock() {
		what = "refusal"
	}
	if _, given := s.written(1); !given {
		any, err := s.standstillOfAny(ctx)
		if err != nil || any.verdict != lts.Unknown {
			return any, err
		}
		a.states, why = any.states, "; "+any.reason
	}
	for n := 1; ; n++ {
		copies, given := s.written(n)
		r, deep, err := s.standstillInOrder(ctx, copies)
		if err != nil {
			return answer{}, err
		}
		a.verdict, a.reason, a.states = r.Verdict, r.Reason, a.states+r.States
		switch {
		case r.Verdict == lts.Fails:
			a.cex = s.stuckAt(r.Counterexample, copies, deep)
			return a, nil
		case r.Verdict == lts.Unknown || given:
			return a, nil
		case n == mostCopies:
			a.verdict, a.reason = lts.Unknown, fmt.Sprintf(
				"no %s of up to %d copies of each component; whether there is one of more is not decided%s", what, n, why)
			return a, nil
		}
	}
}

// standstillOfAny looks for a deadlock, or a refusal, of any number of copies by counting.
func (s *state) standstillOfAny(ctx context.Context) (answer, error) {
	r, err := s.countStanding(ctx, s.implementation())
	if err != nil {
		return answer{}, err
	}
	a := answer{verdict: r.Verdict, reason: r.Reason, composition: composition{states: r.States, bounds: r.Told}}
	if r.Verdict == lts.Fails {
		a.cex = s.stuckAt(r.Counterexample, r.Copies, false)
	}
	return a, nil
}

// countStanding counts how many copies are where.
func (s *state) countStanding(ctx context.Context, models []*lts.LTS) (lts.AnyResult, error) {
	standing, passed := s.standing()
	lim := lts.Limits{MaxStates: cmp.Or(s.maxStates(s.opt), mostCounted)}
	if s.asksDeadlock() {
		return lts.DeadlockFreeAny(ctx, models, s.system.Copies, standing, passed, lim)
	}
	return lts.FailuresAny(ctx, models, s.system.Copies, standing, passed, s.spec, s.system.Alike, lim)
}

// mostCounted bounds the sets of states of any number of copies that are looked at.
const mostCounted = 1 << 17

// standing are the actions by which components say where they stand, and those that are passed.
func (s *state) standing() (standing []map[lts.Action]lts.Standing, passed []lts.Action) {
	for _, c := range s.comps {
		standing = append(standing, c.abs.Graph.Standing())
		passed = append(passed, c.Cut)
		if s.against == s.system.Certain {
			passed = append(passed, c.Skip)
		}
	}
	passed = slices.DeleteFunc(passed, func(a lts.Action) bool { return a == lts.Tau }) // there is none
	return standing, passed
}

// stuckAt is a counterexample that ends in a deadlock of some copies.
func (s *state) stuckAt(x *lts.Counterexample, copies []int, deep bool) *cex {
	out := &cex{Counterexample: x, copies: s.system.Written(copies), deep: deep}
	out.stands = len(out.copies)
	return out
}

// standstillInOrder looks at some copies in the order of the options, as contains does. deep says that it
// was found depth first.
func (s *state) standstillInOrder(ctx context.Context, copies []int) (r lts.StandingResult, deep bool, err error) {
	lim := lts.Limits{MaxStates: s.maxStates(s.opt)}
	tuples := cmp.Or(s.opt.BreadthPairs, breadthPairs)
	if deep = s.opt.Search == DepthFirst; s.opt.Search == AutoOrder && (lim.MaxStates == 0 || lim.MaxStates > tuples) {
		r, err := s.standstillOf(ctx, copies, lts.Limits{MaxStates: tuples}, s.opt.AllOrders)
		if err != nil || r.Verdict != lts.Unknown {
			return r, false, err
		}
		deep = true
	}
	if deep {
		lim.Order = lts.DepthFirst
	}
	r, err = s.standstillOf(ctx, copies, lim, s.opt.AllOrders)
	return r, deep, err
}

// written are the numbers of copies, n for those that are not given; given says that all are.
func (s *state) written(n int) (copies []int, given bool) {
	given = true
	for _, k := range s.system.Copies {
		if k == specs.AnyNumber {
			k, given = n, false
		}
		copies = append(copies, k)
	}
	return copies, given
}

// standstillOf looks at some copies, in few orders of their steps or in all.
func (s *state) standstillOf(ctx context.Context, copies []int, lim lts.Limits, allOrders bool) (
	lts.StandingResult, error) {
	standing, passed := s.standing()
	w := lts.Copy(s.implementation(), copies, s.against)
	lim.PartialOrder = !allOrders
	var r lts.StandingResult
	var err error
	if s.asksDeadlock() {
		r, err = lts.DeadlockFree(ctx, w.Impl, w.Standing(standing), w.Variants(passed), lim)
	} else {
		r, err = lts.Failures(ctx, w.Impl, w.Standing(standing), w.Variants(passed), s.spec, w.Original, s.system.Alike, lim)
	}
	if r.Counterexample != nil {
		r.Counterexample = w.Counterexample(r.Counterexample)
	}
	return r, err
}

// asksDeadlock reports whether the claim is that components do not wait for each other for ever.
func (s *question) asksDeadlock() bool { return s.claim.Question == component.NoDeadlock }
