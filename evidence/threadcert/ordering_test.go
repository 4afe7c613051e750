package threadcert

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/events/order"
	"magus/internal/bitset"
)

// TestOrderings compares with all orders of few nodes: threads in a row, each node one write, one read, or a
// section with both.
func TestOrderings(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	counts := map[bool]int{}
	for range 3_000 {
		const nodes, threads, cells = 6, 3, 2
		thread, after := [nodes]int{}, make([]bitset.Set[order.Node], nodes)
		for n := range thread {
			thread[n], after[n] = r.IntN(threads), bitset.New[order.Node](nodes)
		}
		for n := range thread {
			for m := n + 1; m < nodes; m++ {
				if thread[m] == thread[n] {
					after[n].Add(order.Node(m))
				}
			}
		}
		o := newOrdering(after)
		wrote := [nodes]int{} // cell, or -1
		for n := range wrote {
			if wrote[n] = r.IntN(cells+1) - 1; wrote[n] >= 0 {
				o.happens(order.Node(n), wrote[n])
			}
		}
		type link struct{ w, r, cell int }
		var links []link
		for n := range wrote {
			if w := r.IntN(nodes); r.IntN(2) > 0 && w != n && wrote[w] >= 0 {
				links = append(links, link{w, n, wrote[w]})
				o.sees(order.Node(w), order.Node(n), wrote[w], true)
			}
		}
		var pairs [][2]int
		if a, b := r.IntN(nodes), r.IntN(nodes); r.IntN(3) == 0 {
			pairs = append(pairs, [2]int{a, b})
			o.ordered(order.Node(a), order.Node(b))
		}
		exists := false
		permutations(nodes, func(place []int) {
			fits := true
			for a := range nodes {
				for b := range after[a].All() {
					fits = fits && place[a] < place[b]
				}
			}
			for _, p := range pairs {
				fits = fits && place[p[0]] < place[p[1]]
			}
			for _, l := range links {
				fits = fits && place[l.w] < place[l.r]
				for x := range nodes { // a section reads before it writes
					fits = fits && !(x != l.w && x != l.r && wrote[x] == l.cell && place[l.w] < place[x] && place[x] < place[l.r])
				}
			}
			exists = exists || fits
		})
		no, err := o.impossible(context.Background())
		require.NoError(t, err)
		require.Equal(t, !exists, no, "%v %v %v %v", thread, wrote, links, pairs)
		counts[no]++
	}
	require.Greater(t, counts[true], 300)
	require.Greater(t, counts[false], 300)
}

// permutations calls f with all ways to put n things into places.
func permutations(n int, f func(place []int)) {
	place, used := make([]int, n), make([]bool, n)
	var fill func(i int)
	fill = func(i int) {
		if i == n {
			f(place)
			return
		}
		for p := range n {
			if !used[p] {
				used[p], place[i] = true, p
				fill(i + 1)
				used[p] = false
			}
		}
	}
	fill(0)
}
