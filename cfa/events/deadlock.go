package events

// Deadlocks.
//
// Idea: where nothing happens any more, each thread has ended, or stands: at a join, or in a section
// of the library that waits. Who stands there stands with what is in memory at the end: the section's
// node comes behind all writes of what it reads. One literal for each place where a thread may stand
// says so.
//
// A thread whose assumption does not hold, which is cut, or which has ended the process neither has
// ended nor stands: that is no deadlock. Nor is it one if threads go round and wait for each other.
//
// Source: ours. Cost: an edge for each place and each write of what is read there.

import (
	"context"

	"magus/smt/expr"
)

// A wait is a place where a thread may stand.
type wait struct {
	thread  int
	step    int
	guard   *Guard
	section *section // nil: at a join of the thread joined, or of the only thread
	joined  int      // -1: none
}

// deadlocks says when no thread goes on. The error is ctx's.
func (u *unroller) deadlocks(ctx context.Context) error {
	p := u.pool
	stands := make([][]*expr.Expr, len(u.p.Threads))
	var some []*expr.Expr
	for _, w := range u.waits {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f := u.fresh("stands", expr.Bool)
		stands[w.thread], some = append(stands[w.thread], f), append(some, f)
		u.p.Holds = append(u.p.Holds, p.Lor(p.Not(f), w.guard.Term()))
		switch {
		case w.section != nil:
			u.behindAll(w.section, f)
		case w.joined >= 0:
			u.p.Holds = append(u.p.Holds, p.Lor(p.Not(f), p.Not(u.ended[w.joined])))
		}
		u.p.Deadlocks = append(u.p.Deadlocks, Blocked{w.thread, w.step, f})
	}
	all := []*expr.Expr{p.Lor(some...)}
	for t, list := range stands {
		if u.first[t] < 0 {
			continue
		}
		over := append(list, p.Not(u.guards[u.first[t]].Term()))
		for _, g := range u.ends[t] {
			over = append(over, g.Term())
		}
		all = append(all, p.Lor(over...))
	}
	u.p.Stuck = p.Land(all...)
	return nil
}

// behindAll has a section come behind all writes of what it reads, where f holds.
func (u *unroller) behindAll(sec *section, f *expr.Expr) {
	stands := Always(u.pool).And(u.pool, f)
	for _, e := range u.p.Events {
		if e.Write && sec.reads[e.Cell] != nil && e.Node != sec.node {
			if when := stands.And(u.pool, e.Guard.Term()); when != nil {
				u.p.Edges = append(u.p.Edges, Edge{From: e.Node, To: sec.node, When: when})
			}
		}
	}
}
