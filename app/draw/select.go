package draw

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/internal/graph"
)

// A Selection says how much of a picture is drawn. The zero value with a limit
// draws everything up to the limit.
type Selection struct {
	All       bool // draw all nodes, whatever the limit
	Unfold    bool // draw each node for itself; else straight pieces are one, and nodes that only pass τ on are left out
	TraceOnly bool // draw the counterexample only
	Around    *Around
	Open      []int // folded parts that are opened, each in the one before
	Limit     int   // nodes drawn at most: with more of them, parts are folded
	Layout    Layout
}

// A Layout is who lays out SVG.
type Layout string

// The layouts.
const (
	Own Layout = "own" // magus; so is ""
	Dot Layout = "dot" // Graphviz
)

// ParseLayout reads a layout.
func ParseLayout(text string) (Layout, error) {
	if l := Layout(text); l == Own || l == Dot {
		return l, nil
	}
	return "", fmt.Errorf("--layout is own or dot, not %q", text)
}

// DefaultLimit is how many nodes a drawing has at most, unless all are asked
// for: what fits on a page.
const DefaultLimit = 40

// An Around is what is at most Depth transitions from a node, in any direction.
type Around struct{ Node, Depth int }

var errAround = errors.New("--around needs a node and a depth, two numbers")

// ParseAround reads an Around from its two numbers.
func ParseAround(node, depth string) (*Around, error) {
	n, errNode := strconv.Atoi(node)
	d, errDepth := strconv.Atoi(depth)
	if errNode != nil || errDepth != nil || n < 0 || d < 0 {
		return nil, errAround
	}
	return &Around{n, d}, nil
}

// ParseOpen adds the number of a folded part to those that are opened.
func ParseOpen(before []int, number string) ([]int, error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return nil, errors.New("--open needs the number of a folded part")
	}
	return append(before, n), nil
}

// MostDrawn is how many nodes a picture for people has at most.
const MostDrawn = 500

// TooLarge is an error for a drawing that nobody can read as a picture. As text for other programs it
// may have any size.
func TooLarge(d *graph.Drawing) error {
	nodes, _ := d.Parts()
	if len(nodes) <= MostDrawn {
		return nil
	}
	return fmt.Errorf("%d boxes: nobody can read such a picture, and more than %d are not laid out; without "+
		"--all it is an overview, of which --open N shows a part, and FILE.dot has all of them", len(nodes), MostDrawn)
}

// A part is a picture with the nodes that are kept.
type part struct {
	*Picture
	edges []graph.Edge
	keep  []bool // by node
	// pieces are, by their first node, the edges within straight pieces, as numbers of
	// folded.
	pieces map[int][]int
	merged map[int]int   // by node: how many others it stands for
	rows   map[int][]int // by the first node of a row of decisions: the others
	// omitted are, by node, those it leads to that are not drawn.
	omitted []map[int]bool
	folded  []graph.Edge
	folds   map[int]folding // by the node that stands for it
	looping map[int]bool    // a part that leads back to its entry
	ctx     context.Context
}

// ended reports, of each step number lookEvery, whether the context has ended. What is unfinished then is thrown away.
func (p *part) ended(step int) bool { return step%lookEvery == 0 && p.ctx.Err() != nil }

// unite makes one node of those of one kind that go to the same nodes by the same
// labels, until there are none any more. The counterexample's nodes stay.
func (p *part) unite() {
	if p.kind == nil {
		return
	}
	p.merged = map[int]int{}
	for {
		out := make([][]string, len(p.nodes))
		for i, e := range p.edges {
			if p.ended(i) {
				return
			}
			if p.keep[e.From] && p.keep[e.To] {
				out[e.From] = append(out[e.From], fmt.Sprintf("%d %s", e.To, e.Label))
			}
		}
		first, representative := map[string]int{}, make([]int, len(p.nodes))
		united := false
		for i := range p.nodes {
			if p.ended(i) {
				return
			}
			representative[i] = i
			if !p.keep[i] || p.nodes[i].Highlight || p.nodes[i].Start || len(out[i]) == 0 {
				continue
			}
			slices.Sort(out[i])
			key := p.kind(i) + "\n" + strings.Join(slices.Compact(out[i]), "\n")
			if k, met := first[key]; met {
				representative[i], p.keep[i], united = k, false, true
				p.merged[k] += 1 + p.merged[i]
			} else {
				first[key] = i
			}
		}
		if !united {
			return
		}
		met := map[graph.Edge]bool{}
		var edges []graph.Edge
		for i, e := range p.edges {
			if p.ended(i) {
				return
			}
			e.From, e.To = representative[e.From], representative[e.To]
			if !met[e] {
				met[e] = true
				edges = append(edges, e)
			}
		}
		p.edges = edges
	}
}

