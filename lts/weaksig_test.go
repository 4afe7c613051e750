package lts

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// weaklyRandom draws an LTS without cycles by τ; twins have the same targets.
func weaklyRandom(r *rand.Rand, states int) *LTS {
	table := NewActions()
	actions := []Action{table.Intern("a"), table.Intern("b"), Tau}
	b := NewBuilder(table)
	b.AddStates(states)
	for s := range State(states) {
		for range r.IntN(4) {
			a, to := actions[r.IntN(3)], State(r.IntN(states))
			if a == Tau {
				if s == 0 {
					continue
				}
				to = State(r.IntN(int(s)))
			}
			b.AddEdge(s, a, to)
			if twin := s + 1; int(twin) < states && r.IntN(3) > 0 {
				b.AddEdge(twin, a, to)
			}
		}
	}
	return b.Build()
}

// TestWeakSignatures: classes are the same whether masks and signatures are tried never, always, or now and then.
func TestWeakSignatures(t *testing.T) {
	ctx := context.Background()
	joined, parted := 0, 0
	for seed := range uint64(sample.Count(3000)) {
		r := rand.New(rand.NewPCG(seed, 41))
		m := weaklyRandom(r, 2+r.IntN(60))
		want, err := weakSplitAfter(ctx, m, 1<<40)
		require.NoError(t, err)
		for _, first := range []int{0, 16, 200} {
			got, err := weakSplitAfter(ctx, m, first)
			require.NoError(t, err)
			require.Equal(t, inOrder(want.of, want.count()), inOrder(got.of, got.count()), "seed %d", seed)
		}
		if want.count() < m.NumStates() {
			joined++
		}
		if want.count() > 1 {
			parted++
		}
	}
	require.Positive(t, joined)
	require.Positive(t, parted)
}

// TestWeakMasks: what masks and signatures leave of a large LTS is what splitters leave; the order of a sweep
// is that of τ.
func TestWeakMasks(t *testing.T) {
	ctx := context.Background()
	m := weaklyRandom(rand.New(rand.NewPCG(1, 42)), 5000)
	want, err := weakSplitAfter(ctx, m, 1<<40)
	require.NoError(t, err)
	got, err := weakSplit(ctx, m)
	require.NoError(t, err)
	require.Equal(t, inOrder(want.of, want.count()), inOrder(got.of, got.count()))

	b := NewBuilder(m.Actions()) // τ has a cycle: there are no sweeps
	b.AddStates(2)
	b.AddEdge(0, Tau, 1)
	b.AddEdge(1, Tau, 0)
	require.Nil(t, tauOrder(b.Build()))
	place := make([]int, m.NumStates())
	for i, s := range tauOrder(m) {
		place[s] = i
	}
	for s := range State(m.NumStates()) {
		for _, e := range m.OutBy(s, Tau) {
			require.Less(t, place[e.To], place[s])
		}
	}
}
