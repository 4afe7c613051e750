package rules

// Procedures that may get a contract of a rule, and their order.
//
// Idea: what leads to an event can still do nothing on the whole: it gives back what it takes. A contract says of a
// procedure in which states of the rule that is so, whatever it is called with. It is found by looking at the procedure
// alone, with calls of others taken by their contracts; so callees come first. Of a procedure that fits in its callers
// as it is no contract is looked for, nor of one from which control may go on elsewhere than behind the call, or that
// takes the address of a function that leads to an event: somebody may call that later. What code that nobody described
// may call depends on what callers have made known to it before, and where a pointer to a function leads they
// know too. So a contract of what leads to such code, or calls through a pointer, is used only from roots
// that make no function known that leads to an event. Others may be: what they change, such code may change.
//
// Source: the bottom-up pass over the call graph of Xie, Aiken: Scalable Error Detection using Boolean Satisfiability
// (POPL 2005). Deviation: a contract speaks of the rule's states only, and is proved.
//
// Cost: linear in the mentions, for each rule.

import (
	"slices"
	"strings"

	"magus/internal/graph"
)

// Callees are the procedures of which a contract is looked for, of a given weight at least (see [Graph.Silent]),
// callees first. alone are those of them whose contracts hold only in runs in which code that nobody described knows no
// function that leads to an event (see [Graph.Knows]).
func (g *Graph) Callees(f Facts, least int) (all, alone []string) {
	matters := g.Matters(f.IsEvent)
	isLoud := g.loud(f.IsEvent)
	isJump := func(function string) bool { return slices.Contains(jumps, function) }
	ends := slices.ContainsFunc(f.Implicit, isLoud)
	isUnknown := func(function string) bool { return f.CallsBack(function) && !f.IsEvent(function) }
	speaksAgainst := func(n int) bool {
		return ends && slices.ContainsFunc(g.others[n], isUnknown) ||
			slices.ContainsFunc(g.others[n], isJump) || slices.ContainsFunc(g.others[n], f.later) ||
			slices.ContainsFunc(g.addresses[n], func(a given) bool { return isLoud(a.function) && !f.onlyStarts(a.to) })
	}
	isOpen := func(n int) bool { return g.indirect[n] || slices.ContainsFunc(g.others[n], isUnknown) }
	called := slices.Clone(g.taken)
	for _, times := range g.times {
		for n := range times {
			called[n] = true
		}
	}
	c := graph.SCC(g.named())
	weight := g.weights(f.Size)
	for _, name := range matters {
		n := g.number[name]
		if called[n] && weight[n] >= float64(least) && !g.leadsTo(n, speaksAgainst) &&
			!slices.Contains(f.Implicit, name) {
			all = append(all, name)
		}
	}
	// Components are numbered with callees first.
	slices.SortStableFunc(all, func(x, y string) int { return int(c.Of[g.number[x]]) - int(c.Of[g.number[y]]) })
	for _, name := range all {
		if g.leadsTo(g.number[name], isOpen) {
			alone = append(alone, name)
		}
	}
	return all, alone
}

// CalledBack are the variables that functions name, with what they lead to, which code that nobody described may call
// though it knows none that leads to an event: those whose addresses are known. The names are sorted; several variables
// may have one. procedures are these functions, which may have variables of their own that stay.
func (g *Graph) CalledBack(f Facts) (variables, procedures []string) {
	var from []int
	isLoud := g.loud(f.IsEvent)
	for _, name := range g.known(f) {
		if g.isBody(name) && !isLoud(name) {
			from = append(from, g.number[name])
		}
	}
	reached := graph.Reachable(g.named(), from...)
	for name, n := range g.number {
		if variable, is := strings.CutPrefix(name, " "); is && reached[n] {
			variables = append(variables, variable)
		}
	}
	for n, name := range g.procedures {
		if reached[n] {
			procedures = append(procedures, name)
		}
	}
	slices.Sort(variables)
	return variables, procedures
}
