package graph

// A layered drawing as SVG, without Graphviz.
//
// Idea: edges that lead back in a depth-first search are set apart; the others rank the
// nodes by longest paths. Within a rank nodes are ordered by the mean place of their
// neighbours in the rank before and then in the one behind, a few times. A node is as
// large as its text. Edges are curves from the bottom of a node to the top of another;
// those that lead up or stay in a rank leave and enter at the right.
//
// Source: the scheme of Sugiyama, Tagawa, Toda: Methods for Visual Understanding of
// Hierarchical System Structures, IEEE Trans. SMC 11(2) (1981). Deviation: there are no
// nodes in between on long edges, which are most of Graphviz's time on graphs with loops;
// so long edges may cross boxes. Cost: linear in nodes and edges, but for sorting ranks.

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
)

const (
	letter  = 7.2 // width of a letter
	line    = 15  // height of a line
	margin  = 8   // within a box
	between = 26  // boxes of a rank
	ranks   = 58  // between ranks
	sweeps  = 4
)

// placed is a node with its place.
type placed struct {
	rank       int
	x, y, w, h float64
	lines      []string
}

// SVG draws with a layout of our own.
func (d *Drawing) SVG() []byte {
	l := &layout{Drawing: d, at: make([]placed, len(d.nodes))}
	for i, n := range d.nodes {
		p := &l.at[i]
		p.lines = strings.Split(strings.TrimSuffix(n.Label, "\n"), "\n")
		for _, text := range p.lines {
			p.w = max(p.w, float64(len([]rune(text)))*letter+2*margin)
		}
		p.w, p.h = max(p.w, 24), float64(len(p.lines)*line+2*margin)
	}
	l.rank()
	l.order()
	l.place()
	return []byte(l.svg())
}

type layout struct {
	*Drawing
	at    []placed
	rows  [][]int
	back  []bool // by edge: it leads up or stays
	width float64
	high  float64
}

// rank gives each node the length of a longest path to it without edges that lead back.
func (l *layout) rank() {
	out := make([][]int, len(l.nodes))
	in := make([]int, len(l.nodes))
	for k, e := range l.edges {
		out[e.From] = append(out[e.From], k)
		in[e.To]++
	}
	var starts []int
	for i, n := range l.nodes {
		if n.Start || in[i] == 0 {
			starts = append(starts, i)
		}
	}
	for i := range l.nodes {
		starts = append(starts, i)
	}
	l.back = make([]bool, len(l.edges))
	state, post := make([]int8, len(l.nodes)), []int{}
	type visit struct{ at, next int }
	for _, s := range starts {
		if state[s] != 0 {
			continue
		}
		state[s] = 1
		for stack := []visit{{s, 0}}; len(stack) > 0; {
			v := &stack[len(stack)-1]
			if v.next == len(out[v.at]) {
				state[v.at] = 2
				post = append(post, v.at)
				stack = stack[:len(stack)-1]
				continue
			}
			k := out[v.at][v.next]
			v.next++
			switch to := l.edges[k].To; state[to] {
			case 0:
				state[to] = 1
				stack = append(stack, visit{to, 0})
			case 1:
				l.back[k] = true
			}
		}
	}
	for _, i := range slices.Backward(post) {
		for _, k := range out[i] {
			if to := l.edges[k].To; !l.back[k] {
				l.at[to].rank = max(l.at[to].rank, l.at[i].rank+1)
			}
		}
	}
	for i := range l.nodes {
		for len(l.rows) <= l.at[i].rank {
			l.rows = append(l.rows, nil)
		}
		l.rows[l.at[i].rank] = append(l.rows[l.at[i].rank], i)
	}
}

