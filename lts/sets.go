package lts

import "slices"

// sets numbers sets of numbers in the order they are first seen.
type sets[T uint32 | uint64] struct {
	flat    []T // set k is flat[offsets[k]:offsets[k+1]], ascending
	offsets []int
	slots   []uint32 // open addressing: set number + 1, or 0; at most two thirds in use
}

func newSets[T uint32 | uint64]() *sets[T] {
	return &sets[T]{offsets: []int{0}, slots: make([]uint32, initialSlots)}
}

// bytes is the memory of the sets.
func (t *sets[T]) bytes() int64 { return bytesOf(t.flat) + bytesOf(t.offsets) + bytesOf(t.slots) }

func (t *sets[T]) count() int { return len(t.offsets) - 1 }

func (t *sets[T]) at(k uint32) []T { return t.flat[t.offsets[k]:t.offsets[k+1]] }

// clear forgets all sets and keeps the memory.
func (t *sets[T]) clear() {
	t.flat, t.offsets = t.flat[:0], t.offsets[:1]
	clear(t.slots)
}

// intern sorts set in place, drops repetitions, and returns the set's number.
func (t *sets[T]) intern(set []T) uint32 {
	slices.Sort(set)
	set = slices.Compact(set)
	mask := uint64(len(t.slots) - 1)
	i := hashNumbers(set) & mask
	for ; t.slots[i] != 0; i = (i + 1) & mask {
		if k := t.slots[i] - 1; slices.Equal(t.at(k), set) {
			return k
		}
	}
	k := uint32(t.count())
	t.flat = append(t.flat, set...)
	t.offsets = append(t.offsets, len(t.flat))
	t.slots[i] = k + 1
	if 3*t.count() > 2*len(t.slots) {
		t.grow()
	}
	return k
}

func (t *sets[T]) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	mask := uint64(len(t.slots) - 1)
	for k := range uint32(t.count()) {
		i := hashNumbers(t.at(k)) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = k + 1
	}
}

// includes says whether every element of buf but except is in set k.
func (t *sets[T]) includes(k uint32, buf []T, except T) bool {
	set := t.at(k)
	for _, x := range buf {
		if x == except {
			continue
		}
		if _, found := slices.BinarySearch(set, x); !found {
			return false
		}
	}
	return true
}
