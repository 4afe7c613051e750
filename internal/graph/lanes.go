package graph

// Drawings with lanes.
//
// Idea: a run of several threads or components is read from the top down, with a lane for each. So node i stands in its
// lane and below node i-1, and an edge leads from the side of its box to that of another, in a curve. Nothing is
// chosen, so nothing is searched for; linear. Graphviz is told the same: nodes of a lane are a group, and edges that
// are not drawn keep their order.

import (
	"fmt"
	"unicode/utf8"

	"github.com/emicklei/dot"

	"magus/internal/layered"
)

const (
	laneGap  = 130 // between lanes: labels of edges are there
	laneStep = 16  // between boxes
	laneTop  = 30  // for the names of lanes
)

// Lanes makes the drawing one with lanes of these names, which nodes name by their number.
func (d *Drawing) Lanes(names ...string) { d.lanes = names }

// laneLayout says where everything is in a drawing with lanes.
func (d *Drawing) laneLayout(boxes []layered.Box) *layered.Drawing {
	l := &layered.Drawing{Corners: make([]layered.Point, len(boxes)),
		Routes: make([]layered.Route, len(d.edges))}
	widths := make([]float64, len(d.lanes))
	for k, name := range d.lanes {
		widths[k] = float64(utf8.RuneCountInString(name)) * letter
	}
	for i, n := range d.nodes {
		widths[n.Lane] = max(widths[n.Lane], boxes[i].W)
	}
	d.laneX = make([]float64, len(d.lanes))
	l.W = margin
	for k, w := range widths {
		d.laneX[k] = l.W + w/2
		l.W += w + laneGap
	}
	l.W += margin - laneGap
	l.H = laneTop
	for i, n := range d.nodes {
		l.Corners[i] = layered.Point{X: d.laneX[n.Lane] - boxes[i].W/2, Y: l.H}
		l.H += boxes[i].H + laneStep
	}
	for k, e := range d.edges {
		l.Routes[k] = d.laneRoute(e, l, boxes)
	}
	return l
}

// laneRoute leads from the side of a box to the side of another one; within a lane, from the bottom to the top.
func (d *Drawing) laneRoute(e Edge, l *layered.Drawing, boxes []layered.Box) layered.Route {
	from, to := l.Corners[e.From], l.Corners[e.To]
	if d.nodes[e.From].Lane == d.nodes[e.To].Lane {
		x := d.laneX[d.nodes[e.From].Lane]
		return layered.Route{Points: []layered.Point{{X: x, Y: from.Y + boxes[e.From].H}, {X: x, Y: to.Y}},
			Label: layered.Point{X: x + 5, Y: from.Y + boxes[e.From].H}}
	}
	a := layered.Point{X: from.X + boxes[e.From].W, Y: from.Y + boxes[e.From].H/2}
	b := layered.Point{X: to.X, Y: to.Y + boxes[e.To].H/2}
	w, h := extent(e.Label, smallLetter, smallLine)
	label := layered.Point{X: a.X + 5, Y: a.Y - h - 1}
	if from.X > to.X {
		a.X, b.X = from.X, to.X+boxes[e.To].W
		label.X = a.X - 5 - w
	}
	return layered.Route{Points: []layered.Point{a, b}, Label: label}
}

// lanePath is the data of an SVG path of an edge between lanes: it leaves and comes in sideways.
func lanePath(r layered.Route) string {
	a, b := r.Points[0], r.Points[1]
	if a.X == b.X {
		return r.Path()
	}
	bend := (b.X - a.X) * 0.5
	return fmt.Sprintf("M%.0f %.0fc%.0f 0 %.0f %.0f %.0f %.0f", a.X, a.Y, bend, bend, b.Y-a.Y, b.X-a.X, b.Y-a.Y)
}

// laneHeads writes the names of lanes and their lines.
func (p *picture) laneHeads() {
	for k, name := range p.lanes {
		x := p.laneX[k]
		p.printf(`<path d="M%.0f %dV%.0f" stroke="#999" stroke-dasharray="2 5"/>`+"\n", x, laneTop-6, p.layout.H-laneStep)
		p.printf(`<text x="%.1f" y="16" font-weight="bold" text-anchor="middle">%s</text>`+"\n", x, escaped(name))
	}
}

// laneOrder tells Graphviz where nodes are: a lane is a group below its name, and each node is below the one before.
func (d *Drawing) laneOrder(root *dot.Graph, nodes []dot.Node) {
	last := make([]dot.Node, len(d.lanes))
	for k, name := range d.lanes {
		last[k] = root.Node(fmt.Sprintf("lane%08d", k))
		last[k].Attrs("shape", "plaintext", "group", fmt.Sprint(k), "label", quote(name))
		if k > 0 {
			root.Edge(last[k-1], last[k]).Attrs("style", "invis")
		}
	}
	root.AddToSameRank("lanes", last...)
	for i, n := range d.nodes {
		nodes[i].Attrs("group", fmt.Sprint(n.Lane))
		root.Edge(last[n.Lane], nodes[i]).Attrs("dir", "none", "style", "dotted", "color", "gray", "weight", "100")
		if i > 0 && d.nodes[i-1].Lane != n.Lane {
			root.Edge(nodes[i-1], nodes[i]).Attrs("style", "invis", "weight", "0")
		}
		last[n.Lane] = nodes[i]
	}
}
