package rules

// Roots of a rule.
//
// Idea: the graph of who names whom, calls and addresses alike, has all calls by name and most calls through pointers.
// A procedure matters to a rule if it leads to a call of one of the rule's functions. Roots are, of the procedures that
// matter: those that nothing names, and of each group of procedures that name each other in a circle, which nobody else
// names, the first. A procedure whose address is taken is a root if no other root calls it.
//
// Source: components of the call graph as in Ball et al., "Thorough Static Analysis of Device Drivers" (EuroSys 2006),
// which takes a driver's dispatch routines for its roots.
//
// Cost: linear in the mentions.

import (
	"slices"

	"magus/internal/graph"
)

// A Mention says that a procedure names a function; Within is empty at file scope. Called says that it calls it.
type Mention struct {
	Within, Name string
	Called       bool
}

// A Graph says who names whom. It is immutable.
type Graph struct {
	names  []string // of procedures with bodies, in source order
	number map[string]int
	calls  [][]int    // by procedure: procedures that it names, each once
	others [][]string // by procedure: functions without bodies that it names
	taken  []bool     // by procedure: its address is
}

// NewGraph is the graph of the procedures with bodies.
func NewGraph(procedures []string, mentions []Mention) *Graph {
	g := &Graph{names: procedures, number: map[string]int{}, calls: make([][]int, len(procedures)),
		others: make([][]string, len(procedures)), taken: make([]bool, len(procedures))}
	for i, name := range procedures {
		g.number[name] = i
	}
	for _, m := range mentions {
		if to, isBody := g.number[m.Name]; isBody && !m.Called {
			g.taken[to] = true
		}
		from, ok := g.number[m.Within]
		if !ok {
			continue
		}
		if to, isBody := g.number[m.Name]; !isBody {
			g.others[from] = append(g.others[from], m.Name)
		} else if !slices.Contains(g.calls[from], to) {
			g.calls[from] = append(g.calls[from], to)
		}
	}
	return g
}

// Matters are the procedures that lead to a call of a function of the rule, in source order; the function itself does
// not count.
func (g *Graph) Matters(isEvent func(string) bool) []string {
	does := make([]bool, len(g.names))
	callers := make([][]int, len(g.names))
	var work []int
	for i := range g.names {
		for _, k := range g.calls[i] {
			callers[k] = append(callers[k], i)
		}
		direct := slices.ContainsFunc(g.others[i], isEvent) ||
			slices.ContainsFunc(g.calls[i], func(k int) bool { return isEvent(g.names[k]) })
		if direct && !isEvent(g.names[i]) {
			does[i] = true
			work = append(work, i)
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, k := range callers[i] {
			if !does[k] && !isEvent(g.names[k]) {
				does[k] = true
				work = append(work, k)
			}
		}
	}
	var all []string
	for i, name := range g.names {
		if does[i] {
			all = append(all, name)
		}
	}
	return all
}

// Roots are those of these procedures that nobody else names, in source order, and one of each circle of them that
// nobody else names.
func (g *Graph) Roots(matters []string) []string {
	c := graph.SCC(graph.Func{Nodes: len(g.names), Succ: func(k int, yield func(int)) {
		for _, m := range g.calls[k] {
			yield(m)
		}
	}})
	called := map[uint32]bool{} // components that another one names
	for i := range g.names {
		if g.taken[i] {
			called[c.Of[i]] = true
		}
		for _, k := range g.calls[i] {
			if c.Of[i] != c.Of[k] {
				called[c.Of[k]] = true
			}
		}
	}
	var roots []string
	seen := map[uint32]bool{}
	for i, name := range g.names {
		if of := c.Of[i]; slices.Contains(matters, name) && !called[of] && !seen[of] {
			seen[of] = true
			roots = append(roots, name)
		}
	}
	return roots
}

// Callbacks are those of these procedures whose address is taken, in source order.
func (g *Graph) Callbacks(matters []string) []string {
	var all []string
	for i, name := range g.names {
		if g.taken[i] && slices.Contains(matters, name) {
			all = append(all, name)
		}
	}
	return all
}
