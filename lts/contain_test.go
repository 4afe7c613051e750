package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
	"magus/internal/sample"
)

func splitTrim(text, separator string) []string {
	var items []string
	for _, item := range strings.Split(text, separator) {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// randomCase draws one to three components and a specification over at most three actions.
func randomCase(r *rand.Rand) (impl []*LTS, spec *LTS, actions []Action) {
	table := NewActions()
	for _, name := range []string{"a", "b", "c"}[:1+r.IntN(3)] {
		actions = append(actions, table.Intern(name))
	}
	n, states := 1+r.IntN(3), 5
	if n == 3 {
		states = 3
	}
	for range n {
		impl = append(impl, randomLTS(r, table, actions, states, r.IntN(2) == 0, false))
	}
	spec = randomLTS(r, table, actions, 5, r.IntN(3) > 0, r.IntN(4) == 0)
	return impl, spec, actions
}

// TestContainsAgainstSubsetConstruction compares verdict and length of the counterexample with the
// naive subset construction, and checks that the counterexample is a violating run.
func TestContainsAgainstSubsetConstruction(t *testing.T) {
	cases := sample.Count(20_000)
	fails := 0
	for seed := range uint64(cases) {
		impl, spec, actions := randomCase(rand.New(rand.NewPCG(seed, 1)))
		want := naiveContains(impl, spec, actions)
		got, err := Contains(context.Background(), impl, spec, Limits{})
		require.NoError(t, err)
		if want == unreached {
			if got.Verdict != Holds || got.Counterexample != nil {
				t.Fatalf("seed %d: %v, want holds", seed, got)
			}
			continue
		}
		fails++
		if got.Verdict != Fails {
			t.Fatalf("seed %d: %v, want fails", seed, got)
		}
		if cost := mustBeRun(t, impl, spec, got.Counterexample); cost != want {
			t.Fatalf("seed %d: counterexample of cost %d, want %d", seed, cost, want)
		}
	}
	require.Greater(t, fails, cases/5, "too few cases fail to test anything")
	require.Less(t, fails, 4*cases/5, "too few cases hold to test anything")
}

// TestContainsAgainstTraces compares with the enumeration of all short traces.
func TestContainsAgainstTraces(t *testing.T) {
	const cases, k = 10_000, 4
	for seed := range uint64(cases) {
		impl, spec, actions := randomCase(rand.New(rand.NewPCG(seed, 2)))
		want := naiveShortestBad(impl, spec, actions, k)
		got, err := Contains(context.Background(), impl, spec, Limits{})
		require.NoError(t, err)
		length := -1
		if got.Verdict == Fails {
			length = len(Project(got.Counterexample.Trace(), spec.Alphabet()))
		}
		if want >= 0 && length != want || want < 0 && length >= 0 && length <= k {
			t.Fatalf("seed %d: shortest violation has %d observed actions, want %d", seed, length, want)
		}
	}
}

func TestContainsExamples(t *testing.T) {
	tests := []struct {
		name, impl, spec string
		want             string // the counterexample's steps; "holds" if there is none
	}{
		{"equal", "p -a-> p", "s -a-> s", "holds"},
		{"not in spec", "p -a-> q; q -b-> p", "s -a-> t; +b", "a b"},
		{"not observed", "p -a-> q; q -b-> p", "s -a-> s", "holds"},
		{"alphabet only", "p -b-> p", "s; +b", "b"},
		{"shared action blocks", "p -a-> p | q; +a", "s; +a", "holds"},
		{"weak spec", "p -a-> p", "s -tau-> t; t -a-> u; u -tau-> s", "holds"},
		{"nondeterministic spec", "p -a-> q; q -c-> q", "s -a-> t; s -a-> u; t -b-> t; u -c-> u", "holds"},
		{"fewest observed, not fewest steps", "p -a-> q; q -b-> q; p -tau-> r; r -tau-> u; u -b-> u",
			"s -a-> s; +b", "tau tau b"},
		{"the same, where one state simulates another", "p -a-> q; q -b-> q; p -tau-> r; r -tau-> u; u -b-> u",
			"s -a-> s; s -a-> t; +b", "tau tau b"},
		{"fewest steps, where one state simulates another", "p -tau-> q; q -tau-> r; r -b-> r; p -tau-> u; " +
			"u -b-> u; u -tau-> q", "s -a-> s; s -a-> t; +b", "tau b"},
		{"hidden action in the run", "p -c-> q; q -b-> q", "s; +b", "c b"},
		{"error", "p -a-> q; q -b-> p", "s -a-> t; t -b-> e; !e", "a b"},
		{"error, spec left elsewhere", "p -b-> p", "s -a-> e; !e; +b", "holds"},
		{"error, one of several ways", "p -a-> p", "s -a-> t; s -a-> u; u -a-> e; !e", "a a"},
		{"error at the start", "p", "s -tau-> e; !e", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table := NewActions()
			var impl []*LTS
			for _, text := range splitTrim(test.impl, "|") {
				impl = append(impl, parse(table, text))
			}
			for _, lim := range variants() {
				got, err := Contains(context.Background(), impl, parse(table, test.spec), lim)
				require.NoError(t, err)
				if test.want == "holds" {
					require.Equal(t, Holds, got.Verdict)
					continue
				}
				require.Equal(t, Fails, got.Verdict)
				if lim.Order == BreadthFirst {
					require.Equal(t, test.want, FormatTrace(table, got.Counterexample.Actions()))
				}
			}
		})
	}
}

func TestContainsLimits(t *testing.T) {
	table := NewActions()
	impl := []*LTS{counter(table, "a", 50), counter(table, "b", 50)}
	spec := parse(table, "s -a-> s; s -b-> s")
	full, err := Contains(context.Background(), impl, spec, Limits{})
	require.NoError(t, err)
	require.Equal(t, Result{Verdict: Holds, States: 2500, SpecSets: 1}, full)

	cut, err := Contains(context.Background(), impl, spec, Limits{MaxStates: 2499})
	require.NoError(t, err)
	require.Equal(t, Unknown, cut.Verdict)
	require.Equal(t, "more than 2499 product states", cut.Reason)

	exact, err := Contains(context.Background(), impl, spec, Limits{MaxStates: 2500})
	require.NoError(t, err)
	require.Equal(t, Holds, exact.Verdict)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stopped, err := Contains(ctx, impl, spec, Limits{})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, Unknown, stopped.Verdict)
	require.NotEmpty(t, stopped.Reason)
}

