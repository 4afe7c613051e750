package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
	"magus/internal/sample"
)

// variants are all ways to search.
func variants() []Limits {
	var all []Limits
	for _, order := range []Order{BreadthFirst, DepthFirst} {
		for _, subsumption := range []Subsumption{AutoSubsumption, NoSubsumption, AlwaysSubsumption} {
			all = append(all, Limits{Order: order, Subsumption: subsumption})
		}
	}
	return all
}

// relatedCase draws an implementation and a specification that it is likely to be contained in, or
// nearly: parts of one nondeterministic LTS, and one LTS more often than a composition.
func relatedCase(r *rand.Rand) (impl []*LTS, spec *LTS, actions []Action) {
	table := NewActions()
	for _, name := range []string{"a", "b", "c"}[:1+r.IntN(3)] {
		actions = append(actions, table.Intern(name))
	}
	left, spec := relatedPair(r, table, actions, 5)
	impl = []*LTS{left}
	if r.IntN(4) == 0 {
		impl = append(impl, randomLTS(r, table, actions, 3, r.IntN(2) == 0, false))
	}
	return impl, spec, actions
}

// relatedPair draws a dense LTS and a copy of it with its states doubled and some transitions left out.
func relatedPair(r *rand.Rand, table *Actions, actions []Action, states int) (part, whole *LTS) {
	n := 1 + r.IntN(states)
	labels := append([]Action{Tau}, actions...)
	a, b := NewBuilder(table), NewBuilder(table)
	a.AddStates(2 * n)
	b.AddStates(n)
	b.Alphabet(actions...)
	if r.IntN(3) > 0 {
		a.Alphabet(actions...)
	}
	copies := func(s State) State { return s + State(n*r.IntN(2)) }
	for range 1 + r.IntN(4*n) {
		from, to, l := State(r.IntN(n)), State(r.IntN(n)), labels[r.IntN(len(labels))]
		if r.IntN(3) > 0 {
			b.AddEdge(from, l, to)
		}
		for range r.IntN(3) {
			a.AddEdge(copies(from), l, copies(to))
		}
	}
	return a.Build(), b.Build()
}

// Every way to search gives the verdict of the naive subset construction, and breadth first a
// counterexample as short as its.
func TestSearchesAgainstSubsetConstruction(t *testing.T) {
	holds, fails, fewer := 0, 0, 0
	n := uint64(sample.Count(3_000))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 14))
		impl, spec, actions := relatedCase(r)
		if seed%4 == 0 {
			impl, spec, actions = randomCase(r)
		}
		want := naiveContains(impl, spec, actions)
		pairs := map[Limits]int{}
		for _, lim := range variants() {
			got, err := Contains(context.Background(), impl, spec, lim)
			require.NoError(t, err)
			what := fmt.Sprintf("seed %d: %+v: %v", seed, lim, got)
			pairs[lim] = got.States
			if want == unreached {
				require.Equal(t, Holds, got.Verdict, what)
				continue
			}
			require.Equal(t, Fails, got.Verdict, what)
			if cost := mustBeRun(t, impl, spec, got.Counterexample); lim.Order == BreadthFirst {
				require.Equal(t, want, cost, what)
			}
		}
		if want == unreached {
			holds++
		} else {
			fails++
		}
		if pairs[Limits{Subsumption: AlwaysSubsumption}] < pairs[Limits{Subsumption: NoSubsumption}] {
			fewer++
		}
	}
	require.Greater(t, holds, int(n/5), "too few cases hold to test anything")
	require.Greater(t, fails, int(n/6), "too few cases fail to test anything")
	require.Greater(t, fewer, int(n/10), "too few cases in which simulation makes a difference")
	t.Logf("%d pairs: %d hold, %d fail; simulation left fewer pairs in %d", n, holds, fails, fewer)
}

