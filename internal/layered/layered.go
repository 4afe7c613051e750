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

import "context"

// A Box is what is placed.
type Box struct {
	W, H float64
	Root bool // it stands at the top, as far as edges allow it
}

// An Edge leads from one box to another, by their numbers.
type Edge struct {
	From, To int
	W, H     float64 // of its label; 0, 0 where there is none
	// CutW and CutH are the size of the label that it has where it is cut: led a
	// short way only, to a label that names its end. 0, 0: it is never cut.
	CutW, CutH float64
}

// nowhere is where an edge leads that is cut in any case.
const nowhere = -1

// between reports whether an edge leads from a box to another one.
func (e Edge) between() bool { return e.From != e.To && e.To != nowhere }

// A Point is a place in a drawing; y grows downwards.
type Point struct{ X, Y float64 }

// A Route is the way of an edge. A line leads from each point to the next: a straight
// one if Straight says so, or if they are below each other, else a curve that is
// vertical at both ends. It has at least two points.
type Route struct {
	Points   []Point
	Straight bool
	Cut      bool
	Label    Point // the upper left corner of the label
}

// A Drawing is the layout of a graph.
type Drawing struct {
	W, H    float64
	Corners []Point // by box: its upper left corner
	Routes  []Route // by edge
}

const (
	gapX     = 24  // between neighbours in a layer
	thinX    = 12  // between neighbours of which one is the vertex of a chain
	gapY     = 18  // between layers, at least
	slope    = 0.1 // more of it for edges that lead far to a side
	mostY    = 64  // and at most
	ownLoop  = 22  // width of a loop at a box
	labelGap = 5   // between a line and its label
	trackX   = 9   // between tracks at the right
	frame    = 4   // around all
)

// Layout places boxes and edges. If the drawing is wider than the page, edges that lead far are cut,
// those of a box to one list below it, and what hangs together then stands in rows; if the page has
// no width, none is. The error is the context's.
func Layout(ctx context.Context, boxes []Box, edges []Edge, page float64) (*Drawing, error) {
	if len(boxes) > mostOnPage && page > 0 {
		return attempt(ctx, boxes, edges, page, largeSaving)
	}
	var narrowest *Drawing
	for i := range savings {
		d, err := attempt(ctx, boxes, edges, page, i)
		if err != nil || page <= 0 || d.W <= page {
			return d, err
		}
		rows, err := inRows(ctx, boxes, edges, page, i, d)
		if err != nil {
			return nil, err
		}
		if rows != nil && rows.W < d.W {
			d = rows
		}
		if d.W <= page {
			return d, nil
		}
		if narrowest == nil || d.W < narrowest.W {
			narrowest = d
		}
	}
	return narrowest, nil
}

// A saving is a way to keep to the page: edges are cut that lead over so many layers of
// boxes, to boxes that so many edges lead to; layers are no wider than the page, which
// makes them more.
type saving struct {
	layers, edges int
	bounded       bool
}

// savings are tried in this order; the first one saves nothing.
var savings = [...]saving{{}, {layers: 3, edges: 5}, {3, 5, true}, {layers: 4}, {4, 0, true}, {layers: 2},
	{2, 0, true}, {1, 2, true}}

const (
	mostOnPage  = 150 // boxes; with more of them, nothing is tried to keep to the page
	largeSaving = 1   // which of the savings they get
)

// attempt places boxes and edges, with one of the savings.
func attempt(ctx context.Context, boxes []Box, edges []Edge, page float64, i int) (*Drawing, error) {
	l := &layout{boxes: boxes, edges: edges, doubled: 1, saving: savings[i], page: page}
	for _, e := range edges {
		if e.W > 0 && e.From != e.To {
			l.doubled = 2
		}
	}
	for _, step := range []func(context.Context) error{l.rank, l.chain, l.order, l.assignCoordinates} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return l.route(ctx)
}

// A layout is a graph on its way to a drawing. The first vertices are the boxes; those
// behind them are on chains.
type layout struct {
	boxes []Box
	edges []Edge
	saving
	page    float64
	doubled int // 2: every other layer is for labels

	ranks    []int  // by vertex: its layer
	reversed []bool // by edge: it closes a loop, and is led from bottom to top

	// by edge: its vertices from top to bottom, with the boxes at both ends; nil for a loop at a box
	chains   [][]int
	cut      []bool        // by edge: its chain ends with its label
	around   []bool        // by edge: it leaves its chain behind the second vertex for a track, until the last but one
	stubs    map[int]int   // by box: the vertex of its edges that are cut
	before   []float64     // by edge that is cut: the height of the labels above its own
	loops    map[int][]int // by box: the edges from it to itself
	vertices []vertex      // by number
	layers   [][]int       // by rank: vertices from left to right
	at       []int         // by vertex: its index in its layer
	up, down [][]int       // by vertex: its neighbours in the layers above and below

	means []float64 // by vertex: the mean place of its neighbours
	x     []float64 // by vertex: of its line, or its middle
	right float64   // where tracks begin
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
