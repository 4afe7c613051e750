package softfloat

// The arithmetic operations, on operands that are taken apart. Cost: constant, but for remainders, which
// take a step for each bit of the quotient, and fma of 64 bits of precision, which takes as many bits as
// the exponents of its summands are apart.

import (
	"math/big"
	"math/bits"
)

// propagated is the result where an operand is a NaN.
func propagated(operands ...operand) (operand, Flags) {
	for _, a := range operands {
		if a.kind == kindSignaling {
			return operand{kind: kindNaN}, Invalid
		}
	}
	return operand{kind: kindNaN}, 0
}

func invalid() (operand, Flags) { return operand{kind: kindNaN}, Invalid }

func (f Format) add(m Mode, a, b operand) (operand, Flags) {
	switch {
	case a.isNaN() || b.isNaN():
		return propagated(a, b)
	case a.kind == kindInfinity && b.kind == kindInfinity && a.neg != b.neg:
		return invalid()
	case a.kind == kindInfinity:
		return a, 0
	case b.kind == kindInfinity:
		return b, 0
	case a.kind == kindZero && b.kind == kindZero:
		return zeroSum(m, a.neg, b.neg), 0
	case a.kind == kindZero:
		return b, 0
	case b.kind == kindZero:
		return a, 0
	}
	return f.sum(m, a.term(), b.term())
}

// zeroSum is the sum of two zeros, or of x and -x.
func zeroSum(m Mode, a, b bool) operand {
	return operand{kind: kindZero, neg: a && b || a != b && m == TowardNegative}
}

// A term is one of two summands, sig · 2^exp, which is not 0.
type term struct {
	neg bool
	exp int
	sig wide
}

func (x operand) term() term { return term{x.neg, x.exp - 64, wide{x.sig, 0}} }

// normal has the second bit from the top set, so that a sum does not overflow.
// Its last bit must be 0, and is for a product of significands of 60 bits.
func (t term) normal() term {
	shift := t.sig.leadingZeros() - 1
	if shift < 0 {
		return term{t.neg, t.exp + 1, t.sig.shr(1)}
	}
	return term{t.neg, t.exp - shift, t.sig.shl(shift)}
}

func (f Format) sum(m Mode, x, y term) (operand, Flags) {
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
		return zeroSum(m, x.neg, y.neg), 0
	}
	return f.round(m, x.neg, x.exp, d)
}

func (f Format) mul(m Mode, a, b operand) (operand, Flags) {
	neg := a.neg != b.neg
	switch {
	case a.isNaN() || b.isNaN():
		return propagated(a, b)
	case a.kind == kindInfinity && b.kind == kindZero || a.kind == kindZero && b.kind == kindInfinity:
		return invalid()
	case a.kind == kindInfinity || b.kind == kindInfinity:
		return operand{kind: kindInfinity, neg: neg}, 0
	case a.kind == kindZero || b.kind == kindZero:
		return operand{kind: kindZero, neg: neg}, 0
	}
	hi, lo := bits.Mul64(a.sig, b.sig)
	return f.round(m, neg, a.exp+b.exp, wide{hi, lo})
}

func (f Format) div(m Mode, a, b operand) (operand, Flags) {
	neg := a.neg != b.neg
	switch {
	case a.isNaN() || b.isNaN():
		return propagated(a, b)
	case a.kind == kindInfinity && b.kind == kindInfinity || a.kind == kindZero && b.kind == kindZero:
		return invalid()
	case a.kind == kindInfinity:
		return operand{kind: kindInfinity, neg: neg}, 0
	case b.kind == kindInfinity || a.kind == kindZero:
		return operand{kind: kindZero, neg: neg}, 0
	case b.kind == kindZero:
		return operand{kind: kindInfinity, neg: neg}, DivideByZero
	}
	q, r := bits.Div64(a.sig>>1, a.sig<<63, b.sig)
	more, r := bits.Div64(r, 0, b.sig)
	return f.round(m, neg, a.exp-b.exp-63-64, wide{q, more | sticky(r != 0)})
}

func sticky(lost bool) uint64 {
	if lost {
		return 1
	}
	return 0
}

