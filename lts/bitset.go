package lts

import "math/bits"

// bitset is a set of small numbers. All sets that are compared have the same length.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) has(i uint32) bool { return b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) add(i uint32) { b[i/64] |= 1 << (i % 64) }

func (b bitset) empty() bool {
	for _, w := range b {
		if w != 0 {
			return false
		}
	}
	return true
}

// subsetOf says whether every member of b is in c.
func (b bitset) subsetOf(c bitset) bool {
	for i, w := range b {
		if w&^c[i] != 0 {
			return false
		}
	}
	return true
}

// intersects says whether b and c have a member in common.
func (b bitset) intersects(c bitset) bool {
	for i, w := range b {
		if w&c[i] != 0 {
			return true
		}
	}
	return false
}

// intersect removes from b what is not in c.
func (b bitset) intersect(c bitset) {
	for i := range b {
		b[i] &= c[i]
	}
}

// unite adds c to b.
func (b bitset) unite(c bitset) {
	for i, w := range c {
		b[i] |= w
	}
}

func (b bitset) equal(c bitset) bool {
	for i, w := range b {
		if w != c[i] {
			return false
		}
	}
	return true
}

// each calls f with the members in ascending order.
func (b bitset) each(f func(uint32)) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			f(uint32(i*64 + bits.TrailingZeros64(w)))
		}
	}
}

// anyCommon says whether f is true of a member that b and c have in common, asked in ascending order.
func (b bitset) anyCommon(c bitset, f func(uint32) bool) bool {
	for i, w := range b {
		for w &= c[i]; w != 0; w &= w - 1 {
			if f(uint32(i*64 + bits.TrailingZeros64(w))) {
				return true
			}
		}
	}
	return false
}

func (b bitset) hash() uint64 {
	h := uint64(len(b))
	for _, w := range b {
		h = mix(h ^ w)
	}
	return h
}

// mix is a multiply-and-fold step; its low bits depend on all bits of x.
func mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}
