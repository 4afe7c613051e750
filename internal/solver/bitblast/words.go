package bitblast

// Words: circuits for arithmetic on bit-vectors, least significant bit first.
//
// Addition is a ripple of full adders, comparison the carry of a subtraction,
// multiplication shift-and-add, division the school method (restoring), shifts
// a barrel of multiplexers. Source: the textbook circuits (Kroening,
// Strichman, Decision Procedures, chapter 6). Cost in gates for width w: 3w
// for +, w for <, 3w² for * and /, w log w for shifts.

import (
	"math/bits"

	"magus/internal/sat"
)

// A word is a bit-vector of literals.
type word []sat.Lit

func constWord(width int, v uint64) word {
	w := make(word, width)
	for i := range w {
		w[i] = constant(v>>i&1 != 0)
	}
	return w
}

// constValue is the value of a word of constants.
func constValue(w word) (v uint64, ok bool) {
	for i, l := range w {
		if l > litFalse {
			return 0, false
		}
		if l == litTrue {
			v |= 1 << i
		}
	}
	return v, true
}

func invert(a word) word {
	r := make(word, len(a))
	for i := range a {
		r[i] = a[i].Not()
	}
	return r
}

// add is a + b + carry.
func (n *netlist) add(a, b word, carry sat.Lit) word {
	r := make(word, len(a))
	for i := range a {
		half := n.xor(a[i], b[i])
		r[i] = n.xor(half, carry)
		if i < len(a)-1 {
			carry = n.maj(a[i], b[i], carry)
		}
	}
	return r
}

func (n *netlist) neg(a word) word { return n.add(constWord(len(a), 0), invert(a), litTrue) }

// less is a < b.
func (n *netlist) less(a, b word, signed bool) sat.Lit {
	lt, last := litFalse, len(a)-1
	for i := range a {
		if x, y := a[i].Not(), b[i]; signed && i == last {
			lt = n.maj(x.Not(), y.Not(), lt)
		} else {
			lt = n.maj(x, y, lt)
		}
	}
	return lt
}

func (n *netlist) equal(a, b word) sat.Lit {
	same := make([]sat.Lit, len(a))
	for i := range a {
		same[i] = n.xor(a[i], b[i]).Not()
	}
	return n.andAll(same)
}

func (n *netlist) muxWord(c sat.Lit, a, b word) word {
	r := make(word, len(a))
	for i := range a {
		r[i] = n.mux(c, a[i], b[i])
	}
	return r
}

func (n *netlist) mul(a, b word) word {
	w := len(a)
	if _, ok := constValue(a); ok {
		a, b = b, a
	}
	sum := constWord(w, 0)
	for i := range b {
		if b[i] == litFalse {
			continue
		}
		row := constWord(w, 0)
		for j := 0; i+j < w; j++ {
			row[i+j] = n.and(a[j], b[i])
		}
		copy(sum[i:], n.add(sum[i:], row[i:], litFalse))
	}
	return sum
}

// divide is a / b and a % b; by zero, all ones and a.
func (n *netlist) divide(a, b word, signed bool) (q, r word) {
	if !signed {
		return n.divideUnsigned(a, b)
	}
	last := len(a) - 1
	sa, sb := a[last], b[last]
	q, r = n.divideUnsigned(n.negIf(sa, a), n.negIf(sb, b))
	return n.negIf(n.xor(sa, sb), q), n.negIf(sa, r)
}

// negIf is c ? -a : a.
func (n *netlist) negIf(c sat.Lit, a word) word {
	x := make(word, len(a))
	for i := range a {
		x[i] = n.xor(a[i], c)
	}
	return n.add(x, constWord(len(a), 0), c)
}

// divideUnsigned brings down the bits of a one by one, the highest first.
// After k steps the remainder has at most k bits, so that a step compares k
// bits and asks whether the higher bits of b are zero.
func (n *netlist) divideUnsigned(a, b word) (q, r word) {
	w := len(a)
	if v, ok := constValue(b); ok && v&(v-1) == 0 && v != 0 {
		k := bits.TrailingZeros64(v)
		q, r = constWord(w, 0), constWord(w, 0)
		copy(q, a[k:])
		copy(r, a[:k])
		return q, r
	}
	zeroFrom := make(word, w+1) // zeroFrom[k]: bits k and above of b are zero
	zeroFrom[w] = litTrue
	for k := w - 1; k >= 0; k-- {
		zeroFrom[k] = n.and(zeroFrom[k+1], b[k].Not())
	}
	q = make(word, w)
	rest := word{}
	for k := 1; k <= w; k++ {
		rest = append(word{a[w-k]}, rest...)
		fits := n.and(zeroFrom[k], n.less(rest, b[:k], false).Not())
		q[w-k] = fits
		rest = n.muxWord(fits, n.add(rest, invert(b[:k]), litTrue), rest)
	}
	return q, rest
}

// shift moves a by b places, to the left or to the right; fill comes in.
func (n *netlist) shift(a, b word, left bool, fill sat.Lit) word {
	w := len(a)
	r := a
	stages := bits.Len(uint(w - 1)) // 1<<stages >= w
	for s := 0; s < stages; s++ {
		moved := make(word, w)
		for i := range moved {
			from := i + 1<<s
			if left {
				from = i - 1<<s
			}
			if from >= 0 && from < w {
				moved[i] = r[from]
			} else {
				moved[i] = fill
			}
		}
		r = n.muxWord(b[s], moved, r)
	}
	small := n.andAll(invert(b[stages:]))
	out := make(word, w)
	for i := range r {
		out[i] = n.mux(small, r[i], fill)
	}
	return out
}
