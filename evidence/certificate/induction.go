package certificate

// Induction.
//
// Idea: runs are followed layer by layer, as in unrolled.go; a layer ends where a step leads to a
// control point that is not later in the order. What is certified is, for each cut point where layers
// end (a control point with what the specification may be in), what then holds of the values,
// and a number k. The first k+1 layers of all runs are followed from the start: none leaves the
// specification, and each ends at a cut point with values for which its conditions hold. Then k+1 layers are
// followed from every cut point, with any values for which its conditions hold: if the first k of them do
// the same, the last one does. A run has a first layer that does not; the layers before it begin
// k before it, at a cut point, or it is one of the first k+1.
//
// Source: Sheeran, Singh, Stålmarck, FMCAD 2000; docs/semantics.md. It is written from these and not from
// package bounded. Cost: 2(k+1) layers, and two queries.

import (
	"context"
	"fmt"
	"slices"

	"magus/lts"
	"magus/smt/expr"
)

// Induction shows that all runs of the only component stay within the specification.
type Induction struct {
	Assumed   int // layers
	Order     []Node
	CutPoints []CutPoint

	line int
}

// A CutPoint is where a layer may end.
type CutPoint struct {
	At         Node
	Spec       []int // the states that the specification may be in
	Invariants []int // what holds there, by the component's terms

	line int
}

// inductive is the check of an induction.
type inductive struct {
	*unroller
	cutPoints map[string][]*expr.Expr // what holds, by cut point
}

// check returns nil if all runs of the component stay within the specification. Of comp are the terms.
func (c *Induction) check(ctx context.Context, ch *Checker, comp *Component, spec *lts.LTS) error {
	if spec.HasError() {
		return refuted(c.line, "the specification has an ERROR state")
	}
	u, err := newUnroller(ch.prog, spec, c.Order, c.line)
	if err != nil {
		return err
	}
	x := &inductive{u, map[string][]*expr.Expr{}}
	if err := x.read(c, comp); err != nil {
		return err
	}
	layer, err := u.begin()
	if err != nil {
		return err
	}
	if _, wrong, err := x.passes(ctx, layer, c.Assumed+1); err != nil {
		return err
	} else if err := u.impossible(ctx, ch.solver, slices.Concat(wrong...),
		refuted(c.line, "the first %d layers do not show it", c.Assumed+1)); err != nil {
		return err
	}
	first, where, err := x.anywhere(c, spec)
	if err != nil {
		return err
	}
	_, wrong, err := x.passes(ctx, first, c.Assumed+1)
	if err != nil {
		return err
	}
	for _, w := range slices.Concat(wrong[:c.Assumed]...) {
		where = append(where, u.pool.Not(u.holds(w)))
	}
	return u.impossible(ctx, ch.solver, wrong[c.Assumed],
		refuted(c.line, "layer %d from any cut point does not follow from those before", c.Assumed+1), where...)
}

// key is a cut point as text.
func key(n Node, spec []lts.State) string { return fmt.Sprint(n, spec) }

// states are the cut point's states of the specification.
func (p *CutPoint) states() []lts.State {
	var all []lts.State
	for _, s := range p.Spec {
		all = append(all, lts.State(s))
	}
	return all
}

// read takes the cut points, which are different, and their conditions.
func (x *inductive) read(c *Induction, comp *Component) error {
	terms, err := comp.build(x.comp.CFA)
	if err != nil {
		return err
	}
	for i := range c.CutPoints {
		p := &c.CutPoints[i]
		k := key(p.At, p.states())
		if _, twice := x.cutPoints[k]; twice {
			return refuted(p.line, "the cut point is there twice")
		}
		x.cutPoints[k] = []*expr.Expr{}
		for _, t := range p.Invariants {
			if t < 0 || t >= len(terms) || !terms[t].Type().IsBool() {
				return refuted(p.line, "%d is not a condition among the terms", t)
			}
			x.cutPoints[k] = append(x.cutPoints[k], terms[t])
		}
	}
	return nil
}

// anywhere is a layer that begins at every cut point, with conditions that say with which values.
func (x *inductive) anywhere(c *Induction, spec *lts.LTS) (layer [][]*point, where []*expr.Expr, err error) {
	layer = make([][]*point, len(x.rank))
	rest := x.pool.Const(bit, 1)
	for i := range c.CutPoints {
		p := &c.CutPoints[i]
		for _, s := range p.Spec {
			if s < 0 || s >= spec.NumStates() {
				return nil, nil, refuted(p.line, "the specification has no state %d", s)
			}
		}
		choice := x.choice(bit)
		here := x.pool.And(rest, choice)
		rest = x.pool.And(rest, x.pool.Compl(choice))
		if err := x.arrive(layer, p.At, p.states(), way{here, nil}); err != nil {
			return nil, nil, err
		}
		for _, cond := range x.cutPoints[key(p.At, p.states())] {
			where = append(where, x.pool.Lor(x.pool.Not(x.holds(here)), cond))
		}
	}
	return layer, where, nil
}

// passes follows some layers. wrong are, of each, the conditions with which it leaves the specification,
// or ends at no cut point, or with values for which what holds there does not.
func (x *inductive) passes(ctx context.Context, layer [][]*point,
	n int) (last [][]*point, wrong [][]*expr.Expr, err error) {
	for range n {
		x.leaves = nil
		if layer, err = x.pass(ctx, layer); err != nil {
			return nil, nil, err
		}
		bad := x.leaves
		for _, p := range slices.Concat(layer...) {
			conds, known := x.cutPoints[key(p.node, p.spec)]
			for _, w := range p.ways {
				if !known {
					bad = append(bad, w.cond)
				}
				for _, c := range conds {
					by := map[*expr.Expr]*expr.Expr{}
					for _, v := range expr.Vars(c) {
						by[v] = valueOf(w.values, v)
					}
					bad = append(bad, x.pool.And(w.cond, x.pool.FromBool(bit, x.pool.Not(x.pool.Subst(c, by)))))
				}
			}
		}
		wrong = append(wrong, bad)
	}
	return layer, wrong, nil
}
