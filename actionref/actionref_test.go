package actionref

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/lts"
)

// parse builds an LTS from items "0 -a-> 1" separated by ";"; state 0 is initial, "tau" is τ.
func parse(t *testing.T, text string) *lts.LTS {
	t.Helper()
	table := lts.NewActions()
	b := lts.NewBuilder(table)
	states := 1
	for _, item := range strings.Split(text, ";") {
		var from, to int
		var arrow string
		_, err := fmt.Sscan(item, &from, &arrow, &to)
		require.NoError(t, err)
		states = max(states, from+1, to+1)
		b.AddEdge(lts.State(from), table.Intern(arrow[1:len(arrow)-2]), lts.State(to))
	}
	b.AddStates(states)
	return b.Build()
}

func actions(m *lts.LTS, names string) []lts.Action {
	var trace []lts.Action
	for _, name := range strings.Fields(names) {
		trace = append(trace, m.Actions().Intern(name))
	}
	return trace
}

// blocks writes a partition as text, "{0} {1,3}".
func blocks(a *Abstraction) string {
	var parts []string
	for b := range a.NumBlocks() {
		parts = append(parts, strings.ReplaceAll(fmt.Sprint(a.Members(b)), " ", ","))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func requireSound(t *testing.T, a, coarser *Abstraction) {
	t.Helper()
	require.Empty(t, a.Check())
	require.Empty(t, a.CheckRefines(coarser))
	require.LessOrEqual(t, a.NumBlocks(), a.Concrete().NumStates())
	require.True(t, included(t, a.Concrete(), a.Quotient()), "L(concrete) ⊆ L(quotient)")
	require.True(t, included(t, a.Quotient(), coarser.Quotient()), "a refinement has no new traces")
}

func included(t *testing.T, impl, spec *lts.LTS) bool {
	t.Helper()
	got, err := lts.Contains(context.Background(), []*lts.LTS{impl}, spec, lts.Limits{})
	require.NoError(t, err)
	require.NotEqual(t, lts.Unknown, got.Verdict)
	return got.Verdict == lts.Holds
}

func TestInitial(t *testing.T) {
	m := parse(t, "0 -a-> 1; 1 -b-> 2; 0 -c-> 3; 3 -b-> 4; 3 -b-> 0; 4 -d-> 4")
	a := Initial(m)
	require.Same(t, m, a.Concrete())
	require.Equal(t, "[0] [1,3] [2] [4]", blocks(a))
	require.Equal(t, a.Block(1), a.Block(3))
	require.Equal(t, lts.State(a.Block(0)), a.Quotient().Init())
	require.Equal(t, "alphabet {a, b, c, d}\ninit 0\n0 -a-> 1\n0 -c-> 1\n1 -b-> 0\n1 -b-> 2\n1 -b-> 3\n3 -d-> 3\n", a.Quotient().String())
	requireSound(t, a, a)
}

func TestSplit(t *testing.T) {
	m := parse(t, "0 -a-> 1; 0 -c-> 3; 0 -a-> 5; 1 -b-> 2; 3 -b-> 4; 5 -b-> 2; 5 -b-> 4; 4 -d-> 4; 2 -e-> 2")
	a := Initial(m)
	require.Equal(t, "[0] [1,3,5] [2] [4]", blocks(a))
	b := a.Split(a.Block(1), actions(m, "b")[0])
	require.Equal(t, "[0] [1] [2] [3] [4] [5]", blocks(b), "members are told apart by the whole set of successors")
	require.Equal(t, "[0] [1,3,5] [2] [4]", blocks(a), "an abstraction is immutable")
	require.Equal(t, a.Block(1), b.Block(1))
	requireSound(t, b, a)
	require.Same(t, a, a.Split(a.Block(1), actions(m, "a")[0]))
	require.Same(t, a, a.Split(a.Block(0), actions(m, "a")[0]))
}

// TestFigure9 runs the algorithm of papers/003, figure 9, on cases small enough to follow by hand.
func TestFigure9(t *testing.T) {
	tests := []struct {
		name, lts, trace string
		splits           string // block:action for each split
		want             string // the partition afterwards
	}{
		{"one split", "0 -a-> 1; 1 -b-> 2; 0 -c-> 3; 3 -b-> 4; 4 -d-> 4", "a b d", "1:b", "[0] [1] [2] [3] [4]"},
		{"the trace is not there", "0 -a-> 1; 1 -b-> 2", "b", "", "[0] [1] [2]"},
		{"action outside the alphabet", "0 -a-> 1", "x", "", "[0] [1]"},
		{"a counter of a", "0 -a-> 1; 1 -a-> 2; 2 -a-> 3", "a a a a", "0:a 0:a", "[0] [1] [2] [3]"},
		{"a counter of τ", "0 -tau-> 1; 1 -tau-> 2; 2 -tau-> 3; 3 -a-> 0", "tau tau a", "0:tau 0:tau", "[0] [1] [2] [3]"},
		{"self loop through the split block", "0 -a-> 0; 0 -a-> 1; 1 -a-> 2; 2 -b-> 2; 3 -a-> 2; 3 -b-> 3", "b", "", "[0,1] [2] [3]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := parse(t, test.lts)
			a := Initial(m)
			refined, splits, err := a.Refine(context.Background(), actions(m, test.trace))
			require.NoError(t, err)
			var got []string
			for _, s := range splits {
				got = append(got, fmt.Sprintf("%d:%s", s.Block, m.Actions().Name(s.Action)))
				require.Equal(t, s.Block, s.Into[0])
				require.Greater(t, len(s.Into), 1)
			}
			require.Equal(t, test.splits, strings.Join(got, " "))
			require.Equal(t, test.want, blocks(refined))
			requireSound(t, refined, a)
			if len(splits) == 0 {
				require.Same(t, a, refined)
			}
		})
	}
}

func TestRefineRefusesConcreteTraces(t *testing.T) {
	m := parse(t, "0 -a-> 1; 1 -tau-> 2; 2 -b-> 0")
	a := Initial(m)
	for _, trace := range []string{"", "a", "a tau b a"} {
		refined, splits, err := a.Refine(context.Background(), actions(m, trace))
		require.ErrorIs(t, err, ErrConcreteTrace)
		require.Same(t, a, refined)
		require.Empty(t, splits)
	}
	refined, _, err := a.Refine(context.Background(), actions(m, "a b"))
	require.NoError(t, err, "τ is not skipped")
	require.Same(t, a, refined)
}

func TestRefineStopsWithItsContext(t *testing.T) {
	m := parse(t, "0 -a-> 1; 1 -b-> 2; 0 -c-> 3; 3 -b-> 4; 4 -d-> 4")
	a := Initial(m)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	refined, _, err := a.Refine(ctx, actions(m, "a b d"))
	require.ErrorIs(t, err, context.Canceled)
	require.Same(t, a, refined)
}

// random draws an LTS over a, b, c, with τ if asked for.
func random(r *rand.Rand, maxStates int, tau bool) *lts.LTS {
	table := lts.NewActions()
	b := lts.NewBuilder(table)
	labels := []lts.Action{table.Intern("a"), table.Intern("b"), table.Intern("c")}
	b.Alphabet(labels...)
	if tau {
		labels = append(labels, lts.Tau, lts.Tau)
	}
	n := 1 + r.IntN(maxStates)
	b.AddStates(n)
	for range r.IntN(3*n + 1) {
		b.AddEdge(lts.State(r.IntN(n)), labels[r.IntN(len(labels))], lts.State(r.IntN(n)))
	}
	return b.Build()
}

// visibleTau renames τ to a visible action, for comparisons in which τ is an action like any other.
func visibleTau(m *lts.LTS) *lts.LTS {
	b := lts.NewBuilder(m.Actions())
	b.AddStates(m.NumStates())
	b.SetInit(m.Init())
	b.Alphabet(m.Alphabet()...)
	for s := range lts.State(m.NumStates()) {
		for _, e := range m.Out(s) {
			if e.Action == lts.Tau {
				e.Action = m.Actions().Intern("t")
			}
			b.AddEdge(s, e.Action, e.To)
		}
	}
	return b.Build()
}

func hasTrace(m *lts.LTS, trace []lts.Action) bool {
	return !spurious(m, trace)
}

// TestRefineToTheEnd refines by shortest spurious traces until there are none, as the loop does with a
// specification that is the concrete LTS itself: then the languages are equal.
func TestRefineToTheEnd(t *testing.T) {
	splits := 0
	for seed := range uint64(3000) {
		m := visibleTau(random(rand.New(rand.NewPCG(seed, 1)), 8, true))
		a := Initial(m)
		requireSound(t, a, a)
		bound := m.NumStates() - a.NumBlocks()
		for {
			got, err := lts.Contains(context.Background(), []*lts.LTS{a.Quotient()}, m, lts.Limits{})
			require.NoError(t, err)
			if got.Verdict == lts.Holds {
				break
			}
			trace := got.Counterexample.Trace()
			refined, infos, err := a.Refine(context.Background(), trace)
			require.NoError(t, err)
			require.NotEmpty(t, infos)
			require.False(t, hasTrace(refined.Quotient(), trace), "seed %d: the trace is still there", seed)
			requireSound(t, refined, a)
			requireSameSplits(t, a, refined, infos)
			splits += len(infos)
			bound -= len(infos)
			require.GreaterOrEqual(t, bound, 0)
			a = refined
		}
	}
	require.Greater(t, splits, 500)
}

// requireSameSplits performs the splits one by one with Split and compares.
func requireSameSplits(t *testing.T, from, want *Abstraction, splits []SplitInfo) {
	t.Helper()
	for _, s := range splits {
		next := from.Split(s.Block, s.Action)
		require.Empty(t, next.Check())
		require.Equal(t, next.NumBlocks()-from.NumBlocks(), len(s.Into)-1)
		for _, b := range s.Into {
			require.Equal(t, s.Block, from.Block(next.Members(b)[0]))
		}
		from = next
	}
	require.Equal(t, want.parts.blockOf, from.parts.blockOf)
	require.Equal(t, want.Quotient().String(), from.Quotient().String())
}

// TestRefineRandomTraces refines by traces of the quotient that are not shortest.
func TestRefineRandomTraces(t *testing.T) {
	refinements := 0
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 2))
		m := random(r, 9, true)
		a := Initial(m)
		for range 3 {
			trace := walk(r, a.Quotient(), 12)
			refined, infos, err := a.Refine(context.Background(), trace)
			if hasTrace(m, trace) {
				require.ErrorIs(t, err, ErrConcreteTrace)
				continue
			}
			refinements++
			require.NoError(t, err)
			require.False(t, hasTrace(refined.Quotient(), trace))
			require.NotEmpty(t, infos)
			requireSound(t, refined, a)
			requireSameSplits(t, a, refined, infos)
			a = refined
		}
	}
	require.Greater(t, refinements, 1000)
}

