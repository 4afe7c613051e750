package embedded_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/bitblast"
	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/order"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

func blast(p *expr.Pool) (solver.Full, error) { return bitblast.New(p), nil }

func TestCounts(t *testing.T) { solvertest.Counts(t, solvertest.Embedded) }

func TestLaws(t *testing.T) {
	for depth := range 4 {
		solvertest.Laws(t, uint64(depth), 200, depth, solvertest.Embedded, blast)
	}
}

func TestCancelledCheckIsUnknown(t *testing.T) {
	p := expr.NewPool()
	s := embedded.New(p)
	x := p.Var("x", expr.Int32)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := s.Check(ctx, p.Lt(x, p.Int(expr.Int32, 1)))
	require.Equal(t, solver.Unknown, r)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, solver.Sat, solvertest.Query(t, s, nil, []*expr.Expr{p.Lt(x, p.Int(expr.Int32, 1))}),
		"and it goes on")
}

// TestTooManyCases: where comparisons need too many case distinctions, the
// circuits decide.
func TestTooManyCases(t *testing.T) {
	p := expr.NewPool()
	s, direct := embedded.New(p), order.New()
	var vars, fs []*expr.Expr
	for i := range 7 {
		v := p.Var(fmt.Sprint("x", i), expr.Int32)
		fs = append(fs, p.Ge(v, p.Int(expr.Int32, 0)), p.Lt(v, p.Int(expr.Int32, 6)))
		for _, w := range vars {
			fs = append(fs, p.Ne(v, w))
		}
		vars = append(vars, v)
	}
	var lits []order.Literal
	for _, f := range fs {
		l, ok := direct.Literal(f, false)
		require.True(t, ok)
		lits = append(lits, l)
	}
	require.Equal(t, solver.Unknown, direct.Decide(lits), "too many for order")
	require.Equal(t, solver.Unsat, solvertest.Query(t, s, nil, fs))
	require.Equal(t, solver.Sat, solvertest.Query(t, s, nil, fs[:len(fs)-1]))
}

// TestWaysDoNotMix asks both ways in turn and asserts in between.
func TestWaysDoNotMix(t *testing.T) {
	p := expr.NewPool()
	s := embedded.New(p)
	x, y := p.Var("x", expr.Int32), p.Var("y", expr.Int32)
	k := func(v int64) *expr.Expr { return p.Int(expr.Int32, v) }
	s.Assert(p.Lt(x, k(10)))
	sum := p.Eq(p.Add(x, y), k(12))
	asserted := []*expr.Expr{p.Lt(x, k(10))}
	require.Equal(t, solver.Sat, solvertest.Query(t, s, asserted, []*expr.Expr{p.Lt(k(7), x)}))
	require.Equal(t, solver.Sat, solvertest.Query(t, s, asserted, []*expr.Expr{sum, p.Lt(k(7), x)}))
	s.Assert(p.Lt(k(5), y))
	asserted = append(asserted, p.Lt(k(5), y))
	require.Equal(t, solver.Unsat, solvertest.Query(t, s, asserted, []*expr.Expr{sum, p.Lt(k(7), x), p.Lt(y, k(20))}))
	require.Equal(t, solver.Sat, solvertest.Query(t, s, asserted, []*expr.Expr{p.Lt(k(7), x)}))
	require.Equal(t, solver.Unsat, solvertest.Query(t, s, asserted, []*expr.Expr{p.Lt(y, x), sum, p.Lt(x, k(6))}))
}
