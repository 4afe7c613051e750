package bitblast

// Sums, products, quotients and roots. Idea, source and cost are in
// float.go.

import (
	"magus/smt/sat"
	"magus/smt/softfloat"
)

// sum is a + b. The operand of the greater magnitude comes first; three more places
// are enough for the other one (guard, round and sticky bit).
func (n *netlist) sum(f softfloat.Format, m softfloat.Mode, a, b word) word {
	last := len(a) - 1
	swap := n.less(a[:last:last], b[:last:last], false)
	x := n.unpack(f, n.muxWord(swap, b, a))
	y := n.unpack(f, n.muxWord(swap, a, b))
	opposite := n.xor(x.neg, y.neg)
	distance := n.minus(x.exp, y.exp).w
	p := int(f.Prec)
	small := n.jam(atLeast(y.sig, p+3), distance[:f.Exp])
	total := n.signedSum(append(atLeast(x.sig, p+3), litFalse), append(small, litFalse), opposite)
	neg := n.mux(n.and(opposite, n.none(total)), constant(m == softfloat.TowardNegative), x.neg)
	r := n.roundWithin(f, m, neg, x.exp.offset(1), total)
	nan := n.or(n.or(x.nan, y.nan), n.and(opposite, n.and(x.inf, y.inf)))
	return n.choose(f, nan, x.inf, x.neg, r)
}

// signedSum is a + b, or a - b.
func (n *netlist) signedSum(a, b word, minus sat.Lit) word {
	r := make(word, len(b))
	for i := range b {
		r[i] = n.xor(b[i], minus)
	}
	return n.ripple(a, r, minus)
}

// product is a * b.
func (n *netlist) product(f softfloat.Format, m softfloat.Mode, a, b word) word {
	x, y := n.normalised(n.unpack(f, a)), n.normalised(n.unpack(f, b))
	neg := n.xor(x.neg, y.neg)
	exp, sig := n.multiplied(x, y)
	r := n.round(f, m, neg, exp, sig)
	zero := n.or(x.zero, y.zero)
	r = n.muxWord(zero, append(constWord(len(a)-1, 0), neg), r)
	inf := n.or(x.inf, y.inf)
	nan := n.or(n.or(x.nan, y.nan), n.and(zero, inf))
	return n.choose(f, nan, inf, neg, r)
}

// multiplied is the product of two normalised significands, normalised.
func (n *netlist) multiplied(x, y float) (exponent, word) {
	w := 2 * len(x.sig)
	sig := n.mul(extend(x.sig, w, false), extend(y.sig, w, false))
	return n.oneLeft(n.plus(x.exp, y.exp, litFalse).offset(1), sig)
}

// oneLeft moves a significand to the left by a place if it begins with 0.
func (n *netlist) oneLeft(exp exponent, sig word) (exponent, word) {
	top := sig[len(sig)-1]
	moved := append(word{litFalse}, sig[:len(sig)-1]...)
	one := exponent{w: constWord(1, 0)}
	return n.plus(exp.offset(-1), one, top), n.muxWord(top, sig, moved)
}

// ratio is a / b: the school method, to one place more than the precision has, and a
// last bit that says whether there is a rest.
func (n *netlist) ratio(f softfloat.Format, m softfloat.Mode, a, b word) word {
	x, y := n.normalised(n.unpack(f, a)), n.normalised(n.unpack(f, b))
	neg := n.xor(x.neg, y.neg)
	p := int(f.Prec)
	rest, by := extend(x.sig, p+1, false), extend(y.sig, p+1, false)
	q := make(word, p+3) // the highest bit is worth 1
	for i := p + 2; i > 0; i-- {
		fits := n.less(rest, by, false).Not()
		rest = n.muxWord(fits, n.ripple(rest, invert(by), litTrue), rest)
		q[i] = fits
		if i > 1 {
			rest = append(word{litFalse}, rest[:p]...)
		}
	}
	q[0] = n.any(rest)
	exp, sig := n.oneLeft(n.minus(x.exp, y.exp), q)
	r := n.round(f, m, neg, exp, sig)
	r = n.muxWord(n.or(x.zero, y.inf), append(constWord(len(a)-1, 0), neg), r)
	nan := n.or(n.or(x.nan, y.nan), n.or(n.and(x.zero, y.zero), n.and(x.inf, y.inf)))
	return n.choose(f, nan, n.or(x.inf, y.zero), neg, r)
}

