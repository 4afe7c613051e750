package events

// Data races.
//
// Idea: C has a race where two accesses conflict, not both are atomic, and neither happens before the
// other. Where all else is sequentially consistent, a program has such an execution just if it has
// one with a state in which the two come next, in two threads: what is behind neither can be left
// out. So a race is that the access before the second one, in its thread, comes before the first one,
// and the first one before the second. That is two edges of the order, and the conditions under which
// both happen.
//
// A section is one step of its thread: what it accesses is atomic, and it comes next if it can come
// to its end. So it is the first of the two, for what is behind the other one may change what it
// does.
//
// Source: Boehm, Adve, "Foundations of the C++ concurrency memory model" (2008), theorem 7.1, for the
// two definitions; like the race edges of Deagle (He, Sun, Fan, 2021).
//
// Cost: a literal for each two accesses of a cell by two threads, one of them a write.

import (
	"cmp"
	"context"
	"slices"

	"magus/cfa"
	"magus/cfa/events/order"
	"magus/smt/expr"
)

// An access is one of a thread to a cell while there are others.
type access struct {
	thread, cell, step int
	node               order.Node
	write, doubtful    bool
	guard              *expr.Expr
	section            *section // nil: none, or one that is plain
	plain              *section // of a plain one
}

// start is the first step of an access.
func (a access) start() int {
	if sec := cmp.Or(a.section, a.plain); sec != nil {
		return sec.begin
	}
	return a.step
}

// note keeps an access.
func (s *strand) note(in *instance, cell int, write bool) {
	if !s.u.bounds.Races {
		return
	}
	a := access{thread: s.thread, cell: cell, step: in.step, write: write, guard: in.guard.Term()}
	if stmt, ok := s.u.c.Locs[in.loc].Stmt.(cfa.Assign); ok && write {
		a.doubtful = stmt.Approx != "" && stmt.Nondet != "float" || stmt.Keeps
	}
	switch {
	case in.section == nil:
		a.node = s.stmtNode(in)
	case in.section.plain:
		a.node, a.plain = s.sectionNode(in.section), in.section
	default:
		a.node, a.section = s.sectionNode(in.section), in.section
	}
	s.u.accesses = append(s.u.accesses, a)
}

// races pairs accesses.
func (u *unroller) races(ctx context.Context) error {
	by := make([][]access, len(u.p.Cells))
	for _, a := range u.accesses {
		by[a.cell] = append(by[a.cell], a)
	}
	behind := u.static().Behind()
	for _, list := range by {
		for i, a := range list {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for _, b := range list[:i] {
				if a.thread != b.thread && (a.write || b.write) && (a.section == nil || b.section == nil) &&
					!behind[a.node].Has(b.node) && !behind[b.node].Has(a.node) {
					u.race(b, a)
				}
			}
		}
	}
	slices.SortStableFunc(u.p.Races, func(a, b Race) int {
		return cmp.Compare(min(a.Step, a.Other), min(b.Step, b.Other))
	})
	return nil
}

// static is the order that all executions have.
func (u *unroller) static() *order.Graph {
	g := order.New(u.p.Nodes)
	u.p.preserved(g.Edge)
	for _, e := range u.p.Edges {
		if e.When == nil {
			g.Edge(e.From, e.To)
		}
	}
	return g
}

// race adds the pair of a, which is made first, and b.
func (u *unroller) race(a, b access) {
	if b.section != nil || b.plain != nil {
		a, b = b, a
	}
	p := u.fresh("race", expr.Bool)
	when := Always(u.pool).And(u.pool, p)
	for _, x := range []access{a, b} {
		u.p.Holds = append(u.p.Holds, u.pool.Lor(u.pool.Not(p), x.guard))
		if sec := cmp.Or(x.section, x.plain); sec != nil {
			end := u.pool.False()
			if sec.end != nil {
				end = sec.end.Term()
			}
			u.p.Holds = append(u.p.Holds, u.pool.Lor(u.pool.Not(p), end))
		}
	}
	before := b.node - 1 // a thread begins with a node of its own
	u.p.Edges = append(u.p.Edges, Edge{From: before, To: a.node, When: when}, Edge{From: a.node, To: b.node, When: when})
	r := Race{Target: Target{Guard: when, Step: a.step, Node: a.node}, Cell: a.cell, Other: b.step,
		Start: a.start(), OtherStart: b.start(),
		Doubtful: a.doubtful || b.doubtful}
	u.p.Races = append(u.p.Races, r)
}
