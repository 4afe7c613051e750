package expr_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/expr"
)

// TestLimits: of the bounds of one term a conjunction keeps the strongest and a disjunction the weakest, at the edges
// of a type too, and each has the value that its operands give.
func TestLimits(t *testing.T) {
	for _, typ := range []expr.Type{{Width: 3}, {Width: 3, Signed: true}} {
		p := expr.NewPool()
		x := p.Var("x", typ)
		var limits []*expr.Expr
		for k := range uint64(8) {
			if below := p.Lt(x, p.Const(typ, k)); below.Op() == expr.Lt { // others are equations
				limits = append(limits, below, p.Not(below))
			}
		}
		require.Len(t, limits, 10)
		most := 0
		for _, a := range limits {
			for _, b := range limits {
				for _, c := range limits {
					and, or := p.Land(a, b, c), p.Lor(a, b, c)
					most = max(most, len(and.Args()), len(or.Args()))
					for v := range uint64(8) {
						value := func(*expr.Expr) uint64 { return v }
						of := func(e *expr.Expr) bool { return expr.Eval(e, value) == 1 }
						require.Equal(t, of(a) && of(b) && of(c), of(and), "%v, %v, %v: %v", a, b, c, and)
						require.Equal(t, of(a) || of(b) || of(c), of(or), "%v, %v, %v: %v", a, b, c, or)
					}
				}
			}
		}
		require.Equal(t, 2, most, "operands that stay")
	}
}

// TestLimitsDecide: a number that is cut off at a bound is below each greater one.
func TestLimitsDecide(t *testing.T) {
	p := expr.NewPool()
	n := p.Var("n", expr.Uint64)
	last := p.Const(expr.Uint64, 79)
	cut := p.Ite(p.Lt(n, last), n, last)
	require.True(t, p.Lt(cut, p.Const(expr.Uint64, 80)).IsTrue())
	require.True(t, p.Lt(cut, p.Const(expr.Uint64, 96)).IsTrue())
	require.False(t, p.Lt(cut, last).IsConst())
}
