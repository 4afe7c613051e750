package bounded

// Candidates about a chosen element of an array: what holds of it once a loop has passed it.
//
// Idea: where a variable that loops count is compared for equality with one that they do not (the index of the
// element that a proof follows, say), it matters which of the two is less: what a loop does to the element
// holds of it from then on. So candidates are clauses: if the one is less than the other (and not below the value
// that the counter began with), then a comparison holds that the program makes, or an equation that it
// establishes by an assignment, with the chosen index for the counter where the program compares these two. Layers
// that do not keep a clause drop it.
//
// Source: the invariants of arrays that are replaced by one cell (Monniaux, Gonnord: Cell morphing, SAS 2016,
// section 2); Houdini (as of induction.go). Cost: the pairs of counters and what they are compared with,
// times the comparisons; the questions of Houdini.

import (
	"maps"
	"slices"

	"magus/internal/bitset"
	"magus/internal/graph"
	"magus/smt/expr"
)

// mostChosen bounds the candidates at one cut point, mostStarts the values that one counter begins with, mostBounds
// what one is compared with (mostAhead of them where it is before an element), and mostSteps how often what a loop adds
// to a variable is added to what it was before.
const (
	mostChosen = 1200
	mostStarts = 3
	mostBounds = 8
	mostAhead  = 2
	mostSteps  = 2
)

// A pairing is a counter that the program compares for equality with something that loops do not count.
type pairing struct {
	counter *expr.Expr
	index   *expr.Expr // the counter plus a constant, or another term with the counter
	chosen  *expr.Expr
	to      map[*expr.Expr]*expr.Expr // the counter where the index is the chosen one; nil if it is not known
	up      bool
	down    bool
	starts  []*expr.Expr // what the index begins with
}

// A steps says how a variable changes.
type steps struct {
	up, down bool
	looped   bool         // it is changed within a loop
	by       []*expr.Expr // what is added to it
	from     []*expr.Expr // other values that it gets, without new ones
}

// chosen are candidates about what loops have passed, at each cut point.
func (x *Induction) chosen() *houdini {
	h := &houdini{alive: make([][]*expr.Expr, len(x.cutPoints))}
	changes := x.changes()
	pairs := x.pairings(changes)
	if len(pairs) == 0 {
		return h
	}
	facts := x.facts(pairs, changes)
	for i, p := range x.cutPoints {
		if _, never := x.fixed(i); never {
			continue
		}
		for _, f := range facts {
			if x.isLive(f, p.Node) {
				h.alive[i] = append(h.alive[i], f)
			}
		}
		add := func(passed *expr.Expr) {
			for _, f := range facts {
				c := x.pool.Lor(x.pool.Not(passed), f)
				if !c.IsConst() && x.isLive(c, p.Node) && len(h.alive[i]) < mostChosen {
					h.alive[i] = append(h.alive[i], c)
				}
			}
		}
		for _, pair := range pairs {
			for _, related := range x.related(pair, pairs) {
				for _, passed := range x.passed(pair, x.reached(pair, changes)) {
					add(x.pool.Land(related, passed))
				}
			}
		}
		for _, pair := range pairs {
			for _, passed := range x.passed(pair, x.reached(pair, changes)) {
				add(passed)
			}
		}
	}
	return h
}

// counts reports whether loops count a variable.
func (s *steps) counts() bool { return s.up || s.down }

// changes say of each variable how edges change it.
func (x *Induction) changes() map[*expr.Expr]*steps {
	all := map[*expr.Expr]*steps{}
	components := graph.SCC(x.flow)
	for i := range x.edges {
		from, to := x.edges[i].From, x.edges[i].To
		for _, u := range x.edges[i].Update {
			s := all[u.Var]
			if s == nil {
				s = &steps{}
				all[u.Var] = s
			}
			s.looped = s.looped || components.Of[from] == components.Of[to]
			for _, t := range branches(u.Term) {
				s.note(x, u.Var, t)
			}
		}
	}
	return all
}

// note notes a value that a variable may get.
func (s *steps) note(x *Induction, v, t *expr.Expr) {
	of := expr.Vars(t)
	switch {
	case t == v || isHard(t) || slices.ContainsFunc(of, x.graph.IsFresh):
	case !slices.Contains(of, v):
		if !slices.Contains(s.from, t) {
			s.from = append(s.from, t)
		}
	case t.Op() == expr.Add && t.Args()[0] == v:
		by := t.Args()[1]
		if !slices.Contains(s.by, by) {
			s.by = append(s.by, by)
		}
		if negative := by.IsConst() && by.Value()>>(by.Type().Width-1) != 0; negative {
			s.down = true
		} else {
			s.up = true
		}
	}
}

// branches are the values of a term, whatever its conditions are.
func branches(t *expr.Expr) []*expr.Expr {
	if t.Op() != expr.Ite {
		return []*expr.Expr{t}
	}
	return append(branches(t.Args()[1]), branches(t.Args()[2])...)
}

