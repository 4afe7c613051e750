package termination

// What holds whenever a run comes to a head.
//
// Idea: candidates are guessed: conditions of the program, comparisons of variables with each other and with
// constants of the program, parities, and what an interval analysis finds. Those that a run has
// broken are dropped, then those that are not shown by the others on some step, until all are (Houdini).
//
// Source: Flanagan, Leino: Houdini, an annotation assistant for ESC/Java, FME 2001. Deviation: a model drops all
// candidates that it breaks.
//
// Cost: a query for each step and each time that it is looked at again; at most as many as there are candidates.

import (
	"context"
	"slices"

	"magus/component"
	"magus/engine/invariants"
	"magus/smt/expr"
	"magus/smt/solver"
)

// Bounds of what is guessed.
const (
	mostPairs     = 400 // of variables that are compared
	mostConstants = 24
	mostPerHead   = 3000
)

// invariant has conditions by head; of the start there are none.
type invariant map[component.Node][]*expr.Expr

// guess are candidates for all heads.
func (r *relation) guess(ctx context.Context, vars []*expr.Expr) (invariant, error) {
	bounds, err := invariants.Bounds(ctx, r.g, r.order)
	if err != nil {
		return nil, err
	}
	common := r.comparisons(vars)
	inv := invariant{}
	for _, h := range r.heads {
		all := slices.Concat(bounds[h], common)
		seen := map[*expr.Expr]bool{}
		for _, c := range all {
			if !seen[c] && !c.IsTrue() && !c.IsFalse() && len(inv[h]) < mostPerHead {
				seen[c] = true
				inv[h] = append(inv[h], c)
			}
		}
	}
	return inv, nil
}

// comparisons are candidates that speak of some variables.
func (r *relation) comparisons(vars []*expr.Expr) []*expr.Expr {
	p := r.pool
	var all []*expr.Expr
	atoms, constants := r.conditions(vars)
	vars = integers(vars)
	for _, a := range atoms {
		all = append(all, a, p.Not(a))
	}
	vars = integers(vars)
	for _, v := range vars {
		t := v.Type()
		for _, c := range constants {
			k := p.Int(t, c)
			all = append(all, p.Le(v, k), p.Ge(v, k), p.Eq(v, k), p.Ne(v, k))
		}
		if one := p.Const(t, 1); t.Width > 1 {
			all = append(all, p.Eq(p.And(v, one), one), p.Ne(p.And(v, one), one))
		}
	}
	pairs := 0
	for i, v := range vars {
		for _, w := range vars[i+1:] {
			if v.Type() != w.Type() {
				continue
			}
			if pairs++; pairs > mostPairs {
				return all
			}
			one := p.Const(v.Type(), 1)
			all = append(all, p.Le(v, w), p.Lt(v, w), p.Le(w, v), p.Lt(w, v), p.Eq(v, w), p.Ne(v, w),
				p.Eq(p.And(p.Sub(v, w), one), p.Const(v.Type(), 0)), p.Ne(p.And(p.Sub(v, w), one), p.Const(v.Type(), 0)))
		}
	}
	return all
}

// integers are the variables that have an order, and arithmetic, of integers: floating-point ones do not.
func integers(vars []*expr.Expr) []*expr.Expr {
	return slices.DeleteFunc(slices.Clone(vars), func(v *expr.Expr) bool { return v.Type().IsFloat() })
}

// conditions are the atoms of the program's conditions that speak of some variables only, and the constants
// in them.
func (r *relation) conditions(vars []*expr.Expr) (atoms []*expr.Expr, constants []int64) {
	known := map[*expr.Expr]bool{}
	for _, v := range vars {
		known[v] = true
	}
	constants = []int64{0, 1, -1}
	add := func(c int64) {
		if !slices.Contains(constants, c) && len(constants) < mostConstants {
			constants = append(constants, c)
		}
	}
	seen := map[*expr.Expr]bool{}
	for i := range r.g.Edges {
		expr.Walk(func(e *expr.Expr) {
			if seen[e] || e.Op() != expr.Lt && e.Op() != expr.Eq {
				return
			}
			seen[e] = true
			for _, a := range e.Args() {
				if a.IsConst() && !a.Type().IsBool() && !a.Type().IsFloat() {
					add(a.Int())
					add(a.Int() - 1)
					add(a.Int() + 1)
				}
			}
			if !slices.ContainsFunc(expr.Vars(e), func(v *expr.Expr) bool { return !known[v] }) {
				atoms = append(atoms, e)
			}
		}, r.g.Edges[i].Guard...)
	}
	return atoms, constants
}

// agree leaves out candidates that a run has broken.
func (inv invariant) agree(at map[component.Node][]values) {
	for h := range inv {
		inv[h] = slices.DeleteFunc(inv[h], func(c *expr.Expr) bool {
			return slices.ContainsFunc(at[h], func(v values) bool { return !v.holds(c) })
		})
	}
}

// shown leaves the candidates that all steps show.
func (r *relation) shown(ctx context.Context, p *prover, inv invariant) error {
	for again := true; again; {
		again = false
		for _, s := range r.steps {
			if s.cut {
				continue
			}
			for len(inv[s.to]) > 0 {
				broken, err := r.breaks(ctx, p, inv, s)
				if err != nil {
					return err
				}
				if broken == nil {
					break
				}
				again = true
				inv[s.to] = slices.DeleteFunc(inv[s.to], func(c *expr.Expr) bool { return broken[c] })
			}
		}
	}
	return nil
}

// breaks are candidates at the end of a step that the step does not show.
func (r *relation) breaks(ctx context.Context, p *prover, inv invariant, s *step) (map[*expr.Expr]bool, error) {
	after := slices.Clone(inv[s.to])
	r.pool.SubstAll(after, s.next)
	given := append([]*expr.Expr{s.guard}, inv[s.from]...)
	result, err := p.satisfiable(ctx, append(given, r.pool.Not(r.pool.Land(after...)))...)
	switch {
	case err != nil:
		return nil, err
	case result == solver.Unsat:
		return nil, nil
	case result == solver.Unknown: // one by one is no better: those that change go
		return r.changed(s, inv[s.to], after), nil
	}
	broken := map[*expr.Expr]bool{}
	v := expr.NewValuation(p.Value)
	for i, c := range after {
		if v.Of(c) == 0 {
			broken[inv[s.to][i]] = true
		}
	}
	return broken, nil
}

// changed are candidates of which a step changes what they speak of, or all if it changes none.
func (r *relation) changed(s *step, conds, after []*expr.Expr) map[*expr.Expr]bool {
	out := map[*expr.Expr]bool{}
	for i, c := range conds {
		if after[i] != c {
			out[c] = true
		}
	}
	if len(out) == 0 {
		for _, c := range conds {
			out[c] = true
		}
	}
	return out
}
