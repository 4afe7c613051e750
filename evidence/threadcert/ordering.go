package threadcert

// Whether nodes can be put in one order.
//
// Idea: a matrix says which node is known to come before which. A read sees the last write before it,
// so another write of the cell that is before the read is before the write that it sees, and one that
// is behind this write is behind the read. A node that is before itself is a contradiction. Where
// nothing more follows, and a write is on neither side of a read and of what this sees, both are
// tried.
//
// Reads of a node come before its writes. Only nodes that facts speak of have rows: what all executions have
// in common is transitive already.
//
// Source: Yin et al. (2017), section 4.2. Cost: for n nodes n³ as often as something new follows; exponential in the
// writes that are on neither side.

import (
	"context"
	"slices"

	"magus/cfa/events/order"
	"magus/internal/bitset"
)

// ordering is what is known of the order of some nodes.
type ordering struct {
	after  []bitset.Set[order.Node] // in every execution
	nodes  []order.Node
	before [][]bool // by index into nodes
	writes []write
	links  []seen
}

// A write has happened at a node.
type write struct{ node, cell int }

// What was seen: a read at one node sees the write at another one.
type seen struct{ from, to, cell int }

func newOrdering(after []bitset.Set[order.Node]) *ordering { return &ordering{after: after} }

// index is the row of a node.
func (o *ordering) index(n order.Node) int {
	if i := slices.Index(o.nodes, n); i >= 0 {
		return i
	}
	row := make([]bool, len(o.nodes)+1)
	for i, m := range o.nodes {
		row[i] = o.after[n].Has(m)
		o.before[i] = append(o.before[i], o.after[m].Has(n))
	}
	o.nodes, o.before = append(o.nodes, n), append(o.before, row)
	return len(o.nodes) - 1
}

func (o *ordering) happens(n order.Node, cell int) {
	o.writes = append(o.writes, write{o.index(n), cell})
}

func (o *ordering) ordered(a, b order.Node) {
	i, j := o.index(a), o.index(b)
	o.before[i][j] = true
}

// sees adds that a read sees a write, which comes before it unless it may be seen by its own thread only.
func (o *ordering) sees(w, r order.Node, cell int, ordered bool) {
	if ordered {
		o.ordered(w, r)
	}
	o.links = append(o.links, seen{o.index(w), o.index(r), cell})
}

// impossible reports whether no order has all that is known. The error is ctx's.
func (o *ordering) impossible(ctx context.Context) (bool, error) {
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if !o.close() {
		return true, nil
	}
	l, w := o.open()
	if l == nil {
		return false, nil
	}
	for _, first := range [][2]int{{l.to, w}, {w, l.from}} {
		way := *o
		way.before = make([][]bool, len(o.before))
		for i, row := range o.before {
			way.before[i] = slices.Clone(row)
		}
		way.before[first[0]][first[1]] = true
		if no, err := way.impossible(ctx); err != nil || !no {
			return false, err
		}
	}
	return true, nil
}

// close finds all that follows. It reports false if that is a contradiction.
func (o *ordering) close() bool {
	for changed := true; changed; {
		o.transitive()
		for i := range o.nodes {
			if o.before[i][i] {
				return false
			}
		}
		changed = false
		for _, l := range o.links {
			for _, w := range o.writes {
				if w.cell != l.cell || w.node == l.from || w.node == l.to {
					continue
				}
				if o.before[w.node][l.to] && !o.before[w.node][l.from] {
					o.before[w.node][l.from], changed = true, true
				}
				if o.before[l.from][w.node] && !o.before[l.to][w.node] {
					o.before[l.to][w.node], changed = true, true
				}
			}
		}
	}
	return true
}

// transitive is Warshall's algorithm.
func (o *ordering) transitive() {
	for k := range o.nodes {
		for i := range o.nodes {
			if o.before[i][k] {
				for j := range o.nodes {
					o.before[i][j] = o.before[i][j] || o.before[k][j]
				}
			}
		}
	}
}

// open is a link with a write of its cell that is on neither side; nil if there is none.
func (o *ordering) open() (*seen, int) {
	for i := range o.links {
		l := &o.links[i]
		for _, w := range o.writes {
			if w.cell == l.cell && w.node != l.from && w.node != l.to && !o.before[w.node][l.from] && !o.before[l.to][w.node] {
				return l, w.node
			}
		}
	}
	return nil, 0
}
