package actionref

import (
	"slices"

	"magus/internal/graph"
	"magus/lts"
)

// Idea: the visible traces of m do not change if every run of τ is skipped, s -a-> t for s τ* a t.
//
// Why: a refinement step splits one block (section 8). Where a spurious trace goes through a chain of k
// τ steps, states along the chain differ only in how far they are from the next visible action, so the
// chain is split off one step at a time; the paper's runs needed up to 9,443 action refinements that
// way. The paper treats τ as an action of MP; this is the deviation. Skipping τ also makes a trace of
// the loop, which is visible, a trace to refine by, without a search for where its τ steps go.
//
// How: the states of one strongly connected component of the τ graph have the same visible
// successors. A component without visible transitions and with at most one successor that leads to
// any is skipped once and for all (long chains); from the others that are needed, a depth-first
// search collects the visible transitions.
//
// Cost: linear in m, plus for each state that is kept the part of the contracted τ graph it reaches,
// plus the size of the result, which at worst is states × transitions.

// Visible returns the τ-free LTS with the alphabet and the visible (weak) traces of m whose states are
// m's initial state and the reachable targets of visible transitions: s -a-> t iff s τ* a t in m. The
// second result maps its states to those of m; its initial state is state 0. A state is an ERROR state
// if τ leads to one of m's.
func Visible(m *lts.LTS) (*lts.LTS, []lts.State) {
	v := newTauSkipper(m)
	number := make([]int32, m.NumStates()) // of the state kept, plus 1; 0 for the others
	kept := []lts.State{m.Init()}
	number[m.Init()] = 1
	b := lts.NewBuilder(m.Actions())
	b.Alphabet(m.Alphabet()...)
	for i := 0; i < len(kept); i++ {
		b.AddState(nameOf(m, kept[i]))
		edges, isError := v.visibleFrom(kept[i])
		if isError {
			b.SetError(lts.State(i))
		}
		for _, e := range edges {
			if number[e.To] == 0 {
				kept = append(kept, e.To)
				number[e.To] = int32(len(kept))
			}
			b.AddEdge(lts.State(i), e.Action, lts.State(number[e.To]-1))
		}
	}
	return b.Build(), kept
}

func nameOf(m *lts.LTS, s lts.State) string {
	if !m.HasNames() {
		return ""
	}
	return m.StateName(s)
}

// tauSkipper is the τ graph of m with components contracted and pass-through components skipped.
type tauSkipper struct {
	m          *lts.LTS
	components graph.Components
	offsets    []int32 // states of component k: states[offsets[k]:offsets[k+1]]
	states     []lts.State
	skip       []int32   // skip[k]: the component to look at instead of k, or nothing
	successors [][]int32 // of component k with skip[k] == k: the τ successors to look at
	stamp      []int32   // by component: the last search that visited it
	search     int32
	edges      []lts.Edge // scratch: what the search found
	stack      []int32
}

// nothing marks components from which τ leads to no visible transition and no ERROR state.
const nothing = -1

func newTauSkipper(m *lts.LTS) *tauSkipper {
	c := graph.SCC(tauGraph{m})
	v := &tauSkipper{m: m, components: c, skip: make([]int32, c.Count), successors: make([][]int32, c.Count), stamp: make([]int32, c.Count)}
	v.offsets = make([]int32, c.Count+1)
	for _, k := range c.Of {
		v.offsets[k+1]++
	}
	for k := range c.Count {
		v.offsets[k+1] += v.offsets[k]
	}
	v.states = make([]lts.State, m.NumStates())
	fill := slices.Clone(v.offsets)
	for s, k := range c.Of {
		v.states[fill[k]] = lts.State(s)
		fill[k]++
	}
	for k := range int32(c.Count) { // successors come before their predecessors
		v.contract(k)
	}
	return v
}

func (v *tauSkipper) members(k int32) []lts.State { return v.states[v.offsets[k]:v.offsets[k+1]] }

// contract computes skip and successors of component k from those of its successors.
func (v *tauSkipper) contract(k int32) {
	var successors []int32
	matters := false
	for _, s := range v.members(k) {
		out := v.m.Out(s)
		tau := v.m.OutBy(s, lts.Tau)
		matters = matters || len(out) > len(tau) || v.m.IsError(s)
		for _, e := range tau {
			if j := v.skip[v.components.Of[e.To]]; int32(v.components.Of[e.To]) != k && j != nothing {
				successors = append(successors, j)
			}
		}
	}
	slices.Sort(successors)
	successors = slices.Compact(successors)
	switch {
	case !matters && len(successors) == 0:
		v.skip[k] = nothing
	case !matters && len(successors) == 1:
		v.skip[k] = successors[0]
	default:
		v.skip[k], v.successors[k] = k, slices.Clip(successors)
	}
}

// visibleFrom returns the visible transitions that τ leads to from s, sorted, and whether it leads to
// an ERROR state. The slice is valid until the next call.
func (v *tauSkipper) visibleFrom(s lts.State) (edges []lts.Edge, isError bool) {
	v.edges = v.edges[:0]
	start := v.skip[v.components.Of[s]]
	if start == nothing {
		return nil, false
	}
	v.search++
	v.stamp[start] = v.search
	v.stack = append(v.stack[:0], start)
	for len(v.stack) > 0 {
		k := v.stack[len(v.stack)-1]
		v.stack = v.stack[:len(v.stack)-1]
		for _, t := range v.members(k) {
			isError = isError || v.m.IsError(t)
			v.edges = append(v.edges, v.m.Out(t)[len(v.m.OutBy(t, lts.Tau)):]...)
		}
		for _, j := range v.successors[k] {
			if v.stamp[j] != v.search {
				v.stamp[j] = v.search
				v.stack = append(v.stack, j)
			}
		}
	}
	slices.SortFunc(v.edges, compareEdges)
	v.edges = slices.Compact(v.edges)
	return v.edges, isError
}

// tauGraph is the graph of m's τ transitions.
type tauGraph struct{ m *lts.LTS }

func (g tauGraph) NumNodes() int { return g.m.NumStates() }

func (g tauGraph) Out(n int, yield func(int)) {
	for _, e := range g.m.OutBy(lts.State(n), lts.Tau) {
		yield(int(e.To))
	}
}
