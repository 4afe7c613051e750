package memory_test

import (
	"maps"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// ends are how the executions of an automaton end: with the action error, or with the reason of a halt. Each any value
// is 0 or 1; variables begin with the given values, or with 0.
func ends(c *cfa.CFA, start map[*expr.Expr]uint64) []string {
	found := map[string]bool{}
	var follow func(at cfa.Loc, vals map[*expr.Expr]uint64)
	follow = func(at cfa.Loc, vals map[*expr.Expr]uint64) {
		for {
			loc := c.Locs[at]
			next := 0
			switch s := loc.Stmt.(type) {
			case cfa.Assign:
				if s.RHS == nil {
					other := maps.Clone(vals)
					other[s.LHS] = 1
					follow(loc.Succ[0], other)
					vals[s.LHS] = 0
				} else {
					vals[s.LHS] = expr.Eval(s.RHS, func(v *expr.Expr) uint64 { return vals[v] })
				}
			case cfa.Branch:
				if expr.Eval(s.Cond, func(v *expr.Expr) uint64 { return vals[v] }) == 0 {
					next = 1
				}
			case cfa.Act:
				found[s.Action] = true
				return
			case cfa.Halt:
				found[s.Reason] = true
				return
			}
			at = loc.Succ[next]
		}
	}
	vals := maps.Clone(start)
	if vals == nil {
		vals = map[*expr.Expr]uint64{}
	}
	follow(c.Entry, vals)
	return slices.Sorted(maps.Keys(found))
}
