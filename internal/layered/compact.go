package layered

// Heights: how far down each vertex stands. Layers say what is above what, not more: a vertex stands as
// high as what is above it in its own columns lets it, so a high box does not push down what is beside
// it. From the top down, what is drawn raises a skyline, and what comes next stands below that.
//
// Lines lead straight down but in strips. The lines between two layers that overlap from left to right
// share a strip, all of its height; so two lines cross no more often than their order asks for, and
// none crosses a box: boxes of layers above end above the strip, those of layers below begin below it.
//
// A label of an edge that leads up belongs to the box below it. So when all stands, these labels are let
// down to their boxes, where that makes the drawing no higher.
//
// Source: the compaction of channels in layouts of circuits, by skylines. Deviation: where edges are led
// around all boxes, a layer is one row, since their tracks lead through all columns. Cost: n log n, and
// in a skyline the moves of what is behind the place of a change.

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	gapY     = 18   // between boxes below each other, and of a strip at an arrow's head
	thinY    = 8    // of a strip that no arrow ends in
	slope    = 0.05 // of a strip, more of it for lines that lead far to a side
	mostY    = 30   // of a strip, at most
	beside   = 6    // from what is higher to what begins beside it
	labelsUp = 4    // between a box and a label that is not its own
)

// A strip is where lines lead from one x to another.
type strip struct{ top, bottom float64 }

// A link is a line between two layers: the part of an edge's chain from a vertex to the next one.
type link struct {
	edge, at int     // at: of the upper vertex in the chain
	from, to float64 // the x of both ends
}

func (k link) left() float64  { return min(k.from, k.to) }
func (k link) right() float64 { return max(k.from, k.to) }

// compact finds the y of vertices and strips; height is what all take.
func (l *layout) compact(ctx context.Context, upper, lower []float64) (height float64, err error) {
	least := make([]float64, len(l.vertices))
	height, err = l.fall(ctx, upper, lower, least)
	if err != nil {
		return 0, err
	}
	let := false
	for k, c := range l.chains {
		n := len(c) - 2
		if n < 1 || !l.reversed[k] || l.vertices[c[n]].h == 0 {
			continue
		}
		s := l.strips[k][n]
		least[c[n]] = l.ys[c[n+1]] - (s.bottom - s.top) - l.vertices[c[n]].h
		let = true
	}
	if !let {
		return height, nil
	}
	ys, strips, leaves := l.ys, l.strips, l.leaves
	again, err := l.fall(ctx, upper, lower, least)
	if err == nil && again > height {
		l.ys, l.strips, l.leaves = ys, strips, leaves
		return height, nil
	}
	return again, err
}

// fall finds the y of vertices, which may not be above the least ones.
func (l *layout) fall(ctx context.Context, upper, lower, least []float64) (height float64, err error) {
	l.ys = make([]float64, len(l.vertices))
	l.strips, l.leaves = make([][]strip, len(l.edges)), make([]float64, len(l.edges))
	channels := make([][]link, len(l.layers))
	for k, c := range l.chains {
		l.strips[k] = make([]strip, max(0, len(c)-1))
		for i := range l.strips[k] {
			one := link{k, i, l.meets(k, i, upper, lower), l.meets(k, i+1, upper, lower)}
			channels[l.ranks[c[i]]] = append(channels[l.ranks[c[i]]], one)
			if below := l.ranks[c[i+1]] - 1; below > l.ranks[c[i]] { // around: in two channels
				channels[below] = append(channels[below], one)
			}
		}
	}
	all, solid := newSkyline(frame), newSkyline(frame) // of everything; of boxes and labels
	rows := slices.Contains(l.around, true)
	for r, layer := range l.layers {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		l.stand(layer, all, solid, least, rows)
		l.lead(channels[r], all, rows)
	}
	return all.top(math.Inf(-1), math.Inf(1)), nil
}

