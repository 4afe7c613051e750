package sat

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A lazy theory has clauses that it gives only where they say something.
type lazy struct {
	t       *testing.T
	clauses [][]Lit
	told    []Lit
	early   bool // it answers before the end
}

func (l *lazy) hold() (out [][]Lit) {
	for _, c := range l.clauses {
		open, holds := 0, false
		for _, x := range c {
			holds = holds || slices.Contains(l.told, x)
			if !slices.Contains(l.told, x.Not()) {
				open++
			}
		}
		if !holds && open <= 1 {
			out = append(out, c)
		}
	}
	return out
}

func (l *lazy) Assigned(_ context.Context, lits []Lit) ([][]Lit, error) {
	for _, x := range lits {
		require.NotContains(l.t, l.told, x)
		require.NotContains(l.t, l.told, x.Not())
		l.told = append(l.told, x)
	}
	if !l.early {
		return nil, nil
	}
	return l.hold(), nil
}

func (l *lazy) Undo(n int) { l.told = l.told[:n] }

func (l *lazy) Final(context.Context) ([][]Lit, error) { return l.hold(), nil }

// TestTheoryOfClauses hides a part of the clauses in a theory: answers and cores stay what they are.
func TestTheoryOfClauses(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 7))
	counts := map[Result]int{}
	for round := range 1500 {
		n := 3 + r.IntN(9)
		whole, part := New(), New()
		theory := &lazy{t: t, early: round%2 == 0}
		var watched []Var
		for range n {
			whole.NewVar()
			watched = append(watched, part.NewVar())
		}
		for range 2 * n {
			c := make([]Lit, 1+r.IntN(4))
			for i := range c {
				c[i] = MkLit(Var(r.IntN(n)), r.IntN(2) == 0)
			}
			whole.AddClause(c...)
			if r.IntN(2) == 0 {
				theory.clauses = append(theory.clauses, c)
			} else {
				part.AddClause(c...)
			}
		}
		part.SetTheory(theory, watched)
		for range 3 {
			var assumed []Lit
			for v := range Var(n) {
				if r.IntN(4) == 0 {
					assumed = append(assumed, MkLit(v, r.IntN(2) == 0))
				}
			}
			want, err := whole.Solve(context.Background(), assumed...)
			require.NoError(t, err)
			got, err := part.Solve(context.Background(), assumed...)
			require.NoError(t, err)
			require.Equal(t, want, got)
			counts[got]++
			if got == Sat {
				for _, c := range theory.clauses {
					require.True(t, slices.ContainsFunc(c, func(l Lit) bool { return part.Value(l.Var()) != l.Neg() }))
				}
				continue
			}
			again, err := whole.Solve(context.Background(), part.Core()...)
			require.NoError(t, err)
			require.Equal(t, Unsat, again, "the core is one")
		}
	}
	require.Greater(t, counts[Sat], 500)
	require.Greater(t, counts[Unsat], 500)
}
