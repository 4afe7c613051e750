package param

import (
	"context"
	"slices"

	"magus/param/linear"
)

// Idea: a local state that never holds more than one process (a monitor, the holder of a lock) is
// control, like a boolean: configurations are comparable only if they agree on it, which keeps much from
// being forgotten. Such bounds are linear: a sum with coefficients that are not negative, that no rule
// makes larger and that is small in the beginning. For every name a linear program looks for the sum that
// bounds it best.
// Source: place invariants of Petri nets, K. Lautenbach, Liveness in Petri nets, 1975; used here as facts
// that a proof has to state.
// Deviation: a constant update of a name whose old value the guard fixes is read as a change by the
// difference. A parameter that has one value only is control as well, that is, a constant.
// Cost: a linear program for each name.

// smallBound is the largest bound that makes a name control.
const smallBound = 1

// maxBoundedNames ends the search for bounds in models that are too large for it.
const maxBoundedNames = 150

// bounded finds names that have few values, with the facts that say so.
func bounded(ctx context.Context, m *Model) (few []span, facts []Formula, err error) {
	few = make([]span, len(m.Names))
	if len(m.Names) > maxBoundedNames {
		return few, nil, nil
	}
	raw, err := compile(ctx, m, make([]span, len(m.Names)))
	if err != nil {
		return nil, nil, err
	}
	for d, name := range raw.Dims {
		if m.Names[name].Kind != Parameter {
			continue
		}
		if k, ok := raw.constant(d); ok {
			few[name] = span{k, 1}
			facts = append(facts, Compare{Eq, Variable(name), Linear{Const: k}})
		}
	}
	sums, err := raw.sums(ctx, few)
	return few, append(facts, sums...), err
}

// constant is the only value of a parameter.
func (s *System) constant(d int) (k int64, ok bool) {
	for i, c := range s.Init {
		v, fixed := fixedBy(c.Atoms, d)
		if !fixed || i > 0 && v != k {
			return 0, false
		}
		k = v
	}
	return k, len(s.Init) > 0
}

// sums finds names that are at most smallBound, by sums with coefficients that are not negative and that
// are never larger than their bounds.
func (s *System) sums(ctx context.Context, few []span) (facts []Formula, err error) {
	n := len(s.Dims)
	rows := s.Decreasing()
	high := s.largest()
	for d, k := range high {
		if k < 0 { // not bounded: not in the sum
			rows = append(rows, linear.AtMost(n, d, 0))
		}
	}
	cost := make([]int64, n)
	for d, k := range high {
		cost[d] = max(k, 0)
	}
	var found [][]int64
	for d, name := range s.Dims {
		if s.Model.Names[name].Kind == Parameter || high[d] < 0 || high[d] > smallBound {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		u, ok := linear.Cheapest(ctx, n, append(slices.Clip(rows), linear.AtLeast(n, d, 1)), cost)
		if !ok {
			continue
		}
		sum, bound := Linear{}, int64(0)
		for i, k := range u {
			if k != 0 {
				sum.Terms = append(sum.Terms, Term{s.Dims[i], k})
				bound += k * cost[i]
			}
		}
		if bound/u[d] <= smallBound {
			few[name] = span{0, smallBound + 1}
			if !slices.ContainsFunc(found, func(v []int64) bool { return slices.Equal(u, v) }) {
				found = append(found, u)
				facts = append(facts, Compare{Le, sum, Linear{Const: bound}})
			}
		}
	}
	return facts, nil
}

// largest is the largest value of each dimension in the beginning, or -1.
func (s *System) largest() []int64 {
	high := make([]int64, len(s.Dims))
	for _, c := range s.Init {
		for d := range high {
			k := int64(-1)
			for _, a := range c.Atoms {
				only := a.Coef[d] == 1
				for i, coef := range a.Coef {
					only = only && (i == d || coef == 0)
				}
				if only && (k < 0 || a.Bound < k) {
					k = a.Bound
				}
			}
			if k < 0 || high[d] < 0 {
				high[d] = -1
			} else {
				high[d] = max(high[d], k)
			}
		}
	}
	return high
}

// Decreasing are the conditions on coefficients u ≥ 0 under which no case makes u·x larger.
func (s *System) Decreasing() []linear.Atom {
	n := len(s.Dims)
	var rows []linear.Atom
	add := func(coef []int64) {
		a := linear.Atom{Coef: coef}
		if slices.ContainsFunc(coef, func(c int64) bool { return c > 0 }) && !slices.ContainsFunc(rows, a.Equal) {
			rows = append(rows, a)
		}
	}
	for _, c := range s.Cases {
		change := make([]int64, n) // what constants add
		columns := make([][]int64, n)
		column := func(j int) []int64 {
			if columns[j] == nil {
				columns[j] = make([]int64, n)
			}
			return columns[j]
		}
		for _, d := range c.Moves {
			u := c.Update[d]
			if old, ok := fixedBy(c.Guard.Atoms, d); ok && !slices.ContainsFunc(u.Coef, func(k int64) bool { return k != 0 }) {
				change[d] = u.Const - old
				continue
			}
			change[d] = u.Const
			column(d)[d]--
			for j, k := range u.Coef {
				if k != 0 {
					column(j)[d] += k
				}
			}
		}
		add(change)
		for _, col := range columns {
			if col != nil {
				add(col)
			}
		}
	}
	return rows
}

// fixedBy is the only value that atoms leave to a dimension, if they say so directly.
func fixedBy(atoms []linear.Atom, d int) (int64, bool) {
	low, high := int64(0), int64(-1)
	for _, a := range atoms {
		only := a.Coef[d] != 0
		for i, c := range a.Coef {
			only = only && (i == d || c == 0)
		}
		switch {
		case !only:
		case a.Coef[d] == 1 && (high < 0 || a.Bound < high):
			high = a.Bound
		case a.Coef[d] == -1:
			low = max(low, -a.Bound)
		}
	}
	return low, low == high
}

// Fixed is the only value that the guard leaves to a dimension, if it says so directly.
func (c *Case) Fixed(d int) (int64, bool) { return fixedBy(c.Guard.Atoms, d) }