// walk returns the trace of a random run, τ included.
func walk(r *rand.Rand, m *lts.LTS, n int) []lts.Action {
	var trace []lts.Action
	at := m.Init()
	for range n {
		out := m.Out(at)
		if len(out) == 0 {
			break
		}
		e := out[r.IntN(len(out))]
		trace, at = append(trace, e.Action), e.To
	}
	return trace
}

// TestSplitConvergesToBisimulation splits by everything until nothing changes, and compares with
// signature refinement.
func TestSplitConvergesToBisimulation(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		m := random(r, 10, true)
		a := Initial(m)
		for changed := true; changed; {
			changed = false
			for b := 0; b < a.NumBlocks(); b++ {
				for act := range lts.Action(m.Actions().Len()) {
					next := a.Split(b, act)
					changed = changed || next != a
					a = next
				}
			}
		}
		require.Empty(t, a.Check())
		want := bisimulation(m)
		for s := range m.NumStates() {
			for u := range m.NumStates() {
				require.Equal(t, want[s] == want[u], a.Block(lts.State(s)) == a.Block(lts.State(u)), "seed %d", seed)
			}
		}
		require.True(t, included(t, a.Quotient(), m), "bisimilar LTSs have the same language")
	}
}

// bisimulation numbers states by their signatures until the numbering is stable.
func bisimulation(m *lts.LTS) []int {
	class := make([]int, m.NumStates())
	for count := 1; ; {
		seen := map[string]int{}
		next := make([]int, len(class))
		for s := range class {
			signature := map[string]bool{}
			for _, e := range m.Out(lts.State(s)) {
				signature[fmt.Sprint(e.Action, class[e.To])] = true
			}
			key := fmt.Sprint(class[s], signature)
			if _, ok := seen[key]; !ok {
				seen[key] = len(seen)
			}
			next[s] = seen[key]
		}
		class = next
		if len(seen) == count {
			return class
		}
		count = len(seen)
	}
}
