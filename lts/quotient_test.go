package lts

import (
	"context"
	"magus/internal/sample"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var bisimulations = []Relation{StrongBisim, BranchingBisim, DivergenceBranchingBisim, WeakBisim}

func TestPartitionAgainstDefinitions(t *testing.T) {
	for _, relation := range bisimulations {
		t.Run(relation.String(), func(t *testing.T) {
			t.Parallel()
			merged := 0
			for seed := range sample.Seeds(0, sample.Count(1250)) {
				m, _, _ := similarPair(rand.New(rand.NewPCG(seed, 21)), 6)
				classes, count, err := Partition(context.Background(), m, relation)
				require.NoError(t, err)
				related := naiveRelation(m, relation)
				met := int32(0)
				for s := range related {
					require.LessOrEqual(t, classes[s], met, "classes are in the order of their least states")
					if classes[s] == met {
						met++
					}
					for u := range related {
						require.Equal(t, related[s][u], classes[s] == classes[u], "seed %d: %d and %d of\n%s", seed, s, u, m)
					}
				}
				require.EqualValues(t, met, count)
				if count < m.NumStates() {
					merged++
				}
			}
			if sample.Whole() {
				require.Greater(t, merged, 250)
			}
		})
	}
}

func TestMinimizeLaws(t *testing.T) {
	for _, relation := range append([]Relation{WeakTraceEq}, bisimulations...) {
		t.Run(relation.String(), func(t *testing.T) {
			t.Parallel()
			for seed := range sample.Seeds(0, sample.Count(750)) {
				m, _, actions := similarPair(rand.New(rand.NewPCG(seed, 22)), 4)
				q, err := Minimize(context.Background(), m, relation, Limits{})
				require.NoError(t, err)
				require.Empty(t, q.check())
				require.Equal(t, m.Alphabet(), q.Alphabet())
				require.True(t, naiveCompare(m, q, relation, actions), "seed %d\n%s\n%s", seed, m, q)
				require.Equal(t, q.NumStates(), Reachable(q).NumStates())
				again, err := Minimize(context.Background(), q, relation, Limits{})
				require.NoError(t, err)
				require.Equal(t, withoutNames(q).String(), withoutNames(again).String(), "seed %d", seed)
				distinct := relation
				if relation == WeakTraceEq {
					require.True(t, isDeterministic(q, false))
					distinct = StrongBisim
				}
				for s, row := range naiveRelation(q, distinct) {
					for u, related := range row {
						require.Equal(t, s == u, related, "seed %d: %d and %d of\n%s", seed, s, u, q)
					}
				}
			}
		})
	}
}

func withoutNames(m *LTS) *LTS {
	c := *m
	c.name = nil
	return &c
}

func TestMinimizeExamples(t *testing.T) {
	table := NewActions()
	for name, c := range map[string]struct {
		text     string
		relation Relation
		states   int
		edges    int
	}{
		"strong merges bisimilar":      {"s -a-> t; s -a-> u; t -b-> s; u -b-> s", StrongBisim, 2, 2},
		"strong sees tau":              {"s -tau-> t; t -a-> t", StrongBisim, 2, 2},
		"branching drops inert tau":    {"s -tau-> t; t -a-> t", BranchingBisim, 1, 1},
		"branching keeps choices":      {"s -tau-> t; s -b-> s; t -a-> t", BranchingBisim, 2, 3},
		"branching is divergenceblind": {"s -tau-> s; s -a-> s", BranchingBisim, 1, 1},
		"divergence is kept":           {"s -tau-> t; t -tau-> s; s -a-> s", DivergenceBranchingBisim, 1, 2},
		"weak, third tau law":          {"s -a-> t; s -a-> u; t -tau-> u; t -b-> x; u -c-> x", WeakBisim, 4, 5},
		"weak trace":                   {"s -a-> t; s -a-> u; t -b-> x; u -c-> x", WeakTraceEq, 3, 3},
		"unreachable":                  {"s -a-> s; t -b-> t", StrongBisim, 1, 1},
		"deadlock alone":               {"s", BranchingBisim, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			q, err := Minimize(context.Background(), parse(table, c.text), c.relation, Limits{})
			require.NoError(t, err)
			require.Equal(t, []int{c.states, c.edges}, []int{q.NumStates(), q.NumEdges()}, q.String())
		})
	}
	_, err := Minimize(context.Background(), parse(table, "s"), Simulation, Limits{})
	require.ErrorContains(t, err, "simulation")
	_, _, err = Partition(context.Background(), parse(table, "s"), WeakTraceEq)
	require.ErrorContains(t, err, "weak-trace")
}

