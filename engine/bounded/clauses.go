package bounded

// Clauses of one or two comparisons with constants, as candidates for invariants.
//
// Idea: who excludes whom is said by clauses such as "the lock is 1, or nobody is within". A literal says that a
// variable has a value, or has not; of the clauses of two, those are candidates that hold in all sampled states
// (samples.go), and without which one of their literals would say as much. The ones that layers do not keep
// are dropped, at once in as many states as are sampled behind one that the solver has found.
//
// Source: invisible invariants (as of samples.go), with clauses in the place of projections; Houdini (as of
// induction.go). Cost: the square of the literals times the samples, in words of bits; the questions of Houdini.

import (
	"context"
	"math/bits"
	"slices"

	"magus/smt/expr"
)

// mostConstants bounds the values of one variable that literals name, mostClauses the candidates at one cut point.
const (
	mostConstants = 3
	mostClauses   = 600
)

// A literal is a comparison, with the sampled states for which it holds.
type literal struct {
	variable int
	holds    *expr.Expr
	in       []uint64 // a bit for each sample
}

// clauses are candidates for each cut point. The error is ctx's.
func (x *Induction) clauses(ctx context.Context) (*houdini, error) {
	h := &houdini{alive: make([][]*expr.Expr, len(x.cutPoints)), hulls: newHulls(x),
		states: &sampler{flow: x.flow, compared: x.comparedConstants(), spec: x.base.spec}}
	at, err := x.sampled(ctx)
	if err != nil {
		return nil, err
	}
	for i, p := range x.cutPoints {
		samples := at[p.Node]
		x.work += int64(len(samples)) * sampleEffort
		if fixed, never := x.fixed(i); !never && len(samples) > 1 {
			h.alive[i] = x.clausesOf(x.literals(i, samples, fixed), len(samples))
		}
		for _, s := range samples {
			h.hulls.sample(x, i, s)
		}
	}
	return h, nil
}

// literals are those at a cut point.
func (x *Induction) literals(point int, samples [][]uint64, fixed map[*expr.Expr]bool) (all []literal) {
	for v := range x.matters[point].All() {
		w := x.vars[v]
		if fixed[w] {
			continue
		}
		for _, c := range valuesIn(samples, v) {
			is := literal{v, w, nil}
			if !w.Type().IsBool() {
				is.holds = x.pool.Eq(w, x.pool.Const(w.Type(), c))
			} else if c == 0 {
				continue // the opposite is among them
			}
			is.in = make([]uint64, (len(samples)+63)/64)
			not := literal{v, x.pool.Not(is.holds), make([]uint64, len(is.in))}
			for k, s := range samples {
				if s[v] == c {
					is.in[k/64] |= 1 << (k % 64)
				} else {
					not.in[k/64] |= 1 << (k % 64)
				}
			}
			all = append(all, is, not)
		}
	}
	return all
}

// valuesIn are the least values that a variable has in some samples, as bits.
func valuesIn(samples [][]uint64, v int) (values []uint64) {
	for _, s := range samples {
		if at, known := slices.BinarySearch(values, s[v]); !known {
			values = slices.Insert(values, at, s[v])
		}
		if len(values) > mostConstants {
			values = values[:mostConstants]
		}
	}
	return values
}

// clausesOf are the candidates of some literals.
func (x *Induction) clausesOf(all []literal, samples int) (cs []*expr.Expr) {
	always := func(a, b literal) bool {
		n := 0
		for i := range a.in {
			n += bits.OnesCount64(a.in[i] | b.in[i])
		}
		return n == samples
	}
	all = slices.DeleteFunc(all, func(l literal) bool {
		if !always(l, l) {
			return false
		}
		cs = append(cs, l.holds)
		return true
	})
	for i, a := range all {
		for _, b := range all[i+1:] {
			if len(cs) < mostClauses && always(a, b) {
				if c := x.pool.Lor(a.holds, b.holds); !c.IsConst() {
					cs = append(cs, c)
				}
			}
		}
	}
	return cs
}
