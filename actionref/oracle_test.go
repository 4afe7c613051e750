package actionref

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/lts"
)

// oracle is a partition by the definitions: all weak moves of all states, and nothing shared.
type oracle struct {
	m     *lts.LTS
	kept  []lts.State  // the states that are partitioned, ascending
	moves [][]lts.Edge // by state: all s -a-> t with s τ* a t
	block []int        // by state; none if it is not partitioned
	count int
}

func newOracle(m *lts.LTS) *oracle {
	o := &oracle{m: m, kept: []lts.State{m.Init()}}
	for s := range lts.State(m.NumStates()) {
		o.moves, o.block = append(o.moves, weakSuccessors(m, s)), append(o.block, none)
	}
	for i := 0; i < len(o.kept); i++ {
		for _, e := range o.moves[o.kept[i]] {
			if !slices.Contains(o.kept, e.To) {
				o.kept = append(o.kept, e.To)
			}
		}
	}
	slices.Sort(o.kept)
	return o
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
	slices.SortFunc(found, lts.Edge.Compare)
	return found
}

// divide gives the states new blocks by what is said of them; the first keeps the block keep.
func (o *oracle) divide(states []lts.State, keep int, say func(lts.State) string) {
	number := map[string]int{}
	next := slices.Clone(o.block)
	for _, s := range states {
		n, ok := number[say(s)]
		if !ok {
			if n = keep; len(number) > 0 || keep == none {
				n = o.count
				o.count++
			}
			number[say(s)] = n
		}
		next[s] = n
	}
	o.block = next
}

// initial lumps states with the same enabled actions.
func (o *oracle) initial() {
	o.divide(o.kept, none, func(s lts.State) string {
		var enabled []lts.Action
		for _, e := range o.moves[s] {
			enabled = append(enabled, e.Action)
		}
		return fmt.Sprint(slices.Compact(enabled))
	})
}

// split tells the members of block u apart by the blocks that a leads to.
func (o *oracle) split(u int, a lts.Action) {
	var members []lts.State
	for _, s := range o.kept {
		o.count = max(o.count, o.block[s]+1)
		if o.block[s] == u {
			members = append(members, s)
		}
	}
	o.divide(members, u, func(s lts.State) string {
		var targets []int
		for _, e := range o.moves[s] {
			if e.Action == a {
				targets = append(targets, o.block[e.To])
			}
		}
		slices.Sort(targets)
		return fmt.Sprint(slices.Compact(targets))
	})
}

// requireSame compares the partition and, under the numbering of a, the quotient.
func (o *oracle) requireSame(t *testing.T, a *Abstraction) {
	t.Helper()
	number := map[int]int{}
	var edges []string
	for _, s := range o.kept {
		b, ok := number[o.block[s]]
		require.True(t, !ok || b == a.Block(s), "state %d: the oracle joins blocks %d and %d", s, b, a.Block(s))
		number[o.block[s]] = a.Block(s)
		for _, e := range o.moves[s] {
			edges = append(edges, fmt.Sprintf("%d -%d-> %d", a.Block(s), e.Action, a.Block(e.To)))
		}
	}
	require.Len(t, number, a.NumBlocks())
	var got []string
	for b := range a.NumBlocks() {
		require.True(t, slices.Equal(a.Quotient().Out(lts.State(b)), a.partition.out[b]), "sorted, without duplicates")
		for _, e := range a.Quotient().Out(lts.State(b)) {
			got = append(got, fmt.Sprintf("%d -%d-> %d", b, e.Action, e.To))
		}
	}
	slices.Sort(edges)
	slices.Sort(got)
	require.Equal(t, slices.Compact(edges), got)
	for s := range o.block {
		require.Equal(t, slices.Contains(o.kept, lts.State(s)), a.Block(lts.State(s)) != none)
	}
}

// renumber takes over the numbers of a, which has the same blocks.
func (o *oracle) renumber(a *Abstraction) {
	for _, s := range o.kept {
		o.block[s] = a.Block(s)
	}
	o.count = a.NumBlocks()
}

// TestAgainstDefinition compares the initial partition and random splits with the oracle.
func TestAgainstDefinition(t *testing.T) {
	splits := 0
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 4))
		m := withErrors(r, random(r, 16, true))
		a, o := weak(t, m), newOracle(m)
		o.initial()
		o.requireSame(t, a)
		for range 6 {
			o.renumber(a)
			b, act := r.IntN(a.NumBlocks()), m.Alphabet()[r.IntN(3)]
			next := split(t, a, b, act)
			o.split(b, act)
			o.requireSame(t, next)
			require.Empty(t, next.Check(), "seed %d", seed)
			if a != next {
				splits++
			}
			a = next
		}
	}
	require.Greater(t, splits, 1000)
}

