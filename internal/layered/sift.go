package layered

// Sifting: each vertex of a layer is tried at all places in it, and goes where fewest lines cross. Sweeps by mean
// places move all vertices of a layer at once and come to an end where none of them can do better together; this
// goes on from there, one vertex at a time.
//
// Source: Matuszewski, Schönfeld, Molitor: Using Sifting for k-Layer Straightline Crossing Minimization, GD 1999.
// Cost: a round compares each two vertices of a layer, so drawings with long layers have none.

import (
	"context"
	"slices"
)

const (
	siftRounds = 6
	mostSifted = 1 << 16 // what a round may take: the sum over layers of the square of their vertices
)

// sift exchanges vertices until that makes no lines cross less.
func (l *layout) sift(ctx context.Context) error {
	cost := 0
	for _, layer := range l.layers {
		cost += len(layer) * len(layer)
	}
	for i := 0; i < siftRounds && cost < mostSifted; i++ {
		before := l.crossings()
		for r := range l.layers {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			if i%2 == 1 { // upwards
				r = len(l.layers) - 1 - r
			}
			l.siftLayer(l.layers[r])
		}
		if l.crossings() == before {
			return nil
		}
	}
	return nil
}

// siftLayer puts each vertex of a layer where fewest lines cross.
func (l *layout) siftLayer(layer []int) {
	up, down := make(map[int][]int, len(layer)), make(map[int][]int, len(layer))
	for _, v := range layer {
		up[v], down[v] = l.places(l.up[v]), l.places(l.down[v])
	}
	for _, v := range slices.Clone(layer) {
		at := slices.Index(layer, v)
		rest := slices.Delete(slices.Clone(layer), at, at+1)
		best, least, sum := 0, 0, 0
		here := 0
		for i, w := range rest {
			sum += crossing(up[w], up[v]) + crossing(down[w], down[v]) - crossing(up[v], up[w]) - crossing(down[v], down[w])
			if i+1 == at {
				here = sum
			}
			if sum < least {
				best, least = i+1, sum
			}
		}
		if least < here {
			copy(layer, slices.Insert(rest, best, v))
		}
	}
	l.number(layer)
}
