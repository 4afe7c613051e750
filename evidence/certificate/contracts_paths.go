package certificate

// Paths between the points of contracts, and what has to follow at their ends.
//
// Idea: values on a path are terms over those at its beginning. A question is asked with the equations put in that
// calls on the path give: where its conditions exclude the cases in which a contract says nothing of a variable, the
// variable is the term. Then both sides are often the same polynomial. If that is no answer, all is asked.
//
// Cost: a small query for each equation of each call on a path.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"magus/smt/expr"
	"magus/smt/solver"
)

// A contractPath is a path that is being followed.
type contractPath struct {
	body   int
	at     Node
	met    map[Node]bool // on the way from the last point on
	conds  []*expr.Expr
	behind []*expr.Expr // what holds behind its calls
	given  []*expr.Expr // values that calls gave
	values valuesOf
	chosen int // values that nothing says
}

// entering is a path at the entry of a procedure.
func (x *contracted) entering(p int) contractPath {
	return contractPath{body: p, at: x.entry[p], met: map[Node]bool{}, values: valuesOf{},
		conds: slices.Clone(x.holds[contractPoint{p, OnEntry}])}
}

// from is a path at a control point of a procedure for which something is certified.
func (x *contracted) from(p int, n Node) contractPath {
	w := x.entering(p)
	w.at = n
	for v := range x.change[p] {
		w.values[v] = x.now[v]
	}
	for _, c := range x.holds[contractPoint{p, n.String()}] {
		w.conds = append(w.conds, x.at(c, nil, w.values))
	}
	return w
}

// follow goes on at a control point, if the path does not end there.
func (x *contracted) follow(ctx context.Context, w contractPath) error {
	at := contractPoint{w.body, w.at.String()}
	if _, isPoint := x.lines[at]; isPoint {
		return x.ends(ctx, &w, at, nil, w.values)
	}
	if p, isTest := x.tests[w.at]; isTest && p == w.body {
		return x.ends(ctx, &w, contractPoint{w.body, OnExit}, nil, w.values)
	}
	if w.met[w.at] {
		return refuted(x.line, "a loop leads through %v, and there is no contract on the way", w.at)
	}
	w.met[w.at] = true
	defer delete(w.met, w.at)
	return x.walk(ctx, w)
}

