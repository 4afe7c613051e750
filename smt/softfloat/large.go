package softfloat

// Formats of more than 64 bits whose leading bit is not stored, as quad is.
//
// Idea: a value is a pair of words. An operation takes the significands as integers of any size, computes the result
// exactly, or to a few bits more than the precision with a mark that something below was lost, and rounds once. What it
// gives for zeros, infinities and NaNs is what the operation of an ordinary format gives for them.
//
// Source: IEEE 754-2019. Rejected: significands of two words as those of [Format] are of one, which would be faster:
// only constants and replayed runs compute here. Cost: linear in the difference of the exponents, at most 2^15 bits
// for quad.

import "math/big"

// A Large is a format of up to 128 bits with a leading bit that is not stored.
type Large struct {
	Exp  uint8 // bits of the exponent, 2 to 15
	Prec uint8 // bits of the significand, with the one that is not stored; 3 to 113
}

// Quad is binary128: _Float128 of C.
var Quad = Large{15, 113}

// An integer is a value taken apart. A finite one is sig · 2^exp, negated if neg is set, sig above 0; of others exp
// and sig have no meaning.
type integer struct {
	kind kind
	neg  bool
	exp  int
	sig  *big.Int
}

// Numbers is the format as one of values of any width.
func (x Large) Numbers() Format { return Format(x) }

// SignBit is the sign's bit in the high word of a format of 128 bits.
func (x Large) SignBit() uint64 { return 1 << 63 }

func (x Large) bias() int { return Format(x).Bias() }

// least is the exponent of the last bit of subnormal numbers.
func (x Large) least() int { return 2 - x.bias() - int(x.Prec) }

// whole is a pair as one number.
func (a Pair) whole() *big.Int {
	v := new(big.Int).SetUint64(a.High)
	return v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(a.Low))
}

// pairOf are the words of a number below 2^128.
func pairOf(v *big.Int) Pair {
	return Pair{new(big.Int).Rsh(v, 64).Uint64(), new(big.Int).And(v, lowWord()).Uint64()}
}

