package graph

// Idea: one depth-first search; a component is complete when the search leaves the node of it that was
// entered first. A node without a component has as its number the least place on the stack of such nodes
// that is known to be reachable from it; one with a component has a number above all places, so that it
// changes no minimum and one array serves for both.
//
// Source: Tarjan, "Depth-first search and linear graph algorithms" (SIAM J. Comput. 1972), with the array
// of Pearce, "A space-efficient algorithm for finding strongly connected components" (Information
// Processing Letters 2016). Deviations: iterative, since chains of a million nodes occur; a node's
// successors are copied to a stack when it is entered, since Out cannot be interrupted.
//
// Cost: linear in nodes and edges; 4 bytes a node, and while the search runs 20 bytes a node and 4 an edge
// of the search's path. No allocation per node.

// Components are the strongly connected components of a graph with fewer than 2³² nodes.
type Components struct {
	Of    []uint32 // Of[n] is the component of node n
	Count int      // components are 0 … Count-1, in reverse topological order: Of[n] ≥ Of[m] for every edge n→m
}

// Members returns the nodes of each component in ascending order.
func (c Components) Members() [][]int {
	members := make([][]int, c.Count)
	for n, k := range c.Of {
		members[k] = append(members[k], n)
	}
	return members
}

// OnCycle says of each node of g whether an edge, or a path of several, leads from it back to it. c are g's components.
func (c Components) OnCycle(g Graph) []bool {
	on, size := make([]bool, len(c.Of)), make([]int, c.Count)
	for _, k := range c.Of {
		size[k]++
	}
	for n := range on {
		on[n] = size[c.Of[n]] > 1
		if !on[n] {
			g.Out(n, func(m int) { on[n] = on[n] || m == n })
		}
	}
	return on
}

// SCC computes the strongly connected components of g. A node's successors are followed from the last to
// the first.
func SCC(g Graph) Components {
	n := g.NumNodes()
	t := &tarjan{graph: g, number: make([]uint32, n), next: uint32(n)}
	t.push = func(m int) { t.pending = append(t.pending, uint32(m)) }
	for root := range t.number {
		if t.number[root] == 0 {
			t.search(uint32(root))
		}
	}
	for m := range t.number {
		t.number[m] = uint32(n) - t.number[m]
	}
	return Components{Of: t.number, Count: n - int(t.next)}
}

type tarjan struct {
	graph   Graph
	number  []uint32 // by node: 0 if not entered yet, n-k in component k, else a place in open, from 1
	open    []uint32 // nodes without a component, in order of entry
	frames  []frame
	pending []uint32 // successors still to look at, of all frames
	next    uint32   // the number of the next component
	push    func(m int)
}

// frame is a node whose search has begun; its successors are pending[start:], up to the next frame's.
type frame struct {
	node, index uint32
	start       int
}

func (t *tarjan) search(root uint32) {
	t.enter(root)
	for len(t.frames) > 0 {
		f := t.frames[len(t.frames)-1]
		last := len(t.pending) - 1
		if last < f.start {
			t.leave(f)
			continue
		}
		m := t.pending[last]
		t.pending = t.pending[:last]
		if t.number[m] == 0 {
			t.enter(m)
		} else {
			t.number[f.node] = min(t.number[f.node], t.number[m])
		}
	}
}

func (t *tarjan) enter(n uint32) {
	t.open = append(t.open, n)
	place := uint32(len(t.open))
	t.number[n] = place
	t.frames = append(t.frames, frame{n, place, len(t.pending)})
	t.graph.Out(int(n), t.push)
}

// leave ends the search of a node: it closes the node's component, or passes the number on to the node below.
func (t *tarjan) leave(f frame) {
	t.frames = t.frames[:len(t.frames)-1]
	if t.number[f.node] < f.index {
		below := t.frames[len(t.frames)-1].node
		t.number[below] = min(t.number[below], t.number[f.node])
		return
	}
	for _, m := range t.open[f.index-1:] {
		t.number[m] = t.next
	}
	t.open = t.open[:f.index-1]
	t.next--
}
