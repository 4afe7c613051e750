package graph

// Heads says for each node whether an edge closes a loop there: one from a node that a depth-first search
// enters below it. Post is what [Postorder] lists; edges from other nodes are not looked at. Each cycle of
// what is listed goes through a head. Cost: linear.
func Heads(g Graph, post []int) []bool {
	heads, order := make([]bool, g.NumNodes()), make([]int, g.NumNodes())
	for i, n := range post {
		order[n] = i + 1
	}
	for i, n := range post {
		g.Out(n, func(m int) { heads[m] = heads[m] || order[m] > i })
	}
	return heads
}
