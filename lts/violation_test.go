package lts

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
	"magus/internal/sample"
)

// TestOtherCounterexamples: those asked for beside the first are violating runs with other last actions, each a run of
// the whole product, and the first one and the verdict are what they are without them.
func TestOtherCounterexamples(t *testing.T) {
	found := 0
	for seed := range uint64(sample.Count(2000)) {
		r := rand.New(rand.NewPCG(seed, 8))
		impl, spec, _ := randomCase(r)
		for _, lim := range append(variants(), Limits{PartialOrder: true}, Limits{Reduce: true}) {
			want, err := Contains(context.Background(), impl, spec, lim)
			require.NoError(t, err)
			lim.Others = r.IntN(4)
			got, err := Contains(context.Background(), impl, spec, lim)
			require.NoError(t, err)
			require.Equal(t, want.Verdict, got.Verdict, "seed %d", seed)
			require.Equal(t, want.Counterexample, got.Counterexample, "seed %d", seed)
			require.LessOrEqual(t, len(got.Others), lim.Others)
			var last []Action
			for _, x := range append([]*Counterexample{got.Counterexample}, got.Others...) {
				if x == nil || len(x.Steps) == 0 {
					continue
				}
				mustBeRun(t, impl, spec, x)
				last = append(last, x.Steps[len(x.Steps)-1].Action)
			}
			found += len(got.Others)
			slices.Sort(last)
			require.Len(t, slices.Compact(last), len(got.Others)+min(1, len(last)), "seed %d", seed)
		}
	}
	require.Positive(t, found)
}

// TestOthersWithinLittle: the search for others ends with its context, and after so many pairs.
func TestOthersWithinLittle(t *testing.T) {
	table := NewActions()
	impl := []*LTS{counter(table, "a", 100), counter(table, "b", 100)}
	spec := parse(table, "s -a-> s; +b; +c")
	ctx := context.Background()
	got, err := Contains(ctx, impl, spec, Limits{Others: 1})
	require.NoError(t, err)
	require.Equal(t, Fails, got.Verdict)
	require.Empty(t, got.Others, "b is the only action that violates")
	require.Equal(t, 100, got.States)

	spec = parse(table, "s -a-> s; s -b-> s; +c")
	impl = append(impl, parse(table, "p -c-> p; p -d-> p"))
	got, err = Contains(ctx, impl, spec, Limits{Others: 1})
	require.NoError(t, err)
	require.Equal(t, Fails, got.Verdict)
	require.Less(t, got.States, pairsBeyond+10)

	many := NewBuilder(table) // sets of so many states are work
	first := many.AddStates(1 << 10)
	for q := range State(1 << 10) {
		many.AddEdge(first, table.Intern("a"), q)
		many.AddEdge(q, table.Intern("a"), q)
	}
	many.Alphabet(table.Intern("c"))
	got, err = Contains(countdown.Looks(ctx, 1), []*LTS{counter(table, "a", 300), impl[2]}, many.Build(),
		Limits{Others: 1, Subsumption: NoSubsumption})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, Unknown, got.Verdict)
	require.Nil(t, got.Counterexample)
}

// TestPaths: all paths are those of the components one by one.
func TestPaths(t *testing.T) {
	for seed := range uint64(500) {
		impl, spec, _ := randomCase(rand.New(rand.NewPCG(seed, 9)))
		r, err := Contains(context.Background(), impl, spec, Limits{})
		require.NoError(t, err)
		if r.Counterexample == nil {
			continue
		}
		for i, path := range r.Counterexample.Paths(len(impl)) {
			require.Equal(t, r.Counterexample.Path(i), path)
		}
	}
}
