package rules

// Silent procedures, and how large they are with all that they call.
//
// Idea: a procedure is silent about a rule if nothing that it can call is an event, or lets control go on elsewhere
// than behind the call: it leads to none by name, and if it calls through pointers, or something that may call back,
// then no address of a function that leads to one is taken anywhere, and none is called without a name. Of a silent
// procedure a caller need not see the body. That pays where the body is large once its own calls are inlined.
//
// Cost: linear in the mentions, for each rule.

import (
	"math"
	"slices"

	"magus/internal/graph"
)

// jumps are functions after which control may go on elsewhere than behind the call.
var jumps = []string{"longjmp", "_longjmp", "siglongjmp", "setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp",
	"__builtin_setjmp", "__builtin_longjmp", "swapcontext", "setcontext", "getcontext"}

// Facts are what has to be known of functions besides who names whom.
type Facts struct {
	IsEvent func(function string) bool
	// CallsBack says that a function without a body may call what it is given, or what it was given before.
	CallsBack func(function string) bool
	Size      func(procedure string) int // the size of its text
	Implicit  []string                   // procedures that are called at the end of the program, unnamed
}

// Silent are the procedures that lead to no event and are of a given weight at least, in source order. The weight of a
// procedure is its own size and that of each of its calls; of one that calls itself it has no bound.
func (g *Graph) Silent(f Facts, least int) []string {
	isLoud := g.loud(f.IsEvent)
	isTaken := func(n int) bool { return g.taken[n] || slices.Contains(f.Implicit, g.procedures[n]) }
	unnamed := slices.ContainsFunc(g.addressed, isLoud)
	for n, name := range g.procedures {
		unnamed = unnamed || isTaken(n) && isLoud(name)
	}
	mayCall := func(n int) bool { return unnamed && (g.indirect[n] || slices.ContainsFunc(g.others[n], f.CallsBack)) }
	weight := g.weights(f.Size)
	var all []string
	for n, name := range g.procedures {
		if !isLoud(name) && weight[n] >= float64(least) && !g.leadsTo(n, mayCall) {
			all = append(all, name)
		}
	}
	return all
}

// loud tells events, functions after which control may go on elsewhere, and procedures that lead to one.
func (g *Graph) loud(isEvent func(string) bool) func(function string) bool {
	is := func(function string) bool { return isEvent(function) || slices.Contains(jumps, function) }
	leads := map[string]bool{}
	for _, name := range g.Matters(is) {
		leads[name] = true
	}
	return func(function string) bool { return leads[function] || is(function) }
}

// leadsTo reports whether a node leads to one of a kind.
func (g *Graph) leadsTo(from int, is func(int) bool) bool {
	for n, reached := range graph.Reachable(g.named(), from) {
		if reached && is(n) {
			return true
		}
	}
	return false
}

// weights are the sizes of procedures with all that they call, each call once.
func (g *Graph) weights(size func(string) int) []float64 {
	weight := make([]float64, len(g.calls))
	c := graph.SCC(g.named())
	order := make([]int, len(g.calls))
	for n := range order {
		order[n] = n
	}
	// Components are numbered with callees first.
	slices.SortStableFunc(order, func(x, y int) int { return int(c.Of[x]) - int(c.Of[y]) })
	for _, n := range order {
		if n < len(g.procedures) {
			weight[n] = float64(size(g.procedures[n]))
		}
		for m, times := range g.times[n] {
			if c.Of[m] == c.Of[n] {
				weight[n] = math.Inf(1)
				break
			}
			weight[n] += float64(times) * weight[m]
		}
	}
	return weight
}
