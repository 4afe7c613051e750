package lts

import "slices"

// Relations see nothing but transitions. What else they distinguish is encoded in transitions
// with actions beyond the table; such LTSs never leave the package.

// markAction returns the first of three actions that stand for marks: errorMark, divergenceMark and
// visibleTau. No LTS made before the call has actions that large.
func markAction(ms ...*LTS) Action {
	first := Tau + 1
	for _, m := range ms {
		if n := len(m.alphabet); n > 0 {
			first = max(first, m.alphabet[n-1]+1)
		}
	}
	return first
}

// marks are the actions that stand for what is no action.
type marks struct {
	err        Action // an ERROR state
	divergence Action // an infinite sequence of τ steps is possible
	tau        Action // τ where it is to be observed
}

func newMarks(ms ...*LTS) marks {
	first := markAction(ms...)
	return marks{err: first, divergence: first + 1, tau: first + 2}
}

// disjoint returns the LTSs side by side, the states of each after those of the ones before it, with
// a self-loop at every ERROR state. The initial state is that of the first.
func disjoint(k marks, ms ...*LTS) *LTS {
	states, edges := 0, 0
	for _, m := range ms {
		states += m.NumStates()
		edges += m.NumEdges()
	}
	u := &LTS{actions: ms[0].actions, init: ms[0].init}
	u.offsets = make([]uint32, 1, states+1)
	u.edges = make([]Edge, 0, edges)
	shift := State(0)
	for _, m := range ms {
		for s := range State(m.NumStates()) {
			for _, e := range m.Out(s) {
				u.edges = append(u.edges, Edge{e.Action, e.To + shift})
			}
			if m.IsError(s) {
				u.edges = append(u.edges, Edge{k.err, s + shift})
			}
			u.offsets = append(u.offsets, uint32(len(u.edges)))
		}
		shift += State(m.NumStates())
		u.alphabet = append(u.alphabet, m.alphabet...)
		if m.HasError() {
			u.alphabet = append(u.alphabet, k.err)
		}
	}
	slices.Sort(u.alphabet)
	u.alphabet = slices.Compact(u.alphabet)
	return u
}

// withoutErrors returns m, with its ERROR states encoded; m itself if it has none.
func withoutErrors(k marks, m *LTS) *LTS {
	if !m.HasError() {
		return m
	}
	return disjoint(k, m)
}

// observable returns m as the trace relations see it: with a transition of the error mark from every
// ERROR state to one more state and, unless weak, with τ visible. Its alphabet is given.
func observable(k marks, m *LTS, weak bool, alphabet []Action) *LTS {
	if weak && !m.HasError() {
		return &LTS{actions: m.actions, init: m.init, offsets: m.offsets, edges: m.edges, alphabet: alphabet}
	}
	b := NewBuilder(m.actions)
	b.AddStates(m.NumStates() + 1)
	b.SetInit(m.init)
	b.Alphabet(alphabet...)
	for s := range State(m.NumStates()) {
		for _, e := range m.Out(s) {
			if e.Action == Tau && !weak {
				e.Action = k.tau
			}
			b.AddEdge(s, e.Action, e.To)
		}
		if m.IsError(s) {
			b.AddEdge(s, k.err, State(m.NumStates()))
		}
	}
	return b.Build()
}

// observedAlphabet returns the visible actions of the LTSs and the marks for ERROR and visible τ.
func observedAlphabet(k marks, ms ...*LTS) []Action {
	var all []Action
	for _, m := range ms {
		all = append(all, m.alphabet...)
	}
	slices.Sort(all)
	return append(slices.Compact(all), k.err, k.tau)
}

// contract returns m with the components of its τ transitions as states, without τ self-loops, and
// with the divergence mark at divergent components if that is asked for.
func contract(k marks, m *LTS, c TauComponents, divergence bool) *LTS {
	b := NewBuilder(m.actions)
	b.AddStates(c.Count)
	b.SetInit(c.Of[m.init])
	b.edges, b.sources = make([]Edge, 0, len(m.edges)), make([]State, 0, len(m.edges))
	for s := range State(m.NumStates()) {
		for _, e := range m.Out(s) {
			if e.Action != Tau || c.Of[s] != c.Of[e.To] {
				b.AddEdge(c.Of[s], e.Action, c.Of[e.To])
			}
		}
	}
	if divergence {
		for s := range c.Divergent.All() {
			b.AddEdge(s, k.divergence, s)
		}
	}
	return b.Build()
}
