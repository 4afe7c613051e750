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
)

// Discover adds candidates for a path whose guards at the positions of core, in the program's edges,
// contradict each other, and gives how many are new: one for each subject of
// which a guard asks something new.
func (x *Abstraction) Discover(p Path, core []int) int {
	path := x.Steps(p)
	before := len(x.Candidates)
	var order []subject
	found := map[subject][]*condition{}
	where := map[subject]cfa.Pos{}
	parts := x.Graph.Within(path, core)
	for _, at := range parts {
		for _, t := range x.planner.tests(path[at.Step]) {
			if t.part != at.Part {
				continue
			}
			c := x.inferrer.discover(path[:parts[len(parts)-1].Step+1], at.Step, t)
			if c == nil {
				continue
			}
			s := subjectOf(t.cond)
			if found[s] == nil {
				order = append(order, s)
				where[s] = x.position(t.loc)
			}
			found[s] = append(found[s], c)
		}
	}
	if x.inferrer.summing(found) {
		if values := x.inferrer.values(path); len(values) > 0 {
			if x.inferrer.widenValues(values, where[order[0]]) {
				return len(x.Candidates) - before
			}
		}
	}
	for _, s := range order {
		x.widen(s, found[s], where[s], FromPath)
	}
	return len(x.Candidates) - before
}

// discover makes a condition of one that the edge at a position of the path asks: its weakest preconditions
// before that position, and the condition itself after it. There is none if it is known already.
func (x *inferrer) discover(path []int32, position int, t guardTest) *condition {
	c := &condition{cond: t.cond, local: true}
	x.before(c, path[:position+1], t.before)
	if t.last {
		x.after(c, path[position:])
	}
	if k := x.last(subjectOf(t.cond)); len(c.at) == 0 || k >= 0 && x.Candidates[k].has(c) {
		return nil
	}
	return c
}

// startAt has an atom of the condition start at a node.
func (c *condition) startAt(n component.Node, a atom) {
	if p := (placed{n, a}); !c.placed(p) {
		c.at = append(c.at, p)
		if c.where != nil {
			c.where[p] = true
		}
	}
}

// placed reports whether an atom of the condition starts at a node. Paths are long: of more
// than a few such pairs there is an index.
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

// before has the weakest preconditions start along a path that ends with the edge
// asking the condition, where some atoms decide it.
func (x *inferrer) before(c *condition, path []int32, now []atom) {
	for i := len(path) - 1; i > 0 && len(now) > 0; i-- {
		for _, a := range now {
			c.startAt(x.Graph.Edges[path[i]].From, a)
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

// after has the condition start behind the edge that asks it last, the first of the path, until one of its
// variables changes.
func (x *inferrer) after(c *condition, path []int32) {
	a := x.atoms.of(c.cond)
	for i, id := range path[:len(path)-1] {
		e := &x.Graph.Edges[id]
		if i > 0 && slices.ContainsFunc(e.Update, func(u component.Update) bool {
			return slices.Contains(x.atoms.vars[a], u.Var)
		}) {
			return
		}
		c.startAt(e.To, a)
	}
}
