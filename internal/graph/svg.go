package graph

// Drawings as SVG, without Graphviz: package layered says where everything is, here
// is how it looks. A box is as large as its text in a font of letters of equal width.

import (
	"context"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"

	"magus/internal/layered"
)

const (
	letter      = 7.3 // width of a letter
	smallLetter = 6.7 // of one at an edge
	line        = 15  // height of a line
	smallLine   = 13
	margin      = 8 // within a box
	titleHeight = 26
	leastWidth  = 26
	sheetStep   = 4
	startRoom   = 18 // above a box with an arrow from nowhere
	pageWidth   = 1400
	pageHeight  = 2700 // of what still fits: what can be read with the whole width of a page in sight
	mostWidth   = 2300
)

// SVG draws with a layout of our own. The error is the context's.
func (d *Drawing) SVG(ctx context.Context) ([]byte, error) {
	l, boxes, err := d.layout(ctx)
	if err != nil {
		return nil, err
	}
	p := &picture{Drawing: d, layout: l, boxes: boxes}
	if err := p.write(ctx); err != nil {
		return nil, err
	}
	return []byte(p.out.String()), nil
}

// Fits reports whether SVG would be no larger than a page.
func (d *Drawing) Fits(ctx context.Context) (bool, error) {
	l, _, err := d.layout(ctx)
	return err == nil && l.H <= pageHeight && l.W <= mostWidth, err
}

// layout says where everything is.
func (d *Drawing) layout(ctx context.Context) (*layered.Drawing, []layered.Box, error) {
	boxes, edges := make([]layered.Box, len(d.nodes)), make([]layered.Edge, len(d.edges))
	for i, n := range d.nodes {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		w, h := extent(n.Label, letter, line)
		boxes[i] = layered.Box{W: max(leastWidth, w+2*margin), H: h + 2*margin - 4, Root: n.Start}
	}
	if d.lanes != nil {
		return d.laneLayout(boxes), boxes, nil
	}
	for k, e := range d.edges {
		if k%lookEvery == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		edges[k] = layered.Edge{From: e.From, To: e.To}
		if hasText(e) {
			edges[k].W, edges[k].H = extent(e.Label, smallLetter, smallLine)
		}
	}
	l, err := layered.Layout(ctx, boxes, edges, pageWidth)
	return l, boxes, err
}

// hasText reports whether an edge has a label that is drawn. τ is seen by the dashes.
func hasText(e Edge) bool { return e.Label != "" && e.Label != "τ" }

// lines are those of a label.
func lines(label string) []string { return strings.Split(strings.TrimSuffix(label, "\n"), "\n") }

// extent is the size of a text.
func extent(text string, letter, line float64) (w, h float64) {
	all := lines(text)
	for _, l := range all {
		w = max(w, float64(utf8.RuneCountInString(l))*letter)
	}
	return w, float64(len(all)) * line
}

// A picture is the text of a drawing with its layout.
type picture struct {
	*Drawing
	out    strings.Builder
	layout *layered.Drawing
	boxes  []layered.Box
}