// fold makes one node of straight pieces: of nodes of which each has one successor, and
// that has no other predecessor. The first one stands for all. The counterexample's
// part of a piece is one of its own.
func (p *part) fold() {
	type degree struct{ in, out, edge int }
	degrees := make([]degree, len(p.nodes))
	for k, e := range p.edges {
		if p.keep[e.From] && p.keep[e.To] {
			degrees[e.From].out, degrees[e.From].edge = degrees[e.From].out+1, k
			degrees[e.To].in++
		}
	}
	next := make([]int, len(p.nodes)) // the edge to the rest of the piece, -1 at its end
	first := make([]bool, len(p.nodes))
	for i := range p.nodes {
		next[i], first[i] = -1, p.keep[i]
	}
	for i, d := range degrees {
		if !p.keep[i] || d.out != 1 {
			continue
		}
		e := p.edges[d.edge]
		to := &p.nodes[e.To]
		if degrees[e.To].in == 1 && e.To != i && !to.Start && !to.Double && to.Shape == "" &&
			p.nodes[i].Highlight == to.Highlight && e.Highlight == to.Highlight {
			next[i], first[e.To] = d.edge, false
		}
	}
	p.pieces = map[int][]int{}
	last := make([]int, len(p.nodes)) // by node: the piece that ends there
	for i := range p.nodes {
		last[i] = -1
	}
	piece := func(i int) {
		at := i
		for next[at] >= 0 && p.edges[next[at]].To != i {
			p.pieces[i] = append(p.pieces[i], next[at])
			at = p.edges[next[at]].To
			p.keep[at] = false
		}
		last[at] = i
	}
	for i := range p.nodes {
		if first[i] {
			piece(i)
		}
	}
	for i := range p.nodes { // what is left are cycles that nothing leads to
		if p.keep[i] && !first[i] {
			piece(i)
		}
	}
	var edges []graph.Edge
	p.folded = p.edges
	for _, e := range p.edges {
		if from := last[e.From]; from >= 0 && (p.keep[e.To]) {
			e.From = from
			edges = append(edges, e)
		}
	}
	p.edges = edges
}

// size is how many nodes are kept.
func (p *part) size() (n int) {
	for _, k := range p.keep {
		if k {
			n++
		}
	}
	return n
}

// collapse takes out nodes that only pass on: their predecessors lead to where
// they lead. A cycle of such nodes keeps one.
func (p *part) collapse() {
	target, met := p.targets(), map[graph.Edge]bool{}
	for i, to := range target {
		if to != i {
			p.keep[i] = false
		}
	}
	var edges []graph.Edge
	for i, e := range p.edges {
		if p.ended(i) {
			return
		}
		if !p.keep[e.From] {
			continue
		}
		e.To = target[e.To]
		if !met[e] {
			met[e] = true
			edges = append(edges, e)
		}
	}
	p.edges = edges
}

// targets gives for each node where it leads if nodes that only pass on are
// passed: itself if it is not one of them. The counterexample's last node is
// kept, so that its end shows.
func (p *part) targets() []int {
	next := make([]int, len(p.nodes)) // -1: the node stays
	goesOn := make([]bool, len(p.nodes))
	for i := range next {
		next[i] = -1
	}
	for _, e := range p.edges {
		goesOn[e.From] = goesOn[e.From] || e.Highlight
	}
	for _, e := range p.edges {
		if p.passes[e.From] && p.keep[e.From] && (goesOn[e.From] || !p.nodes[e.From].Highlight) {
			next[e.From] = e.To
		}
	}
	breakCycles(next)
	target := make([]int, len(p.nodes)) // -1: not known yet
	for i := range target {
		target[i] = -1
	}
	var way []int
	for i := range target {
		at := i
		for way = way[:0]; target[at] < 0 && next[at] >= 0; at = next[at] {
			way = append(way, at)
		}
		if target[at] < 0 {
			target[at] = at
		}
		for _, k := range way {
			target[k] = target[at]
		}
	}
	return target
}

// breakCycles lets one node of every cycle stay.
func breakCycles(next []int) {
	seen := make([]int, len(next)) // in which walk, from 1
	for i := range next {
		for k := i; next[k] >= 0; k = next[k] {
			if seen[k] == i+1 {
				next[k] = -1
				break
			}
			if seen[k] != 0 { // walked before: there is no cycle any more
				break
			}
			seen[k] = i + 1
		}
	}
}

// around keeps what is near a node.
func (p *part) around(a Around) {
	distance := p.distances([]int{a.Node}, true)
	for i := range p.keep {
		p.keep[i] = p.keep[i] && distance[i] >= 0 && distance[i] <= a.Depth
	}
}

// only keeps what is inside a part.
func (p *part) only(inside []int) {
	keep := make([]bool, len(p.keep))
	for _, i := range inside {
		keep[i] = p.keep[i]
	}
	p.keep = keep
}

// distances are those from some nodes, along the edges or in both directions;
// -1 where there is no way.
func (p *part) distances(from []int, both bool) []int {
	adjacent := make([][]int, len(p.nodes))
	for _, e := range p.edges {
		adjacent[e.From] = append(adjacent[e.From], e.To)
		if both {
			adjacent[e.To] = append(adjacent[e.To], e.From)
		}
	}
	distance := make([]int, len(p.nodes))
	for i := range distance {
		distance[i] = -1
	}
	for _, i := range from {
		distance[i] = 0
	}
	for queue := from; len(queue) > 0; queue = queue[1:] {
		for _, k := range adjacent[queue[0]] {
			if distance[k] < 0 {
				distance[k] = distance[queue[0]] + 1
				queue = append(queue, k)
			}
		}
	}
	return distance
}
