package lts

import (
	"magus/internal/bitset"
	"magus/internal/graph"
)

// TauComponents is the partition of an LTS's states by mutual reachability over τ: the strongly
// connected components of its τ transitions. Every τ transition leads to a component of the same or a
// lower number, so whoever handles components in ascending order has handled all τ successors.
type TauComponents struct {
	Of        []uint32 // by state: its component
	Count     int
	Divergent bitset.Set[uint32] // the components with a τ cycle, self-loops included
}

// NewTauComponents finds the components. Cost: that of [graph.SCC] and a pass over the τ transitions.
func NewTauComponents(m *LTS) TauComponents {
	c := graph.SCC(tauGraph{m})
	t := TauComponents{c.Of, c.Count, bitset.New[uint32](c.Count)}
	for s := range State(m.NumStates()) {
		for _, e := range m.Out(s) {
			if e.Action != Tau {
				break
			}
			if c.Of[s] == c.Of[e.To] {
				t.Divergent.Add(c.Of[s])
			}
		}
	}
	return t
}

// tauGraph is the graph of m's τ transitions.
type tauGraph struct{ m *LTS }

func (g tauGraph) NumNodes() int { return g.m.NumStates() }

// Out calls yield for the last target first, which is the one that SCC follows last.
func (g tauGraph) Out(n int, yield func(int)) {
	lo, i := g.m.offsets[n], g.m.offsets[n]
	for i < g.m.offsets[n+1] && g.m.edges[i].Action == Tau {
		i++
	}
	for ; i > lo; i-- {
		yield(int(g.m.edges[i-1].To))
	}
}
