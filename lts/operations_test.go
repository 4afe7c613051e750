package lts

import (
	"context"
	"magus/internal/sample"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeterminize(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(1000)) {
		m, _, actions := similarPair(rand.New(rand.NewPCG(seed, 30)), 5)
		d, err := Determinize(context.Background(), m, Limits{})
		require.NoError(t, err)
		require.Empty(t, d.check())
		require.True(t, isDeterministic(d, false))
		require.Equal(t, m.Alphabet(), d.Alphabet())
		require.True(t, naiveCompare(m, d, WeakTraceEq, actions), "seed %d\n%s\n%s", seed, m, d)
		limited, err := Determinize(context.Background(), m, Limits{MaxStates: d.NumStates()})
		require.NoError(t, err)
		require.Equal(t, d.String(), limited.String())
		if d.NumStates() > 1 {
			_, err = Determinize(context.Background(), m, Limits{MaxStates: d.NumStates() - 1})
			require.ErrorContains(t, err, "states")
		}
	}
}

// TestDeterminizeManyActions has as many actions as transitions, so that time would be lost by looking for
// each of them in every set.
func TestDeterminizeManyActions(t *testing.T) {
	const n = 100_000
	b := NewBuilder(NewActions())
	b.AddStates(n)
	for s := range State(n - 1) {
		b.AddEdge(s, Action(1+s), s+1)
	}
	d, err := Determinize(context.Background(), b.Build(), Limits{})
	require.NoError(t, err)
	require.Equal(t, []int{n, n - 1}, []int{d.NumStates(), d.NumEdges()})
}

func TestDeterminizeNames(t *testing.T) {
	d, err := Determinize(context.Background(), parse(NewActions(), "s -tau-> t; s -a-> s; t -a-> t"), Limits{})
	require.NoError(t, err)
	require.Equal(t, "{s,t}", d.StateName(d.Init()))
}

func TestTauClosure(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(500)) {
		m, _, actions := similarPair(rand.New(rand.NewPCG(seed, 31)), 5)
		c, err := TauClosure(context.Background(), m)
		require.NoError(t, err)
		require.Empty(t, c.check())
		p := newPairs(m)
		for s := range State(m.NumStates()) {
			require.Equal(t, m.IsError(s), c.IsError(s))
			for u := range State(m.NumStates()) {
				for _, a := range append([]Action{Tau}, actions...) {
					require.Equal(t, p.weakly(s, a, u), hasEdge(c, s, a, u), "seed %d", seed)
				}
			}
		}
	}
}

func TestRestrict(t *testing.T) {
	table := NewActions()
	m := parse(table, "s -a-> t; s -b-> t; t -tau-> s; +c; !t")
	r := Restrict(m, []Action{table.Intern("c"), table.Intern("a"), Tau})
	require.Empty(t, r.check())
	require.Equal(t, "alphabet {b}\ninit 0:s\nerror 1:t\n0:s -b-> 1:t\n1:t -tau-> 0:s\n", r.String())
	require.Equal(t, m.String(), Restrict(m, nil).String())
}

// naiveDistances relaxes the distances from a state until nothing changes; -1 for unreachable.
func naiveDistances(m *LTS, from State, onlyTau bool) []int {
	distance := slices.Repeat([]int{-1}, m.NumStates())
	distance[from] = 0
	for range distance {
		for s := range distance {
			for _, e := range m.Out(State(s)) {
				if distance[s] >= 0 && (!onlyTau || e.Action == Tau) && (distance[e.To] < 0 || distance[s]+1 < distance[e.To]) {
					distance[e.To] = distance[s] + 1
				}
			}
		}
	}
	return distance
}

// naiveCycle is the length of a shortest τ cycle through s, or -1.
func naiveCycle(m *LTS, s State) int {
	shortest := -1
	for _, e := range m.Out(s) {
		if e.Action != Tau {
			continue
		}
		if back := naiveDistances(m, e.To, true)[s]; back >= 0 && (shortest < 0 || back+1 < shortest) {
			shortest = back + 1
		}
	}
	return shortest
}

