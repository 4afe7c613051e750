package actionref

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
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

func weak(t testing.TB, m *lts.LTS) *Abstraction {
	t.Helper()
	a, err := Weak(context.Background(), m)
	require.NoError(t, err)
	return a
}

func split(t testing.TB, a *Abstraction, b int, act lts.Action) *Abstraction {
	t.Helper()
	refined, err := a.Split(context.Background(), b, act)
	require.NoError(t, err)
	return refined
}

func requireSound(t *testing.T, a, coarser *Abstraction) {
	t.Helper()
	require.Empty(t, a.Check())
	require.Empty(t, checkRefines(a, coarser))
	require.LessOrEqual(t, a.NumBlocks(), a.concrete.NumStates())
	require.True(t, included(t, a.concrete, a.Quotient()), "L(concrete) ⊆ L(quotient)")
	require.True(t, included(t, a.Quotient(), coarser.Quotient()), "a refinement has no new traces")
}

func included(t *testing.T, impl, spec *lts.LTS) bool {
	t.Helper()
	got, err := lts.Contains(context.Background(), []*lts.LTS{impl}, spec, lts.Limits{})
	require.NoError(t, err)
	require.NotEqual(t, lts.Unknown, got.Verdict)
	return got.Verdict == lts.Holds
}

func TestWeak(t *testing.T) {
	m := parse(t, "0 -a-> 1; 1 -b-> 2; 0 -c-> 3; 3 -b-> 4; 3 -b-> 0; 4 -d-> 4")
	a := weak(t, m)
	require.Same(t, m, a.concrete)
	require.Equal(t, "[0] [1,3] [2] [4]", blocks(a))
	require.Equal(t, a.Block(1), a.Block(3))
	require.Equal(t, lts.State(a.Block(0)), a.Quotient().Init())
	require.Equal(t, "alphabet {a, b, c, d}\ninit 0\n0 -a-> 1\n0 -c-> 1\n1 -b-> 0\n1 -b-> 2\n1 -b-> 3\n"+
		"3 -d-> 3\n", a.Quotient().String())
	requireSound(t, a, a)
}

func TestSplit(t *testing.T) {
	m := parse(t, "0 -a-> 1; 0 -c-> 3; 0 -a-> 5; 1 -b-> 2; 3 -b-> 4; 5 -b-> 2; 5 -b-> 4; 4 -d-> 4; 2 -e-> 2")
	a := weak(t, m)
	require.Equal(t, "[0] [1,3,5] [2] [4]", blocks(a))
	b := split(t, a, a.Block(1), actions(m, "b")[0])
	require.Equal(t, "[0] [1] [2] [3] [4] [5]", blocks(b), "members are told apart by the whole set of successors")
	require.Equal(t, "[0] [1,3,5] [2] [4]", blocks(a), "an abstraction is immutable")
	require.Equal(t, a.Block(1), b.Block(1))
	requireSound(t, b, a)
	require.Same(t, a, split(t, a, a.Block(1), actions(m, "a")[0]))
	require.Same(t, a, split(t, a, a.Block(0), actions(m, "a")[0]))
}

// TestFigure9 runs the algorithm of Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), figure 9, on cases small enough to follow by hand.
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
		{"τ is skipped", "0 -tau-> 1; 1 -a-> 2; 2 -tau-> 3; 3 -tau-> 3; 3 -b-> 4; 0 -c-> 5; 5 -tau-> 6; " +
			"6 -b-> 7; 7 -d-> 7", "a b tau d", "1:b", "[0] [2] [4] [5] [7]"},
		{"self loop through the split block", "0 -a-> 0; 0 -a-> 1; 1 -a-> 2; 2 -b-> 2; 3 -a-> 2; 3 -b-> 3",
			"b", "", "[0,1] [2]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := parse(t, test.lts)
			a := weak(t, m)
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
	a := weak(t, m)
	for _, trace := range []string{"", "a", "a tau b a", "tau a b"} {
		refined, splits, err := a.Refine(context.Background(), actions(m, trace))
		require.ErrorIs(t, err, ErrConcreteTrace)
		require.Same(t, a, refined)
		require.Empty(t, splits)
	}
	refined, _, err := a.Refine(context.Background(), actions(m, "a a"))
	require.NoError(t, err)
	require.Same(t, a, refined)
}

