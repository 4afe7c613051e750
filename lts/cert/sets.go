package cert

import (
	"maps"
	"slices"

	"magus/lts"
)

// set is a set of states of one LTS.
type set map[lts.State]bool

// closed adds to states what τ reaches from them, in m.
func closed(m *lts.LTS, states []lts.State) set {
	s := set{}
	todo := slices.Clone(states)
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s[at] {
			continue
		}
		s[at] = true
		for _, e := range m.Out(at) {
			if e.Action == lts.Tau {
				todo = append(todo, e.To)
			}
		}
	}
	return s
}

// after returns where m can be after action a, with τ before and after it, from a state of s.
func (s set) after(m *lts.LTS, a lts.Action) set {
	var targets []lts.State
	for at := range closed(m, slices.Collect(maps.Keys(s))) {
		for _, e := range m.Out(at) {
			if e.Action == a {
				targets = append(targets, e.To)
			}
		}
	}
	return closed(m, targets)
}

func (s set) hasError(m *lts.LTS) bool {
	for at := range s {
		if m.IsError(at) {
			return true
		}
	}
	return false
}

// includes says whether every one of states is in s.
func (s set) includes(states []lts.State) bool {
	for _, at := range states {
		if !s[at] {
			return false
		}
	}
	return true
}

func (s set) sorted() []lts.State { return slices.Sorted(maps.Keys(s)) }