// follow returns where a path leads and fails the test if it is none.
func follow(t *testing.T, m *LTS, s State, path []Edge) State {
	t.Helper()
	for _, e := range path {
		require.True(t, hasEdge(m, s, e.Action, e.To))
		s = e.To
	}
	return s
}

func TestDeadlockAndLivelock(t *testing.T) {
	deadlocks, livelocks := 0, 0
	for seed := range sample.Seeds(0, sample.Count(2000)) {
		m, _, _ := similarPair(rand.New(rand.NewPCG(seed, 32)), 6)
		distance := naiveDistances(m, m.Init(), false)
		deadlock, livelock := -1, -1
		nearer := func(d, best int) bool { return d >= 0 && (best < 0 || d < best) }
		for s, d := range distance {
			if len(m.Out(State(s))) == 0 && !m.IsError(State(s)) && nearer(d, deadlock) {
				deadlock = d
			}
			if naiveCycle(m, State(s)) > 0 && nearer(d, livelock) {
				livelock = d
			}
		}
		path, found := Deadlock(m)
		require.Equal(t, deadlock >= 0, found, "seed %d", seed)
		if found {
			deadlocks++
			require.Len(t, path, deadlock)
			end := follow(t, m, m.Init(), path)
			require.Empty(t, m.Out(end))
			require.False(t, m.IsError(end))
		}
		path, cycle, found := Livelock(m)
		require.Equal(t, livelock >= 0, found, "seed %d\n%s", seed, m)
		if found {
			livelocks++
			require.Len(t, path, livelock)
			at := follow(t, m, m.Init(), path)
			require.Equal(t, at, follow(t, m, at, cycle))
			require.Len(t, cycle, naiveCycle(m, at))
			require.False(t, slices.ContainsFunc(cycle, func(e Edge) bool { return e.Action != Tau }))
		}
	}
	if sample.Whole() {
		require.Greater(t, deadlocks, 250)
		require.Greater(t, livelocks, 125)
	}
}

// TestRelationsAreOrdered: the preorders are reflexive and transitive, and the equivalences imply one another as in
// van Glabbeek's spectrum.
func TestRelationsAreOrdered(t *testing.T) {
	sample.Long(t)
	ctx := context.Background()
	holds := func(a, b *LTS, r Relation) bool {
		c, err := Compare(ctx, a, b, r, Limits{})
		require.NoError(t, err)
		return c.Holds
	}
	implies := [][2]Relation{
		{StrongBisim, DivergenceBranchingBisim}, {DivergenceBranchingBisim, BranchingBisim}, {BranchingBisim, WeakBisim},
		{WeakBisim, WeakTraceEq}, {WeakBisim, WeakSimulation}, {StrongBisim, Simulation}, {Simulation, WeakSimulation},
		{Simulation, TraceIncl}, {WeakSimulation, WeakTraceIncl}, {TraceIncl, WeakTraceIncl}, {TraceEq, TraceIncl},
		{StrongBisim, StableFailures}, {DivergenceBranchingBisim, FailuresDivergences},
		{DivergenceBranchingBisim, StableFailures}, {StableFailures, WeakTraceIncl},
	}
	chains := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 33))
		a, b, _ := similarPair(r, 3)
		c := unfold(r, b)
		for _, relation := range Relations() {
			require.True(t, holds(a, a, relation), "%v of seed %d", relation, seed)
			if holds(a, b, relation) && holds(b, c, relation) {
				chains++
				require.True(t, holds(a, c, relation), "%v of seed %d", relation, seed)
			}
			if !relation.IsPreorder() {
				require.Equal(t, holds(a, b, relation), holds(b, a, relation))
			}
		}
		for _, pair := range implies {
			if holds(a, b, pair[0]) {
				require.True(t, holds(a, b, pair[1]), "%v of seed %d", pair, seed)
			}
		}
	}
	require.Greater(t, chains, 300)
}
