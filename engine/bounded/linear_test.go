package bounded

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	many "magus/internal/sample"
	"magus/smt/expr"
)

// TestRandomSums compares equations with what they are when sums are kept apart, at random values.
func TestRandomSums(t *testing.T) {
	for seed := many.Seed(1); seed < many.Seed(1)+uint64(many.Count(60)); seed++ {
		r, p := rand.New(rand.NewPCG(seed, 0)), expr.NewPool()
		typ := expr.Type{Width: 8, Signed: seed%2 == 0}
		var vars []*expr.Expr
		for _, name := range []string{"a", "b", "c", "d"} {
			vars = append(vars, p.Var(name, typ))
		}
		var term func(depth int) *expr.Expr
		term = func(depth int) *expr.Expr {
			if depth == 0 {
				return []*expr.Expr{vars[r.IntN(4)], p.Const(typ, r.Uint64N(4))}[r.IntN(2)]
			}
			a, b := term(depth-1), term(depth-1)
			switch r.IntN(6) {
			case 0:
				return p.Neg(a)
			case 1:
				return p.Mul(a, p.Const(typ, r.Uint64N(256)))
			case 2:
				return p.Cast(typ, p.Cast(expr.Type{Width: 8, Signed: !typ.Signed}, a))
			case 3:
				return p.Ite(p.Lt(term(0), term(0)), a, b)
			case 4:
				return p.And(a, b)
			}
			return p.Add(a, b)
		}
		c := p.Eq(term(4), term(4))
		apart := newSums(p).apart(c)
		for range 20 {
			values := map[*expr.Expr]uint64{}
			for _, v := range vars {
				values[v] = r.Uint64N(256)
			}
			of := expr.NewValuation(func(v *expr.Expr) uint64 { return values[v] })
			require.Equal(t, of.Of(c), of.Of(apart), "seed %d: %v as %v", seed, c, apart)
		}
	}
}

// TestSumsBehindSteps has the variables of an equation on one side, as they were before a step.
func TestSumsBehindSteps(t *testing.T) {
	p := expr.NewPool()
	typ := expr.Type{Width: 32}
	n, x, y := p.Var("n", typ), p.Var("x", typ), p.Var("y", typ)
	in, out := p.Var("in", expr.Bool), p.Var("out", expr.Bool)
	plus := func(v *expr.Expr, k int64) *expr.Expr { return p.Add(v, p.Int(typ, k)) }
	s := newSums(p)
	behind := s.apart(p.Eq(p.Ite(in, plus(n, 1), p.Ite(out, plus(n, -1), n)),
		p.Add(p.Ite(in, plus(x, 1), x), p.Ite(in, y, p.Ite(out, plus(y, -1), y)))))
	require.Equal(t, "n - x - y", behind.Args()[0].String(), behind)
}
