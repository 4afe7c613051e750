// Package recurrence finds sets of states from which a round can be made for ever.
//
//	set, err := recurrence.Set(ctx, pool, check, guard, next, values)
//
// For example, while (n != 0) n -= 2 goes round for ever from each odd n.
//
// Idea: a round that chooses nothing is a function of what it rests on. From each state of the set the round can be
// made, and leads back into the set. Candidates are conditions that hold in a state that is given: those of the round,
// the values of variables and of their last bits, and how they compare. Those that the round breaks are left out until
// it breaks none.
//
// Source: Gupta, Henzinger, Majumdar, Rybalchenko, Xu: Proving non-termination (POPL 2008); Houdini: Flanagan, Leino
// (FME 2001). Cost: as many queries as the square of the candidates at most.
//
// Left out: rounds that choose; those of which several are one way round.
package recurrence

import (
	"context"
	"slices"

	"magus/smt/expr"
	"magus/smt/solver"
)

// lastBits is how many last bits of a variable are looked at.
const lastBits = 3

// A Check asks whether conditions hold together.
type Check func(ctx context.Context, conds ...*expr.Expr) (solver.Result, error)

// Set is a set of states that has one with some values, as conditions; nil if none was found. A round has guard, and
// variables have their values in next behind it; those that it does not have stay. Both speak of the variables of
// values alone.
func Set(ctx context.Context, p *expr.Pool, check Check, guard []*expr.Expr, next, values map[*expr.Expr]*expr.Expr) (
	[]*expr.Expr, error) {
	set := candidates(p, guard, values)
	for len(set) > 0 {
		answer, err := check(ctx, append(slices.Clone(set), p.Not(p.Land(guard...)))...)
		if err != nil || answer != solver.Unsat {
			return nil, err
		}
		var left []*expr.Expr
		for _, c := range set {
			answer, err := check(ctx, append(slices.Clone(set), p.Not(p.Subst(c, next)))...)
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

// Constant is a constant of a type.
func Constant(p *expr.Pool, t expr.Type, bits uint64) *expr.Expr {
	if t.IsBool() {
		return p.Bool(bits == 1)
	}
	return p.Const(t, bits)
}

// candidates are conditions that hold of some values.
func candidates(p *expr.Pool, guard []*expr.Expr, values map[*expr.Expr]*expr.Expr) (all []*expr.Expr) {
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