// withErrors makes some states ERROR states.
func withErrors(r *rand.Rand, m *lts.LTS) *lts.LTS {
	b := lts.NewBuilder(m.Actions())
	b.AddStates(m.NumStates())
	b.SetInit(m.Init())
	b.Alphabet(m.Alphabet()...)
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

// TestKeptStates has one of each: a state that only τ enters, one behind a circle of τ, one that no run
// reaches.
func TestKeptStates(t *testing.T) {
	m := parse(t, "0 -tau-> 1; 1 -tau-> 2; 2 -a-> 3; 1 -b-> 0; 3 -tau-> 4; 4 -tau-> 3; 3 -tau-> 5; 6 -a-> 2")
	a := weak(t, m)
	require.Equal(t, "[0] [3]", blocks(a))
	require.Equal(t, "alphabet {a, b}\ninit 0\n0 -a-> 1\n0 -b-> 0\n", a.Quotient().String())
	for _, s := range []lts.State{1, 2, 4, 5, 6} {
		require.Equal(t, -1, a.Block(s))
	}
}

// TestContraction has a diamond of τ that only leads to one state, a circle, and a τ to nowhere.
func TestContraction(t *testing.T) {
	m := parse(t, "0 -tau-> 1; 0 -tau-> 2; 1 -tau-> 3; 2 -tau-> 3; 3 -tau-> 4; 4 -tau-> 3; 4 -a-> 5; "+
		"4 -tau-> 6; 3 -b-> 0; 5 -tau-> 6")
	w, err := newWeakMoves(context.Background(), m)
	require.NoError(t, err)
	require.Equal(t, 2, w.count)
	require.Equal(t, []int32{1, 1, 1, 1, 1, idle, idle}, w.nodeOf)
	require.Empty(t, w.tau.items)
	require.Equal(t, []lts.State{0}, w.states.at(1))
	require.Equal(t, []lts.State{5}, w.states.at(idle))
}

func TestErrorsBehindTau(t *testing.T) {
	table := lts.NewActions()
	b := lts.NewBuilder(table)
	p, q, e := b.AddState("p"), b.AddState("q"), b.AddState("e")
	b.AddEdge(p, table.Intern("a"), q)
	b.AddEdge(q, lts.Tau, e)
	b.SetError(e)
	a := weak(t, b.Build())
	require.False(t, a.Quotient().IsError(lts.State(a.Block(p))))
	require.True(t, a.Quotient().IsError(lts.State(a.Block(q))))
	require.Contains(t, a.String(), "1 = {q}")
}

// TestManyPairs needs more than one word of pairs, of actions, and of successors in one split.
func TestManyPairs(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 6))
		table := lts.NewActions()
		b := lts.NewBuilder(table)
		const states, labels = 200, 150
		b.AddStates(states)
		for i := range 4 * states {
			b.AddEdge(lts.State(r.IntN(states)), lts.Action(1+r.IntN(labels)), lts.State(r.IntN(states)))
			if i%8 == 0 {
				b.AddEdge(lts.State(r.IntN(states)), lts.Tau, lts.State(r.IntN(states)))
			}
		}
		first := b.AddStates(40) // one block with many successors
		for s := first; s < first+40; s++ {
			b.AddEdge(0, labels, s)
			for range 8 {
				b.AddEdge(s, 1, lts.State(r.IntN(states)))
			}
		}
		m := b.Build()
		a, o := weak(t, m), newOracle(m)
		o.initial()
		o.requireSame(t, a)
		u := a.Block(first)
		require.Greater(t, len(lts.EdgesBy(a.Quotient().Out(lts.State(u)), 1)), batch)
		for _, act := range []lts.Action{1, labels, 7} {
			o.renumber(a)
			next := split(t, a, u, act)
			o.split(u, act)
			o.requireSame(t, next)
			a, u = next, a.Block(m.Init())
		}
		require.Empty(t, a.Check())
	}
}

// TestTauChainsCostNothing is the reason for weak moves: a spurious trace through a long chain of τ
// needs one split; if the steps were visible, it would be one per link.
func TestTauChainsCostNothing(t *testing.T) {
	const links = 200
	splits := func(link string) int {
		table := lts.NewActions()
		b := lts.NewBuilder(table)
		x, y, end, step := table.Intern("x"), table.Intern("y"), table.Intern("end"), table.Intern(link)
		b.AddStates(2*links + 3)
		chain := func(first lts.State, a lts.Action, after lts.State) {
			b.AddEdge(0, a, first)
			for i := range lts.State(links - 1) {
				b.AddEdge(first+i, step, first+i+1)
			}
			b.AddEdge(first+links-1, end, after)
		}
		chain(1, x, 2*links+1)
		chain(links+1, y, 2*links+2)
		b.AddEdge(2*links+1, x, 0)
		b.AddEdge(2*links+2, y, 0)
		trace := append([]lts.Action{x}, slices.Repeat([]lts.Action{step}, links-1)...)
		_, splits, err := weak(t, b.Build()).Refine(context.Background(), append(trace, end, y))
		require.NoError(t, err)
		return len(splits)
	}
	require.Equal(t, 1, splits("tau"))
	require.Greater(t, splits("link"), links/2)
}
