package layered

// Idea: the scheme of Sugiyama. Edges that close a loop are turned round, what is left
// ranks the boxes; an edge over several layers becomes a chain of vertices that take
// part in all that follows, so room is kept for it in each layer that it passes. A label
// is such a vertex too, in a layer between those of boxes, right behind the box that
// the edge leaves.
//
// Source: Sugiyama, Tagawa, Toda: Methods for Visual Understanding of Hierarchical System
// Structures, IEEE Trans. SMC 11(2) (1981); Gansner, Koutsofios, North, Vo: A Technique
// for Drawing Directed Graphs, IEEE Trans. Software Eng. 19(3) (1993), for labels.
//
// Deviations: there is no optimal ranking, which by network simplex is most of the time
// on graphs with loops. And chains have a budget that is linear in the graph: the
// longest edges beyond it are led around all boxes on tracks at the right.
//
// A graph may be drawn wide, or high with layers that hold no more than so much, and each of these
// straight and wide, or narrow. Of these drawings the one is taken that is seen largest on a page,
// with few crossings. All edges are led to their ends, also where a drawing is cut into columns: one
// that is larger than a page can be enlarged and moved by who shows it.

import (
	"context"
	"math"
)

// A Box is what is placed.
type Box struct {
	W, H float64
	Root bool // it stands at the top, as far as edges allow it
}

// An Edge leads from one box to another, by their numbers.
type Edge struct {
	From, To int
	W, H     float64 // of its label; 0, 0 where there is none
}

// between reports whether an edge leads from a box to another one.
func (e Edge) between() bool { return e.From != e.To }

// A Point is a place in a drawing; y grows downwards.
type Point struct{ X, Y float64 }

// A Route is the way of an edge. A line leads from each point to the next: a straight
// one if they are below or beside each other, else a curve that is vertical at both
// ends. It has at least two points.
type Route struct {
	Points []Point
	Label  Point // the upper left corner of the label
}

// A Drawing is the layout of a graph.
type Drawing struct {
	W, H    float64
	Corners []Point // by box: its upper left corner
	Routes  []Route // by edge
}

const (
	gapX     = 24 // between neighbours in a layer
	thinX    = 12 // between neighbours of which one is the vertex of a chain
	ownLoop  = 22 // width of a loop at a box
	labelGap = 5  // between a line and its label
	trackX   = 9  // between tracks at the right
	frame    = 4  // around all
)

// Layout places boxes and edges, for a page of this width and one and a half times its height; as
// wide as they are if it is 0. The error is the context's.
func Layout(ctx context.Context, boxes []Box, edges []Edge, page float64) (*Drawing, error) {
	best := &trial{page: page, cost: math.Inf(1)}
	if err := best.attempt(ctx, boxes, edges, 0); err != nil {
		return nil, err
	}
	widest := best.drawing.W
	if page <= 0 || len(boxes) > mostTried {
		return best.drawing, nil
	}
	tried := bounds[:]
	if len(boxes) > fewBoxes {
		tried = bounds[3:4]
	}
	for _, part := range tried {
		if err := best.attempt(ctx, boxes, edges, max(leastBound, widest*part)); err != nil {
			return nil, err
		}
	}
	return folded(best.drawing, boxes, edges, page), nil
}

const (
	mostTried = 2000 // boxes; of more of them there is one layout without bounds
	fewBoxes  = 60   // of no more of them all bounds and widths are tried, else one of each
	pageRatio = 1.5  // the height of a page by its width
	// crossingCost is how much smaller a drawing may be seen whose edges have a crossing less each.
	crossingCost = 0.15
	leastBound   = 250 // of a layer's width
)

// bounds are the widths of layers that are tried, as parts of the drawing's without bounds.
var bounds = [...]float64{0.15, 0.2, 0.27, 0.35, 0.45, 0.6}

// columnWidths are the widths that are tried for the same layers, as multiples of that of the widest one.
var columnWidths = [...]float64{1, 1.1, 1.25}

// A trial is the best one of several drawings.
type trial struct {
	page    float64
	drawing *Drawing
	cost    float64
}

// attempt places boxes and edges, with layers whose boxes take no more than a width, if that is not 0.
func (t *trial) attempt(ctx context.Context, boxes []Box, edges []Edge, width float64) error {
	l := &layout{boxes: boxes, edges: edges, doubled: 1, width: width}
	for _, e := range edges {
		if e.W > 0 && e.From != e.To {
			l.doubled = 2
		}
	}
	for _, step := range []func(context.Context) error{l.rank, l.chain, l.order, l.assignCoordinates} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	crossings := float64(l.crossings()) / float64(max(1, len(edges)))
	if err := t.offer(ctx, l, crossings); err != nil || len(l.vertices) == 0 {
		return err
	}
	widths := columnWidths[:]
	if len(boxes) > fewBoxes {
		widths = columnWidths[2:3]
	}
	for _, w := range widths {
		if err := l.narrow(ctx, w); err != nil {
			return err
		}
		if err := t.offer(ctx, l, crossings); err != nil {
			return err
		}
	}
	return nil
}

// offer takes a layout if it costs less: if it is seen larger on a page, is smaller, and has fewer crossings.
func (t *trial) offer(ctx context.Context, l *layout, crossings float64) error {
	d, err := l.route(ctx)
	if err != nil {
		return err
	}
	cost := math.Pow(d.W*d.H, 0.8) * (1 + crossingCost*crossings)
	if t.page > 0 {
		cost *= max(1, d.W/t.page, d.H/t.page/pageRatio)
	}
	if cost < t.cost {
		t.drawing, t.cost = d, cost
	}
	return nil
}

// A layout is a graph on its way to a drawing. The first vertices are the boxes; those
// behind them are on chains.
type layout struct {
	boxes   []Box
	edges   []Edge
	width   float64 // of the boxes of a layer at most; 0: any
	doubled int     // 2: every other layer is for labels

	ranks    []int  // by vertex: its layer
	reversed []bool // by edge: it closes a loop, and is led from bottom to top

	// by edge: its vertices from top to bottom, with the boxes at both ends; nil for a loop at a box
	chains   [][]int
	around   []bool        // by edge: it leaves its chain behind the second vertex for a track, until the last but one
	joined   map[join]int  // the vertices of edges that join
	shared   map[int]bool  // by vertex: it is one of joined edges
	arriving map[join]int  // by box and side: how many edges lead there
	loops    map[int][]int // by box: the edges from it to itself
	vertices []vertex      // by number
	layers   [][]int       // by rank: vertices from left to right
	at       []int         // by vertex: its index in its layer
	up, down [][]int       // by vertex: its neighbours in the layers above and below

	means  []float64 // by vertex: the mean place of its neighbours
	x      []float64 // by vertex: of its line, or its middle
	ys     []float64 // by vertex: its upper side
	strips [][]strip // by edge: of the line behind each vertex of its chain but the last
	leaves []float64 // by edge: where it leaves for its track
	right  float64   // where tracks begin
	within float64   // how far from 0 columns may reach to either side
}

// A vertex is a box or the vertex of a chain.
type vertex struct {
	left, right float64 // what it takes on either side of its line
	h           float64
}

// isBox reports whether a vertex is a box.
func (l *layout) isBox(v int) bool { return v < len(l.boxes) }

// gap is the distance that neighbours keep.
func (l *layout) gap(a, b int) float64 {
	if l.isBox(a) && l.isBox(b) {
		return gapX
	}
	return thinX
}
