package lts

import (
	"context"
	"fmt"
	"magus/internal/sample"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRelationNames(t *testing.T) {
	for _, r := range Relations() {
		got, err := ParseRelation(r.String())
		require.NoError(t, err)
		require.Equal(t, r, got)
	}
	_, err := ParseRelation("strong")
	require.ErrorContains(t, err, "strong-bisim")
	require.Equal(t, "Relation(99)", Relation(99).String())
	table := NewActions()
	_, err = Compare(context.Background(), parse(table, "s"), parse(table, "s"), Relation(99), Limits{})
	require.Error(t, err)
	_, err = Compare(context.Background(), parse(table, "s"), parse(NewActions(), "s"), StrongBisim, Limits{})
	require.ErrorIs(t, err, errForeignActions)
}

func TestExplanations(t *testing.T) {
	for name, c := range map[string]struct {
		left, right string
		relation    Relation
		trace       string // "-" for none
		want        []string
	}{
		"choice after a": {"s -a-> t; t -b-> x; t -c-> y", "p -a-> q; p -a-> r; q -b-> x; r -c-> y",
			StrongBisim, "-", []string{
				"left at s does a to t; right at p can go to q or r, but left t differs from right q",
				"left at t does c to y; right at q cannot do c"}},
		"missing action": {"s -a-> t", "p -b-> q", StrongBisim, "a", []string{
			"left at s does a to t; right at p cannot do a",
			"left has the trace a; right has not"}},
		"preempted": {"s -tau-> t; s -b-> x; t -a-> x", "p -tau-> q; p -b-> x; p -a-> x; q -a-> x",
			BranchingBisim, "-", []string{"left at s does tau to t"}},
		"divergence": {"s -tau-> s; s -a-> x", "p -a-> x", DivergenceBranchingBisim, "-", []string{
			"left at s can do tau forever; right at p cannot"}},
		"error state": {"s -a-> x; !x", "p -a-> x", WeakBisim, "a", nil},
		"weak trace": {"s -tau-> t; t -a-> t", "p -a-> q", WeakTraceEq, "a a",
			[]string{"left has the trace a a; right has not"}},
		"trace sees tau": {"s -a-> x", "p -tau-> q; q -a-> x", TraceEq, "a", []string{"left has the trace a; right has not"}},
		"simulation": {"s -a-> t; t -b-> x; t -c-> y", "p -a-> q; p -a-> r; q -b-> x; r -c-> y", Simulation, "-", []string{
			"left at s does a to t; right at p can go to q or r, but r does not simulate t",
			"left at t does b to x; right at r cannot do b"}},
		"refusal": {"s -a-> t; s -a-> u; t -b-> x; u -c-> x", "p -a-> q; q -b-> x; q -c-> x", StableFailures, "a", []string{
			"after a, left can offer no more than {b}; right offers at least {b, c}"}},
		"nothing offered": {"s -tau-> t", "p -a-> q; p -tau-> r; r -b-> x", StableFailures, "", []string{
			"after the empty trace, left can offer nothing; right offers at least {b}"}},
		"never stable": {"s -a-> t", "p -a-> q; q -tau-> q", StableFailures, "a", []string{
			"after a, left can offer nothing; right always goes on by tau"}},
		"cycle": {"s -a-> t; t -tau-> u; u -tau-> t; t -b-> s", "p -a-> q; q -b-> p", FailuresDivergences, "a", []string{
			"after a, left can do tau forever: t → u → t; right cannot"}},
	} {
		t.Run(name, func(t *testing.T) {
			table := NewActions()
			got, err := Compare(context.Background(), parse(table, c.left), parse(table, c.right), c.relation, Limits{})
			require.NoError(t, err)
			require.False(t, got.Holds)
			require.Equal(t, c.trace != "-", got.HasTrace)
			if got.HasTrace {
				require.Equal(t, c.trace, FormatTrace(table, got.Trace))
			}
			if name == "preempted" {
				require.Contains(t, got.Explanation[0], "right")
				return
			}
			if c.want != nil {
				require.Equal(t, c.want, got.Explanation)
			}
		})
	}
}

// TestExplanationsEnd checks on random pairs that there is an explanation exactly if the relation does
// not hold, and that it ends with a step that has no answer.
func TestExplanationsEnd(t *testing.T) {
	for _, relation := range Relations() {
		t.Run(relation.String(), func(t *testing.T) {
			t.Parallel()
			for seed := range sample.Seeds(0, sample.Count(1000)) {
				a, b, _ := similarPair(rand.New(rand.NewPCG(seed, 24)), 5)
				got, err := Compare(context.Background(), a, b, relation, Limits{})
				require.NoError(t, err)
				require.Equal(t, got.Holds, got.Explanation == nil)
				text := strings.Join(got.Explanation, "\n")
				require.NotContains(t, text, "too long")
				require.NotContains(t, text, "…", "seed %d\n%s\n%s", seed, a, b)
			}
		})
	}
}

// TestPlaysAreLegal follows plays of the game and compares every step with the definitions; ranks are
// by rounds and by blocks.
func TestPlaysAreLegal(t *testing.T) {
	for _, relation := range bisimulations {
		t.Run(relation.String(), func(t *testing.T) {
			t.Parallel()
			plays := 0
			for seed := range sample.Seeds(0, sample.Count(750)) {
				a, b, _ := similarPair(rand.New(rand.NewPCG(seed, 25)), 4)
				k := newMarks(a, b)
				u := disjoint(k, a, b)
				blocks, count, err := partition(context.Background(), k, u, relation)
				require.NoError(t, err)
				s, v := a.init, State(a.NumStates())+b.init
				if blocks[s] == blocks[v] {
					continue
				}
				plays++
				g, err := newGame(context.Background(), k, u, a, b, blocks, count, relation)
				require.NoError(t, err)
				checkPlay(t, g, g.at(s), g.at(v), fmt.Sprintf("seed %d\n%s\n%s", seed, a, b))
				require.NoError(t, g.rank(context.Background(), quotient(g.g, g.classes, count, relation == StrongBisim),
					blockHistory))
				checkPlay(t, g, g.at(s), g.at(v), fmt.Sprintf("by blocks, seed %d\n%s\n%s", seed, a, b))
			}
			if sample.Whole() {
				require.Greater(t, plays, 75)
			}
		})
	}
}

// TestLongPlays: there is an explanation whatever the number of rounds, and it is not longer than announced.
func TestLongPlays(t *testing.T) {
	sample.Long(t)
	const n = 4000
	table := NewActions()
	a, b := table.Intern("a"), table.Intern("b")
	row := func(last Action) *LTS {
		m := NewBuilder(table)
		m.AddStates(n + 1)
		for s := range State(n) {
			x := a
			if s%3 == 1 {
				x = Tau
			}
			if s == n-1 {
				x = last
			}
			m.AddEdge(s, x, s+1)
		}
		return m.Build()
	}
	for _, relation := range bisimulations {
		got, err := Compare(context.Background(), row(a), row(b), relation, Limits{})
		require.NoError(t, err)
		require.False(t, got.Holds)
		require.Contains(t, got.Explanation[0], "but left 1 differs from right 1")
		text := strings.Join(got.Explanation, "\n")
		require.Contains(t, text, "the rest is too long")
		require.Less(t, len(text), 20_000)
	}
}

// checkPlay: every transition exists, every answer leads to a pair that is not related, and pairs are told
// apart earlier and earlier.
func checkPlay(t *testing.T, g *game, s, v State, message string) {
	kind := g.kind
	if kind == DivergenceBranchingBisim {
		kind = BranchingBisim // divergence is a transition of g
	}
	p := newPairs(g.g)
	related := naiveRelation(g.g, kind)
	for range 100 {
		require.False(t, related[s][v], message)
		rank := g.rankOf(s, v)
		c, ok := g.bestChallenge(s, v)
		require.True(t, ok, message)
		require.True(t, p.star[c.from][c.before] && hasEdge(g.g, c.before, c.edge.Action, c.edge.To) &&
			p.star[c.edge.To][c.after], message)
		require.ElementsMatch(t, []State{s, v}, []State{c.from, c.against}, message)
		for _, x := range c.answers {
			require.False(t, related[x.first][x.other], message)
			require.Less(t, x.rank, rank, message)
			byTau := kind != StrongBisim && p.star[c.against][x.to]
			require.True(t, byTau || p.weakly(c.against, c.edge.Action, x.to), message)
		}
		require.True(t, len(c.answers) > 0 ||
			!p.any(func(x State) bool { return p.weakly(c.against, c.edge.Action, x) }) || kind == StrongBisim, message)
		if len(c.answers) == 0 {
			return
		}
		s, v = c.answers[c.best].first, c.answers[c.best].other
	}
	require.Fail(t, "the play does not end", message)
}

// TestSimulationPlaysAreLegal follows the steps that refute pairs, and compares with the definition.
func TestSimulationPlaysAreLegal(t *testing.T) {
	for _, relation := range []Relation{Simulation, WeakSimulation} {
		t.Run(relation.String(), func(t *testing.T) {
			t.Parallel()
			plays := 0
			for seed := range sample.Seeds(0, sample.Count(750)) {
				a, b, _ := similarPair(rand.New(rand.NewPCG(seed, 31)), 5)
				s, _, err := newSimulation(context.Background(), a, b, relation == WeakSimulation, Limits{})
				require.NoError(t, err)
				holds, err := s.run(context.Background())
				require.NoError(t, err)
				related := naiveRelation(s.m, relation)
				require.Equal(t, related[s.left][s.right], holds, "seed %d", seed)
				l, r := s.left, s.right
				for steps := 0; !holds; steps++ {
					require.Less(t, steps, 100)
					require.False(t, related[l][r], "seed %d", seed)
					e := s.unanswered(l, r)
					require.True(t, hasEdge(s.m, l, e.Action, e.To))
					answers := s.answers.to(r, e.Action)
					if len(answers) == 0 {
						plays++
						break
					}
					for _, f := range answers {
						require.False(t, related[e.To][f.To], "seed %d", seed)
						require.Less(t, s.order[s.pair(e.To, f.To)], s.order[s.pair(l, r)])
					}
					l, r = e.To, answers[0].To
				}
			}
			if sample.Whole() {
				require.Greater(t, plays, 75)
			}
		})
	}
}

// TestTracesTellApart checks traces against the naive notion of having one.
func TestTracesTellApart(t *testing.T) {
	for _, relation := range []Relation{TraceIncl, WeakTraceIncl, TraceEq, WeakTraceEq, StrongBisim,
		BranchingBisim, WeakBisim} {
		t.Run(relation.String(), func(t *testing.T) {
			t.Parallel()
			traces := 0
			for seed := range sample.Seeds(0, sample.Count(1000)) {
				a, b, _ := similarPair(rand.New(rand.NewPCG(seed, 26)), 4)
				got, err := Compare(context.Background(), a, b, relation, Limits{})
				require.NoError(t, err)
				if !got.HasTrace || a.HasError() || b.HasError() {
					continue
				}
				traces++
				strong := relation == TraceIncl || relation == TraceEq || relation == StrongBisim
				inA, inB := hasTrace(a, got.Trace, strong), hasTrace(b, got.Trace, strong)
				require.NotEqual(t, inA, inB, "seed %d", seed)
				if relation.IsPreorder() {
					require.True(t, inA)
				}
				shorter := got.Trace[:len(got.Trace)-1]
				require.Equal(t, hasTrace(a, shorter, strong), hasTrace(b, shorter, strong), "a shortest one")
			}
			if sample.Whole() {
				require.Greater(t, traces, 75)
			}
		})
	}
}

func hasTrace(m *LTS, trace []Action, strong bool) bool {
	if !strong {
		return naiveAfter(m, trace) != 0
	}
	at := map[State]bool{m.Init(): true}
	for _, a := range trace {
		next := map[State]bool{}
		for s := range at {
			for _, e := range m.Out(s) {
				if e.Action == a {
					next[e.To] = true
				}
			}
		}
		at = next
	}
	return len(at) > 0
}
