package bitblast_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/smt/bitblast"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

// rounds is n, less with -short, or what a campaign asks for.
func rounds(t *testing.T, n int) uint64 {
	return uint64(sample.Count(n))
}

// sums draws terms of sums, products, quotients and casts over a few variables.
type sums struct {
	*rand.Rand
	pool *expr.Pool
	vars []*expr.Expr
}

func newSums(seed uint64) *sums {
	g := &sums{rand.New(rand.NewPCG(seed, 21)), expr.NewPool(), nil}
	typ := expr.Type{Width: uint8(2 + g.IntN(3)), Signed: g.IntN(2) == 0}
	for i := range 2 + g.IntN(2) {
		if g.vars = append(g.vars, g.pool.Var(fmt.Sprint("x", i), typ)); g.IntN(4) == 0 {
			typ = expr.Type{Width: uint8(2 + g.IntN(3)), Signed: g.IntN(2) == 0}
		}
	}
	return g
}

func (g *sums) term(t expr.Type, depth int) *expr.Expr {
	p := g.pool
	if depth == 0 {
		if g.IntN(4) == 0 {
			return p.Const(t, g.Uint64()>>g.IntN(64))
		}
		return p.Cast(t, g.vars[g.IntN(len(g.vars))])
	}
	sub := func() *expr.Expr { return g.term(t, g.IntN(depth)) }
	switch g.IntN(12) {
	case 0:
		return p.Neg(sub())
	case 1:
		return p.Compl(sub())
	case 2:
		return p.Shl(sub(), p.Const(t, uint64(g.IntN(4))))
	case 3:
		return p.Cast(t, g.term(expr.Type{Width: uint8(1 + g.IntN(9)), Signed: g.IntN(2) == 0}, depth-1))
	case 4:
		y := sub()
		return p.Add(p.Mul(p.Div(sub(), y), y), p.Rem(sub(), y))
	case 5:
		return p.Sub(sub(), sub())
	case 6, 7:
		a, b, c := sub(), sub(), sub()
		if g.IntN(2) == 0 {
			return p.Mul(a, p.Add(b, c))
		}
		return p.Add(p.Mul(a, b), p.Mul(a, c))
	case 8, 9:
		return p.Add(sub(), sub())
	}
	return p.Mul(sub(), sub())
}

// condition is an equation, often of two forms of a similar sum, or its opposite, or a comparison.
func (g *sums) condition() *expr.Expr {
	t := g.vars[g.IntN(len(g.vars))].Type()
	x, y := g.term(t, g.IntN(4)), g.term(t, g.IntN(4))
	c := g.pool.Eq(x, y)
	switch g.IntN(6) {
	case 0:
		c = g.pool.Eq(g.vars[0], g.term(g.vars[0].Type(), 2))
	case 1:
		c = g.pool.Eq(g.pool.Mul(x, g.pool.Add(y, x)), g.pool.Add(g.pool.Mul(y, x), g.pool.Mul(x, x)))
	case 2:
		c = g.pool.Lt(x, y)
	}
	if g.IntN(2) == 0 {
		return g.pool.Not(c)
	}
	return c
}

// Sums, products, quotients and squares, with equations between them, have answers, models and cores by which
// all valuations go.
func TestSumsAndProductsAgainstBruteForce(t *testing.T) {
	counts := map[solver.Result]int{}
	for seed := range rounds(t, 700) {
		g := newSums(seed)
		s := bitblast.New(g.pool)
		for range 3 {
			var assumed []*expr.Expr
			for range 1 + g.IntN(4) {
				assumed = append(assumed, g.condition())
			}
			want := solver.Unsat
			if solvertest.Satisfiable(assumed) {
				want = solver.Sat
			}
			require.Equal(t, want, solvertest.Query(t, s, nil, assumed), "seed %d: %v", seed, assumed)
			if want == solver.Unsat {
				var core []*expr.Expr
				_, err := s.Check(t.Context(), assumed...)
				require.NoError(t, err)
				for _, i := range s.Core() {
					core = append(core, assumed[i])
				}
				require.False(t, solvertest.Satisfiable(core), "seed %d: core %v", seed, core)
			}
			counts[want]++
		}
	}
	if sample.Whole() {
		require.Greater(t, counts[solver.Sat], 100)
		require.Greater(t, counts[solver.Unsat], 100)
	}
}

// Identities need no search, whatever the width; equations are put into others, and all of the core is needed.
func TestIdentitiesNeedNoSearch(t *testing.T) {
	p := expr.NewPool()
	v := func(name string) *expr.Expr { return p.Var(name, expr.Uint32) }
	a, b, c, one, two := v("a"), v("b"), v("c"), p.Const(expr.Uint32, 1), p.Const(expr.Uint32, 2)
	wide := func(e *expr.Expr) *expr.Expr { return p.Cast(expr.Uint64, e) }
	for _, q := range [][]*expr.Expr{
		{p.Ne(p.Mul(a, p.Add(b, c)), p.Add(p.Mul(a, b), p.Mul(c, a)))},
		{p.Ne(p.Mul(p.Mul(a, b), c), p.Mul(a, p.Mul(c, b)))},
		{p.Ne(p.Add(p.Mul(p.Div(a, b), b), p.Rem(a, b)), a)},
		{p.Ne(p.Cast(expr.Uint32, p.Mul(wide(a), wide(b))), p.Mul(b, a))},
		{p.Eq(p.Add(p.Mul(two, p.Mul(a, b)), p.Mul(two, c)), one)},
		{p.Eq(c, p.Mul(a, b)), p.Eq(v("i"), p.Add(a, one)), p.Ne(p.Add(c, b), p.Mul(v("i"), b))},
		{p.Eq(p.Mul(two, c), p.Mul(a, p.Add(a, one))), p.Eq(b, p.Add(a, one)),
			p.Ne(p.Mul(two, p.Add(c, b)), p.Mul(b, p.Add(b, one)))},
	} {
		s := bitblast.New(p)
		require.Equal(t, solver.Unsat, solvertest.Query(t, s, nil, append(q, p.Lt(a, v("unrelated")))))
		require.Zero(t, s.Stats().Conflicts, "%v", q)
		r, err := s.Check(t.Context(), append(q, p.Lt(a, v("unrelated")))...)
		require.NoError(t, err)
		require.Equal(t, solver.Unsat, r)
		require.Len(t, s.Core(), len(q), "%v", q)
	}
}