// pairings are the counters that are compared with something that loops do not count, and of these what constants they
// are compared with besides: elements that are told apart. A counter may be a part of what is compared: 2*i+1.
func (x *Induction) pairings(changes map[*expr.Expr]*steps) (all []pairing) {
	counts := func(v *expr.Expr) bool { return changes[v] != nil && changes[v].counts() }
	seen := map[[2]*expr.Expr]bool{}
	for _, c := range x.compared() {
		if c.Op() != expr.Eq {
			continue
		}
		v, d := x.summand(c.Args()[0])
		w, e := x.summand(c.Args()[1])
		if slices.ContainsFunc(expr.Vars(w), counts) {
			v, d, w, e = w, e, v, d
		}
		counter := counted(v, counts)
		if counter == nil || w.Op() != expr.Var && w.Op() != expr.Const || counts(w) || v.Type().IsBool() {
			continue
		}
		by := x.pool.Sub(d, e)
		index := x.pool.Add(v, by)
		if seen[[2]*expr.Expr{index, w}] {
			continue
		}
		seen[[2]*expr.Expr{index, w}] = true
		p := pairing{counter: counter, index: index, chosen: w, up: changes[counter].up, down: changes[counter].down}
		if v == counter {
			p.to = map[*expr.Expr]*expr.Expr{counter: x.pool.Sub(w, by)}
		} else {
			p.up, p.down = true, true
		}
		for _, from := range changes[counter].from {
			if len(p.starts) < mostStarts {
				p.starts = append(p.starts, x.pool.Subst(index, map[*expr.Expr]*expr.Expr{counter: from}))
			}
		}
		all = append(all, p)
	}
	return slices.DeleteFunc(all, func(p pairing) bool {
		return p.chosen.IsConst() && !slices.ContainsFunc(all, func(q pairing) bool {
			return q.counter == p.counter && !q.chosen.IsConst()
		})
	})
}

// counted is the only variable of a term that loops count; nil if there are more or none.
func counted(t *expr.Expr, counts func(*expr.Expr) bool) *expr.Expr {
	if isHard(t) {
		return nil
	}
	var one *expr.Expr
	for _, v := range expr.Vars(t) {
		if counts(v) {
			if one != nil {
				return nil
			}
			one = v
		}
	}
	return one
}

// summand is a term without a constant that is added to it, and that constant.
func (x *Induction) summand(t *expr.Expr) (rest, added *expr.Expr) {
	if t.Op() == expr.Add && t.Args()[1].IsConst() {
		return t.Args()[0], t.Args()[1]
	}
	return t, x.pool.Const(t.Type(), 0)
}

