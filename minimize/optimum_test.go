package minimize

import (
	"context"
	"testing"

	gophersat "github.com/crillab/gophersat/solver"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// bruteOptimum returns the lexicographically first of the cheapest models,
// projected on the objective.
func bruteOptimum(costs []int, numVars int, cnf [][]int) (best Set, found bool) {
	for bits := range uint64(1) << numVars {
		model := make([]bool, numVars+1)
		for v := range numVars {
			model[v+1] = bits>>v&1 == 1
		}
		s := trimmed([]uint64{bits & (1<<len(costs) - 1)})
		c, b := sumCost(s, costs), sumCost(best, costs)
		if (!found || c < b || c == b && before(s, best)) && satisfies(model, cnf) {
			best, found = s, true
		}
	}
	return best, found
}

// nativeOptimum is gophersat's own optimiser. Its weights must not be nil.
func nativeOptimum(costs []int, numVars int, cnf [][]int) int {
	gophersatLock.Lock()
	defer gophersatLock.Unlock()
	pb := gophersat.ParseSliceNb(cnf, numVars)
	lits := make([]gophersat.Lit, len(costs))
	for i := range lits {
		lits[i] = gophersat.IntToLit(int32(i + 1))
	}
	pb.SetCostFunc(lits, append([]int(nil), costs...))
	return gophersat.New(pb).Minimize()
}

// TestOptimumOnMixedClauses is where the native optimiser returns infeasible
// optima: clauses with both signs and auxiliary variables.
func TestOptimumOnMixedClauses(t *testing.T) {
	for range 5 {
		sample.Check(t, func(rt *rapid.T) {
			costs := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 6).Draw(rt, "costs")
			o := newOptimizer(costs, rapid.IntRange(0, 3).Draw(rt, "auxiliary"))
			lit := rapid.Custom(func(rt *rapid.T) int {
				return rapid.IntRange(1, o.numVars).Draw(rt, "v") * (1 - 2*rapid.IntRange(0, 1).Draw(rt, "sign"))
			})
			o.begin(plenty, &Stats{})
			var cnf [][]int
			for range rapid.IntRange(1, 4).Draw(rt, "rounds") {
				for _, c := range rapid.SliceOfN(rapid.SliceOfN(lit, 1, 4), 1, 5).Draw(rt, "clauses") {
					require.NoError(rt, o.add(c...))
					cnf = append(cnf, c)
				}
				want, found := bruteOptimum(costs, o.numVars, cnf)
				if !found {
					return
				}
				checkOptimum(rt, o, someModel(rt, o, cnf), want)
			}
		})
	}
}

// someModel is the incumbent the optimizer asks for, by brute force, and not the
// best: costs are turned around.
func someModel(t *rapid.T, o *optimizer, cnf [][]int) Set {
	turned := make([]int, len(o.costs))
	for i := range turned {
		turned[i] = 10 - o.costs[i]
	}
	s, found := bruteOptimum(turned, o.numVars, cnf)
	require.True(t, found)
	return s
}

func checkOptimum(t *rapid.T, o *optimizer, incumbent, want Set) {
	best, err := o.minimum(context.Background(), incumbent)
	require.NoError(t, err)
	require.Equal(t, sumCost(want, o.costs), sumCost(best, o.costs))
	first, err := o.lexFirst(context.Background(), best, func(Set, int) bool { return true })
	require.NoError(t, err)
	require.Equal(t, want.String(), first.String())
}

// TestHittingSets compares with brute force and, since the clauses are positive,
// with the native optimiser as a second opinion.
func TestHittingSets(t *testing.T) {
	for range 5 {
		sample.Check(t, func(rt *rapid.T) {
			n := rapid.IntRange(2, 9).Draw(rt, "n")
			h := newHitting(drawCosts(rt, n))
			h.opt.begin(plenty, &Stats{})
			var cnf [][]int
			for range rapid.IntRange(1, 12).Draw(rt, "clauses") {
				clause := SetOf(rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 4).Draw(rt, "clause")...)
				require.NoError(rt, h.add(clause))
				cnf = append(cnf, h.opt.clauses[len(h.opt.clauses)-1])
				best, err := h.cheapest(context.Background())
				require.NoError(rt, err)
				require.True(rt, h.hitBy(best))
				want, _ := bruteOptimum(h.costs, n, cnf)
				require.Equal(rt, sumCost(want, h.costs), sumCost(best, h.costs))
				require.LessOrEqual(rt, h.disjoint(), sumCost(best, h.costs))
				first, err := h.first(context.Background(), best)
				require.NoError(rt, err)
				require.Equal(rt, want.String(), first.String())
			}
			best, err := h.cheapest(context.Background())
			require.NoError(rt, err)
			require.Equal(rt, nativeOptimum(h.costs, n, cnf), sumCost(best, h.costs))
		})
	}
}

// TestTotalizer checks that a bound excludes exactly the valuations above it.
func TestTotalizer(t *testing.T) {
	sample.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(rt, "n")
		costs := drawCosts(rt, n)
		limit := rapid.IntRange(0, 20).Draw(rt, "cap")
		sum, err := newTotalizer(costs, Full(n), limit, n+1)
		require.NoError(rt, err)
		s := clauses(rt, sum.nextVar-1, sum.clauses...)
		bound := rapid.IntRange(0, limit).Draw(rt, "bound")
		for bits := range uint64(1) << n {
			assumptions := sum.atMost(bound)
			for v := range n {
				assumptions = append(assumptions, (v+1)*(2*int(bits>>v&1)-1))
			}
			within := sumCost(trimmed([]uint64{bits}), costs) <= bound
			require.Equal(rt, within, satisfiable(rt, s, assumptions...))
		}
	})
}

func TestTotalizerTooLarge(t *testing.T) {
	costs := make([]int, 60)
	for i := range costs {
		costs[i] = 1 << (i % 24)
	}
	_, err := newTotalizer(costs, Full(len(costs)), 1<<29, len(costs)+1)
	require.ErrorIs(t, err, ErrBudget)
}
