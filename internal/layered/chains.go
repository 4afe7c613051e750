package layered

// Vertices in between. An edge over several layers gets one in each; the one nearest to
// the box that the edge leaves carries the label. All chains together have a number of
// vertices that is linear in the graph; edges get theirs from the shortest to the
// longest. One beyond that has a vertex behind either end only, and a track between.
//
// Edges that many lead to one box, from one side, join: behind their labels they have the same vertices, one
// in each layer. So where everything leads back to the head of a loop, or ends in one state, one line is
// seen and not a bundle. As all of a joined line leads to the same box, nothing is lost.
//
// Source: edge concentration, as Newbery: Edge Concentration, SCM 1989, but only of edges to one box.

import (
	"cmp"
	"context"
	"slices"
)

const (
	chainsPerPart = 6     // vertices of chains for each box and edge,
	chainsAtLeast = 12000 // but so many in any case
	leastTrack    = 6     // layers that an edge with a track leads over
	leastJoined   = 3     // edges to a box from one side, if they are to join
)

func (l *layout) chain(ctx context.Context) error {
	l.vertices = make([]vertex, len(l.boxes))
	for i, b := range l.boxes {
		l.vertices[i] = vertex{b.W / 2, b.W / 2, b.H}
	}
	l.chains, l.loops = make([][]int, len(l.edges)), map[int][]int{}
	l.around = make([]bool, len(l.edges))
	l.joined, l.shared, l.arriving = map[join]int{}, map[int]bool{}, map[join]int{}
	var order []int
	span := make([]int, len(l.edges))
	for k, e := range l.edges {
		if k%lookEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if e.From == e.To {
			l.ownLoop(k)
			continue
		}
		top, bottom := l.ends(k)
		span[k] = l.ranks[bottom] - l.ranks[top]
		order = append(order, k)
		l.arriving[join{box: e.To, up: l.reversed[k]}]++
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(span[a], span[b]) })
	budget := max(chainsAtLeast, chainsPerPart*(len(l.boxes)+len(l.edges)))
	for i, k := range order {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		budget -= span[k] - 1
		l.around[k] = budget < 0 && span[k] >= leastTrack
		l.chainOf(k)
	}
	l.link(ctx)
	return context.Cause(ctx)
}

// ownLoop makes room for a loop at a box.
func (l *layout) ownLoop(k int) {
	e := l.edges[k]
	l.loops[e.From] = append(l.loops[e.From], k)
	v, right, height := &l.vertices[e.From], l.boxes[e.From].W/2+ownLoop, 0.0
	if e.W > 0 {
		right += labelGap + e.W
	}
	for _, n := range l.loops[e.From] {
		height += l.edges[n].H
	}
	v.right, v.h = max(v.right, right), max(v.h, height)
}

// chainOf makes the chain of an edge.
func (l *layout) chainOf(k int) {
	top, bottom := l.ends(k)
	chain := []int{top}
	labelled := l.ranks[top] + 1
	if l.reversed[k] {
		labelled = l.ranks[bottom] - 1
	}
	for r := l.ranks[top] + 1; r < l.ranks[bottom]; r++ {
		if l.around[k] && r == l.ranks[top]+2 {
			r = l.ranks[bottom] - 1
		}
		v := vertex{}
		if e := l.edges[k]; e.W > 0 && r == labelled {
			v = vertex{0, labelGap + e.W, e.H}
		}
		chain = append(chain, l.vertexOf(k, r, v))
	}
	l.chains[k] = append(chain, bottom)
}

// A join is where edges to a box have the same vertex: in a layer, above the box or below it.
type join struct {
	box  int
	up   bool // the edges lead up
	rank int
}

// vertexOf is the vertex of a chain in a layer: a new one, or the one of edges that it joins.
func (l *layout) vertexOf(k, rank int, v vertex) int {
	key := join{box: l.edges[k].To, up: l.reversed[k]}
	joins := v.h == 0 && !l.around[k] && l.arriving[key] >= leastJoined
	key.rank = rank
	if at, ok := l.joined[key]; ok && joins {
		return at
	}
	at := len(l.vertices)
	if joins {
		l.joined[key], l.shared[at] = at, true
	}
	l.vertices, l.ranks = append(l.vertices, v), append(l.ranks, rank)
	return at
}

// link fills in neighbours, and layers in the order of a depth-first search from the
// top, in which what belongs together is together; until ctx ends.
func (l *layout) link(ctx context.Context) {
	n := len(l.vertices)
	l.up, l.down, l.at = make([][]int, n), make([][]int, n), make([]int, n)
	met := map[segment]bool{}
	for k, chain := range l.chains {
		if k%lookEvery == 0 && ctx.Err() != nil {
			return
		}
		for i := 1; i < len(chain); i++ {
			a, b := chain[i-1], chain[i]
			if s := (segment{a, b}); !met[s] && (!l.around[k] || l.ranks[b] == l.ranks[a]+1) {
				met[s] = !l.isBox(a) || !l.isBox(b)
				l.down[a], l.up[b] = append(l.down[a], b), append(l.up[b], a)
			}
		}
	}
	l.means = make([]float64, n)
	l.layers = make([][]int, slices.Max(append(l.ranks, -1))+1)
	seen := make([]bool, n)
	for i, root := range l.tops() {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return
		}
		for stack := []int{root}; len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			l.layers[l.ranks[v]] = append(l.layers[l.ranks[v]], v)
			for _, to := range slices.Backward(l.down[v]) {
				stack = append(stack, to)
			}
		}
	}
	for _, layer := range l.layers {
		l.number(layer)
	}
}

// tops are the vertices to which nothing leads, roots first.
func (l *layout) tops() []int {
	var roots, others []int
	for v := range l.vertices {
		switch {
		case len(l.up[v]) > 0:
		case l.isBox(v) && l.boxes[v].Root:
			roots = append(roots, v)
		default:
			others = append(others, v)
		}
	}
	return append(roots, others...)
}

// number notes the places of a layer's vertices.
func (l *layout) number(layer []int) {
	for i, v := range layer {
		l.at[v] = i
	}
}
