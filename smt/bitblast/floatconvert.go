package bitblast

// Conversions. Idea, source and cost are in float.go.

import (
	"magus/smt/expr"
	"magus/smt/sat"
	"magus/smt/softfloat"
)

// convert is a value of one format in another.
func (n *netlist) convert(from, to softfloat.Format, m softfloat.Mode, a word) word {
	x := n.normalised(n.unpack(from, a))
	r := n.round(to, m, x.neg, x.exp, x.sig)
	r = n.muxWord(x.zero, append(constWord(to.Width()-1, 0), x.neg), r)
	return n.choose(to, x.nan, x.inf, x.neg, r)
}

// fromInt is an integer in a format.
func (n *netlist) fromInt(f softfloat.Format, m softfloat.Mode, a word, signed bool) word {
	neg, magnitude := litFalse, append(word{}, a...)
	if signed {
		neg = a[len(a)-1]
		magnitude = n.negIf(neg, extend(a, len(a)+1, true))[:len(a)]
	}
	w := len(magnitude)
	sig, zeros := n.normalise(magnitude)
	exp := n.minus(exponent{w: constWord(1, 0), off: w - 1, lo: w - 1, hi: w - 1},
		exponent{append(zeros, litFalse), 0, 0, w - 1})
	r := n.round(f, m, neg, exp, sig)
	return n.muxWord(n.none(a), constWord(f.Width(), 0), r)
}

// toInt is the integer that a is rounded to; 0 where the type does not have it. The
// significand is put where it would be worth 2^width and moved to the right.
func (n *netlist) toInt(f softfloat.Format, m softfloat.Mode, a word, t expr.Type) word {
	x := n.unpack(f, a)
	width := int(t.Width)
	places := max(2, int(f.Prec)-(width+1)) // after the point
	sig := atLeast(x.sig, width+1+places)
	by := n.exact(n.minus(exponent{w: constWord(1, 0), off: width, lo: width, hi: width}, x.exp))
	last := len(by) - 1
	tooLarge := by[last]
	sig = n.jam(sig, by[:last])
	whole, half, rest := sig[places:], sig[places-1], n.any(sig[:places-1])
	up := n.up(m, x.neg, whole[0], half, rest)
	magnitude := n.ripple(extend(whole, width+2, false), constWord(width+2, 0), up)
	bad := n.or(n.or(tooLarge, n.or(x.nan, x.inf)), n.outside(magnitude, x.neg, t))
	return n.muxWord(bad, constWord(width, 0), n.negIf(x.neg, magnitude)[:width])
}

// outside is whether a type does not have the integer of that magnitude and sign.
func (n *netlist) outside(magnitude word, neg sat.Lit, t expr.Type) sat.Lit {
	w := int(t.Width)
	if !t.Signed {
		return n.mux(neg, n.any(magnitude), n.any(magnitude[w:]))
	}
	least := n.and(n.none(magnitude[:w-1]), n.none(magnitude[w:])) // 2^(w-1), or 0
	return n.and(n.any(magnitude[w-1:]), n.and(neg, least).Not())
}

// roundToIntegral is the integer that a is rounded to, in the same format: the bits
// after the point are cut off the packed value, which is increased at the last place
// before the point. Numbers below 1 become 0 or 1.
func (n *netlist) roundToIntegral(f softfloat.Format, m softfloat.Mode, a word) word {
	x := n.unpack(f, a)
	p, last := int(f.Prec), len(a)-1
	kept := append(word{}, a[:last]...)
	unit := constWord(last, 0)
	half, rest, odd := litFalse, word{}, litFalse
	for k := 1; k < p; k++ { // k bits after the point where the exponent is p-1-k
		cut := n.above(x.exp, p-1-k).Not() // k bits or more
		exactly := n.and(cut, n.above(x.exp, p-2-k))
		kept[k-1] = n.and(kept[k-1], cut.Not())
		unit[k] = exactly
		half = n.or(half, n.and(exactly, x.sig[k-1]))
		odd = n.or(odd, n.and(exactly, x.sig[k]))
		if k > 1 {
			rest = append(rest, n.and(cut, x.sig[k-2]))
		}
	}
	whole := n.above(x.exp, p-2)
	unit[0] = litFalse
	up := n.up(m, x.neg, odd, half, n.any(rest))
	for i := range unit {
		unit[i] = n.and(unit[i], up)
	}
	r := n.ripple(kept, unit, litFalse)

	small := n.above(x.exp, -1).Not() // below 1
	isHalf := n.above(x.exp, -2)      // 1/2 or more
	more := n.mux(isHalf, n.any(x.sig[:p-1]), x.zero.Not())
	increased := n.up(m, x.neg, litFalse, isHalf, more)
	r = n.muxWord(small, n.muxWord(increased, one(f), constWord(last, 0)), r)
	r = append(n.muxWord(whole, a[:last], r), x.neg)
	return n.muxWord(x.nan, notANumber(f), r)
}
