package lts_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/lts"
)

// What is said to follow any number of copies of random LTSs follows few of them, written out; and what follows
// these is mostly found to follow any number.
func TestSimulatedByAnyRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	holds, missed, fails := 0, 0, 0
	for n := range sample.Count(250) {
		ms, _, _, spec := randomSystem(rnd, 2)
		copies := []int{lts.AnyCopies, []int{1, 2, lts.AnyCopies}[rnd.Intn(3)]}
		for len(copies) < len(ms) {
			copies = append(copies, 1)
		}
		copies = copies[:len(ms)]
		begin := n%2 > 0
		r, err := lts.SimulatedByAny(t.Context(), ms, copies, spec, begin, lts.Limits{MaxStates: 20000})
		require.NoError(t, err)
		require.NotEqual(t, lts.Fails, r.Verdict)
		if r.Verdict == lts.Holds {
			require.Positive(t, r.Told)
			holds++
		}
		follows := true
		for k := 1; k <= 4; k++ {
			numbers := slices.Clone(copies)
			for i := range numbers {
				if numbers[i] < 1 {
					numbers[i] = k
				}
			}
			w := lts.Copy(ms, numbers, spec)
			b, err := lts.SimulatedBy(t.Context(), w.Impl, w.Spec, begin, lts.Limits{MaxStates: 20000, Reduce: true})
			require.NoError(t, err)
			if b.Verdict == lts.Fails {
				follows = false
				require.NotEqual(t, lts.Holds, r.Verdict, "system %d: %d copies are not followed", n, k)
			}
		}
		switch {
		case !follows:
			fails++
		case r.Verdict != lts.Holds:
			missed++
		}
	}
	t.Logf("%d hold, %d more hold for few, %d fail", holds, missed, fails)
	if sample.Whole() {
		require.Greater(t, holds, 20)
		require.Greater(t, fails, 20)
		require.Less(t, missed, holds/2)
	}
}
