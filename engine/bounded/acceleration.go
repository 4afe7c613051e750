package bounded

// Loop acceleration: many rounds of a loop as one edge.
//
// Idea: a cycle is a path from a loop's head through its body and back. If it adds constants to variables,
// the state after m more rounds is a term over m. All rounds can be taken if the cycle's guards hold
// in the first one and in the last: where the sides of a comparison change by constants, and none of them
// wraps around in between, the comparison holds in between, too. So one choice, of m, stands for
// all these layers of the unrolling. Adding may wrap around; only sides of comparisons must not.
//
// Acceleration is for the search for violations only. What it finds is executed like any other run, round
// by round, so nothing of it has to be believed. Where the rounds are too many to be written out, the
// path says how often the cycle is taken (fold.go).
//
// Source: flat acceleration (Finkel, Leroux: How to Compose Presburger-Accelerations, FSTTCS 2002),
// restricted to translations; on machine arithmetic as in Kroening, Lewis, Weissenbacher:
// Under-approximating Loops in C Programs for Fast Counterexample Detection, CAV 2013. Deviations: no
// quantifiers, since guards that are not such comparisons are not accelerated.
//
// Cost: per head of a loop, at most maxCycles cycles (cycles.go); per layer a few terms for each.

import (
	"context"
	"slices"

	"magus/component"
	"magus/lts"
	"magus/smt/expr"
)

// countType is that of numbers of rounds, of which there are at most maxRounds in an acceleration.
var countType = expr.Type{Width: 32}

const maxRounds = 1<<32 - 1

// An acceleration is a cycle, with what any number of rounds does.
type acceleration struct {
	cycle  []int32
	folds  bool       // a path may say how often it is taken, without all edges
	rounds *expr.Expr // how often the cycle is taken once more, after its first round
	most   uint64     // rounds are fewer
	when   *expr.Expr // that many rounds can be taken
	// what is added in each round, where it is a term that stays the same; it has to be known in a
	// layer
	steps  []*expr.Expr
	writes []int        // variables
	terms  []*expr.Expr // their values after all rounds
}

// accelerations are those of every node. The error is ctx's.
func (f *flow) accelerations(ctx context.Context, spec *lts.LTS) (map[component.Node][]*acceleration, error) {
	all := map[component.Node][]*acceleration{}
	for _, head := range f.order {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for _, cycle := range f.cycles(head, spec) {
			if l := f.accelerate(cycle); l != nil {
				all[head] = append(all[head], l)
			}
		}
	}
	return all, nil
}

// An effect is what one round of a cycle does, over the values at its beginning.
type effect struct {
	guards []*expr.Expr
	after  map[*expr.Expr]*expr.Expr // of what is assigned
	order  []*expr.Expr              // its keys, in the order of the first assignments
}

func (f *flow) effect(cycle []int32) effect {
	pool := f.graph.Comp.CFA.Pool
	x := effect{after: map[*expr.Expr]*expr.Expr{}}
	for _, id := range cycle {
		e := &f.edges[id]
		for _, g := range e.Guard {
			if g = pool.Subst(g, x.after); !g.IsTrue() {
				x.guards = append(x.guards, g)
			}
		}
		terms := make([]*expr.Expr, len(e.Update))
		for i, u := range e.Update {
			terms[i] = pool.Subst(u.Term, x.after)
		}
		for i, u := range e.Update {
			if x.after[u.Var] == nil {
				x.order = append(x.order, u.Var)
			}
			x.after[u.Var] = terms[i]
		}
	}
	return x
}

// accelerate makes an acceleration of a cycle; nil if it has another form.
func (f *flow) accelerate(cycle []int32) *acceleration {
	pool := f.graph.Comp.CFA.Pool
	x := f.effect(cycle)
	l := &acceleration{cycle: cycle, folds: f.folds(cycle), rounds: pool.Var("rounds#", countType)}
	a := &accelerating{pool: pool, rounds: l.rounds, most: min(maxRounds, maxFolded/uint64(len(cycle))),
		next: map[*expr.Expr]*expr.Expr{}, later: map[*expr.Expr]*expr.Expr{}}
	if !l.folds {
		a.most = maxWritten / uint64(len(cycle))
	}
	if !a.classify(x) {
		return nil
	}
	for _, g := range x.guards {
		if !a.guard(g) {
			return nil
		}
	}
	if a.most < 2 {
		return nil
	}
	l.most, l.when, l.steps = a.most, pool.Land(a.when...), a.steps
	for _, v := range x.order {
		l.writes, l.terms = append(l.writes, f.index[v]), append(l.terms, pool.Subst(x.after[v], a.later))
	}
	return l
}

// accelerating is an acceleration under way.
type accelerating struct {
	pool   *expr.Pool
	rounds *expr.Expr
	most   uint64                    // rounds
	next   map[*expr.Expr]*expr.Expr // what variables are one round later, of those that change by constants
	later  map[*expr.Expr]*expr.Expr // and that many rounds later
	when   []*expr.Expr
	steps  []*expr.Expr
}

// classify finds out how each variable that is written changes: by something that stays the same, or
// not at all from the second round on, or it is not read by the next round. It reports false if one
// changes otherwise.
func (a *accelerating) classify(x effect) bool {
	read := map[*expr.Expr]bool{}
	terms := slices.Clone(x.guards)
	for _, v := range x.order {
		terms = append(terms, x.after[v])
	}
	for _, v := range expr.Vars(terms...) {
		read[v] = true
	}
	var others []*expr.Expr
	for _, v := range x.order {
		step, ok := a.difference(x.after[v], v)
		switch {
		case ok && (step.IsConst() || read[v] && !x.writes(step)):
			if !step.IsConst() {
				a.steps = append(a.steps, step)
			}
			a.next[v], a.later[v] = x.after[v], a.pool.Add(v, a.pool.Mul(step, a.pool.Cast(v.Type(), a.rounds)))
		case read[v]:
			others = append(others, v)
		}
	}
	for _, v := range others { // stays the same, if it is what a round makes of it
		for _, w := range expr.Vars(x.after[v]) {
			if _, written := x.after[w]; written && !slices.Contains(others, w) {
				return false
			}
		}
		a.when = append(a.when, a.pool.Eq(v, x.after[v]))
	}
	return true
}

