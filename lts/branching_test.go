package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// withoutCycles returns m as branching bisimulation is computed on it: ERROR states encoded, τ cycles
// contracted.
func withoutCycles(m *LTS, divergence bool) (*LTS, TauComponents) {
	k := newMarks(m)
	m = withoutErrors(k, m)
	c := NewTauComponents(m)
	return contract(k, m, c, divergence), c
}

// samePartition fails the test unless bunches and signatures give the same classes.
func samePartition(t require.TestingT, m *LTS, r Relation, message string) {
	got, err := bunchPartition(context.Background(), m, r == BranchingBisim)
	require.NoError(t, err)
	simple := newRefinement(m, r)
	require.NoError(t, simple.run(context.Background()))
	require.Equal(t, inOrder(simple.blocks, simple.count), inOrder(got.of, got.count()), "%s\n%s", message, m)
}

// TestBunchPartition compares the two ways to classes on LTSs that are larger than definitions can decide,
// with few and with many τ.
func TestBunchPartition(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 23))
		n := 20 + r.IntN(300)
		if seed%20 == 0 {
			n *= 10
		}
		labels, taus := 1+r.IntN(4), r.IntN(10)
		b := NewBuilder(NewActions())
		b.AddStates(n)
		for range n * (2 + r.IntN(4)) / 2 {
			from, a := r.IntN(n), Action(1+r.IntN(labels))
			if r.IntN(10) < taus {
				a = Tau
			}
			b.AddEdge(State(from), a, State((from*7+r.IntN(3))%n))
		}
		m := b.Build()
		samePartition(t, m, StrongBisim, fmt.Sprint("seed ", seed))
		small, _ := withoutCycles(m, seed%2 == 0)
		samePartition(t, small, BranchingBisim, fmt.Sprint("seed ", seed))
	}
}

// TestBunchPartitionAgainstDefinitions: pairs of states are related exactly if they share a class.
func TestBunchPartitionAgainstDefinitions(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(500)) {
		m, _, _ := similarPair(rand.New(rand.NewPCG(seed, 27)), 6)
		b, err := bunchPartition(context.Background(), withoutErrors(newMarks(m), m), false)
		require.NoError(t, err)
		strong := b.of
		blind, c := withoutCycles(m, false)
		branching, err := bunchPartition(context.Background(), blind, true)
		require.NoError(t, err)
		marked, _ := withoutCycles(m, true)
		preserving, err := bunchPartition(context.Background(), marked, true)
		require.NoError(t, err)
		for relation, class := range map[Relation]func(s int) uint32{
			StrongBisim:              func(s int) uint32 { return strong[s] },
			BranchingBisim:           func(s int) uint32 { return branching.of[c.Of[s]] },
			DivergenceBranchingBisim: func(s int) uint32 { return preserving.of[c.Of[s]] },
		} {
			for s, row := range naiveRelation(m, relation) {
				for u, related := range row {
					require.Equal(t, related, class(s) == class(u), "%v, seed %d: %d and %d of\n%s", relation, seed, s, u, m)
				}
			}
		}
	}
}

// TestBunchPartitionProperty is the comparison once more, of LTSs mostly of τ, and with counterexamples that
// shrink. It looks at the data structures after every job.
func TestBunchPartitionProperty(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		b := NewBuilder(NewActions())
		n := rapid.IntRange(1, 12).Draw(t, "states")
		b.AddStates(n)
		state := rapid.IntRange(0, n-1)
		for range rapid.IntRange(0, 4*n).Draw(t, "transitions") {
			a := max(0, rapid.IntRange(-3, 2).Draw(t, "action"))
			b.AddEdge(State(state.Draw(t, "from")), Action(a), State(state.Draw(t, "to")))
		}
		m, _ := withoutCycles(b.Build(), rapid.Bool().Draw(t, "divergence"))
		samePartition(t, m, BranchingBisim, "")
		r := newBunching(m, true)
		for {
			for i := 0; i < len(r.jobs); i++ {
				r.do(uint32(i))
				r.mustBeSound(t)
			}
			r.mustBeStable(t)
			r.jobs = r.jobs[:0]
			if len(r.pending) == 0 {
				return
			}
			r.peel()
		}
	})
}

// mustBeSound fails the test unless the partitions are what their comments say.
func (r *bunching) mustBeSound(t require.TestingT) {
	inert := make([]uint32, r.m.NumStates())
	for i, e := range r.m.edges {
		s, id := r.source[i], uint32(i)
		isInert := e.Action == Tau && r.blocks.of[s] == r.blocks.of[e.To]
		require.Equal(t, !isInert, r.slices.has(id))
		require.Equal(t, !isInert, r.exits.has(id))
		if isInert {
			inert[s]++
			continue
		}
		for j := range r.m.edges[:i] {
			other := uint32(j)
			if !r.slices.has(other) {
				continue
			}
			sameBunch := r.bunch(id) == r.bunch(other)
			sameTarget := r.m.edges[i].Action == r.m.edges[j].Action &&
				r.blocks.of[r.m.edges[i].To] == r.blocks.of[r.m.edges[j].To]
			require.Equal(t, sameBunch && sameTarget, r.slices.cells[id].set == r.slices.cells[other].set)
			sameBlock := r.blocks.of[s] == r.blocks.of[r.source[j]]
			require.Equal(t, sameBunch && sameBlock, r.exits.cells[id].set == r.exits.cells[other].set)
			require.Equal(t, sameBunch && s == r.source[j], r.counter[id] == r.counter[other])
		}
	}
	require.Equal(t, inert, r.inert)
	for b, head := range r.lists.heads {
		for exit := head; exit != nothing; exit = r.lists.links[exit].next {
			require.EqualValues(t, b, r.blockOf(exit))
		}
		require.Greater(t, len(r.blocks.members(uint32(b))), 0)
		for _, s := range r.blocks.members(uint32(b)) {
			require.EqualValues(t, b, r.blocks.of[s])
			require.Equal(t, inert[s] == 0, r.blocks.isBottom(s))
		}
	}
}

// mustBeStable fails the test unless all bottom states of a block have a transition in a bunch if one
// state has.
func (r *bunching) mustBeStable(t require.TestingT) {
	for exit := range r.exits.sets {
		has := map[State]bool{}
		members := r.exits.members(uint32(exit))
		for _, id := range members {
			has[r.source[id]] = true
		}
		for _, s := range r.blocks.members(r.blockOf(uint32(exit))) {
			require.True(t, has[s] || !r.blocks.isBottom(s))
		}
	}
}
