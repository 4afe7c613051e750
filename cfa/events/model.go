package events

// Memory models: what of the order of a thread's text all other threads see.
//
// Idea: the node of a write that is no section is the moment when others see it. Then the order in
// memory has all that is preserved: under total store order everything but that a write comes before
// a read behind it, under partial store order also not that it comes before a write of another cell.
// A fence comes behind all before it, and before all behind it; a barrier of writes, which a release begins with
// under partial store order, likewise, but not before reads. A read sees the last write of its own
// thread, if there is one that others do not see yet: such a link is no order. Otherwise the thread's
// writes of the cell before it come before it in memory too. The section of a monitor is no access of the program, but
// what it writes all see at once: it has the order of a read.
//
// Source: Sewell, Sarkar, Owens, Zappa Nardelli, Myreen, "x86-TSO" (2010); Alglave, Maranget,
// Tautschnig, "Herding cats" (2014), for preserved program order. Cost: linear in the nodes.

import (
	"magus/cfa"
	"magus/cfa/events/order"
	"magus/smt/expr"
)

// A kind is what a node is to a memory model: a fence if it neither only reads nor only writes, nor is a
// barrier of writes.
type kind struct {
	read, write bool
	barrier     bool
	cell        int // that is written
}

// preserved calls f for what of the order of threads' texts is an order of memory.
func (p *Program) preserved(f func(a, b order.Node)) {
	type past struct {
		fence, read, barrier order.Node // last ones; -1
		writes               []order.Node
	}
	threads := make([]*past, len(p.Threads))
	for i, t := range p.Thread {
		for len(threads) <= t { // programs by hand have no steps
			threads = append(threads, nil)
		}
		if threads[t] == nil {
			threads[t] = &past{fence: -1, read: -1, barrier: -1}
		}
		at, n, k := threads[t], order.Node(i), p.kind(order.Node(i))
		after := func(a order.Node) {
			if a >= 0 {
				f(a, n)
			}
		}
		after(at.fence)
		after(at.read)
		if !k.read {
			after(at.barrier)
		}
		for _, w := range at.writes {
			if !k.read && !(k.write && p.Model == cfa.PSO && p.kind(w).cell != k.cell) {
				after(w)
			}
		}
		switch {
		case k.read:
			at.read = n
		case k.write && p.Model == cfa.TSO:
			at.writes = []order.Node{n}
		case k.write:
			at.writes = append(at.writes, n)
		case k.barrier:
			at.barrier, at.writes = n, nil
		default:
			*at = past{fence: n, read: -1, barrier: -1}
		}
	}
}

// plain makes a node that of a single read or write.
func (p *Program) plain(n order.Node, write bool, cell int) {
	if p.Model != cfa.SC {
		p.kinds[n] = kind{read: !write, write: write, cell: cell}
	}
}

// kind is that of a node.
func (p *Program) kind(n order.Node) kind {
	if int(n) < len(p.kinds) {
		return p.kinds[n]
	}
	return kind{}
}

// Barrier reports whether a node is one of writes: before those behind it, and not before reads.
func (p *Program) Barrier(n order.Node) bool { return p.kind(n).barrier }

// Reads reports whether a node is a single plain read, to a weaker memory model.
func (p *Program) Reads(n order.Node) bool { return p.kind(n).read }

// Delayed is the cell that a node makes a write of visible to others, later than it is made; nil of others.
func (p *Program) Delayed(n order.Node) *expr.Expr {
	if k := p.kind(n); k.write {
		return p.Cells[k.cell]
	}
	return nil
}

// buffered reports whether a write may be seen by a later read of its own thread before others see it.
func (e *encoder) buffered(w, r *Event) bool {
	return w.Thread == r.Thread && w.Node < r.Node && e.p.kind(w.Node).write && !e.behind[w.Node].Has(r.Node)
}

// own tells what the writes of a read's own thread mean for what it sees.
func (e *encoder) own(w, r int) {
	p := e.p
	if p.Model == cfa.SC {
		return
	}
	s := e.out.Links[len(e.out.Links)-1].When
	from, to := &p.Events[w], &p.Events[r]
	own := e.buffered(from, to)
	for _, o := range e.writes[to.Cell] {
		x := &p.Events[o]
		switch {
		case o == w || !e.buffered(x, to):
		case own && from.Node < x.Node:
			e.f.AssertAny(p.Pool.Not(s), p.Pool.Not(x.Guard.Term()))
		case !own:
			e.fact(order.Fact{Kind: order.Ordered, A: x.Node, B: to.Node}, p.Pool.Land(s, x.Guard.Term()))
		}
	}
}
