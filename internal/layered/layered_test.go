package layered

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// graph is a random graph: a path with branches, jumps ahead and loops, as programs are.
func graph(n int) ([]Box, []Edge) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	boxes := make([]Box, n)
	var edges []Edge
	for i := range boxes {
		boxes[i] = Box{W: 60 + float64(r.IntN(200)), H: 20 + float64(r.IntN(60)), Root: i == 0}
		if i > 0 {
			edges = append(edges, Edge{From: max(0, i-1-r.IntN(4)), To: i})
		}
		switch r.IntN(6) {
		case 0:
			edges = append(edges, Edge{From: i, To: r.IntN(n), W: 40, H: 12})
		case 1:
			edges = append(edges, Edge{From: i, To: max(0, i-r.IntN(30))})
		}
	}
	return boxes, edges
}

// apart reports that the insides of two rectangles do not meet.
func apart(a, b [2]Point) bool {
	const touch = 0.01
	return a[1].X <= b[0].X+touch || b[1].X <= a[0].X+touch || a[1].Y <= b[0].Y+touch || b[1].Y <= a[0].Y+touch
}

func around(a, b Point) [2]Point {
	return [2]Point{{min(a.X, b.X), min(a.Y, b.Y)}, {max(a.X, b.X), max(a.Y, b.Y)}}
}

// check looks at all pairs: boxes and labels are apart, and lines cross no box. A
// curve stays in the rectangle of its ends.
func check(t require.TestingT, boxes []Box, edges []Edge, d *Drawing) {
	if h, ok := t.(interface{ Helper() }); ok {
		h.Helper()
	}
	var all [][2]Point
	for i, b := range boxes {
		p := d.Corners[i]
		all = append(all, [2]Point{p, {p.X + b.W, p.Y + b.H}})
	}
	for k, e := range edges {
		if p := d.Routes[k].Label; e.W > 0 {
			all = append(all, [2]Point{p, {p.X + e.W, p.Y + e.H}})
		}
	}
	page := [2]Point{{0, 0}, {d.W, d.H}}
	for i, a := range all {
		require.True(t, a[0].X >= 0 && a[0].Y >= 0 && a[1].X <= page[1].X && a[1].Y <= page[1].Y, "%v is outside", a)
		for k, b := range all[:i] {
			require.True(t, apart(a, b), "%d at %v and %d at %v overlap", i, a, k, b)
		}
	}
	for k, e := range edges {
		ps := d.Routes[k].Points
		require.GreaterOrEqual(t, len(ps), 2)
		onSide(t, all[e.From], ps[0])
		onSide(t, all[e.To], ps[len(ps)-1])
		for i := 1; i < len(ps); i++ {
			for n, b := range all[:len(boxes)] {
				require.True(t, apart(around(ps[i-1], ps[i]), b), "edge %d, %v, crosses box %d at %v", k, ps, n, b)
			}
		}
	}
}

// onSide: an edge begins and ends at a side of its box.
func onSide(t require.TestingT, b [2]Point, p Point) {
	const touch = 0.01
	inX, inY := p.X >= b[0].X-touch && p.X <= b[1].X+touch, p.Y >= b[0].Y-touch && p.Y <= b[1].Y+touch
	onY := p.Y <= b[0].Y+touch || p.Y >= b[1].Y-touch
	onX := p.X >= b[1].X-touch
	require.True(t, inX && inY && (onX || onY), "%v is not at a side of %v", p, b)
}

func TestLayout(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "boxes")
		boxes := make([]Box, n)
		for i := range boxes {
			boxes[i] = Box{W: float64(rapid.IntRange(10, 300).Draw(t, "w")),
				H: float64(rapid.IntRange(10, 90).Draw(t, "h")), Root: rapid.Bool().Draw(t, "root")}
		}
		edges := make([]Edge, rapid.IntRange(0, 30).Draw(t, "edges"))
		for k := range edges {
			edges[k] = Edge{From: rapid.IntRange(0, n-1).Draw(t, "from"), To: rapid.IntRange(0, n-1).Draw(t, "to")}
			if rapid.Bool().Draw(t, "label") {
				edges[k].W, edges[k].H = float64(rapid.IntRange(1, 120).Draw(t, "lw")), float64(rapid.IntRange(1, 40).Draw(t, "lh"))
			}
		}
		page := rapid.SampledFrom([]float64{0, 300, 1000}).Draw(t, "page")
		d, err := Layout(context.Background(), boxes, edges, page)
		require.NoError(t, err)
		check(t, boxes, edges, d)
		again, err := Layout(context.Background(), boxes, edges, page)
		require.NoError(t, err)
		require.Equal(t, d, again)
	})
}

