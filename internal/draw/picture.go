package draw

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"magus/internal/graph"
	"magus/internal/phrase"
)

// A Picture is a drawing of which parts can be left out.
type Picture struct {
	title  string
	noun   string // what a node is
	nodes  []graph.Node
	label  func(i, behind int) string // the label of a node that is drawn, behind another one of its piece or -1; nil: it has one
	kind   func(i int) string         // nodes of one kind may be one; nil: none may
	passes []bool                     // by node: it only passes on, and Collapse may leave it out
	edges  []graph.Edge
}

// add adds a node.
func (p *Picture) add(n graph.Node, passes bool) {
	p.nodes, p.passes = append(p.nodes, n), append(p.passes, passes)
}

// Dot is the DOT text of what is selected. The note, if not empty, says what was
// left out to keep the limit.
func (p *Picture) Dot(s Selection) (text, note string, err error) {
	d, note, err := p.Drawing(s)
	if err != nil {
		return "", "", err
	}
	return d.String(), note, nil
}

// Drawing is what is selected, with the note of Dot.
func (p *Picture) Drawing(s Selection) (d *graph.Drawing, note string, err error) {
	part := &part{Picture: p, edges: p.edges, keep: make([]bool, len(p.nodes))}
	for i := range part.keep {
		part.keep[i] = !s.TraceOnly || p.nodes[i].Highlight
	}
	if s.TraceOnly && !slices.Contains(part.keep, true) {
		return nil, "", errors.New("--trace-only: there is no counterexample in this drawing")
	}
	if !s.Unfold {
		part.collapse()
	}
	if a := s.Around; a != nil {
		if a.Node >= len(p.nodes) {
			return nil, "", fmt.Errorf("--around: no node %d; there are 0 to %d", a.Node, len(p.nodes)-1)
		}
		part.around(*a)
	}
	if !s.Unfold && !s.TraceOnly { // whose steps are to be seen
		part.unite()
		part.fold()
	}
	if n := part.size(); !s.All && n > s.Limit {
		part.nearest(s.Limit)
		note = fmt.Sprintf("the drawing shows %d of %d %ss; --all draws them all, --around N DEPTH a part", s.Limit, n, p.noun)
	}
	return part.drawing(s.TraceOnly), note, nil
}

// drawing has the nodes that are kept and the edges between them, only red ones
// if the counterexample is all that is wanted.
func (p *part) drawing(onlyRed bool) *graph.Drawing {
	d := graph.NewDrawing(p.title)
	number := make([]int, len(p.nodes))
	for i := range p.nodes {
		if p.keep[i] {
			number[i] = p.node(d, i)
		}
	}
	var edges []graph.Edge
	for _, e := range p.edges {
		if p.keep[e.From] && p.keep[e.To] && (!onlyRed || e.Highlight) {
			e.From, e.To = number[e.From], number[e.To]
			edges = append(edges, e)
		}
	}
	for _, e := range merged(edges) {
		d.Edge(e)
	}
	return d
}

// node adds a node to a drawing.
func (p *part) node(d *graph.Drawing, i int) int {
	n := p.nodes[i]
	n.Label = p.text(i, -1) + p.others(i)
	for _, k := range p.pieces[i] {
		e := p.folded[k]
		if e.Label != "τ" && e.Label != "" {
			n.Label += "\n  -- " + e.Label + " -->"
		}
		n.Label += "\n" + p.text(e.To, e.From) + p.others(e.To)
	}
	return d.Node(n)
}

// others says how many other nodes a node stands for.
func (p *part) others(i int) string {
	if p.alike[i] == 0 {
		return ""
	}
	return "\n  and " + phrase.Plural(p.alike[i], p.noun) + " more with the same successors"
}

// text is what stands in a node; behind another one in the same piece, only what is
// new.
func (p *Picture) text(i, behind int) string {
	if p.label == nil {
		return p.nodes[i].Label
	}
	return p.label(i, behind)
}

// shownLabels is how many actions of parallel transitions are drawn.
const shownLabels = 8

// merged makes one edge of those that differ in their label only, in the place
// of the first.
func merged(edges []graph.Edge) []graph.Edge {
	labels := map[graph.Edge][]string{}
	var order []graph.Edge
	for _, e := range edges {
		key := e
		key.Label = ""
		if labels[key] == nil {
			order = append(order, key)
		}
		labels[key] = append(labels[key], e.Label)
	}
	for i, e := range order {
		all := labels[e]
		if more := len(all) - shownLabels; more > 0 {
			all = append(all[:shownLabels:shownLabels], fmt.Sprintf("and %d more", more))
		}
		order[i].Label = strings.Join(all, "\n")
	}
	return order
}
