package boxes

// Intervals of the types, and places of values in them.

import (
	"math"

	"magus/smt/expr"
	"magus/smt/softfloat"
)

// whole are all values of a type.
func whole(t expr.Type) interval {
	switch {
	case t.IsBool():
		return interval{Lo: 0, Hi: 1}
	case t.IsFloat():
		return expr.AnyFloat(t.Format())
	}
	return interval{Lo: placeOf(t, t.Min()), Hi: placeOf(t, t.Max())}
}

// placeOf is the place of an integer.
func placeOf(t expr.Type, v uint64) int64 {
	switch {
	case t.Signed:
		return t.Sext(v)
	case t.Width == 64:
		return int64(v ^ 1<<63)
	}
	return int64(v)
}

// valueAt is the value at a place.
func valueAt(t expr.Type, k int64) uint64 {
	switch {
	case t.IsFloat():
		return expr.AtPlace(t.Format(), k)
	case t.Width == 64 && !t.Signed:
		return uint64(k) ^ 1<<63
	}
	return t.Trunc(uint64(k))
}

// isWord reports whether places of a type are not the numbers.
func isWord(t expr.Type) bool { return t.Width == 64 && !t.Signed && !t.IsFloat() }

// point is a value of an interval, simple if it has one.
func point(t expr.Type, d interval) uint64 {
	switch {
	case d.IsEmpty():
		return t.Format().NaN()
	case !t.IsFloat():
		return valueAt(t, min(max(0, d.Lo), d.Hi))
	case d.Lo == math.MinInt64 || d.Lo == d.Hi:
		return valueAt(t, d.Lo)
	}
	inner := interval{Lo: d.Lo, Hi: min(max(middle(t.Format(), d), d.Lo), d.Hi), Grid: d.Grid}
	if on := inner.Tight(t.Format()); !on.IsEmpty() {
		inner = on
	}
	return valueAt(t, inner.Hi)
}

// middle is the place of half the sum of the bounds, of which infinite ones are taken for
// the greatest number.
func middle(f softfloat.Format, d interval) int64 {
	most := int64(f.Max())
	a, b := expr.AtPlace(f, max(d.Lo, -most)), expr.AtPlace(f, min(d.Hi, most))
	half, _ := f.Div(softfloat.NearestEven, f.One(), two(f))
	a, _ = f.Mul(softfloat.NearestEven, a, half)
	v, _ := f.Fma(softfloat.NearestEven, b, half, a)
	return expr.Place(f, v)
}

func two(f softfloat.Format) uint64 {
	v, _ := f.Add(softfloat.NearestEven, f.One(), f.One())
	return v
}

// meet is what two intervals have in common.
func meet(a, b interval) interval {
	r := interval{Lo: max(a.Lo, b.Lo), Hi: min(a.Hi, b.Hi), NaN: a.NaN && b.NaN, Grid: max(a.Grid, b.Grid)}
	if r.Lo > r.Hi {
		r.Lo, r.Hi = 1, 0
	}
	return r
}

// isNone reports whether there is no value at all.
func isNone(a interval) bool { return a.IsEmpty() && !a.NaN }

func truth(never, always bool) interval {
	switch {
	case never:
		return interval{Lo: 0, Hi: 0}
	case always:
		return interval{Lo: 1, Hi: 1}
	}
	return interval{Lo: 0, Hi: 1}
}
