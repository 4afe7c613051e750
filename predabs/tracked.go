package predabs

// Where a predicate is tracked.
//
// Idea: a predicate matters from where something becomes known of it. A
// variable that is not initialised, or that any value is read into, has no
// value that the abstraction could know; to split a state by all that it may be
// multiplies the states of everything that follows until the variable is asked
// about or set, and mostly it is set first. So an abstract state tracks those of
// the predicates P_s of its control point of which something is known: a part of
// the abstract post leaves its atoms out if nothing was known of its variables
// before the edge, the guard does not ask about them, and they keep their values
// or get any. The first guard that does ask, or an assignment that carries the
// value elsewhere, brings them in, with all values that then are possible.
//
// Law: MP has the same paths as with all of P_s in every state. From right to
// left, forget values. From left to right, go back along the path: an atom left
// out at some point speaks of variables that neither a tracked atom nor a guard
// of the edge before speaks of, and that this edge lets be or gives any value; so
// the concrete state that witnesses the next step can be given to them, and the
// atom the value that it has there.
//
// Source: ours. Chaki et al. track all of P_s in every state with control point
// s; that inference reaches only control points from which the predicate can be
// asked about is figure 5's, and the other end of its range.
//
// Cost: none; a list of atoms for each state, of which there are few.

import (
	"slices"

	"magus/component"
)

// free reports whether nothing is known after the edge of the atoms of a part
// that has no atoms before the edge and no guards.
func (x *space) free(e *component.Edge, part []atom) bool {
	if x.global {
		return false
	}
	for i, u := range e.Update {
		concerns := func(u component.Update) bool {
			return slices.ContainsFunc(part, func(b atom) bool { return slices.Contains(x.atoms.vars[b], u.Var) })
		}
		if !concerns(u) {
			continue
		}
		if !x.Graph.IsFresh(u.Term) { // computed, not any value
			return false
		}
		if slices.ContainsFunc(e.Update[:i], func(v component.Update) bool { return v.Term == u.Term && concerns(v) }) {
			return false // two variables get the same value
		}
	}
	return true
}
