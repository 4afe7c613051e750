package lts

import (
	"context"
	"magus/internal/sample"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// naiveViolations are the traces of k actions of spec's alphabet that the
// composition has and spec forbids, though it allows what comes before, by name.
func naiveViolations(ms []*LTS, spec *LTS, actions []Action, k int) [][]string {
	p := naiveCompose(ms, actions)
	level := [][]Action{nil}
	for range k {
		var longer [][]Action
		for _, trace := range level {
			for _, a := range spec.Alphabet() {
				if t := append(slices.Clone(trace), a); p.has(t, spec) {
					longer = append(longer, t)
				}
			}
		}
		level = longer
	}
	var bad [][]string
	for _, trace := range level {
		if naiveBad(spec, naiveAfter(spec, trace)) {
			bad = append(bad, spec.Actions().Names(trace))
		}
	}
	slices.SortFunc(bad, slices.Compare)
	return bad
}

// TestCounterexamplesAgainstTraces compares with the enumeration of all traces of
// the length of a shortest violation.
func TestCounterexamplesAgainstTraces(t *testing.T) {
	several := 0
	for seed := range sample.Seeds(0, sample.Count(1250)) {
		impl, spec, actions := randomCase(rand.New(rand.NewPCG(seed, 11)))
		r, err := Contains(context.Background(), impl, spec, Limits{})
		require.NoError(t, err)
		if r.Verdict != Fails {
			continue
		}
		n := len(Project(r.Counterexample.Trace(), spec.Alphabet()))
		if n > 4 {
			continue
		}
		want := naiveViolations(impl, spec, actions, n)
		got, complete, err := Counterexamples(context.Background(), impl, spec, n, 1000)
		require.NoError(t, err)
		require.True(t, complete)
		var traces [][]string
		for _, c := range got {
			mustBeRun(t, impl, spec, c)
			traces = append(traces, spec.Actions().Names(Project(c.Trace(), spec.Alphabet())))
		}
		require.Equal(t, want, traces, "seed %d", seed)
		if len(want) > 1 {
			several++
			some, complete, err := Counterexamples(context.Background(), impl, spec, n, len(want)-1)
			require.NoError(t, err)
			require.False(t, complete)
			require.Equal(t, got[:len(want)-1], some)
		}
	}
	if sample.Whole() {
		require.Greater(t, several, 25, "too few cases have several violations")
	}
}

func TestCounterexamplesNotice(t *testing.T) {
	table := NewActions()
	m := counter(table, "a", 3)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := Counterexamples(ctx, []*LTS{m}, m, 1, 1)
	require.ErrorIs(t, err, context.Canceled)
	_, _, err = Counterexamples(context.Background(), []*LTS{counter(NewActions(), "a", 3)}, m, 1, 1)
	require.ErrorIs(t, err, errForeignActions)
	none, complete, err := Counterexamples(context.Background(), []*LTS{m}, m, 0, 1)
	require.NoError(t, err)
	require.True(t, complete)
	require.Empty(t, none)
}
