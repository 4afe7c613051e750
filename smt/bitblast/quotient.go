package bitblast

// Quotients and remainders.
//
// Idea: the school method: the bits of the dividend are brought down one by one, the highest first,
// and the divisor is taken off what is there where it fits. What is left is less than the divisor,
// and so has no more bits than this is seen to have: division by a constant of n bits is a row of w
// steps over n bits, which behaves as an automaton that reads the dividend. That holds for divisors
// other than 0; where the divisor may be 0 and is narrow, the results by SMT-LIB for 0 are chosen at
// the end.
//
// Source: restoring division (Parhami, Computer Arithmetic, section 13.1). Rejected: fresh words q
// and r with q·c + r = a, which have fewer gates, but are found by search and not by propagation from
// a. Cost in gates for a of w bits and a divisor of n: 6wn.

import (
	"math/bits"

	"magus/smt/sat"
)

// divide is a / b and a % b; by zero, all ones and a.
func (n *integers) divide(a, b word, signed bool) (q, r word) {
	if !signed {
		return n.divideUnsigned(a, b)
	}
	last := len(a) - 1
	sa, sb := a[last], b[last]
	q, r = n.divideUnsigned(n.abs(a), n.abs(b))
	return n.negIf(n.xor(sa, sb), q), n.negIf(sa, r)
}

// abs is |a|, as an unsigned word.
func (n *integers) abs(a word) word {
	k := significant(a)
	return extend(n.negIf(a[len(a)-1], a[:k]), len(a), false)
}

// negIf is c ? -a : a.
func (n *integers) negIf(c sat.Lit, a word) word {
	x := make(word, len(a))
	for i := range a {
		x[i] = n.xor(a[i], c)
	}
	return n.add(x, constWord(len(a), 0), c)
}

// length is the number of bits below the zeros on top.
func length(a word) int {
	k := len(a)
	for k > 0 && a[k-1] == litFalse {
		k--
	}
	return k
}

func (n *integers) divideUnsigned(a, b word) (q, r word) {
	w := len(a)
	v, ok := constValue(b)
	switch {
	case ok && v == 0:
		return constWord(w, ^uint64(0)), a
	case ok && v&(v-1) == 0:
		k := bits.TrailingZeros64(v)
		q, r = constWord(w, 0), constWord(w, 0)
		copy(q, a[k:])
		copy(r, a[:k])
		return q, r
	case length(a) == w && length(b) == w:
		return n.restoring(a, b, w, w)
	}
	q, r = n.restoring(a, b, length(a), length(b))
	if ok {
		return q, r
	}
	zero := n.andAll(invert(b))
	return n.muxWord(zero, constWord(w, ^uint64(0)), q), n.muxWord(zero, a, r)
}

// restoring divides a word of the given length by b, which is less than 2^room and not 0; where the
// two are those of the words, the results for 0 come out by themselves.
func (n *integers) restoring(a, b word, length, room int) (q, r word) {
	w := len(a)
	zeroFrom := make(word, w+1) // zeroFrom[k]: bits k and above of b are zero
	zeroFrom[w] = litTrue
	for k := w - 1; k >= 0; k-- {
		zeroFrom[k] = n.and(zeroFrom[k+1], b[k].Not())
	}
	q = constWord(w, 0)
	rest := word{}
	for i := length - 1; i >= 0; i-- {
		rest = append(word{a[i]}, rest...)
		k := len(rest)
		fits := n.and(zeroFrom[k], n.less(rest, b[:k], false).Not())
		q[i] = fits
		rest = n.muxWord(fits, n.add(rest, invert(b[:k]), litTrue), rest)
		rest = rest[:min(k, room)]
	}
	return q, extend(rest, w, false)
}
