package invariants

// Terms over intervals, forward, and what a condition says of its variables, backward.

import (
	"math"
	"slices"

	"magus/smt/expr"
)

// values are intervals of variables; fresh those of new values that a guard restricts.
type values struct {
	*analysis
	now   []interval
	fresh map[*expr.Expr]interval
}

// of are the values of a term; a condition that holds is 1.
func (s *values) of(e *expr.Expr) interval {
	memo := map[*expr.Expr]interval{}
	var of func(e *expr.Expr) interval
	of = func(e *expr.Expr) interval {
		v, known := memo[e]
		if !known {
			args := make([]interval, len(e.Args()))
			for i, x := range e.Args() {
				args[i] = of(x)
			}
			v = s.apply(e, args)
			memo[e] = v
		}
		return v
	}
	return of(e)
}

// apply is a term's value from those of its operands.
func (s *values) apply(e *expr.Expr, args []interval) interval {
	t := e.Type()
	if e.Op().IsFloat() {
		return s.applyFloat(e, args)
	}
	switch e.Op() {
	case expr.Const:
		if t.IsFloat() {
			return interval{place(t, e.Value()), place(t, e.Value())}
		}
		if t == expr.Uint64 && e.Value() > math.MaxInt64 {
			return all(t)
		}
		if t.IsBool() {
			return interval{int64(e.Value()), int64(e.Value())}
		}
		return interval{e.Int(), e.Int()}
	case expr.Var:
		return s.variable(e)
	case expr.Add:
		return add(t, args[0], args[1])
	case expr.Sub:
		return add(t, args[0], negate(t, args[1]))
	case expr.Neg:
		return negate(t, args[0])
	case expr.Mul:
		return multiply(t, args[0], args[1])
	case expr.Div:
		return quotient(t, args[0], args[1])
	case expr.Rem:
		return remainder(t, args[0], args[1])
	case expr.And:
		return masked(t, args[0], args[1])
	case expr.Or, expr.Xor:
		return united(t, args[0], args[1])
	case expr.Shl, expr.Shr:
		return shifted(e.Op(), t, args[0], args[1])
	case expr.Cast:
		return cast(t, e.Args()[0].Type(), args[0])
	case expr.Ite:
		return chosen(args[0], args[1], args[2])
	case expr.Eq, expr.Lt:
		return compared(e.Op(), e.Args()[0].Type(), args[0], args[1])
	case expr.Not:
		return interval{1 - args[0].hi, 1 - args[0].lo}
	case expr.Land, expr.Lor:
		return junction(e.Op(), args)
	}
	return all(t) // of ~a nothing is computed
}

func (s *values) variable(v *expr.Expr) interval {
	if i, known := s.index[v]; known {
		return s.now[i]
	}
	if b, known := s.fresh[v]; known {
		return b
	}
	return all(v.Type())
}

func chosen(c, a, b interval) interval {
	switch {
	case c.lo == 1:
		return a
	case c.hi == 0:
		return b
	}
	return a.join(b)
}

func compared(op expr.Op, t expr.Type, a, b interval) interval {
	never, always := false, false
	if op == expr.Eq {
		_, common := a.meet(b)
		never = !common
		always = a.lo == a.hi && a == b && !endless(t, a) && !t.IsFloat()
	} else {
		always = a.hi < b.lo && !endless(t, a)
		never = a.lo >= b.hi && !endless(t, b)
	}
	switch {
	case never:
		return interval{0, 0}
	case always:
		return interval{1, 1}
	}
	return interval{0, 1}
}

func junction(op expr.Op, args []interval) interval {
	v := args[0]
	for _, a := range args[1:] {
		if op == expr.Land {
			v = interval{min(v.lo, a.lo), min(v.hi, a.hi)}
		} else {
			v = interval{max(v.lo, a.lo), max(v.hi, a.hi)}
		}
	}
	return v
}

