package graph

// Idea: one depth-first search; a component is complete when the search leaves the node of it that was
// entered first. Source: Tarjan, "Depth-first search and linear graph algorithms" (SIAM J. Comput. 1972).
// Deviations: iterative, since chains of a million nodes occur; a node's successors are copied to a
// stack when it is entered, since Out cannot be interrupted. Cost: linear in nodes and edges.

// Components are the strongly connected components of a graph.
type Components struct {
	Of    []int // Of[n] is the component of node n
	Count int   // components are 0 … Count-1, in reverse topological order: Of[n] ≥ Of[m] for every edge n→m
}

// Members returns the nodes of each component in ascending order.
func (c Components) Members() [][]int {
	members := make([][]int, c.Count)
	for n, k := range c.Of {
		members[k] = append(members[k], n)
	}
	return members
}

// SCC computes the strongly connected components of g.
func SCC(g Graph) Components {
	n := g.NumNodes()
	t := &tarjan{graph: g, index: make([]int, n), low: make([]int, n), components: Components{Of: make([]int, n)}}
	for root := range n {
		if t.index[root] == 0 {
			t.search(root)
		}
	}
	return t.components
}

type tarjan struct {
	graph      Graph
	components Components
	index      []int // order of entry from 1; 0 for nodes not entered yet
	low        []int // least index known to be reachable, among nodes without a component
	entered    int
	open       []int // nodes without a component, in order of entry
	frames     []frame
	pending    []int // successors still to look at, of all frames
}

// frame is a node whose search has begun; its successors are pending[start:], up to the next frame's.
type frame struct{ node, start int }

// done is the index of nodes that have a component.
const done = int(^uint(0) >> 1)

func (t *tarjan) search(root int) {
	t.enter(root)
	for len(t.frames) > 0 {
		f := t.frames[len(t.frames)-1]
		if len(t.pending) == f.start {
			t.leave(f.node)
			continue
		}
		last := len(t.pending) - 1
		m := t.pending[last]
		t.pending = t.pending[:last]
		switch t.index[m] {
		case 0:
			t.enter(m)
		case done:
		default:
			t.low[f.node] = min(t.low[f.node], t.index[m])
		}
	}
}

func (t *tarjan) enter(n int) {
	t.entered++
	t.index[n], t.low[n] = t.entered, t.entered
	t.open = append(t.open, n)
	t.frames = append(t.frames, frame{n, len(t.pending)})
	t.graph.Out(n, func(m int) { t.pending = append(t.pending, m) })
}

// leave ends the search of n: it closes n's component, or passes low on to the node below.
func (t *tarjan) leave(n int) {
	t.frames = t.frames[:len(t.frames)-1]
	if t.low[n] < t.index[n] {
		below := t.frames[len(t.frames)-1].node
		t.low[below] = min(t.low[below], t.low[n])
		return
	}
	for {
		last := len(t.open) - 1
		m := t.open[last]
		t.open = t.open[:last]
		t.index[m] = done
		t.components.Of[m] = t.components.Count
		if m == n {
			break
		}
	}
	t.components.Count++
}
