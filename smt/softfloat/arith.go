package softfloat

// The arithmetic operations. Cost: constant, but for Rem and Mod, which take a
// step for each bit of the quotient.

import "math/bits"

// nan is the result where an operand is a NaN.
func (f Format) nan(operands ...uint64) (uint64, Flags) {
	for _, a := range operands {
		if f.IsSignaling(a) {
			return f.NaN(), Invalid
		}
	}
	return f.NaN(), 0
}

func (f Format) invalid() (uint64, Flags) { return f.NaN(), Invalid }

func (f Format) signed(neg bool, magnitude uint64) uint64 {
	if neg {
		return magnitude | f.SignBit()
	}
	return magnitude
}

// Add is a + b.
func (f Format) Add(m Mode, a, b uint64) (uint64, Flags) {
	if f.IsNaN(a) || f.IsNaN(b) {
		return f.nan(a, b)
	}
	switch {
	case f.IsInf(a) && f.IsInf(b) && a != b:
		return f.invalid()
	case f.IsInf(a):
		return a, 0
	case f.IsInf(b):
		return b, 0
	case f.IsZero(a) && f.IsZero(b):
		return f.zeroSum(m, f.IsNegative(a), f.IsNegative(b)), 0
	case f.IsZero(a):
		return b, 0
	case f.IsZero(b):
		return a, 0
	}
	x, y := f.unpack(a), f.unpack(b)
	return f.sum(m, term{x.neg, x.exp - 64, wide{x.sig, 0}}, term{y.neg, y.exp - 64, wide{y.sig, 0}})
}

// Sub is a - b.
func (f Format) Sub(m Mode, a, b uint64) (uint64, Flags) {
	return f.Add(m, a, f.Neg(b)) // where b is a NaN, so is the result, whatever its sign
}

// zeroSum is the sum of two zeros, or of x and -x.
func (f Format) zeroSum(m Mode, a, b bool) uint64 {
	if a && b || a != b && m == TowardNegative {
		return f.SignBit()
	}
	return 0
}

// A term is one of two summands, sig · 2^exp, which is not 0.
type term struct {
	neg bool
	exp int
	sig wide
}

// normal has the second bit from the top set, so that a sum does not overflow.
// Its last bit must be 0, and is for a product of significands of 60 bits.
func (t term) normal() term {
	shift := t.sig.leadingZeros() - 1
	if shift < 0 {
		return term{t.neg, t.exp + 1, t.sig.shr(1)}
	}
	return term{t.neg, t.exp - shift, t.sig.shl(shift)}
}

func (f Format) sum(m Mode, x, y term) (uint64, Flags) {
	x, y = x.normal(), y.normal()
	if x.exp < y.exp || x.exp == y.exp && x.sig.less(y.sig) {
		x, y = y, x
	}
	y.sig = y.sig.jam(x.exp - y.exp)
	if x.neg == y.neg {
		return f.round(m, x.neg, x.exp, x.sig.add(y.sig))
	}
	d := x.sig.sub(y.sig)
	if d.isZero() {
		return f.zeroSum(m, x.neg, y.neg), 0
	}
	return f.round(m, x.neg, x.exp, d)
}

// Mul is a · b.
func (f Format) Mul(m Mode, a, b uint64) (uint64, Flags) {
	neg := f.IsNegative(a) != f.IsNegative(b)
	switch {
	case f.IsNaN(a) || f.IsNaN(b):
		return f.nan(a, b)
	case f.IsInf(a) && f.IsZero(b) || f.IsZero(a) && f.IsInf(b):
		return f.invalid()
	case f.IsInf(a) || f.IsInf(b):
		return f.signed(neg, f.Inf()), 0
	case f.IsZero(a) || f.IsZero(b):
		return f.signed(neg, 0), 0
	}
	x, y := f.unpack(a), f.unpack(b)
	hi, lo := bits.Mul64(x.sig, y.sig)
	return f.round(m, neg, x.exp+y.exp, wide{hi, lo})
}

// Div is a / b.
func (f Format) Div(m Mode, a, b uint64) (uint64, Flags) {
	neg := f.IsNegative(a) != f.IsNegative(b)
	switch {
	case f.IsNaN(a) || f.IsNaN(b):
		return f.nan(a, b)
	case f.IsInf(a) && f.IsInf(b) || f.IsZero(a) && f.IsZero(b):
		return f.invalid()
	case f.IsInf(a):
		return f.signed(neg, f.Inf()), 0
	case f.IsInf(b) || f.IsZero(a):
		return f.signed(neg, 0), 0
	case f.IsZero(b):
		return f.signed(neg, f.Inf()), DivideByZero
	}
	x, y := f.unpack(a), f.unpack(b)
	q, r := bits.Div64(x.sig>>1, x.sig<<63, y.sig)
	return f.round(m, neg, x.exp-y.exp-63-64, wide{q, sticky(r != 0)})
}

