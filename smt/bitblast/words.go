package bitblast

// Words: circuits for arithmetic on bit-vectors, least significant bit first.
//
// Addition is a ripple of full adders, comparison the carry of a subtraction, shifts a barrel of multiplexers;
// products are in product.go, quotients in quotient.go. Sums, negations and comparisons are built over the bits that
// are not copies of the highest one only: 16 bits of a value that is sign-extended to 64 have an adder of 17.
// Source: the textbook circuits (Kroening, Strichman, Decision Procedures, chapter 6). Cost in gates for width w: 3w
// for +, w for <, w log w for shifts.

import (
	"math/bits"

	"magus/smt/sat"
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

// significant is the number of bits from which on all bits are the same: the word, of signed ones, fits in so many.
func significant(a word) int {
	k := len(a)
	for k > 1 && a[k-2] == a[len(a)-1] {
		k--
	}
	return k
}

// add is a + b + carry.
func (n *integers) add(a, b word, carry sat.Lit) word {
	if w := max(significant(a), significant(b)) + 1; w < len(a) {
		return extend(n.ripple(a[:w], b[:w], carry), len(a), true)
	}
	return n.ripple(a, b, carry)
}

// ripple is a + b + carry, bit by bit.
func (n *integers) ripple(a, b word, carry sat.Lit) word {
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

func (n *integers) neg(a word) word { return n.add(constWord(len(a), 0), invert(a), litTrue) }

// less is a < b.
func (n *integers) less(a, b word, signed bool) sat.Lit {
	if w := max(significant(a), significant(b)); w < len(a) {
		a, b = a[:w], b[:w] // what is cut off are copies of the highest bit that stays: the order is the same, unsigned too
	}
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

func (n *integers) equal(a, b word) sat.Lit {
	same := make([]sat.Lit, len(a))
	for i := range a {
		same[i] = n.xor(a[i], b[i]).Not()
	}
	return n.andAll(same)
}

func (n *integers) muxWord(c sat.Lit, a, b word) word {
	r := make(word, len(a))
	for i := range a {
		r[i] = n.mux(c, a[i], b[i])
	}
	return r
}

// shift moves a by b places, to the left or to the right; fill comes in.
func (n *integers) shift(a, b word, left bool, fill sat.Lit) word {
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
