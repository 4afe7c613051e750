package bounded

// Candidates for invariants: bounds, comparisons and equations, and which of them layers keep.

import (
	"context"
	"slices"

	"magus/component"
	"magus/engine/invariants"
	"magus/smt/expr"
)

// houdini drops candidates until all that are left hold at the beginning and behind every layer. Linear
// equations may be looked for beside them: what holds because of the one may have to be known for the other.
type houdini struct {
	alive  [][]*expr.Expr // by cut point
	hulls  *hulls         // nil for none
	states *sampler       // of what comes behind a state; nil for none
	weakening
}

// conditions are those at a cut point: the candidates, and equations.
func (h *houdini) conditions(point int) []*expr.Expr {
	if h.hulls == nil {
		return h.alive[point]
	}
	return slices.Concat(h.alive[point], h.hulls.equations(point))
}

// candidates are those of a stage: what the analysis found, what a cut point says of the variables that
// matter there, or what the program compares.
func (x *Induction) candidates(s inductionStage) *houdini {
	h := &houdini{alive: make([][]*expr.Expr, len(x.cutPoints))}
	var compared []*expr.Expr
	if s != bounds {
		compared = x.compared()
	}
	for i, p := range x.cutPoints {
		cs := compared
		switch s {
		case bounds:
			cs = x.bounds[p.Node]
		case orders:
			cs = x.ordered(i, compared)
		}
		for _, c := range cs {
			if never := c == x.pool.False(); never && !x.threads {
				continue
			}
			if x.isLive(c, p.Node) {
				h.alive[i] = append(h.alive[i], c)
			}
		}
	}
	return h
}

// isLive reports whether all variables of a condition matter at a node: the values of others
// are not kept.
func (x *Induction) isLive(c *expr.Expr, n component.Node) bool {
	return !slices.ContainsFunc(expr.Vars(c), func(v *expr.Expr) bool {
		i, known := x.flow.index[v]
		return !known || !x.live[n].Has(i)
	})
}

// compared are the program's comparisons and their opposites, in the order of their terms.
func (x *Induction) compared() []*expr.Expr {
	var terms, cs []*expr.Expr
	for i := range x.edges {
		e := &x.edges[i]
		terms = append(terms, e.guard)
		for _, u := range e.Update {
			terms = append(terms, u.Term)
		}
	}
	p := x.pool
	expr.Walk(func(e *expr.Expr) {
		if (e.Op() == expr.XLt || e.Op() == expr.XLe || e.Op() == expr.XEq) && !isHard(e) {
			cs = append(cs, e, p.Not(e))
		}
		if !isComparison(e) {
			return
		}
		a, b := e.Args()[0], e.Args()[1]
		if isHard(a) || isHard(b) {
			return
		}
		if e.Op().IsFloat() {
			cs = append(cs, e, p.Not(e), p.FLe(a, b), p.FLe(b, a))
			return
		}
		if a.Type().IsFloat() { // the same bits
			cs = append(cs, e, p.Not(e))
			return
		}
		cs = append(cs, e, p.Not(e), p.Le(a, b), p.Le(b, a))
	}, terms...)
	slices.SortFunc(cs, func(a, b *expr.Expr) int { return a.ID() - b.ID() })
	cs = slices.Compact(cs)
	return slices.DeleteFunc(cs, (*expr.Expr).IsConst)
}

// isComparison reports whether a term compares numbers.
func isComparison(e *expr.Expr) bool {
	switch e.Op() {
	case expr.Eq, expr.Lt, expr.FEq, expr.FLt, expr.FLe:
		return !e.Args()[0].Type().IsBool()
	}
	return false
}

// mostOrdered is how many variables of one type are put in an order at a cut point.
const mostOrdered = 24

