package rules

// Silent procedures, and how large they are with all that they call.
//
// Idea: a procedure is silent about a rule if nothing that it can call is an event, or lets control go on elsewhere
// than behind the call: it leads to none by name, and if it calls through pointers, then no address of a function that
// leads to one is known to whoever may call it, and none is called without a name. If it calls something that may call
// back, that is asked of the run only. Nor does it hand functions to what calls them later, for when that is
// a caller has to see. Of a silent procedure a caller need not see the body. That pays where the body is
// large once its own calls are inlined.
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
	// OnlyStarts says that a function does nothing with one that it is given but start a thread in it, which is looked
	// at alone; nil: none does.
	OnlyStarts func(function string) bool
	// Later says that a function calls what it is given when it has returned; nil: none does.
	Later    func(function string) bool
	Size     func(procedure string) int // the size of its text
	Implicit []string                   // procedures that are called at the end of the program, unnamed
}

// later reports whether a function calls what it is given when it has returned, in the same thread.
func (f Facts) later(function string) bool {
	return f.Later != nil && f.Later(function) && !f.onlyStarts(function)
}

func (f Facts) onlyStarts(function string) bool { return f.OnlyStarts != nil && f.OnlyStarts(function) }

// Silent are the procedures that lead to no event and are of a given weight at least, in source order. The weight of a
// procedure is its own size and that of each of its calls; of one that calls itself it has no bound. alone are those of
// them that are silent only in runs in which code that nobody described knows no function that leads to an event (see
// [Graph.Knows]).
func (g *Graph) Silent(f Facts, least int) (all, alone []string) {
	isLoud := g.loud(f.IsEvent)
	ends := slices.ContainsFunc(f.Implicit, isLoud)
	unnamed := ends || slices.ContainsFunc(g.known(f), isLoud)
	mayCall := func(n int) bool {
		return unnamed && g.indirect[n] || ends && slices.ContainsFunc(g.others[n], f.CallsBack) ||
			slices.ContainsFunc(g.others[n], f.later)
	}
	isOpen := func(n int) bool { return unnamed && slices.ContainsFunc(g.others[n], f.CallsBack) }
	weight := g.weights(f.Size)
	for n, name := range g.procedures {
		if !isLoud(name) && weight[n] >= float64(least) && !g.leadsTo(n, mayCall) {
			if all = append(all, name); g.leadsTo(n, isOpen) {
				alone = append(alone, name)
			}
		}
	}
	return all, alone
}

// Knows reports whether a run from a procedure may let code that nobody described know a function that leads
// to an event: it leads to a place where its address is taken otherwise than to start a thread. What it leads
// to through pointers, or through such code, counts too.
func (g *Graph) Knows(f Facts, from string) bool {
	isLoud := g.loud(f.IsEvent)
	isOpen := func(n int) bool { return g.indirect[n] || slices.ContainsFunc(g.others[n], f.CallsBack) }
	begin := []int{g.number[from]}
	if g.leadsTo(begin[0], isOpen) {
		for n := range g.procedures {
			if g.taken[n] || slices.Contains(f.Implicit, g.procedures[n]) {
				begin = append(begin, n)
			}
		}
	}
	for n, reached := range graph.Reachable(g.named(), begin...) {
		if reached && slices.ContainsFunc(g.addresses[n], func(a given) bool {
			return isLoud(a.function) && !f.onlyStarts(a.to)
		}) {
			return true
		}
	}
	return false
}

// known are the functions, with and without bodies, whose addresses somebody may know who calls them: those
// that are taken otherwise than to start a thread. They are in no order, and some come several times.
func (g *Graph) known(f Facts) []string {
	var all []string
	for _, taken := range g.addresses {
		for _, a := range taken {
			if !f.onlyStarts(a.to) {
				all = append(all, a.function)
			}
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