// assume keeps the values with which a condition holds, or does not, as far as that can be
// said, and reports whether there are any.
func (s *values) assume(c *expr.Expr, holds bool) bool {
	if v := s.of(c); holds && v.hi == 0 || !holds && v.lo == 1 {
		return false
	}
	args := c.Args()
	switch c.Op() {
	case expr.Not:
		return s.assume(args[0], !holds)
	case expr.Land, expr.Lor:
		if (c.Op() == expr.Land) == holds {
			return !slices.ContainsFunc(args, func(a *expr.Expr) bool { return !s.assume(a, holds) })
		}
		return s.assumeOne(args, holds)
	case expr.FEq, expr.FLt, expr.FLe:
		return s.assumeFloats(c.Op(), args[0], args[1], holds)
	case expr.Eq:
		return s.assumeEqual(args[0], args[1], holds)
	case expr.Lt:
		return s.assumeLess(args[0], args[1], holds)
	}
	return true
}

// assumeOne assumes that one of some conditions holds, or does not, if the others decide
// which.
func (s *values) assumeOne(args []*expr.Expr, holds bool) bool {
	open := slices.DeleteFunc(slices.Clone(args), func(a *expr.Expr) bool {
		v := s.of(a)
		return holds && v.hi == 0 || !holds && v.lo == 1
	})
	if len(open) == 1 {
		return s.assume(open[0], holds)
	}
	return len(open) > 0
}

func (s *values) assumeEqual(a, b *expr.Expr, holds bool) bool {
	if a.Type().IsBool() {
		return true
	}
	x, y := s.of(a), s.of(b)
	if holds {
		m, ok := x.meet(y)
		return ok && s.restrict(a, m) && s.restrict(b, m)
	}
	return s.differs(a, x, y) && s.differs(b, y, x)
}

// differs keeps the values of a term other than the only one that another term has.
func (s *values) differs(a *expr.Expr, x, other interval) bool {
	if other.lo != other.hi || a.Type().IsFloat() || endless(a.Type(), other) || endless(a.Type(), x) {
		return true
	}
	if x.lo == other.lo {
		x.lo++
	} else if x.hi == other.lo {
		x.hi--
	}
	return x.lo <= x.hi && s.restrict(a, x)
}

func (s *values) assumeLess(a, b *expr.Expr, holds bool) bool {
	t := a.Type()
	if !holds { // b <= a
		return s.ordered(t, b, a, 0)
	}
	return s.ordered(t, a, b, 1)
}

// ordered assumes a + gap <= b.
func (s *values) ordered(t expr.Type, a, b *expr.Expr, gap int64) bool {
	x, y := s.of(a), s.of(b)
	if !endless(t, y) {
		x.hi = min(x.hi, y.hi-gap)
	}
	if !endless(t, x) || x.lo < math.MaxInt64 {
		y.lo = max(y.lo, x.lo+gap)
	}
	return x.lo <= x.hi && y.lo <= y.hi && s.restrict(a, x) && s.restrict(b, y)
}

// restrict keeps the variables' values with which a term is in an interval.
func (s *values) restrict(e *expr.Expr, to interval) bool {
	switch e.Op() {
	case expr.FNeg, expr.FAbs, expr.FCast:
		return s.restrictFloat(e, to)
	case expr.Var:
		m, ok := s.variable(e).meet(to)
		if i, known := s.index[e]; known {
			s.now[i] = m
		} else {
			if s.fresh == nil {
				s.fresh = map[*expr.Expr]interval{}
			}
			s.fresh[e] = m
		}
		return ok
	case expr.Add:
		x, k := e.Args()[0], e.Args()[1]
		if !k.IsConst() || endless(e.Type(), to) {
			return true
		}
		return s.restrictSum(e.Type(), x, k.Int(), to)
	case expr.Cast:
		x := e.Args()[0]
		if v := s.of(x); !endless(x.Type(), v) && cast(e.Type(), x.Type(), v) == v {
			return s.restrict(x, to)
		}
	}
	return true
}

// restrictSum restricts x where x + k is in an interval, if the sum does not wrap around.
func (s *values) restrictSum(t expr.Type, x *expr.Expr, k int64, to interval) bool {
	v, whole := s.of(x), all(t)
	if endless(t, v) || k > 1<<60 || k < -1<<60 || v.lo < -1<<61 || v.hi > 1<<61 || v.lo+k < whole.lo ||
		v.hi+k > whole.hi {
		return true
	}
	if to.lo < -1<<61 || to.hi > 1<<61 {
		return true
	}
	return s.restrict(x, interval{to.lo - k, to.hi - k})
}
