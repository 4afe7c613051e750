package boxes_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"magus/smt/boxes"
	"magus/smt/expr"
	"magus/smt/softfloat"
	"magus/smt/solver"
	"magus/smt/solvertest"

	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

// TestAgainstBruteForce tries out all values of tiny formats. Cores contradict each other.
func TestAgainstBruteForce(t *testing.T) {
	sample.Long(t)
	formats := []softfloat.Format{{Exp: 2, Prec: 3}, {Exp: 3, Prec: 3}, {Exp: 3, Prec: 2}}
	r := rand.New(rand.NewPCG(1, 9))
	counts := map[solver.Result]int{}
	for range 3000 {
		g := solvertest.NewFloats(r, 2, 4, formats[r.IntN(3)], formats[r.IntN(3)])
		var cs []*expr.Expr
		for range 1 + r.IntN(5) {
			cs = append(cs, g.Cond(r.IntN(4)))
		}
		a := boxes.Decide(context.Background(), cs, 400)
		counts[a.Result]++
		switch a.Result {
		case solver.Sat:
			require.True(t, solvertest.AllHold(cs, func(v *expr.Expr) uint64 { return a.Model[v] }), "%v", cs)
		case solver.Unsat:
			var core []*expr.Expr
			for _, i := range a.Core {
				core = append(core, cs[i])
			}
			require.False(t, solvertest.Satisfiable(core), "%v of %v", core, cs)
		}
	}
	t.Log(counts)
	require.Greater(t, counts[solver.Sat], 500)
	require.Greater(t, counts[solver.Unsat], 500)
}

// TestPolynomial: circuits of these products take minutes.
func TestPolynomial(t *testing.T) {
	p := expr.NewPool()
	x, rne := p.Var("x", expr.Float32), p.Rounding(softfloat.NearestEven)
	c := func(text string) *expr.Expr {
		v, _, err := softfloat.Single.Parse(text, softfloat.NearestEven)
		require.NoError(t, err)
		return p.Const(expr.Float32, v)
	}
	mul := func(a, b *expr.Expr) *expr.Expr { return p.FMul(rne, a, b) }
	cube := mul(mul(x, x), x)
	sine := p.FAdd(rne, p.FSub(rne, x, p.FDiv(rne, cube, c("6"))), p.FDiv(rne, mul(mul(cube, x), x), c("120")))
	in := p.Land(p.FLt(c("-1.57"), x), p.FLt(x, c("1.57")))
	for _, test := range []struct {
		bound string
		want  solver.Result
	}{{"1.1", solver.Unsat}, {"0.99", solver.Sat}} {
		a := boxes.Decide(context.Background(), []*expr.Expr{in, p.FLt(c(test.bound), sine)}, 2000)
		require.Equal(t, test.want, a.Result)
	}
}

// TestIntegers: what is an integer, and below 100, is at most 99; so one more is at most 100.
func TestIntegers(t *testing.T) {
	p := expr.NewPool()
	x, rne := p.Var("x", expr.Float64), p.Rounding(softfloat.NearestEven)
	c := func(text string) *expr.Expr {
		v, _, err := softfloat.Double.Parse(text, softfloat.NearestEven)
		require.NoError(t, err)
		return p.Const(expr.Float64, v)
	}
	y := p.Var("y", expr.Float64)
	in := []*expr.Expr{p.FLe(c("0"), x), p.FLt(x, c("100")), p.FLe(c("0"), y), p.FLt(y, c("100"))}
	sum := p.FAdd(rne, x, y)
	integral := func(v *expr.Expr) *expr.Expr { return p.FEq(v, p.FRound(rne, v)) }
	for _, test := range []struct {
		conditions []*expr.Expr
		want       solver.Result
	}{
		{append(in, integral(x), integral(y), p.FLt(c("198"), sum)), solver.Unsat},
		{append(in, integral(x), integral(y), p.FEq(sum, c("2.5"))), solver.Unsat},
		{append(in, integral(x), p.FLt(c("198"), sum)), solver.Sat},
	} {
		a := boxes.Decide(context.Background(), test.conditions, 40)
		require.Equal(t, test.want, a.Result)
	}
}
