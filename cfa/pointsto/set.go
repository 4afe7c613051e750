package pointsto

// Sets of small numbers as sparse bit sets: the words that are not empty, in
// the order of their keys. Targets that are met together have numbers close
// together, so a word holds many. Union with what is there already, by far the
// most frequent question, is a walk over the smaller set and changes nothing.

import (
	"iter"
	"math/bits"
	"slices"
)

// A set is a set of numbers. The zero value is empty.
type set struct {
	keys  []uint32 // ascending
	words []uint64 // none is 0
	last  int      // where a member was added last: the next one is often near
}

func (s *set) empty() bool { return len(s.keys) == 0 }

// clear empties the set and keeps its room.
func (s *set) clear() { s.keys, s.words = s.keys[:0], s.words[:0] }

// all yields the members in ascending order.
func (s *set) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, key := range s.keys {
			for w := s.words[i]; w != 0; w &= w - 1 {
				if !yield(key<<6 | uint32(bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// equal reports whether two sets have the same members.
func (s *set) equal(t *set) bool {
	return slices.Equal(s.keys, t.keys) && slices.Equal(s.words, t.words)
}

// hash is equal for equal sets.
func (s *set) hash() uint64 {
	h := uint64(len(s.keys))
	for i, key := range s.keys {
		h = (h ^ uint64(key) ^ bits.RotateLeft64(s.words[i], 32)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// add adds a member and reports whether it is new.
func (s *set) add(x uint32) bool {
	key, bit := x>>6, uint64(1)<<(x&63)
	i := s.last
	if i >= len(s.keys) || s.keys[i] > key {
		i = 0
	}
	i = s.seek(i, key)
	s.last = i
	if i == len(s.keys) || s.keys[i] != key {
		s.keys = slices.Insert(s.keys, i, key)
		s.words = slices.Insert(s.words, i, bit)
		return true
	}
	if s.words[i]&bit != 0 {
		return false
	}
	s.words[i] |= bit
	return true
}

func (s *set) has(x uint32) bool {
	i := s.seek(0, x>>6)
	return i < len(s.keys) && s.keys[i] == x>>6 && s.words[i]>>(x&63)&1 != 0
}

// seek is the first index ≥ from whose key is ≥ key, found by galloping.
func (s *set) seek(from int, key uint32) int {
	if n := len(s.keys); n == 0 || s.keys[n-1] < key {
		return n
	}
	for range 4 { // most often it is near
		if s.keys[from] >= key {
			return from
		}
		from++
		if from == len(s.keys) {
			return from
		}
	}
	step := 1
	for from+step < len(s.keys) && s.keys[from+step] < key {
		from += step
		step *= 2
	}
	i, _ := slices.BinarySearch(s.keys[from:min(from+step+1, len(s.keys))], key)
	return from + i
}

// minus makes s the members of a that are not in b. s is neither of them.
func (s *set) minus(a, b *set) {
	s.clear()
	j := 0
	for i, key := range a.keys {
		w := a.words[i]
		if j = b.seek(j, key); j < len(b.keys) && b.keys[j] == key {
			w &^= b.words[j]
		}
		s.append(key, w)
	}
}

// both makes s the members of a that are in b. s is neither of them.
func (s *set) both(a, b *set) {
	s.clear()
	j := 0
	for i, key := range a.keys {
		if j = b.seek(j, key); j < len(b.keys) && b.keys[j] == key {
			s.append(key, a.words[i]&b.words[j])
		}
	}
}

// append adds a word behind all others.
func (s *set) append(key uint32, word uint64) {
	if word != 0 {
		s.keys = append(s.keys, key)
		s.words = append(s.words, word)
	}
}

// join adds the members of t.
func (s *set) join(t *set) {
	missing, i := 0, 0
	for j, key := range t.keys {
		if i = s.seek(i, key); i < len(s.keys) && s.keys[i] == key {
			s.words[i] |= t.words[j]
		} else {
			missing++
		}
	}
	if missing == 0 {
		return
	}
	// Make room at the end and merge from behind.
	i = len(s.keys) - 1
	s.keys = slices.Grow(s.keys, missing)[:len(s.keys)+missing]
	s.words = slices.Grow(s.words, missing)[:len(s.words)+missing]
	k := len(s.keys) - 1
	for j := len(t.keys) - 1; j >= 0; k-- {
		switch {
		case i < 0 || s.keys[i] < t.keys[j]:
			s.keys[k], s.words[k] = t.keys[j], t.words[j]
			j--
		case s.keys[i] == t.keys[j]:
			s.keys[k], s.words[k] = s.keys[i], s.words[i]
			i--
			j--
		default:
			s.keys[k], s.words[k] = s.keys[i], s.words[i]
			i--
		}
	}
}