// passed are conditions that say of a chosen element that a counter is behind it, or before it and comes to it.
func (x *Induction) passed(p pairing, reached []*expr.Expr) (all []*expr.Expr) {
	add := func(cs ...*expr.Expr) {
		if c := x.pool.Land(cs...); !c.IsConst() && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	for _, up := range []bool{true, false} {
		if up && !p.up || !up && !p.down {
			continue
		}
		at := func(a, b *expr.Expr) *expr.Expr {
			if !up {
				a, b = b, a
			}
			return x.pool.Le(a, b)
		}
		behind := x.pool.Not(at(p.index, p.chosen))
		add(behind)
		add(at(p.chosen, p.index))
		add(at(p.index, p.chosen))
		add(x.pool.Not(at(p.chosen, p.index)))
		for _, s := range p.starts {
			add(at(s, p.chosen), behind)
			add(x.pool.Not(at(p.chosen, s)), behind)
			add(at(s, p.chosen), at(p.chosen, p.index), x.pool.Not(x.pool.Eq(s, p.index)))
			add(x.pool.Not(at(s, p.chosen)))
			add(x.pool.Not(at(p.chosen, s)))
		}
		for _, r := range reached[:min(len(reached), mostAhead)] {
			add(r, at(p.index, p.chosen))
		}
	}
	return append(all, reached...)
}

// reached are conditions that say of a chosen element that a counter comes to it: what the counter is compared with
// that loops do not count, of the element.
func (x *Induction) reached(p pairing, changes map[*expr.Expr]*steps) (all []*expr.Expr) {
	if p.chosen.IsConst() || p.to == nil {
		return nil
	}
	for _, c := range x.compared() {
		of := expr.Vars(c)
		if c.Op() == expr.Eq || len(of) < 2 || !slices.Contains(of, p.counter) || slices.Contains(of, p.chosen) ||
			slices.ContainsFunc(of, func(v *expr.Expr) bool {
				return v != p.counter && changes[v] != nil && changes[v].counts()
			}) {
			continue
		}
		if b := x.pool.Subst(c, p.to); len(all) < mostBounds && !slices.Contains(all, b) {
			all = append(all, b)
		}
	}
	return all
}

// related are conditions that say of two chosen elements that a counter comes to both at once, by different indices:
// l == n-1-k, of i and n-1-i.
func (x *Induction) related(p pairing, pairs []pairing) (all []*expr.Expr) {
	if p.to == nil || p.chosen.IsConst() {
		return nil
	}
	for _, q := range pairs {
		if q.counter != p.counter || q.chosen == p.chosen || q.chosen.IsConst() || q.index == p.index {
			continue
		}
		at := x.pool.Subst(q.index, p.to)
		if at.Type() == q.chosen.Type() {
			all = append(all, x.pool.Eq(q.chosen, at))
		}
	}
	return all
}

// facts are what may hold of a chosen element: comparisons and equations that are not about counters, also with what
// these are compared with in their place.
func (x *Induction) facts(pairs []pairing, changes map[*expr.Expr]*steps) (all []*expr.Expr) {
	by := []map[*expr.Expr]*expr.Expr{nil}
	for _, p := range pairs {
		if p.to != nil {
			by = append(by, p.to)
		}
	}
	passing := x.passing(changes)
	add := func(c *expr.Expr) {
		for _, f := range x.expanded(c, passing, by) {
			of := expr.Vars(f)
			changing := slices.ContainsFunc(of, func(v *expr.Expr) bool {
				return changes[v] != nil && changes[v].looped && len(changes[v].from)+len(changes[v].by) > 0
			})
			if changing && !slices.ContainsFunc(pairs, func(p pairing) bool { return slices.Contains(of, p.counter) }) &&
				!slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	for v := range x.vars {
		x.equationsOf(x.vars[v], changes, add)
	}
	for _, c := range x.compared() {
		add(c)
	}
	return all
}

// mostExpanded bounds what one comparison becomes, and mostPassed how often values are put in for variables.
const (
	mostExpanded = 12
	mostPassed   = 3
)

// passing are variables that only pass on what they are given within a layer, with what that is. What a layer draws
// from outside is in its place what a variable that matters was given of it: a[i] = x; b[i] = -x says b_k == -a_k.
func (x *Induction) passing(changes map[*expr.Expr]*steps) map[*expr.Expr][]*expr.Expr {
	all := map[*expr.Expr][]*expr.Expr{}
	for _, v := range x.vars {
		if s := changes[v]; s != nil && !x.isKept(v) && len(s.by) == 0 {
			all[v] = s.from
		}
	}
	given := map[*expr.Expr][]*expr.Expr{}
	for _, v := range x.vars {
		if s := changes[v]; s != nil && x.isKept(v) {
			for _, t := range s.from {
				if in := drawn(t, all); in != nil {
					given[in] = append(given[in], v)
				}
			}
		}
	}
	maps.Copy(all, given)
	return all
}

// isKept reports whether a variable matters at the end of some layer.
func (x *Induction) isKept(v *expr.Expr) bool {
	return slices.ContainsFunc(x.matters, func(of bitset.Set[int]) bool { return of.Has(x.flow.index[v]) })
}

// drawn is the variable that a term is the value of, through those that pass it on, if a layer draws it from outside.
func drawn(t *expr.Expr, passing map[*expr.Expr][]*expr.Expr) *expr.Expr {
	for range mostPassed {
		from, passes := passing[t]
		switch {
		case !passes:
			return nil
		case len(from) == 0:
			return t
		case len(from) > 1:
			return nil
		}
		t = from[0]
	}
	return nil
}

// expanded are a condition and what it says of the values that variables pass on, with indices for counters.
func (x *Induction) expanded(c *expr.Expr, passing map[*expr.Expr][]*expr.Expr,
	by []map[*expr.Expr]*expr.Expr) []*expr.Expr {
	layer := []*expr.Expr{c}
	for range mostPassed {
		var next []*expr.Expr
		for _, f := range layer {
			of := expr.Vars(f)
			i := slices.IndexFunc(of, func(v *expr.Expr) bool { return passing[v] != nil })
			if i < 0 {
				next = append(next, f)
				continue
			}
			for _, t := range passing[of[i]] {
				if len(next) < mostExpanded {
					next = append(next, x.pool.Subst(f, map[*expr.Expr]*expr.Expr{of[i]: t}))
				}
			}
		}
		layer = next
	}
	var all []*expr.Expr
	for _, b := range by {
		for _, f := range layer {
			all = append(all, x.pool.Subst(f, b))
		}
	}
	return all
}

// equationsOf says of a variable that it has a value which an assignment gives it, or that plus what other
// assignments add.
func (x *Induction) equationsOf(v *expr.Expr, changes map[*expr.Expr]*steps, add func(*expr.Expr)) {
	s := changes[v]
	if s == nil || v.Type().IsBool() {
		return
	}
	values := slices.Clone(s.from)
	for range mostSteps {
		for _, t := range slices.Clone(values) {
			for _, by := range s.by {
				if by.IsConst() {
					values = append(values, x.pool.Add(t, by))
				}
			}
		}
	}
	for _, t := range values {
		add(x.pool.Eq(v, t))
	}
}
