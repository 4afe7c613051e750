package softfloat

// Unpacking and rounding, which all operations share.
//
// Idea: an operation computes a significand of 128 bits that is exact but for
// its last bit, which is set where something below it was lost ("jamming"). The
// precision is at most 64, so that this bit is never the one that decides a tie.
//
// Source: J. Hauser, Berkeley SoftFloat (the technique of the jammed bit); IEEE
// 754-2019, 4.3 and 7.4 to 7.6. Cost: constant.

import "math/bits"

// A kind is what a value is.
type kind uint8

const (
	kindZero kind = iota
	kindFinite
	kindInfinity
	kindNaN       // a NaN
	kindSignaling // a NaN that raises [Invalid] when it is used
)

// An operand is a value taken apart. A finite one is sig · 2^exp, negated if neg is set, and the top bit of
// sig is set; of others exp and sig are 0.
type operand struct {
	kind kind
	neg  bool
	exp  int
	sig  uint64
}

func (x operand) isNaN() bool { return x.kind >= kindNaN }

// unpack takes a value apart.
func (f Format) unpack(a uint64) operand {
	x := operand{kind: kindFinite, neg: f.IsNegative(a), sig: a & f.fractionMask()}
	biased := a >> f.fractionBits() & f.expMax()
	switch {
	case biased == f.expMax():
		x.kind, x.sig = kindInfinity, 0
		if f.IsSignaling(a) {
			x.kind = kindSignaling
		} else if f.IsNaN(a) {
			x.kind = kindNaN
		}
		return x
	case biased == 0:
		biased = 1
	default:
		x.sig |= 1 << f.fractionBits()
	}
	return f.normal(x, int(biased))
}

// normal is an operand whose sig is one of f with a biased exponent.
func (f Format) normal(x operand, biased int) operand {
	if x.sig == 0 {
		x.kind = kindZero
		return x
	}
	shift := bits.LeadingZeros64(x.sig)
	x.sig <<= shift
	x.exp = biased - f.Bias() - int(f.fractionBits()) - shift
	return x
}

// parts are the biased exponent and the significand of an operand that is a number of the format, or an
// infinity; a NaN is that of the format.
func (f Format) parts(x operand) (biased, sig uint64) {
	switch x.kind {
	case kindZero:
		return 0, 0
	case kindInfinity:
		return f.expMax(), 1 << f.fractionBits()
	case kindNaN, kindSignaling:
		return f.expMax(), 3 << (f.fractionBits() - 1)
	}
	e := x.exp + 63 + f.Bias()
	sig = x.sig >> (64 - f.Prec)
	if e <= 0 {
		return 0, sig >> (1 - e)
	}
	return uint64(e), sig
}

// packed is a result as a value.
func (f Format) packed(x operand, flags Flags) (uint64, Flags) {
	biased, sig := f.parts(x)
	v := biased<<f.fractionBits() | sig&f.fractionMask()
	if x.neg {
		v |= f.SignBit()
	}
	return v, flags
}

// A wide is a significand of 128 bits.
type wide struct{ hi, lo uint64 }

func (w wide) isZero() bool { return w.hi|w.lo == 0 }

func (w wide) less(v wide) bool { return w.hi < v.hi || w.hi == v.hi && w.lo < v.lo }

func (w wide) add(v wide) wide {
	lo, carry := bits.Add64(w.lo, v.lo, 0)
	hi, _ := bits.Add64(w.hi, v.hi, carry)
	return wide{hi, lo}
}

func (w wide) sub(v wide) wide {
	lo, borrow := bits.Sub64(w.lo, v.lo, 0)
	hi, _ := bits.Sub64(w.hi, v.hi, borrow)
	return wide{hi, lo}
}

func (w wide) leadingZeros() int {
	if w.hi != 0 {
		return bits.LeadingZeros64(w.hi)
	}
	return 64 + bits.LeadingZeros64(w.lo)
}

func (w wide) shl(n int) wide {
	if n >= 64 {
		return wide{w.lo << (n - 64), 0}
	}
	return wide{w.hi<<n | w.lo>>(64-n), w.lo << n}
}

func (w wide) shr(n int) wide {
	if n >= 64 {
		return wide{0, w.hi >> (n - 64)}
	}
	return wide{w.hi >> n, w.lo>>n | w.hi<<(64-n)}
}

// jam shifts to the right and keeps in the last bit whether something was lost.
func (w wide) jam(n int) wide {
	if n == 0 {
		return w
	}
	if n >= 128 {
		if w.isZero() {
			return w
		}
		return wide{0, 1}
	}
	r := w.shr(n)
	if r.shl(n) != w {
		r.lo |= 1
	}
	return r
}

// up reports whether the magnitude of a number between two others becomes the
// greater one: odd is the last bit of the lesser one, half whether what was cut
// off is half a unit or more, rest whether it is something besides this half.
func (m Mode) up(neg, odd, half, rest bool) bool {
	switch m {
	case NearestEven:
		return half && (rest || odd)
	case NearestAway:
		return half
	case TowardPositive:
		return !neg && (half || rest)
	case TowardNegative:
		return neg && (half || rest)
	}
	return false
}

// cut shifts w to the right by n, 1 or more, so that 64 bits or fewer are left,
// and rounds.
func (m Mode) cut(neg bool, w wide, n int) (kept uint64, inexact bool) {
	var half, rest bool
	switch {
	case n > 128:
		rest = !w.isZero()
	case n == 128:
		half = w.hi>>63 == 1
		rest = w.shl(1) != wide{}
	default:
		kept = w.shr(n).lo
		below := w.shl(128 - n)
		half = below.hi>>63 == 1
		rest = below.shl(1) != wide{}
	}
	if m.up(neg, kept&1 == 1, half, rest) {
		kept++
	}
	return kept, half || rest
}

// round is the value of w · 2^exp, negated if neg is set, in the format.
func (f Format) round(m Mode, neg bool, exp int, w wide) (operand, Flags) {
	if w.isZero() {
		return operand{kind: kindZero, neg: neg}, 0
	}
	shift := w.leadingZeros()
	w, exp = w.shl(shift), exp-shift
	top := exp + 127 // w · 2^exp is 2^top or more, and less than 2^(top+1)
	least := 1 - f.Bias()
	drop := 128 - int(f.Prec)
	kept, inexact := m.cut(neg, w, drop)
	carried := kept>>(f.Prec-1) != 1 // kept became 2^Prec, or 0 where that does not fit
	tiny := top < least && !(top == least-1 && carried)
	if top < least {
		drop += least - top
		kept, inexact = m.cut(neg, w, drop)
		carried = false // the precision is less here
	}
	exp += drop
	if carried {
		kept, exp = 1<<f.fractionBits(), exp+1
	}
	var flags Flags
	if inexact {
		flags = Inexact
		if tiny {
			flags |= Underflow
		}
	}
	switch {
	case exp+int(f.fractionBits()) > f.Bias():
		return f.overflow(m, neg), Overflow | Inexact
	case kept == 0:
		return operand{kind: kindZero, neg: neg}, flags
	}
	shift = bits.LeadingZeros64(kept)
	return operand{kindFinite, neg, exp - shift, kept << shift}, flags
}

// overflow is what stands for a number that is too large for the format.
func (f Format) overflow(m Mode, neg bool) operand {
	if m == TowardZero || m == TowardPositive && neg || m == TowardNegative && !neg {
		return operand{kindFinite, neg, f.Bias() - 63, ^uint64(0) << (64 - f.Prec)}
	}
	return operand{kind: kindInfinity, neg: neg}
}
