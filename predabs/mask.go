package predabs

import "math/bits"

// maskWords bounds the atoms of one cluster: 64 a word.
const maskWords = 4

// A mask is a set of atoms of a cluster, or their values.
type mask [maskWords]uint64

func maskOf(i int) (m mask) {
	m.add(i)
	return m
}

func (m mask) has(i int) bool { return m[i/64]>>(i%64)&1 == 1 }

func (m *mask) add(i int) { m[i/64] |= 1 << (i % 64) }

func (m mask) and(n mask) mask {
	for i := range m {
		m[i] &= n[i]
	}
	return m
}

func (m mask) or(n mask) mask {
	for i := range m {
		m[i] |= n[i]
	}
	return m
}

func (m mask) minus(n mask) mask {
	for i := range m {
		m[i] &^= n[i]
	}
	return m
}

func (m mask) empty() bool { return m == mask{} }

func (m mask) meets(n mask) bool { return m.and(n) != mask{} }

// each calls f for the members in increasing order.
func (m mask) each(f func(i int)) {
	for w, b := range m {
		for ; b != 0; b &= b - 1 {
			f(w*64 + bits.TrailingZeros64(b))
		}
	}
}
