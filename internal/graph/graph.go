package graph

// Graph is a finite directed graph with nodes 0 … NumNodes()-1.
//
// Laws: NumNodes is constant; Out calls yield once or more for each successor of n and for nothing
// else, in the same order at each call.
type Graph interface {
	NumNodes() int
	Out(n int, yield func(m int))
}

// Func is a Graph given by a function.
type Func struct {
	Nodes int
	Succ  func(n int, yield func(m int))
}

// NumNodes returns g.Nodes.
func (g Func) NumNodes() int { return g.Nodes }

// Out calls g.Succ.
func (g Func) Out(n int, yield func(m int)) { g.Succ(n, yield) }

// Reverse returns g with all edges turned around. Predecessors come in ascending order, an edge that
// g gives twice comes twice. Cost: linear in nodes and edges, once.
func Reverse(g Graph) Graph {
	n := g.NumNodes()
	offsets := make([]int, n+1)
	for from := range n {
		g.Out(from, func(to int) { offsets[to+1]++ })
	}
	for i := range n {
		offsets[i+1] += offsets[i]
	}
	sources := make([]int, offsets[n])
	fill := make([]int, n)
	for from := range n {
		g.Out(from, func(to int) {
			sources[offsets[to]+fill[to]] = from
			fill[to]++
		})
	}
	return Func{n, func(m int, yield func(int)) {
		for _, from := range sources[offsets[m]:offsets[m+1]] {
			yield(from)
		}
	}}
}