// TestContainsNoticesItsContext ends the context while the search runs, wherever it looks.
func TestContainsNoticesItsContext(t *testing.T) {
	table := NewActions()
	impl := []*LTS{counter(table, "a", 200), counter(table, "b", 200)}
	spec := parse(table, "s -a-> s; s -b-> s")
	for looks := range int64(5) {
		got, err := Contains(countdown.Looks(context.Background(), looks), impl, spec, Limits{})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, Unknown, got.Verdict)
		require.Less(t, got.States, 200*200)
	}
}

func TestContainsRefusesForeignActions(t *testing.T) {
	one, two := NewActions(), NewActions()
	m := parse(one, "p -a-> p")
	for _, impl := range [][]*LTS{nil, {parse(two, "p -a-> p")}, {m, parse(two, "p -a-> p")}} {
		got, err := Contains(context.Background(), impl, m, Limits{})
		require.Error(t, err)
		require.Equal(t, Unknown, got.Verdict)
	}
}

// counter is a ring of n states whose only action is name.
func counter(t *Actions, name string, n int) *LTS {
	b := NewBuilder(t)
	b.AddStates(n)
	a := t.Intern(name)
	for s := range n {
		b.AddEdge(State(s), a, State((s+1)%n))
	}
	return b.Build()
}

func TestCounterexamplePaths(t *testing.T) {
	table := NewActions()
	left := parse(table, "p -tau-> q; q -sync-> r")
	right := parse(table, "u -x-> v; v -sync-> w; w -bad-> w")
	spec := parse(table, "s; +bad")
	got, err := Contains(context.Background(), []*LTS{left, right}, spec, Limits{})
	require.NoError(t, err)
	require.Equal(t, Fails, got.Verdict)
	c := got.Counterexample
	require.Equal(t, "x sync bad", FormatTrace(table, c.Trace()))
	name := func(path []Edge, m *LTS) string {
		var b strings.Builder
		for _, e := range path {
			fmt.Fprintf(&b, "-%s-> %s ", table.Name(e.Action), m.StateName(e.To))
		}
		return strings.TrimSpace(b.String())
	}
	require.Equal(t, "-tau-> q -sync-> r", name(c.Path(0), left))
	require.Equal(t, "-x-> v -sync-> w -bad-> w", name(c.Path(1), right))
}

