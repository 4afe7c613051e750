package bitset

import (
	"iter"
	"math/bits"
)

// Number is a type that members may have.
type Number interface{ ~int | ~int32 | ~uint32 }

// Set is a set of numbers: n is a member iff bit n%64 of word n/64 is set. The zero value is the empty
// set without room for a member.
type Set[N Number] []uint64

// wordBits is the number of bits of a word.
const wordBits = 64

// New returns the empty set with room for 0 … n-1.
func New[N Number](n int) Set[N] { return make(Set[N], Words(n)) }

// Full returns the set of 0 … n-1.
func Full[N Number](n int) Set[N] {
	s := New[N](n)
	for i := range s {
		s[i] = ^uint64(0)
	}
	if r := n % wordBits; r != 0 {
		s[len(s)-1] = 1<<r - 1
	}
	return s
}

// Words is the length of a set with room for 0 … n-1.
func Words(n int) int { return (n + wordBits - 1) / wordBits }

// Has says whether n is a member. There must be room for n.
func (s Set[N]) Has(n N) bool { return s[uint(n)/wordBits]&(1<<(uint(n)%wordBits)) != 0 }

// Add adds n and says whether it is new. There must be room for n.
func (s Set[N]) Add(n N) bool {
	w, bit := &s[uint(n)/wordBits], uint64(1)<<(uint(n)%wordBits)
	if *w&bit != 0 {
		return false
	}
	*w |= bit
	return true
}

// Remove removes n. There must be room for n.
func (s Set[N]) Remove(n N) { s[uint(n)/wordBits] &^= 1 << (uint(n) % wordBits) }

// Forget empties s if members are all of its members. Cost: linear in members, whatever the room.
func (s Set[N]) Forget(members []N) {
	for _, n := range members {
		s[uint(n)/wordBits] = 0
	}
}

// Empty says whether there is no member.
func (s Set[N]) Empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// Len returns the number of members.
func (s Set[N]) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Equal says whether s and t, of equal length, have the same members.
func (s Set[N]) Equal(t Set[N]) bool {
	t = t[:len(s)]
	for i, w := range s {
		if w != t[i] {
			return false
		}
	}
	return true
}

// SubsetOf says whether every member of s is one of t, which may be longer.
func (s Set[N]) SubsetOf(t Set[N]) bool {
	t = t[:len(s)]
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// Intersects says whether s and t, which may be longer, have a member in common.
func (s Set[N]) Intersects(t Set[N]) bool {
	t = t[:len(s)]
	for i, w := range s {
		if w&t[i] != 0 {
			return true
		}
	}
	return false
}

// Unite adds the members of t, which may be shorter, and says whether one of them is new.
func (s Set[N]) Unite(t Set[N]) bool {
	s = s[:len(t)]
	fresh := uint64(0)
	for i, w := range t {
		fresh |= w &^ s[i]
		s[i] |= w
	}
	return fresh != 0
}

// Intersect removes what is not in t, which may be longer, and says whether something was removed.
func (s Set[N]) Intersect(t Set[N]) bool {
	t = t[:len(s)]
	gone := uint64(0)
	for i, w := range s {
		gone |= w &^ t[i]
		s[i] = w & t[i]
	}
	return gone != 0
}

// Subtract removes the members of t, which may be shorter.
func (s Set[N]) Subtract(t Set[N]) {
	s = s[:len(t)]
	for i, w := range t {
		s[i] &^= w
	}
}

// All yields the members in ascending order.
func (s Set[N]) All() iter.Seq[N] {
	return func(yield func(N) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(member[N](i, w)) {
					return
				}
			}
		}
	}
}

// Common yields the members that s and t, which may be longer, have in common, in ascending order.
func (s Set[N]) Common(t Set[N]) iter.Seq[N] {
	return func(yield func(N) bool) {
		for i, w := range s {
			for w &= t[i]; w != 0; w &= w - 1 {
				if !yield(member[N](i, w)) {
					return
				}
			}
		}
	}
}

// Except yields the members of s that are not in t, which may be longer, in ascending order. What is added
// to t meanwhile may be yielded all the same.
func (s Set[N]) Except(t Set[N]) iter.Seq[N] {
	return func(yield func(N) bool) {
		for i, w := range s {
			for w &^= t[i]; w != 0; w &= w - 1 {
				if !yield(member[N](i, w)) {
					return
				}
			}
		}
	}
}

// member is the number of the lowest bit of word i.
func member[N Number](i int, w uint64) N { return N(i*wordBits + bits.TrailingZeros64(w)) }
