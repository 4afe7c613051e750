package bitblast

// Exponents, normalisation and rounding. Idea, source and cost are in float.go.

import (
	"math/bits"

	"magus/smt/sat"
	"magus/smt/softfloat"
)

// An exponent is a signed word to which a constant is added. Where the value it
// belongs to is finite and not 0, it lies between lo and hi.
type exponent struct {
	w      word
	off    int
	lo, hi int
}

// signedWidth is the number of bits of two's complement that hold lo to hi.
func signedWidth(lo, hi int) int {
	return 1 + max(bits.Len(uint(max(hi, 0))), bits.Len(uint(max(-lo-1, 0))))
}

// plus is a + b + carry.
func (n *netlist) plus(a, b exponent, carry sat.Lit) exponent {
	r := exponent{off: a.off + b.off, lo: a.lo + b.lo, hi: a.hi + b.hi}
	if carry != litFalse {
		r.hi++
	}
	w := max(len(a.w), len(b.w)) + 1
	r.w = n.add(extend(a.w, w, true), extend(b.w, w, true), carry)
	return r
}

// minus is a - b.
func (n *netlist) minus(a, b exponent) exponent {
	w := max(len(a.w), len(b.w)) + 1
	d := n.add(extend(a.w, w, true), invert(extend(b.w, w, true)), litTrue)
	return exponent{d, a.off - b.off, a.lo - b.hi, a.hi - b.lo}
}

// offset is a + k.
func (a exponent) offset(k int) exponent { return exponent{a.w, a.off + k, a.lo + k, a.hi + k} }

// exact is a's value as a word that holds lo to hi and k.
func (n *netlist) exact(a exponent) word {
	k := uint64(a.off)
	w := max(len(a.w), signedWidth(a.off, a.off)) + 1
	return n.add(extend(a.w, w, true), constWord(w, k), litFalse)
}

// above is a > k.
func (n *netlist) above(a exponent, k int) sat.Lit {
	if a.hi <= k {
		return litFalse
	}
	k -= a.off
	w := max(len(a.w), signedWidth(k, k))
	return n.less(constWord(w, uint64(k)), extend(a.w, w, true), true)
}

// normalise moves a word to the left until its highest bit is 1, and tells how far.
// What is 0 goes as far as possible.
func (n *netlist) normalise(a word) (r, zeros word) {
	return n.normaliseWithin(a, nil)
}

// normaliseWithin is normalise, but at most so many places as room, unsigned, says;
// nil is any number.
func (n *netlist) normaliseWithin(a, room word) (r, zeros word) {
	stages := bits.Len(uint(len(a) - 1))
	zeros = constWord(stages, 0)
	for s := stages - 1; s >= 0; s-- {
		by := 1 << s
		move := n.none(a[max(0, len(a)-by):])
		if room != nil {
			move = n.and(move, n.any(room[min(s, len(room)):]))
			room = n.takeOff(room, s, move)
		}
		moved := constWord(len(a), 0)
		copy(moved[min(by, len(a)):], a)
		a, zeros[s] = n.muxWord(move, moved, a), move
	}
	return a, zeros
}

// takeOff is a - 2^s where the condition holds.
func (n *netlist) takeOff(a word, s int, when sat.Lit) word {
	if s >= len(a) {
		return a
	}
	r := append(word{}, a[:s]...)
	minus := make(word, len(a)-s)
	for i := range minus {
		minus[i] = when
	}
	return append(r, n.ripple(a[s:], minus, litFalse)...)
}

// jam moves a word to the right; its last bit then says whether it was 1 or
// something was lost.
func (n *netlist) jam(a, by word) word {
	stages := bits.Len(uint(len(a)))
	lost := word{}
	for s := 0; s < stages && s < len(by); s++ {
		step := min(1<<s, len(a))
		lost = append(lost, n.and(by[s], n.any(a[:step])))
		moved := constWord(len(a), 0)
		copy(moved, a[step:])
		a = n.muxWord(by[s], moved, a)
	}
	if len(by) > stages {
		far := n.any(by[stages:])
		lost = append(lost, n.and(far, n.any(a)))
		a = n.muxWord(far, constWord(len(a), 0), a)
	}
	r := append(word{}, a...)
	r[0] = n.or(r[0], n.any(lost))
	return r
}

// up is whether a magnitude is rounded up; see the function of that name in
// smt/softfloat.
func (n *netlist) up(m softfloat.Mode, neg, odd, half, rest sat.Lit) sat.Lit {
	switch m {
	case softfloat.NearestEven:
		return n.and(half, n.or(rest, odd))
	case softfloat.NearestAway:
		return half
	case softfloat.TowardPositive:
		return n.and(neg.Not(), n.or(half, rest))
	case softfloat.TowardNegative:
		return n.and(neg, n.or(half, rest))
	}
	return litFalse
}

// round packs a significand, normalised, with any number of bits. Numbers below the
// least normal one are moved to the right first.
func (n *netlist) round(f softfloat.Format, m softfloat.Mode, neg sat.Lit, exp exponent, sig word) word {
	least := 1 - f.Bias()
	sig = atLeast(sig, int(f.Prec)+2)
	if exp.lo < least {
		by := n.exact(n.minus(exponent{w: constWord(1, 0), off: least, lo: least, hi: least}, exp))
		last := len(by) - 1
		for i := range by[:last] {
			by[i] = n.and(by[i], by[last].Not())
		}
		sig = n.jam(sig, by[:last])
	}
	return n.pack(f, m, neg, exp, sig)
}

// atLeast appends zeros at the low end of a significand.
func atLeast(sig word, width int) word {
	if len(sig) >= width {
		return sig
	}
	return append(constWord(width-len(sig), 0), sig...)
}

// roundWithin is round of a significand that is not normalised, the exponent being
// that of the least normal number or more: it is normalised as far as this.
func (n *netlist) roundWithin(f softfloat.Format, m softfloat.Mode, neg sat.Lit, exp exponent, sig word) word {
	sig = atLeast(sig, int(f.Prec)+2)
	room := n.exact(exp.offset(f.Bias() - 1))
	sig, zeros := n.normaliseWithin(sig, room[:len(room)-1])
	exp = n.minus(exp, exponent{append(zeros, litFalse), 0, 0, len(sig) - 1})
	return n.pack(f, m, neg, exp, sig)
}

// pack rounds a significand of two bits more than the precision, or more. It is that of a
// subnormal number, or 0, if it begins with 0.
func (n *netlist) pack(f softfloat.Format, m softfloat.Mode, neg sat.Lit, exp exponent, sig word) word {
	p, e := int(f.Prec), int(f.Exp)
	cut := len(sig) - p
	kept := sig[cut:]
	half, rest := sig[cut-1], n.any(sig[:cut-1])
	normal := kept[p-1]
	biased := extend(n.exact(exp.offset(f.Bias())), e, true)
	magnitude := append(word{}, kept[:p-1]...)
	for _, l := range biased {
		magnitude = append(magnitude, n.and(l, normal))
	}
	up := n.up(m, neg, kept[0], half, rest)
	magnitude = n.ripple(magnitude, constWord(len(magnitude), 0), up)
	tooLarge := n.and(normal, n.above(exp, f.Bias()))
	most := n.muxWord(n.up(m, neg, litTrue, litTrue, litTrue),
		infinity(f), greatest(f))
	return append(n.muxWord(tooLarge, most, magnitude), neg)
}
