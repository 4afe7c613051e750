package predabs

// Predicates from a path.
//
// Idea: where the conditions of the program do not suffice, the path itself
// says what must be known: for each guard of the unsatisfiable core, its
// weakest precondition at every control point before it on the path. Each core
// guard gives one candidate that starts at all these points and is not
// inferred any further. A weakest precondition stops where it would speak of a
// value not yet chosen; the guard is therefore also remembered after it was
// asked, up to the core's last guard, for as long as its variables keep their
// values.
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
				x.discover(path[:core[len(core)-1]+1], at, l)
			}
		}
	}
	return len(x.Candidates) - before
}

// discover makes a candidate of an atomic condition asked by the edge at a
// position of the path: its weakest preconditions before that position, and
// the condition itself after it.
func (x *Abstraction) discover(path []int32, position int, cond *expr.Expr) {
	if x.mentionsFresh(cond) {
		return
	}
	c := &Candidate{Cond: cond, Origin: FromPath, local: true}
	if l := x.Graph.Edges[path[position]].Loc; l >= 0 {
		c.Pos = x.Graph.Comp.CFA.Locs[l].Pos
	}
	x.before(c, path[:position+1])
	x.after(c, path[position:])
	for _, known := range x.Candidates {
		if known.local && known.Cond == cond && subset(c.at, known.at) {
			return
		}
	}
	if len(c.at) > 0 {
		x.Candidates = append(x.Candidates, c)
	}
}

func (c *Candidate) place(n Node, a atom) {
	if p := (placed{n, a}); !slices.Contains(c.at, p) {
		c.at = append(c.at, p)
	}
}

// before places the weakest preconditions along a path that ends with the edge
// asking the condition.
func (x *Abstraction) before(c *Candidate, path []int32) {
	now := []atom{x.atoms.of(c.Cond)}
	for i := len(path) - 1; i > 0 && len(now) > 0; i-- {
		for _, a := range now {
			c.place(x.Graph.Edges[path[i]].From, a)
		}
		var before []atom
		for _, a := range now {
			b := x.backward(&x.Graph.Edges[path[i-1]], a)
			slices.Sort(b)
			before = mergeAtoms(before, slices.Compact(b))
		}
		now = before
	}
}

// after places the condition behind the edge that asks it, until one of its
// variables changes.
func (x *Abstraction) after(c *Candidate, path []int32) {
	a := x.atoms.of(c.Cond)
	for _, id := range path[:len(path)-1] {
		e := &x.Graph.Edges[id]
		if slices.ContainsFunc(e.Update, func(u Update) bool { return slices.Contains(x.atoms.vars[a], u.Var) }) {
			return
		}
		c.place(e.To, a)
	}
}

func subset(a, b []placed) bool {
	return !slices.ContainsFunc(a, func(p placed) bool { return !slices.Contains(b, p) })
}
