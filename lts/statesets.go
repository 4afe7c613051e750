package lts

import (
	"slices"

	"magus/internal/bitset"
)

// stateSets interns sets of states of one LTS and numbers them in the order in which they come. A set is an
// array of bits or, which is less where sets have few members of many, an ascending list. Memory of a
// set: a bit a state, or 4 bytes a member and 16; and 6 to 12 bytes.
type stateSets struct {
	lists *sets[State] // nil if sets are arrays of bits
	marks []uint64     // of lists, by set: bit s%64 for each member s

	bits *tuples[uint64] // nil if sets are lists
}

// newStateSets returns no sets of an LTS of so many states, to be kept as lists or as bits.
func newStateSets(states int, lists bool) *stateSets {
	if lists {
		return &stateSets{lists: newSets[State]()}
	}
	return &stateSets{bits: newTuples[uint64](bitset.Words(states))}
}

func (t *stateSets) count() int {
	if t.lists != nil {
		return t.lists.count()
	}
	return t.bits.count
}

// insertList returns the number of the set that has the given members, which it sorts. Sets are lists.
func (t *stateSets) insertList(members []State) int32 {
	k := t.lists.intern(members)
	if int(k) == len(t.marks) {
		var mark uint64
		for _, s := range members {
			mark |= 1 << (s % 64)
		}
		t.marks = append(t.marks, mark)
	}
	return int32(k)
}

// insertBits returns the number of a set. Sets are arrays of bits.
func (t *stateSets) insertBits(set bitset.Set[State]) int32 {
	k, _ := t.bits.insert(set)
	return k
}

func (t *stateSets) bitsOf(k int32) bitset.Set[State] { return t.bits.at(k) }

// each calls f with the members of set k in ascending order.
func (t *stateSets) each(k int32, f func(State)) {
	if t.lists == nil {
		for s := range t.bitsOf(k).All() {
			f(s)
		}
		return
	}
	for _, s := range t.lists.at(uint32(k)) {
		f(s)
	}
}

// subset says whether set a is a subset of set b.
func (t *stateSets) subset(a, b int32) bool {
	if t.lists == nil {
		return t.bitsOf(a).SubsetOf(t.bitsOf(b))
	}
	if t.marks[a]&^t.marks[b] != 0 {
		return false
	}
	of := t.lists.at(uint32(b))
	for _, s := range t.lists.at(uint32(a)) {
		for len(of) > 0 && of[0] < s {
			of = of[1:]
		}
		if len(of) == 0 || of[0] != s {
			return false
		}
	}
	return true
}

// intersects says whether set k and states have one in common.
func (t *stateSets) intersects(k int32, states bitset.Set[State]) bool {
	if t.lists == nil {
		return t.bitsOf(k).Intersects(states)
	}
	return slices.ContainsFunc(t.lists.at(uint32(k)), states.Has)
}

func (t *stateSets) bytes() int64 {
	if t.lists != nil {
		return t.lists.bytes() + bytesOf(t.marks)
	}
	return t.bits.bytes()
}
