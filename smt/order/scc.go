package order

// Strongly connected components of the edges, and a topological order.
//
// Source: Tarjan, "Depth-first search and linear graph algorithms" (SIAM J.
// Comput. 1972). Components come out sinks first. It is not package graph's:
// there are a million graphs of a few nodes a second, so it works in the
// solver's own arrays, allocates nothing, and merges classes on the way. It
// recurses as deep as one query has variables. Cost: linear.

type tarjan struct {
	num, low []int32 // by class; num 0: not visited
	onStack  []bool
	stack    []int32
	next     int32
	cyclic   bool
	merge    bool
}

// sortClasses puts the classes into order, lesser ones first, and reports
// whether there was a cycle. If merge, the classes on a cycle become one; the
// order is then to be built again.
func (s *Solver) sortClasses(merge bool) (cyclic bool) {
	t, n := &s.tarjan, len(s.class)
	t.num, t.low, t.onStack = resize(t.num, n), resize(t.low, n), resize(t.onStack, n)
	clear(t.num)
	clear(t.onStack)
	t.stack, t.next, t.cyclic, t.merge = t.stack[:0], 0, false, merge
	s.order = s.order[:0]
	for x := range int32(n) {
		if s.class[x] == x && t.num[x] == 0 {
			s.visit(x)
		}
	}
	for i, j := 0, len(s.order)-1; i < j; i, j = i+1, j-1 {
		s.order[i], s.order[j] = s.order[j], s.order[i]
	}
	return t.cyclic
}

func (s *Solver) visit(x int32) {
	t := &s.tarjan
	t.next++
	t.num[x], t.low[x] = t.next, t.next
	t.stack = append(t.stack, x)
	t.onStack[x] = true
	for i := s.out[x]; i >= 0; i = s.edges[i].next {
		y := s.edges[i].y
		if t.num[y] == 0 {
			s.visit(y)
			t.low[x] = min(t.low[x], t.low[y])
		} else if t.onStack[y] {
			t.low[x] = min(t.low[x], t.num[y])
		}
	}
	if t.low[x] != t.num[x] {
		return
	}
	for {
		y := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.onStack[y] = false
		if y == x {
			break
		}
		t.cyclic = true
		if t.merge {
			s.class[y] = x
		}
	}
	s.order = append(s.order, x)
}
