package predabs

// Recurrence sets of a lasso.
//
// Idea: a run along the path gives the values with which the first round begins; package recurrence looks for a set
// that has them.
//
// Cost: that of the path, and of the set.

import (
	"context"
	"slices"

	"magus/component"
	"magus/smt/expr"
	"magus/smt/recurrence"
	"magus/smt/solver"
)

// Recurrence looks for a run along a path that ends in two rounds, which begin at step number head, and for a
// set of states of which there is one where they begin, and from each of which there is one round more; nil if none
// was found.
func (x *Abstraction) Recurrence(ctx context.Context, p Path, head int) (*component.Execution, []*expr.Expr, error) {
	steps := x.Steps(p)
	path := x.Graph.Program(steps)
	at := len(x.Graph.Program(steps[:head]))
	round := path[at : at+(len(path)-at)/2]
	if !slices.Equal(path[at+len(round):], round) {
		return nil, nil, nil
	}
	matter, ok := x.Graph.Base().Lasting(round)
	if !ok {
		return nil, nil, nil
	}
	guard, next := x.around(round)
	for _, t := range append(slices.Clone(guard), next.of(matter)...) {
		if slices.ContainsFunc(expr.Vars(t), func(v *expr.Expr) bool { return !slices.Contains(matter, v) }) {
			return nil, nil, nil // something is chosen
		}
	}
	run, values, err := x.begins(ctx, path, at, matter)
	if err != nil || run == nil {
		return nil, nil, err
	}
	set, err := recurrence.Set(ctx, x.pool, x.feasibility.check, guard, next, values)
	if set == nil {
		run = nil
	}
	return run, set, err
}

// A way gives variables their values behind it.
type way map[*expr.Expr]*expr.Expr

func (w way) of(vars []*expr.Expr) (all []*expr.Expr) {
	for _, v := range vars {
		if t := w[v]; t != nil {
			all = append(all, t)
		} else {
			all = append(all, v)
		}
	}
	return all
}

// around is a round as conditions and values over what is before it.
func (x *Abstraction) around(round []int32) (guard []*expr.Expr, next way) {
	s := x.feasibility.symbolic()
	for _, id := range round {
		for _, g := range s.take(&x.Graph.Base().Edges[id]) {
			if !g.IsTrue() {
				guard = append(guard, g)
			}
		}
	}
	return guard, s.env
}

// begins finds a run along a path, and the values that variables have before the edge of a number.
func (x *Abstraction) begins(ctx context.Context, path []int32, at int, vars []*expr.Expr) (
	*component.Execution, way, error) {
	f := x.feasibility
	t := f.trace(path, nil)
	s := f.symbolic()
	for _, id := range path[:at] {
		s.take(&x.Graph.Base().Edges[id])
	}
	conds, there := slices.Clone(t.conds), []*expr.Expr{}
	for i, now := range way(s.env).of(vars) {
		there = append(there, x.pool.Var("at the first round "+vars[i].Name(), now.Type()))
		conds = append(conds, x.pool.Eq(there[i], now))
	}
	answer, err := f.check(ctx, conds...)
	if err != nil || answer == solver.Unsat {
		return nil, nil, err
	}
	all, err := f.settle(ctx, conds, t.kept)
	if err != nil {
		return nil, nil, err
	}
	if all, err = f.memory.remember(ctx, all, t.memory); err != nil {
		return nil, nil, err
	}
	values, own := way{}, map[*expr.Expr]bool{}
	for i, v := range vars {
		values[v], own[there[i]] = recurrence.Constant(x.pool, v.Type(), f.solver.Value(there[i])), true
	}
	return f.runOf(t, all, own), values, nil
}
