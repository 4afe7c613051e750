package layered

// The order within layers, so that few lines cross. Sweeps down and up sort each layer
// by the mean place of neighbours in the layer before, and then exchange neighbours
// where fewer lines cross so. Joined lines weigh more, so that they go straight on. The best order
// that was met is kept.
//
// Source: Sugiyama et al. (barycentres); Gansner et al., 2.2 (exchanges). Cost: a fixed
// number of sweeps, each linear but for sorting; crossings are counted as inversions
// by a tree of sums (Barth, Jünger, Mutzel: Simple and Efficient Bilayer Cross Counting,
// GD 2002).

import (
	"cmp"
	"context"
	"slices"
)

const sweeps = 10

func (l *layout) order(ctx context.Context) error {
	best, least := l.snapshot(), l.crossings()
	for i := 0; i < sweeps && least > 0; i++ {
		l.sweep(ctx, i%2 == 0)
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if n := l.crossings(); n < least {
			best, least = l.snapshot(), n
		}
	}
	l.layers = best
	for _, layer := range l.layers {
		l.number(layer)
	}
	return l.sift(ctx)
}

func (l *layout) snapshot() [][]int {
	out := make([][]int, len(l.layers))
	for i, layer := range l.layers {
		out[i] = slices.Clone(layer)
	}
	return out
}

// sweep sorts all layers but the first one, downwards or upwards, until ctx ends.
func (l *layout) sweep(ctx context.Context, downwards bool) {
	for i := 1; i < len(l.layers) && ctx.Err() == nil; i++ {
		layer, before := l.layers[i], l.up
		if !downwards {
			layer, before = l.layers[len(l.layers)-1-i], l.down
		}
		l.sort(layer, before)
		l.exchange(ctx, layer)
	}
}

// trunkWeight is that of a joined line among what else leads to it.
const trunkWeight = 8

// trunk reports whether a line between two vertices is one of several edges that have joined.
func (l *layout) trunk(v, n int) bool { return l.shared[v] && l.shared[n] }

// sort sorts by the mean places of neighbours. A vertex without any keeps its place
// among those that stand before it.
func (l *layout) sort(layer []int, neighbours [][]int) {
	mean, last := l.means, -1.0
	for _, v := range layer {
		if ns := neighbours[v]; len(ns) > 0 {
			sum, all := 0, 0
			for _, n := range ns {
				w := 1
				if l.trunk(v, n) {
					w = trunkWeight
				}
				sum, all = sum+w*l.at[n], all+w
			}
			last = float64(sum) / float64(all)
		}
		mean[v] = last
	}
	slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
	l.number(layer)
}

// lookEvery is how many vertices go by between looks at the context.
const lookEvery = 1 << 10

// places are where vertices stand in their layer, from left to right.
func (l *layout) places(vs []int) []int {
	out := make([]int, len(vs))
	for i, v := range vs {
		out[i] = l.at[v]
	}
	slices.Sort(out)
	return out
}

// exchange exchanges neighbours in a layer, from left to right, until ctx ends.
func (l *layout) exchange(ctx context.Context, layer []int) {
	type sides struct{ up, down []int }
	of := make([]sides, len(layer))
	for i, v := range layer {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return
		}
		of[i] = sides{l.places(l.up[v]), l.places(l.down[v])}
	}
	for i := 1; i < len(layer); i++ {
		if i%lookEvery == 0 && ctx.Err() != nil {
			break
		}
		a, b := of[i-1], of[i]
		now := crossing(a.up, b.up) + crossing(a.down, b.down)
		then := crossing(b.up, a.up) + crossing(b.down, a.down)
		if then < now {
			layer[i-1], layer[i] = layer[i], layer[i-1]
			of[i-1], of[i] = b, a
		}
	}
	l.number(layer)
}

// crossing is how many lines to places left cross lines to places right, where the
// vertex of the former is the left one. Both are sorted.
func crossing(left, right []int) (n int) {
	i := 0
	for _, p := range left {
		for i < len(right) && right[i] < p {
			i++
		}
		n += i
	}
	return n
}

// crossings is how many lines cross.
func (l *layout) crossings() (n int) {
	for i := 1; i < len(l.layers); i++ {
		sums := make([]int, len(l.layers[i])+1) // a binary indexed tree
		seen := 0
		for _, v := range l.layers[i-1] {
			to := make([]int, len(l.down[v]))
			for k, d := range l.down[v] {
				to[k] = l.at[d]
			}
			for _, p := range to { // those that end right of p and began left of v
				n += seen
				for k := p + 1; k > 0; k -= k & -k {
					n -= sums[k]
				}
			}
			for _, p := range to {
				seen++
				for k := p + 1; k < len(sums); k += k & -k {
					sums[k]++
				}
			}
		}
	}
	return n
}
