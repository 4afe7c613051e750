package page

// Packed drawings and tables.
//
// Idea: a page of many phases is nearly all drawings and tables, and a reader looks at a few of
// them. Where they are many, the page has them once, compressed, and its script puts each one in its
// place: drawings when they are shown first, tables at once. A page with few drawings has all as it
// is, and shows it without a script. What follows from something else in a drawing is left out
// before: where an arrow's head is, which is the end of its line, where the lines of text in a box
// are, and half of what makes a curve, whose halves are alike. Texts of boxes, which many drawings
// share, stand in a list.
//
// Cost: that of compressing the text.

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"magus/internal/pattern"
)

const (
	plainBytes = 100_000 // of drawings, tables and rows that a page has as they are
	pieceBytes = 350     // about what a table of a phase, or a row, takes
	plainRows  = 300     // of a run: the last ones, which are not packed but where nothing depends on them
)

// packed is what a page has packed.
type packed struct {
	Drawings []string `json:"drawings"`
	Texts    []string `json:"texts"` // of boxes and edges
	Pieces   []string `json:"pieces"`
}

// pack takes the drawings and tables of the phases out of the claims, and of the rows those that nothing
// depends on or that are far from the end, if they are many. The result is all of them: as JSON, compressed by gzip, in
// base64. What they are taken out of says which is its own.
func pack(claims []claim, t *template.Template) (template.HTML, error) {
	var places []*sheet
	size := 0
	for i := range claims {
		for k := range claims[i].Figures {
			f := &claims[i].Figures[k]
			for j := range f.Sheets {
				places = append(places, &f.Sheets[j])
			}
			for j := range f.Parts {
				places = append(places, &f.Parts[j].sheet)
			}
		}
	}
	for _, p := range places {
		size += len(p.SVG)
	}
	for i := range claims {
		size += pieceBytes * (len(claims[i].Phases) + claims[i].Chart.packable())
	}
	if size <= plainBytes {
		return "", nil
	}
	all := packed{Drawings: make([]string, len(places)), Texts: []string{}, Pieces: []string{}}
	numbers := map[string]int{}
	for i, p := range places {
		all.Drawings[i] = all.listed(squeezed(string(p.SVG)), numbers)
		p.SVG, p.Packed = "", i+1
	}
	for i := range claims {
		if err := all.takePieces(&claims[i], t); err != nil {
			return "", err
		}
	}
	text, err := compressed(all)
	return template.HTML(text), err
}

// texts finds the texts of a drawing.
var texts = pattern.New(`(<t>|<text [^>]*>)([^<]*)</text>`)

// listed is a drawing with the number of each text, and ;, in its place. Numbers has those so far.
func (p *packed) listed(svg string, numbers map[string]int) string {
	return texts().ReplaceAllStringFunc(svg, func(all string) string {
		part := texts().FindStringSubmatch(all)
		n, ok := numbers[part[2]]
		if !ok {
			n = len(p.Texts)
			numbers[part[2]] = n
			p.Texts = append(p.Texts, part[2])
		}
		return part[1] + strconv.Itoa(n) + ";"
	})
}

// takePieces takes the tables of phases out of a claim, the rows that nothing depends on, and those far from the end.
func (p *packed) takePieces(c *claim, t *template.Template) error {
	take := func(name string, of any) (int, error) {
		var b strings.Builder
		err := t.ExecuteTemplate(&b, name, of)
		p.Pieces = append(p.Pieces, b.String())
		return len(p.Pieces), err
	}
	var err error
	for i := range c.Phases {
		if c.Phases[i].Packed, err = take("phase", c.Phases[i]); err != nil {
			return err
		}
	}
	if c.Chart == nil {
		return nil
	}
	for i := range c.Chart.Rows {
		r := &c.Chart.Rows[i]
		if !c.Chart.mayBePacked(i) {
			continue
		}
		if r.Packed, err = take("row", rowOf{*r, c.Chart}); err != nil {
			return err
		}
	}
	return nil
}

// mayBePacked reports whether nothing depends on a row, so that it is hidden at first, or it is far from the end.
func (c *chart) mayBePacked(i int) bool {
	return !c.Rows[i].Forbidden && (c.Rows[i].Faint || i+plainRows < len(c.Rows))
}

