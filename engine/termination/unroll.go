package termination

// All runs, searched to their ends: by one formula for the runs that close few loops (package bounded), or by executing
// them, where what is chosen has few values.
//
// Cost: the effort that the search is given; the states that are executed.

import (
	"context"
	"errors"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/engine/bounded"
	"magus/evidence/certificate"
	"magus/internal/graph"
	"magus/lts"
	"magus/smt/expr"
)

// Bounds of what is tried.
const (
	unrollEffort = 8_000_000 // propagations
	mostExecuted = 300_000   // states
	widestChoice = 8         // bits
)

// unroll searches all runs.
func (s *Session) unroll(ctx context.Context) (string, error) {
	q := s.asked
	if len(q.ranking.left) == 0 && q.cutOff == nil {
		return "", nil
	}
	spec, err := lts.Determinize(ctx, q.system.Proof, lts.Limits{})
	if err != nil {
		return "", err
	}
	search, err := bounded.New(ctx, q.graph, spec)
	if err != nil {
		return "", err
	}
	a, err := search.Deepen(ctx, unrollEffort, 0)
	if err != nil {
		return "", err
	}
	if a.Path == nil && a.Ended && !a.Cut {
		q.unrolled = &certificate.Unrolled{Layers: a.Depth, Order: q.points(search.Order())}
		s.proved(ctx)
	}
	return "unrolled: " + a.String(), nil
}

// execute follows all runs of a component that chooses among few values.
func (s *Session) execute(ctx context.Context) (string, error) {
	q := s.asked
	c := q.comp.CFA
	if len(q.comp.Calls) > 0 || q.comp.Guard != nil || q.cutOff != nil {
		return "", nil
	}
	wide := false
	g, err := interp.New(c).Explore(ctx, func(v *expr.Expr) []uint64 {
		w := v.Type().Width
		if w > widestChoice {
			wide = true
			return nil
		}
		all := make([]uint64, max(2, 1<<w))
		for i := range all {
			all[i] = uint64(i)
		}
		return all
	}, nil, mostExecuted)
	switch {
	case errors.Is(err, interp.ErrLimit):
		return "too many states to execute all runs", nil
	case err != nil:
		return "", err
	case wide:
		return "", nil
	}
	for _, n := range g.Nodes {
		if a, ok := c.Locs[n.State.Loc()].Stmt.(cfa.Assign); ok && a.Memory != nil {
			return "", nil // what memory holds is no part of these states
		}
	}
	states := graph.Func{Nodes: len(g.Nodes), Succ: func(n int, yield func(int)) {
		for _, e := range g.Edges[n] {
			yield(e.To)
		}
	}}
	for _, on := range graph.SCC(states).OnCycle(states) {
		if on {
			return "some runs do not end, of those that were executed", nil
		}
	}
	s.provedUnshown("all runs were executed, of which there is no certificate")
	return "", nil
}
