package cegar

// Loops that end.
//
// Idea: a term that no step of a loop makes greater, in the order of the machine's numbers, gets smaller only finitely
// often: there are finitely many of them, so no bound is needed. Steps that make it smaller therefore end.
// Terms are the variables that the loop changes, and differences of what its conditions compare, each as a
// signed and an unsigned number, and in both directions. What the abstract states know holds before the
// steps.
//
// Source: linear ranking functions, Podelski, Rybalchenko: A complete method for the synthesis of linear
// ranking functions (VMCAI 2004); deviation: over bit-vectors, where each order is well-founded, and of the
// terms above only. Cost: a query for each term and step.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

// maxRanks bounds the terms that are tried for a loop.
const maxRanks = 64

// A rank is a term with a direction.
type rank struct {
	term *expr.Expr // of a type with an order
	up   bool       // it gets greater
}

// loopEnds is [lts.Ends] of a component: moves of its MP that end within some.
func (c *model) loopEnds(ctx context.Context, among []lts.Transition) ([]lts.Transition, error) {
	steps := make([][]int32, len(among))
	for i, t := range among {
		if steps[i] = c.mp.Stands(t.From, t.Edge); len(steps[i]) == 0 {
			return nil, nil
		}
	}
	facts := c.facts(among, steps)
	for _, r := range c.rankings(steps) {
		ended, ok, err := c.ranked(ctx, r, among, steps, facts)
		if err != nil {
			return nil, err
		}
		if ok && ended != nil {
			if !slices.Contains(c.ended, r) {
				c.ended = append(c.ended, r)
			}
			return ended, nil
		}
	}
	return nil, nil
}

// ranked are the moves that make a term smaller; ok is false if one may make it greater.
func (c *model) ranked(ctx context.Context, r rank, among []lts.Transition, steps [][]int32,
	facts map[lts.State][]*expr.Expr) (
	ended []lts.Transition, ok bool, err error) {
	p := c.CFA.Pool
	for i, t := range among {
		falls := true
		for _, id := range steps[i] {
			e := &c.abs.Graph.Edges[id]
			by := map[*expr.Expr]*expr.Expr{}
			for _, u := range e.Update {
				by[u.Var] = u.Term
			}
			before, after := r.term, p.Subst(r.term, by)
			if r.up {
				before, after = after, before
			}
			if before == after {
				falls = false
				continue
			}
			given := slices.Concat(c.mp.Literals(t.From), facts[t.From], e.Guard)
			stays, err := c.solver.Check(ctx, append(given, p.Gt(after, before))...)
			if err != nil {
				return nil, false, err
			}
			if stays != solver.Unsat {
				return nil, false, nil
			}
			if falls {
				same, err := c.solver.Check(ctx, append(given, p.Eq(after, before))...)
				if err != nil {
					return nil, false, err
				}
				falls = same == solver.Unsat
			}
		}
		if falls {
			ended = append(ended, t)
		}
	}
	return ended, true, nil
}

// facts are conditions of the moves of a loop that hold in a state whenever a run that has stayed in the loop for
// long comes to it: each way there within the loop has passed the condition, and has changed nothing since that it is
// about. So a guard is known at the statements behind it. It is the least solution of that: a round without the
// condition does not make itself known.
func (c *model) facts(among []lts.Transition, steps [][]int32) map[lts.State][]*expr.Expr {
	var all []*expr.Expr
	for _, ids := range steps {
		for _, id := range ids {
			for _, g := range c.abs.Graph.Edges[id].Guard {
				if !slices.Contains(all, g) && !slices.ContainsFunc(expr.Vars(g), c.abs.Graph.IsFresh) {
					all = append(all, g)
				}
			}
		}
	}
	facts := map[lts.State][]*expr.Expr{}
	for _, f := range all {
		for holds, n := map[lts.State]bool{}, -1; n < len(holds); {
			n = len(holds)
			for _, s := range c.passed(f, holds, among, steps) {
				holds[s], facts[s] = true, append(facts[s], f)
			}
		}
	}
	return facts
}

// passed are the other states of a loop to which each move has a condition, or comes from a state where it holds,
// and changes nothing that it is about.
func (c *model) passed(f *expr.Expr, holds map[lts.State]bool, among []lts.Transition,
	steps [][]int32) (all []lts.State) {
	not, vars := map[lts.State]bool{}, expr.Vars(f)
	for i, t := range among {
		for _, id := range steps[i] {
			e := &c.abs.Graph.Edges[id]
			known := holds[t.From] || slices.Contains(e.Guard, f)
			if !known || slices.ContainsFunc(e.Update, func(u component.Update) bool {
				return slices.Contains(vars, u.Var)
			}) {
				not[t.To] = true
			}
		}
	}
	for _, t := range among {
		if !not[t.To] && !holds[t.To] && !slices.Contains(all, t.To) {
			all = append(all, t.To)
		}
	}
	return all
}

// rankings are the terms to try, those of conditions first.
func (c *model) rankings(steps [][]int32) (all []rank) {
	p := c.CFA.Pool
	changed := map[*expr.Expr]bool{}
	var vars, conds []*expr.Expr
	for _, ids := range steps {
		for _, id := range ids {
			e := &c.abs.Graph.Edges[id]
			for _, u := range e.Update {
				if !changed[u.Var] && u.Var.Type() != expr.Bool && !u.Var.Type().IsFloat() {
					changed[u.Var] = true
					vars = append(vars, u.Var)
				}
			}
			conds = append(conds, e.Guard...)
		}
	}
	var terms []*expr.Expr
	add := func(t *expr.Expr) {
		if slices.ContainsFunc(expr.Vars(t), c.abs.Graph.IsFresh) { // of one step only
			return
		}
		own := t.Type()
		for _, signed := range []bool{true, false} {
			own.Signed = signed
			if as := p.Cast(own, t); !as.IsConst() && !slices.Contains(terms, as) && len(all) < maxRanks {
				terms = append(terms, as)
				all = append(all, rank{as, false}, rank{as, true})
			}
		}
	}
	for _, v := range vars {
		add(v)
	}
	for _, a := range atomsOf(conds) {
		if args := a.Args(); len(args) == 2 &&
			slices.ContainsFunc(expr.Vars(a), func(v *expr.Expr) bool { return changed[v] }) {
			add(p.Sub(args[0], args[1]))
		}
	}
	return all
}

// atomsOf are the comparisons in some conditions.
func atomsOf(conds []*expr.Expr) (all []*expr.Expr) {
	for todo := slices.Clone(conds); len(todo) > 0; todo = todo[1:] {
		switch t := todo[0]; t.Op() {
		case expr.Eq, expr.Lt:
			if of := t.Args()[0].Type(); of != expr.Bool && !of.IsFloat() && !slices.Contains(all, t) {
				all = append(all, t)
			}
		default:
			if t.Type() == expr.Bool {
				todo = append(todo, t.Args()...)
			}
		}
	}
	return all
}

// placeOf is a place of the program where one of some moves begins that has one.
func (c *model) placeOf(locs []cfa.Loc) cfa.Pos {
	for _, l := range locs {
		if p := c.CFA.Locs[l].Pos; p.IsValid() {
			return p
		}
	}
	return cfa.Pos{}
}

// locsOf are the locations of a path of the program's edges.
func locsOf(g *component.Graph, path []int32) (all []cfa.Loc) {
	for _, id := range path {
		if e := &g.Edges[id]; e.Loc >= 0 && g.IsLocation(e.From) {
			all = append(all, e.Loc)
		}
	}
	return all
}
