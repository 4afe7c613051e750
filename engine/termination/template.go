package termination

// Terms that may get smaller with the steps of a loop: variables up and down, sums and differences of two, how far
// the sides of a condition are apart, the greater of two, and whether a condition holds.
//
// Numbers of less than 64 bits are widened, so that their sums and differences are exact. Any other term
// will do as well: one that always gets smaller does so finitely often, even if it wraps around now and then.

import (
	"slices"

	"magus/smt/expr"
)

// Bounds of what is tried.
const (
	mostRanked = 24 // variables
	mostAtoms  = 40
)

// templates are terms for some steps, simple ones first.
func (x *ranking) templates(steps []*remaining) []*expr.Expr {
	vars := integers(x.moved(steps))
	vars = vars[:min(len(vars), mostRanked)]
	p := x.pool
	t := &templates{pool: p, seen: map[*expr.Expr]bool{}, moved: vars}
	for _, v := range vars {
		t.bothWays(t.wide(v))
	}
	atoms := x.atoms(steps)
	for _, a := range atoms {
		l, r := a.Args()[0], a.Args()[1]
		if l.Type().IsBool() || l.Type().IsFloat() {
			continue
		}
		t.difference(l, r)
	}
	for _, v := range x.vars {
		if !v.Type().Signed || slices.Contains(t.moved, v) {
			continue
		}
		for _, w := range t.moved { // up or down, as a constant says
			if w.Type() == v.Type() {
				up := p.Lt(p.Const(v.Type(), 0), v)
				t.bothWays(p.Ite(up, t.wide(w), p.Compl(t.wide(w))))
			}
		}
	}
	for i, v := range vars {
		for _, w := range vars[i+1:] {
			t.difference(v, w)
			if v.Type().Width < 64 && w.Type().Width < 64 {
				t.bothWays(p.Add(t.wide(v), t.wide(w)))
			}
			if v.Type() == w.Type() {
				t.bothWays(p.Ite(p.Lt(v, w), w, v))
				t.bothWays(p.Ite(p.Lt(v, w), v, w))
			}
		}
		if s := v.Type(); s.Signed {
			zero := p.Const(s, 0)
			t.add(p.Cast(expr.Type{Width: s.Width}, p.Ite(p.Lt(v, zero), p.Neg(v), v)))
			t.add(p.Ite(p.Lt(v, zero), zero, v))
			t.add(p.Ite(p.Lt(zero, v), zero, p.Neg(v)))
		}
	}
	bit := expr.Type{Width: 1}
	for _, a := range atoms {
		t.add(p.FromBool(bit, a))
		t.add(p.FromBool(bit, p.Not(a)))
	}
	return t.all
}

// moved are the variables that some step changes, and those that guards speak of.
func (x *ranking) moved(steps []*remaining) []*expr.Expr {
	var out []*expr.Expr
	for _, v := range x.vars {
		if slices.ContainsFunc(steps, func(s *remaining) bool { return s.next.of(v) != v }) {
			out = append(out, v)
		}
	}
	return out
}

// atoms are the comparisons in guards of the steps that speak of values before.
func (x *ranking) atoms(steps []*remaining) []*expr.Expr {
	var all []*expr.Expr
	for _, s := range steps {
		expr.Walk(func(e *expr.Expr) {
			if (e.Op() == expr.Lt || e.Op() == expr.Eq) && len(all) < mostAtoms && !slices.Contains(all, e) &&
				!slices.ContainsFunc(expr.Vars(e), func(v *expr.Expr) bool { return !slices.Contains(x.vars, v) }) {
				all = append(all, e)
			}
		}, s.guard)
	}
	return all
}

// templates collects terms, each once.
type templates struct {
	pool  *expr.Pool
	seen  map[*expr.Expr]bool
	all   []*expr.Expr
	moved []*expr.Expr // variables that some step changes
}

func (t *templates) add(e *expr.Expr) {
	if !t.seen[e] && !e.IsConst() {
		t.seen[e] = true
		t.all = append(t.all, e)
	}
}

// bothWays adds a term that gets smaller, and one that gets smaller where it gets greater.
func (t *templates) bothWays(e *expr.Expr) {
	t.add(e)
	t.add(t.pool.Compl(e)) // turns the order around, whatever the type
}

// wide is a number with room for sums.
func (t *templates) wide(v *expr.Expr) *expr.Expr {
	if v.Type().Width < 64 {
		return t.pool.Cast(expr.Int64, v)
	}
	return v
}

// difference adds how far two numbers are apart: exactly if there is room, and around the machine's circle.
func (t *templates) difference(v, w *expr.Expr) {
	p := t.pool
	if v.Type().Width < 64 && w.Type().Width < 64 {
		t.bothWays(p.Sub(t.wide(v), t.wide(w)))
	}
	if v.Type().Width == w.Type().Width {
		u := expr.Type{Width: v.Type().Width}
		t.add(p.Sub(p.Cast(u, v), p.Cast(u, w)))
		t.add(p.Sub(p.Cast(u, w), p.Cast(u, v)))
	}
}
