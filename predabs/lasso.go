package predabs

// Feasibility of a lasso.
//
// Idea: what a component does round by round for ever rests on some variables where the rounds begin: those that the
// conditions of a round speak of, and what these are computed from, until there are no more. If these have
// the same values after some rounds, with some choices, the same choices can be made again and again. So one
// condition more on the path: that each of them is what it was.
//
// Source: recurrent states as in Biere, Artho, Schuppan: Liveness checking as safety checking (2002), on one path.
// Deviation: only variables that matter have to come back. What is read from memory without variables matters
// and has no name, so a lasso with such reads is not decided.
//
// Cost: that of the path, one query more.

import (
	"context"
	"maps"
	"slices"

	"magus/component"
	"magus/smt/expr"
	"magus/smt/solver"
)

// FeasibleLasso looks for a run along a path such that the steps from number head on can be repeated for
// ever; nil if none was found.
func (x *Abstraction) FeasibleLasso(ctx context.Context, p Path, head int) (*component.Execution, error) {
	f := x.feasibility
	steps := x.Steps(p)
	path := x.Graph.Program(steps)
	at := len(x.Graph.Program(steps[:head]))
	g := x.Graph.Base()
	matter, ok := g.Lasting(path[at:])
	if !ok {
		return nil, nil
	}
	t := f.trace(path, nil)
	s := x.feasibility.symbolic()
	var before map[*expr.Expr]*expr.Expr
	for i, id := range path {
		if i == at {
			before = maps.Clone(s.env)
		}
		s.take(&g.Edges[id])
	}
	conds := slices.Clone(t.conds)
	for _, v := range matter {
		was, is := before[v], s.env[v]
		if was == nil {
			was = v
		}
		if is == nil {
			is = v
		}
		if eq := x.pool.Eq(was, is); !eq.IsTrue() {
			conds = append(conds, eq)
		}
	}
	answer, err := f.check(ctx, conds...)
	if err != nil || answer == solver.Unsat {
		return nil, err
	}
	all, err := f.settle(ctx, conds, t.kept)
	if err != nil {
		return nil, err
	}
	if all, err = f.memory.remember(ctx, all, t.memory); err != nil {
		return nil, err
	}
	return f.run(t, all), nil
}
