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
