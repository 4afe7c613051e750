package boxes

// Intervals of terms from those of their operands.

import (
	"magus/smt/expr"
	"magus/smt/softfloat"
)

// compute is the interval of a term, those of its operands being known.
func (s *search) compute(i int) interval {
	e := s.terms[i]
	if e.Type().IsBool() {
		return s.condition(i)
	}
	arg := func(k int) interval { return s.vals[s.args[i][k]] }
	switch e.Op() {
	case expr.Const:
		return constant(e)
	case expr.Ite:
		switch c := arg(0); {
		case c.Lo == 1:
			return arg(1)
		case c.Hi == 0:
			return arg(2)
		}
		return arg(1).Join(arg(2))
	case expr.FFrom, expr.FBits:
		return whole(e.Type())
	case expr.IntToF:
		return converted(e, arg(1))
	case expr.FToInt:
		return integers(e, arg(1))
	}
	if e.Op().IsFloat() {
		args := make([]interval, len(s.args[i]))
		for k := range args {
			args[k] = arg(k)
		}
		return e.RangeFrom(args)
	}
	if e.Op().IsExtended() { // nothing is known
		return whole(e.Type())
	}
	return s.integer(i)
}

func constant(e *expr.Expr) interval {
	t := e.Type()
	if f := t.Format(); t.IsFloat() {
		if f.IsNaN(e.Value()) {
			return interval{Lo: 1, Hi: 0, NaN: true}
		}
		k := expr.Place(f, e.Value())
		return interval{Lo: k, Hi: k, Grid: expr.GridOf(f, e.Value())}
	}
	k := placeOf(t, e.Value())
	return interval{Lo: k, Hi: k}
}

// converted is an integer in a floating-point type.
func converted(e *expr.Expr, a interval) interval {
	f, from, m := e.Type().Format(), e.Args()[1].Type(), softfloat.Mode(e.Args()[0].Value())
	end := func(k int64) int64 {
		v, _ := f.FromInt(m, softfloat.Int{Width: from.Width, Signed: from.Signed}, valueAt(from, k))
		return expr.Place(f, v)
	}
	return interval{Lo: end(a.Lo), Hi: end(a.Hi), Grid: expr.Integers(f)}
}

// integers is a floating-point value as an integer, any where it may be out of range.
func integers(e *expr.Expr, a interval) interval {
	t, from, m := e.Type(), e.Args()[1].Type().Format(), softfloat.Mode(e.Args()[0].Value())
	to := softfloat.Int{Width: t.Width, Signed: t.Signed}
	if a.NaN || a.IsEmpty() {
		return whole(t)
	}
	lo, ok, _ := from.ToInt(m, to, expr.AtPlace(from, a.Lo))
	hi, also, _ := from.ToInt(m, to, expr.AtPlace(from, a.Hi))
	if !ok || !also {
		return whole(t)
	}
	return interval{Lo: placeOf(t, lo), Hi: placeOf(t, hi)}
}

// mostSum bounds integers that are computed with: sums of two are none of its business.
const mostSum = 1 << 40

// integer is the interval of an operator on integers, any where it may wrap around.
func (s *search) integer(i int) interval {
	e := s.terms[i]
	t, all := e.Type(), whole(e.Type())
	from := t
	if args := e.Args(); len(args) > 0 {
		from = args[0].Type()
	}
	if isWord(t) || isWord(from) || from.IsBool() || from.IsFloat() {
		return all
	}
	var r interval
	a := s.vals[s.args[i][0]]
	if a.Lo < -mostSum || a.Hi > mostSum {
		if e.Op() == expr.Cast && a.Lo >= all.Lo && a.Hi <= all.Hi {
			return a
		}
		return all
	}
	switch e.Op() {
	case expr.Cast:
		r = a
	case expr.Neg:
		r = interval{Lo: -a.Hi, Hi: -a.Lo}
	case expr.Add, expr.Mul:
		b := s.vals[s.args[i][1]]
		if b.Lo < -mostSum || b.Hi > mostSum {
			return all
		}
		if e.Op() == expr.Add {
			r = interval{Lo: a.Lo + b.Lo, Hi: a.Hi + b.Hi}
			break
		}
		if max(-a.Lo, a.Hi, -b.Lo, b.Hi) > 1<<31 {
			return all
		}
		ps := []int64{a.Lo * b.Lo, a.Lo * b.Hi, a.Hi * b.Lo, a.Hi * b.Hi}
		r = interval{Lo: min(ps[0], ps[1], ps[2], ps[3]), Hi: max(ps[0], ps[1], ps[2], ps[3])}
	default:
		return all
	}
	if r.Lo < all.Lo || r.Hi > all.Hi {
		return all
	}
	return r
}

// condition is the interval of a condition.
func (s *search) condition(i int) interval {
	e, args := s.terms[i], s.args[i]
	arg := func(k int) interval { return s.vals[args[k]] }
	switch e.Op() {
	case expr.Const:
		return truth(e.IsFalse(), e.IsTrue())
	case expr.Not:
		return interval{Lo: 1 - arg(0).Hi, Hi: 1 - arg(0).Lo}
	case expr.Land, expr.Lor:
		r := arg(0)
		for _, k := range args[1:] {
			if a := s.vals[k]; e.Op() == expr.Land {
				r = interval{Lo: min(r.Lo, a.Lo), Hi: min(r.Hi, a.Hi)}
			} else {
				r = interval{Lo: max(r.Lo, a.Lo), Hi: max(r.Hi, a.Hi)}
			}
		}
		return r
	}
	a, b := arg(0), arg(1)
	apart := a.IsEmpty() || b.IsEmpty() || a.Hi < b.Lo || b.Hi < a.Lo
	numbers := !a.NaN && !b.NaN
	switch t := e.Args()[0].Type(); e.Op() {
	case expr.Eq:
		if t.IsFloat() { // the zeros, and NaNs, are told apart
			return truth(apart && !(a.NaN && b.NaN), numbers && samePoint(a, b) && a.Lo != 0)
		}
		return truth(apart, samePoint(a, b))
	case expr.Lt, expr.FLt:
		return truth(a.IsEmpty() || b.IsEmpty() || a.Lo >= b.Hi, numbers && a.Hi < b.Lo)
	case expr.FLe:
		return truth(a.IsEmpty() || b.IsEmpty() || a.Lo > b.Hi, numbers && a.Hi <= b.Lo)
	case expr.FEq:
		same := args[0] == args[1] || samePoint(a, b)
		return truth(apart || meet(a, b).Tight(t.Format()).IsEmpty(), numbers && same)
	}
	return interval{Lo: 0, Hi: 1}
}

// samePoint reports whether two intervals are one point.
func samePoint(a, b interval) bool { return a.Lo == a.Hi && a.Lo == b.Lo && a.Hi == b.Hi }
