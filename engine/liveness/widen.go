package liveness

// Values of which there are too many.
//
// Idea: where a component has too many states, the variable with the most values is found, and of it only
// predicates are kept from then on. A counter that goes on for ever is one of these.

import (
	"fmt"

	"magus/smt/expr"
)

// manyStates says that a component has too many states, and which variable has the most values; nil if none has
// several.
type manyStates struct {
	name string
	most int
	v    *expr.Expr
}

func (e *manyStates) Error() string { return fmt.Sprintf("%s has more than %d states", e.name, e.most) }

// many is that error.
func (u *unfolding) many() error {
	values := make([]map[uint64]bool, len(u.vars))
	for i := range u.states {
		s := &u.states[i]
		for k, v := range u.order[s.node] {
			if s.values[k].known {
				if values[v] == nil {
					values[v] = map[uint64]bool{}
				}
				values[v][s.values[k].bits] = true
			}
		}
	}
	e := &manyStates{name: u.control.Comp.Name, most: u.most}
	most := 1
	for i, all := range values {
		if len(all) > most {
			most, e.v = len(all), u.vars[i]
		}
	}
	return e
}

// isOpen reports whether a predicate speaks of a variable whose value is not kept, or not known behind an edge.
func (u *unfolding) isOpen(q *expr.Expr, behind map[*expr.Expr]*expr.Expr) bool {
	for _, v := range expr.Vars(q) {
		if u.loose[v] || !behind[v].IsConst() {
			return true
		}
	}
	return false
}
