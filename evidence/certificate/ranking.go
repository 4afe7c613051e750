package certificate

// Ranking functions.
//
// Idea: an induction with no layer assumed says what holds at each cut point, and that no run comes to where it is cut
// off. A layer has no loop, so a run without an end goes from cut point to cut point for ever. For each two of them the
// layer between them is one formula. The ranks are looked at one by one: within its cut points no layer
// makes its term greater. Terms have finitely many values, so a run that stays within them leaves the term as it is
// from some moment on, and this is a condition of the layers between them from then on. Where a number of
// layers is looked at together, a run is taken apart into pieces of so many. What is left of the layers must
// have no cycle in the end.
//
// That argument needs that a run stays within the cut points of a rank, or outside: a strongly connected component
// of the layers that are left has all its cut points in the rank, or none.
//
// Source: docs/semantics.md; it is written from there and not from package termination. Cost: for each rank a
// query or two for each two cut points in it.

import (
	"context"
	"slices"

	"magus/internal/graph"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

// Ranking shows, with an induction, that all runs of the only component end.
type Ranking struct {
	Layers int // that are looked at together
	Ranks  []Rank

	line int
}

// A Rank is a term that gets no greater within some cut points.
type Rank struct {
	At    []Node
	Terms []int // at each of these, of the component's terms

	line int
}

// A passage is all ways from one cut point to another one within a layer.
type passage struct {
	from, to int
	way      way
	where    []*expr.Expr // that holds before it, and what later ranks may assume
}

// ranked is the check of a ranking.
type ranked struct {
	*unroller
	solver   solver.Solver
	layers   int
	points   []CutPoint
	terms    []*expr.Expr
	passages []*passage
}

// check returns nil if no run goes on for ever.
func (c *Ranking) check(ctx context.Context, ch *Checker, ind *Induction, comp *Component, spec *lts.LTS) error {
	if c.Layers < 1 {
		return refuted(c.line, "no layers are looked at")
	}
	if ind.Assumed != 0 {
		return refuted(c.line, "ranks are of an induction that assumes no layers")
	}
	u, err := newUnroller(ch.prog, spec, ind.Order, ind.line)
	if err != nil {
		return err
	}
	x := &ranked{unroller: u, solver: ch.solver, layers: c.Layers, points: ind.CutPoints}
	if x.terms, err = comp.build(u.comp.CFA); err != nil {
		return err
	}
	for i := range x.points {
		if err := x.leave(ctx, i); err != nil {
			return err
		}
	}
	if x.passages, err = x.possible(ctx, x.passages); err != nil {
		return err
	}
	for i := range c.Ranks {
		if err := x.lessens(ctx, &c.Ranks[i]); err != nil {
			return err
		}
	}
	for i, of := range x.components() {
		if of >= 0 {
			return refuted(c.line, "a run may come to %v for ever", x.points[i].At)
		}
	}
	return nil
}

// leave makes the passages from a cut point.
func (x *ranked) leave(ctx context.Context, i int) error {
	p := &x.points[i]
	layer := make([][]*point, len(x.unroller.rank))
	if err := x.arrive(layer, p.At, p.states(), way{x.pool.Const(bit, 1), nil}); err != nil {
		return err
	}
	for range x.layers {
		var err error
		if layer, err = x.pass(ctx, layer); err != nil {
			return err
		}
	}
	for _, q := range slices.Concat(layer...) {
		to := slices.IndexFunc(x.points, func(o CutPoint) bool { return key(o.At, o.states()) == key(q.node, q.spec) })
		if to < 0 {
			return refuted(p.line, "a layer ends at %v, which is no cut point", q.node)
		}
		s := &passage{from: i, to: to, way: x.met(q.ways)}
		s.where = append(s.where, x.holds(s.way.cond))
		for _, t := range p.Invariants { // that these are conditions the induction has seen
			s.where = append(s.where, x.terms[t])
		}
		x.passages = append(x.passages, s)
	}
	return nil
}

// possible are the passages that some values take.
func (x *ranked) possible(ctx context.Context, all []*passage) ([]*passage, error) {
	var left []*passage
	for _, s := range all {
		r, err := x.solver.Check(ctx, s.where...)
		if err != nil {
			return nil, err
		}
		if r != solver.Unsat {
			left = append(left, s)
		}
	}
	return left, nil
}

// components are, for each cut point, the number of its strongly connected component, -1 if it is on no cycle.
func (x *ranked) components() []int {
	g := graph.Func{Nodes: len(x.points), Succ: func(n int, yield func(int)) {
		for _, s := range x.passages {
			if s.from == n {
				yield(s.to)
			}
		}
	}}
	scc := graph.SCC(g)
	on, out := scc.OnCycle(g), make([]int, len(x.points))
	for i := range out {
		if out[i] = int(scc.Of[i]); !on[i] {
			out[i] = -1
		}
	}
	return out
}

// lessens checks a rank, and takes away what it excludes.
func (x *ranked) lessens(ctx context.Context, c *Rank) error {
	of := x.components()
	in := make([]*expr.Expr, len(x.points)) // the rank, where there is one
	for i, p := range x.points {
		k := slices.Index(c.At, p.At)
		if k < 0 {
			continue
		}
		if k >= len(c.Terms) || c.Terms[k] < 0 || c.Terms[k] >= len(x.terms) || !ranks(x.terms[c.Terms[k]].Type()) {
			return refuted(c.line, "no integer among the terms is the rank at %v", p.At)
		}
		if in[i] = x.terms[c.Terms[k]]; in[i].Type() != x.terms[c.Terms[0]].Type() {
			return refuted(c.line, "the rank has several types")
		}
	}
	for i := range of {
		for j := range of {
			if of[i] >= 0 && of[i] == of[j] && (in[i] == nil) != (in[j] == nil) {
				return refuted(c.line, "a run may leave %v for %v and come back, which is not in the rank", x.points[i].At,
					x.points[j].At)
			}
		}
	}
	var outside, inside []*passage
	for _, s := range x.passages {
		if in[s.from] == nil || in[s.to] == nil {
			outside = append(outside, s)
			continue
		}
		before, after := in[s.from], x.behind(s, in[s.to])
		switch r, err := x.solver.Check(ctx, append(slices.Clone(s.where), x.pool.Lt(before, after))...); {
		case err != nil:
			return err
		case r != solver.Unsat:
			return refuted(c.line, "the rank may get greater from %v to %v", x.points[s.from].At, x.points[s.to].At)
		}
		s.where = append(slices.Clip(s.where), x.pool.Eq(before, after))
		inside = append(inside, s)
	}
	inside, err := x.possible(ctx, inside)
	x.passages = append(outside, inside...)
	return err
}

// ranks reports whether values of a type are in a linear order, which a rank needs: floating-point ones are
// not, since there are NaNs.
func ranks(t expr.Type) bool { return !t.IsBool() && !t.IsFloat() }

// behind is a term behind a passage.
func (x *ranked) behind(s *passage, t *expr.Expr) *expr.Expr {
	by := map[*expr.Expr]*expr.Expr{}
	for _, v := range expr.Vars(t) {
		by[v] = valueOf(s.way.values, v)
	}
	return x.pool.Subst(t, by)
}
