package bitblast

import (
	"context"
	"math/rand/v2"
	"testing"

	"magus/smt/expr"
	"magus/smt/softfloat"
	"magus/smt/solver"

	"github.com/stretchr/testify/require"
)

// TestRemaindersAreRefined asks of all operands of tiny formats whether a remainder, whose circuit is for few steps at
// first, is what software arithmetic says, and whether it can be anything else.
func TestRemaindersAreRefined(t *testing.T) {
	for _, f := range []softfloat.Format{{Exp: 3, Prec: 2}, {Exp: 2, Prec: 3}} {
		for _, steps := range []int{0, 2} {
			p, typ := expr.NewPool(), expr.FloatType(f)
			x, y := p.Var("x", typ), p.Var("y", typ)
			s := New(p)
			s.b.steps = steps
			for a := range uint64(1) << f.Width() {
				for b := range uint64(1) << f.Width() {
					mod, _ := f.Mod(a, b)
					rem, _ := f.Rem(a, b)
					is := p.Land(p.Eq(x, p.Const(typ, a)), p.Eq(y, p.Const(typ, b)))
					right := p.Land(p.Eq(p.FMod(x, y), p.Const(typ, mod)), p.Eq(p.FRem(x, y), p.Const(typ, rem)))
					require.Equal(t, solver.Sat, decide(t, s, is, right), "%v %#x %#x", f, a, b)
					require.Equal(t, solver.Unsat, decide(t, s, is, p.Not(right)), "%v %#x %#x", f, a, b)
				}
			}
		}
	}
}

// TestRemaindersOfUnknownNumbers asks for operands of a remainder of doubles.
func TestRemaindersOfUnknownNumbers(t *testing.T) {
	p := expr.NewPool()
	x, y := p.Var("x", expr.Float64), p.Var("y", expr.Float64)
	zero := p.Const(expr.Float64, 0)
	r := p.FMod(x, y)
	s := New(p)
	number := p.Not(p.FIsNaN(r))
	require.Equal(t, solver.Unsat, decide(t, s, number, p.FLe(p.FAbs(y), p.FAbs(r))))
	require.Equal(t, solver.Unsat, decide(t, s, p.FIsFinite(x), p.Not(number), p.Not(p.FEq(y, zero)), p.FEq(y, y)))
	require.Equal(t, solver.Unsat, decide(t, s, p.FEq(x, zero), p.FIsFinite(y), p.FLt(zero, y), p.Not(p.Eq(r, x))))
	far := p.FLe(p.Const(expr.Float64, 0x7000000000000000), x)
	require.Equal(t, solver.Sat, decide(t, s, far, p.FEq(y, p.Const(expr.Float64, 0x4008000000000000)), number,
		p.FLt(zero, r)))
	want, _ := softfloat.Double.Mod(s.Value(x), s.Value(y))
	require.True(t, softfloat.Double.IsFinite(want))
	require.NotZero(t, want)
	q := p.FRem(x, y)
	twice := p.FAdd(p.Rounding(softfloat.NearestEven), q, q)
	require.Equal(t, solver.Unsat, decide(t, s, p.FIsFinite(y), p.FLt(p.FAbs(y), p.FAbs(twice))))
}

// TestRandomRemaindersOfDoubles asks for the results of given operands.
func TestRandomRemaindersOfDoubles(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	p := expr.NewPool()
	x, y := p.Var("x", expr.Float64), p.Var("y", expr.Float64)
	s := New(p)
	for range 30 {
		a, b := boundary(r, softfloat.Double), boundary(r, softfloat.Double)
		mod, _ := softfloat.Double.Mod(a, b)
		is := p.Land(p.Eq(x, p.Const(x.Type(), a)), p.Eq(y, p.Const(y.Type(), b)))
		if len(s.b.lazy) > 0 {
			s.b.lazy[0].points = 0 // the rest of the circuit is large
		}
		require.Equal(t, solver.Unsat, decide(t, s, is, p.Not(p.Eq(p.FMod(x, y), p.Const(x.Type(), mod)))))
		require.Equal(t, solver.Sat, decide(t, s, is, p.Eq(p.FMod(x, y), p.Const(x.Type(), mod))))
	}
}

func decide(t *testing.T, s *Solver, conditions ...*expr.Expr) solver.Result {
	t.Helper()
	r, err := s.Check(context.Background(), conditions...)
	require.NoError(t, err)
	return r
}
