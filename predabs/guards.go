package predabs

// What edges ask.
//
// Idea: candidates are the conditions that the program has, wherever they are asked. An edge that stands for
// several of the program's asks them behind what its earlier parts compute; where the edge begins, the weakest
// precondition over these decides the condition.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C Programs" (2004), section 5.2, for
// the weakest precondition. Cost: a substitution for each condition and edge.

import (
	"magus/cfa"
	"magus/component"
	"magus/smt/expr"
)

// A guardTest is an atomic condition that an edge asks.
type guardTest struct {
	cond   *expr.Expr // as the program has it
	part   int        // of the edge's parts: the one that asks
	loc    cfa.Loc    // of that part
	before []atom     // what decides it where the edge begins; nothing if the edge chooses what is asked about
	last   bool       // no later part of the edge gives one of its variables a value
}

// tests are the atomic conditions that an edge asks, but for those about values chosen in the same part.
func (x *planner) tests(id int32) []guardTest {
	if x.asked[id] == nil {
		x.asked[id] = x.newTests(id)
	}
	return x.asked[id]
}

func (x *planner) newTests(id int32) []guardTest {
	all := []guardTest{}
	base := x.Graph.Base()
	done := map[*expr.Expr]*expr.Expr{} // by the parts before
	for k, part := range x.Graph.Parts(id) {
		e := &base.Edges[part]
		for _, c := range guardLeaves(e) {
			if !x.mentionsFresh(c) {
				all = append(all, guardTest{cond: c, part: k, loc: e.Loc, before: x.deciding(x.pool.Subst(c, done)), last: true})
			}
		}
		for i, t := range all {
			all[i].last = t.last && !x.touches(e, x.atoms.of(t.cond))
		}
		x.compose(done, e)
	}
	return all
}

// compose makes values that variables have before an edge, in terms of others, those behind it.
func (x *space) compose(values map[*expr.Expr]*expr.Expr, e *component.Edge) {
	terms := make([]*expr.Expr, len(e.Update))
	for i, u := range e.Update {
		terms[i] = x.pool.Subst(u.Term, values)
	}
	for i, u := range e.Update {
		values[u.Var] = terms[i]
	}
}

// deciding are the atoms without fresh variables that decide a condition.
func (x *space) deciding(cond *expr.Expr) []atom {
	var as []atom
	for _, l := range leaves(cond) {
		for _, i := range x.instances(l) {
			as = append(as, x.atoms.of(i))
		}
	}
	return as
}

// guardLeaves are the atomic conditions of an edge's guard.
func guardLeaves(e *component.Edge) []*expr.Expr {
	var all []*expr.Expr
	for _, g := range e.Guard {
		all = append(all, leaves(g)...)
	}
	return all
}

// position is that of a location; none of the edge from Init.
func (x *space) position(l cfa.Loc) cfa.Pos {
	if l < 0 {
		return cfa.Pos{}
	}
	return x.Graph.Comp.CFA.Locs[l].Pos
}

// origin is what a candidate is called whose condition is asked at a location.
func (x *space) origin(l cfa.Loc) string {
	if l < 0 {
		return FromGuard
	}
	switch x.Graph.Comp.CFA.Locs[l].Stmt.(type) {
	case cfa.Call:
		return FromGuard
	case cfa.Return:
		return FromReturn
	}
	return FromBranch
}
