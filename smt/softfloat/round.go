package softfloat

// Unpacking and rounding, which all operations share.
//
// Idea: an operation computes a significand of 128 bits that is exact but for
// its last bit, which is set where something below it was lost ("jamming"). The
// precision is at most 60, so that this bit is never the one that decides a tie.
//
// Source: J. Hauser, Berkeley SoftFloat (the technique of the jammed bit); IEEE
// 754-2019, 4.3 and 7.4 to 7.6. Cost: constant.

import "math/bits"

// A number is sig · 2^exp, negated if neg is set. A sig that is not 0 has its
// top bit set.
type number struct {
	neg bool
	exp int
	sig uint64
}

// unpack reads a finite value.
func (f Format) unpack(a uint64) number {
	n := number{neg: f.IsNegative(a), sig: a & f.fractionMask()}
	biased := int(a >> f.fractionBits() & f.expMax())
	if biased == 0 {
		biased = 1
	} else {
		n.sig |= 1 << f.fractionBits()
	}
	if n.sig == 0 {
		return n
	}
	shift := bits.LeadingZeros64(n.sig)
	n.sig <<= shift
	n.exp = biased - f.Bias() - int(f.fractionBits()) - shift
	return n
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
func (f Format) round(m Mode, neg bool, exp int, w wide) (uint64, Flags) {
	sign := uint64(0)
	if neg {
		sign = f.SignBit()
	}
	if w.isZero() {
		return sign, 0
	}
	shift := w.leadingZeros()
	w, exp = w.shl(shift), exp-shift
	top := exp + 127 // w · 2^exp is 2^top or more, and less than 2^(top+1)
	least := 1 - f.Bias()
	drop := 128 - int(f.Prec)
	kept, inexact := m.cut(neg, w, drop)
	tiny := top < least && !(top == least-1 && kept>>f.Prec == 1)
	if top < least {
		drop += least - top
		kept, inexact = m.cut(neg, w, drop)
	}
	exp += drop
	if kept>>f.Prec == 1 {
		kept, exp = kept>>1, exp+1
	}
	var flags Flags
	if inexact {
		flags = Inexact
		if tiny {
			flags |= Underflow
		}
	}
	biased := exp + int(f.fractionBits()) + f.Bias()
	if biased >= int(f.expMax()) {
		return sign | f.overflow(m, neg), Overflow | Inexact
	}
	if kept>>f.fractionBits() == 0 {
		return sign | kept, flags
	}
	return sign | uint64(biased)<<f.fractionBits() | kept&f.fractionMask(), flags
}

// overflow is the magnitude of what is too large for the format.
func (f Format) overflow(m Mode, neg bool) uint64 {
	if m == TowardZero || m == TowardPositive && neg || m == TowardNegative && !neg {
		return f.Max()
	}
	return f.Inf()
}
