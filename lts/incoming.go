package lts

// distribute sorts the transitions by a key below keys; those of key k are sorted[starts[k]:starts[k+1]],
// in their order.
func distribute(m *LTS, keys int, key func(Edge) uint32) (sorted, starts []uint32) {
	starts = make([]uint32, keys+1)
	for _, e := range m.edges {
		starts[key(e)]++
	}
	sum := uint32(0)
	for k, n := range starts {
		sum += n
		starts[k] = sum // where the transitions of key k end
	}
	sorted = make([]uint32, len(m.edges))
	for i := len(m.edges) - 1; i >= 0; i-- {
		k := key(m.edges[i])
		starts[k]--
		sorted[starts[k]] = uint32(i)
	}
	return sorted, starts
}

// sources returns the source of every transition.
func sources(m *LTS) []State {
	from := make([]State, len(m.edges))
	for s := range State(m.NumStates()) {
		for i := m.offsets[s]; i < m.offsets[s+1]; i++ {
			from[i] = s
		}
	}
	return from
}

// predecessors returns the sources of the transitions into s as into[starts[s]:starts[s+1]].
func predecessors(m *LTS) (into []State, starts []uint32) {
	into, starts = distribute(m, m.NumStates(), func(e Edge) uint32 { return e.To })
	from := sources(m)
	for i, t := range into {
		into[i] = from[t]
	}
	return into, starts
}

// predecessorEdges returns the transitions into s, turned around, as edges[starts[s]:starts[s+1]].
func predecessorEdges(m *LTS) (edges []Edge, starts []uint32) {
	into, starts := distribute(m, m.NumStates(), func(e Edge) uint32 { return e.To })
	from := sources(m)
	edges = make([]Edge, len(into))
	for i, t := range into {
		edges[i] = Edge{m.edges[t].Action, from[t]}
	}
	return edges, starts
}

// lastAction returns the greatest action on a transition, or Tau.
func lastAction(m *LTS) Action {
	last := Tau
	for _, e := range m.edges {
		last = max(last, e.Action)
	}
	return last
}
