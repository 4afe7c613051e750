package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// looseCase draws two to five components, of which few share an action, and a specification that observes
// some of the actions.
func looseCase(r *rand.Rand) (impl []*LTS, spec *LTS) {
	table := NewActions()
	n := 2 + r.IntN(4)
	builders := make([]*Builder, n)
	states := make([]int, n)
	for i := range builders {
		builders[i], states[i] = NewBuilder(table), 1+r.IntN(4)
		builders[i].AddStates(states[i])
	}
	var actions []Action
	for k := range n + r.IntN(4) {
		a := table.Intern(fmt.Sprint("a", k))
		actions = append(actions, a)
		for range 1 + r.IntN(2) + r.IntN(2)*r.IntN(2) {
			i := r.IntN(n)
			builders[i].Alphabet(a)
			for range r.IntN(2 + states[i]) {
				builders[i].AddEdge(State(r.IntN(states[i])), a, State(r.IntN(states[i])))
			}
		}
	}
	for i, b := range builders {
		for range r.IntN(3) {
			b.AddEdge(State(r.IntN(states[i])), Tau, State(r.IntN(states[i])))
		}
		impl = append(impl, b.Build())
	}
	var observed []Action
	for range 1 + r.IntN(3) {
		observed = append(observed, actions[r.IntN(len(actions))])
	}
	b := NewBuilder(table)
	m := 1 + r.IntN(4)
	b.AddStates(m)
	b.Alphabet(observed...)
	if r.IntN(3) > 0 {
		observed = append(observed, observed...)
	} else {
		observed = append(observed, Tau)
	}
	for range m + r.IntN(4*m) {
		b.AddEdge(State(r.IntN(m)), observed[r.IntN(len(observed))], State(r.IntN(m)))
	}
	if r.IntN(4) == 0 {
		b.SetError(State(r.IntN(m)))
	}
	return impl, b.Build()
}

// observedIn is how many steps of a counterexample the specification observes.
func observedIn(c *Counterexample, spec *LTS) int { return len(Project(c.Trace(), spec.Alphabet())) }

// TestPartialOrderAgainstAllOrders: with persistent sets and without, in either order, the verdict is the same;
// breadth first a counterexample has as few observed actions; and where there is none, the
// components were in the same states.
func TestPartialOrderAgainstAllOrders(t *testing.T) {
	cases := sample.Count(5_000)
	ctx := context.Background()
	fails, fewer, all, few := 0, 0, 0, 0
	for seed := range sample.Seeds(0, cases) {
		impl, spec := looseCase(rand.New(rand.NewPCG(seed, 7)))
		want, err := Contains(ctx, impl, spec, Limits{Visited: true, Subsumption: NoSubsumption})
		require.NoError(t, err)
		for _, order := range []Order{BreadthFirst, DepthFirst} {
			got, err := Contains(ctx, impl, spec, Limits{PartialOrder: true, Order: order, Visited: true})
			require.NoError(t, err)
			if got.Verdict != want.Verdict {
				t.Fatalf("seed %d, order %d: %v, want %v", seed, order, got.Verdict, want.Verdict)
			}
			if got.Verdict == Fails {
				mustBeRun(t, impl, spec, got.Counterexample)
				if order == BreadthFirst {
					require.Equal(t, observedIn(want.Counterexample, spec), observedIn(got.Counterexample, spec), "seed %d", seed)
				}
				continue
			}
			require.Equal(t, want.Visited, got.Visited, "seed %d, order %d", seed, order)
			all, few = all+want.States, few+got.States
			if got.States < want.States {
				fewer++
			}
		}
		if want.Verdict == Fails {
			fails++
		}
	}
	require.Greater(t, fails, cases/5)
	require.Greater(t, fewer, cases/5, "nothing was left out")
	t.Logf("%d fail; of the others %d pairs instead of %d", fails, few, all)
}

// TestPartialOrderOfStrongTraces: where τ is observed, no step that anybody can take alone is left out.
func TestPartialOrderOfStrongTraces(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(1250)) {
		impl, spec := looseCase(rand.New(rand.NewPCG(seed, 8)))
		want, err := ContainsStrong(context.Background(), impl, spec, Limits{})
		require.NoError(t, err)
		got, err := ContainsStrong(context.Background(), impl, spec, Limits{PartialOrder: true})
		require.NoError(t, err)
		require.Equal(t, want.Verdict, got.Verdict, "seed %d", seed)
	}
}