// writes reports whether a round assigns a variable of a term.
func (x *effect) writes(t *expr.Expr) bool {
	return slices.ContainsFunc(expr.Vars(t), func(v *expr.Expr) bool { return x.after[v] != nil })
}

// step is the constant that has to be added to y to make x of it.
func (a *accelerating) step(x, y *expr.Expr) (int64, bool) {
	d, ok := a.difference(x, y)
	if !ok || !d.IsConst() {
		return 0, false
	}
	return expr.Type{Width: d.Type().Width, Signed: true}.Sext(d.Value()), true
}

// difference is what has to be added to y to make x of it.
func (a *accelerating) difference(x, y *expr.Expr) (*expr.Expr, bool) {
	if y.Type().IsBool() || y.Type().IsFloat() {
		return nil, false
	}
	return a.pool.Sub(a.cut(x), a.cut(y)), true
}

// cut is a term in which what cuts a sum cuts its summands.
func (a *accelerating) cut(x *expr.Expr) *expr.Expr {
	if x.Op() != expr.Cast || x.Args()[0].Op() != expr.Add || x.Args()[0].Type().Width < x.Type().Width {
		return x
	}
	sum := x.Args()[0].Args()
	return a.pool.Add(a.cut(a.pool.Cast(x.Type(), sum[0])), a.cut(a.pool.Cast(x.Type(), sum[1])))
}

// guard adds what makes a guard of the cycle hold in all rounds.
func (a *accelerating) guard(g *expr.Expr) bool {
	if g.Op() == expr.Land {
		return !slices.ContainsFunc(g.Args(), func(c *expr.Expr) bool { return !a.guard(c) })
	}
	a.when = append(a.when, g)
	last := a.pool.Subst(g, a.later)
	if last == g {
		return true
	}
	a.when = append(a.when, last)
	compared, negated := g, false
	if g.Op() == expr.Not {
		compared, negated = g.Args()[0], true
	}
	if compared.Op() != expr.Lt && compared.Op() != expr.Eq {
		return false
	}
	x, y := compared.Args()[0], compared.Args()[1]
	if x.Type().IsBool() || x.Type().IsFloat() || !a.straight(x) || !a.straight(y) {
		return false
	}
	if compared.Op() == expr.Eq && negated { // on the same side in the first round and the last
		less := a.pool.Lt(x, y)
		a.when = append(a.when, a.pool.Eq(less, a.pool.Subst(less, a.later)))
	}
	return true
}

// straight makes a side of a comparison change by a constant as a number, without wrapping around.
func (a *accelerating) straight(x *expr.Expr) bool {
	last := a.pool.Subst(x, a.later)
	if last == x {
		return true
	}
	if widens(x) {
		return a.straight(x.Args()[0])
	}
	step, ok := a.step(a.pool.Subst(x, a.next), x)
	if !ok || step == 0 {
		return false
	}
	first := x
	if step < 0 {
		first, last, step = last, first, -step
	}
	half := uint64(1)<<(x.Type().Width-1) - 1
	a.most = min(a.most, half/uint64(step)+1)
	a.when = append(a.when, a.pool.Le(first, last))
	return true
}

// widens reports whether a term is another one of fewer bits, as a number.
func widens(x *expr.Expr) bool {
	if x.Op() != expr.Cast {
		return false
	}
	of, t := x.Args()[0].Type(), x.Type()
	return !of.IsBool() && of.Width < t.Width && (t.Signed || !of.Signed)
}

// A layerAcceleration is an acceleration in a layer.
type layerAcceleration struct {
	*acceleration
	rounds *expr.Expr
}

// accelerateFrom adds what many rounds of a loop lead to, in the next layer. The rest of the instance is followed
// where that was not chosen.
func (u *unrolling) accelerateFrom(in *instance) {
	for _, l := range u.accelerations[in.node] {
		choice := u.choice("accelerated", expr.Bool)
		rounds := u.choice("rounds", countType)
		by := map[*expr.Expr]*expr.Expr{l.rounds: rounds}
		for _, v := range expr.Vars(append(slices.Clone(l.terms), l.when)...) {
			if i, known := u.index[v]; !known && v != l.rounds {
				by[v] = u.choice(v.Name(), v.Type())
			} else if known && in.env.Get(i) != nil {
				by[v] = in.env.Get(i)
			}
		}
		if slices.ContainsFunc(l.steps, func(step *expr.Expr) bool { return !u.pool.Subst(step, by).IsConst() }) {
			continue // the solver would have to multiply two numbers that it does not know
		}
		when := u.pool.Land(u.pool.Lt(rounds, u.pool.Const(countType, l.most)), u.pool.Subst(l.when, by))
		if chosen := u.and(in.cond, u.pool.Land(choice, when)); chosen != nil {
			terms := make([]*expr.Expr, len(l.terms))
			for i, t := range l.terms {
				terms[i] = u.pool.Subst(t, by)
			}
			u.passed++
			u.accelerated = append(u.accelerated, layerAcceleration{l, rounds})
			u.arrive(u.next, in.node, in.spec, arrival{in, int32(len(u.edges) + len(u.accelerated) - 1), chosen,
				in.env.With(l.writes, terms)})
			in.cond = u.and(in.cond, u.pool.Not(choice))
		}
	}
}
