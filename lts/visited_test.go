package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVisited: the states that a search says that the components were in are those
// of the tuples that a walk through all transitions of the composition meets.
func TestVisited(t *testing.T) {
	partly := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		table := NewActions()
		var ms []*LTS
		for range 1 + r.IntN(3) {
			b := NewBuilder(table)
			n := 2 + r.IntN(5)
			b.AddStates(n)
			for range 2 * n {
				b.AddEdge(State(r.IntN(n)), table.Intern([]string{"a", "b", "c", "d"}[r.IntN(4)]), State(r.IntN(n)))
			}
			ms = append(ms, b.Build())
		}
		b := NewBuilder(table) // observes nothing, or allows everything, in several ways
		b.AddStates(2)
		if seed%2 == 0 {
			for _, a := range []string{"a", "b", "c", "d"} {
				for s := range State(4) {
					b.AddEdge(s/2, table.Intern(a), s%2)
				}
			}
		}
		res, err := Contains(context.Background(), ms, b.Build(), Limits{Visited: true, Subsumption: NoSubsumption})
		require.NoError(t, err)
		require.Equal(t, Holds, res.Verdict)
		p, err := newProduct(ms)
		require.NoError(t, err)
		want := make([][]bool, len(ms))
		for i, m := range ms {
			want[i] = make([]bool, m.NumStates())
		}
		seen := map[string]bool{}
		for todo := [][]State{p.initial()}; len(todo) > 0; {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[fmt.Sprint(at)] {
				continue
			}
			seen[fmt.Sprint(at)] = true
			for i, s := range at {
				want[i][s] = true
			}
			p.successors(at, func(_ Action, next []State) bool {
				todo = append(todo, append([]State{}, next...))
				return true
			})
		}
		require.Equal(t, want, res.Visited, "seed %d", seed)
		for i, m := range ms {
			for s := range m.NumStates() {
				if !want[i][s] {
					partly++
				}
			}
		}
	}
	require.Positive(t, partly)
	b := NewBuilder(NewActions())
	b.AddState("")
	b.SetError(b.AddState("")) // never reached
	m := b.Build()
	res, err := Contains(context.Background(), []*LTS{m}, m, Limits{Visited: true})
	require.NoError(t, err)
	require.Equal(t, Holds, res.Verdict)
	require.Nil(t, res.Visited)
}
