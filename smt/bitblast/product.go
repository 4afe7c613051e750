package bitblast

// Products.
//
// Idea: the school method, a sum of one operand's multiples by the bits of the other. Three things
// make it smaller. A product of values that need few bits is built over as many as it needs. A run of
// the same bit from place i to j, as the ones of a constant or the copies of a sign, is two rows,
// bit·2^(j+1) - bit·2^i, in place of one a place. In a square the products of bits i and j occur
// twice, which is once, one place further: half as many rows.
//
// Source: Booth, "A signed binary multiplication technique" (1951), for runs; squares as in Parhami,
// Computer Arithmetic, section 12.5. Deviation: only bits that are seen to be the same are recoded;
// full recoding, by multiplexers, has fewer rows but more gates, and each is further from the inputs.
// Cost in gates for width w: 3w², half of it for squares, 3w a row for constants.

import (
	"slices"

	"magus/smt/sat"
)

// mul is a * b.
func (n *integers) mul(a, b word) word {
	w, sa, sb := len(a), significant(a), significant(b)
	unsigned := a[w-1] == litFalse && b[w-1] == litFalse
	needed := sa + sb
	if unsigned {
		needed = max(1, sa+sb-2)
	}
	if needed < w && needed >= max(sa, sb) {
		return extend(n.mul(a[:needed], b[:needed]), w, !unsigned)
	}
	if slices.Equal(a, b) && (sa == w || unsigned) {
		return n.square(a)
	}
	da, db := digits(a), digits(b)
	if len(da) < len(db) {
		a, db = b, da
	}
	sum := constWord(w, 0)
	for _, d := range db {
		row := make(word, w-d.bit)
		for j := range row {
			row[j] = n.and(a[j], d.lit)
		}
		carry := litFalse
		if d.minus {
			row, carry = invert(row), litTrue
		}
		copy(sum[d.bit:], n.add(sum[d.bit:], row, carry))
	}
	return sum
}

// A digit is a bit, or its negative, at a place.
type digit struct {
	bit   int
	lit   sat.Lit
	minus bool
}

// digits are few digits with the sum a.
func digits(a word) []digit {
	var ds []digit
	for i, j := 0, 0; i < len(a); i = j {
		for j = i; j < len(a) && a[j] == a[i]; j++ {
		}
		switch {
		case a[i] == litFalse:
		case j-i > 2 || j-i == 2 && j == len(a):
			ds = append(ds, digit{i, a[i], true})
			if j < len(a) {
				ds = append(ds, digit{j, a[i], false})
			}
		default:
			for k := i; k < j; k++ {
				ds = append(ds, digit{k, a[i], false})
			}
		}
	}
	return ds
}

// square is a * a.
func (n *integers) square(a word) word {
	w := len(a)
	sum := constWord(w, 0)
	for i := 0; 2*i < w; i++ {
		if a[i] == litFalse {
			continue
		}
		row := constWord(w-2*i, 0)
		row[0] = a[i]
		for j := i + 1; i+j+1 < w; j++ {
			row[j+1-i] = n.and(a[i], a[j])
		}
		copy(sum[2*i:], n.add(sum[2*i:], row, litFalse))
	}
	return sum
}
