package solver_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

// bare hides models and cores.
type bare struct{ solver.Solver }

// combinations tries out all 2^n combinations of values of terms.
func combinations(p *expr.Pool, terms, assumptions []*expr.Expr) [][]bool {
	var all [][]bool
	for m := range 1 << len(terms) {
		fs := slices.Clone(assumptions)
		vs := make([]bool, len(terms))
		for i, t := range terms {
			if vs[i] = m>>(len(terms)-1-i)&1 == 1; !vs[i] {
				t = p.Not(t)
			}
			fs = append(fs, t)
		}
		if solvertest.Satisfiable(fs) {
			all = append(all, vs)
		}
	}
	return all
}

func TestEnumerateAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 150 {
		g := solvertest.NewGenerator(r, 1+r.IntN(3), 3)
		draw := func(n int) (fs []*expr.Expr) {
			for range n {
				fs = append(fs, g.Cond(r.IntN(3)))
			}
			return fs
		}
		asserted, assumed, terms := draw(r.IntN(2)), draw(r.IntN(2)), draw(r.IntN(5))
		want := combinations(g.Pool, terms, append(slices.Clone(asserted), assumed...))
		full := embedded.New(g.Pool)
		for _, f := range asserted {
			full.Assert(f)
		}
		for _, s := range []solver.Solver{full, bare{full}} {
			var got [][]bool
			require.NoError(t, solver.Enumerate(context.Background(), s, terms, assumed, func(vs []bool) bool {
				got = append(got, slices.Clone(vs))
				return true
			}))
			require.Equal(t, want, got, "%v under %v, %v", terms, asserted, assumed)
		}
		if len(want) > 1 {
			calls := 0
			require.NoError(t, solver.Enumerate(context.Background(), full, terms, assumed, func([]bool) bool {
				calls++
				return calls < len(want)-1
			}))
			require.Equal(t, len(want)-1, calls, "it stops when told to")
		}
	}
}

func TestEnumerateOverNothing(t *testing.T) {
	p := expr.NewPool()
	s := embedded.New(p)
	calls := 0
	f := func(vs []bool) bool { calls++; require.Empty(t, vs); return true }
	require.NoError(t, solver.Enumerate(context.Background(), s, nil, nil, f))
	require.Equal(t, 1, calls)
	require.NoError(t, solver.Enumerate(context.Background(), s, nil, []*expr.Expr{p.False()}, f))
	require.Equal(t, 1, calls)
	require.Error(t, solver.Enumerate(context.Background(), s, []*expr.Expr{p.Var("x", expr.Int32)}, nil, f))
}

func TestEnumerateReportsCancellation(t *testing.T) {
	p := expr.NewPool()
	x := p.Var("x", expr.Int32)
	ctx, cancel := context.WithCancel(context.Background())
	terms := []*expr.Expr{p.Lt(x, p.Int(expr.Int32, 3)), p.Lt(x, p.Int(expr.Int32, 9))}
	err := solver.Enumerate(ctx, embedded.New(p), terms, nil, func([]bool) bool { cancel(); return true })
	require.ErrorIs(t, err, context.Canceled)
}
