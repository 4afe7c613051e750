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
