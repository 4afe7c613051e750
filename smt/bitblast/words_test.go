package bitblast_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/smt/bitblast"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

// Words that are widened, or constant, have smaller circuits: their values are those of evaluation, for all
// operands of few bits.
func TestNarrowOperandsOfWideOperators(t *testing.T) {
	ops := []expr.Op{expr.Add, expr.Sub, expr.Mul, expr.Div, expr.Rem, expr.Neg, expr.Eq, expr.Lt}
	for seed := range rounds(t, 200) {
		r := rand.New(rand.NewPCG(seed, 31))
		p := expr.NewPool()
		s := bitblast.New(p)
		narrow := func() expr.Type { return expr.Type{Width: uint8(1 + r.IntN(4)), Signed: r.IntN(2) == 0} }
		typ := expr.Type{Width: uint8(2 + r.IntN(63)), Signed: r.IntN(2) == 0}
		x, y := p.Var("x", narrow()), p.Var("y", narrow())
		a, b := p.Cast(typ, x), p.Cast(typ, y)
		switch r.IntN(5) {
		case 0:
			b = p.Const(typ, operand(r, typ))
		case 1:
			a = p.Const(typ, operand(r, typ))
		case 2:
			b = a
		case 3:
			a = p.Var("z", typ)
		}
		op := ops[r.IntN(len(ops))]
		e := p.Neg(a)
		if op != expr.Neg {
			e = p.Apply(op, typ, a, b)
		}
		result := p.Var("result", e.Type())
		is := p.Eq(result, e) // so that no rule for constants applies
		for v := range uint64(1) << (x.Type().Width + y.Type().Width) {
			values := map[*expr.Expr]uint64{x: x.Type().Trunc(v), y: y.Type().Trunc(v >> x.Type().Width),
				p.Var("z", typ): operand(r, typ)}
			fixed := []*expr.Expr{is}
			for _, w := range expr.Vars(e) {
				fixed = append(fixed, p.Eq(w, p.Const(w.Type(), values[w])))
			}
			want := p.Const(e.Type(), expr.Eval(e, func(v *expr.Expr) uint64 { return values[v] }))
			require.Equal(t, solver.Sat, solvertest.Query(t, s, nil, append(fixed, p.Eq(result, want))), "seed %d: %v", seed, e)
			require.Equal(t, solver.Unsat, solvertest.Query(t, s, nil, append(fixed, p.Ne(result, want))),
				"seed %d: %v", seed, e)
		}
	}
}

// Squares, and products with constants, of up to 7 bits.
func TestProductsExhaustively(t *testing.T) {
	sample.Long(t)
	for width := uint8(1); width <= 7; width++ {
		typ := expr.Type{Width: width}
		p := expr.NewPool()
		s := bitblast.New(p)
		x, y := p.Var("x", typ), p.Var("y", typ)
		terms := []*expr.Expr{p.Mul(x, x)}
		for k := range uint64(1) << width {
			terms = append(terms, p.Mul(x, p.Const(typ, k)), p.Div(x, p.Const(typ, k)), p.Rem(x, p.Const(typ, k)))
		}
		for _, e := range terms {
			for v := range min(typ.Mask()+1, 32) {
				v = typ.Trunc(v * 37)
				want := p.Const(typ, expr.Eval(e, func(*expr.Expr) uint64 { return v }))
				fixed := []*expr.Expr{p.Eq(x, p.Const(typ, v)), p.Eq(y, e)}
				require.Equal(t, solver.Unsat, solvertest.Query(t, s, nil, append(fixed, p.Ne(y, want))), "%v for %d", e, v)
				require.Equal(t, solver.Sat, solvertest.Query(t, s, nil, append(fixed, p.Eq(y, want))), "%v for %d", e, v)
			}
		}
	}
}
