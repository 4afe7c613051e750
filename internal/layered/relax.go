package layered

// Columns by relaxation: narrower than those of columns.go, with more bends, and within a width that is given. Each
// layer begins packed, around the middle. Sweeps down and up then move each layer as near as its order and gaps let
// it to the means of its neighbours; vertices of chains weigh more, so long edges become straight. What is left of
// their bends is taken out where there is room.
//
// Source: the priority method of Sugiyama et al., with the least squares of isotonic
// regression (Barlow et al.: Statistical Inference under Order Restrictions, 1972) in place of
// priorities. Cost: a fixed number of sweeps, each linear.

import (
	"context"
	"math"
	"slices"
)

const (
	relaxSweeps = 24
	chainWeight = 8 // of a line between two vertices of chains; 2 of one at a box at one end
)

// narrow finds columns by relaxation, in a width that is a multiple of that of the widest layer.
func (l *layout) narrow(ctx context.Context, multiple float64) error {
	x := l.packed()
	widest := 0.0
	for _, layer := range l.layers {
		widest = max(widest, l.extent(layer))
	}
	l.within = widest * multiple / 2
	for i := range relaxSweeps {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		l.relax(x, i%2 == 0)
	}
	l.straighten(x)
	l.x = make([]float64, len(x))
	for v := range x {
		l.x[v] = math.Round(x[v]*10) / 10
	}
	return context.Cause(ctx)
}

// extent is the width of a layer whose vertices stand side by side.
func (l *layout) extent(layer []int) (w float64) {
	for i, v := range layer {
		if w += l.vertices[v].left + l.vertices[v].right; i > 0 {
			w += l.gap(layer[i-1], v)
		}
	}
	return w
}

// apart is how far the lines of neighbours in a layer are from each other at least.
func (l *layout) apart(a, b int) float64 {
	return l.vertices[a].right + l.gap(a, b) + l.vertices[b].left
}

// packed puts the vertices of each layer side by side, around 0.
func (l *layout) packed() []float64 {
	x := make([]float64, len(l.vertices))
	for _, layer := range l.layers {
		for i := 1; i < len(layer); i++ {
			x[layer[i]] = x[layer[i-1]] + l.apart(layer[i-1], layer[i])
		}
		if len(layer) > 0 {
			first := l.vertices[layer[0]].left - l.extent(layer)/2
			for _, v := range layer {
				x[v] += first
			}
		}
	}
	return x
}

// relax moves the layers towards the means of their neighbours: those above, or those below, as
// the sweep goes, and those on the other side a little.
func (l *layout) relax(x []float64, downwards bool) {
	for i := range l.layers {
		layer, before, behind := l.layers[i], l.up, l.down
		if !downwards {
			layer, before, behind = l.layers[len(l.layers)-1-i], l.down, l.up
		}
		wants, weights := make([]float64, len(layer)), make([]float64, len(layer))
		for k, v := range layer {
			sum, all := 0.0, 0.0
			for _, side := range []struct {
				of   []int
				part float64
			}{{before[v], 1}, {behind[v], 0.5}} {
				for _, n := range side.of {
					w := side.part * l.stiffness(v, n)
					sum, all = sum+w*x[n], all+w
				}
			}
			if wants[k], weights[k] = x[v], 0.1; all > 0 {
				wants[k], weights[k] = sum/all, all
			}
		}
		l.place(x, layer, wants, weights)
	}
}

// stiffness is how much a line wants to be straight.
func (l *layout) stiffness(v, n int) float64 {
	switch {
	case l.trunk(v, n):
		return trunkWeight * chainWeight
	case !l.isBox(v) && !l.isBox(n):
		return chainWeight
	case !l.isBox(v) || !l.isBox(n):
		return 2
	}
	return 1
}

// place puts a layer where the sum of the squares of the distances to what it wants is least.
func (l *layout) place(x []float64, layer []int, wants, weights []float64) {
	if len(layer) == 0 {
		return
	}
	type block struct{ mean, weight, n float64 } // vertices that stand as close as they may
	var blocks []block
	at := make([]float64, len(layer)) // of each vertex, if all stood as close as they may
	for i := range layer {
		if i > 0 {
			at[i] = at[i-1] + l.apart(layer[i-1], layer[i])
		}
		b := block{wants[i] - at[i], weights[i], 1}
		for n := len(blocks); n > 0 && blocks[n-1].mean > b.mean; n-- {
			a := blocks[n-1]
			b.mean = (a.mean*a.weight + b.mean*b.weight) / (a.weight + b.weight)
			b.weight, b.n = a.weight+b.weight, a.n+b.n
			blocks = blocks[:n-1]
		}
		blocks = append(blocks, b)
	}
	last := len(layer) - 1
	least := l.vertices[layer[0]].left - l.within
	most := l.within - l.vertices[layer[last]].right - at[last]
	i := 0
	for _, b := range blocks {
		for range int(b.n) {
			x[layer[i]] = max(least, min(b.mean, most)) + at[i]
			i++
		}
	}
}

// straighten puts the vertices of a chain below each other where there is room for that, longest
// chains first.
func (l *layout) straighten(x []float64) {
	order := make([]int, 0, len(l.chains))
	for k, c := range l.chains {
		if len(c) > 3 && !l.around[k] {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(l.chains[b]) - len(l.chains[a]) })
	for _, k := range order {
		inner := l.chains[k][1 : len(l.chains[k])-1]
		for len(inner) > 1 { // the longest pieces that fit
			n, lo, hi, sum := 0, math.Inf(-1), math.Inf(1), 0.0
			for _, v := range inner {
				left, right := l.room(x, v)
				if max(lo, left) > min(hi, right) {
					break
				}
				lo, hi, sum, n = max(lo, left), min(hi, right), sum+x[v], n+1
			}
			if n == 0 {
				n = 1
			}
			if n > 1 {
				to := max(lo, min(hi, sum/float64(n)))
				for _, v := range inner[:n] {
					x[v] = to
				}
			}
			inner = inner[n:]
		}
	}
}

// room is how far left and right a vertex may move.
func (l *layout) room(x []float64, v int) (left, right float64) {
	layer, at := l.layers[l.ranks[v]], l.at[v]
	left, right = math.Inf(-1), math.Inf(1)
	if at > 0 {
		left = x[layer[at-1]] + l.apart(layer[at-1], v)
	}
	if at+1 < len(layer) {
		right = x[layer[at+1]] - l.apart(v, layer[at+1])
	}
	return left, right
}
