package predabs

// Predicates from a path.
//
// Idea: where the conditions of the program do not suffice, the path itself
// says what must be known: for each guard of the unsatisfiable core, its
// weakest precondition at every control point before it on the path. Each core
// guard gives one candidate that starts at all these points and is not
// inferred any further.
//
// Source: the paper's P is a subset of the branch statements; Namjoshi and
// Kurshan's syntactic refinement, cited there as [46], is the model for this.
//
// Cost: core × length substitutions.

import (
	"slices"

	"magus/internal/expr"
)

// Discover adds candidates for a path whose guards at the positions of core
// contradict each other, and gives how many are new.
func (x *Abstraction) Discover(path []int32, core []int) int {
	before := len(x.Candidates)
	for _, at := range core {
		for _, g := range x.Graph.Edges[path[at]].Guard {
			for _, l := range leaves(g) {
				x.discover(path[:at+1], l)
			}
		}
	}
	return len(x.Candidates) - before
}

// discover makes a candidate of the weakest preconditions of an atomic
// condition asked by the last edge of the path.
func (x *Abstraction) discover(path []int32, cond *expr.Expr) {
	c := &Candidate{Cond: cond, Origin: FromPath, local: true}
	last := &x.Graph.Edges[path[len(path)-1]]
	if last.Loc >= 0 {
		c.Pos = x.Graph.Comp.CFA.Locs[last.Loc].Pos
	}
	if x.mentionsFresh(cond) {
		return
	}
	now := []atom{x.atoms.of(cond)}
	for i := len(path) - 1; i > 0 && len(now) > 0; i-- {
		e := &x.Graph.Edges[path[i]]
		for _, a := range now {
			if p := (placed{e.From, a}); !slices.Contains(c.at, p) {
				c.at = append(c.at, p)
			}
		}
		var before []atom
		prev := &x.Graph.Edges[path[i-1]]
		for _, a := range now {
			b := x.backward(prev, a)
			slices.Sort(b)
			before = mergeAtoms(before, slices.Compact(b))
		}
		now = before
	}
	for _, known := range x.Candidates {
		if known.local && known.Cond == cond && subset(c.at, known.at) {
			return
		}
	}
	if len(c.at) > 0 {
		x.Candidates = append(x.Candidates, c)
	}
}

func subset(a, b []placed) bool {
	return !slices.ContainsFunc(a, func(p placed) bool { return !slices.Contains(b, p) })
}
