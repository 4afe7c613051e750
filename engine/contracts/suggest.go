package contracts

// Candidates for contracts.
//
// Idea: what a procedure does is mostly an equation between what it changes and what it reads, perhaps by cases: on
// the conditions that it tests before it calls anything, or on a small value of a parameter. Where there is none,
// the few values that a parameter takes are a table. Bounds are taken from constants. All samples satisfy what is
// suggested.
//
// Source: templates as in Ernst et al. (2001) and Sankaranarayanan et al.: Constraint-Based Linear-Relations
// Analysis (2004); equations by powers of two are ours.
//
// Cost: for each variable that changes, the cases × the sets of terms.

import (
	"cmp"
	"maps"
	"slices"

	"magus/smt/expr"
)

const (
	maxTable  = 64 // rows of a table, and the largest value of a parameter in it
	maxCases  = 14
	maxBounds = 6 // of what is passed, on each side
	maxInputs = 8 // of which equations speak
	smallCase = 4 // values of a parameter that are cases
)

// A Condition of a contract.
type Condition struct {
	*expr.Expr
	// Of an equation: in which cases it says nothing, the variable, and what that is.
	unless, now, term *expr.Expr
}

// suggest gives points their candidates.
func (r *runner) suggest(reached []int) map[Point][]Condition {
	all := map[Point][]Condition{}
	for _, q := range reached {
		if q > 0 {
			all[Point{q, Entry, 0}] = r.preconditions(q)
		}
	}
	points := slices.SortedFunc(maps.Keys(r.spoken), func(a, b Point) int {
		return cmp.Or(a.Procedure-b.Procedure, int(a.Kind)-int(b.Kind), int(a.Node)-int(b.Node))
	})
	for _, at := range points {
		all[at] = r.changes(at, r.spoken[at])
	}
	return all
}

// isNumber reports whether a variable is a word.
func isNumber(v *expr.Expr) bool { return !v.Type().IsBool() && !v.Type().IsFloat() }

// preconditions are bounds of what a procedure is called with; or that it is not called.
func (r *runner) preconditions(q int) []Condition {
	c := collector{runner: r, samples: r.called[q], known: map[*expr.Expr]bool{}}
	c.add(r.pool.False(), r.pool.Bool(len(c.samples) > 0))
	vars := slices.DeleteFunc(slices.Clone(r.inputs[q]), func(v *expr.Expr) bool { return !isNumber(v) })
	for _, v := range vars[:min(len(vars), maxInputs)] {
		c.bounds(r.pool.False(), v, maxBounds)
		c.add(r.pool.False(), r.pool.Ne(v, r.pool.Const(v.Type(), 0)))
		for _, w := range vars[:min(len(vars), 3)] {
			if w == v {
				continue
			}
			for x := range int64(smallCase) {
				c.bounds(r.pool.Ne(w, r.pool.Int(w.Type(), x)), v, maxBounds)
			}
		}
	}
	return c.all
}

// A collector collects candidates that some samples satisfy.
type collector struct {
	*runner
	samples []sample
	known   map[*expr.Expr]bool
	all     []Condition
}

// add adds a candidate; with unless, only of samples that do not satisfy that.
func (c *collector) add(unless, cond *expr.Expr) bool {
	cand := c.pool.Lor(unless, cond)
	if cand.IsTrue() || c.known[cand] {
		return false
	}
	for i := range c.samples {
		if !c.satisfies(&c.samples[i], cand) {
			return false
		}
	}
	c.known[cand] = true
	c.all = append(c.all, Condition{Expr: cand})
	return true
}

// define adds that a variable is a term; with unless, only of samples that do not satisfy that.
func (c *collector) define(unless, now, term *expr.Expr) {
	if c.add(unless, c.pool.Eq(now, term)) {
		last := &c.all[len(c.all)-1]
		last.unless, last.now, last.term = unless, now, term
	}
}

// bounds adds bounds of a variable by constants, so many of the tightest ones.
func (c *collector) bounds(unless, v *expr.Expr, most int) {
	t := v.Type()
	found := 0
	for _, x := range slices.Backward(c.values) {
		if found < most && c.fits(t, x) && c.add(unless, c.pool.Ge(v, c.pool.Const(t, t.Trunc(x)))) {
			found++
		}
	}
	found = 0
	for _, x := range c.values {
		if found < most && c.fits(t, x) && c.add(unless, c.pool.Le(v, c.pool.Const(t, t.Trunc(x)))) {
			found++
		}
	}
}

// fits reports whether a constant is a value of a type.
func (c *runner) fits(t expr.Type, x uint64) bool {
	if !t.Signed {
		return int64(x) >= 0 && t.Trunc(x) == x
	}
	return t.Sext(t.Trunc(x)) == int64(x)
}

// changes are candidates for what holds at the exit, or where a loop closes.
func (r *runner) changes(at Point, vars []*expr.Expr) []Condition {
	c := &collector{runner: r, samples: r.samples[at], known: map[*expr.Expr]bool{}}
	inputs := slices.DeleteFunc(slices.Clone(r.inputs[at.Procedure]), func(v *expr.Expr) bool { return !isNumber(v) })
	inputs = inputs[:min(len(inputs), maxInputs)]
	cases := r.cases(at.Procedure, inputs)
	for _, v := range vars {
		if !isNumber(v) {
			continue
		}
		now := r.nowOf(v)
		if at.Kind == Head {
			for _, w := range vars {
				if w != v && isNumber(w) && len(inputs) < maxInputs {
					inputs = append(inputs, r.nowOf(w))
				}
			}
		}
		near := r.near(at.Procedure, v, inputs)
		if !c.equations(r.pool.True(), now, near, inputs) {
			for _, cond := range cases {
				c.equations(cond, now, near, inputs)
			}
			c.table(now, near)
		}
		c.inequalities(now, near, cases)
	}
	return c.all
}

