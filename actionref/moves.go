package actionref

import (
	"context"
	"slices"

	"magus/internal/graph"
	"magus/lts"
)

// Idea: the weak moves of an LTS, s -a-> t for s τ* a t, are far more than its transitions where τ
// branches: every state before a region of τ has all the moves that leave it. So they are not stored.
// States that τ leads around in a circle have the same moves, and so has a state that can do nothing
// but τ to one such class. Contracting these leaves an acyclic τ graph. Its nodes are numbered such that
// τ leads to smaller numbers: what is asked of the weak moves is then one pass over the nodes (sweep.go)
// or a search from some of them (refine.go).
//
// Why weak moves at all: a refinement step splits one block (Chaki et al., "Efficient Verification of
// Sequential and Concurrent C Programs" (2004), section 8). Where a spurious trace goes through a chain of k
// τ steps, states along the chain differ only in how far they are from the next visible action, so the chain
// would be split off one step at a time; the paper's runs needed up to 9,443 action refinements that way. The
// paper treats τ as an action of MP; this is the deviation. Skipping τ also makes a trace of the loop, which
// is visible, a trace to refine by, without a search for where its τ steps go.
//
// Source: the classes are the strongly connected components of τ (lts.NewTauComponents).
// Cost: linear in the LTS, plus sorting the transitions of each node.

// weakMoves is the acyclic τ graph of an LTS and the visible transitions between its nodes. A node
// stands for reachable states with the same weak moves.
type weakMoves struct {
	nodeOf  []int32 // by state: its node, or none if no run leads to it
	count   int
	tau     lists[int32]     // by node: where τ leads in one step, ascending, all smaller than the node
	out     lists[lts.Edge]  // by node: the visible transitions of its states, To being a node, sorted, no duplicates
	into    lists[lts.Edge]  // by node: the visible transitions to its states, To being their node, sorted, no duplicates
	isError []bool           // by node: τ leads to an ERROR state
	kept    []bool           // by state: it is one of those that are partitioned
	states  lists[lts.State] // by node: the states of the partition that it stands for, ascending
}

// none is the node and the block of states that have none.
const none = -1

// idle is the node of states from which τ leads to no visible transition and to no ERROR state.
const idle = 0

// lists is a sequence of lists in one array.
type lists[T any] struct {
	offsets []int32
	items   []T
}

func (l *lists[T]) at(k int32) []T { return l.items[l.offsets[k]:l.offsets[k+1]] }

// checkEvery is the number of states after which a loop looks at its context.
const checkEvery = 1 << 14

func newWeakMoves(ctx context.Context, m *lts.LTS) (*weakMoves, error) {
	w := &weakMoves{nodeOf: make([]int32, m.NumStates()), kept: make([]bool, m.NumStates())}
	reached := graph.Reachable(transitions{m}, int(m.Init()))
	if err := w.contract(ctx, m, reached); err != nil {
		return nil, err
	}
	if err := w.collectMoves(ctx, m); err != nil {
		return nil, err
	}
	w.states = *membersOf(w.count, func(s lts.State) int32 {
		if !w.kept[s] {
			return none
		}
		return w.nodeOf[s]
	}, m.NumStates())
	return w, nil
}

// keptNodes returns the nodes that stand for states of the partition, in the order of the first of these.
func (w *weakMoves) keptNodes() []int32 {
	var nodes []int32
	for s, kept := range w.kept {
		if k := w.nodeOf[s]; kept && w.states.at(k)[0] == lts.State(s) {
			nodes = append(nodes, k)
		}
	}
	return nodes
}

// contract finds the nodes and the τ steps between them.
func (w *weakMoves) contract(ctx context.Context, m *lts.LTS, reached []bool) error {
	components := lts.NewTauComponents(m)
	members := membersOf(components.Count, func(s lts.State) int32 { return int32(components.Of[s]) }, m.NumStates())
	nodeOf := make([]int32, components.Count) // by component
	w.isError, w.tau.offsets = []bool{false}, []int32{0, 0}
	var successors []int32
	for k := range int32(components.Count) { // successors come before their predecessors
		if k%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		successors = successors[:0]
		matters, isError := false, false
		for _, s := range members.at(k) {
			tau := m.OutBy(s, lts.Tau)
			isError = isError || m.IsError(s)
			matters = matters || isError || len(tau) < len(m.Out(s))
			for _, e := range tau {
				if j := int32(components.Of[e.To]); j != k && nodeOf[j] != idle {
					successors = append(successors, nodeOf[j])
				}
			}
		}
		if s := members.at(k)[0]; reached[s] {
			slices.Sort(successors)
			nodeOf[k] = w.node(slices.Compact(successors), matters, isError)
		}
	}
	w.count = len(w.isError)
	for s, k := range components.Of {
		w.nodeOf[s] = none
		if reached[s] {
			w.nodeOf[s] = nodeOf[k]
		}
	}
	return nil
}

