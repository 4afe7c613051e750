package invariants

// Intervals of floating-point numbers.
//
// Idea: numbers are taken by their place in the order of all values, which is an integer: from the
// bits, both zeros being one. NaNs stand outside of the infinities, so that an interval between these has
// none. Rounding is monotonic, so the bounds of a sum, say, are the rounded sums of bounds, exactly;
// where a NaN may come out, everything may.
//
// Source: Miné: Relational Abstract Domains for the Detection of Floating-Point Run-Time Errors (ESOP
// 2004), section 3; here with the mode of each operation in place of outward rounding. Cost: as for integers.

import (
	"math"

	"magus/smt/expr"
	"magus/smt/softfloat"
)

// place is where a value stands in the order of its type.
func place(t expr.Type, bits uint64) int64 {
	if f := t.Format(); f.IsNegative(bits) {
		return -int64(f.Abs(bits))
	}
	return int64(bits)
}

// standing is the value at a place.
func standing(t expr.Type, at int64) uint64 {
	if at < 0 {
		return t.Format().SignBit() | uint64(-at)
	}
	return uint64(at)
}

// anyFloat has all values, NaNs too.
var anyFloat = interval{math.MinInt64, math.MaxInt64}

// numbers has all values that are no NaN.
func numbers(t expr.Type) interval {
	infinity := int64(t.Format().Inf())
	return interval{-infinity, infinity}
}

// isNumber reports whether an interval has no NaN.
func isNumber(t expr.Type, v interval) bool { return v.lo >= numbers(t).lo && v.hi <= numbers(t).hi }

func (a interval) has(x int64) bool { return a.lo <= x && x <= a.hi }

// unbounded reports whether an interval has an infinity.
func unbounded(t expr.Type, v interval) bool { return v.lo <= numbers(t).lo || v.hi >= numbers(t).hi }

// applyFloat is what an operation of floating point gives for operands from intervals.
func (s *values) applyFloat(e *expr.Expr, args []interval) interval {
	t, from := e.Type(), e.Args()[len(args)-1].Type()
	mode := func() softfloat.Mode { return softfloat.Mode(e.Args()[0].Value()) }
	last := args[len(args)-1]
	switch e.Op() {
	case expr.FEq, expr.FLt, expr.FLe:
		return comparedFloats(e.Op(), from, args[0], args[1])
	case expr.IntToF:
		return fromInteger(t, from, mode(), last)
	case expr.FBits, expr.FFrom:
		return all(t)
	}
	for i, v := range args {
		if !e.Args()[i].Type().IsFloat() {
			continue
		}
		if !isNumber(e.Args()[i].Type(), v) {
			return all(t)
		}
	}
	f := from.Format()
	switch e.Op() {
	case expr.FAdd:
		return sumOf(t, mode(), args[1], last)
	case expr.FMul:
		if args[1].has(0) && unbounded(t, last) || last.has(0) && unbounded(t, args[1]) {
			return anyFloat
		}
		return corners(t, args[1], last, func(a, b uint64) uint64 { return first(f.Mul(mode(), a, b)) })
	case expr.FDiv:
		if last.has(0) || unbounded(t, args[1]) && unbounded(t, last) {
			return anyFloat
		}
		return corners(t, args[1], last, func(a, b uint64) uint64 { return first(f.Div(mode(), a, b)) })
	case expr.FSqrt:
		if last.lo < 0 {
			return anyFloat
		}
		return monotonic(t, from, last, func(a uint64) uint64 { return first(f.Sqrt(mode(), a)) })
	case expr.FRound:
		return monotonic(t, from, last, func(a uint64) uint64 { return first(f.RoundToIntegral(mode(), a)) })
	case expr.FCast:
		return monotonic(t, from, last, func(a uint64) uint64 { return first(f.Convert(mode(), t.Format(), a)) })
	case expr.FNeg:
		return interval{-last.hi, -last.lo}
	case expr.FAbs:
		return magnitude(last)
	case expr.FToInt:
		return toInteger(t, from, mode(), last)
	case expr.FMod, expr.FRem:
		if last.has(0) || unbounded(t, args[0]) {
			return anyFloat
		}
		if e.Op() == expr.FMod {
			return interval{min(args[0].lo, 0), max(args[0].hi, 0)}
		}
		return numbers(t)
	}
	return anyFloat
}

func first[F any](v uint64, _ F) uint64 { return v }

// sumOf is the sum of two intervals.
func sumOf(t expr.Type, m softfloat.Mode, a, b interval) interval {
	whole, f := numbers(t), t.Format()
	if a.hi >= whole.hi && b.lo <= whole.lo || a.lo <= whole.lo && b.hi >= whole.hi {
		return anyFloat
	}
	return interval{
		place(t, first(f.Add(m, standing(t, a.lo), standing(t, b.lo)))),
		place(t, first(f.Add(m, standing(t, a.hi), standing(t, b.hi)))),
	}
}

// corners is an operation that is monotonic in each operand.
func corners(t expr.Type, a, b interval, of func(a, b uint64) uint64) interval {
	v := interval{math.MaxInt64, math.MinInt64}
	for _, x := range []int64{a.lo, a.hi} {
		for _, y := range []int64{b.lo, b.hi} {
			p := place(t, of(standing(t, x), standing(t, y)))
			v = v.join(interval{p, p})
		}
	}
	return v
}

