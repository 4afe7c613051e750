package witness

// Which values of a run matter.
//
// Real programs set dozens of variables before anything is decided by them. A
// value matters if something that the run does depends on it: a branch that is
// taken, an argument of a routine given by its abstraction, a returned value,
// or another value that matters. This is a dynamic backward slice (Korel,
// Laski: Dynamic program slicing, Information Processing Letters 29 (1988))
// along the one run, with every branch kept. Cost: linear in the run.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/internal/expr"
)

// relevance says for each step of the run, and each variable that it changed,
// whether the value matters, and which variables matter initially.
func relevance(c *component.Component, run *interp.Run) (steps [][]bool, initially map[*expr.Expr]bool) {
	need := map[*expr.Expr]bool{}
	add := func(es ...*expr.Expr) {
		for _, v := range expr.Vars(es...) {
			need[v] = true
		}
	}
	steps = make([][]bool, len(run.Steps))
	read := false // memory without variables, by something that matters
	for k, st := range slices.Backward(run.Steps) {
		for _, b := range st.Changed {
			steps[k] = append(steps[k], need[b.Var])
			delete(need, b.Var)
		}
		switch stmt := c.CFA.Locs[st.Loc].Stmt.(type) {
		case cfa.Assign:
			matters := slices.Contains(steps[k], true)
			if m := stmt.Memory; m != nil {
				if m.Kind == cfa.Read {
					read = read || matters
				} else {
					matters = read
				}
				for _, t := range []*expr.Expr{m.Addr, m.Length} {
					if t != nil && matters {
						add(t)
					}
				}
			}
			if stmt.RHS != nil && matters {
				add(stmt.RHS)
			}
			if stmt.Exact != nil && matters {
				add(stmt.Exact.When)
				if stmt.Exact.Value != nil {
					add(stmt.Exact.Value)
				}
			}
		case cfa.Branch:
			add(stmt.Cond)
		case cfa.Call:
			add(stmt.Args...)
			for _, choice := range c.Calls[st.Loc].Choices {
				add(choice.Guard)
			}
		case cfa.Return:
			if stmt.Value != nil {
				add(stmt.Value)
			}
		}
	}
	return steps, need
}
