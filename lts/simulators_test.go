package lts

import (
	"context"
	"magus/internal/sample"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// naiveAnswers returns the states that m can be in after answering a from t.
func naiveAnswers(m *LTS, t State, a Action, kind []moveKind, keepCosts bool) naiveSet {
	step := func(from naiveSet, isOne func(Action) bool) (to naiveSet) {
		for s := range State(m.NumStates()) {
			for _, e := range m.Out(s) {
				if from&(1<<s) != 0 && isOne(e.Action) {
					to |= 1 << e.To
				}
			}
		}
		return to
	}
	hidden := func(b Action) bool { return kind[b] == unobserved }
	same := func(b Action) bool { return a == b }
	silent := func(b Action) bool { return b == Tau && hidden(Tau) }
	from := naiveSet(1) << t
	switch {
	case keepCosts && hidden(a):
		return from | step(from, hidden)
	case keepCosts:
		return step(from, same)
	}
	closed := func(set naiveSet) naiveSet {
		for range m.NumStates() {
			set |= step(set, silent)
		}
		return set
	}
	if hidden(a) {
		return closed(from)
	}
	return closed(step(closed(from), same))
}

// naiveSimulators removes pairs that violate the definition until there are none.
func naiveSimulators(left, right *LTS, kind []moveKind, keepCosts bool) []naiveSet {
	up := make([]naiveSet, left.NumStates())
	for s := range up {
		up[s] = 1<<right.NumStates() - 1
	}
	for changed := true; changed; {
		changed = false
		for s := range State(left.NumStates()) {
			for t := range State(right.NumStates()) {
				for _, e := range left.Out(s) {
					if up[s]&(1<<t) != 0 && kind[e.Action] != impossible &&
						naiveAnswers(right, t, e.Action, kind, keepCosts)&up[e.To] == 0 {
						up[s] &^= 1 << t
						changed = true
					}
				}
			}
		}
	}
	return up
}

// Who simulates whom is what the definitions say.
func TestSimulatorsAgainstDefinition(t *testing.T) {
	related := 0
	for seed := range sample.Seeds(0, sample.Count(750)) {
		r := rand.New(rand.NewPCG(seed, 16))
		impl, spec, _ := relatedCase(r)
		if seed%3 == 0 {
			impl, spec, _ = randomCase(r)
		}
		p, err := newProduct(impl[:1])
		require.NoError(t, err)
		kind := moveKinds(p, spec, seed%2 == 0)
		for _, c := range []struct {
			left, right *LTS
			keepCosts   bool
		}{{spec, spec, false}, {impl[0], spec, false}, {impl[0], impl[0], true}} {
			got, err := simulators(context.Background(), c.left, c.right, kind, c.keepCosts)
			require.NoError(t, err)
			for s, want := range naiveSimulators(c.left, c.right, kind, c.keepCosts) {
				require.Equal(t, want, naiveSet(got.row(uint32(s))[0]), "seed %d: state %d of\n%s\n%s", seed, s, c.left, c.right)
				related++
			}
		}
	}
	require.Positive(t, related)
}

// What is too large is not computed, and the search does without.
func TestSimulatorsAreBounded(t *testing.T) {
	table := NewActions()
	large := counter(table, "a", 1<<13)
	p, err := newProduct([]*LTS{large})
	require.NoError(t, err)
	kind := moveKinds(p, large, false)
	got, err := simulators(context.Background(), large, large, kind, false)
	require.NoError(t, err)
	require.Nil(t, got)
	require.False(t, worthSubsuming(large))

	// Every state of a chain but the last is looked at again and again.
	b := NewBuilder(table)
	n := 1 << 12
	b.AddStates(n)
	for s := range n - 1 {
		b.AddEdge(State(s), table.Intern("a"), State(s+1))
	}
	chain := b.Build()
	require.True(t, worthSubsuming(chain))
	got, err = simulators(context.Background(), chain, chain, kind, false)
	require.NoError(t, err)
	require.Nil(t, got, "more steps than are allowed")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = simulators(ctx, chain, chain, kind, false)
	require.ErrorIs(t, err, context.Canceled)
}

// A budget is kept by every way to search, and what it leaves undecided is unknown.
func TestSearchesWithinBudgets(t *testing.T) {
	cut := 0
	for seed := range sample.Seeds(0, sample.Count(500)) {
		r := rand.New(rand.NewPCG(seed, 17))
		impl, spec, _ := relatedCase(r)
		want, err := Contains(context.Background(), impl, spec, Limits{})
		require.NoError(t, err)
		for _, lim := range variants() {
			lim.MaxStates, lim.MaxBytes = r.IntN(6), int64(r.IntN(3)*40_000)
			got, err := Contains(context.Background(), impl, spec, lim)
			require.NoError(t, err)
			if lim.MaxStates > 0 {
				require.LessOrEqual(t, got.States, lim.MaxStates)
			}
			if got.Verdict == Unknown {
				cut++
				require.Contains(t, got.Reason, "product states")
				require.Nil(t, got.Counterexample)
				continue
			}
			require.Equal(t, want.Verdict, got.Verdict)
		}
	}
	require.Positive(t, cut)
}
