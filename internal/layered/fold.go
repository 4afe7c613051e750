package layered

// Columns of text, as it were: a drawing that is much higher than wide is cut across, and what is below the cuts
// stands at the right of what is above. A cut goes through no box and no label, and through few lines, each of which
// it meets where it leads straight down. Such a line goes on below its column, up between the columns, and down into
// the next one. The lines at a cut are nested, so none crosses another one there.
//
// Source: none; newspapers. Cost: the number of parts of a drawing for each height that they begin or end at.

import (
	"cmp"
	"math"
	"slices"
)

const (
	mostColumns = 4
	mostCut     = 4  // lines that a cut goes through
	gutter      = 14 // between a column and the first line beside it
	nested      = 8  // between lines at a cut
	startRoom   = 18 // above a box with an arrow from nowhere
)

// folded is a drawing in columns, if that is seen larger on a page as wide as it is high; else the drawing itself.
func folded(d *Drawing, boxes []Box, edges []Edge, page float64) *Drawing {
	best, least := d, squareCost(d, page)
	if d.H <= page || d.W > page/2 {
		return best
	}
	cuts := cutsOf(d, boxes, edges)
	for n := 2; n <= mostColumns; n++ {
		var chosen []cut
		for i := 1; i < n; i++ {
			if c := nearest(cuts, d.H*float64(i)/float64(n), d.H/float64(3*n)); c != nil {
				chosen = append(chosen, *c)
			}
		}
		if len(chosen) < n-1 {
			continue
		}
		one := inColumns(d, chosen, boxes, edges)
		if c := squareCost(one, page); c < least {
			best, least = one, c
		}
	}
	return best
}

// squareCost is how much smaller a drawing is seen on a page as wide as it is high, and how much of it is empty.
func squareCost(d *Drawing, page float64) float64 {
	return math.Sqrt(d.W*d.H) * max(1, d.W/page, d.H/page)
}

// A cut is a height, and where lines lead down there, from left to right.
type cut struct {
	y  float64
	xs []float64
}

// nearest is the cut that is nearest to a height, and no further from it than so much; nil if there is none.
func nearest(cuts []cut, y, within float64) *cut {
	var best *cut
	for i := range cuts {
		if far := math.Abs(cuts[i].y - y); far <= within && (best == nil || far < math.Abs(best.y-y)) {
			best = &cuts[i]
		}
	}
	return best
}

// cutsOf are the heights at which a drawing can be cut.
func cutsOf(d *Drawing, boxes []Box, edges []Edge) (cuts []cut) {
	type span struct{ top, bottom float64 }
	var solid []span
	var ys []float64
	add := func(top, bottom float64) {
		solid, ys = append(solid, span{top, bottom}), append(ys, top, bottom)
	}
	for i, b := range boxes {
		top := d.Corners[i].Y
		if b.Root {
			top -= startRoom
		}
		add(top, d.Corners[i].Y+b.H)
	}
	for k, e := range edges {
		if e.W > 0 {
			add(d.Routes[k].Label.Y, d.Routes[k].Label.Y+e.H)
		}
		for _, p := range d.Routes[k].Points {
			ys = append(ys, p.Y)
		}
	}
	slices.Sort(ys)
	for i := 1; i < len(ys); i++ {
		y := (ys[i-1] + ys[i]) / 2
		if ys[i]-ys[i-1] < 2 || slices.ContainsFunc(solid, func(s span) bool { return s.top < y && y < s.bottom }) {
			continue
		}
		if xs, ok := meetsAt(d, y); ok && len(xs) <= mostCut {
			cuts = append(cuts, cut{y, xs})
		}
	}
	return cuts
}

