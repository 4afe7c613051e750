package actionref

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/lts"
)

func TestVisible(t *testing.T) {
	m := parse(t, "0 -tau-> 1; 1 -tau-> 2; 2 -a-> 3; 1 -b-> 0; 3 -tau-> 4; 4 -tau-> 3; 3 -tau-> 5; 6 -a-> 0")
	v, origin := Visible(m)
	require.Equal(t, []lts.State{0, 3}, origin)
	require.Equal(t, "alphabet {a, b}\ninit 0\n0 -a-> 1\n0 -b-> 0\n", v.String())
}

// TestVisibleAgainstDefinition compares each state with s τ* a t, computed naively.
func TestVisibleAgainstDefinition(t *testing.T) {
	for seed := range uint64(5000) {
		m := random(rand.New(rand.NewPCG(seed, 4)), 10, true)
		v, origin := Visible(m)
		require.Equal(t, m.Init(), origin[v.Init()])
		require.Len(t, origin, v.NumStates())
		require.Equal(t, m.Alphabet(), v.Alphabet())
		for s := range lts.State(v.NumStates()) {
			var got []lts.Edge
			for _, e := range v.Out(s) {
				require.NotEqual(t, lts.Tau, e.Action)
				got = append(got, lts.Edge{Action: e.Action, To: origin[e.To]})
			}
			require.ElementsMatch(t, weakSuccessors(m, origin[s]), got, "seed %d", seed)
		}
		require.True(t, included(t, m, v) && included(t, v, m), "seed %d", seed)
		require.Equal(t, v.NumStates(), lts.Reachable(v).NumStates())
	}
}

func tauClosure(m *lts.LTS, s lts.State) []lts.State {
	closed := []lts.State{s}
	for i := 0; i < len(closed); i++ {
		for _, e := range m.Out(closed[i]) {
			if e.Action == lts.Tau && !slices.Contains(closed, e.To) {
				closed = append(closed, e.To)
			}
		}
	}
	return closed
}

func weakSuccessors(m *lts.LTS, s lts.State) []lts.Edge {
	var found []lts.Edge
	for _, u := range tauClosure(m, s) {
		for _, e := range m.Out(u) {
			if e.Action != lts.Tau && !slices.Contains(found, e) {
				found = append(found, e)
			}
		}
	}
	return found
}

// TestVisibleErrorsAgainstDefinition puts ERROR states anywhere.
func TestVisibleErrorsAgainstDefinition(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		m := withErrors(r, random(r, 10, true))
		v, origin := Visible(m)
		for s := range lts.State(v.NumStates()) {
			want := false
			for _, u := range tauClosure(m, origin[s]) {
				want = want || m.IsError(u)
			}
			require.Equal(t, want, v.IsError(s), "seed %d", seed)
		}
	}
}

func withErrors(r *rand.Rand, m *lts.LTS) *lts.LTS {
	b := lts.NewBuilder(m.Actions())
	b.AddStates(m.NumStates())
	b.SetInit(m.Init())
	for s := range lts.State(m.NumStates()) {
		for _, e := range m.Out(s) {
			b.AddEdge(s, e.Action, e.To)
		}
		if r.IntN(5) == 0 {
			b.SetError(s)
		}
	}
	return b.Build()
}

func TestVisibleKeepsErrors(t *testing.T) {
	table := lts.NewActions()
	b := lts.NewBuilder(table)
	p, q, e := b.AddState("p"), b.AddState("q"), b.AddState("e")
	b.AddEdge(p, table.Intern("a"), q)
	b.AddEdge(q, lts.Tau, e)
	b.SetError(e)
	v, _ := Visible(b.Build())
	require.False(t, v.IsError(0))
	require.True(t, v.IsError(1))
	require.Equal(t, "q", v.StateName(1))
	require.True(t, Initial(v).Quotient().HasError())
}

// TestTauChainsCostNothing is the reason for Visible: a spurious trace through a long chain of τ needs
// one split instead of one per link.
func TestTauChainsCostNothing(t *testing.T) {
	const links = 200
	table := lts.NewActions()
	b := lts.NewBuilder(table)
	x, y, end := table.Intern("x"), table.Intern("y"), table.Intern("end")
	b.AddStates(2*links + 3)
	chain := func(first lts.State, a lts.Action, after lts.State) {
		b.AddEdge(0, a, first)
		for i := range lts.State(links - 1) {
			b.AddEdge(first+i, lts.Tau, first+i+1)
		}
		b.AddEdge(first+links-1, end, after)
	}
	chain(1, x, 2*links+1)
	chain(links+1, y, 2*links+2)
	b.AddEdge(2*links+1, x, 0)
	b.AddEdge(2*links+2, y, 0)
	m := b.Build()

	v, _ := Visible(m)
	_, splits, err := Initial(v).Refine(context.Background(), []lts.Action{x, end, y})
	require.NoError(t, err)
	require.Len(t, splits, 1)

	spuriousTrace := []lts.Action{x}
	for range links - 1 {
		spuriousTrace = append(spuriousTrace, lts.Tau)
	}
	_, splits, err = Initial(m).Refine(context.Background(), append(spuriousTrace, end, y))
	require.NoError(t, err)
	require.Greater(t, len(splits), links/2)
}
