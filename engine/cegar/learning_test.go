package cegar

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/evidence/verdict"
	"magus/internal/sample"
)

// station writes a component of a random ring: it takes what comes, computes with constants, and hands on;
// some lose it.
func station(r *rand.Rand, i, n int) string {
	var extra strings.Builder
	for range r.IntN(3) {
		fmt.Fprintf(&extra, "x = x %s %d; ", []string{"+", "*", "-"}[r.IntN(3)], r.IntN(5))
	}
	limit, comes := 2+r.IntN(3), 3+r.IntN(3) // limit < comes most often
	start := 0
	if i == 0 {
		start = comes + limit
	}
	return fmt.Sprintf(`void s%d(void) { int x = 1; int have = %d; while (1) { %s
		if (have > %d) { __MAGUS_ACTION__("t%d"); have = 0; } else { if (have > 0) { __MAGUS_ACTION__("lost%d"); } __MAGUS_ACTION__("t%d"); have = have + %d; } } }
`, i, start, extra.String(), limit, (i+1)%n, i, i, comes)
}

// TestRandomRings: what is learned from components that look alike, several counterexamples of one search,
// and reductions beside the search make no difference to the verdict, nor does a second run to anything; with
// checks of every phase.
func TestRandomRings(t *testing.T) {
	ctx := context.Background()
	seen := map[verdict.Verdict]int{}
	for seed := range uint64(sample.Count(20)) {
		r := rand.New(rand.NewPCG(seed, 47))
		n := 3 + r.IntN(3)
		var c, names, guards, lost strings.Builder
		for i := range n {
			c.WriteString(station(r, i, n))
			fmt.Fprintf(&names, ", s%d", i)
			fmt.Fprintf(&lost, ", lost%d", i)
			guards.WriteString(", (1)")
		}
		observed := lost.String()[2:]
		if r.IntN(2) == 0 {
			observed = "lost0"
		}
		spec := fmt.Sprintf("S = ( t1 -> t0 -> S ) + {%s}.\nprogram %s { specification s, {%s}, S; }",
			observed, names.String()[2:], guards.String()[2:])
		var first *verdict.Outcome
		for k, opt := range []Loop{{Check: true}, {}, {Alone: true}, {Compositional: true}, {BreadthPairs: 2},
			{ActionAbstraction: Off}} {
			s, err := NewSession(ctx, claimOf(t, c.String(), spec), Options{Loop: opt})
			require.NoError(t, err)
			o := s.Run(ctx, nil)
			s.Close()
			if k == 0 {
				first = o
				seen[o.Verdict]++
				continue
			}
			require.Equal(t, first.Verdict, o.Verdict, "seed %d, %+v: %v\n%s%s", seed, opt, o.Reason, c.String(), spec)
			if k == 1 {
				require.Equal(t, first.Loop.Stats.Iterations, o.Loop.Stats.Iterations, "seed %d", seed)
				require.Equal(t, first.Run, o.Run, "seed %d", seed)
			}
		}
	}
	require.Positive(t, seen[verdict.Conforms])
	require.Positive(t, seen[verdict.Violates])
	require.Zero(t, seen[verdict.Unknown])
}