// meetsAt are the x at which lines lead through a height; ok says that all lead straight down there.
func meetsAt(d *Drawing, y float64) (xs []float64, ok bool) {
	for _, r := range d.Routes {
		for i := 1; i < len(r.Points); i++ {
			a, b := r.Points[i-1], r.Points[i]
			if (a.Y < y) == (b.Y < y) {
				continue
			}
			if a.X != b.X {
				return nil, false
			}
			xs = append(xs, a.X)
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs), true
}

// columns are a drawing's between cuts.
type columns struct {
	cuts []cut
	by   []Point   // by column: how far it is moved
	side []float64 // by cut: the x of the first line beside the column
}

// inColumns cuts a drawing.
func inColumns(d *Drawing, cuts []cut, boxes []Box, edges []Edge) *Drawing {
	c := &columns{cuts: cuts, by: make([]Point, len(cuts)+1), side: make([]float64, len(cuts))}
	least, most := c.extents(d, boxes, edges)
	one := &Drawing{Corners: slices.Clone(d.Corners), Routes: slices.Clone(d.Routes)}
	right := 0.0
	for i := range c.by {
		if i > 0 {
			lines := nested * float64(len(cuts[i-1].xs))
			c.side[i-1] = right + gutter
			right += 2*gutter + lines
			c.by[i].Y = frame + lines + startRoom - cuts[i-1].y
			c.by[i].X = right - least[i]
		}
		right += most[i] - min(least[i], most[i])
		if i == 0 {
			right = most[0]
		}
		bottom := d.H + c.by[i].Y
		if i < len(cuts) {
			bottom = cuts[i].y + c.by[i].Y + nested*float64(len(cuts[i].xs)) + frame
		}
		one.H = max(one.H, bottom)
	}
	one.W = right + frame
	for i, p := range one.Corners {
		one.Corners[i] = c.point(p)
	}
	for k, r := range one.Routes {
		one.Routes[k] = c.route(r)
	}
	return one
}

// of is the column of a height.
func (c *columns) of(y float64) (i int) {
	for i < len(c.cuts) && c.cuts[i].y <= y {
		i++
	}
	return i
}

// extents are where the columns begin and end from left to right.
func (c *columns) extents(d *Drawing, boxes []Box, edges []Edge) (least, most []float64) {
	least, most = slices.Repeat([]float64{math.Inf(1)}, len(c.by)), make([]float64, len(c.by))
	grow := func(p Point, w float64) {
		i := c.of(p.Y)
		least[i], most[i] = min(least[i], p.X), max(most[i], p.X+w)
	}
	for i, b := range boxes {
		grow(d.Corners[i], b.W)
	}
	for k, r := range d.Routes {
		if edges[k].W > 0 {
			grow(r.Label, edges[k].W)
		}
		for _, p := range r.Points {
			grow(p, 0)
		}
	}
	for i, one := range c.cuts { // a line may lead through a column in which it has no corner
		for _, x := range one.xs {
			for _, k := range []int{i, i + 1} {
				least[k], most[k] = min(least[k], x), max(most[k], x)
			}
		}
	}
	return least, most
}

func (c *columns) point(p Point) Point {
	by := c.by[c.of(p.Y)]
	return Point{p.X + by.X, p.Y + by.Y}
}

// route leads an edge through the cuts by its lines between columns.
func (c *columns) route(r Route) Route {
	out := Route{Label: c.point(r.Label)}
	for i, p := range r.Points {
		if i > 0 {
			from, to := c.of(r.Points[i-1].Y), c.of(p.Y)
			for k := from; k < to; k++ {
				out.Points = append(out.Points, c.way(k, p.X)...)
			}
			for k := from - 1; k >= to; k-- {
				way := c.way(k, p.X)
				slices.Reverse(way)
				out.Points = append(out.Points, way...)
			}
		}
		out.Points = append(out.Points, c.point(p))
	}
	return out
}

// way is that of a line from its column to the next one. Lines from the right are nearer to both.
func (c *columns) way(k int, x float64) []Point {
	at, _ := slices.BinarySearchFunc(c.cuts[k].xs, x, cmp.Compare)
	n := nested * float64(len(c.cuts[k].xs)-at)
	low, side, high := c.cuts[k].y+c.by[k].Y+n, c.side[k]+n-nested, frame+n-nested
	return []Point{{x + c.by[k].X, low}, {side, low}, {side, high}, {x + c.by[k+1].X, high}}
}
