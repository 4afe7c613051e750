package linear

import (
	"context"
	"slices"
)

// Empty reports whether the conjunction is known to have no solution.
func Empty(atoms []Atom) bool {
	if len(atoms) == 0 {
		return false
	}
	_, _, empty := Solve(len(atoms[0].Coef), atoms)
	return empty
}

// Minimum is a lower bound of each variable over the conjunction, rounded up to an integer; 0 where
// nothing better is known. Points are some of the conjunction; it returns them with those that it finds.
func Minimum(n int, atoms []Atom, points []Vertex) ([]int64, []Vertex) {
	low := make([]int64, n)
	cost := make([]int64, n)
	for i := range low {
		// Only atoms with a negative coefficient bound a variable from below.
		bounds := func(a Atom) bool { return a.Coef[i] < 0 }
		zero := func(v Vertex) bool { return v.Num[i] == 0 }
		if !slices.ContainsFunc(atoms, bounds) || slices.ContainsFunc(points, zero) {
			continue
		}
		cost[i] = 1
		if d, err := newDictionary(n, atoms, cost); err == nil {
			if row, err := d.solve(); err == nil && row < 0 {
				low[i] = -floorDiv(-d.cells[len(d.cells)-1][0], d.den)
				points = append(points, d.vertex())
			}
		}
		cost[i] = 0
	}
	return low, points
}

// quickEmpty finds atoms that no natural numbers satisfy.
func quickEmpty(atoms []Atom) bool {
	for _, a := range atoms {
		if a.Bound < 0 && !anyNegative(a.Coef) {
			return true
		}
	}
	return false
}

func anyNegative(coef []int64) bool {
	return slices.ContainsFunc(coef, func(c int64) bool { return c < 0 })
}

// Point is a solution of the conjunction in natural numbers, with a small sum, found by branching on
// fractions; ok is false if none was found, for whatever reason.
func Point(ctx context.Context, n int, atoms []Atom) (x []int64, ok bool) {
	if len(atoms) == 0 {
		return make([]int64, n), true
	}
	cost := make([]int64, n)
	for i := range cost {
		cost[i] = 1
	}
	tries := 2000
	var find func(atoms []Atom) ([]int64, bool)
	find = func(atoms []Atom) ([]int64, bool) {
		if tries--; tries < 0 || ctx.Err() != nil || quickEmpty(atoms) {
			return nil, false
		}
		d, err := newDictionary(n, atoms, cost)
		if err != nil {
			return nil, false
		}
		if row, err := d.solve(); err != nil || row >= 0 {
			return nil, false
		}
		x := make([]int64, n)
		for i := range x {
			v := d.value(i)
			if v%d.den == 0 {
				x[i] = v / d.den
				continue
			}
			k := floorDiv(v, d.den)
			if x, ok := find(append(atoms[:len(atoms):len(atoms)], AtMost(n, i, k))); ok {
				return x, true
			}
			return find(append(atoms[:len(atoms):len(atoms)], AtLeast(n, i, k+1)))
		}
		return x, true
	}
	return find(atoms)
}

// Cheapest is a multiple, in whole numbers, of a rational solution with the least cost; costs are not
// negative. It is for conjunctions that stay true when all variables are multiplied by a number of at
// least 1. ok is false if none was found: there is none, numbers became too large, ctx ended, or it would take more
// than [maxPivoted] cells.
func Cheapest(ctx context.Context, n int, atoms []Atom, cost []int64) (x []int64, ok bool) {
	d, err := newDictionary(n, atoms, cost)
	if err != nil {
		return nil, false
	}
	if row, err := d.solveWithin(ctx, maxPivoted); err != nil || row >= 0 {
		return nil, false
	}
	x = make([]int64, n)
	g := int64(0)
	for i := range x {
		x[i] = d.value(i)
		g = gcd(g, x[i])
	}
	if g == 0 {
		return x, true
	}
	for i := range x {
		x[i] /= g
	}
	return x, true
}
