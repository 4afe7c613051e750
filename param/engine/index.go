package engine

import (
	"slices"
	"sort"
)

// Idea: a set can lie within another one only if its control part does, its lower bounds are not below the
// other's, and so their sum is not smaller. Sets are stored by control part, in the order of that sum; the
// bounds of each are folded into eight numbers of seven bits, in one word, so that a comparison of all of
// them is one subtraction. What passes is compared as a set.
// Source: the word comparison is that of L. Lamport, Multiple byte processing with full-word instructions,
// CACM 1975. Feature vectors as filters of subsumption: S. Schulz, Simple and efficient clause subsumption
// with feature vector indexing, 2013.
// Cost: a subtraction for each set that is stored under a control part that fits; there are few of those.

// A shape is what the index knows of a set: if one lies within another, their shapes do.
type shape struct {
	control uint64
	low     []int64 // bounds from below
	sum     int64   // of low
	folded  uint64  // sums of the bounds of every eighth dimension, at most 127
}

func shapeOf(control uint64, low []int64) shape {
	s := shape{control: control, low: low}
	var fold [8]int64
	for i, k := range low {
		s.sum += k
		fold[i%8] += k
	}
	for i, k := range fold {
		s.folded |= uint64(min(k, 127)) << (8 * i)
	}
	return s
}

// within reports whether a may lie within b.
func (a *shape) within(b *shape) bool {
	const high = 0x8080808080808080
	if a.control&^b.control != 0 || ((a.folded|high)-b.folded)&high != high {
		return false
	}
	for i, k := range b.low {
		if k > a.low[i] {
			return false
		}
	}
	return true
}

// An index stores shapes with numbers.
type index []shelf

// A shelf has the shapes with one control part, those with smaller sums first.
type shelf struct {
	control uint64
	entries []entry
}

type entry struct {
	*shape
	number int
}

func (x *index) insert(s *shape, number int) {
	at := slices.IndexFunc(*x, func(f shelf) bool { return f.control == s.control })
	if at < 0 {
		at = len(*x)
		*x = append(*x, shelf{control: s.control})
	}
	f := &(*x)[at]
	f.entries = slices.Insert(f.entries, f.after(s.sum), entry{s, number})
}

// after is how many entries have sums up to the given one.
func (f *shelf) after(sum int64) int {
	return sort.Search(len(f.entries), func(i int) bool { return f.entries[i].sum > sum })
}

// below finds an entry that a shape may lie within and that is accepted; it returns its number, or -1.
func (x index) below(s *shape, accept func(number int) bool) int {
	for i := range x {
		f := &x[i]
		if s.control&^f.control != 0 {
			continue
		}
		for _, e := range f.entries[:f.after(s.sum)] {
			if s.within(e.shape) && accept(e.number) {
				return e.number
			}
		}
	}
	return -1
}

// above removes the entries that may lie within a shape and that are accepted.
func (x index) above(s *shape, accept func(number int) bool) {
	for i := range x {
		f := &x[i]
		if f.control&^s.control != 0 {
			continue
		}
		from := f.after(s.sum - 1)
		kept := f.entries[:from]
		for _, e := range f.entries[from:] {
			if !e.within(s) || !accept(e.number) {
				kept = append(kept, e)
			}
		}
		clear(f.entries[len(kept):])
		f.entries = kept
	}
}