// walk takes the steps from a control point.
func (x *contracted) walk(ctx context.Context, w contractPath) error {
	if x.steps++; x.steps > maxPathSteps {
		return refuted(x.line, "there are more than %d steps on paths", maxPathSteps)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if call, isCall := x.calls[w.at]; isCall {
		return x.call(ctx, w, call)
	}
	for i := range x.prog.steps[w.at] {
		if err := x.step(ctx, w, &x.prog.steps[w.at][i]); err != nil {
			return err
		}
	}
	return nil
}

// step takes a step.
func (x *contracted) step(ctx context.Context, w contractPath, st *step) error {
	by := map[*expr.Expr]*expr.Expr{}
	for _, a := range st.assign {
		if a.fresh {
			by[a.value] = x.any(&w, a.to)
		}
	}
	terms := slices.Clone(st.guard)
	for _, a := range st.assign {
		terms = append(terms, a.value)
	}
	for _, v := range expr.Vars(terms...) {
		if by[v] == nil {
			by[v] = w.values.of(v)
		}
	}
	x.pool.SubstAll(terms, by)
	w.conds = slices.Clip(w.conds)
	for _, c := range terms[:len(st.guard)] {
		if c.IsFalse() {
			return nil
		}
		w.conds = append(w.conds, c)
	}
	if x.breaks(st.action) {
		return x.excluded(ctx, &w, x.prog.name(st.action))
	}
	if len(st.assign) > 0 {
		w.values = maps.Clone(w.values)
		for i, a := range st.assign {
			w.values[a.to] = terms[len(st.guard)+i]
		}
	}
	if w.at = st.to; w.at.Kind == End {
		return nil
	}
	return x.follow(ctx, w)
}

// any is a value that nothing says.
func (x *contracted) any(w *contractPath, v *expr.Expr) *expr.Expr {
	w.chosen++
	return x.pool.Var(fmt.Sprintf("%s, any %d", v.Name(), w.chosen), v.Type())
}

// call calls a procedure and goes on behind it.
func (x *contracted) call(ctx context.Context, w contractPath, call calledBody) error {
	if err := x.ends(ctx, &w, contractPoint{call.callee, OnEntry}, w.values, nil); err != nil || !call.returns {
		return err
	}
	now := maps.Clone(w.values)
	for _, v := range x.changes(call.callee) {
		now[v] = x.any(&w, v)
		w.given = append(slices.Clip(w.given), now[v])
	}
	w.behind = slices.Clip(w.behind)
	for _, c := range x.holds[contractPoint{call.callee, OnExit}] {
		w.behind = append(w.behind, x.at(c, w.values, now))
	}
	w.values, w.at = now, call.back
	return x.follow(ctx, w)
}

// ends checks what holds at a point to which a path leads, for values at the entry and now.
func (x *contracted) ends(ctx context.Context, w *contractPath, at contractPoint, entry, now valuesOf) error {
	for _, c := range x.holds[at] {
		no, err := x.contradicts(ctx, w, x.pool.Not(x.at(c, entry, now)))
		if err != nil {
			return err
		}
		if !no {
			return refuted(x.lines[at], "what holds on %s does not follow: %v", x.where(at), c)
		}
	}
	return nil
}

// excluded checks that a path is not possible.
func (x *contracted) excluded(ctx context.Context, w *contractPath, action string) error {
	no, err := x.contradicts(ctx, w, x.pool.True())
	if err == nil && !no {
		return refuted(x.line, "the contracts do not exclude %s in %s", action, x.name(w.body))
	}
	return err
}

// easyQuestion is the effort after which a question is asked in another way, or left.
const easyQuestion = 1 << 13

// contradicts asks whether a condition contradicts a path: soon, with equations put in, and else without a bound.
func (x *contracted) contradicts(ctx context.Context, w *contractPath, c *expr.Expr) (bool, error) {
	known := append(slices.Clone(w.conds), conjuncts(c)...)
	all := append(slices.Clone(known), w.behind...)
	no, err := x.easily(ctx, all)
	if !errors.Is(err, solver.ErrHard) {
		return no, err
	}
	by, err := x.equations(ctx, w, known)
	if err != nil {
		return false, err
	}
	o := obligations{Checker: x.ch, ctx: ctx}
	if x.pool.SubstAll(known, by); len(by) > 0 {
		if no, err := x.asked(ctx, easyQuestion<<7, known); no || err != nil && !errors.Is(err, solver.ErrHard) {
			return no, err
		}
	}
	return o.unsat(all)
}

// equations are the values of variables that calls give by equations, where what is known excludes the other cases.
func (x *contracted) equations(ctx context.Context, w *contractPath,
	known []*expr.Expr) (map[*expr.Expr]*expr.Expr, error) {
	by := map[*expr.Expr]*expr.Expr{}
	for _, b := range w.behind {
		v, term, unless := equation(x.pool, w.given, b)
		if v == nil || by[v] != nil {
			continue
		}
		now := append(slices.Clone(known), unless)
		x.pool.SubstAll(now, by)
		no, err := x.easily(ctx, now)
		if err != nil && !errors.Is(err, solver.ErrHard) {
			return nil, err
		}
		if no && err == nil {
			by[v] = x.pool.Subst(term, by)
		}
	}
	return by, nil
}

// easily asks for a little effort whether conditions contradict each other.
func (x *contracted) easily(ctx context.Context, conds []*expr.Expr) (bool, error) {
	return x.asked(ctx, easyQuestion, conds)
}

// asked asks whether conditions contradict each other, for an effort.
func (x *contracted) asked(ctx context.Context, most int64, conds []*expr.Expr) (bool, error) {
	if slices.ContainsFunc(conds, (*expr.Expr).IsFalse) {
		return true, nil
	}
	r, err := solver.Within(ctx, x.ch.solver, most, conds...)
	return err == nil && r == solver.Unsat, err
}

// conjuncts are the parts of a conjunction.
func conjuncts(c *expr.Expr) []*expr.Expr {
	switch {
	case c.IsTrue():
		return nil
	case c.Op() == expr.Land:
		return c.Args()
	}
	return []*expr.Expr{c}
}

// equation reads a condition as one by which one of some variables is a term, unless another one holds; nil if it is
// none.
func equation(pool *expr.Pool, of []*expr.Expr, c *expr.Expr) (v, term, unless *expr.Expr) {
	parts := []*expr.Expr{c}
	if c.Op() == expr.Lor {
		parts = c.Args()
	}
	for i, e := range parts {
		if e.Op() != expr.Eq {
			continue
		}
		for k, a := range e.Args() {
			v, term := isolated(pool, of, a, e.Args()[1-k])
			if v == nil || slices.Contains(expr.Vars(term), v) {
				continue
			}
			rest := slices.Delete(slices.Clone(parts), i, i+1)
			switch {
			case len(rest) == 0:
				return v, term, pool.False()
			case !slices.Contains(expr.Vars(rest...), v):
				return v, term, pool.Lor(rest...)
			}
		}
	}
	return nil, nil, nil
}

// isolated is one of some variables in a sum that is equal to a term, and what it is then; nil if there is none.
func isolated(pool *expr.Pool, of []*expr.Expr, sum, equal *expr.Expr) (v, term *expr.Expr) {
	if slices.Contains(of, sum) {
		return sum, equal
	}
	if sum.Op() != expr.Add {
		return nil, nil
	}
	for i, a := range sum.Args() {
		rest := pool.Sub(equal, sum.Args()[1-i])
		if v, term := isolated(pool, of, a, rest); v != nil {
			return v, term
		}
	}
	return nil, nil
}
