package page

// Drawings that keep their places from phase to phase.
//
// Idea: a drawing has one version for each phase that changed it. The boxes of all
// versions, of which those with the same text are one, and all edges between them are
// laid out once; a version is drawn with the places that its boxes have there. So what
// stays does not move, and what is new or gone is seen. Boxes, their lines of text, and edges
// are written once, with the phases that show them.
// Where versions have little in common, each has a layout of its own.
//
// Cost: that of the layout, which is linear, and of the text of the versions.

import (
	"context"
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"

	"magus/app/draw"
	"magus/engine/cegar"
	"magus/internal/graph"
	"magus/internal/layered"
	"magus/lts"
)

// A figure is one drawing in all its versions.
type figure struct {
	ID, Title string
	Sheets    []sheet
	Parts     []opened // what is in folded parts
	Note      string   // what was left out
}

// A sheet has the versions that share a layout; From and To are their phases.
type sheet struct {
	From, To int
	SVG      template.HTML
	Packed   int // which of the packed drawings it is, from 1; 0: it is in SVG
	Notes    []note
}

// A note says what a version leaves out.
type note struct {
	From, To int
	Text     string
}

// drawn is a drawing of one version before it is laid out.
type drawn struct {
	from, to int
	note     string
	within   []int // the folded parts around it
	nodes    []graph.Node
	edges    []graph.Edge
}

// sheetWidth is that of a drawing which is read without moving it.
const sheetWidth = 1200

// fewTogether is how many boxes versions may have together in any case, if they share a layout.
const fewTogether = 40

