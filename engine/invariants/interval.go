package invariants

import (
	"math"
	"math/bits"

	"magus/smt/expr"
)

// An interval has the values from lo to hi of a type; of floating point, those at the places from lo to
// hi (floats.go). Those of 64 bits without a sign are
// held up to the greatest int64 only: an interval of them that ends there has all greater ones too.
//
// Others compute with ranges too, and mean something else: predabs.cell is exact, with values left out, and
// has no arithmetic; param/cert's are of natural numbers, and a checker shares nothing with what it checks;
// a sequential.Range is a claim about memory, which somebody else proves.
type interval struct{ lo, hi int64 }

// endless reports whether an interval of a type has values beyond hi.
func endless(t expr.Type, v interval) bool {
	return t == expr.Uint64 && v.hi == math.MaxInt64
}

// all are the values of a type.
func all(t expr.Type) interval {
	switch {
	case t.IsBool():
		return interval{0, 1}
	case t.IsFloat():
		return anyFloat
	case t.Signed:
		return interval{t.Sext(t.Min()), t.Sext(t.Max())}
	case t.Width == 64:
		return interval{0, math.MaxInt64}
	}
	return interval{0, int64(t.Max())}
}

// join has both.
func (a interval) join(b interval) interval { return interval{min(a.lo, b.lo), max(a.hi, b.hi)} }

// meet is what both have; ok is false if that is nothing.
func (a interval) meet(b interval) (interval, bool) {
	m := interval{max(a.lo, b.lo), min(a.hi, b.hi)}
	return m, m.lo <= m.hi
}

// wrapped is what a type makes of a sum or product in an interval; ok is false if that was
// not computed exactly.
func wrapped(t expr.Type, v interval, ok bool) interval {
	whole := all(t)
	if !ok {
		return whole
	}
	if v.lo >= whole.lo && v.hi <= whole.hi {
		return v
	}
	if t.Width > 61 {
		return whole
	}
	period := int64(1) << t.Width
	periods := floor(v.lo-whole.lo, period)
	if periods != floor(v.hi-whole.lo, period) {
		return whole
	}
	return interval{v.lo - periods*period, v.hi - periods*period}
}

// floor is a divided by b > 0, rounded down.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// plus is a + b; ok is false if that overflows.
func plus(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

// times is a·b; ok is false if that overflows.
func times(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	p := a * b
	return p, p/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
}

// add is the sum of two intervals, as a type has it.
func add(t expr.Type, a, b interval) interval {
	lo, ok1 := plus(a.lo, b.lo)
	hi, ok2 := plus(a.hi, b.hi)
	return wrapped(t, interval{lo, hi}, ok1 && ok2 && !endless(t, a) && !endless(t, b))
}

// multiply is their product.
func multiply(t expr.Type, a, b interval) interval {
	if endless(t, a) || endless(t, b) {
		return all(t)
	}
	v, exact := interval{math.MaxInt64, math.MinInt64}, true
	for _, x := range []int64{a.lo, a.hi} {
		for _, y := range []int64{b.lo, b.hi} {
			p, ok := times(x, y)
			exact = exact && ok
			v = v.join(interval{p, p})
		}
	}
	return wrapped(t, v, exact)
}

// negate is -a.
func negate(t expr.Type, a interval) interval {
	return wrapped(t, interval{-a.hi, -a.lo}, a.lo != math.MinInt64 && !endless(t, a))
}

// quotient is a / b, of a b that is greater than 0.
func quotient(t expr.Type, a, b interval) interval {
	if b.lo <= 0 || endless(t, a) || endless(t, b) {
		return all(t)
	}
	v := interval{a.lo / b.lo, a.lo / b.lo}
	for _, x := range []int64{a.lo, a.hi} {
		for _, y := range []int64{b.lo, b.hi} {
			v = v.join(interval{x / y, x / y})
		}
	}
	return v
}

// remainder is a % b, of a b that is greater than 0. Its sign is that of a.
func remainder(t expr.Type, a, b interval) interval {
	if b.lo <= 0 || endless(t, b) {
		return all(t)
	}
	if a.lo >= 0 && a.hi < b.lo && !endless(t, a) {
		return a
	}
	v := interval{0, b.hi - 1}
	if a.lo < 0 {
		v.lo = max(-v.hi, a.lo)
	}
	if !endless(t, a) {
		v.hi = min(v.hi, max(a.hi, 0))
	}
	return v
}

// masked is a & b.
func masked(t expr.Type, a, b interval) interval {
	v := all(t)
	if v.lo < 0 && a.lo < 0 && b.lo < 0 {
		return v
	}
	v.lo = 0
	for _, x := range []interval{a, b} {
		if x.lo >= 0 && !endless(t, x) {
			v.hi = min(v.hi, x.hi)
		}
	}
	return v
}

// united is a | b or a ^ b.
func united(t expr.Type, a, b interval) interval {
	if a.lo < 0 || b.lo < 0 || endless(t, a) || endless(t, b) {
		return all(t)
	}
	return interval{0, int64(1)<<bits.Len64(uint64(a.hi|b.hi)) - 1}
}

// shifted is a << b or a >> b, of one b.
func shifted(op expr.Op, t expr.Type, a, b interval) interval {
	if b.lo != b.hi || b.lo < 0 || b.lo >= int64(t.Width) || b.lo >= 63 || endless(t, a) {
		return all(t)
	}
	if op == expr.Shl {
		return multiply(t, a, interval{1 << b.lo, 1 << b.lo})
	}
	return interval{a.lo >> b.lo, a.hi >> b.lo}
}

// cast is a as another type has it.
func cast(to, from expr.Type, a interval) interval {
	if endless(from, a) || from.IsFloat() || to.IsFloat() {
		return all(to)
	}
	return wrapped(to, a, true)
}
