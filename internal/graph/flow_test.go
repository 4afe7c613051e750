package graph

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/bitset"
)

func TestReverse(t *testing.T) {
	for seed := range uint64(2000) {
		g, reach := random(seed)
		back := Reverse(g)
		require.Equal(t, g.NumNodes(), back.NumNodes())
		for n := range g.NumNodes() {
			for m, ok := range Reachable(back, n) {
				require.Equal(t, reach[m][n], ok, "seed %d", seed)
			}
		}
		require.Equal(t, edges(g), edges(Reverse(back)), "seed %d", seed)
	}
}

func edges(g Graph) [][2]int {
	var all [][2]int
	for n := range g.NumNodes() {
		g.Out(n, func(m int) { all = append(all, [2]int{n, m}) })
	}
	slices.SortFunc(all, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return all
}

// TestPostorder: an edge to a node that is not behind its source closes a loop.
func TestPostorder(t *testing.T) {
	for seed := range uint64(2000) {
		g, reach := random(seed)
		order := Postorder(g, 0)
		rank := make([]int, g.NumNodes())
		for i, n := range order {
			rank[n] = i
		}
		for n := range g.NumNodes() {
			require.Equal(t, reach[0][n], slices.Contains(order, n))
		}
		for _, n := range order {
			g.Out(n, func(m int) {
				require.True(t, rank[m] < rank[n] || reach[m][n], "seed %d: %d leads to %d", seed, n, m)
			})
		}
	}
	tree := Func{5, func(n int, yield func(int)) {
		if n < 2 {
			yield(2*n + 1)
			yield(2*n + 2)
		}
	}}
	require.Equal(t, []int{3, 4, 1, 2, 0}, Postorder(tree, 0))
	require.Equal(t, []int{3, 4, 1, 2, 0}, Postorder(tree, 1, 0))
}

func TestClosure(t *testing.T) {
	for seed := range uint64(2000) {
		g, reach := random(seed)
		all := Closure(g.Out, 0)
		require.Equal(t, 0, all[0])
		for n := range g.NumNodes() {
			require.Equal(t, reach[0][n], slices.Contains(all, n))
		}
		slices.Sort(all)
		require.Len(t, slices.Compact(all), len(all))
	}
	halves := func(k string, yield func(string)) {
		if len(k) > 1 {
			yield(k[:len(k)/2])
			yield(k[len(k)/2:])
		}
	}
	require.Equal(t, []string{"abab", "ab", "a", "b"}, Closure(halves, "abab"))
}

// gathering collects, before each node, the nodes on the ways to it: on some way, or on every way.
type gathering struct {
	Graph
	every bool
}

func (p gathering) Merge(x, y bitset.Set[int]) (bitset.Set[int], bool) {
	if p.every {
		return x, x.Intersect(y)
	}
	return x, x.Unite(y)
}

func (p gathering) Copy(y bitset.Set[int]) bitset.Set[int] { return slices.Clone(y) }

func (p gathering) Flow(n int, x bitset.Set[int], yield func(int, bitset.Set[int])) {
	y := slices.Clone(x)
	y.Add(n)
	p.Out(n, func(m int) { yield(m, y) })
}

// TestForward compares with paths: some way from 0 to n passes m if m is on one; every way does if n cannot
// be reached without m.
func TestForward(t *testing.T) {
	for seed := range uint64(2000) {
		g, reach := random(seed)
		n := g.NumNodes()
		for _, every := range []bool{false, true} {
			at, reached, err := Forward(t.Context(), n, gathering{g, every}, 0, bitset.New[int](n))
			require.NoError(t, err)
			require.Equal(t, reach[0], reached)
			for k := range n {
				for m := 0; reached[k] && m < n; m++ {
					want := reach[0][m] && pastOneEdge(g, reach, m, k)
					if every {
						want = k != 0 && m != k && (m == 0 || !Reachable(without(g, m), 0)[k])
					}
					require.Equal(t, want, at[k].Has(m), "seed %d: is %d before %d", seed, m, k)
				}
			}
		}
	}
}

func pastOneEdge(g Graph, reach [][]bool, from, to int) (found bool) {
	g.Out(from, func(m int) { found = found || reach[m][to] })
	return found
}

func without(g Graph, gone int) Graph {
	return Func{g.NumNodes(), func(n int, yield func(int)) {
		g.Out(n, func(m int) {
			if m != gone && n != gone {
				yield(m)
			}
		})
	}}
}

// TestLive compares with a search for a path that reads before it writes.
func TestLive(t *testing.T) {
	const vars = 3
	for seed := range uint64(2000) {
		g, _ := random(seed)
		r := rand.New(rand.NewPCG(seed, 2))
		reads, writes := make([]int, g.NumNodes()), make([]int, g.NumNodes())
		for n := range reads {
			reads[n], writes[n] = r.IntN(1<<vars), r.IntN(1<<vars)
		}
		live, err := Live(t.Context(), g, vars, func(n int, live []bitset.Set[int], in bitset.Set[int]) {
			g.Out(n, func(m int) { in.Unite(live[m]) })
			for v := range vars {
				if writes[n]>>v&1 == 1 {
					in.Remove(v)
				}
				if reads[n]>>v&1 == 1 {
					in.Add(v)
				}
			}
		})
		require.NoError(t, err)
		for v := range vars {
			open := Func{g.NumNodes(), func(n int, yield func(int)) {
				if reads[n]>>v&1 == 0 && writes[n]>>v&1 == 0 {
					g.Out(n, yield)
				}
			}}
			for n := range g.NumNodes() {
				want := slices.ContainsFunc(Postorder(open, n), func(m int) bool { return reads[m]>>v&1 == 1 })
				require.Equal(t, want, live[n].Has(v), "seed %d: variable %d before %d", seed, v, n)
			}
		}
	}
}

// TestFixpointWidens: a loop that counts without end is visited often enough to be widened.
func TestFixpointWidens(t *testing.T) {
	const top = 1 << 30
	loop := Func{2, func(n int, yield func(int)) {
		if n == 0 {
			yield(0)
			yield(1)
		}
	}}
	most, visits := [2]int{}, 0
	require.NoError(t, Fixpoint(t.Context(), loop, []int{0, 1}, []int{0}, func(n int) bool {
		visits++
		next := most[0] + 1
		if n == 0 && visits > 3 {
			next = top
		}
		next = min(next, top)
		grown := next > most[n]
		most[n] = max(most[n], next)
		return grown
	}))
	require.Equal(t, [2]int{top, top}, most)
	require.Less(t, visits, 20)
}

// TestFixpointOrder: passes follow order; what becomes due behind the place of the pass waits for the next one.
func TestFixpointOrder(t *testing.T) {
	ring := Func{3, func(n int, yield func(int)) { yield((n + 1) % 3) }}
	var met []int
	require.NoError(t, Fixpoint(t.Context(), ring, []int{2, 1, 0}, []int{0}, func(n int) bool {
		met = append(met, n)
		return len(met) < 7
	}))
	require.Equal(t, []int{0, 1, 2, 0, 1, 2, 0}, met)
	met = nil
	require.NoError(t, Fixpoint(t.Context(), ring, []int{1, 2}, []int{0, 1}, func(n int) bool {
		met = append(met, n)
		return true
	}))
	require.Equal(t, []int{1, 2}, met, "0 is not in the order")
}

func TestInterrupt(t *testing.T) {
	over := errors.New("over")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(over)
	ring := Func{3, func(n int, yield func(int)) { yield((n + 1) % 3) }}
	require.ErrorIs(t, Fixpoint(ctx, ring, []int{0}, []int{0}, func(int) bool { return true }), over)
	_, _, err := Forward(ctx, 3, gathering{ring, false}, 0, bitset.New[int](3))
	require.ErrorIs(t, err, over)
	_, err = Live(ctx, ring, 1, func(int, []bitset.Set[int], bitset.Set[int]) {})
	require.ErrorIs(t, err, over)
}

func TestClasses(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 1 + r.IntN(9)
		c, naive := NewClasses[int32](n), make([]int32, n)
		for i := range naive {
			naive[i] = int32(i)
		}
		for range r.IntN(12) {
			x, y := int32(r.IntN(n)), int32(r.IntN(n))
			c.Join(x, y)
			from, to := naive[x], naive[y]
			for i := range naive {
				if naive[i] == from {
					naive[i] = to
				}
			}
			for i := range naive {
				require.Equal(t, naive[i], c.Find(int32(i)), "seed %d", seed)
			}
		}
		require.EqualValues(t, n, c.Add())
		require.EqualValues(t, n, c.Find(int32(n)))
	}
}

// Heads are what a search that marks its open nodes comes back to, and each cycle has one.
func TestHeads(t *testing.T) {
	for seed := range uint64(500) {
		g, _ := random(seed)
		want, open, done := make([]bool, g.NumNodes()), make([]bool, g.NumNodes()), make([]bool, g.NumNodes())
		var search func(n int)
		search = func(n int) {
			open[n] = true
			g.Out(n, func(m int) {
				switch {
				case open[m]:
					want[m] = true
				case !done[m]:
					search(m)
				}
			})
			open[n], done[n] = false, true
		}
		search(0)
		heads := Heads(g, Postorder(g, 0))
		require.Equal(t, want, heads, "seed %d", seed)
		reached := Reachable(g, 0)
		rest := Func{Nodes: g.NumNodes(), Succ: func(n int, yield func(int)) {
			g.Out(n, func(m int) {
				if reached[n] && !heads[m] {
					yield(m)
				}
			})
		}}
		require.NotContains(t, SCC(rest).OnCycle(rest), true, "seed %d", seed)
	}
}