func (p *picture) printf(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

func (p *picture) write(ctx context.Context) error {
	title := p.title()
	top, wide := 0.0, 0.0
	if p.name != "" {
		top = titleHeight + float64(len(title)-1)*line
	}
	for _, t := range title {
		wide = max(wide, float64(utf8.RuneCountInString(t)+2)*letter)
	}
	w := max(p.layout.W, wide)
	if p.cornerIsFree(wide, top) {
		top = 0
	}
	h := p.layout.H + top
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f `+
		`%.0f" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="12">`+"\n", w, h, w, h)
	p.printf(`<defs>%s%s</defs>`+"\n", marker("a", "black"), marker("r", "red"))
	p.printf(`<rect width="100%%" height="100%%" fill="white"/>` + "\n")
	if p.name != "" {
		p.printf("<title>%s</title>", escaped(p.name))
		for i, t := range title {
			p.printf(`<text x="8" y="%d" font-weight="bold">%s</text>`+"\n", 17+i*line, escaped(t))
		}
	}
	p.printf(`<g transform="translate(0 %.0f)">`+"\n", top)
	p.laneHeads()
	for _, red := range []bool{false, true} { // the red ones above the others
		for k, e := range p.edges {
			if k%lookEvery == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if e.Highlight == red {
				p.edge(e, p.layout.Routes[k])
			}
		}
	}
	for k, e := range p.edges {
		if p.lanes != nil { // where lines may lead over labels
			p.label(e, p.layout.Routes[k], ` paint-order="stroke" stroke="white" stroke-width="4"`)
		}
	}
	for i, n := range p.nodes {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.node(n, p.layout.Corners[i], p.boxes[i])
	}
	p.out.WriteString("</g>\n</svg>\n")
	return nil
}

// title is the name in lines that are no wider than the drawing, where its words allow that.
func (p *picture) title() (all []string) {
	for _, word := range strings.Fields(p.name) {
		if n := len(all); n > 0 {
			if with := all[n-1] + " " + word; float64(utf8.RuneCountInString(with)+2)*letter <= p.layout.W {
				all[n-1] = with
				continue
			}
		}
		all = append(all, word)
	}
	return all
}

// cornerIsFree reports whether nothing is drawn in the upper left corner, so that a title of this size may stand there.
func (p *picture) cornerIsFree(w, h float64) bool {
	if p.lanes != nil {
		return false
	}
	in := func(at layered.Point) bool { return at.X < w+margin && at.Y < h }
	for i, at := range p.layout.Corners {
		if in(at) || p.nodes[i].Start && at.Y-startRoom < h && at.X+p.boxes[i].W/2 < w+margin {
			return false
		}
	}
	for k, r := range p.layout.Routes {
		if hasText(p.edges[k]) && in(r.Label) {
			return false
		}
		for i := 1; i < len(r.Points); i++ { // a line stays within the rectangle of its ends
			a, b := r.Points[i-1], r.Points[i]
			if in(layered.Point{X: min(a.X, b.X), Y: min(a.Y, b.Y)}) {
				return false
			}
		}
	}
	return true
}

// marker is the head of an arrow.
func marker(id, colour string) string {
	return fmt.Sprintf(`<marker id="%s" markerWidth="9" markerHeight="7" refX="8.5" refY="3.5" `+
		`orient="auto" markerUnits="userSpaceOnUse"><path d="M0 0L9 3.5L0 7z" fill="%s"/></marker>`, id, colour)
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder has no errors
	return b.String()
}

// look is how lines are drawn.
func look(red bool) string {
	if red {
		return `stroke="red" stroke-width="2"`
	}
	return `stroke="black"`
}

func (p *picture) node(n Node, at layered.Point, b layered.Box) {
	if n.Folded { // one sheet on another
		p.printf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4" fill="#d8dee6" %s/>`+"\n",
			at.X+sheetStep, at.Y+sheetStep, b.W-sheetStep, b.H-sheetStep, look(n.Highlight))
		p.outline(n, at, layered.Box{W: b.W - sheetStep, H: b.H - sheetStep}, 0, "#eef2f7")
	} else {
		p.outline(n, at, b, 0, "white")
	}
	if n.Double {
		p.outline(n, at, b, 3, "none")
	}
	if n.Start {
		x := at.X + b.W/2
		p.printf(
			`<circle cx="%.1f" cy="%.1f" r="3"/><path d="M%.1f %.1fV%.1f" stroke="black" marker-end="url(#a)"/>`+
				"\n", x, at.Y-15, x, at.Y-15, at.Y)
	}
	for k, text := range lines(n.Label) {
		p.printf(`<text x="%.1f" y="%.1f" xml:space="preserve">%s</text>`+"\n", at.X+margin, at.Y+margin+
			float64(k*line)+9, escaped(text))
	}
}

// outline draws the border of a node: a box with round ends for one line, one with
// corners for an ERROR state.
func (p *picture) outline(n Node, at layered.Point, b layered.Box, in float64, fill string) {
	x, y, w, h := at.X+in, at.Y+in, b.W-2*in, b.H-2*in
	if n.Shape == "octagon" {
		const c = 7
		p.printf(`<path d="M%.1f %.1fh%.1fl%d %dv%.1fl-%d %dh-%.1fl-%d -%dv-%.1fz" fill="%s" %s/>`+"\n",
			x+c, y, w-2*c, c, c, h-2*c, c, c, w-2*c, c, c, h-2*c, fill, look(n.Highlight))
		return
	}
	round := 4.0
	if n.Shape == "" && !strings.Contains(n.Label, "\n") {
		round = h / 2
	}
	p.printf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f" fill="%s" %s/>`+"\n", x, y, w, h,
		round, fill, look(n.Highlight))
}

func (p *picture) edge(e Edge, r layered.Route) {
	dash, head := "", "a"
	if e.Dashed {
		dash = ` stroke-dasharray="5 4"`
	}
	if e.Highlight {
		head = "r"
	}
	path := r.Path
	if p.lanes != nil {
		path = func() string { return lanePath(r) }
	}
	p.printf(`<path d="%s" fill="none" %s%s marker-end="url(#%s)"/>`+"\n", path(), look(e.Highlight), dash, head)
	if p.lanes == nil {
		p.label(e, r, "")
	}
}

// label writes the text of an edge, with more attributes.
func (p *picture) label(e Edge, r layered.Route, more string) {
	if !hasText(e) {
		return
	}
	colour := more
	if e.Highlight {
		colour += ` fill="red"`
	}
	for k, text := range lines(e.Label) {
		p.printf(`<text x="%.1f" y="%.1f" font-size="11"%s xml:space="preserve">%s</text>`+"\n", r.Label.X,
			r.Label.Y+float64(k*smallLine)+10, colour, escaped(text))
	}
}
