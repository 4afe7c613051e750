package bounded

// Equations between sums, as the solver is asked about them.
//
// Idea: where steps of a loop part, a variable has a conditional term, such as c ? x + 1 : d ? x - 1 : x. That is x
// and what is added to it, c ? 1 : d ? -1 : 0. So a sum of variables behind a step is their sum before it and some
// small numbers. An equation has the variables on one side and the small numbers on the other: then the
// sum of the variables is the same term at the beginning of a step and at its end, and bits of the one are those
// of the other. That a + b is (a - 1) + (b + 1) has a long proof bit by bit.
//
// Source: normal forms of linear terms, with what branches have in common taken out of them. Cost: linear
// in the term, times its variables.

import (
	"cmp"
	"slices"

	"magus/smt/expr"
)

// mostSummands bounds the summands that are kept apart.
const mostSummands = 64

// A summand is a multiple of a term.
type summand struct {
	term *expr.Expr
	by   uint64
}

// A sum is a number and multiples of terms that are no sums, by their identities, ascending, modulo 2 to the width.
type sum struct {
	all   []summand
	plus  uint64
	width uint8
}

// sums makes sums of terms, and remembers them.
type sums struct {
	pool *expr.Pool
	of   map[*expr.Expr]sum
}

func newSums(p *expr.Pool) *sums { return &sums{p, map[*expr.Expr]sum{}} }

// apart is an equation between integers with its variables on one side, and any other condition as it is.
func (s *sums) apart(c *expr.Expr) *expr.Expr {
	if c.Op() != expr.Eq || c.Args()[0].Type().IsBool() || c.Args()[0].Type().IsFloat() {
		return c
	}
	all := s.add(s.sum(c.Args()[0]), s.sum(c.Args()[1]), ^uint64(0))
	vars, rest := sum{width: all.width}, sum{plus: all.plus, width: all.width}
	for _, a := range all.all {
		if a.term.Op() == expr.Var {
			vars.all = append(vars.all, a)
		} else {
			rest.all = append(rest.all, a)
		}
	}
	return s.pool.Eq(s.term(vars), s.pool.Neg(s.term(rest)))
}

// sum is that of a term, which is an integer.
func (s *sums) sum(t *expr.Expr) sum {
	r, known := s.of[t]
	if !known {
		if r = s.parted(t); len(r.all) > mostSummands {
			r = s.single(t)
		}
		s.of[t] = r
	}
	return r
}

// single is a term by itself.
func (s *sums) single(t *expr.Expr) sum {
	return sum{all: []summand{{t, 1}}, width: t.Type().Width}
}

func (s *sums) parted(t *expr.Expr) sum {
	args, zero := t.Args(), sum{width: t.Type().Width}
	switch {
	case t.Op() == expr.Const:
		return sum{plus: t.Value(), width: t.Type().Width}
	case t.Op() == expr.Add:
		return s.add(s.sum(args[0]), s.sum(args[1]), 1)
	case t.Op() == expr.Neg:
		return s.add(zero, s.sum(args[0]), ^uint64(0))
	case t.Op() == expr.Mul && args[1].IsConst():
		return s.add(zero, s.sum(args[0]), args[1].Value())
	case t.Op() == expr.Cast && args[0].Type().Width == t.Type().Width:
		return s.sum(args[0])
	case t.Op() == expr.Ite:
		return s.chosen(args[0], s.sum(args[1]), s.sum(args[2]))
	}
	return s.single(t)
}

// add is a sum and a multiple of another one.
func (s *sums) add(a, b sum, by uint64) sum {
	t := s.number(a)
	r := sum{plus: t.Trunc(a.plus + by*b.plus), width: a.width}
	for len(a.all)+len(b.all) > 0 {
		var next summand
		switch order := before(a.all, b.all); {
		case order < 0:
			next, a.all = a.all[0], a.all[1:]
		case order > 0:
			next, b.all = summand{b.all[0].term, by * b.all[0].by}, b.all[1:]
		default:
			next = summand{a.all[0].term, a.all[0].by + by*b.all[0].by}
			a.all, b.all = a.all[1:], b.all[1:]
		}
		if next.by = t.Trunc(next.by); next.by != 0 {
			r.all = append(r.all, next)
		}
	}
	return r
}

// before says whose next summand comes first.
func before(a, b []summand) int {
	switch {
	case len(a) == 0:
		return 1
	case len(b) == 0:
		return -1
	}
	return cmp.Compare(a[0].term.ID(), b[0].term.ID())
}

// chosen is what two sums have in common, and what only one of them has under a condition.
func (s *sums) chosen(cond *expr.Expr, a, b sum) sum {
	common := sum{width: a.width}
	for _, x := range a.all {
		if slices.Contains(b.all, x) {
			common.all = append(common.all, x)
		}
	}
	a, b = s.add(a, common, ^uint64(0)), s.add(b, common, ^uint64(0))
	if rest := s.pool.Ite(cond, s.term(a), s.term(b)); rest.IsConst() {
		common.plus = rest.Value()
	} else {
		common = s.add(common, s.single(rest), 1)
	}
	return common
}

// number is the type of a sum's term.
func (s *sums) number(a sum) expr.Type { return expr.Type{Width: a.width} }

// term is the term of a sum.
func (s *sums) term(a sum) *expr.Expr {
	t, all := s.number(a), s.pool.Const(s.number(a), 0)
	for _, x := range a.all {
		all = s.pool.Add(all, s.pool.Mul(s.pool.Cast(t, x.term), s.pool.Const(t, x.by)))
	}
	return s.pool.Add(all, s.pool.Const(t, a.plus))
}
