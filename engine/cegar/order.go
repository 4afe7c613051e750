package cegar

// The order in which products are searched, and how long counterexamples become
// short again.
//
// Idea: breadth first, a counterexample is as short as can be, and short ones are
// easily refuted and easily read. But where components run side by side, a
// spurious counterexample may lie behind exponentially many states that have
// nothing to do with it, and any counterexample would do for the refinement. So
// compositions are searched breadth first up to a number of pairs, and depth first
// if there is no answer by then. A violation that was found depth first is not
// reported as it is: one more search breadth first, with more pairs, looks for a
// shortest trace in the abstractions as they are by then. If the components have
// that one, it is what is reported, and it is a shortest violation, for the
// abstractions have all traces of the components. Otherwise the violation is
// reported as found, and said to be perhaps longer than necessary.
//
// A single component is searched breadth first: its abstraction is built anyway.
//
// Cost: at most breadthPairs pairs more in each iteration, and shortenPairs at the end.

import (
	"cmp"
	"context"
	"slices"

	"magus/lts"
)

// A SearchOrder says how products are searched.
type SearchOrder int

// AutoOrder is the zero value.
const (
	AutoOrder    SearchOrder = iota // breadth first, and where that takes many pairs, depth first
	BreadthFirst                    // shortest counterexamples
	DepthFirst                      // any counterexample
)

// Bounds on pairs of states of the product and of the specification.
const (
	breadthPairs = 1 << 13 // with AutoOrder, before the search goes on depth first
	shortenPairs = 1 << 18 // for a shortest trace in place of a violation found depth first
)

// contains searches a product in the order of the options. deep says that a
// counterexample was found depth first.
func (s *state) contains(ctx context.Context, impl []*lts.LTS, spec *lts.LTS) (r lts.Result, deep bool, err error) {
	lim := lts.Limits{MaxStates: s.maxStates(s.opt), Reduce: s.opt.Compositional, Visited: len(s.comps) > 1 &&
		s.system.Single(),
		PartialOrder: !s.opt.Compositional && !s.opt.AllOrders}
	deep = s.opt.Search == DepthFirst
	pairs := cmp.Or(s.opt.BreadthPairs, breadthPairs)
	if s.opt.Search == AutoOrder && len(impl) > 1 && !lim.Reduce && (lim.MaxStates == 0 || lim.MaxStates > pairs) {
		few := lim
		few.MaxStates = pairs
		r, err := lts.Contains(ctx, impl, spec, few)
		if err != nil || r.Verdict != lts.Unknown {
			return r, false, err
		}
		deep = true
	}
	if deep {
		lim.Order = lts.DepthFirst
	}
	r, err = lts.Contains(ctx, impl, spec, lim)
	return r, deep, err
}

// shorten takes a shortest trace instead of a violation that was found depth
// first and replayed, if there is one that every component has. Then it holds that
// trace's counterexample, paths and executions, and the result is true.
func (s *task) shorten(ctx context.Context) (bool, error) {
	x, err := s.shortest(ctx)
	if x == nil {
		return false, err
	}
	before := s.state
	s.cex, s.trace = x, x.Trace()
	spurious, err := s.shortened(ctx)
	if err != nil || spurious {
		s.state = before
		return false, err
	}
	return true, nil
}

// shortest is a shortest counterexample of the abstractions; nil if none is found.
func (s *state) shortest(ctx context.Context) (*cex, error) {
	if s.cex.stands > 0 {
		copies := make([]int, len(s.comps))
		for _, c := range s.cex.copies {
			copies[c.Component]++
		}
		r, err := s.standstillOf(ctx, copies, lts.Limits{MaxStates: shortenPairs}, s.opt.AllOrders)
		if err != nil || r.Verdict != lts.Fails {
			return nil, err
		}
		return s.stuckAt(r.Counterexample, copies, false), nil
	}
	impl, spec, original := s.product()
	r, err := lts.Contains(ctx, impl, spec, lts.Limits{MaxStates: shortenPairs, PartialOrder: !s.opt.AllOrders})
	if err != nil || r.Verdict != lts.Fails {
		return nil, err
	}
	return &cex{Counterexample: original(r.Counterexample), copies: s.system.Written(s.system.Copies)}, nil
}

// shortened reports whether a component lacks its part of the counterexample, or
// comes to a call that is not followed on it. It
// finds the paths and their executions as the phases do, and refines nothing.
func (s *task) shortened(ctx context.Context) (spurious bool, err error) {
	if s.project() != nil {
		return true, nil
	}
	if err := s.takePaths(ctx); err != nil {
		return false, err
	}
	for _, t := range s.taken {
		if !t.feasible.Feasible {
			return true, nil
		}
	}
	return slices.ContainsFunc(s.trace, s.system.IsCut), nil
}