// stand places the vertices of a layer below what is above them; in a row if it has to be.
func (l *layout) stand(layer []int, all, solid *skyline, least []float64, row bool) {
	lowest := 0.0
	for _, v := range layer {
		from, to := l.x[v]-l.vertices[v].left-beside, l.x[v]+l.vertices[v].right+beside
		y := max(all.top(from, to), least[v])
		switch {
		case l.isBox(v):
			y = max(y, solid.top(from, to)+gapY)
		case l.vertices[v].h > 0:
			y = max(y, solid.top(from, to)+labelsUp)
		}
		l.ys[v], lowest = y, max(lowest, y)
	}
	for _, v := range layer {
		if row {
			l.ys[v] = lowest
		}
		from, to := l.x[v]-l.vertices[v].left, l.x[v]+l.vertices[v].right
		bottom := l.ys[v] + l.vertices[v].h
		all.raise(from, to, bottom)
		if l.vertices[v].h > 0 {
			solid.raise(from, to, bottom)
		}
	}
}

// lead gives the lines below a layer their strips.
func (l *layout) lead(links []link, all *skyline, row bool) {
	slices.SortStableFunc(links, func(a, b link) int { return cmp.Compare(a.left(), b.left()) })
	for first := 0; first < len(links); {
		right, next := links[first].right(), first+1
		for next < len(links) && (row || links[next].left() <= right+beside) {
			right = max(right, links[next].right())
			next++
		}
		l.share(links[first:next], links[first].left(), right, all, row)
		first = next
	}
}

// share gives lines one strip.
func (l *layout) share(links []link, left, right float64, all *skyline, row bool) {
	h := 0.0
	for _, k := range links {
		h = max(h, l.steepness(k))
	}
	s := strip{top: all.top(left-beside, right+beside)}
	if row {
		h, s.top = max(h, gapY), all.top(math.Inf(-1), math.Inf(1))
	}
	s.bottom = s.top + h
	for _, k := range links {
		if l.around[k.edge] && k.at == 1 && l.leaves[k.edge] == 0 {
			l.leaves[k.edge] = s.top
		}
		l.strips[k.edge][k.at] = s
	}
	all.raise(left, right, s.bottom)
}

// steepness is how high a strip has to be for a line.
func (l *layout) steepness(k link) float64 {
	c, least := l.chains[k.edge], float64(thinY)
	if up := l.reversed[k.edge]; up && k.at == 0 || !up && k.at == len(c)-2 {
		least = gapY
	}
	if k.from == k.to && least < gapY {
		return 0
	}
	return min(mostY, least+slope*math.Abs(k.from-k.to))
}

// A skyline says of each x how far down something reaches there: a step from each x to the next.
type skyline struct{ steps []step }

type step struct{ x, y float64 }

func newSkyline(y float64) *skyline { return &skyline{[]step{{math.Inf(-1), y}}} }

// at is the number of the step that an x is on.
func (s *skyline) at(x float64) int {
	i, _ := slices.BinarySearchFunc(s.steps, x, func(a step, x float64) int { return cmp.Compare(a.x, x) })
	if i == len(s.steps) || s.steps[i].x > x {
		i--
	}
	return i
}

// top is the lowest y between two x.
func (s *skyline) top(from, to float64) float64 {
	i := s.at(from)
	y := s.steps[i].y
	for i++; i < len(s.steps) && s.steps[i].x < to; i++ {
		y = max(y, s.steps[i].y)
	}
	return y
}

// raise says that something reaches down to y between two x; nothing there reaches further.
func (s *skyline) raise(from, to, y float64) {
	const hair = 0.5 // a line has a width
	from, to = from-hair, to+hair
	i, k := s.at(from), s.at(to)
	behind := step{to, s.steps[k].y}
	if s.steps[i].x < from {
		i++
	}
	s.steps = slices.Replace(s.steps, i, k+1, step{from, y}, behind)
}
