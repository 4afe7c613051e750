package softfloat

// Comparisons and conversions. Cost: constant.

// Eq is a == b, false where one is a NaN.
func (f Format) Eq(a, b uint64) (bool, Flags) {
	if f.IsNaN(a) || f.IsNaN(b) {
		_, flags := f.nan(a, b)
		return false, flags
	}
	return a == b || f.IsZero(a) && f.IsZero(b), 0
}

// Lt is a < b, false where one is a NaN, which raises [Invalid].
func (f Format) Lt(a, b uint64) (bool, Flags) {
	if f.IsNaN(a) || f.IsNaN(b) {
		return false, Invalid
	}
	return f.order(a) < f.order(b), 0
}

// Le is a <= b, false where one is a NaN, which raises [Invalid].
func (f Format) Le(a, b uint64) (bool, Flags) {
	if f.IsNaN(a) || f.IsNaN(b) {
		return false, Invalid
	}
	return f.order(a) <= f.order(b), 0
}

// order maps numbers to integers of the same order, both zeros to 0.
func (f Format) order(a uint64) int64 {
	if f.IsNegative(a) {
		return -int64(f.Abs(a))
	}
	return int64(a)
}

// Convert is a, a value of f, in another format.
func (f Format) Convert(m Mode, to Format, a uint64) (uint64, Flags) {
	neg := f.IsNegative(a)
	switch {
	case f.IsNaN(a):
		_, flags := f.nan(a)
		return to.NaN(), flags
	case f.IsInf(a):
		return to.signed(neg, to.Inf()), 0
	}
	x := f.unpack(a)
	return to.round(m, neg, x.exp, wide{0, x.sig})
}

// RoundToIntegral is the integer that a is rounded to, with a's sign where that
// is 0.
func (f Format) RoundToIntegral(m Mode, a uint64) (uint64, Flags) {
	switch {
	case f.IsNaN(a):
		return f.nan(a)
	case f.IsInf(a), f.IsZero(a):
		return a, 0
	}
	x := f.unpack(a)
	if x.exp >= 0 {
		return a, 0
	}
	n, inexact := m.cut(x.neg, wide{0, x.sig}, -x.exp)
	r, flags := f.round(NearestEven, x.neg, 0, wide{0, n}) // exact, unless the greatest number has a fraction
	if inexact {
		flags |= Inexact
	}
	return r, flags
}

// An Int is a type of integers: two's complement of 1 to 64 bits, or unsigned.
type Int struct {
	Width  uint8
	Signed bool
}

// ToInt is the integer that a is rounded to. It reports false, and gives 0 and
// [Invalid], where the type does not have this integer.
func (f Format) ToInt(m Mode, to Int, a uint64) (uint64, bool, Flags) {
	if !f.IsFinite(a) {
		return 0, false, Invalid
	}
	x := f.unpack(a)
	n, inexact := uint64(0), false
	switch {
	case x.sig == 0:
	case x.exp > 0:
		return 0, false, Invalid // 2^64 or more
	case x.exp == 0:
		n = x.sig
	default:
		n, inexact = m.cut(x.neg, wide{0, x.sig}, -x.exp)
	}
	mask := ^uint64(0) >> (64 - to.Width)
	most := mask
	switch {
	case to.Signed && x.neg:
		most = mask>>1 + 1
	case to.Signed:
		most = mask >> 1
	case x.neg:
		most = 0
	}
	if n > most {
		return 0, false, Invalid
	}
	if x.neg {
		n = -n
	}
	if inexact {
		return n & mask, true, Inexact
	}
	return n & mask, true, 0
}

// FromInt is the integer v of the type from in the format.
func (f Format) FromInt(m Mode, from Int, v uint64) (uint64, Flags) {
	unused := 64 - from.Width
	neg := from.Signed && v>>(from.Width-1)&1 == 1
	if v = v << unused >> unused; neg {
		v = -(v | ^(^uint64(0) >> unused))
	}
	return f.round(m, neg, 0, wide{0, v})
}

// IntRange are the least and the greatest value that [Format.ToInt] converts: all
// between them are converted too.
func (f Format) IntRange(m Mode, to Int) (least, most uint64) {
	return f.farthest(m, to, f.SignBit()), f.farthest(m, to, 0)
}

// farthest is the value of that sign with the greatest magnitude that is converted.
// The magnitudes that are converted are 0 and all up to some other.
func (f Format) farthest(m Mode, to Int, sign uint64) uint64 {
	lo, hi := uint64(0), f.Inf() // lo is converted, hi is not
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if _, ok, _ := f.ToInt(m, to, sign|mid); ok {
			lo = mid
		} else {
			hi = mid
		}
	}
	return sign | lo
}
