package component

import (
	"slices"

	"magus/cfa"
)

// Preserving is the graph with code that is not modelled leaving alone what it may change: its nodes and edges
// have the same numbers, and each of its runs is one of g. Of what may be changed nothing but the value before is
// known to be one that the program computes ([cfa.Assign], Keeps).
func (g *Graph) Preserving() *Graph {
	kept := *g
	kept.Edges = slices.Clone(g.Edges)
	for i, e := range kept.Edges {
		if e.Loc < 0 {
			continue
		}
		if a, ok := g.Comp.CFA.Locs[e.Loc].Stmt.(cfa.Assign); ok && a.Keeps && a.Approx != "" {
			kept.Edges[i].Update = nil
		}
	}
	return &kept
}
