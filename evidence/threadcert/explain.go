package threadcert

// Why the facts of a lemma do not go together, for people.
//
// Idea: edges between nodes follow from the facts by the rules that check them (ordering.go), one
// after the other, each with what it follows from; a cycle of them is the reason. A lemma that needs
// both ways to be tried has no single cycle: then there is none to show.
//
// Cost: for n nodes n² for each edge, and n³ in the end.

import (
	"fmt"
	"slices"

	"magus/cfa/events"
	"magus/cfa/events/order"
	"magus/internal/bitset"
)

// An Arc says that one node comes before another one, and why.
type Arc struct {
	From, To order.Node
	Derived  bool   // by a rule, and not by the program or a fact
	Why      string // Program, Seen, or the rule with the link that it is about
}

// Seen is why a write comes before a read that sees it, Program why a node comes before another one in every execution.
const (
	Seen    = "is seen"
	Program = "program"
)

// Explain is a cycle of arcs that follow from the facts of a lemma; nil if trying both ways is
// necessary. Facts that the program does not have are left out.
func Explain(p *events.Program, l Lemma) []Arc { return explain(p, l).cycle() }

// Arcs are all that follow from the facts of a lemma, with those of the program between the nodes of these.
func Arcs(p *events.Program, l Lemma) []Arc {
	x := explain(p, l)
	var all []Arc
	for _, n := range x.nodes {
		all = append(all, x.leaving(n)...)
	}
	return all
}

func explain(p *events.Program, l Lemma) *explanation {
	x := &explanation{p: p, after: after(p)}
	for _, f := range l {
		x.fact(f)
	}
	for x.rules() {
	}
	return x
}

type explanation struct {
	p      *events.Program
	after  []bitset.Set[order.Node]
	nodes  []order.Node
	arcs   []Arc
	writes []int    // events that happen
	links  [][2]int // a write and the read that sees it
}

func (x *explanation) node(n order.Node) {
	if !slices.Contains(x.nodes, n) {
		x.nodes = append(x.nodes, n)
	}
}

func (x *explanation) fact(f Fact) {
	has := func(i int) bool { return i >= 0 && i < len(x.p.Events) }
	switch {
	case f.Kind == Happens && has(f.A):
		x.node(x.p.Events[f.A].Node)
		x.writes = append(x.writes, f.A)
	case f.Kind == Sees && has(f.A) && has(f.B):
		x.links = append(x.links, [2]int{f.A, f.B})
		x.arc(x.p.Events[f.A].Node, x.p.Events[f.B].Node, false, Seen)
	case f.Kind == Ordered && f.A >= 0 && f.A < len(x.p.Edges):
		x.arc(x.p.Edges[f.A].From, x.p.Edges[f.A].To, false, "order between threads")
	}
}

func (x *explanation) arc(a, b order.Node, derived bool, why string) {
	x.node(a)
	x.node(b)
	x.arcs = append(x.arcs, Arc{a, b, derived, why})
}

// way is the shortest chain of arcs from one node to another one; nil if there is none.
func (x *explanation) way(from, to order.Node) []Arc {
	by := map[order.Node]Arc{}
	for queue := []order.Node{from}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for _, a := range x.leaving(n) {
			if _, met := by[a.To]; met {
				continue
			}
			by[a.To] = a
			if a.To == to {
				var way []Arc
				for m := to; len(way) == 0 || m != from; m = by[m].From {
					way = append(way, by[m])
				}
				slices.Reverse(way)
				return way
			}
			queue = append(queue, a.To)
		}
	}
	return nil
}

// leaving are the arcs from a node, those of the program last.
func (x *explanation) leaving(n order.Node) []Arc {
	var all []Arc
	for _, a := range x.arcs {
		if a.From == n {
			all = append(all, a)
		}
	}
	for _, m := range x.nodes {
		if x.after[n].Has(m) {
			all = append(all, Arc{n, m, false, Program})
		}
	}
	return all
}

// rules derives an arc, if there is one that is new.
func (x *explanation) rules() bool {
	for _, l := range x.links {
		w, r := &x.p.Events[l[0]], &x.p.Events[l[1]]
		for _, i := range x.writes {
			o := &x.p.Events[i]
			if o.Cell != w.Cell || o.Node == w.Node || o.Node == r.Node {
				continue
			}
			if x.way(o.Node, r.Node) != nil && x.way(o.Node, w.Node) == nil {
				x.arc(o.Node, w.Node, true, fmt.Sprintf("before the read that sees the other one: %d sees %d", l[1], l[0]))
				return true
			}
			if x.way(w.Node, o.Node) != nil && x.way(r.Node, o.Node) == nil {
				x.arc(r.Node, o.Node, true, fmt.Sprintf("behind the write that is seen: %d sees %d", l[1], l[0]))
				return true
			}
		}
	}
	return false
}

// cycle is a shortest one.
func (x *explanation) cycle() []Arc {
	var best []Arc
	for _, n := range x.nodes {
		if way := x.way(n, n); way != nil && (best == nil || len(way) < len(best)) {
			best = way
		}
	}
	return best
}
