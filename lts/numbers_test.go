package lts

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// TestNumbers: tuples are numbered in the order in which they come, whether they are found by a hash, by a table or
// unpacked; each number gives its tuple back.
func TestNumbers(t *testing.T) {
	table := NewActions()
	tests := []struct {
		name       string
		components []int // states
		tuples     int
	}{
		{"one state", []int{1}, 1},
		{"a table soon", []int{2, 3, 1}, 6},
		{"a table in the end", []int{64, 64}, 4096},
		{"too many bits for a table", []int{1 << 15, 1 << 15}, 3000},
		{"not packed", []int{1 << 15, 1 << 15, 1 << 15, 1 << 15, 1 << 15}, 3000},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var ms []*LTS
			for _, n := range test.components {
				b := NewBuilder(table)
				b.AddStates(n)
				ms = append(ms, b.Build())
			}
			r := rand.New(rand.NewPCG(1, 43))
			numbers, of := newNumbers(ms), map[[5]State]State{}
			for len(of) < test.tuples {
				var q [5]State
				for i, n := range test.components {
					q[i] = State(r.IntN(n))
				}
				want, met := of[q]
				if !met {
					want = State(len(of))
					of[q] = want
				}
				require.Equal(t, want, numbers.insert(q[:len(ms)]))
				require.Equal(t, len(of), numbers.count())
			}
			for q, number := range of {
				var got [5]State
				numbers.tuple(number, got[:len(ms)])
				require.Equal(t, q, got)
			}
			require.Positive(t, numbers.bytes())
			require.Equal(t, test.name[:7] == "a table" || test.name == "one state", numbers.table != nil)
		})
	}
}

// TestNarrow: numbers are what they were, in as few bytes as their bound needs.
func TestNarrow(t *testing.T) {
	for bound, width := range map[int]int{2: 1, 256: 1, 257: 2, 1 << 16: 2, 1<<16 + 1: 4} {
		n := newNarrow(bound)
		for i := range 3 * longPage {
			n.add(uint32(i * 7919 % bound))
		}
		require.Equal(t, width, n.width)
		for i := range 3 * longPage {
			require.Equal(t, uint32(i*7919%bound), n.at(i))
		}
		require.Less(t, n.bytes(), int64(3*longPage*width+1000))
	}
}

// TestCompositions: what is written is what is built, and has the states and transitions of the naive composition.
func TestCompositions(t *testing.T) {
	for seed := range uint64(sample.Count(2000)) {
		impl, _, actions := randomCase(rand.New(rand.NewPCG(seed, 44)))
		c, err := NewComposition(t.Context(), impl, Limits{})
		require.NoError(t, err)
		var written, built strings.Builder
		require.NoError(t, c.WriteAut(&written))
		m := c.lts()
		require.Empty(t, m.check())
		require.NoError(t, WriteAut(&built, m))
		require.Equal(t, built.String(), written.String(), "seed %d", seed)

		naive := naiveCompose(impl, actions)
		edges, reached := map[string]bool{}, map[int]bool{}
		for todo := []int{naive.init}; len(todo) > 0; todo = todo[1:] {
			if reached[todo[0]] {
				continue
			}
			reached[todo[0]] = true
			for _, e := range naive.out[todo[0]] {
				edges[fmt.Sprint(todo[0], e.action, e.to)] = true
				todo = append(todo, e.to)
			}
		}
		require.Equal(t, len(reached), c.NumStates(), "seed %d", seed)
		require.Equal(t, len(edges), c.NumEdges(), "seed %d", seed)
	}
}
