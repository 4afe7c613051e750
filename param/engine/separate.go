package engine

import (
	"magus/param/dbm"
	"magus/param/linear"
)

// Idea: two matrices have no common point if and only if the graph of all their bounds has a cycle of
// negative weight. What the first matrix contributes to the cycle is implied by it and excludes the
// second. A cycle of two bounds gives one bound, and may leave a choice of its constant; the smallest
// constants say the most of relations between variables, so they are tried first.
// Source: R. Jhala and K. L. McMillan, A practical and complete approach to predicate refinement, TACAS
// 2006 (split prover for difference bounds, constants bounded step by step).
// Cost: n² for cycles of two, n³ otherwise.

// separate returns bounds that a implies and whose conjunction has no point in b.
func (d *bounds) separate(a, b *dbm.Matrix) []linear.Atom {
	n := a.Vars() + 1
	best, cost := dbm.Bound{}, -1
	for i := range n {
		for j := range n {
			x, y := a.At(i, j), b.At(j, i)
			if i == j || x == dbm.Inf || y == dbm.Inf || x+y >= 0 {
				continue
			}
			c := max(x, min(0, -y-1)) // the constant nearest to 0 within x … -y-1
			w := constantWeight * int(max(c, -c))
			if i > 0 && j > 0 {
				w++
			}
			if cost < 0 || w < cost {
				best, cost = dbm.Bound{I: i, J: j, C: c}, w
			}
		}
	}
	if cost >= 0 {
		return []linear.Atom{d.atom(best)}
	}
	var atoms []linear.Atom
	for _, bd := range cycle(a, b) {
		atoms = append(atoms, d.atom(bd))
	}
	return atoms
}

// constantWeight is what a unit of the constant costs against a second variable.
const constantWeight = 2

// cycle are the bounds of a on a negative cycle of bounds of both.
func cycle(a, b *dbm.Matrix) []dbm.Bound {
	n := a.Vars() + 1
	weight, via := make([]int64, n*n), make([]int, n*n)
	for i := range n {
		for j := range n {
			weight[i*n+j] = int64(min(a.At(i, j), b.At(i, j)))
			via[i*n+j] = -1
		}
	}
	const inf = int64(dbm.Inf)
	for k := range n {
		for i := range n {
			for j := range n {
				x, y := weight[i*n+k], weight[k*n+j]
				if x == inf || y == inf || x+y >= weight[i*n+j] {
					continue
				}
				weight[i*n+j], via[i*n+j] = x+y, k
				if i == j {
					var out []dbm.Bound
					collect(i, j, n, via, 0, func(i, j int) {
						if a.At(i, j) <= b.At(i, j) {
							out = append(out, dbm.Bound{I: i, J: j, C: a.At(i, j)})
						}
					})
					return out
				}
			}
		}
	}
	return nil
}

// collect visits the edges of the path from i to j.
func collect(i, j, n int, via []int, depth int, edge func(i, j int)) {
	if k := via[i*n+j]; k >= 0 && depth < n*n {
		collect(i, k, n, via, depth+1, edge)
		collect(k, j, n, via, depth+1, edge)
	} else if i != j {
		edge(i, j)
	}
}
