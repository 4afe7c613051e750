package memory

// Which variables may hold something else than numbers that the program writes as constants.
//
// Idea: what a caller finds of a handle came from where the handle came from. A result that is 0 for "all is well" is
// no descriptor, though the descriptor may be 0; nor is the outcome of a comparison. So a variable carries something
// if any value is given to it, or what another one carries. What is uninitialised carries nothing. Paths are not told
// apart.
//
// Deviation: a handle that is written down as a constant, such as STDOUT_FILENO, is not found again where only that
// constant is stored; rules are about what a call has given.
//
// Cost: a pass over the code for each link of the longest chain of assignments.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// carriers are variables that carry something.
type carriers struct {
	*Analysis
	from map[*expr.Expr][]*expr.Expr // what is assigned to a variable; nil: any value
	is   map[*expr.Expr]bool
}

// findCarriers finds them.
func (a *Analysis) findCarriers() *carriers {
	c := &carriers{a, map[*expr.Expr][]*expr.Expr{}, map[*expr.Expr]bool{}}
	for i, loc := range a.code.Since(0) {
		s, assigns := loc.Stmt.(cfa.Assign)
		if assigns && s.RHS == nil && s.Nondet == uninitialised {
			c.from[s.LHS] = append(c.from[s.LHS], c.pool.False())
			continue
		}
		for _, w := range a.writes(cfa.Loc(i)) {
			if w.variable != nil {
				c.from[w.variable] = append(c.from[w.variable], s.RHS) // nil where it is no assignment
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for v, all := range c.from {
			if !c.is[v] && slices.ContainsFunc(all, c.carries) {
				c.is[v], changed = true, true
			}
		}
	}
	return c
}

// uninitialised is what a variable is given where it is declared without an initialiser.
const uninitialised = "uninitialised"

// carries reports whether the value of a term may carry something; nil is any value.
func (c *carriers) carries(e *expr.Expr) bool {
	switch {
	case e == nil:
		return true
	case e.Type().IsBool() || e.IsConst():
		return false
	case e.Op() == expr.Var:
		_, assigned := c.from[e]
		kind := c.code.Describe(e).Kind
		return c.is[e] || !assigned || c.addressed[e] || kind == cfa.Global || kind == cfa.Param
	case e.Op() == expr.Ite:
		return slices.ContainsFunc(e.Args()[1:], c.carries)
	}
	return slices.ContainsFunc(e.Args(), c.carries)
}