func (f Format) fma(m Mode, a, b, c operand) (operand, Flags) {
	neg := a.neg != b.neg
	switch {
	case a.isNaN() || b.isNaN() || c.isNaN():
		return propagated(a, b, c)
	case a.kind == kindInfinity && b.kind == kindZero || a.kind == kindZero && b.kind == kindInfinity:
		return invalid()
	case a.kind == kindInfinity || b.kind == kindInfinity:
		if c.kind == kindInfinity && c.neg != neg {
			return invalid()
		}
		return operand{kind: kindInfinity, neg: neg}, 0
	case c.kind == kindInfinity:
		return c, 0
	case (a.kind == kindZero || b.kind == kindZero) && c.kind == kindZero:
		return zeroSum(m, neg, c.neg), 0
	case a.kind == kindZero || b.kind == kindZero:
		return c, 0
	}
	hi, lo := bits.Mul64(a.sig, b.sig)
	product := term{neg, a.exp + b.exp, wide{hi, lo}}
	switch {
	case c.kind == kindZero:
		return f.round(m, neg, product.exp, product.sig)
	case f.Prec > 60: // of the sum's 128 bits the last would be one of the product
		return f.exactSum(m, product, c.term())
	}
	return f.sum(m, product, c.term())
}

// exactSum is x + y where neither fits in the bits that sum has for them.
func (f Format) exactSum(m Mode, x, y term) (operand, Flags) {
	exp := min(x.exp, y.exp)
	total := new(big.Int).Add(x.above(exp), y.above(exp))
	if total.Sign() == 0 {
		return zeroSum(m, x.neg, y.neg), 0
	}
	neg := total.Sign() < 0
	total.Abs(total)
	if drop := total.BitLen() - 128; drop > 0 {
		lost := total.TrailingZeroBits() < uint(drop)
		total.Rsh(total, uint(drop))
		total.SetBit(total, 0, total.Bit(0)|uint(sticky(lost)))
		exp += drop
	}
	return f.round(m, neg, exp, wide{new(big.Int).Rsh(total, 64).Uint64(), new(big.Int).And(total, lowWord()).Uint64()})
}

// above is t / 2^exp, which is an integer.
func (t term) above(exp int) *big.Int {
	v := new(big.Int).SetUint64(t.sig.hi)
	v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(t.sig.lo))
	v.Lsh(v, uint(t.exp-exp))
	if t.neg {
		v.Neg(v)
	}
	return v
}

func (f Format) sqrt(m Mode, x operand) (operand, Flags) {
	switch {
	case x.isNaN():
		return propagated(x)
	case x.kind == kindZero:
		return x, 0
	case x.neg:
		return invalid()
	case x.kind == kindInfinity:
		return x, 0
	}
	radicand := wide{x.sig, 0}
	if x.exp&1 != 0 {
		radicand, x.exp = radicand.shr(1), x.exp+1
	}
	root := uint64(0) // the greatest with root² <= radicand
	var square wide
	for bit := uint64(1) << 63; bit != 0; bit >>= 1 {
		hi, lo := bits.Mul64(root|bit, root|bit)
		if s := (wide{hi, lo}); !radicand.less(s) {
			root, square = root|bit, s
		}
	}
	rest := radicand.sub(square)
	below := sticky(!rest.isZero())
	if (wide{0, root}).less(rest) { // (root + 1/2)² is less than the radicand, to which it is never equal
		below |= 1 << 63
	}
	return f.round(m, false, (x.exp-64)/2-64, wide{root, below})
}

// remainder is a - b · n for the quotient n, rounded to the nearest integer, the even one of two, or
// truncated.
func (f Format) remainder(a, b operand, nearest bool) (operand, Flags) {
	switch {
	case a.isNaN() || b.isNaN():
		return propagated(a, b)
	case a.kind == kindInfinity || b.kind == kindZero:
		return invalid()
	case b.kind == kindInfinity || a.kind == kindZero:
		return a, 0
	}
	if a.exp < b.exp-1 || a.exp < b.exp && !nearest {
		return a, 0
	}
	r, d, exp := wide{0, a.sig}, wide{0, b.sig}, b.exp
	if a.exp < b.exp {
		d, exp = d.shl(1), exp-1
	}
	odd := !r.less(d)
	if odd {
		r = r.sub(d)
	}
	for range a.exp - b.exp {
		r = r.shl(1)
		if odd = !r.less(d); odd {
			r = r.sub(d)
		}
	}
	neg := a.neg
	if twice := r.shl(1); nearest && (d.less(twice) || twice == d && odd) {
		r, neg = d.sub(r), !neg
	}
	if r.isZero() {
		return operand{kind: kindZero, neg: a.neg}, 0
	}
	return f.round(NearestEven, neg, exp, r)
}