// node returns the node of a component with these τ successors, a new one if necessary.
func (w *weakMoves) node(successors []int32, matters, isError bool) int32 {
	switch {
	case !matters && len(successors) == 0:
		return idle
	case !matters && len(successors) == 1:
		return successors[0]
	}
	for _, j := range successors {
		isError = isError || w.isError[j]
	}
	w.isError = append(w.isError, isError)
	w.tau.items = append(w.tau.items, successors...)
	w.tau.offsets = append(w.tau.offsets, int32(len(w.tau.items)))
	return int32(len(w.isError) - 1)
}

// membersOf returns for each of n groups the states that have it, ascending; those with none are left out.
func membersOf(n int, groupOf func(lts.State) int32, states int) *lists[lts.State] {
	l := &lists[lts.State]{offsets: make([]int32, n+1)}
	for s := range lts.State(states) {
		if k := groupOf(s); k != none {
			l.offsets[k+1]++
		}
	}
	for k := range n {
		l.offsets[k+1] += l.offsets[k]
	}
	l.items = make([]lts.State, l.offsets[n])
	fill := slices.Clone(l.offsets)
	for s := range lts.State(states) {
		if k := groupOf(s); k != none {
			l.items[fill[k]] = s
			fill[k]++
		}
	}
	return l
}

// end is one end of a visible transition: the node it is stored with, and what is stored.
type end struct {
	at   int32
	edge lts.Edge
}

// collectMoves finds the visible transitions between nodes and the states they lead to.
func (w *weakMoves) collectMoves(ctx context.Context, m *lts.LTS) error {
	var ends []end
	for s := range lts.State(m.NumStates()) {
		if s%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if w.nodeOf[s] == none {
			continue
		}
		for _, e := range m.Out(s) {
			if e.Action != lts.Tau {
				w.kept[e.To] = true
				ends = append(ends, end{w.nodeOf[s], lts.Edge{Action: e.Action, To: lts.State(w.nodeOf[e.To])}})
			}
		}
	}
	w.kept[m.Init()] = true
	w.out = sortedLists(ends, w.count)
	ends = ends[:0]
	for k := range int32(w.count) {
		for _, e := range w.out.at(k) {
			ends = append(ends, end{int32(e.To), lts.Edge{Action: e.Action, To: lts.State(k)}})
		}
	}
	w.into = sortedLists(ends, w.count)
	return nil
}

// sortedLists returns for each of n nodes what is stored with it, sorted and without duplicates.
func sortedLists(ends []end, n int) lists[lts.Edge] {
	l := lists[lts.Edge]{make([]int32, n+1), make([]lts.Edge, len(ends))}
	for _, e := range ends {
		l.offsets[e.at+1]++
	}
	for k := range n {
		l.offsets[k+1] += l.offsets[k]
	}
	fill := slices.Clone(l.offsets)
	for _, e := range ends {
		l.items[fill[e.at]] = e.edge
		fill[e.at]++
	}
	size, start := int32(0), int32(0)
	for k := range n {
		stop := l.offsets[k+1]
		list := l.items[start:stop]
		slices.SortFunc(list, lts.Edge.Compare)
		size += int32(copy(l.items[size:], slices.Compact(list)))
		start, l.offsets[k+1] = stop, size
	}
	l.items = slices.Clone(l.items[:size])
	return l
}

// transitions is the graph of m's transitions.
type transitions struct{ m *lts.LTS }

func (g transitions) NumNodes() int { return g.m.NumStates() }

func (g transitions) Out(n int, yield func(int)) {
	for _, e := range g.m.Out(lts.State(n)) {
		yield(int(e.To))
	}
}
