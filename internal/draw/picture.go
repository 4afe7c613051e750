package draw

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"magus/internal/graph"
)

// A Picture is a drawing of which parts can be left out.
type Picture struct {
	title    string
	noun     string // what a node is
	nodes    []graph.Node
	label    func(i int) string // the label of a node that is drawn; nil: it has one
	box      []int              // by node: the box that it is in, from 1, or 0
	passes   []bool             // by node: it only passes on, and Collapse may leave it out
	members  map[int]string     // by node: what its box lists
	boxes    []string           // their titles
	redBoxes []bool             // by box
	edges    []graph.Edge
}

// add adds a node.
func (p *Picture) add(n graph.Node, box int, passes bool) {
	p.nodes, p.box, p.passes = append(p.nodes, n), append(p.box, box), append(p.passes, passes)
}

// Dot is the DOT text of what is selected. The note, if not empty, says what was
// left out to keep the limit.
func (p *Picture) Dot(s Selection) (text, note string, err error) {
	part := &part{Picture: p, edges: p.edges, keep: make([]bool, len(p.nodes))}
	for i := range part.keep {
		part.keep[i] = !s.TraceOnly || p.nodes[i].Highlight
	}
	if s.TraceOnly && !slices.Contains(part.keep, true) {
		return "", "", errors.New("--trace-only: there is no counterexample in this drawing")
	}
	if s.Collapse {
		part.collapse()
	}
	if a := s.Around; a != nil {
		if a.Node >= len(p.nodes) {
			return "", "", fmt.Errorf("--around: no node %d; there are 0 to %d", a.Node, len(p.nodes)-1)
		}
		part.around(*a)
	}
	if n := part.size(); !s.All && n > s.Limit {
		part.nearest(s.Limit)
		note = fmt.Sprintf("the drawing shows %d of %d %ss; --all draws them all, --around N DEPTH a part", s.Limit, n, p.noun)
	}
	return part.dot(s.TraceOnly), note, nil
}

// dot writes the nodes that are kept and the edges between them, only red ones
// if the counterexample is all that is wanted.
func (p *part) dot(onlyRed bool) string {
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
	return d.String()
}

// node adds a node to a drawing, with its box and what that lists.
func (p *part) node(d *graph.Drawing, i int) int {
	n := p.nodes[i]
	if b := p.box[i]; b > 0 {
		n.Cluster = d.Cluster(p.boxes[b-1])
		if p.redBoxes[b-1] {
			d.Highlight(n.Cluster)
		}
	}
	if p.label != nil {
		n.Label = p.label(i)
	}
	number := d.Node(n)
	if list := p.members[i]; list != "" {
		d.Node(graph.Node{Label: list, Shape: "plaintext", Cluster: n.Cluster})
	}
	return number
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
