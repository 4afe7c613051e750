package invariants

// Linear equations modulo 2ʷ.
//
// Idea: the points that satisfy some equations a·x = b modulo 2ʷ are one of them, and sums of
// multiples of a few directions added to it. So the smallest such set that has some given points is
// the first of them with the differences of the others to it. Its equations are the
// vectors on which all differences vanish. They are found by elimination: the entry with the
// fewest factors 2 divides all others, whatever its odd part is, so it clears its row
// and its column. What is left is a diagonal; an entry 2ᵛ on it vanishes on multiples of 2ʷ⁻ᵛ.
// That a number is even is such an equation as well: 2ʷ⁻¹·x = 0.
//
// Source: Müller-Olm, Seidl: Analysis of Modular Arithmetic, TOPLAS 29 (2007); that points may come
// from a decision procedure: King, Søndergaard: Inferring Congruence Equations Using SAT, CAV 2008. Deviations:
// the equations are computed anew when they are asked for.
//
// Cost: of the equations, (variables + points)³.

import (
	"math/bits"
	"slices"

	"magus/smt/expr"
)

// A Hull is a set of points given by linear equations. The zero value is no use.
type Hull struct {
	pool  *expr.Pool
	typ   expr.Type // unsigned, of the width of all variables
	vars  []*expr.Expr
	first []uint64   // a point; nil if there is none yet
	rows  [][]uint64 // directions
	eqs   []equation
}

// An equation is coefficients·x = sum.
type equation struct {
	coefficients []uint64
	sum          uint64
}

// NewHull is the empty set of values of variables, which have one width.
func NewHull(p *expr.Pool, vars []*expr.Expr) *Hull {
	return &Hull{pool: p, typ: expr.Type{Width: vars[0].Type().Width}, vars: vars}
}

// Empty reports whether the set has no point.
func (h *Hull) Empty() bool { return h.first == nil }

// Add has the set grow to a point, and reports whether it did not have it.
func (h *Hull) Add(value func(v *expr.Expr) uint64) bool {
	point := make([]uint64, len(h.vars))
	for i, v := range h.vars {
		point[i] = value(v)
	}
	if h.first == nil {
		h.first = point
		h.solve()
		return true
	}
	if h.has(point) {
		return false
	}
	for i := range point {
		point[i] = h.typ.Trunc(point[i] - h.first[i])
	}
	h.rows = append(h.rows, point)
	h.solve()
	return true
}

// has reports whether a point is in the set.
func (h *Hull) has(point []uint64) bool {
	return !slices.ContainsFunc(h.eqs, func(e equation) bool { return h.apply(e, point) != e.sum })
}

// apply is the left side of an equation.
func (h *Hull) apply(e equation, point []uint64) uint64 {
	var sum uint64
	for i, c := range e.coefficients {
		sum += c * point[i]
	}
	return h.typ.Trunc(sum)
}

// solve finds the equations of the points.
func (h *Hull) solve() {
	columns, diagonal := h.diagonalize()
	h.eqs = h.eqs[:0]
	for i, c := range columns {
		if i < len(diagonal) {
			if diagonal[i] == 0 { // odd
				continue
			}
			for k := range c {
				c[k] = h.typ.Trunc(c[k] << (uint(h.typ.Width) - diagonal[i]))
			}
		}
		e := equation{coefficients: c}
		e.sum = h.apply(e, h.first)
		h.eqs = append(h.eqs, e)
	}
}

// diagonalize clears rows and columns of the directions, and returns what became of the
// columns of the identity by the same steps, with the factors of 2 in the diagonal that is left.
func (h *Hull) diagonalize() (columns [][]uint64, diagonal []uint) {
	n := len(h.vars)
	rows := make([][]uint64, len(h.rows))
	for i, r := range h.rows {
		rows[i] = slices.Clone(r)
	}
	columns = make([][]uint64, n)
	for i := range columns {
		columns[i] = make([]uint64, n)
		columns[i][i] = 1
	}
	for at := 0; at < min(len(rows), n); at++ {
		r, c, v := h.pivot(rows, at)
		if r < 0 {
			break
		}
		rows[at], rows[r] = rows[r], rows[at]
		for _, row := range rows {
			row[at], row[c] = row[c], row[at]
		}
		columns[at], columns[c] = columns[c], columns[at]
		inverse := odd(rows[at][at] >> v)
		for j := at + 1; j < n; j++ {
			factor := h.typ.Trunc(rows[at][j]>>v) * inverse
			if factor == 0 {
				continue
			}
			for _, row := range rows[at:] {
				row[j] = h.typ.Trunc(row[j] - factor*row[at])
			}
			for k := range columns[j] {
				columns[j][k] = h.typ.Trunc(columns[j][k] - factor*columns[at][k])
			}
		}
		for _, row := range rows[at+1:] {
			row[at] = 0 // by subtracting the row of the pivot, which has nothing else
		}
		diagonal = append(diagonal, v)
	}
	return columns, diagonal
}

// pivot is the entry with the fewest factors 2 from a row and a column on; row -1 if all
// are 0.
func (h *Hull) pivot(rows [][]uint64, from int) (r, c int, v uint) {
	r, v = -1, 64
	for i := from; i < len(rows); i++ {
		for j := from; j < len(h.vars); j++ {
			if x := rows[i][j]; x != 0 && uint(bits.TrailingZeros64(x)) < v {
				r, c, v = i, j, uint(bits.TrailingZeros64(x))
			}
		}
	}
	return r, c, v
}

// odd is the inverse of an odd number modulo 2⁶⁴, by Newton's method.
func odd(x uint64) uint64 {
	y := x
	for range 6 {
		y *= 2 - x*y
	}
	return y
}

// Equations are conditions that all points of the set satisfy, and no others. Of the empty
// set there is one, which never holds.
func (h *Hull) Equations() []*expr.Expr {
	if h.first == nil {
		return []*expr.Expr{h.pool.False()}
	}
	var all []*expr.Expr
	for _, e := range h.eqs {
		all = append(all, h.condition(e))
	}
	return all
}

// condition is an equation as a term. What is subtracted on one side is added on the other.
func (h *Hull) condition(e equation) *expr.Expr {
	p := h.pool
	left, right := p.Const(h.typ, 0), p.Const(h.typ, e.sum)
	for i, c := range e.coefficients {
		if c == 0 {
			continue
		}
		x := p.Cast(h.typ, h.vars[i])
		if minus := h.typ.Trunc(-c); minus < c {
			right = p.Add(right, p.Mul(x, p.Const(h.typ, minus)))
		} else {
			left = p.Add(left, p.Mul(x, p.Const(h.typ, c)))
		}
	}
	return p.Eq(left, right)
}