// ordered are candidates about the variables that matter at a cut point and have more than one value there:
// the program's comparisons of them, that they are not negative, and of each two of one type that one is
// at most the other. Types of many variables are left out: there would be too many pairs.
func (x *Induction) ordered(point int, compared []*expr.Expr) []*expr.Expr {
	fixed, never := x.fixed(point)
	if never {
		return nil
	}
	var vars, known, cs []*expr.Expr
	for v := range x.matters[point].All() {
		switch w := x.vars[v]; {
		case w.Type().IsBool():
		case fixed[w]:
			known = append(known, w)
		default:
			vars = append(vars, w)
		}
	}
	vars, known = few(vars), few(known)
	for _, c := range compared {
		of := expr.Vars(c)
		if slices.ContainsFunc(of, func(v *expr.Expr) bool { return slices.Contains(vars, v) }) &&
			!slices.ContainsFunc(of, func(v *expr.Expr) bool {
				return !slices.Contains(vars, v) && !slices.Contains(known, v)
			}) {
			cs = append(cs, c)
		}
	}
	for _, v := range vars {
		if v.Type().Signed {
			cs = append(cs, x.pool.Le(x.pool.Const(v.Type(), 0), v))
		}
		for _, w := range vars {
			if v != w && v.Type() == w.Type() {
				cs = append(cs, x.atMost(v, w))
			}
		}
		for _, w := range known {
			if v.Type() == w.Type() {
				cs = append(cs, x.atMost(v, w), x.atMost(w, v))
			}
		}
	}
	return cs
}

// atMost is v <= w, of numbers.
func (x *Induction) atMost(v, w *expr.Expr) *expr.Expr {
	if v.Type().IsFloat() {
		return x.pool.FLe(v, w)
	}
	return x.pool.Le(v, w)
}

// few leaves out variables of types of which there are many.
func few(vars []*expr.Expr) []*expr.Expr {
	of := map[expr.Type]int{}
	for _, v := range vars {
		of[v.Type()]++
	}
	return slices.DeleteFunc(vars, func(v *expr.Expr) bool { return of[v.Type()] > mostOrdered })
}

// fixed are the variables whose value is known at a cut point; never says that no run comes there.
func (x *Induction) fixed(point int) (fixed map[*expr.Expr]bool, never bool) {
	fixed = map[*expr.Expr]bool{}
	for _, c := range x.known[point] {
		if c.Op() == expr.Eq && c.Args()[1].IsConst() {
			fixed[c.Args()[0]] = true
		}
		never = never || c == x.pool.False()
	}
	return fixed, never
}

// isHard reports whether a term multiplies or divides: questions about it are hard.
func isHard(e *expr.Expr) bool {
	hard := false
	expr.Walk(func(e *expr.Expr) {
		hard = hard || isFloatArithmetic(e) || e.Op() == expr.Div || e.Op() == expr.Rem || e.Op() == expr.Mul &&
			!e.Args()[1].IsConst()
	}, e)
	return hard
}

// isFloatArithmetic reports whether a term computes a floating-point number by more than its sign.
func isFloatArithmetic(e *expr.Expr) bool {
	switch e.Op() {
	case expr.FNeg, expr.FAbs, expr.FEq, expr.FLt, expr.FLe, expr.FBits, expr.FFrom,
		expr.XEq, expr.XLt, expr.XLe, expr.XFrom, expr.XFromInt, expr.XCast:
		return false
	}
	return e.Op() >= expr.FAdd
}

// run drops one candidate at least, or reports that none is to be dropped any more.
func (h *houdini) run(ctx context.Context, more func() bool, x *Induction) (over bool, err error) {
	all := make([][]*expr.Expr, len(h.alive))
	for i := range all {
		all[i] = h.conditions(i)
	}
	based := h.based
	over, err = h.weaken(ctx, more, x, all, func(e end, of func(*expr.Expr) uint64) {
		h.drop(e.point, func(c *expr.Expr) uint64 { return of(x.then(c, e)) })
		if h.hulls != nil {
			h.hulls.grow(x, e, of)
		}
	})
	if err != nil || over || !based || h.states == nil {
		return over, err
	}
	return false, h.execute(ctx, x)
}

// drop drops the candidates at a cut point that some values break.
func (h *houdini) drop(point int, of func(*expr.Expr) uint64) {
	h.alive[point] = slices.DeleteFunc(h.alive[point], func(c *expr.Expr) bool { return of(c) == 0 })
}

