package lts

import (
	"context"

	"magus/internal/bitset"
)

// Idea: a specification that guesses makes sets of states, and these may be many, and large, where both sides
// are the same but for the numbers of their states. So when the search has taken as long as a quotient would,
// both sides are partitioned together by branching bisimulation. If they are bisimilar, they have the same
// weak traces; if not, the search goes on with the quotients. A trace of the quotient is one of what it was
// made from, where a path is found that performs it.
//
// The antichain of such a search would be one of other LTSs, so that none is looked for where it is asked for.
//
// Source: quotients before traces as in Roscoe, "The theory and practice of concurrency" (1997). Cost: that
// of Partition on both sides together, and as much again of the search.

// quotientEffort is the effort of a search, for each state and transition of both sides, after which
// quotients are made.
const quotientEffort = 16

// worthQuotients says whether quotients are to be tried.
func worthQuotients(p *product, spec *LTS, lim Limits) bool {
	return len(p.components) == 1 && !lim.Antichain && lim.Subsumption != AlwaysSubsumption && !spec.HasError() &&
		!isDeterministic(spec, false)
}

// containsQuotients is Contains for one component.
func containsQuotients(ctx context.Context, p *product, spec *LTS, lim Limits) (Result, error) {
	m := p.components[0]
	size := m.NumStates() + m.NumEdges() + spec.NumStates() + spec.NumEdges()
	return containsQuotientsAfter(ctx, p, spec, lim, quotientEffort*int64(size))
}

// containsQuotientsAfter makes quotients after so much effort.
func containsQuotientsAfter(ctx context.Context, p *product, spec *LTS, lim Limits, effort int64) (Result, error) {
	m := p.components[0]
	s := newSearch(p, spec, lim, false, nil)
	s.begin(ctx)
	if ended, err := s.goOn(effort); ended || err != nil {
		return s.result(), err
	}
	bisimilar, x, y, err := quotients(ctx, Hide(m, spec.alphabet), spec, BranchingBisim)
	if err != nil {
		return Result{Reason: "stopped before the search was complete"}, err
	}
	if bisimilar {
		return Result{Verdict: Holds, States: s.nodes.count, SpecSets: s.observer.count()}, nil
	}
	small, err := newProduct([]*LTS{x})
	if err != nil {
		return Result{Reason: err.Error()}, err
	}
	lim.Visited = false
	r, err := searched(ctx, small, y, lim, false)
	if r.Counterexample != nil {
		r.Counterexample = performing(m, r.Counterexample, spec)
	}
	for i, x := range r.Others {
		r.Others[i] = performing(m, x, spec)
	}
	return r, err
}

// performing is a run of m with the trace of another one, where spec observes its actions.
func performing(m *LTS, x *Counterexample, spec *LTS) *Counterexample {
	hidden := bitset.New[Action](int(lastVisible(m)) + 1)
	for _, a := range m.alphabet {
		if !spec.HasAction(a) {
			hidden.Add(a)
		}
	}
	path, ok := pathOf(m, x.Trace(), hidden)
	if !ok {
		panic("lts: a quotient has a trace that it had not before")
	}
	return &Counterexample{Steps: stepsOf(0, m.init, path)}
}
