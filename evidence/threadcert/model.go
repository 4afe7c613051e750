package threadcert

// Weaker memory models, in the check of a proof.
//
// Idea: the node of a plain write is when others see it. Of the order of a thread's text all is kept
// but that a plain write, or a barrier of writes, comes before a plain read behind it and, under partial store order,
// that a plain write comes before one of another cell. A read that sees a write of its own thread, which
// others may not see yet, says nothing of the order of the two. All else that is derived of a read and what
// it sees holds then too: if others do not see the write yet, the read is before it, so a write before the
// read is before it, and one behind it is behind the read. A read that sees another write has no such writes
// left: those of its thread before it come before it in memory.
//
// Source: Sewell et al., "x86-TSO" (2010); Alglave, Maranget, Tautschnig, "Herding cats" (2014).
// Written from these and docs/threads.md; what is a plain access says the unrolled program. Cost:
// quadratic in the nodes of a thread between two fences.

import (
	"magus/cfa"
	"magus/cfa/events"
	"magus/cfa/events/order"
	"magus/smt/expr"
)

// inText calls f for what all executions keep of the order of threads' texts: f of a node and others
// with all that follows.
func inText(p *events.Program, f func(a, b order.Node)) {
	threads := map[int][]order.Node{}
	for i, t := range p.Thread {
		threads[t] = append(threads[t], order.Node(i))
	}
	for _, nodes := range threads { // each by itself
		for i, a := range nodes {
			for _, b := range nodes[i+1:] {
				if kept(p, a, b) {
					f(a, b)
				}
				if fence(p, b) { // what comes behind is behind that
					break
				}
			}
		}
	}
}

// fence reports whether a node comes behind all before it and before all behind it.
func fence(p *events.Program, n order.Node) bool {
	return !p.Reads(n) && p.Delayed(n) == nil && !p.Barrier(n)
}

// kept reports whether a node stays before another one behind it.
func kept(p *events.Program, a, b order.Node) bool {
	if p.Barrier(a) {
		return !p.Reads(b)
	}
	cell := p.Delayed(a)
	if cell == nil || fence(p, b) || p.Barrier(b) {
		return true
	}
	return !p.Reads(b) && !(p.Model == cfa.PSO && p.Delayed(b) != cell)
}

// pending reports whether a read may see a write while others do not.
func (c *checker) pending(w, r int) bool {
	a, b := &c.prog.Events[w], &c.prog.Events[r]
	return a.Cell == b.Cell && a.Thread == b.Thread && a.Node < b.Node && c.prog.Delayed(a.Node) != nil &&
		!c.after[a.Node].Has(b.Node)
}

// own says that a read that sees a write of its own thread, which others may not see yet, sees the last one.
func (c *checker) own(s *expr.Expr, w, r int) {
	if !c.pending(w, r) {
		return
	}
	from := &c.prog.Events[w]
	for _, x := range c.writes[from.Cell] {
		if o := &c.prog.Events[x]; x != w && c.pending(x, r) && from.Node < o.Node {
			c.implies(s, c.pool.Not(o.Guard.Term()))
		}
	}
}

// seenBefore are what facts of a lemma say together: a write that happens, and that a read of the
// thread behind it does not see but one that is none of those which others may not see yet, comes
// before the read.
func (c *checker) seenBefore(l Lemma) (pairs [][2]order.Node) {
	events := len(c.prog.Events)
	for _, h := range l {
		for _, f := range l {
			if h.Kind != Happens || f.Kind != Sees || min(h.A, f.A, f.B) < 0 || max(h.A, f.A, f.B) >= events {
				continue
			}
			if h.A != f.A && c.pending(h.A, f.B) && !c.pending(f.A, f.B) {
				pairs = append(pairs, [2]order.Node{c.prog.Events[h.A].Node, c.prog.Events[f.B].Node})
			}
		}
	}
	return pairs
}