// execute drops what does not hold in states behind the one that the solver has found, where the step begins. What
// is left in the end holds in that one, and so in all of these. The error is ctx's.
func (h *houdini) execute(ctx context.Context, x *Induction) error {
	model := expr.NewValuation(x.step.solver.Value)
	begun := slices.IndexFunc(x.starts, func(c *expr.Expr) bool { return model.Of(c) != 0 })
	if begun < 0 {
		return nil
	}
	first := sample{x.cutPoints[begun].Node, make([]uint64, len(x.vars))}
	for i, v := range x.vars {
		first.values[i] = model.Of(v)
	}
	states, err := h.states.from(ctx, first, mostBehind)
	if err != nil {
		return err
	}
	for i, p := range x.cutPoints {
		if p.Spec != x.cutPoints[begun].Spec {
			continue
		}
		x.work += int64(len(states[p.Node])) * sampleEffort
		for _, s := range states[p.Node] {
			h.drop(i, expr.NewValuation(func(v *expr.Expr) uint64 { return s[x.flow.index[v]] }).Of)
			h.hulls.sample(x, i, s)
		}
	}
	return nil
}

// A weakening makes conditions inductive that are given by cut point: it weakens them by runs that break them,
// first from the beginning, then by layers from where they hold.
type weakening struct {
	based bool // no run from the beginning breaks one
}

// weaken calls fails for each end of one run that breaks a condition, with the values of terms there, or
// reports that there is no such run.
func (w *weakening) weaken(ctx context.Context, more func() bool, x *Induction, conds [][]*expr.Expr,
	fails func(e end, of func(*expr.Expr) uint64)) (over bool, err error) {
	u, ends := x.step, x.ends[0]
	var assumed []*expr.Expr
	if !w.based {
		u, ends = x.base, x.first[0]
	} else {
		for i, cs := range conds {
			for _, c := range cs {
				assumed = append(assumed, u.implies(x.starts[i], x.sums.apart(c)))
			}
		}
	}
	some, err := x.ask(ctx, more, u, x.broken(ends, conds), assumed...)
	if err != nil {
		return false, err
	}
	if !some {
		over, w.based = w.based, true
		return over, nil
	}
	model := expr.NewValuation(u.solver.Value)
	for _, e := range ends {
		if model.Of(e.cond) != 0 {
			fails(e, model.Of)
		}
	}
	return false, nil
}

// hulls are the linear equations of the variables of one width, at each cut point, of those that have more than
// one value there.
type hulls struct {
	at [][]*invariants.Hull
	weakening
}

// maxHullVariables are looked at at one cut point.
const maxHullVariables = 48

func newHulls(x *Induction) *hulls {
	h := &hulls{at: make([][]*invariants.Hull, len(x.cutPoints))}
	for i, p := range x.cutPoints {
		byWidth := map[uint8][]*expr.Expr{}
		fixed, _ := x.fixed(i)
		for v := range x.live[p.Node].All() {
			if t := x.vars[v].Type(); !t.IsBool() && !t.IsFloat() && !fixed[x.vars[v]] {
				byWidth[t.Width] = append(byWidth[t.Width], x.vars[v])
			}
		}
		for width := uint8(1); width <= 64; width++ {
			if vars := byWidth[width]; len(vars) > 0 && len(vars) <= maxHullVariables {
				h.at[i] = append(h.at[i], invariants.NewHull(x.pool, vars))
			}
		}
	}
	return h
}

// equations are those at a cut point.
func (h *hulls) equations(point int) []*expr.Expr {
	var all []*expr.Expr
	for _, hull := range h.at[point] {
		all = append(all, hull.Equations()...)
	}
	return all
}

// run adds a point to hulls, or reports that there is none to be added any more.
func (h *hulls) run(ctx context.Context, more func() bool, x *Induction) (over bool, err error) {
	all := make([][]*expr.Expr, len(x.cutPoints))
	for i := range x.cutPoints {
		all[i] = h.equations(i)
	}
	return h.weaken(ctx, more, x, all, func(e end, of func(*expr.Expr) uint64) { h.grow(x, e, of) })
}

// grow has the values at an end in its hulls.
func (h *hulls) grow(x *Induction, e end, of func(*expr.Expr) uint64) {
	for _, hull := range h.at[e.point] {
		hull.Add(func(v *expr.Expr) uint64 { return of(x.then(v, e)) })
	}
}

// sample has the values of a sampled state in the hulls of a cut point.
func (h *hulls) sample(x *Induction, point int, values []uint64) {
	for _, hull := range h.at[point] {
		hull.Add(func(v *expr.Expr) uint64 { return values[x.flow.index[v]] })
	}
}
