package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/countdown"
	"magus/internal/sample"
)

// randomSystem draws up to six components over shared and local actions, and a specification over
// some of the shared ones.
func randomSystem(r *rand.Rand) (impl []*LTS, spec *LTS) {
	table := NewActions()
	var shared []Action
	for i := range 2 + r.IntN(4) {
		shared = append(shared, table.Intern(fmt.Sprintf("s%d", i)))
	}
	n := 1 + r.IntN(6)
	for i := range n {
		own := []Action{table.Intern(fmt.Sprintf("local%d", i))}
		for _, a := range shared {
			if r.IntN(3) == 0 {
				own = append(own, a)
			}
		}
		impl = append(impl, randomLTS(r, table, own, 4, r.IntN(3) > 0, r.IntN(8) == 0))
	}
	observed := append([]Action{table.Intern("local0")}, shared[:1+r.IntN(len(shared))]...)
	return impl, randomLTS(r, table, observed, 4, r.IntN(2) == 0, r.IntN(4) == 0)
}

// sameAnswer fails unless the reduced search answers as the other one, with a run of the
// components that observes as many actions. Groups are composed after a search of so many pairs.
func sameAnswer(t *testing.T, impl []*LTS, spec *LTS, pairs int) Result {
	t.Helper()
	want, err := Contains(context.Background(), impl, spec, Limits{})
	require.NoError(t, err)
	got, err := containsReduced(context.Background(), impl, spec, Limits{}, pairs)
	require.NoError(t, err)
	require.Equal(t, want.Verdict, got.Verdict)
	require.Len(t, got.Reduction.After, len(impl))
	for i, m := range impl {
		require.Equal(t, m.NumStates(), got.Reduction.Before[i])
		require.LessOrEqual(t, got.Reduction.After[i], m.NumStates())
	}
	deep, err := containsReduced(context.Background(), impl, spec, Limits{Order: DepthFirst}, pairs)
	require.NoError(t, err)
	require.Equal(t, want.Verdict, deep.Verdict)
	if want.Verdict == Fails {
		mustBeRun(t, impl, spec, want.Counterexample)
		mustBeRun(t, impl, spec, got.Counterexample)
		mustBeRun(t, impl, spec, deep.Counterexample)
		observed := func(r Result) int { return len(Project(r.Counterexample.Trace(), spec.Alphabet())) }
		require.Equal(t, observed(want), observed(got))
	}
	return got
}

// TestReducedContainsAgainstContains compares with the search on the components themselves.
func TestReducedContainsAgainstContains(t *testing.T) {
	cases := sample.Count(3_000)
	fails, joined, smaller := 0, 0, 0
	for seed := range uint64(cases) {
		impl, spec := randomSystem(rand.New(rand.NewPCG(seed, 31)))
		got := sameAnswer(t, impl, spec, int(seed%2)) // at once, or after a pair
		if got.Verdict == Fails {
			fails++
		}
		if len(got.Reduction.Operands) < len(impl) {
			joined++
		}
		for i, n := range got.Reduction.After {
			if n < got.Reduction.Before[i] {
				smaller++
				break
			}
		}
	}
	t.Logf("%d fail, in %d parts are composed, in %d components are smaller", fails, joined, smaller)
	if !sample.Whole() {
		return
	}
	require.Greater(t, fails, cases/5)
	require.Less(t, fails, 4*cases/5)
	require.Greater(t, joined, cases/10)
	require.Greater(t, smaller, cases/5)
}

// TestReducedContainsProperty is the same with counterexamples that shrink.
func TestReducedContainsProperty(t *testing.T) {
	sample.Check(t, func(rt *rapid.T) {
		table := NewActions()
		actions := []Action{table.Intern("a"), table.Intern("b"), table.Intern("c"), table.Intern("d")}
		var impl []*LTS
		for i := range rapid.IntRange(1, 4).Draw(rt, "components") {
			impl = append(impl, drawLTS(rt, table, actions, fmt.Sprint("component ", i)))
		}
		spec := drawLTS(rt, table, actions[:2], "spec")
		want, err := Contains(context.Background(), impl, spec, Limits{})
		require.NoError(rt, err)
		got, err := containsReduced(context.Background(), impl, spec, Limits{}, rapid.IntRange(0, 5).Draw(rt, "patience"))
		require.NoError(rt, err)
		require.Equal(rt, want.Verdict, got.Verdict)
		if want.Verdict == Fails {
			mustBeRun(t, impl, spec, got.Counterexample)
			require.Len(rt, Project(got.Counterexample.Trace(), spec.Alphabet()),
				len(Project(want.Counterexample.Trace(), spec.Alphabet())))
		}
	})
}

