package softfloat

// Constants, comparisons and conversions of formats of more than 64 bits; see large.go.

import "math/big"

// Zero is +0.
func (x Large) Zero() Pair { return Pair{} }

// Inf is +∞.
func (x Large) Inf() Pair { return x.pack(integer{kind: kindInfinity}) }

// NaN is the NaN that operations produce.
func (x Large) NaN() Pair { return x.pack(integer{kind: kindNaN}) }

// MinNormal is the least positive number that is not subnormal.
func (x Large) MinNormal() Pair { return pairOf(bit(int(x.Prec) - 1)) }

// Neg is -a, of a NaN too.
func (x Large) Neg(a Pair) Pair {
	v := a.whole()
	return pairOf(v.Xor(v, bit(Format(x).Width()-1)))
}

// IsNaN reports whether a is no number.
func (x Large) IsNaN(a Pair) bool { return x.unpack(a).kind >= kindNaN }

// IsFinite reports whether a is a number and no infinity.
func (x Large) IsFinite(a Pair) bool { return x.unpack(a).kind <= kindFinite }

// numbers reports whether neither is a NaN, and what the order of others is: below 0 where a is the lesser one.
func (x Large) numbers(a, b Pair) (order int, ok, signaling bool) {
	p, q := x.unpack(a), x.unpack(b)
	if p.kind >= kindNaN || q.kind >= kindNaN {
		return 0, false, p.kind == kindSignaling || q.kind == kindSignaling
	}
	place := func(v Pair, neg bool) *big.Int {
		n := v.whole()
		if n.SetBit(n, Format(x).Width()-1, 0); neg {
			n.Neg(n)
		}
		return n
	}
	return place(a, p.neg).Cmp(place(b, q.neg)), true, false
}

// Eq is a == b, false where one is a NaN.
func (x Large) Eq(a, b Pair) (bool, Flags) {
	order, ok, signaling := x.numbers(a, b)
	if signaling {
		return false, Invalid
	}
	return ok && order == 0, 0
}

// Lt is a < b, false where one is a NaN, which raises [Invalid].
func (x Large) Lt(a, b Pair) (bool, Flags) {
	order, ok, _ := x.numbers(a, b)
	if !ok {
		return false, Invalid
	}
	return order < 0, 0
}

// Le is a <= b, false where one is a NaN, which raises [Invalid].
func (x Large) Le(a, b Pair) (bool, Flags) {
	order, ok, _ := x.numbers(a, b)
	if !ok {
		return false, Invalid
	}
	return order <= 0, 0
}

// narrow is a number in a format of fewer bits.
func (a integer) narrow(to Format, m Mode) (operand, Flags) {
	if a.kind != kindFinite {
		return operand{kind: a.kind, neg: a.neg}.in(to, m)
	}
	words := pairOf(a.sig)
	return to.round(m, a.neg, a.exp, wide{words.High, words.Low})
}

// Convert is a in a format of up to 64 bits.
func (x Large) Convert(m Mode, to Format, a Pair) (uint64, Flags) {
	return to.packed(x.unpack(a).narrow(to, m))
}

// ToExplicit is a in a format with an explicit leading bit.
func (x Large) ToExplicit(m Mode, to Explicit, a Pair) (Pair, Flags) {
	return to.packed(x.unpack(a).narrow(to.Numbers(), m))
}

// widen is a number of a format of fewer bits.
func (x Large) widen(m Mode, a operand) (Pair, Flags) {
	if a.kind != kindFinite {
		r, flags := a.in(Format(x), m)
		return x.packed(special(integer{}, r, flags))
	}
	return x.packed(x.round(m, a.neg, a.exp, new(big.Int).SetUint64(a.sig), false))
}

// From is a, a value of a format of up to 64 bits, in the format x.
func (x Large) From(m Mode, from Format, a uint64) (Pair, Flags) { return x.widen(m, from.unpack(a)) }

// FromExplicit is a value of a format with an explicit leading bit in the format x.
func (x Large) FromExplicit(m Mode, from Explicit, a Pair) (Pair, Flags) {
	return x.widen(m, from.unpack(a))
}

// FromInt is the integer v of the type from in the format.
func (x Large) FromInt(m Mode, from Int, v uint64) (Pair, Flags) {
	unused := 64 - from.Width
	neg := from.Signed && v>>(from.Width-1)&1 == 1
	if v = v << unused >> unused; neg {
		v = -(v | ^(^uint64(0) >> unused))
	}
	return x.packed(x.round(m, neg, 0, new(big.Int).SetUint64(v), false))
}

