package lts

import (
	"slices"

	"magus/internal/bitset"
)

// Member says whether the visible trace is a weak trace of m, and if so returns a shortest path that
// performs it, τ steps included, from the initial state on. Tau in the trace is ignored.
//
// Breadth-first search over pairs of a state and a position in the trace; cost at most
// |trace|·(states + edges), in practice only the pairs that are reached.
func Member(m *LTS, trace []Action) (path []Edge, ok bool) { return pathOf(m, trace, nil) }

// pathOf is Member where the transitions of hidden actions count as τ steps. They keep their actions
// in the path. hidden has room for m's actions, or is nil if there is none.
func pathOf(m *LTS, trace []Action, hidden bitset.Set[Action]) (path []Edge, ok bool) {
	trace = slices.DeleteFunc(slices.Clone(trace), func(a Action) bool { return a == Tau })
	seen := newTuples[State](2)
	type link struct {
		parent int32
		action Action
	}
	links := []link{{parent: none}}
	seen.insert([]State{m.init, 0})
	goal := int32(none)
	if len(trace) == 0 {
		goal = 0
	}
	for k := int32(0); int(k) < seen.count && goal < 0; k++ {
		pair := seen.at(k)
		s, done := pair[0], int(pair[1])
		for _, e := range m.Out(s) {
			position := done
			switch {
			case e.Action == trace[done]:
				position++
			case e.Action != Tau && (hidden == nil || !hidden.Has(e.Action)):
				continue
			}
			to, isNew := seen.insert([]State{e.To, State(position)})
			if isNew {
				links = append(links, link{k, e.Action})
				if position == len(trace) && goal < 0 {
					goal = to
				}
			}
		}
	}
	if goal < 0 {
		return nil, false
	}
	for k := goal; links[k].parent >= 0; k = links[k].parent {
		path = append(path, Edge{links[k].action, seen.at(k)[0]})
	}
	slices.Reverse(path)
	return path, true
}