// fma is a * b + c. The product and c, the sum's three places more included, are
// moved to the greater exponent of the two.
func (n *netlist) fma(f softfloat.Format, m softfloat.Mode, a, b, c word) word {
	x, y, z := n.normalised(n.unpack(f, a)), n.normalised(n.unpack(f, b)), n.unpack(f, c)
	p := int(f.Prec)
	w := 2*p + 3
	neg := n.xor(x.neg, y.neg)
	opposite := n.xor(neg, z.neg)
	zero := n.or(x.zero, y.zero)
	exp := n.plus(x.exp, y.exp, litFalse).offset(1)
	sig := n.mul(extend(x.sig, 2*p, false), extend(y.sig, 2*p, false))
	sig, other := atLeast(sig, w), atLeast(z.sig, w)

	distance := n.exact(n.minus(exp, z.exp))
	last := len(distance) - 1
	swap := n.or(distance[last], zero) // c has the greater exponent
	large, small := n.muxWord(swap, other, sig), n.muxWord(swap, sig, other)
	small = n.jam(small, n.abs(distance)[:last])
	total := n.signedSum(extend(large, w+2, false), extend(small, w+2, false), opposite)
	negative := total[w+1]
	total = n.negIf(negative, total)[:w+1]

	top := n.joined(swap, z.exp, exp)
	top.lo = z.exp.lo
	sumNeg := n.xor(n.mux(swap, z.neg, neg), negative)
	sumNeg = n.mux(n.and(opposite, n.none(total)), constant(m == softfloat.TowardNegative), sumNeg)
	r := n.roundWithin(f, m, sumNeg, top.offset(1), total)

	inf := n.or(x.inf, y.inf)
	nan := n.or(n.or(x.nan, y.nan), n.or(z.nan, n.and(inf, zero)))
	nan = n.or(nan, n.and(n.and(inf, z.inf), opposite))
	return n.choose(f, nan, n.or(inf, z.inf), n.mux(inf, neg, z.neg), r)
}

// sqrt is the square root, digit by digit, to one place more than the precision has
// and a last bit that says whether there is a rest.
func (n *netlist) sqrt(f softfloat.Format, m softfloat.Mode, a word) word {
	x := n.normalised(n.unpack(f, a))
	exp := n.exact(x.exp)
	odd := exp[0]
	digits := int(f.Prec) + 1
	radicand := n.muxWord(odd, append(word{litFalse}, x.sig...), append(append(word{}, x.sig...), litFalse))
	radicand = atLeast(radicand, 2*digits) // below 4, the point after the second bit
	root, rest := word{}, word{}
	for i := range digits {
		k := 2 * (digits - i)
		rest = append(word{radicand[k-2], radicand[k-1]}, rest...)
		try := extend(append(word{litTrue, litFalse}, root...), len(rest), false)
		fits := n.less(rest, try, false).Not()
		rest = n.muxWord(fits, n.ripple(rest, invert(try), litTrue), rest)
		root = append(word{fits}, root...)
		rest = rest[:min(len(rest), i+3)] // at most twice the root
	}
	sig := append(word{n.any(rest)}, root...)
	half := exponent{exp[1:], 0, (x.exp.lo - 1) / 2, x.exp.hi / 2}
	r := n.round(f, m, litFalse, half, sig)
	r = n.muxWord(x.zero, a, r)
	nan := n.or(x.nan, n.and(x.neg, x.zero.Not()))
	return n.choose(f, nan, x.inf, litFalse, r)
}