// near are the inputs that a variable most probably depends on: what is passed, and what it was.
func (r *runner) near(q int, v *expr.Expr, inputs []*expr.Expr) []*expr.Expr {
	return slices.DeleteFunc(slices.Clone(inputs), func(w *expr.Expr) bool { return w != v && !r.ps.IsPassed(q, w) })
}

// equations adds the first equation that the samples of a case satisfy, and reports whether there is one.
func (c *collector) equations(in, now *expr.Expr, inputs ...[]*expr.Expr) bool {
	var samples []sample
	for _, s := range c.samples {
		if c.satisfies(&s, in) {
			samples = append(samples, s)
		}
	}
	for _, terms := range slices.Concat(c.terms(now, inputs[0]), c.terms(now, inputs[1])) {
		if sum := c.fit(now, terms, samples); sum != nil {
			c.define(c.pool.Not(in), now, sum)
			return true
		}
	}
	return false
}

// terms are sets of terms that a variable may be a sum of, the simpler ones first.
func (c *collector) terms(now *expr.Expr, inputs []*expr.Expr) [][]*expr.Expr {
	p, t := c.pool, now.Type()
	one := p.Const(t, 1)
	linear := []*expr.Expr{one}
	var products, powers, bits []*expr.Expr
	for i, v := range inputs {
		if v == now {
			continue
		}
		x := p.Cast(t, v)
		linear = append(linear, x)
		powers = append(powers, p.Shl(one, x))
		bits = append(bits, p.And(x, one))
		for _, w := range inputs[i:] {
			if w != now {
				products = append(products, p.Mul(x, p.Cast(t, w)))
			}
		}
	}
	all := [][]*expr.Expr{{one}, linear}
	for _, more := range [][]*expr.Expr{bits, products, powers} {
		if len(more) > 0 && len(linear)+len(more) <= 16 {
			all = append(all, append(slices.Clone(linear), more...))
		}
	}
	return all
}

// table adds what a variable is for each value of the only input that matters.
func (c *collector) table(now *expr.Expr, inputs []*expr.Expr) {
	for _, v := range inputs {
		by := map[uint64]uint64{}
		var keys []uint64
		for i := range c.samples {
			s := &c.samples[i]
			x, y := c.sampled(s, v), c.sampled(s, now)
			if old, known := by[x]; known && old != y {
				keys = nil
				break
			} else if !known {
				by[x], keys = y, append(keys, x)
			}
		}
		if len(keys) < 3 || len(keys) > 2*maxTable {
			continue
		}
		for _, x := range keys {
			is := c.pool.Eq(v, c.pool.Const(v.Type(), x))
			c.define(c.pool.Not(is), now, c.pool.Const(now.Type(), by[x]))
		}
		return
	}
}

// inequalities adds bounds of a variable, by constants and by inputs, in cases.
func (c *collector) inequalities(now *expr.Expr, inputs []*expr.Expr, cases []*expr.Expr) {
	if !now.Type().Signed && len(cases) > 4 {
		cases = cases[:4]
	}
	for _, in := range append([]*expr.Expr{c.pool.True()}, cases...) {
		unless := c.pool.Not(in)
		c.bounds(unless, now, 1)
		for _, v := range inputs {
			if v.Type() != now.Type() || v == now {
				continue
			}
			c.add(unless, c.pool.Ge(now, v))
			c.add(unless, c.pool.Le(now, v))
		}
	}
}

// cases are conditions on inputs: those that the procedure tests before it calls anything, their
// conjunctions on its paths, and small values.
func (r *runner) cases(q int, inputs []*expr.Expr) []*expr.Expr {
	var all []*expr.Expr
	add := func(c *expr.Expr) {
		if len(all) < maxCases && !c.IsConst() && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	var whole []*expr.Expr
	for _, s := range r.all {
		if s.from != (Point{q, Entry, 0}) || len(s.calls) > 0 {
			continue
		}
		var path []*expr.Expr
		for _, c := range s.conds {
			if r.isOver(c, inputs) {
				add(c)
				add(r.pool.Not(c))
				path = append(path, c)
			}
		}
		whole = append(whole, r.pool.Land(path...))
	}
	for _, v := range inputs {
		if v.Type().Signed && r.of[v] == nil {
			add(r.pool.Ge(v, r.pool.Const(v.Type(), 0)))
		}
	}
	for _, c := range whole {
		add(c)
	}
	params := slices.DeleteFunc(slices.Clone(inputs), func(v *expr.Expr) bool { return !r.ps.IsPassed(q, v) })
	for _, v := range params[:min(len(params), 2)] {
		for x := range int64(smallCase) {
			if c := r.pool.Eq(v, r.pool.Int(v.Type(), x)); !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// isOver reports whether a condition speaks of inputs only.
func (r *runner) isOver(c *expr.Expr, inputs []*expr.Expr) bool {
	return !slices.ContainsFunc(expr.Vars(c), func(v *expr.Expr) bool { return !slices.Contains(inputs, v) })
}
