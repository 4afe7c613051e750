package contracts

// Equations that samples satisfy.
//
// Idea: a variable may be a sum of multiples of given terms. The multiples are found by elimination over the rational
// numbers from the samples' values; the equation is kept if they are whole numbers, and all samples satisfy it as
// the program computes, modulo 2ʷ.
//
// Source: elimination as in any book. Cost: samples × terms².

import (
	"math/big"

	"magus/smt/expr"
)

// fitRows bounds the samples that the multiples are computed from.
const fitRows = 40

// fit is a sum of multiples of terms that a variable is, or nil. The terms have the variable's type.
func (p *paths) fit(v *expr.Expr, terms []*expr.Expr, samples []sample) *expr.Expr {
	if len(samples) < 3 {
		return nil
	}
	var rows [][]*big.Rat
	for i := range samples[:min(fitRows, len(samples))] {
		value := func(v *expr.Expr) uint64 { return p.sampled(&samples[i], v) }
		row := make([]*big.Rat, len(terms)+1)
		for k, t := range terms {
			row[k] = big.NewRat(v.Type().Sext(expr.Eval(t, value)), 1)
		}
		row[len(terms)] = big.NewRat(v.Type().Sext(value(v)), 1)
		if !v.Type().Signed {
			row = unsigned(v.Type(), row)
		}
		rows = append(rows, row)
	}
	multiples, rank := solve(rows, len(terms))
	if multiples == nil || len(samples) < rank+2 {
		return nil
	}
	sum := p.pool.Const(v.Type(), 0)
	for k, m := range multiples {
		if !m.IsInt() || !m.Num().IsInt64() {
			return nil
		}
		sum = p.pool.Add(sum, p.pool.Mul(terms[k], p.pool.Int(v.Type(), m.Num().Int64())))
	}
	cond := p.pool.Eq(v, sum)
	for i := range samples {
		if !p.satisfies(&samples[i], cond) {
			return nil
		}
	}
	return sum
}

// unsigned are values of a row without signs where they are small enough to differ from others.
func unsigned(t expr.Type, row []*big.Rat) []*big.Rat {
	if t.Width >= 64 {
		return row
	}
	all := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(t.Width)))
	for _, x := range row {
		if half := new(big.Rat).Mul(all, big.NewRat(-1, 4)); x.Cmp(half) < 0 {
			x.Add(x, all)
		}
	}
	return row
}

// satisfies reports whether a condition of a contract holds of a sample.
func (p *paths) satisfies(s *sample, cond *expr.Expr) bool {
	return expr.Eval(cond, func(v *expr.Expr) uint64 { return p.sampled(s, v) }) == 1
}

// solve finds multiples of n columns whose sum is the last one, in all rows; nil if there are none. Rank is how many
// rows say something of their own.
func solve(rows [][]*big.Rat, n int) (multiples []*big.Rat, rank int) {
	var pivots []int
	for c := range n {
		r := rank
		for r < len(rows) && rows[r][c].Sign() == 0 {
			r++
		}
		if r == len(rows) {
			continue
		}
		rows[rank], rows[r] = rows[r], rows[rank]
		eliminate(rows, rank, c)
		pivots = append(pivots, c)
		rank++
	}
	for _, row := range rows[rank:] {
		if row[n].Sign() != 0 {
			return nil, rank
		}
	}
	multiples = make([]*big.Rat, n)
	for c := range multiples {
		multiples[c] = new(big.Rat)
	}
	for r, c := range pivots {
		multiples[c] = rows[r][n]
	}
	return multiples, rank
}

// eliminate makes the entry of a row 1, and those of the others in its column 0.
func eliminate(rows [][]*big.Rat, r, c int) {
	inverse := new(big.Rat).Inv(rows[r][c])
	for k := range rows[r] {
		rows[r][k] = new(big.Rat).Mul(rows[r][k], inverse)
	}
	for i := range rows {
		if i == r || rows[i][c].Sign() == 0 {
			continue
		}
		factor := rows[i][c]
		for k := range rows[i] {
			rows[i][k] = new(big.Rat).Sub(rows[i][k], new(big.Rat).Mul(factor, rows[r][k]))
		}
	}
}
