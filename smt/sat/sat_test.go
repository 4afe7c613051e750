package sat

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomClauses draws m clauses of one to width literals over n variables.
func randomClauses(r *rand.Rand, n, m, width int) [][]Lit {
	cs := make([][]Lit, m)
	for i := range cs {
		for range 1 + r.IntN(width) {
			cs[i] = append(cs[i], MkLit(Var(r.IntN(n)), r.IntN(2) == 0))
		}
	}
	return cs
}

func holds(c []Lit, valuation uint) bool {
	for _, l := range c {
		if (valuation>>l.Var()&1 == 1) != l.Neg() {
			return true
		}
	}
	return false
}

// bruteForce reports whether some valuation satisfies all clauses and units.
func bruteForce(n int, cs [][]Lit, units []Lit) bool {
valuations:
	for v := range uint(1) << n {
		for _, c := range cs {
			if !holds(c, v) {
				continue valuations
			}
		}
		for _, u := range units {
			if !holds([]Lit{u}, v) {
				continue valuations
			}
		}
		return true
	}
	return false
}

// TestIncrementalAgainstBruteForce grows formulas clause by clause and checks
// verdicts, models and cores under random assumptions.
func TestIncrementalAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	counts := map[Result]int{}
	for range 400 {
		n := 1 + r.IntN(9)
		s := New()
		for range n {
			s.NewVar()
		}
		var cs [][]Lit
		for range 8 {
			for _, c := range randomClauses(r, n, 1+r.IntN(2*n), 4) {
				cs = append(cs, c)
				s.AddClause(c...)
			}
			var assume []Lit
			for range r.IntN(n + 1) {
				assume = append(assume, MkLit(Var(r.IntN(n)), r.IntN(2) == 0))
			}
			got, err := s.Solve(context.Background(), assume...)
			require.NoError(t, err)
			counts[got]++
			require.Equal(t, bruteForce(n, cs, assume), got == Sat)
			if got == Sat {
				requireModel(t, s, cs, assume)
			} else {
				require.Subset(t, assume, s.Core())
				require.False(t, bruteForce(n, cs, s.Core()), "core")
			}
		}
	}
	require.Greater(t, counts[Sat], 500)
	require.Greater(t, counts[Unsat], 500)
}

func requireModel(t *testing.T, s *Solver, cs [][]Lit, units []Lit) {
	t.Helper()
	var v uint
	for i := range len(s.level) {
		if s.Value(Var(i)) {
			v |= 1 << i
		}
	}
	for _, c := range cs {
		require.True(t, holds(c, v), "clause %v", c)
	}
	for _, u := range units {
		require.True(t, holds([]Lit{u}, v), "assumption %v", u)
	}
}
