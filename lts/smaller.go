package lts

// Smaller components for questions that are asked on the fly.
//
// Idea: an action of one LTS alone that the specification does not observe is τ to all others. With these
// hidden, each LTS is replaced by its quotient under a branching bisimulation, which no composition tells
// from it: weak simulation is kept, and with divergence told apart also what goes on for ever. Where the
// smaller ones have the property the others have it; where they do not, the others are searched, for a
// counterexample is one of them.
//
// Source: van Glabbeek, Weijland: Branching time and abstraction in bisimulation semantics (JACM 43, 1996); that the
// divergence-preserving one is kept by composition: van Glabbeek, Luttik, Trčka: Branching bisimilarity with explicit
// divergence (Fundamenta Informaticae 93, 2009). Cost: that of the quotients.

import (
	"context"
	"slices"
)

// quotientsFor are quotients of LTSs in a composition with a specification.
func quotientsFor(ctx context.Context, impl []*LTS, spec *LTS, r Relation) ([]*LTS, error) {
	small := make([]*LTS, len(impl))
	for i, m := range impl {
		var err error
		if small[i], err = Minimize(ctx, Hide(m, keptFor(i, impl, spec)), r, Limits{}); err != nil {
			return nil, err
		}
	}
	return small, nil
}

// keptFor are the actions of an LTS that others have too, or the specification.
func keptFor(i int, impl []*LTS, spec *LTS) []Action {
	return slices.DeleteFunc(slices.Clone(impl[i].alphabet), func(a Action) bool {
		return !spec.HasAction(a) && !slices.ContainsFunc(impl, func(n *LTS) bool { return n != impl[i] && n.HasAction(a) })
	})
}
