package layered

// Columns: where vertices stand from left to right. Each vertex is aligned with the median of its neighbours
// in the layer before, where lines of earlier ones allow it; what is aligned is a block
// and has one x. Blocks are then placed as far left as their neighbours in all layers
// let them. That is done from above and from below, from the left and from the right;
// the x of a vertex is the mean of the two middle ones of its four. Lines between two
// vertices of chains come first, so long edges are straight.
//
// Source: Brandes, Köpf: Fast and Simple Horizontal Coordinate Assignment, GD 2001.
// Deviation: blocks are placed by longest paths in the graph of who is left of whom,
// then moved right as far as that makes nothing wider, instead of by classes, whose
// published form is wrong (Brandes, Walter, Zink: Erratum, arXiv:2008.01252). Linear.

import (
	"context"
	"math"
	"slices"
)

func (l *layout) assignCoordinates(ctx context.Context) error {
	if len(l.vertices) == 0 {
		return context.Cause(ctx)
	}
	conflicts := l.conflicts()
	var all [4][]float64
	narrowest := 0
	for i := range all {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		all[i] = l.aligned(conflicts, i&1 == 1, i&2 == 2)
		if width(all[i]) < width(all[narrowest]) {
			narrowest = i
		}
	}
	for i, x := range all { // all side by side: at the left or the right of the narrowest
		by := slices.Min(all[narrowest]) - slices.Min(x)
		if i&2 == 2 {
			by = slices.Max(all[narrowest]) - slices.Max(x)
		}
		for v := range x {
			x[v] += by
		}
	}
	l.x = make([]float64, len(l.vertices))
	for v := range l.x {
		four := []float64{all[0][v], all[1][v], all[2][v], all[3][v]}
		slices.Sort(four)
		l.x[v] = math.Round((four[1]+four[2])*5) / 10
	}
	return nil
}

func width(x []float64) float64 { return slices.Max(x) - slices.Min(x) }

// A segment is a line from a vertex to one in the next layer.
type segment struct{ up, down int }

// conflicts are the lines that cross one between two vertices of chains.
func (l *layout) conflicts() map[segment]bool {
	bad := map[segment]bool{}
	for i := 1; i < len(l.layers); i++ {
		upper, lower := l.layers[i-1], l.layers[i]
		from, next := 0, 0
		for k, v := range lower {
			inner := -1
			if !l.isBox(v) && len(l.up[v]) == 1 && !l.isBox(l.up[v][0]) {
				inner = l.at[l.up[v][0]]
			}
			if inner < 0 && k < len(lower)-1 {
				continue
			}
			to := len(upper) - 1
			if inner >= 0 {
				to = inner
			}
			for ; next <= k; next++ {
				for _, u := range l.up[lower[next]] {
					if l.at[u] < from || l.at[u] > to {
						bad[segment{u, lower[next]}] = true
					}
				}
			}
			from = to
		}
	}
	return bad
}

// aligned gives each vertex an x, with neighbours of the layer below instead of above,
// and from the right instead of the left.
func (l *layout) aligned(conflicts map[segment]bool, fromBelow, fromRight bool) []float64 {
	layers, neighbours := l.snapshot(), l.up
	if fromBelow {
		slices.Reverse(layers)
		neighbours = l.down
	}
	at := slices.Clone(l.at)
	if fromRight {
		for _, layer := range layers {
			slices.Reverse(layer)
			for i, v := range layer {
				at[v] = i
			}
		}
	}
	clash := func(v, n int) bool {
		if fromBelow {
			return conflicts[segment{v, n}]
		}
		return conflicts[segment{n, v}]
	}
	x := l.blocks(layers, align(layers, neighbours, at, clash), fromRight)
	if fromRight {
		for v := range x {
			x[v] = -x[v]
		}
	}
	return x
}

// align gives for each vertex the first one of its block.
func align(layers, neighbours [][]int, at []int, clash func(v, n int) bool) []int {
	root, taken := make([]int, len(at)), make([]bool, len(at))
	for v := range root {
		root[v] = v
	}
	for _, layer := range layers {
		last := -1
		for _, v := range layer {
			ns := slices.Clone(neighbours[v])
			slices.SortFunc(ns, func(a, b int) int { return at[a] - at[b] })
			for _, m := range []int{(len(ns) - 1) / 2, len(ns) / 2} {
				if len(ns) == 0 || root[v] != v {
					break
				}
				if n := ns[m]; !taken[n] && at[n] > last && !clash(v, n) {
					root[v], taken[n], last = root[n], true, at[n]
				}
			}
		}
	}
	return root
}

// blocks places blocks as far left as they can be, and then right where that costs
// nothing.
func (l *layout) blocks(layers [][]int, root []int, mirrored bool) []float64 {
	type edge struct {
		to   int
		dist float64
	}
	right, wait := make([][]edge, len(root)), make([]int, len(root))
	for _, layer := range layers {
		for i := 1; i < len(layer); i++ {
			a, b := layer[i-1], layer[i]
			dist := l.gap(a, b)
			if mirrored {
				dist += l.vertices[a].left + l.vertices[b].right
			} else {
				dist += l.vertices[a].right + l.vertices[b].left
			}
			right[root[a]] = append(right[root[a]], edge{root[b], dist})
			wait[root[b]]++
		}
	}
	var order []int
	for v, r := range root {
		if v == r && wait[v] == 0 {
			order = append(order, v)
		}
	}
	x := make([]float64, len(root))
	for i := 0; i < len(order); i++ {
		for _, e := range right[order[i]] {
			x[e.to] = max(x[e.to], x[order[i]]+e.dist)
			if wait[e.to]--; wait[e.to] == 0 {
				order = append(order, e.to)
			}
		}
	}
	for _, v := range slices.Backward(order) {
		most := math.Inf(1)
		for _, e := range right[v] {
			most = min(most, x[e.to]-e.dist)
		}
		if !math.IsInf(most, 1) {
			x[v] = max(x[v], most)
		}
	}
	for v, r := range root {
		x[v] = x[r]
	}
	return x
}
