package minimize

import (
	"math/bits"
	"strconv"
	"strings"
)

// Set is an immutable set of small non-negative numbers, a bit set. The zero
// value is the empty set. Methods return new sets and never change the receiver,
// so sets may be shared freely, also between goroutines.
type Set struct {
	// Invariant: the last word is not zero, so that equal sets have equal words.
	words []uint64
}

// SetOf returns the set of the given elements, in any order, duplicates allowed.
// It panics when one is negative.
func SetOf(elements ...int) Set {
	most := -1
	for _, e := range elements {
		most = max(most, e)
	}
	words := make([]uint64, most/64+1)
	for _, e := range elements {
		words[e/64] |= 1 << (e % 64)
	}
	return trimmed(words)
}

// Full returns {0, …, n-1}.
func Full(n int) Set {
	words := make([]uint64, (n+63)/64)
	for i := range words {
		words[i] = ^uint64(0)
	}
	if r := n % 64; r != 0 {
		words[len(words)-1] = 1<<r - 1
	}
	return trimmed(words)
}

func trimmed(words []uint64) Set {
	for len(words) > 0 && words[len(words)-1] == 0 {
		words = words[:len(words)-1]
	}
	return Set{words}
}

// Has tells whether e is an element.
func (s Set) Has(e int) bool {
	return e >= 0 && e/64 < len(s.words) && s.words[e/64]>>(e%64)&1 == 1
}

// With returns s ∪ {e}. It panics when e is negative.
func (s Set) With(e int) Set {
	if s.Has(e) {
		return s
	}
	words := make([]uint64, max(len(s.words), e/64+1))
	copy(words, s.words)
	words[e/64] |= 1 << (e % 64)
	return Set{words}
}

// Without returns s \ {e}.
func (s Set) Without(e int) Set {
	if !s.Has(e) {
		return s
	}
	words := append([]uint64(nil), s.words...)
	words[e/64] &^= 1 << (e % 64)
	return trimmed(words)
}

// Union returns s ∪ t.
func (s Set) Union(t Set) Set {
	if len(s.words) < len(t.words) {
		s, t = t, s
	}
	words := append([]uint64(nil), s.words...)
	for i, w := range t.words {
		words[i] |= w
	}
	return Set{words}
}

// Intersect returns s ∩ t.
func (s Set) Intersect(t Set) Set {
	words := make([]uint64, min(len(s.words), len(t.words)))
	for i := range words {
		words[i] = s.words[i] & t.words[i]
	}
	return trimmed(words)
}

// Minus returns s \ t.
func (s Set) Minus(t Set) Set {
	words := append([]uint64(nil), s.words...)
	for i := range min(len(s.words), len(t.words)) {
		words[i] &^= t.words[i]
	}
	return trimmed(words)
}

// SubsetOf tells whether every element of s is one of t.
func (s Set) SubsetOf(t Set) bool {
	if len(s.words) > len(t.words) {
		return false
	}
	for i, w := range s.words {
		if w&^t.words[i] != 0 {
			return false
		}
	}
	return true
}

// Intersects tells whether s and t have an element in common.
func (s Set) Intersects(t Set) bool {
	for i := range min(len(s.words), len(t.words)) {
		if s.words[i]&t.words[i] != 0 {
			return true
		}
	}
	return false
}

// Equal tells whether s and t have the same elements.
func (s Set) Equal(t Set) bool {
	if len(s.words) != len(t.words) {
		return false
	}
	for i, w := range s.words {
		if w != t.words[i] {
			return false
		}
	}
	return true
}

// Before is the order in which sets of equal cost are preferred: s comes before
// t when the lowest element in which they differ belongs to s.
func (s Set) Before(t Set) bool {
	for i := range max(len(s.words), len(t.words)) {
		if d := s.word(i) ^ t.word(i); d != 0 {
			return s.word(i)>>bits.TrailingZeros64(d)&1 == 1
		}
	}
	return false
}

func (s Set) word(i int) uint64 {
	if i < len(s.words) {
		return s.words[i]
	}
	return 0
}

// Len returns the number of elements.
func (s Set) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty tells whether there is no element.
func (s Set) Empty() bool { return len(s.words) == 0 }

// Elements returns the elements in ascending order.
func (s Set) Elements() []int {
	out := make([]int, 0, s.Len())
	for i, w := range s.words {
		for ; w != 0; w &= w - 1 {
			out = append(out, i*64+bits.TrailingZeros64(w))
		}
	}
	return out
}

// Key returns a string that equal sets share and different sets do not, for use
// as a map key; it is not meant to be read.
func (s Set) Key() string {
	b := make([]byte, 0, 8*len(s.words))
	for _, w := range s.words {
		for k := 0; k < 64; k += 8 {
			b = append(b, byte(w>>k))
		}
	}
	return string(b)
}

// String returns the elements in braces, such as {1,3,4}.
func (s Set) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, e := range s.Elements() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(e))
	}
	b.WriteByte('}')
	return b.String()
}

// sumCost returns the cost of s, of which element e costs costs[e].
func sumCost(s Set, costs []int) int {
	sum := 0
	for _, e := range s.Elements() {
		sum += costs[e]
	}
	return sum
}