// TestContainsInternedKeys has states that do not fit 64 bits: the search must not depend on it.
func TestContainsInternedKeys(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(8_000)) {
		impl, spec, _ := randomCase(rand.New(rand.NewPCG(seed, 12)))
		want, err := Contains(context.Background(), impl, spec, Limits{})
		require.NoError(t, err)
		p, err := newProduct(impl)
		require.NoError(t, err)
		s := newSearch(p, spec, Limits{}, false, nil)
		require.Nil(t, s.keys.interned)
		s.keys = newInterningKeyer(len(impl))
		require.NoError(t, s.run(context.Background()))
		require.Equal(t, want, s.result(), "seed %d", seed)
	}
}

// TestContainsLists has sets of specification states as lists: the search must not depend on it.
func TestContainsLists(t *testing.T) {
	several := 0
	for seed := range sample.Seeds(0, sample.Count(8_000)) {
		impl, spec, _ := randomCase(rand.New(rand.NewPCG(seed, 18)))
		for _, strong := range []bool{false, true} {
			p, err := newProduct(impl)
			require.NoError(t, err)
			asBits, asLists := newSearch(p, spec, Limits{}, strong, nil), newSearch(p, spec, Limits{}, strong, nil)
			o, ok := asLists.observer.(*setObserver)
			if !ok {
				continue
			}
			o.sets = newStateSets(spec.NumStates(), true)
			require.NoError(t, asBits.run(context.Background()))
			require.NoError(t, asLists.run(context.Background()))
			require.Equal(t, asBits.result(), asLists.result(), "seed %d", seed)
			if asLists.result().SpecSets > 2 {
				several++
			}
		}
	}
	require.True(t, !sample.Whole() || several > 320)
}

// TestContainsManyComponents has 70 components that count together, 70 × 2 states.
func TestContainsManyComponents(t *testing.T) {
	table := NewActions()
	var impl []*LTS
	for i := range 70 {
		impl = append(impl, parse(table, fmt.Sprintf("p -tick-> q; q -tock-> p; q -own%d-> q", i)))
	}
	holds, err := Contains(context.Background(), impl, parse(table, "s -tick-> t; t -tock-> s"), Limits{})
	require.NoError(t, err)
	require.Equal(t, Result{Verdict: Holds, States: 2, SpecSets: 2}, holds)
	fails, err := Contains(context.Background(), impl, parse(table, "s; +own69"), Limits{})
	require.NoError(t, err)
	require.Equal(t, "tick own69", FormatTrace(table, fails.Counterexample.Trace()))
	require.Len(t, fails.Counterexample.Steps[0].Moves, 70)
	require.Equal(t, []Move{{69, 1, 1}}, fails.Counterexample.Steps[1].Moves)
}

// TestContainsAgainstBuiltProduct takes cases too large for the naive versions: on the fly and by the
// built composition the verdict and the length of the counterexample are the same, and the error
// question agrees with reachability in the composition with spec.
func TestContainsAgainstBuiltProduct(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 13))
		table := NewActions()
		actions := []Action{table.Intern("a"), table.Intern("b"), table.Intern("c"), table.Intern("d")}
		impl := []*LTS{randomLTS(r, table, actions, 40, true, false), randomLTS(r, table, actions, 40, true, false)}
		spec := randomLTS(r, table, actions, 12, true, r.IntN(2) == 0)
		got, err := Contains(context.Background(), impl, spec, Limits{})
		require.NoError(t, err)
		built, err := Contains(context.Background(), []*LTS{composed(impl...)}, spec, Limits{})
		require.NoError(t, err)
		require.Equal(t, got.Verdict, built.Verdict)
		if got.Verdict == Fails {
			require.Equal(t, mustBeRun(t, impl, spec, got.Counterexample),
				mustBeRun(t, []*LTS{composed(impl...)}, spec, built.Counterexample))
		}
		if spec.HasError() {
			whole := withAlphabet(composed(impl...), actions) // spec alone does nothing
			require.Equal(t, got.Verdict == Fails, composed(whole, spec).HasError(), "seed %d", seed)
		}
	}
}