// monotonic is an operation that keeps the order.
func monotonic(t, from expr.Type, a interval, of func(a uint64) uint64) interval {
	return interval{place(t, of(standing(from, a.lo))), place(t, of(standing(from, a.hi)))}
}

// magnitude is the absolute value.
func magnitude(a interval) interval {
	switch {
	case a.lo >= 0:
		return a
	case a.hi <= 0:
		return interval{-a.hi, -a.lo}
	}
	return interval{0, max(-a.lo, a.hi)}
}

// fromInteger is an integer as a number.
func fromInteger(t, from expr.Type, m softfloat.Mode, a interval) interval {
	of := func(v int64) int64 {
		i := softfloat.Int{Width: from.Width, Signed: from.Signed}
		return place(t, first(t.Format().FromInt(m, i, from.Trunc(uint64(v)))))
	}
	v := interval{of(a.lo), of(a.hi)}
	if endless(from, a) {
		i := softfloat.Int{Width: 64}
		v.hi = place(t, first(t.Format().FromInt(m, i, math.MaxUint64)))
	}
	return v
}

// toInteger is a number as an integer, where all fit.
func toInteger(t, from expr.Type, m softfloat.Mode, a interval) interval {
	to := softfloat.Int{Width: t.Width, Signed: t.Signed}
	lo, fits, _ := from.Format().ToInt(m, to, standing(from, a.lo))
	hi, fit, _ := from.Format().ToInt(m, to, standing(from, a.hi))
	if !fits || !fit || t == expr.Uint64 && hi > math.MaxInt64 {
		return all(t)
	}
	if t.Signed {
		return interval{t.Sext(lo), t.Sext(hi)}
	}
	return interval{int64(lo), int64(hi)}
}

func comparedFloats(op expr.Op, t expr.Type, a, b interval) interval {
	numeric := isNumber(t, a) && isNumber(t, b)
	never, always := false, false
	switch op {
	case expr.FEq:
		_, common := a.meet(b)
		never, always = !common, numeric && a.lo == a.hi && a == b
	case expr.FLt:
		never, always = a.lo >= b.hi && numeric, a.hi < b.lo && numeric
	case expr.FLe:
		never, always = a.lo > b.hi && numeric, a.hi <= b.lo && numeric
	}
	switch {
	case never:
		return interval{0, 0}
	case always:
		return interval{1, 1}
	}
	return interval{0, 1}
}

// assumeFloats keeps the values with which a comparison holds, or does not: both are numbers then, if it holds.
func (s *values) assumeFloats(op expr.Op, a, b *expr.Expr, holds bool) bool {
	t := a.Type()
	x, y := s.of(a), s.of(b)
	if !holds {
		if op == expr.FEq || !isNumber(t, x) || !isNumber(t, y) {
			return true
		}
		a, b, x, y = b, a, y, x // b < a of !(a <= b), b <= a of !(a < b)
		op = expr.FLt + expr.FLe - op
	}
	x, ok := x.meet(numbers(t))
	y, also := y.meet(numbers(t))
	if !ok || !also {
		return false
	}
	switch op {
	case expr.FEq:
		m, ok := x.meet(y)
		return ok && s.restrict(a, m) && s.restrict(b, m)
	case expr.FLt:
		x.hi, y.lo = min(x.hi, y.hi-1), max(y.lo, x.lo+1)
	case expr.FLe:
		x.hi, y.lo = min(x.hi, y.hi), max(y.lo, x.lo)
	}
	return x.lo <= x.hi && y.lo <= y.hi && s.restrict(a, x) && s.restrict(b, y)
}

// restrictFloat keeps the variables' values with which an operation gives what is in an interval.
func (s *values) restrictFloat(e *expr.Expr, to interval) bool {
	x := e.Args()[len(e.Args())-1]
	switch e.Op() {
	case expr.FNeg:
		if to.lo != math.MinInt64 {
			return s.restrict(x, interval{-to.hi, -to.lo})
		}
	case expr.FAbs:
		if isNumber(e.Type(), to) {
			return s.restrict(x, interval{-to.hi, to.hi})
		}
	case expr.FCast:
		t, from := e.Type(), x.Type()
		if !isNumber(t, to) || from.Width >= t.Width {
			return true
		}
		f := t.Format()
		lo := first(f.Convert(softfloat.TowardNegative, from.Format(), standing(t, to.lo)))
		hi := first(f.Convert(softfloat.TowardPositive, from.Format(), standing(t, to.hi)))
		return s.restrict(x, interval{place(from, lo), place(from, hi)})
	}
	return true
}

// thresholdsOf are the bounds to which those of a type are widened by a constant of the program.
func thresholdsOf(t expr.Type, bits uint64) []int64 {
	f := t.Format()
	if f.IsNaN(bits) {
		return nil
	}
	at, whole := place(t, bits), numbers(t)
	return []int64{whole.lo, whole.lo + 1, -at, 0, at, whole.hi - 1, whole.hi}
}

// conditionsOfFloat are the bounds of a variable, if it is a number.
func (a *analysis) conditionsOfFloat(v *expr.Expr, b interval) []*expr.Expr {
	t := v.Type()
	if !isNumber(t, b) {
		return nil
	}
	lo, hi := a.pool.Const(t, standing(t, b.lo)), a.pool.Const(t, standing(t, b.hi))
	if b.lo == b.hi && b.lo != 0 {
		return []*expr.Expr{a.pool.Eq(v, lo)}
	}
	return []*expr.Expr{a.pool.FLe(lo, v), a.pool.FLe(v, hi)}
}
