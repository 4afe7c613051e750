package bounded

// Variables with few values.
//
// Idea: where the bounds of a variable are known at every cut point at which it matters, the layer that begins at
// any cut point is unrolled with only as many bits as its values take. Flags and states of programs then take
// one or two bits, not 32, and what is computed from them takes fewer as well.
//
// Source: constants and ranges are propagated like that by every preprocessor of bit-vectors. Cost:
// the layer is unrolled once more.

import (
	"context"
	"math/bits"

	"magus/smt/expr"
)

// widths are the bits that variables take at all cut points where they matter, where it is known.
func (x *Induction) widths() []int {
	widths := make([]int, len(x.vars))
	for v := range widths {
		widths[v] = x.width(v)
	}
	return widths
}

// width is the number of bits that a variable takes at cut points, as far as what is known tells.
func (x *Induction) width(v int) int {
	most := 0
	for i, p := range x.cutPoints {
		if x.live[p.Node].Has(v) {
			most = max(most, bitsOf(x.vars[v], x.known[i]))
		}
	}
	return most
}

// bitsOf is the number of bits that a variable takes where some conditions hold.
func bitsOf(v *expr.Expr, known []*expr.Expr) int {
	t := v.Type()
	least, below, bounded := !t.Signed, uint64(0), false
	for _, c := range known {
		lower := c.Op() == expr.Not
		if lower {
			c = c.Args()[0]
		}
		if len(c.Args()) != 2 || c.Args()[0] != v || !c.Args()[1].IsConst() {
			continue
		}
		k := c.Args()[1]
		switch {
		case c.Op() == expr.Eq && !lower:
			return bits.Len64(k.Value())
		case c.Op() == expr.Lt && lower:
			least = least || k.Int() >= 0
		case c.Op() == expr.Lt && (!t.Signed || k.Int() > 0):
			below, bounded = k.Value(), true
		}
	}
	if !least || !bounded {
		return int(t.Width)
	}
	return bits.Len64(below - 1)
}

// layer begins an unrolling at any cut point, with variables that take few bits.
func (x *Induction) layer(widths []int) (*unrolling, []*expr.Expr) {
	u := newUnrolling(x.flow, x.base.spec)
	for v, n := range widths {
		if t := x.vars[v].Type(); !t.IsBool() && n < int(t.Width) {
			u.solver.Narrow(x.vars[v], n)
		}
	}
	return u, x.anywhere(u)
}

// narrow unrolls the layer of the step once more.
func (x *Induction) narrow(ctx context.Context) error {
	u, starts := x.layer(x.widths())
	if err := u.sweep(ctx, func() bool { return true }); err != nil {
		return err
	}
	x.work += x.step.effort()
	x.step, x.starts, x.ends = u, starts, nil
	x.close()
	for i, cs := range x.known {
		x.begin(i, cs...)
	}
	x.stage++
	return nil
}