// TestLongChains has as many classes as states, found from one end on.
func TestLongChains(t *testing.T) {
	const n = 2000
	table := NewActions()
	a := table.Intern("a")
	b := NewBuilder(table)
	b.AddStates(2 * n)
	for s := range State(n - 1) {
		b.AddEdge(2*s, Tau, 2*s+1)
		b.AddEdge(2*s+1, a, 2*s+2)
	}
	m := b.Build()
	classes, err := bunchPartition(context.Background(), m, false)
	require.NoError(t, err)
	require.Equal(t, 2*n-1, classes.count(), "the unreachable state and the one before it are deadlocks")
	classes, err = bunchPartition(context.Background(), m, true)
	require.NoError(t, err)
	require.Equal(t, n, classes.count())
	for relation, want := range map[Relation]int{StrongBisim: 2*n - 1, BranchingBisim: n,
		DivergenceBranchingBisim: n, WeakTraceEq: n} {
		q, err := Minimize(context.Background(), m, relation, Limits{})
		require.NoError(t, err)
		require.Equal(t, want, q.NumStates(), relation)
	}
}

func TestCancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	table := NewActions()
	m := parse(table, "s -a-> t; s -tau-> u; u -b-> s")
	for _, relation := range Relations() {
		_, err := Compare(ctx, m, m, relation, Limits{})
		require.ErrorIs(t, err, context.Canceled, relation)
	}
	for _, relation := range bisimulations {
		_, err := Minimize(ctx, m, relation, Limits{})
		require.ErrorIs(t, err, context.Canceled, relation)
		_, _, err = Partition(ctx, m, relation)
		require.ErrorIs(t, err, context.Canceled, relation)
	}
	_, err := Minimize(ctx, m, WeakTraceEq, Limits{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = bunchPartition(ctx, m, true)
	require.ErrorIs(t, err, context.Canceled)
	_, err = weakSplit(ctx, m)
	require.ErrorIs(t, err, context.Canceled)
	_, err = Determinize(ctx, m, Limits{})
	require.ErrorIs(t, err, context.Canceled)
}

// TestWeakIsStrongOfClosure compares weak classes with the strong ones of the weak transitions, on LTSs with
// a state that has so many transitions that its signature is squeezed.
func TestWeakIsStrongOfClosure(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 28))
		b := NewBuilder(NewActions())
		const n = 400
		b.AddStates(n)
		for s := range State(n) {
			b.AddEdge(0, Action(1), s)
			b.AddEdge(s, Tau, State(r.IntN(n)))
			b.AddEdge(s, Tau, State(max(0, int(s)-1)))
			if r.IntN(3) == 0 {
				b.AddEdge(s, Action(1+r.IntN(3)), State(r.IntN(int(s)+1)))
			}
		}
		m := Restrict(b.Build(), []Action{Action(3)})
		_, weak, err := Partition(context.Background(), m, WeakBisim)
		require.NoError(t, err)
		closed, err := TauClosure(context.Background(), m)
		require.NoError(t, err)
		_, strong, err := Partition(context.Background(), closed, StrongBisim)
		require.NoError(t, err)
		require.Equal(t, strong, weak)
	}
	// A τ chain, each state with a step of its own, and a state that can step everywhere.
	const n = 500
	b := NewBuilder(NewActions())
	b.AddStates(n + 1)
	for s := range State(n) {
		b.AddEdge(n, Action(1), s)
		b.AddEdge(s, Action(2+s), s)
		if s > 0 {
			b.AddEdge(s, Tau, s-1)
		}
	}
	classes, count, err := Partition(context.Background(), b.Build(), WeakBisim)
	require.NoError(t, err)
	require.Equal(t, n+1, count)
	require.Len(t, classes, n+1)
}
