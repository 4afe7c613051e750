package solvertest

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/solver"
)

// Satisfiable tries out every valuation of the conditions' variables, which
// together have a few bits.
func Satisfiable(fs []*expr.Expr) bool {
	vars := expr.Vars(fs...)
	bits := 0
	for _, v := range vars {
		bits += max(1, int(v.Type().Width))
	}
	if bits > 20 {
		panic("solvertest: too many bits to try out")
	}
	for m := range uint64(1) << bits {
		rest, env := m, make(map[*expr.Expr]uint64, len(vars))
		for _, v := range vars {
			env[v] = v.Type().Trunc(rest)
			rest >>= max(1, v.Type().Width)
		}
		if AllHold(fs, func(v *expr.Expr) uint64 { return env[v] }) {
			return true
		}
	}
	return false
}

// AllHold reports whether every condition is true under env.
func AllHold(fs []*expr.Expr, env func(*expr.Expr) uint64) bool {
	for _, f := range fs {
		if expr.Eval(f, env) != 1 {
			return false
		}
	}
	return true
}

// Query checks the laws for one Check: the model of a Sat answer is evaluated
// and the core of an Unsat one is checked again. It returns the answer.
func Query(t testing.TB, s solver.Full, asserted, assumed []*expr.Expr) solver.Result {
	t.Helper()
	before := solver.Effort(s)
	r, err := s.Check(context.Background(), assumed...)
	require.NoError(t, err)
	require.GreaterOrEqual(t, solver.Effort(s), before, "effort never falls")
	switch r {
	case solver.Sat:
		for _, f := range append(append([]*expr.Expr{}, asserted...), assumed...) {
			require.Equal(t, uint64(1), expr.Eval(f, s.Value), "model of %v | %v: %v", asserted, assumed, f)
		}
	case solver.Unsat:
		core := s.Core()
		var named []*expr.Expr
		for i, k := range core {
			require.True(t, i == 0 || core[i-1] < k, "core %v increases", core)
			named = append(named, assumed[k])
		}
		again, err := s.Check(context.Background(), named...)
		require.NoError(t, err)
		require.Equal(t, solver.Unsat, again, "core %v of %v | %v", core, asserted, assumed)
	default:
		t.Fatalf("answer %v without an error", r)
	}
	return r
}

// Counts checks that a procedure counts its effort: a question about arithmetic takes some.
func Counts(t *testing.T, open solver.Factory) {
	t.Helper()
	p := expr.NewPool()
	s, err := open(p)
	require.NoError(t, err)
	defer s.Close()
	require.Implements(t, (*solver.Counter)(nil), s)
	x, y := p.Var("x", expr.Int32), p.Var("y", expr.Int32)
	Query(t, s, nil, []*expr.Expr{p.Eq(p.Mul(x, y), p.Int(expr.Int32, 35)), p.Lt(x, y)})
	require.Positive(t, solver.Effort(s))
}

// Embedded opens the procedure of this tree.
func Embedded(p *expr.Pool) (solver.Full, error) { return embedded.New(p), nil }

// Laws runs rounds of random queries through the solvers that open returns
// and compares them with each other and with brute force. Conditions are of
// the given depth over at most three variables of at most three bits.
func Laws(t *testing.T, seed uint64, rounds, depth int, open ...solver.Factory) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	counts := map[solver.Result]int{}
	for range rounds {
		g := NewGenerator(r, 1+r.IntN(3), 3)
		var asserted []*expr.Expr
		solvers := make([]solver.Full, len(open))
		for i, f := range open {
			s, err := f(g.Pool)
			require.NoError(t, err)
			solvers[i] = s
		}
		for range 6 {
			if r.IntN(3) == 0 {
				f := g.Cond(r.IntN(depth + 1))
				asserted = append(asserted, f)
				for _, s := range solvers {
					s.Assert(f)
				}
			}
			var assumed []*expr.Expr
			for range r.IntN(5) {
				assumed = append(assumed, g.Cond(r.IntN(depth+1)))
			}
			want := solver.Unsat
			if Satisfiable(append(append([]*expr.Expr{}, asserted...), assumed...)) {
				want = solver.Sat
			}
			counts[want]++
			for i, s := range solvers {
				require.Equal(t, want, Query(t, s, asserted, assumed), "solver %d: %v | %v", i, asserted, assumed)
			}
		}
		for _, s := range solvers {
			require.NoError(t, s.Close())
		}
	}
	require.Greater(t, counts[solver.Sat], rounds/2, "the queries are not all alike")
	require.Greater(t, counts[solver.Unsat], rounds/2, "the queries are not all alike")
}
