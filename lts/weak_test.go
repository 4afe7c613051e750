package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// TestWeakSplit compares splitters with strong bisimulation of weak transitions and, on small LTSs, with the
// definition.
func TestWeakSplit(t *testing.T) {
	for seed := range uint64(sample.Count(600)) {
		r := rand.New(rand.NewPCG(seed, 29))
		states := 7
		if seed%10 == 0 {
			states = 100
		}
		m, _, _ := similarPair(r, states)
		small, c := withoutCycles(m, false)
		got, err := weakSplit(context.Background(), small)
		require.NoError(t, err)
		closed, err := TauClosure(context.Background(), small)
		require.NoError(t, err)
		simple := newRefinement(closed, StrongBisim)
		require.NoError(t, simple.run(context.Background()))
		require.Equal(t, inOrder(simple.blocks, simple.count), inOrder(got.of, got.count()), "seed %d\n%s", seed, m)
		if m.NumStates() > 14 {
			continue
		}
		for s, row := range naiveRelation(m, WeakBisim) {
			for u, related := range row {
				require.Equal(t, related, got.of[c.Of[s]] == got.of[c.Of[u]],
					fmt.Sprintf("seed %d: %d and %d of\n%s", seed, s, u, m))
			}
		}
	}
}