// packable is how many rows of a chart may be packed; there may be no chart.
func (c *chart) packable() (n int) {
	if c == nil {
		return 0
	}
	for i := range c.Rows {
		if c.mayBePacked(i) {
			n++
		}
	}
	return n
}

// Of is a row of the chart, for the template.
func (c *chart) Of(r row) rowOf { return rowOf{r, c} }

// rowOf is a row and its chart.
type rowOf struct {
	Row   row
	Chart *chart
}

// follows finds what follows from something else in a drawing: boxes and the text in them, and lines
// with heads.
var follows = pattern.New(`<rect x="(-?\d+)" y="(-?\d+)"[^>]*rx="4"/>|<text x="(-?\d+)" y="(-?\d+)">|</g>|` +
	`<path d="([Mcvhl0-9 -]+)"/><path class="head" d="M(-?\d+ -?\d+)([^"]*)"/>`)

// squeezed is a drawing without what follows from something else in it: a <t> is a text below the
// one before, or at the top of its box, and an <h> a head at the end of a line.
func squeezed(svg string) string {
	x, y, line, inBox := 0, 0, 0, false
	return replaced(svg, func(all string, part []string) string {
		switch {
		case part[1] != "":
			x, y, line, inBox = number(part[1]), number(part[2]), 0, true
		case part[3] != "" && inBox:
			at := [2]int{number(part[3]), number(part[4])}
			if line++; at == [2]int{x + inBoxX, y + inBoxY + lineHeight*(line-1)} {
				return "<t>"
			}
		case all == "</g>":
			inBox = false
		case part[5] != "" && endOf(part[5]) == part[6]:
			return `<path d="` + halved(part[5]) + `"/><h ` + part[7] + "/>"
		}
		return all
	})
}

// curved finds curves that begin and end upright.
var curved = pattern.New(`c0 (-?\d+) (-?\d+) (-?\d+) (-?\d+) (-?\d+)`)

// halved is a path with curves as s, u or w: from how far aside and down they lead follows where they
// turn, which is half as far down; s if that is a whole number, u and w if it was rounded.
func halved(path string) string {
	return curved().ReplaceAllStringFunc(path, func(all string) string {
		m := curved().FindStringSubmatch(all)
		turn, aside, down := number(m[1]), number(m[2]), number(m[5])
		letter, ok := map[int]string{0: "s", 1: "u", -1: "w"}[down-2*turn]
		if !ok || m[3] != m[1] || m[4] != m[2] {
			return all
		}
		return fmt.Sprintf("%s%d %d", letter, aside, down)
	})
}

// Where the text of a box is, from the box's corner.
const (
	inBoxX     = 6
	inBoxY     = 16
	lineHeight = 14
)

// replaced is a text with what follows finds replaced.
func replaced(text string, by func(all string, part []string) string) string {
	return follows().ReplaceAllStringFunc(text, func(all string) string {
		return by(all, follows().FindStringSubmatch(all))
	})
}

// number is a number that was matched.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// command is one of a path: its letter and its numbers.
var command = pattern.New(`([Mcvhl])([^Mcvhl]*)`)

// endOf is where a path ends, as a path would begin there.
func endOf(path string) string {
	x, y := 0, 0
	for _, m := range command().FindAllStringSubmatch(path, -1) {
		var n []int
		for _, word := range strings.Fields(strings.ReplaceAll(m[2], "-", " -")) {
			n = append(n, number(word))
		}
		switch each := map[string]int{"M": 2, "l": 2, "c": 6}[m[1]]; {
		case m[1] == "M" && len(n) == 2:
			x, y = n[0], n[1]
		case m[1] == "v" && len(n) == 1:
			y += n[0]
		case m[1] == "h" && len(n) == 1:
			x += n[0]
		default:
			for i := each; each > 0 && i <= len(n); i += each {
				x, y = x+n[i-2], y+n[i-1]
			}
		}
	}
	return fmt.Sprintf("%d %d", x, y)
}

// compressed is a value's JSON, compressed by gzip, in base64.
func compressed(value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(text.Bytes()); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}
