package softfloat

// Comparisons and conversions, of operands that are taken apart. Cost: constant.

// less is a < b for numbers.
func (a operand) less(b operand) bool {
	switch {
	case a.kind == kindZero && b.kind == kindZero:
		return false
	case a.kind == kindZero:
		return !b.neg
	case b.kind == kindZero || a.neg != b.neg:
		return a.neg
	case a.neg:
		return b.below(a)
	}
	return a.below(b)
}

// below is |a| < |b|, neither being 0.
func (a operand) below(b operand) bool {
	switch {
	case a.kind != b.kind:
		return b.kind == kindInfinity
	case a.exp != b.exp:
		return a.exp < b.exp
	}
	return a.sig < b.sig
}

// same is a == b for numbers.
func (a operand) same(b operand) bool { return a == b || a.kind == kindZero && b.kind == kindZero }

// in is a number in a format.
func (a operand) in(to Format, m Mode) (operand, Flags) {
	switch {
	case a.isNaN():
		return propagated(a)
	case a.kind == kindInfinity:
		return a, 0
	}
	return to.round(m, a.neg, a.exp, wide{0, a.sig})
}

func (f Format) integral(m Mode, x operand) (operand, Flags) {
	switch {
	case x.isNaN():
		return propagated(x)
	case x.kind != kindFinite || x.exp >= 0:
		return x, 0
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

// whole is the integer that x is rounded to. It reports false, and gives 0 and
// [Invalid], where the type does not have this integer.
func (to Int) whole(m Mode, x operand) (uint64, bool, Flags) {
	if x.kind > kindFinite {
		return 0, false, Invalid
	}
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

// rounded is the integer v of the type from in the format.
func (f Format) rounded(m Mode, from Int, v uint64) (operand, Flags) {
	unused := 64 - from.Width
	neg := from.Signed && v>>(from.Width-1)&1 == 1
	if v = v << unused >> unused; neg {
		v = -(v | ^(^uint64(0) >> unused))
	}
	return f.round(m, neg, 0, wide{0, v})
}