// Strong containment is weak containment of the LTSs with a visible action for τ.
func TestContainsStrong(t *testing.T) {
	fails := 0
	for seed := range sample.Seeds(0, sample.Count(1500)) {
		r := rand.New(rand.NewPCG(seed, 15))
		impl, spec, _ := relatedCase(r)
		if seed%4 == 0 {
			impl, spec, _ = randomCase(r)
		}
		if len(impl) > 1 {
			impl = []*LTS{composed(impl...)} // with a visible action for τ they would synchronise
		}
		tau := spec.actions.Intern("visible τ")
		visible := func(m *LTS) *LTS {
			b := NewBuilder(m.actions)
			b.AddStates(m.NumStates())
			b.SetInit(m.Init())
			b.Alphabet(append([]Action{tau}, m.Alphabet()...)...)
			for s := range State(m.NumStates()) {
				if m.IsError(s) {
					b.SetError(s)
				}
				for _, e := range m.Out(s) {
					if e.Action == Tau {
						e.Action = tau
					}
					b.AddEdge(s, e.Action, e.To)
				}
			}
			return b.Build()
		}
		want, err := Contains(context.Background(), []*LTS{visible(impl[0])}, visible(spec),
			Limits{Subsumption: NoSubsumption})
		require.NoError(t, err)
		for _, lim := range variants() {
			got, err := ContainsStrong(context.Background(), impl, spec, lim)
			require.NoError(t, err)
			require.True(t, got.Strong)
			require.Equal(t, want.Verdict, got.Verdict, "seed %d: %+v", seed, lim)
			if got.Verdict != Fails {
				continue
			}
			fails++
			mustBeTransitions(t, impl, got.Counterexample)
			if lim.Order == BreadthFirst {
				require.Len(t, got.Counterexample.Steps, len(want.Counterexample.Steps), "seed %d", seed)
			}
		}
	}
	if sample.Whole() {
		require.Greater(t, fails, 250)
	}
}

// mustBeTransitions fails the test unless c is a run of the composition.
func mustBeTransitions(t *testing.T, ms []*LTS, c *Counterexample) {
	t.Helper()
	at := make([]State, len(ms))
	for k, m := range ms {
		at[k] = m.Init()
	}
	for _, step := range c.Steps {
		require.NotEmpty(t, step.Moves)
		next := append([]State{}, at...)
		for _, move := range step.Moves {
			require.Equal(t, at[move.Component], move.From)
			next[move.Component] = move.To
		}
		require.True(t, isTransition(ms, at, step.Action, next))
		at = next
	}
}

// shiftRegister knows its last n inputs, and can do c if the oldest of them was an a; or, if wrong, after
// one more sequence. The other LTS guesses which a that will be.
func shiftRegister(t *Actions, n int, wrong bool) (register, guess *LTS) {
	a, b, c := t.Intern("a"), t.Intern("b"), t.Intern("c")
	r, g := NewBuilder(t), NewBuilder(t)
	r.AddStates(1<<n + 1)
	for s := range State(1 << n) {
		r.AddEdge(s, a, (s<<1|1)&(1<<n-1))
		r.AddEdge(s, b, s<<1&(1<<n-1))
		if s>>(n-1) == 1 || wrong && s == 1<<(n-1)-1 {
			r.AddEdge(s, c, 1<<n)
		}
	}
	g.AddStates(n + 2)
	g.AddEdge(0, a, 0)
	g.AddEdge(0, b, 0)
	g.AddEdge(0, a, 1)
	for i := State(1); i < State(n); i++ {
		g.AddEdge(i, a, i+1)
		g.AddEdge(i, b, i+1)
	}
	g.AddEdge(State(n), c, State(n)+1)
	return r.Build(), g.Build()
}

// A long search begins again with simulations, and has the answer of the one without.
func TestLongSearches(t *testing.T) {
	for _, wrong := range []bool{false, true} {
		register, guess := shiftRegister(NewActions(), 15, wrong)
		run := func(ctx context.Context, lim Limits) (Result, error) {
			return Contains(ctx, []*LTS{register}, guess, lim)
		}
		sets, err := run(context.Background(), Limits{Subsumption: NoSubsumption})
		require.NoError(t, err)
		require.Greater(t, sets.States, plainPairs)
		long, err := run(context.Background(), Limits{Antichain: true})
		require.NoError(t, err)
		require.Equal(t, sets.Verdict, long.Verdict)
		if wrong {
			require.Len(t, long.Counterexample.Trace(), len(sets.Counterexample.Trace()))
		} else {
			require.NotEmpty(t, long.Simulations.Cross, "no simulation was computed")
		}
		cut, err := run(context.Background(), Limits{MaxStates: plainPairs + 1})
		require.NoError(t, err)
		require.Equal(t, Unknown, cut.Verdict)
		require.Equal(t, fmt.Sprintf("more than %d product states", plainPairs+1), cut.Reason)
		for looks := range int64(8) {
			ended, err := run(countdown.Looks(context.Background(), looks), Limits{})
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, Unknown, ended.Verdict)
			require.NotEmpty(t, ended.Reason)
		}
	}
}
