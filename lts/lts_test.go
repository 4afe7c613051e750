package lts

import (
	"magus/internal/sample"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestActions(t *testing.T) {
	table := NewActions()
	require.Equal(t, 1, table.Len())
	require.Equal(t, Tau, table.Intern("tau"))
	a, b := table.Intern("a"), table.Intern("b")
	require.Equal(t, []Action{1, 2}, []Action{a, b})
	require.Equal(t, a, table.Intern("a"))
	require.Equal(t, "b", table.Name(b))
	require.Equal(t, []string{"b", "tau"}, table.Names([]Action{b, Tau}))
	found, ok := table.Lookup("b")
	require.True(t, ok)
	require.Equal(t, b, found)
	_, ok = table.Lookup("c")
	require.False(t, ok)
	require.Equal(t, 3, table.Len())
}

func TestActionsConcurrently(t *testing.T) {
	table := NewActions()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 200 {
				name := strings.Repeat("x", i)
				if got := table.Name(table.Intern(name)); got != name {
					t.Errorf("got %q, want %q", got, name)
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, 201, table.Len())
}

func TestBuilder(t *testing.T) {
	table := NewActions()
	a, b, c := table.Intern("a"), table.Intern("b"), table.Intern("c")
	build := NewBuilder(table)
	p, q, r := build.AddState("p"), build.AddState(""), build.AddState("r")
	for _, to := range []State{r, q, r, p} {
		build.AddEdge(q, b, to)
	}
	build.AddEdge(p, a, q)
	build.AddEdge(q, Tau, q)
	build.SetInit(q)
	build.SetError(r)
	build.Alphabet(c, Tau, c)
	m := build.Build()

	require.Same(t, table, m.Actions())
	require.Equal(t, q, m.Init())
	require.Equal(t, 3, m.NumStates())
	require.Equal(t, 5, m.NumEdges())
	require.Equal(t, []Edge{{Tau, q}, {b, p}, {b, q}, {b, r}}, m.Out(q))
	require.Equal(t, []Edge{{b, p}, {b, q}, {b, r}}, m.OutBy(q, b))
	require.Empty(t, m.OutBy(q, a))
	require.Empty(t, m.Out(r))
	require.Equal(t, []Action{a, b, c}, m.Alphabet())
	require.True(t, m.HasAction(c))
	require.False(t, m.HasAction(Tau))
	require.Equal(t, []string{"p", "1", "r"}, []string{m.StateName(p), m.StateName(q), m.StateName(r)})
	require.True(t, m.HasError() && m.IsError(r) && !m.IsError(q))
	require.Empty(t, m.check())

	empty := build.Build()
	require.Equal(t, 1, empty.NumStates())
	require.False(t, empty.HasError())
	require.Empty(t, empty.check())
}

func TestBuilderRefusesUnknownStates(t *testing.T) {
	table := NewActions()
	for _, misuse := range []func(*Builder){
		func(b *Builder) { b.AddEdge(0, Tau, 1) },
		func(b *Builder) { b.AddEdge(1, Tau, 0) },
		func(b *Builder) { b.SetInit(1) },
		func(b *Builder) { b.SetError(1) },
	} {
		b := NewBuilder(table)
		b.AddState("")
		misuse(b)
		require.Panics(t, func() { b.Build() })
	}
}

// TestBuilderAgainstSet compares Out, OutBy and the counts with a set of triples.
func TestBuilderAgainstSet(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(500)) {
		r := rand.New(rand.NewPCG(seed, 4))
		table := NewActions()
		for _, name := range []string{"a", "b", "c", "d"} {
			table.Intern(name)
		}
		b := NewBuilder(table)
		n := 1 + r.IntN(5)
		b.AddStates(n)
		type triple struct {
			from State
			edge Edge
		}
		want := map[triple]bool{}
		for range r.IntN(60) {
			x := triple{State(r.IntN(n)), Edge{Action(r.IntN(5)), State(r.IntN(n))}}
			want[x] = true
			b.AddEdge(x.from, x.edge.Action, x.edge.To)
		}
		m := b.Build()
		require.Empty(t, m.check())
		require.Equal(t, len(want), m.NumEdges())
		for s := range State(n) {
			var collected []Edge
			for a := range Action(6) {
				collected = append(collected, m.OutBy(s, a)...)
			}
			require.True(t, slices.Equal(m.Out(s), collected))
			for _, e := range collected {
				require.True(t, want[triple{s, e}])
			}
		}
	}
}

func TestString(t *testing.T) {
	one, two := NewActions(), NewActions()
	two.Intern("unlock")
	const text = "Free -lock-> Held; Held -unlock-> Free; Held -tau-> Lost; !Lost; +zap"
	want := `alphabet {lock, unlock, zap}
init 0:Free
error 2:Lost
0:Free -lock-> 1:Held
1:Held -tau-> 2:Lost
1:Held -unlock-> 0:Free
`
	require.Equal(t, want, parse(one, text).String())
	require.Equal(t, want, parse(two, text).String(), "the text must not depend on the numbering of actions")
}

func TestDot(t *testing.T) {
	table := NewActions()
	m := parse(table, "p -a-> q; q -tau-> e; q -b-> p; !e")
	draw := func() string {
		text, err := m.Dot(t.Context(), m.OutBy(0, table.Intern("a"))...)
		require.NoError(t, err)
		return text
	}
	text := draw()
	require.Equal(t, text, draw())
	require.Equal(t, 3, strings.Count(text, "color=\"red\",label"), text)
	require.Equal(t, 1, strings.Count(text, "octagon"))
	require.Equal(t, 1, strings.Count(text, "dashed"))
	require.Equal(t, 1, strings.Count(text, "point"))
}

func TestReachable(t *testing.T) {
	table := NewActions()
	m := parse(table, "p -a-> q; x -b-> p; q -a-> r; r -a-> q; +c; !r; !x")
	require.Equal(t, "alphabet {a, b, c}\ninit 0:p\nerror 2:r\n0:p -a-> 1:q\n1:q -a-> 2:r\n2:r -a-> 1:q\n",
		Reachable(m).String())
}

func TestHideAndRename(t *testing.T) {
	table := NewActions()
	a, b, c := table.Intern("a"), table.Intern("b"), table.Intern("c")
	m := parse(table, "p -a-> q; q -b-> p; q -tau-> r; !r; +d")
	require.Equal(t, "alphabet {b}\ninit 0:p\nerror 2:r\n0:p -tau-> 1:q\n1:q -tau-> 2:r\n1:q -b-> 0:p\n",
		Hide(m, []Action{c, b}).String())
	require.Equal(t, "alphabet {c, d}\ninit 0:p\nerror 2:r\n0:p -c-> 1:q\n1:q -tau-> 0:p\n1:q -tau-> 2:r\n",
		Rename(m, map[Action]Action{a: c, b: Tau, Tau: c}).String())
}
