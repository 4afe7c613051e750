package lts

import (
	"cmp"
	"fmt"
	"slices"

	"magus/internal/bitset"
)

// Builder collects states and transitions of one LTS. Transitions may come in any order and more
// than once. It is not safe for concurrent use.
type Builder struct {
	actions  *Actions
	states   int
	init     State
	names    []string // shorter than states when the last ones have no name
	sources  []State  // sources[i] is where edges[i] starts
	edges    []Edge
	alphabet []Action
	errors   []State
}

// NewBuilder returns an empty builder of an LTS over the actions of t.
func NewBuilder(t *Actions) *Builder { return &Builder{actions: t} }

// AddState adds a state and returns its number; numbers count from 0. The name is for people and may be empty.
func (b *Builder) AddState(name string) State {
	s := b.AddStates(1)
	if name != "" {
		for len(b.names) < int(s) {
			b.names = append(b.names, "")
		}
		b.names = append(b.names, name)
	}
	return s
}

// AddStates adds n states without names and returns the number of the first.
func (b *Builder) AddStates(n int) State {
	first := State(b.states)
	b.states += n
	return first
}

// AddEdge adds the transition from -a-> to. Both states must have been added by the time of Build.
func (b *Builder) AddEdge(from State, a Action, to State) {
	b.sources = append(b.sources, from)
	b.edges = append(b.edges, Edge{a, to})
}

// bytes is the memory of the transitions.
func (b *Builder) bytes() int64 { return bytesOf(b.sources) + bytesOf(b.edges) }

// SetInit makes s the initial state; without it the first state is.
func (b *Builder) SetInit(s State) { b.init = s }

// Alphabet extends the alphabet beyond the actions on transitions. Tau is ignored.
func (b *Builder) Alphabet(as ...Action) { b.alphabet = append(b.alphabet, as...) }

// SetError makes s an ERROR state.
func (b *Builder) SetError(s State) { b.errors = append(b.errors, s) }

// Build returns the LTS and empties the builder. An LTS has at least one state, so a builder without
// any gets one. It panics if a transition, the initial state or an ERROR state names a state that was
// not added: that is a fault of the caller, not of any input.
// Cost: linear in states and edges, plus sorting the edges of each state.
func (b *Builder) Build() *LTS {
	if b.states == 0 {
		b.AddState("")
	}
	b.mustBeComplete()
	m := &LTS{actions: b.actions, init: b.init}
	m.offsets, m.edges = b.sortedEdges()
	m.alphabet = buildAlphabet(b.alphabet, m.edges)
	if len(b.errors) > 0 {
		m.errors = bitset.New[State](b.states)
		for _, s := range b.errors {
			m.errors.Add(s)
		}
	}
	if names := b.names; len(names) > 0 {
		m.name = func(s State) string {
			if int(s) < len(names) {
				return names[s]
			}
			return ""
		}
	}
	*b = Builder{actions: b.actions}
	return m
}

func (b *Builder) mustBeComplete() {
	known := func(what string, s State) {
		if int(s) >= b.states {
			panic(fmt.Sprintf("lts: %s %d was not added (the LTS has %d states)", what, s, b.states))
		}
	}
	known("initial state", b.init)
	for i, e := range b.edges {
		known("source", b.sources[i])
		known("target", e.To)
	}
	for _, s := range b.errors {
		known("ERROR state", s)
	}
}

// sortedEdges distributes the edges over their sources (a counting sort), sorts each source's edges
// and drops duplicates.
func (b *Builder) sortedEdges() (offsets []uint32, edges []Edge) {
	offsets = make([]uint32, b.states+1)
	for _, s := range b.sources {
		offsets[s+1]++
	}
	for s := range b.states {
		offsets[s+1] += offsets[s]
	}
	edges = b.edges
	if !slices.IsSorted(b.sources) {
		edges = make([]Edge, len(b.edges))
		fill := slices.Clone(offsets)
		for i, s := range b.sources {
			edges[fill[s]] = b.edges[i]
			fill[s]++
		}
	}
	kept, start := uint32(0), uint32(0)
	for s := range b.states {
		end := offsets[s+1]
		out := edges[start:end]
		if !slices.IsSortedFunc(out, Edge.Compare) {
			slices.SortFunc(out, Edge.Compare)
		}
		kept += uint32(copy(edges[kept:], slices.Compact(out)))
		start, offsets[s+1] = end, kept
	}
	return offsets, edges[:kept:kept]
}

// compareTarget compares where a transition leads.
func compareTarget(e Edge, to State) int { return cmp.Compare(e.To, to) }

// buildAlphabet returns the visible actions among extra and those on edges, sorted, each once.
func buildAlphabet(extra []Action, edges []Edge) []Action {
	last := Tau
	for _, a := range extra {
		last = max(last, a)
	}
	for _, e := range edges {
		last = max(last, e.Action)
	}
	seen := bitset.New[Action](int(last) + 1)
	for _, a := range extra {
		seen.Add(a)
	}
	for _, e := range edges {
		seen.Add(e.Action)
	}
	seen.Remove(Tau)
	return slices.Collect(seen.All())
}
