package predabs

// Predicates from the values on a path.
//
// Idea: where a path computes with constants only (a sum over an array that is
// initialised, a counter beside it), a guard on it that contradicts itself is
// false of the values that its variables have there. Weakest preconditions of
// such a guard are sums of all that was added, which are hard to decide and which
// loops multiply. That each variable has its value, from where it is given to
// where it is used, says the same: one equation for each variable and control point
// that the guard's value depends on.
//
// Source: the explicit values of Beyer, Löwe: Explicit-state software model
// checking based on CEGAR and interpolation, FASE 2013, section 4, as predicates, and
// without interpolation: all that the guard depends on along the path.
// Cost: one symbolic execution, and a pass backward.

import (
	"maps"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/smt/expr"
)

// summing reports whether one of the conditions stands for a sum of more variables
// than it asks about.
func (x *inferrer) summing(found map[subject][]*condition) bool {
	for _, conds := range found {
		for _, c := range conds {
			most := max(1, len(expr.Vars(c.cond)))
			if slices.ContainsFunc(c.at, func(p placed) bool { return len(x.atoms.vars[p.atom]) > most }) {
				return true
			}
		}
	}
	return false
}

// values gives the equations that exclude a path on which the values of all that
// some guard depends on are constants; nil if there is no such guard.
func (x *inferrer) values(path []int32) map[subject][]*condition {
	s := x.symbolic()
	before := make([]map[*expr.Expr]*expr.Expr, len(path)) // values that the edge replaces
	for i, id := range path {
		e := &x.Graph.Edges[id]
		before[i] = map[*expr.Expr]*expr.Expr{}
		for _, u := range e.Update {
			before[i][u.Var] = s.env[u.Var]
		}
		for k, g := range s.take(e) {
			if g.IsFalse() {
				for v, old := range before[i] {
					s.env[v] = old
				}
				return x.equations(path[:i+1], before[:i], s.env, e.Guard[k])
			}
		}
	}
	return nil
}

// equations says of each variable that a guard's value depends on, the guard being
// asked by the last edge of a path, which value it has where. now are the values
// before that edge, older ones are in before.
func (x *inferrer) equations(path []int32, before []map[*expr.Expr]*expr.Expr,
	now map[*expr.Expr]*expr.Expr, guard *expr.Expr) map[subject][]*condition {
	found := map[subject][]*condition{}
	made := map[*expr.Expr]*condition{}
	need := expr.Vars(guard)
	for i := len(path) - 1; i > 0 && len(need) > 0; i-- {
		at := x.Graph.Edges[path[i]].From
		for _, v := range need {
			val := now[v]
			if val == nil || !val.IsConst() {
				continue
			}
			eq := x.pool.Eq(v, val)
			c := made[eq]
			if c == nil {
				c = &condition{cond: eq, local: true}
				made[eq] = c
				found[subject{v, v}] = append(found[subject{v, v}], c)
			}
			c.startAt(at, x.atoms.of(eq))
		}
		e := &x.Graph.Edges[path[i-1]]
		maps.Copy(now, before[i-1])
		need = x.needed(e, need)
	}
	return found
}

// needed are the variables that the values of some after an edge are computed from.
func (x *inferrer) needed(e *component.Edge, after []*expr.Expr) []*expr.Expr {
	var all []*expr.Expr
	for _, v := range after {
		from := []*expr.Expr{v}
		if i := slices.IndexFunc(e.Update, func(u component.Update) bool { return u.Var == v }); i >= 0 {
			from = expr.Vars(e.Update[i].Term)
		}
		for _, w := range from {
			if !slices.Contains(all, w) && !x.Graph.IsFresh(w) {
				all = append(all, w)
			}
		}
	}
	return all
}

// widenValues adds the equations, by variable, and reports whether one is new.
func (x *inferrer) widenValues(found map[subject][]*condition, pos cfa.Pos) bool {
	var order []subject
	for s := range found {
		order = append(order, s)
	}
	slices.SortFunc(order, func(a, b subject) int { return a.a.ID() - b.a.ID() })
	before := len(x.Candidates)
	for _, s := range order {
		k := x.last(s)
		more := slices.DeleteFunc(found[s], func(c *condition) bool { return k >= 0 && x.Candidates[k].has(c) })
		if len(more) > 0 {
			x.widen(s, more, pos, FromPath)
		}
	}
	return len(x.Candidates) > before
}
