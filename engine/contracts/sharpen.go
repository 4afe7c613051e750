package contracts

// Questions about a segment.
//
// Idea: mostly all that is assumed is asked with what has to follow. If that takes long, equations are put in: where
// the conditions of the path exclude the cases in which a callee's contract says nothing of a variable, the
// variable is replaced by the term. What is left is often the same term on both sides.
//
// Cost: a small query for each equation of each call.

import (
	"context"
	"errors"
	"slices"

	"magus/smt/expr"
	"magus/smt/solver"
)

// follows asks whether a candidate may be wrong at the end of a segment; nil asks whether its end is possible.
func (x *Search) follows(ctx context.Context, s *segment, assumed []*expr.Expr, c *Condition) (solver.Result, error) {
	var not []*expr.Expr
	if c != nil {
		not = conjuncts(x.pool.Not(x.atEnd(s, c.Expr)))
	}
	r, err := x.ask(ctx, easyQuery, append(slices.Clip(assumed), not...)...)
	if !errors.Is(err, solver.ErrHard) {
		return r, err
	}
	if r, err := x.sharpened(ctx, s, not); err != nil && !errors.Is(err, solver.ErrHard) || r == solver.Unsat {
		return r, err
	}
	return x.ask(ctx, hardestQuery, append(slices.Clip(assumed), not...)...)
}

// conjuncts are the parts of a conjunction.
func conjuncts(c *expr.Expr) []*expr.Expr {
	if c.Op() == expr.Land {
		return c.Args()
	}
	return []*expr.Expr{c}
}

// sharpened asks with equations put in, and without what is assumed of calls otherwise: Unsat is an answer, Sat none.
func (x *Search) sharpened(ctx context.Context, s *segment, not []*expr.Expr) (solver.Result, error) {
	known := append(x.before(s), not...)
	by := map[*expr.Expr]*expr.Expr{}
	for _, call := range s.calls {
		before, after := x.in(s, call.before), x.in(s, call.after)
		for _, c := range x.candidates[Point{call.callee, Exit, 0}] {
			if c.now == nil {
				continue
			}
			v := after(x.of[c.now])
			if v.Op() != expr.Var || by[v] != nil {
				continue
			}
			unless := x.pool.Subst(x.at(c.unless, before, after), by)
			now := slices.Clone(known)
			x.pool.SubstAll(now, by)
			r, err := x.ask(ctx, easyQuery, append(now, unless)...)
			if err != nil && !errors.Is(err, solver.ErrHard) {
				return r, err
			}
			if err == nil && r == solver.Unsat {
				by[v] = x.pool.Subst(x.at(c.term, before, after), by)
			}
		}
	}
	x.pool.SubstAll(known, by)
	return x.ask(ctx, hardestQuery, known...)
}
