package softfloat

// Formats whose values name every bit of the significand, as the 80 bits of the x87 do.
//
// Idea: such a format has the numbers of an ordinary one; only its patterns are others, and too wide for a
// uint64. So a value is a pair, and operations take it apart, use the arithmetic of the ordinary format, and
// put the result together.
//
// Patterns that have no meaning of IEEE 754: an exponent of 0 with the leading bit set is the number that the
// exponent 1 says (a pseudo-denormal); an exponent other than 0 without the leading bit is no number, and
// raises [Invalid] as a signaling NaN does (unnormals, pseudo-infinities, pseudo-NaNs).
//
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 4.2.2 and 8.2.2. Cost: that
// of the operations.

import "math/big"

// An Explicit is a format with an explicit leading bit.
type Explicit struct {
	Exp  uint8 // bits of the exponent, 2 to 15
	Prec uint8 // bits of the significand, 2 to 64
}

// Extended is the format of long double of C on x86: 80 bits.
var Extended = Explicit{15, 64}

// A Pair is a value of an [Explicit] format: the sign and the exponent, and the significand.
type Pair struct{ High, Low uint64 }

// Numbers is the format without an explicit leading bit that has the same numbers. Its values may be too wide
// for a uint64.
func (x Explicit) Numbers() Format { return Format(x) }

// SignBit is the sign's bit in the high word.
func (x Explicit) SignBit() uint64 { return 1 << x.Exp }

func (x Explicit) unpack(a Pair) operand {
	f := x.Numbers()
	biased, leading := a.High&f.expMax(), a.Low>>(x.Prec-1)&1
	r := operand{kind: kindFinite, neg: a.High&x.SignBit() != 0, sig: a.Low}
	switch {
	case biased == 0:
		biased = 1
	case leading == 0:
		return operand{kind: kindSignaling, neg: r.neg}
	case biased != f.expMax():
	case a.Low<<(65-x.Prec) == 0:
		return operand{kind: kindInfinity, neg: r.neg}
	case a.Low>>(x.Prec-2)&1 == 0:
		return operand{kind: kindSignaling, neg: r.neg}
	default:
		return operand{kind: kindNaN, neg: r.neg}
	}
	return f.normal(r, int(biased))
}

func (x Explicit) pack(r operand) Pair {
	high, low := x.Numbers().parts(r)
	if r.neg {
		high |= x.SignBit()
	}
	return Pair{high, low}
}

func (x Explicit) packed(r operand, flags Flags) (Pair, Flags) { return x.pack(r), flags }

// Zero is +0.
func (x Explicit) Zero() Pair { return Pair{} }

// Inf is +∞.
func (x Explicit) Inf() Pair { return x.pack(operand{kind: kindInfinity}) }

// NaN is the NaN that operations produce.
func (x Explicit) NaN() Pair { return x.pack(operand{kind: kindNaN}) }

// MinNormal is the least positive number that is not subnormal.
func (x Explicit) MinNormal() Pair { return Pair{1, 1 << (x.Prec - 1)} }

// Neg is -a, of a NaN too.
func (x Explicit) Neg(a Pair) Pair { return Pair{a.High ^ x.SignBit(), a.Low} }

// IsNaN reports whether a is no number.
func (x Explicit) IsNaN(a Pair) bool { return x.unpack(a).isNaN() }

// IsFinite reports whether a is a number and no infinity.
func (x Explicit) IsFinite(a Pair) bool { return x.unpack(a).kind <= kindFinite }

// Add is a + b.
func (x Explicit) Add(m Mode, a, b Pair) (Pair, Flags) {
	return x.packed(x.Numbers().add(m, x.unpack(a), x.unpack(b)))
}

// Mul is a · b.
func (x Explicit) Mul(m Mode, a, b Pair) (Pair, Flags) {
	return x.packed(x.Numbers().mul(m, x.unpack(a), x.unpack(b)))
}

// Div is a / b.
func (x Explicit) Div(m Mode, a, b Pair) (Pair, Flags) {
	return x.packed(x.Numbers().div(m, x.unpack(a), x.unpack(b)))
}

// Fma is a · b + c, rounded once.
func (x Explicit) Fma(m Mode, a, b, c Pair) (Pair, Flags) {
	return x.packed(x.Numbers().fma(m, x.unpack(a), x.unpack(b), x.unpack(c)))
}

// Sqrt is the square root of a.
func (x Explicit) Sqrt(m Mode, a Pair) (Pair, Flags) {
	return x.packed(x.Numbers().sqrt(m, x.unpack(a)))
}

