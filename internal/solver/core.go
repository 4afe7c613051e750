package solver

import (
	"context"
	"errors"
	"slices"

	"magus/internal/expr"
)

// Minimal cores by deletion.
//
// Idea: leave out one assumption after the other and keep out what is not
// needed; where the solver is a [Corer] its cores shorten the list further.
// Source: Chinneck, Dravnieks (1991), the deletion filter. Cost: one Check for
// each assumption of the first core.

// ErrSatisfiable says that there is no core, for the query is satisfiable.
var ErrSatisfiable = errors.New("the query is satisfiable")

// MinimalCore names assumptions (increasing indices) that contradict each
// other and the asserted conditions, while no proper subset of them does. The
// error is [ErrSatisfiable], or that of a Check that was Unknown; then a core
// that is not minimal may be known and is returned beside it.
func MinimalCore(ctx context.Context, s Solver, assumptions []*expr.Expr) ([]int, error) {
	core := make([]int, len(assumptions))
	for i := range core {
		core[i] = i
	}
	core, r, err := shrink(ctx, s, assumptions, core)
	switch {
	case r == Sat:
		return nil, ErrSatisfiable
	case err != nil:
		return nil, err
	}
	for i := 0; i < len(core); {
		without := slices.Delete(slices.Clone(core), i, i+1)
		smaller, r, err := shrink(ctx, s, assumptions, without)
		switch {
		case err != nil:
			return core, err
		case r == Sat:
			i++ // needed, and in every core of those left
		default:
			core = smaller
		}
	}
	return core, nil
}

// shrink checks the assumptions with the given indices and returns those in
// the solver's core.
func shrink(ctx context.Context, s Solver, assumptions []*expr.Expr, idx []int) ([]int, Result, error) {
	fs := make([]*expr.Expr, len(idx))
	for i, k := range idx {
		fs[i] = assumptions[k]
	}
	r, err := s.Check(ctx, fs...)
	c, ok := s.(Corer)
	if r != Unsat || !ok {
		return idx, r, err
	}
	var core []int
	for _, i := range c.Core() {
		core = append(core, idx[i])
	}
	return core, r, nil
}
