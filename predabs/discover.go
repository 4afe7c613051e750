package predabs

// Predicates from a path.
//
// Idea: where the conditions of the program do not suffice, the path itself
// says what must be known: for each guard of the unsatisfiable core, its weakest
// precondition at every control point before it on the path. Each core guard
// gives one condition that starts at all these points and is not inferred any
// further; it joins the candidate of its subject. A weakest precondition stops
// where it would speak of a value not yet chosen; the guard is therefore also
// remembered after it was asked, up to the core's last guard, for as long as its
// variables keep their values.
//
// Source: in Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 6, P is a subset of the branch statements; the model
// for this is Namjoshi and Kurshan's syntactic refinement, cited there as [46].
//
// Cost: core × length substitutions.

import (
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/internal/expr"
)

// Discover adds candidates for a path whose guards at the positions of core
// contradict each other, and gives how many are new: one for each subject of
// which a guard asks something new.
func (x *Abstraction) Discover(p Path, core []int) int {
	path := x.Steps(p)
	before := len(x.Candidates)
	var order []subject
	found := map[subject][]*condition{}
	where := map[subject]cfa.Pos{}
	for _, at := range core {
		e := &x.Graph.Edges[path[at]]
		for _, l := range guardLeaves(e) {
			c := x.discover(path[:core[len(core)-1]+1], at, l)
			if c == nil {
				continue
			}
			s := subjectOf(l)
			if found[s] == nil {
				order = append(order, s)
				if e.Loc >= 0 {
					where[s] = x.Graph.Comp.CFA.Locs[e.Loc].Pos
				}
			}
			found[s] = append(found[s], c)
		}
	}
	if x.summing(found) {
		if values := x.values(path); len(values) > 0 {
			if x.widenValues(values, where[order[0]]) {
				return len(x.Candidates) - before
			}
		}
	}
	for _, s := range order {
		x.widen(s, found[s], where[s], FromPath)
	}
	return len(x.Candidates) - before
}

// guardLeaves are the atomic conditions of an edge's guard.
func guardLeaves(e *component.Edge) []*expr.Expr {
	var all []*expr.Expr
	for _, g := range e.Guard {
		all = append(all, leaves(g)...)
	}
	return all
}

// discover makes a condition of an atomic one asked by the edge at a position
// of the path: its weakest preconditions before that position, and the
// condition itself after it. There is none if it is known already.
func (x *Abstraction) discover(path []int32, position int, cond *expr.Expr) *condition {
	if x.mentionsFresh(cond) {
		return nil
	}
	c := &condition{cond: cond, local: true}
	x.before(c, path[:position+1])
	x.after(c, path[position:])
	if k := x.last(subjectOf(cond)); len(c.at) == 0 || k >= 0 && x.Candidates[k].has(c) {
		return nil
	}
	return c
}

func (c *condition) place(n component.Node, a atom) {
	if p := (placed{n, a}); !c.placed(p) {
		c.at = append(c.at, p)
		if c.where != nil {
			c.where[p] = true
		}
	}
}

// placed reports whether the condition stands at a place. Paths are long: of more
// than a few places there is an index.
func (c *condition) placed(p placed) bool {
	if c.where == nil && len(c.at) > 16 {
		c.where = make(map[placed]bool, 2*len(c.at))
		for _, q := range c.at {
			c.where[q] = true
		}
	}
	if c.where != nil {
		return c.where[p]
	}
	return slices.Contains(c.at, p)
}

// before places the weakest preconditions along a path that ends with the edge
// asking the condition.
func (x *Abstraction) before(c *condition, path []int32) {
	now := []atom{x.atoms.of(c.cond)}
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
func (x *Abstraction) after(c *condition, path []int32) {
	a := x.atoms.of(c.cond)
	for _, id := range path[:len(path)-1] {
		e := &x.Graph.Edges[id]
		if slices.ContainsFunc(e.Update, func(u component.Update) bool { return slices.Contains(x.atoms.vars[a], u.Var) }) {
			return
		}
		c.place(e.To, a)
	}
}
