package component

// What a round of a loop rests on.
//
// Idea: go backward over the round, again and again, from nothing: a condition speaks of variables, an
// assignment to one of them makes it rest on others. What has come together at the beginning of the round is
// all that its repetition rests on.
//
// Source: relevant variables of a slice (Weiser: Program slicing, 1984), of one path. Cost: the variables
// times the round.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// Lasting are the variables on whose values at its beginning it rests whether a round, a path of the graph
// that the program has, can be made again. ok is false if it rests on memory without variables.
func (g *Graph) Lasting(round []int32) (vars []*expr.Expr, ok bool) {
	for _, id := range round {
		if e := &g.Edges[id]; e.Loc >= 0 {
			if a, is := g.Comp.CFA.Locs[e.Loc].Stmt.(cfa.Assign); is && a.Memory != nil && a.Memory.Kind == cfa.Read {
				return nil, false
			}
		}
	}
	for grown := -1; grown != len(vars); {
		grown = len(vars)
		now := slices.Clone(vars)
		for _, id := range slices.Backward(round) {
			now = g.needed(&g.Edges[id], now)
		}
		for _, v := range now {
			if !slices.Contains(vars, v) {
				vars = append(vars, v)
			}
		}
	}
	return vars, true
}

// needed are the variables that are needed before an edge, from those behind it.
func (g *Graph) needed(e *Edge, behind []*expr.Expr) (before []*expr.Expr) {
	add := func(vars ...*expr.Expr) {
		for _, v := range vars {
			if !g.IsFresh(v) && !slices.Contains(before, v) {
				before = append(before, v)
			}
		}
	}
	for _, v := range behind {
		k := slices.IndexFunc(e.Update, func(u Update) bool { return u.Var == v })
		if k < 0 {
			add(v)
		} else {
			add(expr.Vars(e.Update[k].Term)...)
		}
	}
	add(expr.Vars(e.Guard...)...)
	return before
}
