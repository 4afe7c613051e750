package rules

// Procedures that may get a contract of a rule, and their order.
//
// Idea: what leads to an event can still do nothing on the whole: it gives back what it takes. A contract says of a
// procedure in which states of the rule that is so, whatever it is called with. It is found by looking at the procedure
// alone, with calls of others taken by their contracts; so callees come first. Of a procedure that fits in its callers
// as it is no contract is looked for, nor of one from which control may go on elsewhere than behind the call, or that
// takes the address of a function that leads to an event: somebody may call that later. Nor of one that leads to code
// that nobody described, or calls through a pointer: what such code may call, and change, depends on what callers have
// made known to it before.
//
// Source: the bottom-up pass over the call graph of Xie, Aiken: Scalable Error Detection using Boolean Satisfiability
// (POPL 2005). Deviation: a contract speaks of the rule's states only, and is proved.
//
// Cost: linear in the mentions, for each rule.

import (
	"slices"

	"magus/internal/graph"
)

// Callees are the procedures of which a contract is looked for, of a given weight at least (see [Graph.Silent]),
// callees first.
func (g *Graph) Callees(f Facts, least int) []string {
	matters := g.Matters(f.IsEvent)
	isLoud := g.loud(f.IsEvent)
	isJump := func(function string) bool { return slices.Contains(jumps, function) }
	isUnknown := func(function string) bool { return f.CallsBack(function) && !f.IsEvent(function) }
	speaksAgainst := func(n int) bool {
		return g.indirect[n] || slices.ContainsFunc(g.others[n], isUnknown) || slices.ContainsFunc(g.others[n], isJump) ||
			slices.ContainsFunc(g.addresses[n], isLoud)
	}
	called := slices.Clone(g.taken)
	for _, times := range g.times {
		for n := range times {
			called[n] = true
		}
	}
	c := graph.SCC(g.named())
	weight := g.weights(f.Size)
	var all []string
	for _, name := range matters {
		n := g.number[name]
		if called[n] && weight[n] >= float64(least) && !g.leadsTo(n, speaksAgainst) &&
			!slices.Contains(f.Implicit, name) {
			all = append(all, name)
		}
	}
	// Components are numbered with callees first.
	slices.SortStableFunc(all, func(x, y string) int { return int(c.Of[g.number[x]]) - int(c.Of[g.number[y]]) })
	return all
}