// ToInt is the integer that a is rounded to; see [Format.ToInt].
func (x Large) ToInt(m Mode, to Int, a Pair) (uint64, bool, Flags) {
	p := x.unpack(a)
	switch {
	case p.kind == kindZero:
		return 0, true, 0
	case p.kind != kindFinite || p.exp > 64:
		return 0, false, Invalid
	}
	n, inexact := m.cutInteger(p.neg, p.sig, -p.exp, false)
	least, most := new(big.Int), bit(int(to.Width))
	if to.Signed {
		most.Rsh(most, 1)
		least.Neg(most)
	}
	if p.neg {
		n.Neg(n)
	}
	if n.Cmp(least) < 0 || n.Cmp(most) >= 0 {
		return 0, false, Invalid
	}
	v := new(big.Int).And(n, lowWord()).Uint64() & (^uint64(0) >> (64 - to.Width))
	if inexact {
		return v, true, Inexact
	}
	return v, true, 0
}

// IntRange are the least and the greatest value that [Large.ToInt] converts: all between them are converted too.
func (x Large) IntRange(m Mode, to Int) (least, most Pair) {
	return x.farthest(m, to, true), x.farthest(m, to, false)
}

// farthest is the value of a sign with the greatest magnitude that is converted: its bits are found one by one.
func (x Large) farthest(m Mode, to Int, neg bool) Pair {
	v, width := new(big.Int), Format(x).Width()
	if neg {
		v.SetBit(v, width-1, 1)
	}
	for i := width - 2; i >= 0; i-- {
		v.SetBit(v, i, 1)
		if _, ok, _ := x.ToInt(m, to, pairOf(v)); !ok {
			v.SetBit(v, i, 0)
		}
	}
	return pairOf(v)
}

// Parse reads a constant of C; see [Format.Parse].
func (x Large) Parse(text string, m Mode) (Pair, Flags, error) {
	n, err := read(text)
	if err != nil || n.kind != kindFinite {
		return x.pack(integer{kind: n.kind, neg: n.neg}), 0, err
	}
	r, flags := x.ratio(m, n.neg, n.num, n.den)
	return x.pack(r), flags, nil
}

// FromRat is the rational number r in the format; a zero is +0.
func (x Large) FromRat(m Mode, r *big.Rat) (Pair, Flags) {
	return x.packed(x.ratio(m, r.Sign() < 0, new(big.Int).Abs(r.Num()), r.Denom()))
}

// ratio is num / den, neither negative.
func (x Large) ratio(m Mode, neg bool, num, den *big.Int) (integer, Flags) {
	if num.Sign() == 0 {
		return integer{kind: kindZero, neg: neg}, 0
	}
	more := max(0, int(x.Prec)+3+den.BitLen()-num.BitLen())
	n, rest := new(big.Int).QuoRem(new(big.Int).Lsh(num, uint(more)), den, new(big.Int))
	return x.round(m, neg, -more, n, rest.Sign() != 0)
}

// Rat is the value of a finite number.
func (x Large) Rat(a Pair) *big.Rat { return x.unpack(a).rat() }

func (a integer) rat() *big.Rat {
	if a.kind == kindZero {
		return new(big.Rat)
	}
	r := new(big.Rat).SetInt(a.sig)
	if a.neg {
		r.Neg(r)
	}
	scale := new(big.Rat).SetInt(bit(max(a.exp, -a.exp)))
	if a.exp < 0 {
		return r.Quo(r, scale)
	}
	return r.Mul(r, scale)
}

// Text is the shortest decimal text that is read as a; see [Format.Text].
func (x Large) Text(a Pair) string {
	p, sign := x.unpack(a), ""
	if p.neg {
		a, sign = x.Neg(a), "-"
	}
	p.neg = false
	if text, ok := p.operand().special(); ok {
		return sign + text
	}
	return sign + shortest(p.rat(), func(text string) bool {
		v, _, err := x.Parse(text, NearestEven)
		return err == nil && v == a
	})
}

// Hex is the exact hexadecimal text of a: 0x1.999999999999999999999999999ap-4.
func (x Large) Hex(a Pair) string {
	p := x.unpack(a)
	if p.kind != kindFinite {
		return x.Text(a)
	}
	top := p.sig.BitLen() - 1
	fraction := new(big.Int).Sub(p.sig, bit(top))
	fraction.Lsh(fraction, uint(-top)&3)
	return hexText(p.neg, fraction.Text(16), (top+3)/4, p.exp+top)
}
