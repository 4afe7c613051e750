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

// A Mention says that a procedure, or the initialiser of a variable, names a function or a variable; Within is empty
// elsewhere. Called says that it calls the function, Object that it is a variable, To that its address is an
// argument of a call of that function. A call without a name is one through a pointer.
type Mention struct {
	Within, Name   string
	Called, Object bool
	To             string
}

// AnyFunction is the name of what a call through a pointer calls, for those who ask whether it is an event.
const AnyFunction = "*"

// A Graph says who names whom. Its nodes are the procedures with bodies, in source order, and then variables. It is
// immutable.
type Graph struct {
	procedures []string
	number     map[string]int // of procedures, and of variables by their names behind a blank
	calls      [][]int        // by node: nodes that it names, each once
	others     [][]string     // by node: functions without bodies that it names
	taken      []bool         // by node: of a procedure, its address is
	times      []map[int]int  // by node: how often it calls another one
	indirect   []bool         // by node: it calls through a pointer
	addresses  [][]given      // by node: functions whose addresses it takes
}

// A given function is one whose address is taken, and given to a function at once, or not: "".
type given struct{ function, to string }

// NewGraph is the graph of the procedures with bodies.
func NewGraph(procedures []string, mentions []Mention) *Graph {
	g := &Graph{procedures: procedures, number: map[string]int{}}
	for _, name := range procedures {
		g.node(name)
	}
	for _, m := range mentions {
		if m.Within != "" {
			g.add(m)
		}
	}
	return g
}

// node is the node of a name, made if it is not there.
func (g *Graph) node(name string) int {
	if n, ok := g.number[name]; ok {
		return n
	}
	n := len(g.calls)
	g.number[name] = n
	g.calls, g.others, g.taken = append(g.calls, nil), append(g.others, nil), append(g.taken, false)
	g.times, g.indirect = append(g.times, map[int]int{}), append(g.indirect, false)
	g.addresses = append(g.addresses, nil)
	return n
}

// isBody reports whether a name is that of a procedure with a body.
func (g *Graph) isBody(name string) bool {
	n, ok := g.number[name]
	return ok && n < len(g.procedures)
}

// add adds a mention.
func (g *Graph) add(m Mention) {
	within := m.Within
	if !g.isBody(within) {
		within = " " + within
	}
	from := g.node(within)
	if m.Name != "" && !m.Called && !m.Object {
		g.addresses[from] = append(g.addresses[from], given{m.Name, m.To})
	}
	switch {
	case m.Name == "":
		g.indirect[from] = true
		g.others[from] = append(g.others[from], AnyFunction)
	case m.Object:
		g.names(from, g.node(" "+m.Name))
	case g.isBody(m.Name):
		to := g.number[m.Name]
		g.taken[to] = g.taken[to] || !m.Called
		g.names(from, to)
		g.times[from][to]++
	default:
		g.others[from] = append(g.others[from], m.Name)
	}
}

// named is the graph as algorithms take it.
func (g *Graph) named() graph.Func {
	return graph.Func{Nodes: len(g.calls), Succ: func(n int, yield func(int)) {
		for _, m := range g.calls[n] {
			yield(m)
		}
	}}
}

// names adds an edge.
func (g *Graph) names(from, to int) {
	if !slices.Contains(g.calls[from], to) {
		g.calls[from] = append(g.calls[from], to)
	}
}

// Matters are the procedures that lead to a call of a function of the rule, in source order; the function itself does
// not count.
func (g *Graph) Matters(isEvent func(string) bool) []string { return g.Leading(isEvent, isEvent) }

// Leading are the procedures that lead to a call of a function of the rule, in source order, but those that are one
// themselves.
func (g *Graph) Leading(isEvent, isOne func(string) bool) []string {
	isEventNode := func(n int) bool { return n < len(g.procedures) && isEvent(g.procedures[n]) }
	isOneNode := func(n int) bool { return n < len(g.procedures) && isOne(g.procedures[n]) }
	var begin []int
	for n := range g.calls {
		if slices.ContainsFunc(g.others[n], isEvent) || slices.ContainsFunc(g.calls[n], isEventNode) {
			begin = append(begin, n)
		}
	}
	callers := make([][]int, len(g.calls))
	for n, named := range g.calls {
		for _, m := range named {
			if !isOneNode(m) {
				callers[m] = append(callers[m], n)
			}
		}
	}
	matters := graph.Reachable(graph.Func{Nodes: len(g.calls), Succ: func(n int, yield func(int)) {
		for _, m := range callers[n] {
			yield(m)
		}
	}}, begin...)
	var all []string
	for n, name := range g.procedures {
		if matters[n] && !isOne(name) {
			all = append(all, name)
		}
	}
	return all
}

// Roots are those of these procedures that nothing names, in source order, and one of each circle of them that
// nothing else names.
func (g *Graph) Roots(matters []string) []string {
	c := graph.SCC(g.named())
	named := map[uint32]bool{} // components that another one names, or whose address is taken
	for n, calls := range g.calls {
		named[c.Of[n]] = named[c.Of[n]] || g.taken[n]
		for _, m := range calls {
			named[c.Of[m]] = named[c.Of[m]] || c.Of[n] != c.Of[m]
		}
	}
	var roots []string
	for _, name := range matters {
		if of := c.Of[g.number[name]]; !named[of] {
			named[of] = true // one is enough
			roots = append(roots, name)
		}
	}
	return roots
}

// Leads are the procedures that a procedure may call: all that it names, directly or not.
func (g *Graph) Leads(from string) []string { return g.namedFrom(from, g.number[from]) }

// Recurs reports whether a procedure may call itself, as far as names tell.
func (g *Graph) Recurs(name string) bool {
	n, named := g.number[name], g.named()
	return slices.ContainsFunc(g.calls[n], func(m int) bool { return graph.Reachable(named, m)[n] })
}

// Reaches are these and, where one of them calls through a pointer, those whose address is taken, with what they name.
func (g *Graph) Reaches(from string) []string {
	begin := []int{g.number[from]}
	if g.leadsTo(begin[0], func(n int) bool { return g.indirect[n] }) {
		for n, taken := range g.taken {
			if taken {
				begin = append(begin, n)
			}
		}
	}
	return g.namedFrom(from, begin...)
}

// namedFrom are the procedures that some nodes name, directly or not, and these, but for one.
func (g *Graph) namedFrom(but string, from ...int) []string {
	reached := graph.Reachable(g.named(), from...)
	var all []string
	for n, name := range g.procedures {
		if reached[n] && name != but {
			all = append(all, name)
		}
	}
	return all
}

// Callbacks are those of these procedures whose address is taken, in source order.
func (g *Graph) Callbacks(matters []string) []string {
	return slices.DeleteFunc(slices.Clone(matters), func(name string) bool { return !g.taken[g.number[name]] })
}
