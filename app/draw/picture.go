package draw

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/internal/graph"
	"magus/internal/phrase"
)

// A Picture is a drawing of which parts can be left out.
type Picture struct {
	title  string
	noun   string // what a node is
	nodes  []graph.Node
	label  func(i int, behind []int) string // the label of a node that is drawn, behind others; nil: it has one
	kind   func(i int) string               // nodes of one kind may be one; nil: none may
	passes []bool                           // by node: it only passes on, and Collapse may leave it out
	// decides says of a node whether it only decides where to go on; nil: none does.
	decides func(i int) bool
	place   func(i int) (place, bool) // where a node is in the source; nil: nodes have no places
	edges   []graph.Edge
}

// add adds a node.
func (p *Picture) add(n graph.Node, passes bool) {
	p.nodes, p.passes = append(p.nodes, n), append(p.passes, passes)
}

// Page is Drawing with fewer nodes than the limit where those are large: as many as fit on a page.
func (p *Picture) Page(ctx context.Context, s Selection) (d *graph.Drawing, note string, err error) {
	return p.opened(ctx, s, true)
}

// Drawing is what is selected. The note, if not empty, says what is folded to keep the limit. The error is
// the context's, or says what is wrong with the selection.
func (p *Picture) Drawing(ctx context.Context, s Selection) (d *graph.Drawing, note string, err error) {
	return p.opened(ctx, s, false)
}

// opened opens the parts that are selected, one in the other, and draws what is in the last one.
func (p *Picture) opened(ctx context.Context, s Selection, page bool) (*graph.Drawing, string, error) {
	var inside []int
	for _, n := range s.Open {
		part, _, err := p.fitting(ctx, s, inside, page)
		if err != nil {
			return nil, "", err
		}
		f, folded := part.folds[n]
		if !folded && len(part.folds) == 0 {
			return nil, "", fmt.Errorf("--open: nothing is folded there; without --open everything is drawn")
		}
		if !folded {
			return nil, "", fmt.Errorf("--open: no folded part %d; there are %s", n, part.foldedNames())
		}
		inside = f.members
	}
	part, d, err := p.fitting(ctx, s, inside, page)
	if err != nil {
		return nil, "", err
	}
	note := part.overviewNote()
	if note != "" {
		note = "the drawing is " + note + "; --open N opens one, --all draws all"
	}
	return d, note, nil
}

// fitting draws what is inside a part, or everything; on a page, with as many nodes as fit there.
func (p *Picture) fitting(ctx context.Context, s Selection, inside []int, page bool) (*part, *graph.Drawing, error) {
	for {
		part, d, err := p.selected(ctx, s, inside)
		if err != nil || !page || s.All || s.Limit <= leastNodes {
			return part, d, err
		}
		fits, err := d.Fits(ctx)
		if fits || err != nil {
			return part, d, err
		}
		nodes, _ := d.Parts()
		s.Limit = max(leastNodes, min(s.Limit, len(nodes))-3)
	}
}

// leastNodes is how many nodes are drawn, however large.
const leastNodes = 8

// lookEvery is how many parts of a picture are looked at between two looks at the context.
const lookEvery = 1024

// selected is what is selected of what is inside a part, or of everything.
func (p *Picture) selected(ctx context.Context, s Selection, inside []int) (*part, *graph.Drawing, error) {
	part := &part{Picture: p, edges: p.edges, keep: make([]bool, len(p.nodes)), ctx: ctx}
	for i := range part.keep {
		part.keep[i] = !s.TraceOnly || p.nodes[i].Highlight
	}
	if s.TraceOnly && !slices.Contains(part.keep, true) {
		return nil, nil, errors.New("--trace-only: there is no counterexample in this drawing")
	}
	if !s.Unfold {
		part.collapse()
	}
	if a := s.Around; a != nil {
		if a.Node >= len(p.nodes) {
			return nil, nil, fmt.Errorf("--around: no node %d; there are 0 to %d", a.Node, len(p.nodes)-1)
		}
		part.around(*a)
	}
	if !s.Unfold && !s.TraceOnly { // whose steps are to be seen
		for _, step := range []func(){part.unite, part.fold, part.dispatch} {
			if !part.ended(0) {
				step()
			}
		}
	}
	if inside != nil {
		part.only(inside)
	}
	if n := part.size(); !s.All && n > s.Limit && !part.ended(0) {
		part.overview(s.Limit)
	}
	if part.ended(0) {
		return nil, nil, context.Cause(ctx)
	}
	d := part.drawing(s.TraceOnly)
	if part.ended(0) {
		return nil, nil, context.Cause(ctx)
	}
	return part, d, nil
}

