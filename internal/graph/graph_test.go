package graph

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// random draws a graph and its reachability relation by the naive closure.
func random(seed uint64) (Graph, [][]bool) {
	r := rand.New(rand.NewPCG(seed, 1))
	n := 1 + r.IntN(9)
	out := make([][]int, n)
	reach := make([][]bool, n)
	for i := range n {
		reach[i] = make([]bool, n)
		reach[i][i] = true
	}
	for range r.IntN(2*n + 1) {
		from, to := r.IntN(n), r.IntN(n)
		out[from] = append(out[from], to)
		reach[from][to] = true
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	return Func{n, func(i int, yield func(int)) {
		for _, j := range out[i] {
			yield(j)
		}
	}}, reach
}

func TestAgainstClosure(t *testing.T) {
	for seed := range uint64(5000) {
		g, reach := random(seed)
		c := SCC(g)
		for n := range g.NumNodes() {
			require.Equal(t, reach[n], Reachable(g, n))
			require.Equal(t, pastOneEdge(g, reach, n, n), c.OnCycle(g)[n])
			for m := range g.NumNodes() {
				require.Equal(t, reach[n][m] && reach[m][n], c.Of[n] == c.Of[m], "seed %d", seed)
			}
			g.Out(n, func(m int) { require.GreaterOrEqual(t, c.Of[n], c.Of[m]) })
		}
		members := 0
		for k, nodes := range c.Members() {
			require.NotEmpty(t, nodes)
			require.IsIncreasing(t, append([]int{-1}, nodes...))
			for _, n := range nodes {
				require.EqualValues(t, k, c.Of[n])
			}
			members += len(nodes)
		}
		require.Equal(t, g.NumNodes(), members)
	}
}

// TestLongChain needs a search without recursion.
func TestLongChain(t *testing.T) {
	const n = 1_000_000
	chain := Func{n, func(i int, yield func(int)) {
		if i+1 < n {
			yield(i + 1)
		}
	}}
	require.Equal(t, n, SCC(chain).Count)
	require.Less(t, testing.AllocsPerRun(1, func() { SCC(chain) }), 1000.0, "no allocation per node")
	ring := Func{n, func(i int, yield func(int)) { yield((i + 1) % n) }}
	require.Equal(t, 1, SCC(ring).Count)
}