func TestRefineStopsWithItsContext(t *testing.T) {
	m := parse(t, "0 -a-> 1; 1 -b-> 2; 0 -c-> 3; 3 -b-> 4; 4 -d-> 4")
	a := weak(t, m)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	refined, _, err := a.Refine(ctx, actions(m, "a b d"))
	require.ErrorIs(t, err, context.Canceled)
	require.Same(t, a, refined)
}

// random draws an LTS over a, b, c, with τ if asked for; the initial state is any.
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
	b.SetInit(lts.State(r.IntN(n)))
	for range r.IntN(3*n + 1) {
		b.AddEdge(lts.State(r.IntN(n)), labels[r.IntN(len(labels))], lts.State(r.IntN(n)))
	}
	return b.Build()
}

func hasTrace(m *lts.LTS, trace []lts.Action) bool {
	_, has := lts.Member(m, trace)
	return has
}

// TestRefineToTheEnd refines by shortest spurious traces until there are none, as the loop does with a
// specification that is the concrete LTS itself: then the languages are equal.
func TestRefineToTheEnd(t *testing.T) {
	splits := 0
	for seed := range uint64(3000) {
		m := random(rand.New(rand.NewPCG(seed, 1)), 14, true)
		a := weak(t, m)
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

// requireSameSplits performs the splits one by one with Split and with the oracle, and compares.
func requireSameSplits(t *testing.T, from, want *Abstraction, splits []SplitInfo) {
	t.Helper()
	o := newOracle(from.concrete)
	for s := range o.block {
		o.block[s] = from.Block(lts.State(s))
	}
	for _, s := range splits {
		next := split(t, from, s.Block, s.Action)
		require.Equal(t, next.NumBlocks()-from.NumBlocks(), len(s.Into)-1)
		for _, b := range s.Into {
			require.Equal(t, s.Block, from.Block(next.Members(b)[0]))
		}
		o.split(s.Block, s.Action)
		o.requireSame(t, next)
		o.renumber(next)
		from = next
	}
	require.Equal(t, want.partition.blockOf, from.partition.blockOf)
	require.Equal(t, want.Quotient().String(), from.Quotient().String())
}

// TestRefineRandomTraces refines by traces of the quotient that are not shortest.
func TestRefineRandomTraces(t *testing.T) {
	sample.Long(t)
	refinements := 0
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 2))
		m := random(r, 16, true)
		a := weak(t, m)
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
		a := weak(t, m)
		for changed := true; changed; {
			changed = false
			for b := 0; b < a.NumBlocks(); b++ {
				for act := range lts.Action(m.Actions().Len()) {
					next := split(t, a, b, act)
					changed = changed || next != a
					a = next
				}
			}
		}
		require.Empty(t, a.Check())
		o := newOracle(m)
		want := bisimulation(m, o.moves)
		for _, s := range o.kept {
			for _, u := range o.kept {
				require.Equal(t, want[s] == want[u], a.Block(s) == a.Block(u), "seed %d", seed)
			}
		}
		require.True(t, included(t, a.Quotient(), m), "bisimilar LTSs have the same language")
	}
}

// bisimulation numbers states by their signatures until the numbering is stable.
func bisimulation(m *lts.LTS, out [][]lts.Edge) []int {
	class := make([]int, m.NumStates())
	for count := 1; ; {
		seen := map[string]int{}
		next := make([]int, len(class))
		for s := range class {
			signature := map[string]bool{}
			for _, e := range out[s] {
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

// checkRefines returns every violation of: a is a partition of the same LTS as coarse, and each of its
// blocks lies within one block of coarse.
func checkRefines(a, coarse *Abstraction) []error {
	if a.concrete != coarse.concrete {
		return []error{fmt.Errorf("partitions of different LTSs")}
	}
	var faults []error
	for b := range a.NumBlocks() {
		members := a.Members(b)
		for _, s := range members {
			if coarse.Block(s) != coarse.Block(members[0]) {
				faults = append(faults, fmt.Errorf("block %d joins blocks %d and %d", b, coarse.Block(members[0]), coarse.Block(s)))
				break
			}
		}
	}
	return faults
}