// bit is 2^n.
func bit(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

func (x Large) unpack(a Pair) integer {
	v, places := a.whole(), int(x.Prec)-1
	r := integer{kind: kindFinite, neg: v.Bit(int(x.Exp)+places) == 1}
	biased := new(big.Int).Rsh(v, uint(places)).Uint64() & Format(x).expMax()
	r.sig = v.And(v, new(big.Int).Sub(bit(places), big.NewInt(1)))
	switch {
	case biased == Format(x).expMax() && r.sig.Sign() == 0:
		r.kind = kindInfinity
	case biased == Format(x).expMax():
		r.kind = kindNaN
		if r.sig.Bit(places-1) == 0 {
			r.kind = kindSignaling
		}
	case biased == 0 && r.sig.Sign() == 0:
		r.kind = kindZero
	case biased == 0:
		r.exp = x.least()
	default:
		r.sig.SetBit(r.sig, places, 1)
		r.exp = x.least() + int(biased) - 1
	}
	return r
}

func (x Large) pack(r integer) Pair {
	places := int(x.Prec) - 1
	most := new(big.Int).SetUint64(Format(x).expMax())
	v := new(big.Int)
	switch r.kind {
	case kindZero:
	case kindInfinity:
		v.Lsh(most, uint(places))
	case kindNaN, kindSignaling:
		v.Lsh(most, uint(places))
		v.SetBit(v, places-1, 1)
	default:
		last := max(r.exp+r.sig.BitLen()-int(x.Prec), x.least())
		v.Lsh(r.sig, uint(r.exp-last))
		if v.BitLen() > places { // the leading bit counts as one more of the exponent
			v.Add(v, new(big.Int).Lsh(big.NewInt(int64(last-x.least())), uint(places)))
		}
	}
	if r.neg {
		v.SetBit(v, int(x.Exp)+places, 1)
	}
	return pairOf(v)
}

func (x Large) packed(r integer, flags Flags) (Pair, Flags) { return x.pack(r), flags }

// operand is what an operation has to know of a value that is 0, an infinity or a NaN.
func (a integer) operand() operand { return operand{kind: a.kind, neg: a.neg, sig: 1 << 63} }

func (a integer) isNumber() bool { return a.kind == kindFinite }

// special is the result of an operation one of whose operands is 0, an infinity or a NaN; a finite one is handed on.
func special(finite integer, r operand, flags Flags) (integer, Flags) {
	if r.kind == kindFinite {
		return finite, flags
	}
	return integer{kind: r.kind, neg: r.neg}, flags
}

// signed is the number without its exponent.
func (a integer) signed(above int) *big.Int {
	v := new(big.Int)
	if a.kind != kindFinite {
		return v
	}
	if v.Lsh(a.sig, uint(a.exp-above)); a.neg {
		v.Neg(v)
	}
	return v
}

// exponent is that of a finite number, and one that matters nothing of 0.
func (a integer) exponent(other int) int {
	if a.kind != kindFinite {
		return other
	}
	return a.exp
}

// cutInteger takes n bits off the end of a number, and rounds; lost says that something was below.
func (m Mode) cutInteger(neg bool, sig *big.Int, n int, lost bool) (kept *big.Int, inexact bool) {
	if n <= 0 {
		return new(big.Int).Lsh(sig, uint(-n)), lost
	}
	kept = new(big.Int).Rsh(sig, uint(n))
	half := sig.Bit(n-1) == 1
	rest := lost || sig.Sign() != 0 && int(sig.TrailingZeroBits()) < n-1
	if m.up(neg, kept.Bit(0) == 1, half, rest) {
		kept.Add(kept, big.NewInt(1))
	}
	return kept, half || rest
}

// round is the value of sig · 2^exp, negated if neg is set, in the format; lost says that something was below, and then
// sig has more bits than the precision.
func (x Large) round(m Mode, neg bool, exp int, sig *big.Int, lost bool) (integer, Flags) {
	if sig.Sign() == 0 {
		return integer{kind: kindZero, neg: neg}, 0
	}
	p, top := int(x.Prec), exp+sig.BitLen()-1
	last := max(top-p+1, x.least())
	kept, inexact := m.cutInteger(neg, sig, last-exp, lost)
	if kept.BitLen() > p { // it is 2^p
		kept, last = kept.Rsh(kept, 1), last+1
	}
	tiny := top < 1-x.bias()
	if top == -x.bias() { // it may become the least normal number where the exponent has no bound
		unbounded, _ := m.cutInteger(neg, sig, top-p+1-exp, lost)
		tiny = unbounded.BitLen() <= p
	}
	var flags Flags
	if inexact {
		flags = Inexact
		if tiny {
			flags |= Underflow
		}
	}
	switch {
	case kept.Sign() == 0:
		return integer{kind: kindZero, neg: neg}, flags
	case last+kept.BitLen()-1 > x.bias():
		return x.overflow(m, neg), Overflow | Inexact
	}
	return integer{kindFinite, neg, last, kept}, flags
}

// overflow is what stands for a number that is too large.
func (x Large) overflow(m Mode, neg bool) integer {
	if Format(x).overflow(m, neg).kind == kindInfinity {
		return integer{kind: kindInfinity, neg: neg}
	}
	most := new(big.Int).Sub(bit(int(x.Prec)), big.NewInt(1))
	return integer{kindFinite, neg, x.bias() - int(x.Prec) + 1, most}
}

// exactly is the sum of numbers whose exponent is exp, a zero being one of a sum or of two zeros.
func (x Large) exactly(m Mode, exp int, zero operand, a, b *big.Int) (integer, Flags) {
	total := new(big.Int).Add(a, b)
	if total.Sign() == 0 {
		return integer{kind: kindZero, neg: zero.neg}, 0
	}
	neg := total.Sign() < 0
	return x.round(m, neg, exp, total.Abs(total), false)
}

// Add is a + b.
func (x Large) Add(m Mode, a, b Pair) (Pair, Flags) {
	p, q := x.unpack(a), x.unpack(b)
	if !p.isNumber() || !q.isNumber() {
		finite := p
		if q.isNumber() {
			finite = q
		}
		r, flags := Format(x).add(m, p.operand(), q.operand())
		return x.packed(special(finite, r, flags))
	}
	exp := min(p.exp, q.exp)
	return x.packed(x.exactly(m, exp, zeroSum(m, p.neg, q.neg), p.signed(exp), q.signed(exp)))
}

// Mul is a · b.
func (x Large) Mul(m Mode, a, b Pair) (Pair, Flags) {
	p, q := x.unpack(a), x.unpack(b)
	if !p.isNumber() || !q.isNumber() {
		r, flags := Format(x).mul(m, p.operand(), q.operand())
		return x.packed(special(p, r, flags))
	}
	return x.packed(x.round(m, p.neg != q.neg, p.exp+q.exp, new(big.Int).Mul(p.sig, q.sig), false))
}

// Div is a / b.
func (x Large) Div(m Mode, a, b Pair) (Pair, Flags) {
	p, q := x.unpack(a), x.unpack(b)
	if !p.isNumber() || !q.isNumber() {
		r, flags := Format(x).div(m, p.operand(), q.operand())
		return x.packed(special(p, r, flags))
	}
	more := max(0, int(x.Prec)+3+q.sig.BitLen()-p.sig.BitLen())
	n, rest := new(big.Int).QuoRem(new(big.Int).Lsh(p.sig, uint(more)), q.sig, new(big.Int))
	return x.packed(x.round(m, p.neg != q.neg, p.exp-more-q.exp, n, rest.Sign() != 0))
}

// Fma is a · b + c, rounded once.
func (x Large) Fma(m Mode, a, b, c Pair) (Pair, Flags) {
	p, q, r := x.unpack(a), x.unpack(b), x.unpack(c)
	if !p.isNumber() || !q.isNumber() || r.kind > kindFinite {
		v, flags := Format(x).fma(m, p.operand(), q.operand(), r.operand())
		return x.packed(special(r, v, flags))
	}
	product := integer{kindFinite, p.neg != q.neg, p.exp + q.exp, new(big.Int).Mul(p.sig, q.sig)}
	exp := min(product.exp, r.exponent(product.exp))
	return x.packed(x.exactly(m, exp, zeroSum(m, product.neg, r.neg), product.signed(exp), r.signed(exp)))
}

// Sqrt is the square root of a.
func (x Large) Sqrt(m Mode, a Pair) (Pair, Flags) {
	p := x.unpack(a)
	if !p.isNumber() || p.neg {
		r, flags := Format(x).sqrt(m, p.operand())
		return x.packed(special(p, r, flags))
	}
	more := max(0, 2*int(x.Prec)+6-p.sig.BitLen())
	if (p.exp-more)%2 != 0 {
		more++
	}
	radicand := new(big.Int).Lsh(p.sig, uint(more))
	root := new(big.Int).Sqrt(radicand)
	lost := new(big.Int).Mul(root, root).Cmp(radicand) != 0
	return x.packed(x.round(m, false, (p.exp-more)/2, root, lost))
}

// Rem is IEEE 754's remainder; see [Format.Rem].
func (x Large) Rem(a, b Pair) (Pair, Flags) { return x.packed(x.remainder(a, b, true)) }

// Mod is the remainder of the truncated quotient, C's fmod.
func (x Large) Mod(a, b Pair) (Pair, Flags) { return x.packed(x.remainder(a, b, false)) }

func (x Large) remainder(a, b Pair, nearest bool) (integer, Flags) {
	p, q := x.unpack(a), x.unpack(b)
	if !p.isNumber() || !q.isNumber() {
		r, flags := Format(x).remainder(p.operand(), q.operand(), nearest)
		return special(p, r, flags)
	}
	exp := min(p.exp, q.exp)
	by := new(big.Int).Lsh(q.sig, uint(q.exp-exp))
	n, r := new(big.Int).QuoRem(new(big.Int).Lsh(p.sig, uint(p.exp-exp)), by, new(big.Int))
	neg := p.neg
	if c := new(big.Int).Lsh(r, 1).Cmp(by); nearest && (c > 0 || c == 0 && n.Bit(0) == 1) {
		r, neg = r.Sub(by, r), !neg
	}
	if r.Sign() == 0 {
		return integer{kind: kindZero, neg: p.neg}, 0
	}
	return x.round(NearestEven, neg, exp, r, false)
}

// RoundToIntegral is the integer that a is rounded to, with a's sign where that is 0.
func (x Large) RoundToIntegral(m Mode, a Pair) (Pair, Flags) {
	p := x.unpack(a)
	if !p.isNumber() {
		r, flags := Format(x).integral(m, p.operand())
		return x.packed(special(p, r, flags))
	}
	if p.exp >= 0 {
		return x.pack(p), 0
	}
	n, inexact := m.cutInteger(p.neg, p.sig, -p.exp, false)
	r, flags := x.round(NearestEven, p.neg, 0, n, false) // exact, unless the greatest number has a fraction
	if inexact {
		flags |= Inexact
	}
	return x.pack(r), flags
}