// drawing has the nodes that are kept and the edges between them, only red ones
// if the counterexample is all that is wanted; until the context ends.
func (p *part) drawing(onlyRed bool) *graph.Drawing {
	d := graph.NewDrawing(p.title)
	if note := p.overviewNote(); note != "" {
		d = graph.NewDrawing(strings.TrimPrefix(p.title+", "+note, ", "))
	}
	var edges []graph.Edge
	behind := make([][]int, len(p.nodes))
	p.omitted = make([]map[int]bool, len(p.nodes))
	for i, e := range p.edges {
		if p.ended(i) {
			return d
		}
		if p.keep[e.From] && !p.keep[e.To] && !onlyRed {
			if p.omitted[e.From] == nil {
				p.omitted[e.From] = map[int]bool{}
			}
			p.omitted[e.From][e.To] = true
		}
		if p.keep[e.From] && p.keep[e.To] && (!onlyRed || e.Highlight) {
			edges = append(edges, e)
			behind[e.To] = append(behind[e.To], p.last(e.From))
		}
	}
	number := make([]int, len(p.nodes))
	for i := range p.nodes {
		if p.ended(i) {
			return d
		}
		if p.keep[i] {
			number[i] = p.node(d, i, behind[i])
		}
	}
	for k := range edges {
		edges[k].From, edges[k].To = number[edges[k].From], number[edges[k].To]
	}
	for _, e := range p.merge(edges) {
		d.Edge(e)
	}
	return d
}

// last is the last node of the piece that begins with a node.
func (p *part) last(i int) int {
	if ks := p.pieces[i]; len(ks) > 0 {
		return p.folded[ks[len(ks)-1]].To
	}
	return i
}

// node adds a node to a drawing, behind others.
func (p *part) node(d *graph.Drawing, i int, behind []int) int {
	n := p.nodes[i]
	if f, folded := p.folds[i]; folded {
		n.Highlight = slices.ContainsFunc(f.members, func(m int) bool { return p.nodes[m].Highlight })
		n.Folded, n.Double, n.Name, n.Label = true, false, strconv.Itoa(i), p.foldedLabel(i)
		return d.Node(p.leads(n, i))
	}
	if p.label != nil {
		n.Name = p.name(i)
	}
	n.Label = p.pieceLabel(i, behind)
	at := p.last(i)
	for _, k := range p.rows[i] {
		n.Label += "\n" + p.pieceLabel(k, []int{at})
		at = p.last(k)
	}
	return d.Node(p.leads(n, i))
}

// leads adds to a node how many it leads to that are not drawn.
func (p *part) leads(n graph.Node, i int) graph.Node {
	if more := len(p.omitted[i]); more > 0 {
		n.Label += "\n  ... leads to " + phrase.Plural(more, p.noun) + " more"
	}
	return n
}

// name is what a node is called elsewhere.
func (p *Picture) name(i int) string {
	if n := p.nodes[i].Name; n != "" {
		return n
	}
	return strconv.Itoa(i)
}

// pieceLabel is the label of a node and those of its piece, behind others.
func (p *part) pieceLabel(i int, behind []int) string {
	label := p.text(i, behind) + p.others(i)
	piece := p.pieces[i]
	for at := 0; at < len(piece); at++ {
		if n := p.dull(piece[at:]); at >= shownOfPiece && n > 2*shownOfPiece {
			d := n - shownOfPiece
			at += d
			label += "\n  ... " + phrase.Plural(d, p.noun) + " more"
		}
		e := p.folded[piece[at]]
		if e.Label != "τ" && e.Label != "" {
			label += "\n  -- " + e.Label + " -->"
		}
		label += "\n" + p.text(e.To, []int{e.From}) + p.others(e.To)
	}
	return label
}

// shownOfPiece is how many nodes of a long piece are shown at either end, of those
// that nothing is performed between.
const shownOfPiece = 4

// dull is how many edges there are before the next action.
func (p *part) dull(piece []int) int {
	for i, k := range piece {
		if l := p.folded[k].Label; l != "τ" && l != "" {
			return i
		}
	}
	return len(piece)
}

// others says how many other nodes a node stands for.
func (p *part) others(i int) string {
	if p.merged[i] == 0 {
		return ""
	}
	return "\n  and " + phrase.Plural(p.merged[i], p.noun) + " more with the same successors"
}

// text is what stands in a node; behind others, only what is new against each.
func (p *Picture) text(i int, behind []int) string {
	if p.label == nil {
		return p.nodes[i].Label
	}
	return p.label(i, behind)
}

// shownLabels is how many actions of parallel transitions are drawn.
const shownLabels = 6

// merge makes one edge of those that differ in their label only, in the place of the first; until the
// context ends. Where there is an action too, a step that nobody sees is one of the labels.
func (p *part) merge(edges []graph.Edge) []graph.Edge {
	labels := map[graph.Edge][]string{}
	for _, e := range edges {
		e.Label = ""
		labels[e] = nil
	}
	var order []graph.Edge
	for i, e := range edges {
		if p.ended(i) {
			return nil
		}
		key := e
		key.Label = ""
		seen := key
		seen.Dashed = false
		if _, both := labels[seen]; both && e.Label == "τ" {
			key = seen
		}
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
