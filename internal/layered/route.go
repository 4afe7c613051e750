package layered

// The lines. Within a layer a line is vertical, at a place that its vertex has to
// itself; between layers there is nothing but lines. So no line crosses a box. A line
// leaves a box towards where it goes, as far as the box reaches and other lines leave
// room.

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	portX    = 10  // between lines at a box
	portPart = 0.8 // of a box's width that has lines
)

// A port is where a line meets a box: the edges, and the x of its other end.
type port struct {
	edges  []int
	toward float64
}

func (l *layout) route(ctx context.Context) (*Drawing, error) {
	d := &Drawing{Corners: make([]Point, len(l.boxes)), Routes: make([]Route, len(l.edges))}
	l.shift(d)
	upper, lower := l.ports()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	height, err := l.compact(ctx, upper, lower)
	if err != nil {
		return nil, err
	}
	d.H = height + frame
	for i, b := range l.boxes {
		d.Corners[i] = Point{l.x[i] - b.W/2, l.ys[i] + (l.vertices[i].h-b.H)/2}
	}
	tracks := l.tracks()
	l.right = d.W
	for k, e := range l.edges {
		if k%lookEvery == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if e.From == e.To {
			d.Routes[k] = l.loop(d, k)
			continue
		}
		d.Routes[k] = l.line(d, k, upper, lower, tracks[k])
	}
	for _, t := range tracks {
		if t > 0 {
			d.W = max(d.W, l.trackX(t)+frame)
		}
	}
	return d, nil
}

// shift moves all to the right of the frame, and gives the drawing its width.
func (l *layout) shift(d *Drawing) {
	least := math.Inf(1)
	for v, x := range l.x {
		least = min(least, x-l.vertices[v].left)
	}
	for v := range l.x {
		l.x[v] += frame - least
		d.W = max(d.W, l.x[v]+l.vertices[v].right+frame)
	}
}

// ports are the x at which edges meet their boxes, at the upper and the lower end.
func (l *layout) ports() (upper, lower []float64) {
	upper, lower = make([]float64, len(l.edges)), make([]float64, len(l.edges))
	below, above := make([][]port, len(l.boxes)), make([][]port, len(l.boxes))
	at := map[segment]int{} // of lines of several edges: the number of their port
	add := func(to []port, s segment, k int, toward float64) []port {
		if i, ok := at[s]; ok {
			to[i].edges = append(to[i].edges, k)
			return to
		}
		if !l.isBox(s.up) || !l.isBox(s.down) {
			at[s] = len(to)
		}
		return append(to, port{[]int{k}, toward})
	}
	for k, c := range l.chains {
		if len(c) > 0 {
			below[c[0]] = add(below[c[0]], segment{c[0], c[1]}, k, l.x[c[1]])
		}
	}
	for i, ps := range below {
		l.arrange(i, ps, upper)
	}
	for k, c := range l.chains {
		if n := len(c); n == 2 {
			above[c[1]] = append(above[c[1]], port{[]int{k}, upper[k]})
		} else if n > 2 {
			above[c[n-1]] = add(above[c[n-1]], segment{c[n-2], c[n-1]}, k, l.x[c[n-2]])
		}
	}
	for i, ps := range above {
		l.arrange(i, ps, lower)
	}
	return upper, lower
}

// arrange gives the lines of one side of a box their places, as near to where they go
// as they can be.
func (l *layout) arrange(i int, ps []port, x []float64) {
	if len(ps) == 0 {
		return
	}
	slices.SortStableFunc(ps, func(a, b port) int { return cmp.Compare(a.toward, b.toward) })
	half := l.boxes[i].W / 2 * portPart
	from, to := l.x[i]-half, l.x[i]+half
	dist := float64(portX)
	if n := len(ps); n > 1 {
		dist = min(dist, (to-from)/float64(n-1))
	}
	places := make([]float64, len(ps))
	for k, p := range ps {
		places[k] = max(from, min(to, p.toward))
		if k > 0 {
			places[k] = max(places[k], places[k-1]+dist)
		}
	}
	for k, p := range slices.Backward(ps) {
		most := to
		if k+1 < len(ps) {
			most = places[k+1] - dist
		}
		places[k] = min(places[k], most)
		for _, e := range p.edges {
			x[e] = places[k]
		}
	}
}

// meets is the x at which an edge meets a vertex of its chain.
func (l *layout) meets(k, i int, upper, lower []float64) float64 {
	switch c := l.chains[k]; i {
	case 0:
		return upper[k]
	case len(c) - 1:
		return lower[k]
	default:
		return l.x[c[i]]
	}
}

// loop leads an edge from a box to itself, at its right; several stand below each other.
func (l *layout) loop(d *Drawing, k int) Route {
	e := l.edges[k]
	b, p := l.boxes[e.From], d.Corners[e.From]
	slot := b.H / float64(len(l.loops[e.From]))
	i := slices.Index(l.loops[e.From], k)
	right, middle := p.X+b.W, p.Y+slot*(float64(i)+0.5)
	dy := min(8, slot/3)
	label := p.Y + b.H/2 - e.H/2
	if all := l.loops[e.From]; len(all) > 1 {
		height := 0.0
		for _, n := range all {
			height += l.edges[n].H
		}
		label = p.Y + b.H/2 - height/2
		for _, n := range all[:i] {
			label += l.edges[n].H
		}
	}
	far := right + ownLoop - 4
	return Route{
		Points: []Point{{right, middle - dy}, {far, middle - dy}, {far, middle + dy}, {right, middle + dy}},
		Label:  Point{right + ownLoop, label},
	}
}

// line leads an edge along its chain.
func (l *layout) line(d *Drawing, k int, upper, lower []float64, track int) Route {
	c := l.chains[k]
	first, last := c[0], c[len(c)-1]
	r := Route{}
	r.Points = append(r.Points, Point{upper[k], d.Corners[first].Y + l.boxes[first].H})
	for i, s := range l.strips[k] {
		from, to := l.meets(k, i, upper, lower), l.meets(k, i+1, upper, lower)
		if track > 0 && i == 1 { // to the track, and back above the next vertex
			y := l.leaves[k] + 3 + float64(track%3)*4
			back := s.bottom - 3 - float64(track%3)*4
			r.Points = append(r.Points, Point{from, y}, Point{l.trackX(track), y}, Point{l.trackX(track), back},
				Point{to, back})
		} else {
			r.Points = append(r.Points, Point{from, s.top}, Point{to, s.bottom})
		}
		if v := c[i+1]; !l.isBox(v) && l.vertices[v].right > 0 {
			r.Label = Point{to + labelGap, l.ys[v]}
		}
	}
	r.Points = append(r.Points, Point{lower[k], d.Corners[last].Y})
	r.Points = slices.Compact(r.Points)
	if l.reversed[k] {
		slices.Reverse(r.Points)
	}
	return r
}