// TestComposeReducedHasTheTraces compares with the composition, hidden afterwards, by the
// relation decided without reduction.
func TestComposeReducedHasTheTraces(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(1250)) {
		r := rand.New(rand.NewPCG(seed, 32))
		impl, spec := randomSystem(r)
		keep := spec.Alphabet()[:r.IntN(len(spec.Alphabet())+1)]
		whole, err := Compose(context.Background(), impl, Limits{})
		require.NoError(t, err)
		want := Hide(whole, keep)
		got, stats, err := ComposeReduced(context.Background(), impl, keep, Limits{})
		require.NoError(t, err)
		require.Empty(t, got.check())
		require.Equal(t, want.Alphabet(), got.Alphabet())
		c, err := Compare(context.Background(), want, got, WeakTraceEq, Limits{})
		require.NoError(t, err)
		require.True(t, c.Holds, "seed %d: %v", seed, c.Explanation)
		require.Equal(t, []int{got.NumStates()}, stats.Operands)
		require.LessOrEqual(t, got.NumStates(), want.NumStates())
	}
}

// TestReduction shows what is composed: groups that share what nobody else sees, but not all for a
// search, and nothing where that gains nothing.
func TestReduction(t *testing.T) {
	tests := []struct {
		name, impl, spec string
		want             Reduction
		verdict          string // the counterexample's steps; "holds" if there is none
	}{
		{"one component", "p -in-> q; q -work-> r; r -out-> p", "s -in-> t; t -out-> s",
			Reduction{[]int{3}, []int{3}, []int{3}, 0}, "holds"},
		{"one component, sets of the specification", "p -in-> q; q -work-> r; r -out-> p",
			"s -in-> t; s -in-> u; t -out-> s; u -in-> s",
			Reduction{[]int{3}, []int{2}, []int{2}, 0}, "holds"},
		{"local actions", "p -in-> q; q -work-> r; r -out-> p | a -b-> a", "s -in-> t; t -out-> s",
			Reduction{[]int{3, 1}, []int{2, 1}, []int{2, 1}, 0}, "holds"},
		{"a row of buffers", "p -in-> q; q -x-> p | p -x-> q; q -y-> p | p -y-> q; q -out-> p", "s -in-> s; s -out-> s",
			Reduction{[]int{2, 2, 2}, []int{2, 2, 2}, []int{3, 2}, 4}, "holds"},
		{"what is hidden comes back", "p -in-> q; q -mine-> r; r -x-> p | p -x-> q; q -y-> p | p -y-> q; q -bad-> p",
			"s -in-> s; +bad",
			Reduction{[]int{3, 2, 2}, []int{2, 2, 2}, []int{3, 2}, 4}, "in mine x y bad"},
		{"an action of three", "p -x-> q | p -x-> q | p -x-> q; q -x-> q | a -b-> c", "s -b-> s",
			Reduction{[]int{2, 2, 2, 2}, []int{2, 2, 1, 2}, []int{1, 2}, 2}, "holds"},
		{"nothing to gain", "p -b-> q; q -x-> p; q -d-> q | p -c-> q; q -x-> p | a -e-> a",
			"s -b-> s; s -c-> s; s -e-> s; +d",
			Reduction{[]int{2, 2, 1}, []int{2, 2, 1}, []int{2, 2, 1}, 4}, "b d"},
		{"guesses", "p -a-> q; p -a-> r; q -b-> p; r -c-> p | a -d-> a", "s -a-> t; t -b-> s; t -c-> s",
			Reduction{[]int{3, 1}, []int{2, 1}, []int{2, 1}, 0}, "holds"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table := NewActions()
			var impl []*LTS
			for _, text := range splitTrim(test.impl, "|") {
				impl = append(impl, parse(table, text))
			}
			got := sameAnswer(t, impl, parse(table, test.spec), 0)
			require.Equal(t, test.want, *got.Reduction)
			test.want.Operands, test.want.Built = test.want.After, 0
			patient := sameAnswer(t, impl, parse(table, test.spec), 100)
			require.Equal(t, test.want, *patient.Reduction, "what is small is not composed beforehand")
			if test.verdict == "holds" {
				require.Equal(t, Holds, got.Verdict)
				return
			}
			require.Equal(t, Fails, got.Verdict)
			require.Equal(t, test.verdict, FormatTrace(table, got.Counterexample.Trace()))
		})
	}
}

func TestReducedLimits(t *testing.T) {
	table := NewActions()
	impl := []*LTS{counter(table, "a", 50), counter(table, "b", 50)}
	spec := parse(table, "s -a-> s; s -b-> s")
	cut, err := Contains(context.Background(), impl, spec, Limits{MaxStates: 2499, Reduce: true})
	require.NoError(t, err)
	require.Equal(t, Holds, cut.Verdict, "a counter that nobody stops is one state")

	_, _, err = ComposeReduced(context.Background(),
		[]*LTS{parse(table, "p -a-> q; q -b-> p"), parse(table, "p -c-> q; q -d-> p")},
		[]Action{table.Intern("a"), table.Intern("b"), table.Intern("c"), table.Intern("d")}, Limits{MaxStates: 3})
	var limit *LimitError
	require.ErrorAs(t, err, &limit)
	_, _, err = ComposeReduced(context.Background(), nil, nil, Limits{})
	require.Error(t, err)

	for looks := range int64(2) {
		stopped, err := Contains(countdown.Looks(context.Background(), looks), impl, spec,
			Limits{Reduce: true})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, Unknown, stopped.Verdict)
		require.NotEmpty(t, stopped.Reason)
	}
}
