package threads

// The order as a part of the formula: a clock for each node.
//
// Idea: s(w,r) and g(w') imply w' < w or r < w', where < compares clocks. It is large, slow and simple: the
// oracle of the other two.
//
// Source: Yin et al. (2017), section 3 (ξ); Alglave, Kroening, Tautschnig (2013).
//
// Cost: cubic in the accesses to one cell.

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"magus/cfa/events"
	"magus/cfa/events/order"
	"magus/smt/expr"
)

type full struct {
	*formula
	clocks []*expr.Expr // by node
}

func newFull(ctx context.Context, f *formula) (*full, error) {
	c := &full{formula: f}
	p := f.enc.Program
	t := expr.Type{Width: uint8(max(1, bits.Len(uint(p.Nodes))))}
	for n := range p.Nodes {
		c.clocks = append(c.clocks, p.Pool.Var(fmt.Sprintf("clock!%d!%d", t.Width, n), t))
	}
	f.enc.Graph.Edges(func(a, b order.Node) { f.solver.Assert(c.before(a, b)) })
	for _, o := range f.enc.Facts {
		if o.Kind == order.Ordered {
			f.solver.AssertAny(p.Pool.Not(o.When), c.before(o.A, o.B))
		}
	}
	for _, l := range f.enc.Links {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		c.link(l)
	}
	return c, nil
}

func (c *full) before(a, b order.Node) *expr.Expr {
	return c.enc.Program.Pool.Lt(c.clocks[a], c.clocks[b])
}

func (c *full) link(l events.Link) {
	p := c.enc.Program
	not := p.Pool.Not(l.When)
	w, r := p.Events[l.Write], p.Events[l.Read]
	if !l.Own {
		c.solver.AssertAny(not, c.before(w.Node, r.Node))
	}
	for _, o := range p.Events {
		if o.Write && o.Cell == w.Cell && o.Node != w.Node && o.Node != r.Node {
			c.solver.AssertAny(not, p.Pool.Not(o.Guard.Term()), c.before(o.Node, w.Node), c.before(r.Node, o.Node))
		}
	}
}

func (c *full) decide(ctx context.Context, conds ...*expr.Expr) (bool, []order.Node, error) {
	found, err := c.check(ctx, conds)
	if !found || err != nil {
		return false, nil, err
	}
	c.stats.Rounds++
	linear := make([]order.Node, len(c.clocks))
	for n := range linear {
		linear[n] = order.Node(n)
	}
	slices.SortStableFunc(linear, func(a, b order.Node) int {
		return cmp.Compare(c.value(c.clocks[a]), c.value(c.clocks[b]))
	})
	return true, linear, nil
}
