package graph

import "slices"

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

// ShortestPath returns the nodes of a path with the fewest edges from a node to one that goal accepts,
// both included, or nil if there is none. Among several it is the first in breadth-first order.
func ShortestPath(g Graph, from int, goal func(n int) bool) []int {
	const unseen = -1
	parent := make([]int, g.NumNodes())
	for n := range parent {
		parent[n] = unseen
	}
	parent[from] = from
	queue := []int{from}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		if goal(n) {
			return pathTo(n, parent)
		}
		g.Out(n, func(m int) {
			if parent[m] == unseen {
				parent[m] = n
				queue = append(queue, m)
			}
		})
	}
	return nil
}

func pathTo(n int, parent []int) []int {
	path := []int{n}
	for parent[n] != n {
		n = parent[n]
		path = append(path, n)
	}
	slices.Reverse(path)
	return path
}
