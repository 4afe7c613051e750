package bounded

// Location invariants: what holds at control points.
//
// Idea: a proof by layers has invariants at cut points only, where layers begin. Elsewhere a run is
// within a layer that began with the program, or at a cut point with values that satisfy the
// invariants there. So a condition is an invariant of a control point, if it holds there in these two
// layers. Candidates are the proof's invariants at that point, bounds, and the program's comparisons.
// Those that a model of the solver contradicts are dropped until there is no other model, and then
// those that follow from the rest.
//
// Source: as of candidates, Flanagan, Leino: Houdini, FME 2001. Cost: a query for each model, over two layers of the
// program, and one for each condition that is left, over nothing but those.

import (
	"context"
	"errors"
	"slices"

	"magus/component"
	"magus/engine/invariants"
	"magus/lts"
	"magus/smt/bitblast"
	"magus/smt/expr"
	"magus/smt/solver"
)

// alwaysEffort is made to find what holds; maxAlways are the candidates of one control point.
const (
	alwaysEffort = 1 << 23
	maxAlways    = 256
)

// Always finds conditions that hold whenever a run of the graph's component, within spec, comes to
// one of some control points. Points that no run comes to are missing. proof is that all runs stay
// within spec; without one, nil, less may be found. The error is ctx's.
func Always(ctx context.Context, g *component.Graph, spec *lts.LTS, proof *Proof,
	at []component.Node) (map[component.Node][]*expr.Expr, error) {
	own, err := newFlow(ctx, g)
	if err != nil {
		return nil, err
	}
	bounds, err := invariants.Bounds(ctx, g, own.order)
	if err != nil {
		return nil, err
	}
	x, err := NewInduction(ctx, g, spec, bounds)
	if err != nil {
		return nil, err
	}
	if proof == nil {
		if proof, err = x.found(ctx); err != nil {
			return nil, err
		}
	}
	y := &always{x: x, alive: map[component.Node][]*expr.Expr{}, ends: map[component.Node][]end{}}
	for _, n := range at {
		y.alive[n] = x.said(own, proof, n)
	}
	more := func() bool { return x.effort()+y.effort() < alwaysEffort }
	for _, begin := range []func() *unrolling{
		func() *unrolling { return fromInit(x.flow, spec) },
		func() *unrolling { return x.fromCutPoints(spec, proof) },
	} {
		err := y.layer(ctx, more, begin())
		if errors.Is(err, errSpent) { // nothing is known
			for n := range y.alive {
				y.alive[n] = nil
			}
			return y.alive, nil
		}
		if err != nil {
			return nil, err
		}
	}
	for n, cs := range y.alive {
		if slices.ContainsFunc(cs, (*expr.Expr).IsFalse) {
			delete(y.alive, n)
		} else if y.alive[n], err = x.needed(ctx, cs); err != nil {
			return nil, err
		}
	}
	return y.alive, nil
}

// found is what an induction finds of cut points with a part of the effort, also if it finds no proof.
func (x *Induction) found(ctx context.Context) (*Proof, error) {
	proof, _, err := x.Prove(ctx, alwaysEffort/4)
	if proof == nil {
		proof = x.proof(0, make([][]*expr.Expr, len(x.cutPoints)))
	}
	return proof, err
}

// fromCutPoints begins at any cut point, with values of which a proof's invariants hold.
func (x *Induction) fromCutPoints(spec *lts.LTS, proof *Proof) *unrolling {
	u := newUnrolling(x.flow, spec)
	for i, start := range x.anywhere(u) {
		for _, c := range proof.Invariants[i] {
			u.solver.Assert(u.implies(start, c))
		}
	}
	return u
}

// said are the candidates of a control point, among them the one that no run comes there. They are of variables
// whose values matter at the point itself: what others have there, the automaton need not say.
func (x *Induction) said(own *flow, proof *Proof, n component.Node) []*expr.Expr {
	cs := []*expr.Expr{x.pool.Bool(false)}
	add := func(more []*expr.Expr) {
		for _, c := range more {
			known := !slices.ContainsFunc(expr.Vars(c), func(v *expr.Expr) bool {
				i, ok := own.index[v]
				return !ok || !own.live[n].Has(i)
			})
			if known && len(cs) < maxAlways && !slices.Contains(cs, c) {
				cs = append(cs, c)
			}
		}
	}
	add(x.bounds[n])
	for i, p := range x.cutPoints {
		if p.Node == n {
			add(proof.Invariants[i])
		}
	}
	add(x.compared())
	return cs
}

// always drops candidates.
type always struct {
	x      *Induction
	alive  map[component.Node][]*expr.Expr
	ends   map[component.Node][]end // of the layer
	u      *unrolling
	before int64 // effort of the layers before
}

func (y *always) effort() int64 {
	if y.u == nil {
		return y.before
	}
	return y.before + y.u.effort()
}

// layer drops the candidates that a layer contradicts.
func (y *always) layer(ctx context.Context, more func() bool, u *unrolling) error {
	y.before, y.u = y.effort(), u
	clear(y.ends)
	u.visit = func(in *instance) {
		if _, asked := y.alive[in.node]; asked {
			y.ends[in.node] = append(y.ends[in.node], end{number: y.x.arrivals, cond: in.cond.bit, env: in.env})
			y.x.arrivals++
		}
	}
	if err := u.sweep(ctx, more); err != nil {
		return err
	}
	for _, n := range y.x.order {
		for {
			dropped, err := y.drop(ctx, more, n)
			if err != nil {
				return err
			}
			if !dropped {
				break
			}
		}
	}
	return nil
}

// drop drops one candidate of a control point at least, or reports that none is to be dropped.
func (y *always) drop(ctx context.Context, more func() bool, n component.Node) (bool, error) {
	some := y.x.pool.Const(bitType, 0)
	for _, e := range y.ends[n] {
		some = y.x.pool.Or(some, y.x.fails(e, y.alive[n]))
	}
	if r, err := y.u.solver.Check(allowance{ctx, more}, y.u.holds(some)); r != solver.Sat {
		return false, err
	}
	model := expr.NewValuation(y.u.solver.Value)
	for _, e := range y.ends[n] {
		if model.Of(e.cond) != 0 {
			y.alive[n] = slices.DeleteFunc(y.alive[n], func(c *expr.Expr) bool { return model.Of(y.x.then(c, e)) == 0 })
		}
	}
	return true, nil
}

// needed drops what follows from the rest, the last first; what takes too long is kept.
func (x *Induction) needed(ctx context.Context, cs []*expr.Expr) ([]*expr.Expr, error) {
	s := bitblast.New(x.pool)
	rest := slices.Clone(cs)
	for _, c := range slices.Backward(cs) {
		i := slices.Index(rest, c)
		others := slices.Delete(slices.Clone(rest), i, i+1)
		r, err := s.Check(allowance{ctx, func() bool { return s.Effort() < alwaysEffort }},
			append(slices.Clone(others), x.pool.Not(c))...)
		if errors.Is(err, errSpent) {
			return rest, nil
		}
		if err != nil {
			return nil, err
		}
		if r == solver.Unsat {
			rest = others
		}
	}
	return rest, nil
}
