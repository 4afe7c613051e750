package graph

// Postorder lists what can be reached from the given nodes by a depth-first search: each node behind all
// that it leads to, but for edges that close a loop. Turned around, it is the order in which forward data flow
// needs fewest passes. A node's successors are followed from the first to the last.
//
// Source: Aho, Lam, Sethi, Ullman, Compilers (2nd ed.), section 9.6. Deviations: iterative; a node's
// successors are copied to a stack when it is entered. Cost: linear.
func Postorder(g Graph, from ...int) []int {
	s := &postorder{graph: g, entered: make([]bool, g.NumNodes())}
	s.push = func(m int) { s.pending = append(s.pending, m) }
	for _, n := range from {
		s.search(n)
	}
	return s.order
}

type postorder struct {
	graph   Graph
	entered []bool
	frames  []visit
	pending []int // successors still to look at, of all frames
	push    func(m int)
	order   []int
}

// visit is a node whose search has begun; its successors are pending[next:], up to the next frame's.
type visit struct{ node, start, next int }

func (s *postorder) search(root int) {
	s.enter(root)
	for len(s.frames) > 0 {
		top := &s.frames[len(s.frames)-1]
		if top.next == len(s.pending) {
			s.order = append(s.order, top.node)
			s.pending = s.pending[:top.start]
			s.frames = s.frames[:len(s.frames)-1]
			continue
		}
		top.next++
		s.enter(s.pending[top.next-1])
	}
}

func (s *postorder) enter(n int) {
	if s.entered[n] {
		return
	}
	s.entered[n] = true
	s.frames = append(s.frames, visit{n, len(s.pending), len(s.pending)})
	s.graph.Out(n, s.push)
}
