package cert

import (
	"maps"
	"slices"

	"magus/lts"
)

// set is a set of states of one LTS.
type set map[lts.State]bool

// A view is an LTS of which some actions are hidden.
type view struct {
	*lts.LTS
	hidden func(lts.Action) bool
}

// closed adds to states what hidden actions reach from them.
func (m view) closed(states []lts.State) set {
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
			if m.hidden(e.Action) {
				todo = append(todo, e.To)
			}
		}
	}
	return s
}

// after returns where m can be after action a, with hidden actions before and after it, from a state of s.
func (m view) after(s set, a lts.Action) set {
	var targets []lts.State
	for at := range m.closed(slices.Collect(maps.Keys(s))) {
		for _, e := range m.Out(at) {
			if e.Action == a {
				targets = append(targets, e.To)
			}
		}
	}
	return m.closed(targets)
}

func (m view) hasError(s set) bool { return s.any(m.IsError) }

func (s set) any(f func(lts.State) bool) bool {
	for at := range s {
		if f(at) {
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