// order orders the ranks by the mean places of neighbours.
func (l *layout) order() {
	above, below := make([][]int, len(l.nodes)), make([][]int, len(l.nodes))
	for k, e := range l.edges {
		if !l.back[k] {
			above[e.To], below[e.From] = append(above[e.To], e.From), append(below[e.From], e.To)
		}
	}
	place := make([]float64, len(l.nodes))
	number := func(row []int) {
		for k, i := range row {
			place[i] = (float64(k) + 0.5) / float64(len(row))
		}
	}
	for _, row := range l.rows {
		number(row)
	}
	sweep := func(row []int, neighbours [][]int) {
		mean := map[int]float64{}
		for _, i := range row {
			mean[i] = place[i]
			if ns := neighbours[i]; len(ns) > 0 {
				sum := 0.0
				for _, n := range ns {
					sum += place[n]
				}
				mean[i] = sum / float64(len(ns))
			}
		}
		slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
		number(row)
	}
	for range sweeps {
		for _, row := range l.rows {
			sweep(row, above)
		}
		for _, row := range slices.Backward(l.rows) {
			sweep(row, below)
		}
	}
}

// place gives the nodes their places, each rank in the middle.
func (l *layout) place() {
	for _, row := range l.rows {
		w := 0.0
		for _, i := range row {
			w += l.at[i].w + between
		}
		l.width = max(l.width, w)
	}
	y := 2.0 * line
	for _, row := range l.rows {
		w, h := -float64(between), 0.0
		for _, i := range row {
			w, h = w+l.at[i].w+between, max(h, l.at[i].h)
		}
		x := (l.width - w) / 2
		for _, i := range row {
			l.at[i].x, l.at[i].y = x, y
			x += l.at[i].w + between
		}
		y += h + ranks
	}
	l.high = y
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder has no errors
	return b.String()
}

// svg writes it.
func (l *layout) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" font-family="monospace" font-size="12">`+"\n", l.width+120, l.high)
	b.WriteString(`<defs><marker id="a" markerWidth="9" markerHeight="7" refX="8" refY="3.5" orient="auto"><path d="M0 0L9 3.5L0 7z"/></marker></defs>` + "\n")
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="8" y="16">%s</text>`+"\n", escaped(l.name))
	for k, e := range l.edges {
		l.edge(&b, k, e)
	}
	for i, n := range l.nodes {
		l.node(&b, l.at[i], n)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func colour(red bool) (stroke, width string) {
	if red {
		return "red", "2"
	}
	return "black", "1"
}

func (l *layout) node(b *strings.Builder, p placed, n Node) {
	stroke, width := colour(n.Highlight)
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4" fill="white" stroke="%s" stroke-width="%s"/>`+"\n", p.x, p.y, p.w, p.h, stroke, width)
	if n.Double {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="3" fill="none" stroke="%s"/>`+"\n", p.x+3, p.y+3, p.w-6, p.h-6, stroke)
	}
	if n.Start {
		fmt.Fprintf(b, `<path d="M%.1f %.1fv16" stroke="black" marker-end="url(#a)"/><circle cx="%.1f" cy="%.1f" r="3"/>`+"\n", p.x+p.w/2, p.y-16, p.x+p.w/2, p.y-18)
	}
	for k, text := range p.lines {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" xml:space="preserve">%s</text>`+"\n", p.x+margin, p.y+float64((k+1)*line)+margin-4, escaped(text))
	}
}

func (l *layout) edge(b *strings.Builder, k int, e Edge) {
	from, to := l.at[e.From], l.at[e.To]
	stroke, width := colour(e.Highlight)
	dash := ""
	if e.Dashed {
		dash = ` stroke-dasharray="5 4"`
	}
	x1, y1, x2, y2 := from.x+from.w/2, from.y+from.h, to.x+to.w/2, to.y
	path, lx, ly := "", (x1+x2)/2+4, (y1+y2)/2
	if l.back[k] || to.rank <= from.rank {
		x1, y1, x2, y2 = from.x+from.w, from.y+from.h/2, to.x+to.w, to.y+to.h/2+4
		side := max(x1, x2) + 40
		path, lx, ly = fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, side, y1, side, y2, x2, y2), side-26, (y1+y2)/2
	} else {
		bend := min(60, (y2-y1)/2)
		path = fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, x1, y1+bend, x2, y2-bend, x2, y2)
	}
	fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="%s"%s marker-end="url(#a)"/>`+"\n", path, stroke, width, dash)
	if e.Label == "" || e.Label == "τ" {
		return
	}
	for n, text := range strings.Split(strings.TrimSuffix(e.Label, "\n"), "\n") {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="11" fill="%s">%s</text>`+"\n", lx, ly+float64(n*12), stroke, escaped(text))
	}
}
