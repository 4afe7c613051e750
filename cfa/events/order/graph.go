package order

import (
	"slices"

	"magus/internal/bitset"
)

// A Node is a step that takes place at once.
type Node int32

// A Lit is what the caller calls a fact by; reasons are made of them.
type Lit int32

// Always is the literal of a fact that always holds: reasons leave it out.
const Always Lit = -1

// A Cell is a place in memory, numbered from 0.
type Cell int32

// An Access is a write or a read, by its number among the graph's writes or reads.
type Access int32

type access struct {
	node Node
	cell Cell
}

type edge struct{ from, to Node }

// A Graph is what all executions have in common. It is changed no more once a
// closure is made of it.
type Graph struct {
	nodes  int
	edges  []edge
	writes []access
	reads  []access
}

// New is a graph with nodes and nothing else.
func New(nodes int) *Graph { return &Graph{nodes: nodes} }

// Edge says that a comes before b, in every execution that has both.
func (g *Graph) Edge(a, b Node) { g.edges = append(g.edges, edge{a, b}) }

// Edges calls f for every edge.
func (g *Graph) Edges(f func(a, b Node)) {
	for _, e := range g.edges {
		f(e.from, e.to)
	}
}

// Write says that a node writes a cell. A node has at most one write of a cell.
func (g *Graph) Write(n Node, c Cell) Access {
	g.writes = append(g.writes, access{n, c})
	return Access(len(g.writes) - 1)
}

// Read says that a node reads a cell, before it writes any.
func (g *Graph) Read(n Node, c Cell) Access {
	g.reads = append(g.reads, access{n, c})
	return Access(len(g.reads) - 1)
}

// cells is the number of cells that are accessed.
func (g *Graph) cells() int {
	n := Cell(-1)
	for _, list := range [2][]access{g.writes, g.reads} {
		for _, a := range list {
			n = max(n, a.cell)
		}
	}
	return int(n) + 1
}

// Sorted is a topological order of the nodes by the graph's edges, those of lower numbers
// first; false if there is none.
func (g *Graph) Sorted() ([]Node, bool) {
	out, in := make([][]Node, g.nodes), make([]int, g.nodes)
	for _, e := range g.edges {
		out[e.from] = append(out[e.from], e.to)
		in[e.to]++
	}
	var sorted, ready []Node
	for n := g.nodes - 1; n >= 0; n-- {
		if in[n] == 0 {
			ready = append(ready, Node(n))
		}
	}
	for len(ready) > 0 {
		n := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		sorted = append(sorted, n)
		for _, m := range slices.Backward(out[n]) {
			if in[m]--; in[m] == 0 {
				ready = append(ready, m)
			}
		}
	}
	return sorted, len(sorted) == g.nodes
}

// Behind are for each node those that come after it by the graph's edges.
func (g *Graph) Behind() []bitset.Set[Node] {
	sorted, ok := g.Sorted()
	if !ok {
		panic("order: the graph has a cycle")
	}
	out := make([][]Node, g.nodes)
	for _, e := range g.edges {
		out[e.from] = append(out[e.from], e.to)
	}
	rows := make([]bitset.Set[Node], g.nodes)
	for _, n := range slices.Backward(sorted) {
		row := bitset.New[Node](g.nodes)
		for _, m := range out[n] {
			if row.Add(m) {
				row.Unite(rows[m])
			}
		}
		rows[n] = row
	}
	return rows
}
