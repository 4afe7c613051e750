package layered

// Parts side by side. Where edges are cut, what they led to may hang together with nothing
// else any more. Each such part is then laid out for itself, and they stand in rows that are
// no wider than the page, in the order of the drawing as a whole. Linear but for sorting.

import (
	"cmp"
	"context"
	"slices"
)

// gapPart is between parts.
const gapPart = 2 * gapX

// A portion of a drawing hangs together: its boxes and edges by their numbers in the whole.
type portion struct{ boxes, edges []int }

// inRows lays out the parts that cut edges leave, of a drawing as a whole; nil if there is only one.
func inRows(ctx context.Context, boxes []Box, edges []Edge, page float64, saving int,
	whole *Drawing) (*Drawing, error) {
	parts := portions(boxes, edges, whole)
	if len(parts) < 2 {
		return nil, nil
	}
	d := &Drawing{Corners: make([]Point, len(boxes)), Routes: make([]Route, len(edges))}
	var x, y, high float64 // of the row
	for _, p := range parts {
		one, err := p.attempt(ctx, boxes, edges, page, saving, whole)
		if err != nil {
			return nil, err
		}
		if x > 0 && x+one.W > page {
			x, y, high = 0, y+high+gapPart/2, 0
		}
		p.put(d, one, Point{x, y})
		d.W, high = max(d.W, x+one.W), max(high, one.H)
		d.H = y + high
		x += one.W + gapPart
	}
	return d, nil
}

// portions are what hangs together by edges that are not cut.
func portions(boxes []Box, edges []Edge, whole *Drawing) []portion {
	root := make([]int, len(boxes))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for k, e := range edges {
		if !whole.Routes[k].Cut {
			root[find(e.From)] = find(e.To)
		}
	}
	number := map[int]int{}
	var parts []portion
	for i := range boxes {
		r := find(i)
		n, known := number[r]
		if !known {
			n = len(parts)
			number[r], parts = n, append(parts, portion{})
		}
		parts[n].boxes = append(parts[n].boxes, i)
	}
	for k, e := range edges {
		n := number[find(e.From)]
		parts[n].edges = append(parts[n].edges, k)
	}
	slices.SortStableFunc(parts, func(a, b portion) int { return cmp.Compare(a.top(whole), b.top(whole)) })
	return parts
}

// top is where a part begins in the whole.
func (p portion) top(whole *Drawing) float64 {
	top := whole.Corners[p.boxes[0]].Y
	for _, i := range p.boxes {
		top = min(top, whole.Corners[i].Y)
	}
	return top
}

// attempt lays out the part. Edges that are cut in the whole lead nowhere in it.
func (p portion) attempt(ctx context.Context, boxes []Box, edges []Edge, page float64, saving int,
	whole *Drawing) (*Drawing, error) {
	at := map[int]int{}
	var own []Box
	for n, i := range p.boxes {
		at[i] = n
		own = append(own, boxes[i])
	}
	var led []Edge
	for _, k := range p.edges {
		e := edges[k]
		e.From, e.To = at[e.From], at[e.To]
		if whole.Routes[k].Cut {
			e.To = nowhere
		}
		led = append(led, e)
	}
	return attempt(ctx, own, led, page, saving)
}

// put puts a layout of the part into a drawing.
func (p portion) put(d, one *Drawing, by Point) {
	move := func(at Point) Point { return Point{at.X + by.X, at.Y + by.Y} }
	for n, i := range p.boxes {
		d.Corners[i] = move(one.Corners[n])
	}
	for n, k := range p.edges {
		r := one.Routes[n]
		for i, at := range r.Points {
			r.Points[i] = move(at)
		}
		r.Label = move(r.Label)
		d.Routes[k] = r
	}
}
