package interp

// Questions that the tests ask of an explored graph: traces up to a length,
// reachability by an action. Both close over internal steps by a set of nodes,
// the obvious way.

import "slices"

// Traces are the visible traces of length up to n, in lexical order, the empty
// one first.
func (g *Graph) Traces(n int) [][]string {
	var all [][]string
	var rec func(from []int, trace []string)
	rec = func(from []int, trace []string) {
		all = append(all, slices.Clone(trace))
		if len(trace) == n {
			return
		}
		for _, a := range g.enabled(from) {
			rec(g.after(from, a), append(trace, a))
		}
	}
	rec(g.start(), nil)
	return all
}

// Has reports whether the component has the visible trace.
func (g *Graph) Has(trace []string) bool {
	cur := g.start()
	for _, a := range trace {
		cur = g.after(cur, a)
	}
	return len(cur) > 0
}

func (g *Graph) start() []int {
	var init []int
	for i := range g.Initial {
		init = append(init, i)
	}
	return g.closure(init)
}

// enabled are the visible actions that some node of the set performs, sorted.
func (g *Graph) enabled(nodes []int) []string {
	var acts []string
	for _, i := range nodes {
		for _, ed := range g.Edges[i] {
			if ed.Action != "" {
				acts = append(acts, ed.Action)
			}
		}
	}
	slices.Sort(acts)
	return slices.Compact(acts)
}

func (g *Graph) after(nodes []int, action string) []int {
	var next []int
	for _, i := range nodes {
		for _, ed := range g.Edges[i] {
			if ed.Action == action {
				next = append(next, ed.To)
			}
		}
	}
	return g.closure(next)
}

// closure adds the nodes that internal steps lead to; sorted.
func (g *Graph) closure(from []int) []int {
	seen := make([]bool, len(g.Nodes))
	var all []int
	for todo := slices.Clone(from); len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		all = append(all, i)
		for _, ed := range g.Edges[i] {
			if ed.Action == "" {
				todo = append(todo, ed.To)
			}
		}
	}
	slices.Sort(all)
	return all
}
