package lts

import "slices"

// Reachable returns m without its unreachable states. States are numbered breadth first, names,
// ERROR states and the whole alphabet are kept.
func Reachable(m *LTS) *LTS {
	const unseen = ^State(0)
	number := make([]State, m.NumStates())
	for s := range number {
		number[s] = unseen
	}
	order := []State{m.init}
	number[m.init] = 0
	b := NewBuilder(m.actions)
	b.Alphabet(m.alphabet...)
	for i := 0; i < len(order); i++ {
		s := order[i]
		if m.IsError(s) {
			b.SetError(State(i))
		}
		for _, e := range m.Out(s) {
			if number[e.To] == unseen {
				number[e.To] = State(len(order))
				order = append(order, e.To)
			}
			b.AddEdge(State(i), e.Action, number[e.To])
		}
	}
	b.AddStates(len(order))
	r := b.Build()
	if m.name != nil {
		r.name = func(s State) string { return m.name(order[s]) }
	}
	return r
}

// Hide returns m with every action outside keep turned into τ; the alphabet shrinks accordingly.
// States keep their numbers.
func Hide(m *LTS, keep []Action) *LTS {
	keep = slices.Sorted(slices.Values(keep))
	var kept []Action
	for _, a := range m.alphabet {
		if _, found := slices.BinarySearch(keep, a); found {
			kept = append(kept, a)
		}
	}
	return relabel(m, kept, func(a Action) Action {
		if _, found := slices.BinarySearch(kept, a); found {
			return a
		}
		return Tau
	})
}

// Rename returns m with every action a of its alphabet replaced by to[a], where that is given.
// Renaming to Tau hides; Tau itself is not renamed. States keep their numbers.
func Rename(m *LTS, to map[Action]Action) *LTS {
	rename := func(a Action) Action {
		if b, ok := to[a]; ok && a != Tau {
			return b
		}
		return a
	}
	alphabet := make([]Action, len(m.alphabet))
	for i, a := range m.alphabet {
		alphabet[i] = rename(a)
	}
	return relabel(m, alphabet, rename)
}

func relabel(m *LTS, alphabet []Action, f func(Action) Action) *LTS {
	b := NewBuilder(m.actions)
	b.AddStates(m.NumStates())
	b.SetInit(m.init)
	b.Alphabet(alphabet...)
	for s := range State(m.NumStates()) {
		for _, e := range m.Out(s) {
			b.AddEdge(s, f(e.Action), e.To)
		}
	}
	r := b.Build()
	r.errors, r.name = m.errors, m.name
	return r
}
