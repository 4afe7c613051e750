package liveness

// Loops that end.
//
// Idea: within a part of the graph a term over the variables of one process, ordered as its type is, never grows where
// this process moves, and gets less with some transitions. There are finitely many values, so a run that stays in the
// part takes these only so often: they are left out, and the rest of the part is looked at again. So a lexicographic
// argument is found level by level. Or the same upwards.
//
// Source: Podelski, Rybalchenko: A complete method for the synthesis of linear ranking functions (VMCAI 2004); Alias,
// Darte, Feautrier, Gonnord: Multi-dimensional rankings (SAS 2010) for the levels. Deviation: candidates are
// variables and differences of what is compared, and each is asked about; words wrap around, which the
// queries know.
//
// Cost: two queries for each candidate and transition of the part.

import (
	"context"
	"slices"

	"magus/smt/expr"
	"magus/smt/solver"
)

// mostTerms is how many candidates are tried for a process.
const mostTerms = 24

// Exclusions are arcs that no run takes for ever which stays in the part that they were found in. Parts of what has no
// positions lie within larger parts with positions, where the same need not hold.
type exclusions struct{ silent, moving map[[2]int32]bool }

func newExclusions() *exclusions {
	return &exclusions{map[[2]int32]bool{}, map[[2]int32]bool{}}
}

// of are those of the kind of part that a lasso lies in.
func (x *exclusions) of(l *lasso) map[[2]int32]bool {
	if l.silent {
		return x.silent
	}
	return x.moving
}

// rank finds arcs of the part of a lasso that no run takes for ever, and adds them to those that are left
// out. It reports whether there are any.
func (t *trial) rank(s *searched, l *lasso, excluded *exclusions) bool {
	left := excluded.of(l)
	within := map[int32]bool{}
	for _, n := range l.set {
		within[n] = true
	}
	for i := range s.processes {
		p := &s.processes[i]
		type taken struct {
			from int32
			way  *transition
			arc  [2]int32
		}
		var all []taken
		for _, n := range l.set {
			for k := range s.arcs[n] {
				a := &s.arcs[n][k]
				st := &s.steps[s.nodes[n].tuple][a.step]
				if !within[a.to] || left[[2]int32{n, int32(k)}] || l.silent && s.isPosition(s.nodes[n].tuple, st) {
					continue
				}
				for _, m := range st.moves {
					if m.process == i {
						all = append(all, taken{s.tuples[s.nodes[n].tuple][i], m.way, [2]int32{n, int32(k)}})
					}
				}
			}
		}
		if len(all) == 0 {
			continue
		}
		var ways []*transition
		for _, x := range all {
			ways = append(ways, x.way)
		}
		r := &ranking{ctx: t.ctx, behaviour: p.behaviour, solver: t.solvers[p.Component], known: map[rankKey]order{}}
		for _, term := range r.terms(ways) {
			for _, up := range []bool{false, true} {
				some, weak := false, true
				for _, x := range all {
					o := r.order(x.from, x.way, term, up)
					if weak = weak && o != neither; !weak {
						break
					}
					some = some || o == strict
				}
				if !weak || !some {
					continue
				}
				if x := (lessened{p.Component, term, up}); !slices.Contains(t.lessened, x) {
					t.lessened = append(t.lessened, x)
				}
				for _, x := range all {
					if r.order(x.from, x.way, term, up) == strict {
						left[x.arc] = true
					}
				}
				return true
			}
		}
	}
	return false
}

// An order is what a transition does to a term.
type order uint8

const (
	neither order = iota
	weak
	strict
)

type rankKey struct {
	from int32
	way  *transition
	term *expr.Expr
	up   bool
}

// ranking asks about the transitions of one process.
type ranking struct {
	*behaviour
	ctx    context.Context
	solver solver.Full
	known  map[rankKey]order
}

// terms are candidates: the differences of what conditions in the part compare, and the variables that it changes.
func (r *ranking) terms(ways []*transition) (all []*expr.Expr) {
	pool := r.control.Comp.CFA.Pool
	add := func(e *expr.Expr) {
		if !isWord(e) {
			return
		}
		if !e.IsConst() && !slices.Contains(all, e) && len(all) < mostTerms &&
			!slices.ContainsFunc(expr.Vars(e), r.control.IsFresh) {
			all = append(all, e)
		}
	}
	var ids []int32
	for _, w := range ways {
		ids = append(ids, w.edges...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, id := range ids {
		for _, u := range r.control.Edges[id].Update {
			add(u.Var)
		}
	}
	for _, id := range ids {
		for _, g := range r.control.Edges[id].Guard {
			if g.Op() == expr.Not {
				g = g.Args()[0]
			}
			if a := g.Args(); (g.Op() == expr.Lt || g.Op() == expr.Eq) && a[0].Type() == a[1].Type() && isWord(a[0]) {
				add(a[0])
				add(a[1])
				add(pool.Sub(a[0], a[1]))
				add(pool.Sub(a[1], a[0]))
			}
		}
	}
	return all
}

// isWord reports whether a term is ordered as the machine's integers are: truth values and floating point are not.
func isWord(e *expr.Expr) bool { return !e.Type().IsBool() && !e.Type().IsFloat() }

// order is what a transition from a state does to a term; where that is not known, neither.
func (r *ranking) order(from int32, w *transition, term *expr.Expr, up bool) order {
	key := rankKey{from, w, term, up}
	if o, ok := r.known[key]; ok {
		return o
	}
	o := neither
	pool := r.control.Comp.CFA.Pool
	x := &symbolic{control: r.control, pool: pool, env: r.constants(from)}
	x.conds = slices.Clone(r.states[from].holds)
	before := x.value(term)
	for _, id := range w.edges {
		x.take(id)
	}
	behind := r.constants(w.to)
	for _, v := range r.matters[r.states[w.to].node] {
		if c := behind[v]; c != nil {
			x.conds = append(x.conds, pool.Eq(x.value(v), c))
		}
	}
	for _, h := range r.states[w.to].holds {
		x.conds = append(x.conds, x.value(h))
	}
	after := x.value(term)
	if up {
		before, after = after, before
	}
	if r.never(x.conds, pool.Lt(before, after)) {
		if o = weak; r.never(x.conds, pool.Eq(before, after)) {
			o = strict
		}
	}
	r.known[key] = o
	return o
}

// never reports whether a condition contradicts others.
func (r *ranking) never(given []*expr.Expr, c *expr.Expr) bool {
	if c.IsFalse() {
		return true
	}
	res, err := r.solver.Check(r.ctx, append(slices.Clone(given), c)...)
	return err == nil && res == solver.Unsat
}

// constants are the values that are known at a state.
func (r *ranking) constants(s int32) map[*expr.Expr]*expr.Expr {
	by := map[*expr.Expr]*expr.Expr{}
	st := &r.states[s]
	pool := r.control.Comp.CFA.Pool
	for i, v := range r.matters[st.node] {
		if st.values[i].known {
			if v.Type().IsBool() {
				by[v] = pool.Bool(st.values[i].bits == 1)
			} else {
				by[v] = pool.Const(v.Type(), st.values[i].bits)
			}
		}
	}
	return by
}
