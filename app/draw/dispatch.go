package draw

// Rows of decisions as one node.
//
// Idea: a switch, or a chain of else if, is a row of decisions each of which leads on to the
// next one or out of the row. Drawn as they are, they go down a drawing diagonally and make it
// as wide as they are long. So a row is one node with all decisions below each other, and at
// the edges that leave it stands which decision takes them. Linear.

import "slices"

const (
	leastRow    = 3  // decisions in a row that is one node
	mostRow     = 12 // and at most
	mostOfTests = 3  // nodes of a piece that is a decision
)

// dispatch makes one node of rows of decisions. Those of the counterexample stay.
func (p *part) dispatch() {
	if p.decides == nil {
		return
	}
	out, in := make([][]int, len(p.nodes)), make([]int, len(p.nodes))
	for k, e := range p.edges {
		if p.keep[e.From] && p.keep[e.To] {
			out[e.From] = append(out[e.From], k)
			in[e.To]++
		}
	}
	next, follows := make([]int, len(p.nodes)), make([]bool, len(p.nodes))
	for i := range p.nodes {
		next[i] = -1
		if !p.decision(i) {
			continue
		}
		for _, k := range out[i] {
			to := p.edges[k].To
			if to != i && in[to] == 1 && !p.nodes[to].Start && p.decision(to) && (next[i] < 0 || p.edges[k].Label == "false") {
				next[i] = k
			}
		}
		if next[i] >= 0 {
			follows[p.edges[next[i]].To] = true
		}
	}
	p.rows = map[int][]int{}
	of, within := make([]int, len(p.nodes)), map[int]bool{}
	for i := range p.nodes {
		of[i] = -1
	}
	for i := range p.nodes {
		if !follows[i] && next[i] >= 0 {
			p.rowsFrom(i, next, of, within)
		}
	}
	var edges []int
	for k, e := range p.edges {
		if !within[k] {
			edges = append(edges, k)
		}
		if head := of[e.From]; head >= 0 {
			p.edges[k].From, p.edges[k].Label = head, p.name(p.last(e.From))+" "+e.Label
		}
	}
	for at, k := range edges {
		p.edges[at] = p.edges[k]
	}
	p.edges = p.edges[:len(edges)]
}

// decision reports whether a node is nothing but a decision.
func (p *part) decision(i int) bool {
	piece := p.pieces[i]
	return p.keep[i] && !p.nodes[i].Highlight && p.decides(p.last(i)) && len(piece) < mostOfTests &&
		p.dull(piece) == len(piece)
}

// rowsFrom takes a row that begins with a node apart into rows of the right length: of says for
// each node in one with which one its row begins, within which edges are in one.
func (p *part) rowsFrom(i int, next, of []int, within map[int]bool) {
	for i >= 0 {
		row, links := []int{i}, []int(nil)
		for len(row) < mostRow && next[i] >= 0 {
			links = append(links, next[i])
			i = p.edges[next[i]].To
			row = append(row, i)
		}
		if len(row) >= leastRow {
			for _, k := range links {
				within[k] = true
			}
			for _, n := range row {
				of[n], p.keep[n] = row[0], n == row[0]
			}
			p.rows[row[0]] = slices.Clone(row[1:])
		}
		if next[i] < 0 {
			return
		}
		i = p.edges[next[i]].To
	}
}