// Rem is IEEE 754's remainder; see [Format.Rem].
func (x Explicit) Rem(a, b Pair) (Pair, Flags) {
	return x.packed(x.Numbers().remainder(x.unpack(a), x.unpack(b), true))
}

// Mod is the remainder of the truncated quotient, C's fmod.
func (x Explicit) Mod(a, b Pair) (Pair, Flags) {
	return x.packed(x.Numbers().remainder(x.unpack(a), x.unpack(b), false))
}

// RoundToIntegral is the integer that a is rounded to, with a's sign where that is 0.
func (x Explicit) RoundToIntegral(m Mode, a Pair) (Pair, Flags) {
	return x.packed(x.Numbers().integral(m, x.unpack(a)))
}

// Eq is a == b, false where one is a NaN.
func (x Explicit) Eq(a, b Pair) (bool, Flags) {
	p, q := x.unpack(a), x.unpack(b)
	if p.isNaN() || q.isNaN() {
		_, flags := propagated(p, q)
		return false, flags
	}
	return p.same(q), 0
}

// Lt is a < b, false where one is a NaN, which raises [Invalid].
func (x Explicit) Lt(a, b Pair) (bool, Flags) {
	p, q := x.unpack(a), x.unpack(b)
	if p.isNaN() || q.isNaN() {
		return false, Invalid
	}
	return p.less(q), 0
}

// Le is a <= b, false where one is a NaN, which raises [Invalid].
func (x Explicit) Le(a, b Pair) (bool, Flags) {
	p, q := x.unpack(a), x.unpack(b)
	if p.isNaN() || q.isNaN() {
		return false, Invalid
	}
	return !q.less(p), 0
}

// Convert is a in a format of up to 64 bits.
func (x Explicit) Convert(m Mode, to Format, a Pair) (uint64, Flags) {
	return to.packed(x.unpack(a).in(to, m))
}

// From is a, a value of a format of up to 64 bits, in the format x.
func (x Explicit) From(m Mode, from Format, a uint64) (Pair, Flags) {
	return x.packed(from.unpack(a).in(x.Numbers(), m))
}

// ToInt is the integer that a is rounded to; see [Format.ToInt].
func (x Explicit) ToInt(m Mode, to Int, a Pair) (uint64, bool, Flags) {
	return to.whole(m, x.unpack(a))
}

// FromInt is the integer v of the type from in the format.
func (x Explicit) FromInt(m Mode, from Int, v uint64) (Pair, Flags) {
	return x.packed(x.Numbers().rounded(m, from, v))
}

// Parse reads a constant of C; see [Format.Parse].
func (x Explicit) Parse(text string, m Mode) (Pair, Flags, error) {
	r, flags, err := parse(x.Numbers(), text, m)
	return x.pack(r), flags, err
}

// FromRat is the rational number r in the format; a zero is +0.
func (x Explicit) FromRat(m Mode, r *big.Rat) (Pair, Flags) {
	return x.packed(fromRat(x.Numbers(), m, r))
}

// Rat is the value of a finite number.
func (x Explicit) Rat(a Pair) *big.Rat { return x.unpack(a).rat() }

// Text is the shortest decimal text that is read as a; see [Format.Text].
func (x Explicit) Text(a Pair) string { return textOf(x.Numbers(), x.unpack(a)) }

// Hex is the exact hexadecimal text of a: 0x1.99999999999999ap-4.
func (x Explicit) Hex(a Pair) string {
	if r := x.unpack(a); r.kind == kindFinite {
		return r.hex()
	}
	return x.Text(a)
}

// IntRange are the least and the greatest value that [Explicit.ToInt] converts: all between them are
// converted too.
func (x Explicit) IntRange(m Mode, to Int) (least, most Pair) {
	return x.farthest(m, to, x.SignBit()), x.farthest(m, to, 0)
}

// farthest is the value of that sign with the greatest magnitude that is converted: its exponent is searched
// for first.
func (x Explicit) farthest(m Mode, to Int, sign uint64) Pair {
	leading := uint64(1) << (x.Prec - 1)
	converted := func(a Pair) bool {
		_, ok, _ := x.ToInt(m, to, a)
		return ok
	}
	high := last(0, x.Numbers().expMax(), func(e uint64) bool { return e == 0 || converted(Pair{sign | e, leading}) })
	if high == 0 {
		return Pair{sign, last(0, leading, func(s uint64) bool { return converted(Pair{sign, s}) })}
	}
	low := last(0, leading, func(s uint64) bool { return converted(Pair{sign | high, leading | s}) })
	return Pair{sign | high, leading | low}
}

// last is the greatest number from lo on, below hi, for which something holds that holds up to some number,
// lo included.
func last(lo, hi uint64, holds func(uint64) bool) uint64 {
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; holds(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
