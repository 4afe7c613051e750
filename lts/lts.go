package lts

import (
	"cmp"
	"slices"
	"sort"
	"strconv"

	"magus/internal/bitset"
)

// State is a state's number in its LTS, from 0 to NumStates()-1.
type State = uint32

// Edge is a transition, seen from its source.
type Edge struct {
	Action Action
	To     State
}

// Compare is the order of edges: by action, then by target.
func (e Edge) Compare(f Edge) int {
	if e.Action != f.Action {
		return cmp.Compare(e.Action, f.Action)
	}
	return cmp.Compare(e.To, f.To)
}

// LTS is a labelled transition system (Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), definition 1), without the distinguished state STOP: a state without outgoing edges plays
// its part. It is immutable; a [Builder] makes one.
type LTS struct {
	actions  *Actions
	init     State
	offsets  []uint32           // invariant: len = states+1, non-decreasing, last = len(edges)
	edges    []Edge             // invariant: edges[offsets[s]:offsets[s+1]] sorted by (Action, To), no duplicates
	alphabet []Action           // invariant: sorted, no duplicates, no Tau, holds every visible action of edges
	errors   bitset.Set[State]  // the ERROR states; nil if there is none
	name     func(State) string // nil if no state has a name
}

// Actions returns the table that m's actions are numbered by.
func (m *LTS) Actions() *Actions { return m.actions }

// Init returns the initial state.
func (m *LTS) Init() State { return m.init }

// NumStates returns the number of states, reachable or not; it is at least 1.
func (m *LTS) NumStates() int { return len(m.offsets) - 1 }

// NumEdges returns the number of distinct transitions.
func (m *LTS) NumEdges() int { return len(m.edges) }

// Out returns the transitions that leave s, sorted by action and target. The caller must not change them.
func (m *LTS) Out(s State) []Edge {
	lo, hi := m.offsets[s], m.offsets[s+1]
	return m.edges[lo:hi:hi]
}

// OutBy returns the transitions that leave s with action a, sorted by target. The caller must not change them.
func (m *LTS) OutBy(s State, a Action) []Edge { return EdgesBy(m.Out(s), a) }

// shortList is the length up to which a linear scan beats a binary search.
const shortList = 8

// EdgesBy returns the edges with action a of a list that is sorted by action. The result is part of the list.
func EdgesBy(sorted []Edge, a Action) []Edge {
	lo := 0
	if len(sorted) > shortList {
		lo = sort.Search(len(sorted), func(i int) bool { return sorted[i].Action >= a })
	} else {
		for lo < len(sorted) && sorted[lo].Action < a {
			lo++
		}
	}
	hi := lo + countFirst(sorted[lo:], a)
	return sorted[lo:hi:hi]
}

// countFirst is the number of edges at the beginning of a list that have action a.
func countFirst(edges []Edge, a Action) int {
	k := 0
	for k < len(edges) && edges[k].Action == a {
		k++
	}
	return k
}

// Alphabet returns the visible actions of m in ascending order: those on its edges and those the
// builder added. The caller must not change it.
func (m *LTS) Alphabet() []Action { return m.alphabet }

// HasAction says whether a is in the alphabet. It is false for Tau.
func (m *LTS) HasAction(a Action) bool {
	_, found := slices.BinarySearch(m.alphabet, a)
	return found
}

// StateName returns the name s was given, or its number in decimal if it has none.
func (m *LTS) StateName(s State) string {
	if m.name != nil {
		if name := m.name(s); name != "" {
			return name
		}
	}
	return strconv.Itoa(int(s))
}

// IsError says whether s is an ERROR state.
func (m *LTS) IsError(s State) bool { return m.errors != nil && m.errors.Has(s) }

// HasError says whether m has an ERROR state, reachable or not. A specification that has one asks
// for traces that lead to it; see [Contains].
func (m *LTS) HasError() bool { return m.errors != nil }
