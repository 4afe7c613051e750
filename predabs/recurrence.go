package predabs

// Recurrence sets of a lasso.
//
// Idea: a round that chooses nothing is a function of what it rests on. A set of states from each of which the round
// can be made, and leads back into the set, goes on for ever from a state of the set, also where no state comes
// again for long: while (n != 0) n -= 2 does from each odd n. Candidates are conditions that hold in the state that a
// run has at its first round: of the conditions of the round, the values of variables and of their last bits, and signs.
// Those that the round breaks are left out until it breaks none.
//
// Source: Gupta, Henzinger, Majumdar, Rybalchenko, Xu: Proving non-termination (POPL 2008); Houdini: Flanagan, Leino
// (FME 2001). Cost: as many queries as there are candidates at most.

import (
	"context"
	"slices"

	"magus/component"
	"magus/smt/expr"
	"magus/smt/solver"
)

// lastBits is how many last bits of a variable are looked at.
const lastBits = 3

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
	set, err := x.closed(ctx, guard, next, x.candidates(guard, values))
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
		values[v], own[there[i]] = x.constant(v.Type(), f.solver.Value(there[i])), true
	}
	return f.runOf(t, all, own), values, nil
}

// constant is a constant of a type.
func (x *Abstraction) constant(t expr.Type, bits uint64) *expr.Expr {
	if t.IsBool() {
		return x.pool.Bool(bits == 1)
	}
	return x.pool.Const(t, bits)
}

// candidates are conditions that hold of some values.
func (x *Abstraction) candidates(guard []*expr.Expr, values way) (all []*expr.Expr) {
	p := x.pool
	add := func(c *expr.Expr) {
		if p.Subst(c, values).IsTrue() && !c.IsTrue() && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	for _, g := range guard {
		add(g)
	}
	var vars []*expr.Expr
	for v := range values {
		vars = append(vars, v)
	}
	slices.SortFunc(vars, func(a, b *expr.Expr) int { return a.ID() - b.ID() })
	for _, v := range vars {
		add(p.Eq(v, values[v]))
		t := v.Type()
		if t.IsBool() || t.IsFloat() {
			continue
		}
		for k := range lastBits {
			bits := p.Const(t, 1<<(k+1)-1)
			add(p.Eq(p.And(v, bits), p.And(values[v], bits)))
		}
		for _, w := range append(slices.Clip(vars), p.Const(t, 0)) {
			if w.Type() == t && w != v {
				add(p.Lt(v, w))
				add(p.Lt(w, v))
				add(p.Not(p.Lt(v, w)))
			}
		}
	}
	return all
}

// closed leaves out candidates until a round leads from the rest back to it, if the round can be made from there; else
// nil.
func (x *Abstraction) closed(ctx context.Context, guard []*expr.Expr, next way, set []*expr.Expr) ([]*expr.Expr, error) {
	p, f := x.pool, x.feasibility
	for len(set) > 0 {
		answer, err := f.check(ctx, append(slices.Clone(set), p.Not(p.Land(guard...)))...)
		if err != nil || answer != solver.Unsat {
			return nil, err
		}
		var left []*expr.Expr
		for _, c := range set {
			answer, err := f.check(ctx, append(slices.Clone(set), p.Not(p.Subst(c, next)))...)
			if err != nil {
				return nil, err
			}
			if answer == solver.Unsat {
				left = append(left, c)
			}
		}
		if len(left) == len(set) {
			return set, nil
		}
		set = left
	}
	return nil, nil
}
