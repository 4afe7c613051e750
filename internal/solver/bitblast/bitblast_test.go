package bitblast_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/expr"
	"magus/internal/solver"
	"magus/internal/solver/bitblast"
	"magus/internal/solver/solvertest"
)

func open(p *expr.Pool) (solver.Full, error) { return bitblast.New(p), nil }

func TestLaws(t *testing.T) { solvertest.Laws(t, 1, 300, 3, open) }

// TestOperatorsAtAllWidths compares every operator with evaluation at all
// widths: e == Eval(e) is satisfiable and its negation is not, for operands
// fixed by assumptions.
func TestOperatorsAtAllWidths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ops := []expr.Op{expr.Add, expr.Sub, expr.Mul, expr.Div, expr.Rem, expr.Neg, expr.And, expr.Or, expr.Xor, expr.Compl,
		expr.Shl, expr.Shr, expr.Cast, expr.Ite, expr.Eq, expr.Lt}
	for width := 1; width <= 64; width++ {
		for _, signed := range []bool{false, true} {
			typ := expr.Type{Width: uint8(width), Signed: signed}
			p := expr.NewPool()
			s := bitblast.New(p)
			x, y, c := p.Var("x", typ), p.Var("y", typ), p.Var("c", expr.Bool)
			for _, op := range ops {
				for range 4 {
					e := apply(p, r, op, typ, x, y, c)
					a, b, k := operand(r, typ), operand(r, typ), r.Uint64()&1
					want := expr.Eval(e, func(v *expr.Expr) uint64 { return map[*expr.Expr]uint64{x: a, y: b, c: k}[v] })
					fixed := []*expr.Expr{p.Eq(x, p.Const(typ, a)), p.Eq(y, p.Const(typ, b)), p.Eq(c, p.Bool(k == 1))}
					is := p.Eq(e, p.Const(e.Type(), want))
					require.Equal(t, solver.Sat, solvertest.Query(t, s, nil, append(fixed, is)), "%v at %d, %d", e, a, b)
					require.Equal(t, solver.Unsat, solvertest.Query(t, s, nil, append(fixed, p.Not(is))), "%v at %d, %d", e, a, b)
				}
			}
		}
	}
}

func apply(p *expr.Pool, r *rand.Rand, op expr.Op, typ expr.Type, x, y, c *expr.Expr) *expr.Expr {
	switch op {
	case expr.Neg, expr.Compl:
		return p.Apply(op, typ, x)
	case expr.Cast:
		return p.Cast(expr.Type{Width: uint8(1 + r.IntN(64)), Signed: r.IntN(2) == 0}, x)
	case expr.Ite:
		return p.Ite(c, x, y)
	case expr.Mul, expr.Div, expr.Rem, expr.Shl, expr.Shr:
		if r.IntN(2) == 0 {
			y = p.Const(typ, operand(r, typ))
		}
	}
	return p.Apply(op, typ, x, y)
}

// operand draws a value, often a small or an extreme one.
func operand(r *rand.Rand, t expr.Type) uint64 {
	switch r.IntN(4) {
	case 0:
		return t.Trunc(uint64(r.IntN(70)))
	case 1:
		return t.Trunc(-uint64(r.IntN(4)))
	case 2:
		return t.Trunc(t.Min() + uint64(r.IntN(3)) - 1)
	}
	return t.Trunc(r.Uint64())
}

func TestCancelledCheckIsUnknown(t *testing.T) {
	p := expr.NewPool()
	s := bitblast.New(p)
	x := p.Var("x", expr.Int32)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := s.Check(ctx, p.Eq(x, p.Int(expr.Int32, 1)))
	require.Equal(t, solver.Unknown, r)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, solver.Sat, solvertest.Query(t, s, nil, []*expr.Expr{p.Eq(x, p.Int(expr.Int32, 1))}), "and it goes on")
}

func TestUnmentionedVariablesAreZero(t *testing.T) {
	p := expr.NewPool()
	s := bitblast.New(p)
	x, y, z := p.Var("x", expr.Int32), p.Var("y", expr.Int32), p.Var("z", expr.Int32)
	k := func(v int64) *expr.Expr { return p.Int(expr.Int32, v) }
	solvertest.Query(t, s, nil, []*expr.Expr{p.Eq(y, k(7))})
	require.Equal(t, uint64(7), s.Value(y))
	solvertest.Query(t, s, nil, []*expr.Expr{p.Eq(x, k(3))})
	require.Equal(t, []uint64{3, 0, 0}, []uint64{s.Value(x), s.Value(y), s.Value(z)})
}

func ExampleSolver() {
	p := expr.NewPool()
	x := p.Var("x", expr.Int32)
	s := bitblast.New(p)
	s.Assert(p.Eq(p.Mul(x, x), p.Int(expr.Int32, 49)))
	s.Assert(p.Lt(x, p.Int(expr.Int32, 100)))
	s.Assert(p.Lt(p.Int(expr.Int32, 0), x))
	r, err := s.Check(context.Background())
	fmt.Println(r, err, s.Value(x))
	r, err = s.Check(context.Background(), p.Ne(x, p.Int(expr.Int32, 7)))
	fmt.Println(r, err, s.Core())
	// Output:
	// sat <nil> 7
	// unsat <nil> [0]
}