// TestPartialOrderGrowth: of components that do two steps that nobody observes and then one that is observed,
// all orders of the former are 3ⁿ pairs; one order of them is looked at.
func TestPartialOrderGrowth(t *testing.T) {
	const n = 10
	table := NewActions()
	var impl []*LTS
	for i := range n {
		impl = append(impl, parse(table, fmt.Sprintf("p -x%d-> q; q -tau-> r; r -y%d-> r", i, i)))
	}
	spec := parse(table, "s -y0-> s; s -y9-> s")
	all, err := Contains(context.Background(), impl, spec, Limits{})
	require.NoError(t, err)
	require.Equal(t, 59049, all.States)
	few, err := Contains(context.Background(), impl, spec, Limits{PartialOrder: true})
	require.NoError(t, err)
	require.Equal(t, Holds, few.Verdict)
	require.Equal(t, 2*n+1, few.States)
}

// TestProviso: a component that goes round by itself does not keep the others from what violates.
func TestProviso(t *testing.T) {
	table := NewActions()
	impl := []*LTS{parse(table, "p -tau-> q; q -x-> p"), parse(table, "p -tau-> q; q -tau-> p; q -bad-> q")}
	for _, order := range []Order{BreadthFirst, DepthFirst} {
		r, err := Contains(context.Background(), impl, parse(table, "s; +bad"), Limits{PartialOrder: true, Order: order})
		require.NoError(t, err)
		require.Equal(t, Fails, r.Verdict)
		require.Equal(t, "tau bad", FormatTrace(table, r.Counterexample.Actions()),
			"what the first component does has nothing to do with it")
	}
}

// TestPersistentSets: what is found at a tuple satisfies P1, P2 and P3, as they are written, and is found if there is
// any such set.
func TestPersistentSets(t *testing.T) {
	found := 0
	for seed := range sample.Seeds(0, sample.Count(750)) {
		r := rand.New(rand.NewPCG(seed, 9))
		impl, spec := looseCase(r)
		p, err := newProduct(impl)
		require.NoError(t, err)
		observed := make([]bool, p.lastAction()+1)
		for a := range observed {
			observed[a] = spec.HasAction(Action(a))
		}
		s := newPersistence(p, observed)
		at := make([]State, len(impl))
		for i, m := range impl {
			at[i] = State(r.IntN(m.NumStates()))
		}
		var sets [][]int32
		for _, set := range s.find(at) {
			sets = append(sets, s.closure(at, set))
		}
		for _, set := range sets {
			require.True(t, isPersistent(impl, at, set, observed), "seed %d: %v at %v", seed, set, at)
			found++
		}
		for subset := 1; subset < 1<<len(impl) && sets == nil; subset++ {
			var set []int32
			for i := range impl {
				if subset>>i&1 == 1 {
					set = append(set, int32(i))
				}
			}
			// P2 leaves a choice that find does not try out: of who cannot perform an action
			require.False(t, isPersistent(impl, at, set, observed) && onlyFirst(impl, at, set), "seed %d: %v at %v",
				seed, set, at)
		}
	}
	if sample.Whole() {
		require.Greater(t, found, 125)
	}
}

// able says whether all owners of an action can perform it, and which one cannot, if not.
func able(impl []*LTS, at []State, a Action) (all bool, lacking []int32) {
	for j, m := range impl {
		if m.HasAction(a) && len(m.OutBy(at[j], a)) == 0 {
			lacking = append(lacking, int32(j))
		}
	}
	return lacking == nil, lacking
}

// notices says whether a component has a state that a visible action leads away from, or is not possible in.
func notices(impl []*LTS, a Action, i int32) bool {
	if a == Tau {
		return false
	}
	for q := range State(impl[i].NumStates()) {
		if out := impl[i].Out(q); !slices.Contains(out, Edge{a, q}) || countFirst(impl[i].OutBy(q, a), a) > 1 {
			return true
		}
	}
	return false
}

func isPersistent(impl []*LTS, at []State, set []int32, observed []bool) bool {
	steps := 0
	for _, i := range set {
		for _, e := range impl[i].Out(at[i]) {
			if notices(impl, e.Action, i) {
				all, lacking := able(impl, at, e.Action)
				if !all {
					if !slices.ContainsFunc(lacking, func(j int32) bool { return slices.Contains(set, j) }) {
						return false
					}
					continue
				}
				for j, m := range impl {
					if m.HasAction(e.Action) && notices(impl, e.Action, int32(j)) && !slices.Contains(set, int32(j)) {
						return false
					}
				}
			} else if e.Action != Tau {
				continue
			}
			if observed[e.Action] {
				return false
			}
			steps++
		}
	}
	return steps > 0
}

// onlyFirst says whether P2 is satisfied by the first component that lacks each action.
func onlyFirst(impl []*LTS, at []State, set []int32) bool {
	for _, i := range set {
		for _, e := range impl[i].Out(at[i]) {
			if !notices(impl, e.Action, i) {
				continue
			}
			if all, lacking := able(impl, at, e.Action); !all && !slices.Contains(set, lacking[0]) {
				return false
			}
		}
	}
	return true
}
