package cfa

import (
	"cmp"
	"slices"

	"magus/smt/expr"
)

// Lookup gives the variables that name means in an instance: its parameters
// and locals of that name, outer declarations first, then the global. Where
// several are given, the procedure has the name in several scopes.
func (c *CFA) Lookup(frame int, name string) []*expr.Expr {
	var found, globals []*expr.Expr
	for _, v := range c.Vars {
		switch {
		case v.Name != name || v.Kind == Temp:
		case v.Kind == Global && v.Proc == "":
			globals = append(globals, v.Expr)
		case v.Kind == Global && v.Proc == c.Frames[frame].Proc, v.Frame == frame:
			found = append(found, v.Expr)
		}
	}
	return append(found, globals...)
}

// FirstValues are the locations, from the entry on, that set first values: of globals, and of what the procedure
// declares before it does anything else; with those in between. Control does not come back to them.
func (c *CFA) FirstValues() (all []Loc) {
	into := make([]int, len(c.Locs))
	into[c.Entry]++
	for _, loc := range c.Locs {
		for _, n := range loc.Succ {
			into[n]++
		}
	}
	var passed []Loc // behind the last of them
	for l := c.Entry; into[l] == 1; l = c.Locs[l].Succ[0] {
		passed = append(passed, l)
		a, assigns := c.Locs[l].Stmt.(Assign)
		if _, leads := c.Locs[l].Stmt.(Goto); leads {
			continue
		}
		i := slices.IndexFunc(c.Vars, func(v Var) bool { return v.Expr == a.LHS })
		switch {
		case !assigns || i < 0:
			return all
		case c.Vars[i].Kind == Temp:
		case c.Vars[i].Kind != Param && c.Vars[i].Pos == c.Locs[l].Pos:
			all, passed = append(all, passed...), nil
		default:
			return all
		}
	}
	return all
}

// Performs reports whether a statement performs the action.
func (c *CFA) Performs(action string) bool {
	return slices.ContainsFunc(c.Locs, func(l Location) bool {
		act, ok := l.Stmt.(Act)
		return ok && act.Action == action
	})
}

// CycleAt is the cycle of calls at a cut or a skip.
func (c *CFA) CycleAt(at Loc) string {
	if halt, ok := c.Locs[c.Locs[at].Succ[0]].Stmt.(Halt); ok && c.Locs[at].Stmt == Stmt(Act{Action: c.Cut}) {
		return halt.Reason
	}
	act, _ := c.Locs[at].Stmt.(Act)
	return act.Reason
}

// FramesOf are the instances of a procedure, in order.
func (c *CFA) FramesOf(proc string) []int {
	var frames []int
	for i, f := range c.Frames {
		if f.Proc == proc {
			frames = append(frames, i)
		}
	}
	return frames
}

// comparePos orders places by file, line and column.
func comparePos(a, b Pos) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}
