package certificate

// All runs, searched.
//
// Idea: a proof that all runs end within some layers, and none leaves the
// specification, is checked by unrolling once more. What is certified is an order of
// the control points and a number of layers. In a layer a step goes on to control
// points that are later in the order; a step to an earlier one, or to the same, leads to
// the next layer. Every order is right, it only has to be the same all the time: where
// no run goes on behind the layers, all have been followed to their ends.
//
// Each control point, with what the specification may be in, is in a layer at most once,
// with a condition and a value for every variable. Where several steps can be taken at
// once, a choice says which is, so that a valuation of initial values and choices is one
// run. Two questions are asked in the end: does a run go on, and does one leave the specification?
//
// Source: docs/semantics.md; it is written from there and not from package bounded. Cost:
// layers times steps times variables, and two queries.

import (
	"context"
	"fmt"
	"slices"

	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

// Unrolled shows that all runs of the only component end within some layers.
type Unrolled struct {
	Layers int
	Order  []Node

	line int
}

// A point is a control point in one layer, with the states that the specification may
// be in.
type point struct {
	node Node
	spec []lts.State
	ways []way
}

// A way leads to a point: if cond is 1, with these values; nil stands for the initial
// value.
type way struct {
	cond   *expr.Expr
	values map[*expr.Expr]*expr.Expr
}

// unroller is the check of one such proof.
type unroller struct {
	*program
	pool    *expr.Pool
	spec    *lts.LTS
	rank    map[Node]int
	choices int
	leaves  []*expr.Expr // the conditions of steps that the specification does not allow
	line    int          // of the certificate
}

// bit is the type of a condition as a word.
var bit = expr.Type{Width: 1}

// check returns nil if all runs of the component end within the layers and stay within
// the specification.
func (c *Unrolled) check(ctx context.Context, ch *Checker, spec *lts.LTS) error {
	if spec.HasError() {
		return refuted(c.line, "the specification has an ERROR state")
	}
	u, err := newUnroller(ch.prog, spec, c.Order, c.line)
	if err != nil {
		return err
	}
	layer, err := u.begin()
	if err != nil {
		return err
	}
	for range c.Layers {
		if layer, err = u.pass(ctx, layer); err != nil {
			return err
		}
	}
	var on []*expr.Expr
	for _, p := range slices.Concat(layer...) {
		for _, w := range p.ways {
			on = append(on, w.cond)
		}
	}
	if err := u.impossible(ctx, ch.solver, on, refuted(c.line, "a run goes on behind %d layers", c.Layers)); err != nil {
		return err
	}
	return u.impossible(ctx, ch.solver, u.leaves, refuted(c.line, "a run leaves the specification"))
}

func newUnroller(p *program, spec *lts.LTS, order []Node, line int) (*unroller, error) {
	u := &unroller{program: p, pool: p.comp.CFA.Pool, spec: spec, rank: map[Node]int{}, line: line}
	for i, n := range order {
		if _, twice := u.rank[n]; twice {
			return nil, refuted(line, "%v is twice in the order", n)
		}
		u.rank[n] = i
	}
	return u, nil
}

// begin is the first layer of all runs.
func (u *unroller) begin() ([][]*point, error) {
	layer := make([][]*point, len(u.rank))
	first := slices.Sorted(slices.Values(closed(u.spec, []lts.State{u.spec.Init()})))
	return layer, u.arrive(layer, Node{Kind: Start}, first, way{u.pool.Const(bit, 1), nil})
}

// pass takes all steps of a layer and returns what comes behind it.
func (u *unroller) pass(ctx context.Context, layer [][]*point) ([][]*point, error) {
	next := make([][]*point, len(layer))
	for _, at := range layer {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for _, p := range at {
			if err := u.follow(p, layer, next); err != nil {
				return nil, err
			}
		}
	}
	return next, nil
}

// impossible returns otherwise unless all the conditions are never 1 where others hold.
func (u *unroller) impossible(ctx context.Context, s solver.Solver, conds []*expr.Expr, otherwise error,
	where ...*expr.Expr) error {
	some := u.pool.Const(bit, 0)
	for _, c := range conds {
		some = u.pool.Or(some, c)
	}
	switch r, err := s.Check(ctx, append(where, u.holds(some))...); {
	case err != nil:
		return err
	case r != solver.Unsat:
		return otherwise
	}
	return nil
}

// holds says that a word of one bit is 1.
func (u *unroller) holds(c *expr.Expr) *expr.Expr { return u.pool.Eq(c, u.pool.Const(bit, 1)) }

// arrive adds a way to a point.
func (u *unroller) arrive(layer [][]*point, n Node, spec []lts.State, w way) error {
	r, ok := u.rank[n]
	if !ok {
		return refuted(u.line, "%v has no place in the order", n)
	}
	for _, p := range layer[r] {
		if slices.Equal(p.spec, spec) {
			p.ways = append(p.ways, w)
			return nil
		}
	}
	layer[r] = append(layer[r], &point{n, spec, []way{w}})
	return nil
}

// follow takes every step from a point.
func (u *unroller) follow(p *point, layer, next [][]*point) error {
	here := u.met(p.ways)
	steps := u.steps[p.node]
	chosen := u.chosen(steps)
	for i := range steps {
		st := &steps[i]
		cond, values := u.take(st, here, chosen[i])
		if cond.IsConst() && cond.Value() == 0 {
			continue
		}
		spec := p.spec
		if st.action != lts.Tau && u.spec.HasAction(st.action) {
			spec = slices.Sorted(slices.Values(after(u.spec, spec, st.action)))
			if len(spec) == 0 {
				u.leaves = append(u.leaves, cond)
				continue
			}
		}
		to := next
		if u.rank[st.to] > u.rank[p.node] {
			to = layer
		}
		if err := u.arrive(to, st.to, spec, way{cond, values}); err != nil {
			return err
		}
	}
	return nil
}

// met is all ways to a point as one: at most one of them is taken.
func (u *unroller) met(ways []way) way {
	one := ways[0]
	for _, w := range ways[1:] {
		values := map[*expr.Expr]*expr.Expr{}
		taken := u.holds(w.cond)
		for _, m := range []map[*expr.Expr]*expr.Expr{w.values, one.values} {
			for v := range m { // the terms are those of v, in whichever order
				if values[v] == nil {
					values[v] = u.pool.Ite(taken, valueOf(w.values, v), valueOf(one.values, v))
				}
			}
		}
		one = way{u.pool.Or(w.cond, one.cond), values}
	}
	return one
}

// valueOf is a variable's value.
func valueOf(values map[*expr.Expr]*expr.Expr, v *expr.Expr) *expr.Expr {
	if x := values[v]; x != nil {
		return x
	}
	return v
}

// chosen are conditions of which one at most holds, one for each step. Two steps with
// opposite guards need none.
func (u *unroller) chosen(steps []step) []*expr.Expr {
	all := make([]*expr.Expr, len(steps))
	if len(steps) == 2 && u.pool.Not(u.pool.Land(steps[0].guard...)) == u.pool.Land(steps[1].guard...) &&
		!fresh(&steps[0]) {
		return []*expr.Expr{u.pool.True(), u.pool.True()}
	}
	rest := u.pool.True()
	for i := range steps {
		all[i] = rest
		if i < len(steps)-1 {
			c := u.choice(expr.Bool)
			all[i], rest = u.pool.Land(rest, c), u.pool.Land(rest, u.pool.Not(c))
		}
	}
	return all
}

// fresh reports whether a step chooses a value.
func fresh(st *step) bool {
	return slices.ContainsFunc(st.assign, func(a assignment) bool { return a.fresh })
}

// choice is a variable that nothing else speaks of.
func (u *unroller) choice(t expr.Type) *expr.Expr {
	u.choices++
	return u.pool.Var(fmt.Sprintf("certificate's choice %d, %v", u.choices, t), t)
}

// take is a step from a point: its condition, and the values after it.
func (u *unroller) take(st *step, here way, chosen *expr.Expr) (*expr.Expr, map[*expr.Expr]*expr.Expr) {
	by := map[*expr.Expr]*expr.Expr{}
	for _, a := range st.assign {
		if a.fresh {
			by[a.value] = u.choice(a.value.Type())
		}
	}
	now := func(t *expr.Expr) *expr.Expr {
		for _, v := range expr.Vars(t) {
			if x := here.values[v]; x != nil && by[v] == nil {
				by[v] = x
			}
		}
		return u.pool.Subst(t, by)
	}
	guard := u.pool.Land(now(u.pool.Land(st.guard...)), chosen)
	cond := u.pool.And(here.cond, u.pool.FromBool(bit, guard))
	values := here.values
	if len(st.assign) > 0 {
		values = make(map[*expr.Expr]*expr.Expr, len(here.values)+len(st.assign))
		for v, x := range here.values {
			values[v] = x
		}
		for _, a := range st.assign {
			values[a.to] = now(a.value)
		}
	}
	return cond, values
}
