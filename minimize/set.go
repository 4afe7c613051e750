package minimize

import (
	"slices"
	"strconv"
	"strings"

	"magus/internal/bitset"
)

// Set is an immutable set of small non-negative numbers, a bit set. The zero
// value is the empty set. Methods return new sets and never change the receiver,
// so sets may be shared freely, also between goroutines.
type Set struct {
	// Invariant: the last word is not zero, so that equal sets have equal words.
	words bitset.Set[int]
}

// SetOf returns the set of the given elements, in any order, duplicates allowed.
// It panics when one is negative.
func SetOf(elements ...int) Set {
	most := -1
	for _, e := range elements {
		most = max(most, e)
	}
	words := bitset.New[int](most + 1)
	for _, e := range elements {
		words.Add(e)
	}
	return Set{words}
}

// Full returns {0, …, n-1}.
func Full(n int) Set { return Set{bitset.Full[int](n)} }

// trimmed returns the set of words that nobody else changes.
func trimmed(words bitset.Set[int]) Set {
	for len(words) > 0 && words[len(words)-1] == 0 {
		words = words[:len(words)-1]
	}
	return Set{words}
}

// copied returns the elements of s, with room for n of them at least.
func (s Set) copied(n int) bitset.Set[int] {
	words := make(bitset.Set[int], max(len(s.words), bitset.Words(n)))
	copy(words, s.words)
	return words
}

// Has tells whether e is an element.
func (s Set) Has(e int) bool { return e >= 0 && e/64 < len(s.words) && s.words.Has(e) }

// With returns s ∪ {e}. It panics when e is negative.
func (s Set) With(e int) Set {
	if s.Has(e) {
		return s
	}
	words := s.copied(e + 1)
	words.Add(e)
	return Set{words}
}

// Without returns s \ {e}.
func (s Set) Without(e int) Set {
	if !s.Has(e) {
		return s
	}
	words := s.copied(0)
	words.Remove(e)
	return trimmed(words)
}

// Union returns s ∪ t.
func (s Set) Union(t Set) Set {
	s, t = byLength(s, t)
	words := t.copied(0)
	words.Unite(s.words)
	return Set{words}
}

// Minus returns s \ t.
func (s Set) Minus(t Set) Set {
	words := s.copied(0)
	words.Subtract(t.words[:min(len(s.words), len(t.words))])
	return trimmed(words)
}

// SubsetOf tells whether every element of s is one of t.
func (s Set) SubsetOf(t Set) bool {
	return len(s.words) <= len(t.words) && s.words.SubsetOf(t.words)
}

// Intersects tells whether s and t have an element in common.
func (s Set) Intersects(t Set) bool {
	s, t = byLength(s, t)
	return s.words.Intersects(t.words)
}

// Equal tells whether s and t have the same elements.
func (s Set) Equal(t Set) bool { return len(s.words) == len(t.words) && s.words.Equal(t.words) }

// byLength returns s and t, the one with fewer words first.
func byLength(s, t Set) (Set, Set) {
	if len(s.words) > len(t.words) {
		return t, s
	}
	return s, t
}

// Len returns the number of elements.
func (s Set) Len() int { return s.words.Len() }

// Empty tells whether there is no element.
func (s Set) Empty() bool { return len(s.words) == 0 }

// Elements returns the elements in ascending order.
func (s Set) Elements() []int {
	return slices.AppendSeq(make([]int, 0, s.Len()), s.words.All())
}

// String returns the elements in braces, such as {1,3,4}.
func (s Set) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for e := range s.words.All() {
		if b.Len() > 1 {
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
	for e := range s.words.All() {
		sum += costs[e]
	}
	return sum
}
