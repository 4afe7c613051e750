package engine

import (
	"context"
	"slices"

	"magus/param"
	"magus/param/linear"
)

// Idea: a sum u·x with u ≥ 0 that no rule can make larger, and that is bounded in the beginning, is never
// larger than that bound. A point whose sum is larger cannot be reached, nor can anything above it. Such a
// sum is found by a linear program for a given point, and kept for all later ones.
// Source: J. Esparza, R. Ledesma-Garza, R. Majumdar, P. Meyer, F. Niksic, An SMT-based approach to
// coverability analysis, CAV 2014 (the dual of the marking equation).
// Deviation: rules may be any affine functions with coefficients that are not negative.
// Cost: a linear program; where it finds nothing several times, the next points are not asked.

// maxPause is the longest row of points that are not asked.
const maxPause = 64

// invariants are sums that never grow.
type invariants struct {
	n     int
	found []linear.Atom // u·x ≤ k
	high  [][]int64     // of each initial cube, the largest value of each dimension; -1 if there is none
	rows  []linear.Atom // what u must satisfy
	fixed []bool        // u is 0 there
	pause int
	wait  int
	asked int // how many linear programs
}

func newInvariants(sys *param.System) *invariants {
	n := len(sys.Dims)
	v := &invariants{n: n, fixed: make([]bool, n), rows: sys.Decreasing()}
	for _, c := range sys.Init {
		high := slices.Repeat([]int64{-1}, n)
		for _, a := range c.Atoms {
			if d, k, ok := upperBound(a); ok && (high[d] < 0 || k < high[d]) {
				high[d] = k
			}
		}
		for d, k := range high {
			v.fixed[d] = v.fixed[d] || k < 0
		}
		v.high = append(v.high, high)
	}
	return v
}

// exclude reports whether an invariant shows that nothing above a point can be reached.
func (v *invariants) exclude(ctx context.Context, low []int64) bool {
	for _, a := range v.found {
		if !a.Holds(low) {
			return true
		}
	}
	if v.wait > 0 {
		v.wait--
		return false
	}
	v.asked++
	a, ok := v.search(ctx, low)
	if !ok {
		v.pause = min(2*v.pause+1, maxPause)
		v.wait = v.pause
		return false
	}
	v.found, v.pause = append(v.found, a), 0
	return true
}

// search solves the linear program for a point.
func (v *invariants) search(ctx context.Context, low []int64) (linear.Atom, bool) {
	rows := slices.Clone(v.rows)
	for _, high := range v.high { // u·(low - high) ≥ 1
		r := linear.Atom{Coef: make([]int64, v.n), Bound: -1}
		for d, k := range low {
			if !v.fixed[d] {
				r.Coef[d] = high[d] - k
			}
		}
		rows = append(rows, r)
	}
	for d, fixed := range v.fixed {
		if fixed {
			for i := range rows {
				if rows[i].Coef[d] != 0 {
					rows[i].Coef = slices.Clone(rows[i].Coef)
					rows[i].Coef[d] = 0
				}
			}
		}
	}
	u, ok := linear.Cheapest(ctx, v.n, rows, slices.Repeat([]int64{1}, v.n))
	if !ok {
		return linear.Atom{}, false
	}
	a := linear.Atom{Coef: u}
	for d, fixed := range v.fixed {
		if fixed {
			a.Coef[d] = 0
		}
	}
	for _, high := range v.high {
		sum := int64(0)
		for d, k := range a.Coef {
			if k > 0 {
				sum += k * high[d]
			}
		}
		a.Bound = max(a.Bound, sum)
	}
	return a, !a.Holds(low)
}
