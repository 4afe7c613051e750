package lts

import "math/bits"

// mix is a multiply-and-fold step; its low bits depend on all bits of x.
func mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}

// hashNumbers is the hash of a sequence of numbers.
func hashNumbers[T ~uint32 | ~uint64](numbers []T) uint64 {
	h := uint64(len(numbers))
	for _, n := range numbers {
		h = mix(h ^ uint64(n))
	}
	return h
}
