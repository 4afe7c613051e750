package solver_test

import (
	"context"
	"math/rand/v2"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/bitblast"
	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/smtlib"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

func blast(p *expr.Pool) (solver.Full, error) { return bitblast.New(p), nil }

func z3(t testing.TB) solver.Factory {
	t.Helper()
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skipf("z3 is not installed: %v", err)
	}
	return smtlib.Config{Kind: "z3"}.Factory()
}

// TestEmbeddedAgainstBruteForce runs thousands of random queries of small
// widths through both embedded ways; models and cores are checked.
func TestEmbeddedAgainstBruteForce(t *testing.T) {
	for depth := range 5 {
		solvertest.Laws(t, uint64(40+depth), 300, depth, solvertest.Embedded, blast)
	}
}

// TestAllAgainstBruteForce has z3 in the round.
func TestAllAgainstBruteForce(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	for depth := range 4 {
		solvertest.Laws(t, uint64(50+depth), 25, depth, solvertest.Embedded, blast, z3(t))
	}
}

// TestWideQueriesAgainstZ3 compares answers at widths up to 32 bits, where
// nothing can be tried out. One z3 process serves many queries over one pool.
func TestWideQueriesAgainstZ3(t *testing.T) {
	r := rand.New(rand.NewPCG(60, 1))
	counts := map[solver.Result]int{}
	for range 12 {
		g := solvertest.NewGenerator(r, 4, 32)
		outside, err := z3(t)(g.Pool)
		require.NoError(t, err)
		inside := embedded.New(g.Pool)
		for range 40 {
			var assumed []*expr.Expr
			for range 1 + r.IntN(5) {
				assumed = append(assumed, cheap(g, r.IntN(3)))
			}
			want := solvertest.Query(t, outside, nil, assumed)
			require.Equal(t, want, solvertest.Query(t, inside, nil, assumed), "%v", assumed)
			counts[want]++
		}
		require.NoError(t, outside.Close())
	}
	require.Greater(t, counts[solver.Sat], 50)
	require.Greater(t, counts[solver.Unsat], 50)
}

// cheap draws conditions without products and quotients of wide unknowns,
// which would make either side take long.
func cheap(g *solvertest.Generator, depth int) *expr.Expr {
	for {
		f, hard := g.Cond(depth), false
		expr.Walk(func(e *expr.Expr) {
			switch e.Op() {
			case expr.Mul, expr.Div, expr.Rem:
				hard = hard || e.Type().Width > 10 && !e.Args()[1].IsConst()
			}
		}, f)
		if !hard {
			return f
		}
	}
}

// TestEnumerateAgreesAcrossSolvers: the combinations do not depend on the
// solver, whose models differ.
func TestEnumerateAgreesAcrossSolvers(t *testing.T) {
	r := rand.New(rand.NewPCG(70, 1))
	for range 5 {
		g := solvertest.NewGenerator(r, 3, 16)
		terms := []*expr.Expr{cheap(g, 1), cheap(g, 2), cheap(g, 2), g.Literal(), g.Literal()}
		var all [2][][]bool
		for i, open := range []solver.Factory{solvertest.Embedded, z3(t)} {
			s, err := open(g.Pool)
			require.NoError(t, err)
			require.NoError(t, solver.Enumerate(context.Background(), s, terms, nil, func(vs []bool) bool {
				all[i] = append(all[i], append([]bool{}, vs...))
				return true
			}))
			require.NoError(t, s.Close())
		}
		require.Equal(t, all[1], all[0], "%v", terms)
	}
}
