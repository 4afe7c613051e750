package rules

// Silent procedures, and how large they are with all that they call.
//
// Idea: a procedure is silent about a rule if nothing that it can call is an event: it leads to none by name, and if
// it calls through pointers, or calls something unknown that may call back, then no address of a function that leads to
// an event is taken anywhere. Of a silent procedure a caller need not see the body. It is worth the doubt where the
// body is large once its own calls are inlined.
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
	IsEvent   func(function string) bool
	CallsBack func(function string) bool // a function without a body may call what it is given, or what it was given before
	Size      func(procedure string) int // the size of its text
}

// Silent are the procedures that lead to no event and are of a given weight at least, in source order. The weight of a
// procedure is its own size and that of each of its calls; of one that calls itself it has no bound.
func (g *Graph) Silent(f Facts, least int) []string {
	isEvent := f.IsEvent
	matters := map[string]bool{}
	for _, name := range g.Matters(isEvent) {
		matters[name] = true
	}
	byName := g.eventsByName(isEvent, matters)
	mayCallEvent := func(n int) bool { return !byName && (g.indirect[n] || slices.ContainsFunc(g.others[n], f.CallsBack)) }
	weight := g.weights(f.Size)
	var all []string
	for n, name := range g.procedures {
		if !matters[name] && !isEvent(name) && weight[n] >= float64(least) && g.isQuiet(n, mayCallEvent) {
			all = append(all, name)
		}
	}
	return all
}

// eventsByName reports whether events happen by calls by name only: no address is taken of what leads to one.
func (g *Graph) eventsByName(isEvent func(string) bool, matters map[string]bool) bool {
	if slices.ContainsFunc(g.addressed, isEvent) {
		return false
	}
	for n, name := range g.procedures {
		if g.taken[n] && (matters[name] || isEvent(name)) {
			return false
		}
	}
	return true
}

// isQuiet reports whether nothing that a procedure leads to may call an event, or goes on elsewhere than behind its call.
func (g *Graph) isQuiet(procedure int, mayCallEvent func(int) bool) bool {
	for n, reached := range graph.Reachable(g.named(), procedure) {
		if !reached {
			continue
		}
		if slices.ContainsFunc(g.others[n], func(f string) bool { return slices.Contains(jumps, f) }) {
			return false
		}
		if mayCallEvent(n) {
			return false
		}
	}
	return true
}

// named is the graph of who names whom.
func (g *Graph) named() graph.Func {
	return graph.Func{Nodes: len(g.calls), Succ: func(n int, yield func(int)) {
		for _, m := range g.calls[n] {
			yield(m)
		}
	}}
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
