package lts

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// TestContainsQuotients: whenever the search is interrupted for quotients, the answer is that of the search, and a
// counterexample is a run as short in observed actions.
func TestContainsQuotients(t *testing.T) {
	fails, holds := 0, 0
	for seed := range uint64(sample.Count(3000)) {
		r := rand.New(rand.NewPCG(seed, 45))
		impl, spec, _ := relatedCase(r)
		if len(impl) > 1 || spec.HasError() {
			continue
		}
		p, err := newProduct(impl)
		require.NoError(t, err)
		lim := Limits{Others: r.IntN(2)}
		want, err := searched(t.Context(), p, spec, lim, false)
		require.NoError(t, err)
		got, err := containsQuotientsAfter(t.Context(), p, spec, lim, int64(r.IntN(20)))
		require.NoError(t, err)
		require.Equal(t, want.Verdict, got.Verdict, "seed %d", seed)
		if want.Verdict != Fails {
			holds++
			continue
		}
		fails++
		require.Equal(t, mustBeRun(t, impl, spec, want.Counterexample)/observedStep,
			mustBeRun(t, impl, spec, got.Counterexample)/observedStep, "seed %d", seed)
		for _, x := range got.Others {
			mustBeRun(t, impl, spec, x)
		}
	}
	require.Greater(t, fails, 20)
	require.Greater(t, holds, 20)
}

// TestContainsItself: an LTS of many guesses is contained in a copy of itself.
func TestContainsItself(t *testing.T) {
	m := layered(rand.New(rand.NewPCG(1, 46)), 40, 60)
	p, err := newProduct([]*LTS{m})
	require.NoError(t, err)
	require.True(t, worthQuotients(p, m, Limits{}))
	require.False(t, worthQuotients(p, m, Limits{Antichain: true}))
	r, err := Contains(t.Context(), []*LTS{m}, m, Limits{})
	require.NoError(t, err)
	require.Equal(t, Holds, r.Verdict)
	require.Less(t, r.States, 10_000)
}

// layered draws layers of states, each with transitions to the next.
func layered(r *rand.Rand, layers, width int) *LTS {
	table := NewActions()
	actions := []Action{table.Intern("a"), table.Intern("b"), Tau}
	b := NewBuilder(table)
	b.AddStates(layers * width)
	for l := range layers - 1 {
		for i := range width {
			for range 5 {
				b.AddEdge(State(l*width+i), actions[r.IntN(3)], State((l+1)*width+r.IntN(width)))
			}
		}
	}
	return b.Build()
}
