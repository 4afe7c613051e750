package graph

// Reachable says for each node whether a path of zero or more edges leads to it from one of the given
// nodes. Cost: linear in the part that is reached, plus one bool a node.
func Reachable(g Graph, from ...int) []bool {
	reached := make([]bool, g.NumNodes())
	var stack []int
	visit := func(n int) {
		if !reached[n] {
			reached[n] = true
			stack = append(stack, n)
		}
	}
	for _, n := range from {
		visit(n)
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		g.Out(n, visit)
	}
	return reached
}

// Closure is what paths of zero or more edges lead to from the given keys: each once, in the order of a
// breadth-first search. It is for graphs whose nodes have no numbers; out calls yield for each successor
// of a key. Cost: linear in the part that is reached, and a map of it.
func Closure[K comparable](out func(k K, yield func(K)), from ...K) []K {
	met := make(map[K]bool, len(from))
	var all []K
	visit := func(k K) {
		if !met[k] {
			met[k] = true
			all = append(all, k)
		}
	}
	for _, k := range from {
		visit(k)
	}
	for i := 0; i < len(all); i++ {
		out(all[i], visit)
	}
	return all
}