func sticky(lost bool) uint64 {
	if lost {
		return 1
	}
	return 0
}

// Fma is a · b + c, rounded once.
func (f Format) Fma(m Mode, a, b, c uint64) (uint64, Flags) {
	neg := f.IsNegative(a) != f.IsNegative(b)
	switch {
	case f.IsNaN(a) || f.IsNaN(b) || f.IsNaN(c):
		return f.nan(a, b, c)
	case f.IsInf(a) && f.IsZero(b) || f.IsZero(a) && f.IsInf(b):
		return f.invalid()
	case f.IsInf(a) || f.IsInf(b):
		if f.IsInf(c) && f.IsNegative(c) != neg {
			return f.invalid()
		}
		return f.signed(neg, f.Inf()), 0
	case f.IsInf(c):
		return c, 0
	case (f.IsZero(a) || f.IsZero(b)) && f.IsZero(c):
		return f.zeroSum(m, neg, f.IsNegative(c)), 0
	case f.IsZero(a) || f.IsZero(b):
		return c, 0
	}
	x, y := f.unpack(a), f.unpack(b)
	hi, lo := bits.Mul64(x.sig, y.sig)
	if f.IsZero(c) {
		return f.round(m, neg, x.exp+y.exp, wide{hi, lo})
	}
	z := f.unpack(c)
	return f.sum(m, term{neg, x.exp + y.exp, wide{hi, lo}}, term{z.neg, z.exp - 64, wide{z.sig, 0}})
}

// Sqrt is the square root of a.
func (f Format) Sqrt(m Mode, a uint64) (uint64, Flags) {
	switch {
	case f.IsNaN(a):
		return f.nan(a)
	case f.IsZero(a):
		return a, 0
	case f.IsNegative(a):
		return f.invalid()
	case f.IsInf(a):
		return a, 0
	}
	x := f.unpack(a)
	if x.exp&1 != 0 {
		x.sig, x.exp = x.sig>>1, x.exp+1
	}
	root := uint64(0) // the greatest with root² <= sig · 2^64
	var square wide
	for bit := uint64(1) << 63; bit != 0; bit >>= 1 {
		hi, lo := bits.Mul64(root|bit, root|bit)
		if s := (wide{hi, lo}); !(wide{x.sig, 0}).less(s) {
			root, square = root|bit, s
		}
	}
	rest := sticky(square != wide{x.sig, 0})
	return f.round(m, false, (x.exp-64)/2-64, wide{root, rest})
}

// Rem is IEEE 754's remainder, a - b · n for the integer n nearest to a / b, the
// even one of two; C's remainder.
func (f Format) Rem(a, b uint64) (uint64, Flags) { return f.remainder(a, b, true) }

// Mod is the remainder of the truncated quotient, C's fmod.
func (f Format) Mod(a, b uint64) (uint64, Flags) { return f.remainder(a, b, false) }

func (f Format) remainder(a, b uint64, nearest bool) (uint64, Flags) {
	switch {
	case f.IsNaN(a) || f.IsNaN(b):
		return f.nan(a, b)
	case f.IsInf(a) || f.IsZero(b):
		return f.invalid()
	case f.IsInf(b) || f.IsZero(a):
		return a, 0
	}
	x, y := f.unpack(a), f.unpack(b)
	if x.exp < y.exp-1 || x.exp < y.exp && !nearest {
		return a, 0
	}
	r, d, exp := x.sig>>2, y.sig>>2, y.exp+2 // the last bits are 0
	if x.exp < y.exp {
		d, exp = d<<1, exp-1
	}
	odd := r >= d
	if odd {
		r -= d
	}
	for range x.exp - y.exp {
		r <<= 1
		if odd = r >= d; odd {
			r -= d
		}
	}
	neg := x.neg
	if nearest && (2*r > d || 2*r == d && odd) {
		r, neg = d-r, !neg
	}
	if r == 0 {
		return f.signed(x.neg, 0), 0
	}
	return f.round(NearestEven, neg, exp, wide{0, r})
}