// figures are the drawings of a claim: of each component automaton, MP and MA, and the
// specification.
func (s Settings) figures(ctx context.Context, claim int, h *Past) (all []figure, err error) {
	if len(h.phases) == 0 || s.Undrawn {
		return nil, nil
	}
	last := &h.phases[len(h.phases)-1].view
	add := func(title string, of func(*cegar.View) (*draw.Picture, any)) error {
		f, err := s.figure(ctx, h, title, of)
		if err == nil && len(f.Sheets) > 0 {
			f.ID = fmt.Sprintf("c%d-f%d", claim, len(all)+1)
			all = append(all, f)
		}
		return err
	}
	for i, c := range last.Components {
		component := func(v *cegar.View) (cegar.ComponentView, bool) {
			if i >= len(v.Components) {
				return cegar.ComponentView{}, false
			}
			return v.Components[i], true
		}
		for _, kind := range []struct {
			title string
			of    func(*cegar.View, cegar.ComponentView) (*draw.Picture, any)
		}{
			{"automaton of " + c.Name, func(v *cegar.View, c cegar.ComponentView) (*draw.Picture, any) {
				return draw.Automaton(c, s.Sources), [2]any{c.CFA, fmt.Sprint(c.Chosen, c.Path)}
			}},
			{"MP of " + c.Name, func(v *cegar.View, c cegar.ComponentView) (*draw.Picture, any) {
				if c.MP == nil {
					return nil, nil
				}
				return draw.States(c, v.Counterexample(), s.Sources), [2]any{c.MP, fmt.Sprint(c.Path, v.Counterexample())}
			}},
			{"MA of " + c.Name, func(v *cegar.View, c cegar.ComponentView) (*draw.Picture, any) {
				if c.MA == nil {
					return nil, nil
				}
				return draw.Blocks(c, v.Counterexample(), s.Sources), [2]any{c.MA, fmt.Sprint(v.Counterexample())}
			}},
		} {
			err := add(kind.title, func(v *cegar.View) (*draw.Picture, any) {
				if c, ok := component(v); ok {
					return kind.of(v, c)
				}
				return nil, nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	err = add("specification", func(v *cegar.View) (*draw.Picture, any) {
		if v.Spec == nil {
			return nil, nil
		}
		trace := lts.Project(v.Counterexample(), v.Spec.Alphabet())
		return draw.LTS("specification", v.Spec, draw.Path(v.Spec, trace)), [2]any{v.Spec, fmt.Sprint(trace)}
	})
	return all, err
}

// figure draws what of gives for each phase. Phases with the same key have the same
// version; a phase with nothing shows what the phase before did.
func (s Settings) figure(ctx context.Context, h *Past, title string,
	of func(*cegar.View) (*draw.Picture, any)) (figure, error) {
	f := figure{Title: title}
	var all []drawn
	var before any
	var last *draw.Picture
	for i := range h.phases {
		t := &h.phases[i]
		p, key := of(&t.view)
		if p == nil || key == before {
			if len(all) > 0 {
				all[len(all)-1].to = t.number
			}
			continue
		}
		if len(all) == maxDrawn {
			f.Note = fmt.Sprintf("drawn up to phase %d, and at the end", all[len(all)-2].to)
			all = all[:len(all)-1] // the last one is always there
		}
		before = key
		d, note, err := p.Drawing(ctx, draw.Selection{Limit: maxBoxes})
		if err != nil {
			return f, err
		}
		note, _, _ = strings.Cut(note, ";") // what follows is for a command line
		if note != "" {
			note += "; a click on a part opens it"
		}
		one := drawn{from: t.number, to: t.number, note: note}
		one.nodes, one.edges = d.Parts()
		all, last = append(all, one), p
	}
	var err error
	if f.Sheets, err = layOut(ctx, title, all); err == nil && last != nil {
		f.Parts, err = s.open(ctx, title, last, all[len(all)-1].nodes)
	}
	return f, err
}

// layOut draws the versions. Those that follow each other share a layout as long as most of what is laid
// out is seen in each.
func layOut(ctx context.Context, title string, all []drawn) ([]sheet, error) {
	var sheets []sheet
	for len(all) > 0 {
		n := 1
		for n < len(all) && together(all[:n+1]) {
			n++
		}
		one, err := sheetOf(ctx, title, all[:n])
		if err != nil {
			return nil, err
		}
		sheets, all = append(sheets, one), all[n:]
	}
	return sheets, nil
}

// together reports whether versions are alike enough to share a layout.
func together(all []drawn) bool {
	largest := 0
	for i := range all {
		largest = max(largest, len(all[i].nodes))
	}
	return len(unite(all).boxes) <= max(fewTogether, largest*3/2)
}

// sheetOf draws versions with one layout.
func sheetOf(ctx context.Context, title string, all []drawn) (sheet, error) {
	u := unite(all)
	l, err := layered.Layout(ctx, u.boxes, u.edges, sheetWidth)
	if err != nil {
		return sheet{}, err
	}
	p := &pieces{layout: l, boxed: u.boxes, of: map[string]*piece{}}
	one := sheet{From: all[0].from, To: all[len(all)-1].to}
	for k := range all {
		d := &all[k]
		p.add(d, u.nodeAt[k], u.edgeAt[k])
		if d.note != "" {
			one.Notes = append(one.Notes, note{d.from, d.to, d.note})
		}
	}
	one.SVG = p.svg(title, span{one.From, one.To})
	return one, nil
}

// union is the graph of all versions.
type union struct {
	boxes          []layered.Box
	edges          []layered.Edge
	nodeAt, edgeAt [][]int // of each version: where its nodes and edges are
}

// The size of text in pixels, and the space around it in a box.
const (
	letter = 6.7
	line   = 14
	inner  = 6
)

// unite makes one graph of all versions. Nodes of different versions are one if they
// stand at the same place of the program; of several that do in one version, the first is
// one with the first of another version, and so on.
func unite(all []drawn) *union {
	u := &union{}
	boxOf, edgeOf := map[string]int{}, map[[2]int]int{}
	for _, d := range all {
		nodes, used := make([]int, len(d.nodes)), map[string]int{}
		for i, n := range d.nodes {
			name := nameOf(n)
			used[name]++
			key := fmt.Sprintf("%s\x00%d", name, used[name])
			at, ok := boxOf[key]
			if !ok {
				at = len(u.boxes)
				boxOf[key] = at
				u.boxes = append(u.boxes, layered.Box{W: 24, H: 22})
			}
			nodes[i] = at
			b := &u.boxes[at]
			w, h := extent(n.Label)
			b.W, b.H, b.Root = max(b.W, w+2*inner), max(b.H, h+2*inner), b.Root || n.Start
		}
		edges := make([]int, len(d.edges))
		for i, e := range d.edges {
			ends := [2]int{nodes[e.From], nodes[e.To]}
			at, ok := edgeOf[ends]
			if !ok {
				at = len(u.edges)
				edgeOf[ends] = at
				u.edges = append(u.edges, layered.Edge{From: ends[0], To: ends[1]})
			}
			edges[i] = at
			if w, h := extent(labelOf(e)); labelOf(e) != "" {
				u.edges[at].W, u.edges[at].H = max(u.edges[at].W, w), max(u.edges[at].H, h)
			}
		}
		u.nodeAt, u.edgeAt = append(u.nodeAt, nodes), append(u.edgeAt, edges)
	}
	return u
}

// nameOf is the place of a node: the first line of its text without the number in front,
// which states have from the order in which they were found.
func nameOf(n graph.Node) string {
	first, _, _ := strings.Cut(n.Label, "\n")
	if _, begins, ok := strings.Cut(n.Label, "\n  begins with "); ok && n.Folded {
		return "part" + strings.TrimLeft(begins, "0123456789")
	}
	if rest := strings.TrimLeft(first, "0123456789"); rest != "" {
		return rest
	}
	return first
}

// labelOf is the label of an edge that is drawn.
func labelOf(e graph.Edge) string {
	if e.Label == "τ" {
		return ""
	}
	return e.Label
}

// extent is the size of a text.
func extent(text string) (w, h float64) {
	lines := linesOf(text)
	for _, l := range lines {
		w = max(w, float64(len([]rune(l)))*letter)
	}
	return w, float64(len(lines)) * line
}

func linesOf(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// pieces are what a sheet is made of. Each is written once, with the phases that show it and those
// in which it is the counterexample's; of a box, so is each line of its text.
type pieces struct {
	layout       *layered.Drawing
	boxed        []layered.Box
	edges, boxes []*piece // edges lie below boxes
	of           map[string]*piece
}

// piece is an element that some phases show.
type piece struct {
	tag, class, rest string // its tag, class and other attributes
	inside           string
	shown, hot       []span
	lines            []*piece
}

// span are phases from one to another.
type span struct{ from, to int }

// during adds the phases of a version.
func during(spans []span, d *drawn) []span {
	if n := len(spans); n > 0 && spans[n-1].to+1 >= d.from {
		spans[n-1].to = d.to
		return spans
	}
	return append(spans, span{d.from, d.to})
}

// put adds a piece that a version shows to a list, unless it is there.
func (p *pieces) put(list *[]*piece, d *drawn, hot bool, key string, make func() *piece) *piece {
	one := p.of[key]
	if one == nil {
		one = make()
		p.of[key] = one
		*list = append(*list, one)
	}
	one.shown = during(one.shown, d)
	if hot {
		one.hot = during(one.hot, d)
	}
	return one
}

// write puts lines of text into a piece.
func (p *pieces) write(into *piece, key string, d *drawn, x, y float64, text string) {
	for k, l := range linesOf(text) {
		p.put(&into.lines, d, false, fmt.Sprintf("%s line %d %s", key, k, l), func() *piece {
			return &piece{tag: "text", rest: fmt.Sprintf(` x="%.0f" y="%.0f"`, x, y+float64(k)*line),
				inside: html.EscapeString(l)}
		})
	}
}

// add adds the pieces of a version, whose nodes and edges are those of the layout with
// these numbers.
func (p *pieces) add(d *drawn, nodeAt, edgeAt []int) {
	labels := map[int][]string{}
	var labelled []int
	for i, e := range d.edges {
		k := edgeAt[i]
		class := "edge"
		if e.Dashed {
			class += " dashed"
		}
		p.put(&p.edges, d, e.Highlight, fmt.Sprint(class, k), func() *piece {
			return &piece{tag: "g", class: class, inside: edgePaths(p.layout.Routes[k])}
		})
		if text := labelOf(e); text != "" && !slices.Contains(labels[k], text) {
			if labels[k] == nil {
				labelled = append(labelled, k)
			}
			labels[k] = append(labels[k], text)
		}
	}
	for _, k := range labelled {
		key := fmt.Sprint("label", k)
		into := p.put(&p.boxes, d, false, key, func() *piece { return &piece{tag: "g", class: "label"} })
		at := p.layout.Routes[k].Label
		p.write(into, key, d, at.X, at.Y+line-3, strings.Join(labels[k], "\n"))
	}
	for i, n := range d.nodes {
		at, box := p.layout.Corners[nodeAt[i]], p.boxed[nodeAt[i]]
		key := fmt.Sprint("node", nodeAt[i], n.Double, n.Start, n.Folded, lineOf(n))
		into := p.put(&p.boxes, d, n.Highlight, key, func() *piece {
			one := &piece{tag: "g", class: "node", inside: outline(n, at, box)}
			if n.Folded {
				one.class += " folded"
				one.rest = fmt.Sprintf(` data-part="%s"`, keyOf(d.within, n.Name))
			}
			if l := lineOf(n); l != "" {
				one.rest += ` data-line="` + l + `"`
			}
			return one
		})
		p.write(into, key, d, at.X+inner, at.Y+inner+line-4, n.Label)
	}
}

// svg is the drawing of all pieces, as the last of so many phases has it.
func (p *pieces) svg(title string, phases span) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" `+
		`height="%.0f" role="img" aria-label="%s">`,
		p.layout.W, p.layout.H, p.layout.W, p.layout.H, html.EscapeString(title))
	for _, one := range append(p.edges, p.boxes...) {
		one.print(&b, []span{phases}, phases.to)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// print prints a piece within another one that is shown at some phases, as it is at one of them.
func (p *piece) print(b *strings.Builder, within []span, at int) {
	class := p.class
	has := func(spans []span) bool {
		return slices.ContainsFunc(spans, func(s span) bool { return s.from <= at && at <= s.to })
	}
	if has(p.hot) {
		class += " hot"
	}
	if !has(p.shown) && has(within) {
		class += " gone"
	}
	b.WriteString("<" + p.tag)
	if class != "" {
		fmt.Fprintf(b, ` class="%s"`, strings.TrimSpace(class))
	}
	if !slices.Equal(p.shown, within) {
		fmt.Fprintf(b, ` data-phases="%s"`, spansText(p.shown))
	}
	if len(p.hot) > 0 {
		fmt.Fprintf(b, ` data-hot="%s"`, spansText(p.hot))
	}
	b.WriteString(p.rest + ">" + p.inside)
	for _, l := range p.lines {
		l.print(b, p.shown, at)
	}
	b.WriteString("</" + p.tag + ">")
}

// spansText are phases as the script reads them.
func spansText(spans []span) string {
	var words []string
	for _, s := range spans {
		if s.from == s.to {
			words = append(words, fmt.Sprint(s.from))
		} else {
			words = append(words, fmt.Sprintf("%d-%d", s.from, s.to))
		}
	}
	return strings.Join(words, " ")
}

// edgePaths are an edge and its arrow.
func edgePaths(r layered.Route) string {
	return fmt.Sprintf(`<path d="%s"/><path class="head" d="%s"/>`, r.Path(), arrow(r))
}

// outline is a box; it has the size of its largest version, at which edges end.
func outline(n graph.Node, at layered.Point, box layered.Box) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="4"/>`, at.X, at.Y, box.W, box.H)
	if n.Folded {
		fmt.Fprintf(&b, `<path class="under" d="M%.0f %.0fh%.0fv%.0f"/>`, at.X+4, at.Y+box.H+3, box.W-1, 4-box.H)
	}
	if n.Double {
		fmt.Fprintf(&b, `<rect class="inside" x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="2"/>`, at.X+3,
			at.Y+3, box.W-6, box.H-6)
	}
	if n.Start {
		fmt.Fprintf(&b, `<path class="start" d="M%.0f %.0fl-5 -8h10z"/>`, at.X+10, at.Y)
	}
	return b.String()
}

// lineOf is the line of the source that a node stands at: a number, then a line's number
// and a colon; or the word line and its number on a line of its own. Empty if there is none.
func lineOf(n graph.Node) string {
	for _, l := range linesOf(n.Label)[1:] {
		if after, ok := strings.CutPrefix(l, "    line "); ok && !n.Folded {
			number, _, _ := strings.Cut(after, ":")
			return number
		}
	}
	rest := strings.TrimLeft(n.Label, "0123456789")
	after, ok := strings.CutPrefix(rest, "  ")
	if !ok {
		return ""
	}
	number, _, ok := strings.Cut(after, ":")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return number
}

// arrow is the head of an arrow at the end of a route: to the left or right if its last
// piece is level, else downwards or upwards.
func arrow(r layered.Route) string {
	from, to := r.Points[len(r.Points)-2], r.Points[len(r.Points)-1]
	d := "l-4 -8h8z"
	switch {
	case from.Y == to.Y && from.X > to.X:
		d = "l8 -4v8z"
	case from.Y == to.Y:
		d = "l-8 -4v8z"
	case from.Y > to.Y:
		d = "l-4 8h8z"
	}
	return fmt.Sprintf("M%.0f %.0f%s", to.X, to.Y, d)
}
