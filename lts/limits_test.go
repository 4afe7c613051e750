package lts

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is bounded gives the answer it gives without bounds, or says that a limit was reached.
func TestLimits(t *testing.T) {
	table := NewActions()
	n := counter(table, "a", 40)
	m := counter(table, "b", 40)
	chooses, guesses := choosing(table, 40)
	row := NewBuilder(table)
	row.AddStates(40)
	for s := range State(39) {
		row.AddEdge(s, table.Intern("step"), s+1)
	}
	steps := row.Build()
	ctx := context.Background()
	tests := []struct {
		name string
		do   func(Limits) error
		want string // of the limit of states
	}{
		{"composition", func(lim Limits) error { _, err := Compose(ctx, []*LTS{n, m}, lim); return err },
			"lts: more than 10 states of the composition"},
		{"determinisation", func(lim Limits) error { _, err := Determinize(ctx, n, lim); return err },
			"lts: more than 10 states when made deterministic"},
		{"weak trace quotient", func(lim Limits) error { _, err := Minimize(ctx, steps, WeakTraceEq, lim); return err },
			"lts: more than 10 states when made deterministic"},
		{"quotient", func(lim Limits) error { _, err := Minimize(ctx, n, BranchingBisim, lim); return err },
			"lts: more than 10 states"},
		{"bisimulation", func(lim Limits) error { _, err := Compare(ctx, n, m, StrongBisim, lim); return err },
			"lts: more than 10 states"},
		{"simulation", func(lim Limits) error { _, err := Compare(ctx, n, m, WeakSimulation, lim); return err },
			"lts: more than 10 states"},
		{"traces", func(lim Limits) error {
			lim.Subsumption = NoSubsumption
			_, err := Compare(ctx, chooses, guesses, TraceIncl, lim)
			return err
		},
			"lts: more than 10 product states"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.NoError(t, test.do(Limits{}))
			require.NoError(t, test.do(Limits{MaxStates: 1e6, MaxBytes: 1e9}))
			err := test.do(Limits{MaxStates: 10})
			require.EqualError(t, err, test.want)
			var limit *LimitError
			require.ErrorAs(t, err, &limit)
		})
	}
	for _, k := range []int{0, 1, 2, 5, 6} {
		t.Run(tests[k].name+" in bytes", func(t *testing.T) {
			err := tests[k].do(Limits{MaxBytes: 100})
			require.ErrorContains(t, err, "lts: more than 100 bytes of ")
			var limit *LimitError
			require.ErrorAs(t, err, &limit)
		})
	}
}

// choosing returns an LTS of 2n states that can do b or c after every a, and one that chooses which of
// them with the a.
func choosing(t *Actions, n int) (chooses, guesses *LTS) {
	a, c, d := t.Intern("a"), t.Intern("b"), t.Intern("c")
	b := NewBuilder(t)
	b.AddStates(2 * n)
	for s := range State(n) {
		next := (s + 1) % State(n)
		b.AddEdge(s, a, State(n)+s)
		b.AddEdge(State(n)+s, c, next)
		b.AddEdge(State(n)+s, d, next)
	}
	return b.Build(), parse(t, "s -a-> t; s -a-> u; t -b-> s; u -c-> s")
}

// An ended context ends a composition of any size.
func TestComposeEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	table := NewActions()
	_, err := Compose(ctx, []*LTS{counter(table, "a", 3)}, Limits{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = Compose(context.Background(), nil, Limits{})
	require.ErrorIs(t, err, errNoComponent)
	_, err = Compose(context.Background(), []*LTS{counter(table, "a", 3), counter(NewActions(), "a", 3)}, Limits{})
	require.ErrorIs(t, err, errForeignActions)
}