// A long row of boxes is drawn in columns, whose lines cross nothing.
func TestFolded(t *testing.T) {
	for _, n := range []int{20, 40, 60} {
		boxes, edges := make([]Box, n), []Edge(nil)
		for i := range boxes {
			boxes[i] = Box{W: 60 + float64(i%7)*10, H: 30, Root: i == 0}
			if i > 0 {
				edges = append(edges, Edge{From: i - 1, To: i, W: float64(i % 3 * 20), H: 12})
			}
			if i%5 == 4 {
				edges = append(edges, Edge{From: i, To: i - 3}, Edge{From: i - 4, To: i}, Edge{From: i, To: i, W: 20, H: 12})
			}
			if i == n-1 {
				edges = append(edges, Edge{From: i, To: 0, W: 30, H: 12})
			}
		}
		d, err := Layout(t.Context(), boxes, edges, 700)
		require.NoError(t, err)
		check(t, boxes, edges, d)
		high, err := Layout(t.Context(), boxes, edges, 0)
		require.NoError(t, err)
		require.Less(t, d.H, 0.7*high.H)
	}
}

// Beyond the budget of chains, edges have tracks, and cross no box either.
func TestTracks(t *testing.T) {
	if testing.Short() {
		t.Skip("lays a graph of some hundred boxes out, as TestGraphs does")
	}
	const n = 250
	var boxes []Box
	var edges []Edge
	for i := range n {
		boxes = append(boxes, Box{W: 50, H: 20, Root: i == 0})
		if i > 0 {
			edges = append(edges, Edge{From: i - 1, To: i})
		}
		edges = append(edges, Edge{From: i, To: (i * 7) % n, W: 30, H: 12})
	}
	l := &layout{boxes: boxes, edges: edges, doubled: 2}
	require.NoError(t, l.rank(context.Background()))
	require.NoError(t, l.chain(context.Background()))
	require.Contains(t, l.around, true)
	require.Less(t, len(l.vertices), n+chainsAtLeast+chainsPerPart*(n+len(edges))+2*len(edges))
	d, err := Layout(context.Background(), boxes, edges, 0)
	require.NoError(t, err)
	check(t, boxes, edges, d)
}

func TestGraphs(t *testing.T) {
	for _, n := range []int{0, 1, 60, 200} {
		boxes, edges := graph(n)
		d, err := Layout(context.Background(), boxes, edges, 0)
		require.NoError(t, err)
		check(t, boxes, edges, d)
		d, err = Layout(context.Background(), boxes, edges, 500)
		require.NoError(t, err)
		check(t, boxes, edges, d)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	boxes, edges := graph(100)
	_, err := Layout(ctx, boxes, edges, 0)
	require.ErrorIs(t, err, context.Canceled)
}

// chained is a random layout whose layers are not in an order yet.
func chained(t *rapid.T, boxes, lines *rapid.Generator[int]) *layout {
	n := boxes.Draw(t, "boxes")
	var edges []Edge
	for range lines.Draw(t, "edges") {
		edges = append(edges, Edge{From: rapid.IntRange(0, n-1).Draw(t, "from"), To: rapid.IntRange(0, n-1).Draw(t, "to")})
	}
	l := &layout{boxes: make([]Box, n), edges: edges, doubled: 1}
	require.NoError(t, l.rank(context.Background()))
	require.NoError(t, l.chain(context.Background()))
	return l
}

// The number of crossings agrees with looking at all pairs.
func TestCrossings(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		l := chained(t, rapid.IntRange(2, 10), rapid.IntRange(0, 20))
		count := func() (n int) {
			type line struct{ rank, up, down int }
			var lines []line
			for v, to := range l.down {
				for _, d := range to {
					lines = append(lines, line{l.ranks[v], l.at[v], l.at[d]})
				}
			}
			for i, a := range lines {
				for _, b := range lines[:i] {
					if a.rank == b.rank && (a.up-b.up)*(a.down-b.down) < 0 {
						n++
					}
				}
			}
			return n
		}
		before := count()
		require.Equal(t, before, l.crossings())
		require.NoError(t, l.order(context.Background()))
		require.Equal(t, count(), l.crossings())
		require.LessOrEqual(t, l.crossings(), before)
	})
}

// Whatever place the vertex that was sifted last is put in, no fewer lines cross.
func TestSift(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		l := chained(t, rapid.IntRange(3, 12), rapid.IntRange(4, 24))
		for _, layer := range l.layers {
			last, before := layer[len(layer)-1], l.crossings()
			l.siftLayer(layer)
			sifted := l.crossings()
			require.LessOrEqual(t, sifted, before)
			rest := slices.DeleteFunc(slices.Clone(layer), func(v int) bool { return v == last })
			kept := slices.Clone(layer)
			for at := range layer {
				copy(layer, slices.Insert(slices.Clone(rest), at, last))
				l.number(layer)
				require.LessOrEqual(t, sifted, l.crossings())
			}
			copy(layer, kept)
			l.number(layer)
		}
	})
}

func BenchmarkLayout(b *testing.B) {
	for _, n := range []int{100, 500, 1000, 10000} {
		boxes, edges := graph(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Layout(b.Context(), boxes, edges, 1400); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
