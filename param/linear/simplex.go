package linear

import (
	"context"
	"errors"
	"math"
)

// Idea: the dual simplex method on a dictionary. Every basic variable is written as a combination of
// the others; the objective has costs that are not negative, so the dictionary of the slack
// variables is dual feasible from the beginning and no first phase is needed. Either all constants
// become non-negative, which is the minimum, or a row shows that there is no solution.
// Source: G. B. Dantzig, Linear Programming and Extensions, 1963; C. E. Lemke, The dual method of
// solving the linear programming problem, 1954; the choice of the pivot follows R. G. Bland, New
// finite pivoting rules for the simplex method, 1977, and so ends.
// Deviations: numbers are integers with one common denominator, as in J. Edmonds, Systems of distinct
// representatives and linear algebra, 1967: every entry is a determinant of the input, and every
// division is exact.
// Cost: a pivot is rows × columns; there are few pivots in practice.

// errOverflow says that numbers became too large.
var errOverflow = errors.New("linear: numbers too large")

// A dictionary has a row for each basic variable: den·basic = cell[0] + Σ cell[1+j]·nonbasic[j]. The
// last row is the objective, which is to be minimal. Variables are numbered: first the n unknowns,
// then the slack of each constraint.
// Invariant: den > 0; the costs, cells 1… of the last row, are ≥ 0.
type dictionary struct {
	cells    [][]int64
	basic    []int // of each row but the last
	nonbasic []int // of each column but the first
	den      int64
}

// newDictionary is for unknowns ≥ 0 under atoms, with costs ≥ 0; nil costs are zero.
func newDictionary(n int, atoms []Atom, cost []int64) (*dictionary, error) {
	d := &dictionary{cells: make([][]int64, len(atoms)+1), basic: make([]int, len(atoms)),
		nonbasic: make([]int, n), den: 1}
	all := make([]int64, (len(atoms)+1)*(n+1))
	for r := range d.cells {
		d.cells[r], all = all[:n+1:n+1], all[n+1:]
	}
	for r, a := range atoms {
		row := d.cells[r]
		row[0] = a.Bound
		if tooLarge(a.Bound) {
			return nil, errOverflow
		}
		for j, c := range a.Coef {
			if tooLarge(c) {
				return nil, errOverflow
			}
			row[1+j] = -c
		}
		d.basic[r] = n + r
	}
	copy(d.cells[len(atoms)][1:], cost)
	for j := range d.nonbasic {
		d.nonbasic[j] = j
	}
	return d, nil
}

// solve pivots until the dictionary is optimal, when it returns -1, or until a row has a negative
// constant and no positive cell, which has no solution; it returns that row.
func (d *dictionary) solve() (row int, err error) {
	return d.solveWithin(context.Background(), math.MaxInt)
}

// maxPivoted is how many cells a linear program that is only a try may compute: less than half a second.
const maxPivoted = 1 << 26

// errLong says that a linear program takes too long.
var errLong = errors.New("linear: too many pivots")

// solveWithin is solve with a bound for the cells that pivots compute. The error may be that ctx ended.
func (d *dictionary) solveWithin(ctx context.Context, cells int) (row int, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if cells -= len(d.basic) * len(d.nonbasic); cells < 0 {
			return 0, errLong
		}
		r := d.leaving()
		if r < 0 {
			return -1, nil
		}
		c := d.entering(r)
		if c < 0 {
			return r, nil
		}
		if err := d.pivot(r, c); err != nil {
			return 0, err
		}
	}
}

// leaving is the row with a negative constant whose variable has the smallest number, or -1.
func (d *dictionary) leaving() int {
	best := -1
	for r, v := range d.basic {
		if d.cells[r][0] < 0 && (best < 0 || v < d.basic[best]) {
			best = r
		}
	}
	return best
}

// entering is the column with a positive cell in row r and the least cost for it; of equal ones that
// whose variable has the smallest number; or -1.
func (d *dictionary) entering(r int) int {
	row, cost := d.cells[r], d.cells[len(d.cells)-1]
	best := -1
	for j := range d.nonbasic {
		if row[1+j] <= 0 {
			continue
		}
		if best < 0 {
			best = j
			continue
		}
		x, y := cost[1+j]*row[1+best], cost[1+best]*row[1+j]
		if x < y || x == y && d.nonbasic[j] < d.nonbasic[best] {
			best = j
		}
	}
	return best
}

// pivot makes the variable of column c basic and that of row r nonbasic. The cell is positive.
func (d *dictionary) pivot(r, c int) error {
	c++
	row := d.cells[r]
	p := row[c] // den·b = … + p·x, so p·x = den·b - …
	for i, other := range d.cells {
		if i == r {
			continue
		}
		f := other[c]
		if f == 0 && p == d.den {
			continue
		}
		for j := range other {
			v := other[j] * p
			if j != c {
				v -= f * row[j]
				v /= d.den
			} else {
				v = f
			}
			if tooLarge(v) {
				return errOverflow
			}
			other[j] = v
		}
	}
	for j := range row {
		row[j] = -row[j]
	}
	row[c] = d.den
	d.den = p
	d.basic[r], d.nonbasic[c-1] = d.nonbasic[c-1], d.basic[r]
	return nil
}

// value of a variable in the dictionary, as a numerator over den.
func (d *dictionary) value(v int) int64 {
	for r, b := range d.basic {
		if b == v {
			return d.cells[r][0]
		}
	}
	return 0
}
