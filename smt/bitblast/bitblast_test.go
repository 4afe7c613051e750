package bitblast_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
	"magus/internal/sample"
	"magus/smt/bitblast"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

func open(p *expr.Pool) (solver.Full, error) { return bitblast.New(p), nil }

func TestCounts(t *testing.T) { solvertest.Counts(t, open) }

func TestLaws(t *testing.T) { solvertest.Laws(t, 1, int(rounds(t, 300)), 3, open) }

// TestOperatorsAtAllWidths compares every operator with evaluation at all
// widths: e == Eval(e) is satisfiable and its negation is not, for operands
// fixed by assumptions.
func TestOperatorsAtAllWidths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ops := []expr.Op{expr.Add, expr.Sub, expr.Mul, expr.Div, expr.Rem, expr.Neg, expr.And, expr.Or, expr.Xor, expr.Compl,
		expr.Shl, expr.Shr, expr.Cast, expr.Ite, expr.Eq, expr.Lt}
	for width := 1; width <= 64; width++ {
		if sample.LeftOut(width, 7) {
			continue
		}
		for _, signed := range []bool{false, true} {
			typ := expr.Type{Width: uint8(width), Signed: signed}
			p := expr.NewPool()
			s := bitblast.New(p)
			x, y, c := p.Var("x", typ), p.Var("y", typ), p.Var("c", expr.Bool)
			for _, op := range ops {
				for range 2 {
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
	require.Equal(t, solver.Sat, solvertest.Query(t, s, nil, []*expr.Expr{p.Eq(x, p.Int(expr.Int32, 1))}),
		"and it goes on")
}

const (
	prime1 = 1500450271
	prime2 = 3367900313
)

// factors asks for factors of the product of two 32-bit primes, which takes
// far too long.
func factors(p *expr.Pool) []*expr.Expr {
	x, y := p.Var("x", expr.Uint64), p.Var("y", expr.Uint64)
	end := p.Const(expr.Uint64, 1<<32)
	return []*expr.Expr{p.Eq(p.Mul(x, y), p.Const(expr.Uint64, prime1*prime2)), p.Lt(x, end), p.Lt(y, end), p.Lt(x, y)}
}

func TestCancelledInTheMiddle(t *testing.T) {
	p := expr.NewPool()
	s := bitblast.New(p)
	r, err := s.Check(countdown.Looks(t.Context(), 4), factors(p)...)
	require.Equal(t, solver.Unknown, r)
	require.ErrorIs(t, err, context.Canceled)
	x, y := p.Var("x", expr.Uint64), p.Var("y", expr.Uint64)
	given := []*expr.Expr{p.Eq(x, p.Const(expr.Uint64, prime1)), p.Eq(y, p.Const(expr.Uint64, prime2))}
	require.Equal(t, solver.Sat, solvertest.Query(t, s, nil, append(factors(p), given...)), "and it goes on")
	require.Equal(t, solver.Unsat, solvertest.Query(t, s, nil, append(factors(p), given[1], p.Not(given[0]))))
}

// TestAsserting: what is asserted stays, contradictions included.
func TestAsserting(t *testing.T) {
	p := expr.NewPool()
	s := bitblast.New(p)
	x := p.Var("x", expr.Int8)
	k := func(v int64) *expr.Expr { return p.Int(expr.Int8, v) }
	asserted := []*expr.Expr{p.Land(p.Lt(x, k(5)), p.Lt(k(2), x)), p.Ne(x, k(3))}
	for _, f := range asserted {
		s.Assert(f)
	}
	require.Equal(t, solver.Sat, solvertest.Query(t, s, asserted, nil))
	require.Equal(t, uint64(4), s.Value(x))
	r, err := s.Check(context.Background(), p.True(), p.Ne(x, k(4)))
	require.NoError(t, err)
	require.Equal(t, solver.Unsat, r)
	require.Equal(t, []int{1}, s.Core())
	s.Assert(p.Lt(x, k(4)))
	require.Equal(t, solver.Unsat, solvertest.Query(t, s, asserted, []*expr.Expr{p.Eq(x, k(4))}))
	require.Empty(t, s.Core(), "no assumption is needed")
	s.Assert(p.False())
	require.Equal(t, solver.Unsat, solvertest.Query(t, s, asserted, nil))
}

// TestHistoryDoesNotMatter compares a solver that has answered hundreds of
// queries, and learned from them, with a new one for each.
func TestHistoryDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 4))
	counts := map[solver.Result]int{}
	for range 4 {
		g := solvertest.NewGenerator(r, 4, 7)
		old := bitblast.New(g.Pool)
		var conds []*expr.Expr
		for range 60 {
			conds = append(conds, g.Cond(r.IntN(4)))
		}
		for range 250 {
			var assumed []*expr.Expr
			for range 1 + r.IntN(6) {
				assumed = append(assumed, conds[r.IntN(len(conds))])
			}
			want := solvertest.Query(t, bitblast.New(g.Pool), nil, assumed)
			require.Equal(t, want, solvertest.Query(t, old, nil, assumed), "%v", assumed)
			counts[want]++
		}
	}
	require.Greater(t, counts[solver.Sat], 100)
	require.Greater(t, counts[solver.Unsat], 100)
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

// BenchmarkArithmetic decides laws of 32-bit arithmetic, each in a new solver.
func BenchmarkArithmetic(b *testing.B) {
	k := func(p *expr.Pool, v int64) *expr.Expr { return p.Int(expr.Int32, v) }
	for _, c := range []struct {
		name string
		law  func(p *expr.Pool, x, y *expr.Expr) *expr.Expr
	}{
		{"x&-x", func(p *expr.Pool, x, y *expr.Expr) *expr.Expr {
			low := p.And(x, p.Neg(x))
			return p.Eq(p.And(low, p.Sub(low, k(p, 1))), k(p, 0))
		}},
		{"average", func(p *expr.Pool, x, y *expr.Expr) *expr.Expr {
			sum := p.Add(p.And(x, y), p.Shr(p.Xor(x, y), k(p, 1)))
			wide := p.Shr(p.Add(p.Cast(expr.Int64, x), p.Cast(expr.Int64, y)), p.Int(expr.Int64, 1))
			return p.Eq(p.Cast(expr.Int64, sum), wide)
		}},
		{"div-rem-10", func(p *expr.Pool, x, y *expr.Expr) *expr.Expr {
			r := p.Rem(x, k(p, 10))
			return p.Land(p.Lt(r, k(p, 10)), p.Lt(k(p, -10), r))
		}},
		{"3x+5x=8x", func(p *expr.Pool, x, y *expr.Expr) *expr.Expr {
			return p.Eq(p.Add(p.Mul(x, k(p, 3)), p.Mul(x, k(p, 5))), p.Shl(x, k(p, 3)))
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				p := expr.NewPool()
				law := c.law(p, p.Var("x", expr.Int32), p.Var("y", expr.Int32))
				if r, err := bitblast.New(p).Check(context.Background(), p.Not(law)); r != solver.Unsat {
					b.Fatal(r, err)
				}
			}
		})
	}
}
