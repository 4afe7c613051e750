package page

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed" // of the page's parts
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"

	"magus/app/report"
	"magus/evidence/verdict"
	"magus/internal/phrase"
)

// Settings are what a page shows besides the report.
type Settings struct {
	History *History // nil: no phases are shown
	Sources report.Sources
	Covered []report.Covered // what the proofs reached
	Undrawn bool             // without drawings of the phases
}

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

// document is what the template is given.
type document struct {
	Check  *report.Check
	Policy string
	CSS    template.CSS
	JS     template.JS
	Listed []listed // all claims
	Claims []claim  // those that are shown in full
	Brief  string   // how many are not
	Files  []file
	Notes  []string      // what was left out
	Packed template.HTML // what is packed
}

// listed is a claim in the list of all of them.
type listed struct {
	report.Claim
	ID   int  // from 1
	Full bool // it is shown in full
}

// claim is one claim as it is shown in full.
type claim struct {
	report.Claim
	ID      int // from 1
	Chart   *chart
	Phases  []shownPhase
	Left    string // which phases are not shown
	Curves  []curve
	Figures []figure
}

// shownPhase is a phase as it is shown.
type shownPhase struct {
	Number     int
	Kind, Text string
	Seconds    string
	Sizes      []sizes
	Product    int
	Figures    []verdict.Figure
	Trace      []string
	Status     string
	Why        string // the counterexample was spurious
	Packed     int    // which of the packed pieces its tables are, from 1; 0: they are in the page
}

// Write writes the page of a check. An error is that of w, or the context's.
func Write(ctx context.Context, w io.Writer, c *report.Check, s Settings) error {
	d := &document{Check: c, CSS: template.CSS(pageCSS), JS: template.JS(pageJS), Policy: policy()}
	full := inFull(c.Claims)
	if n := len(c.Claims) - maxClaims; n > 0 {
		d.Brief = fmt.Sprintf("%d of %d claims are shown in full, those that do not conform first; "+
			"--procedure and --specification check one alone", maxClaims, len(c.Claims))
	}
	for i, rc := range c.Claims {
		d.Listed = append(d.Listed, listed{rc, i + 1, full[i]})
		if !full[i] {
			continue
		}
		shown, err := s.claim(ctx, i, rc)
		if err != nil {
			return err
		}
		d.Claims = append(d.Claims, shown)
	}
	d.Files, d.Notes = s.files(d.Claims)
	var err error
	if d.Packed, err = pack(d.Claims, parsed()); err != nil {
		return err
	}
	var b strings.Builder
	if err := parsed().Execute(&b, d); err != nil {
		return err
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// maxClaims is how many claims a page shows in full.
const maxClaims = 200

// inFull says which claims are shown in full: where there are too many, violations first, then
// what is unknown, then warnings, each in their order.
func inFull(claims []report.Claim) []bool {
	full, left := make([]bool, len(claims)), maxClaims
	for _, kind := range []func(report.Claim) bool{
		func(c report.Claim) bool { return c.Verdict == verdict.Violates.String() },
		func(c report.Claim) bool { return c.Verdict != verdict.Conforms.String() },
		func(c report.Claim) bool { return len(c.Doubts) > 0 },
		func(report.Claim) bool { return true },
	} {
		for i, c := range claims {
			if left > 0 && !full[i] && kind(c) {
				full[i] = true
				left--
			}
		}
	}
	return full
}

// policy allows nothing but the page's own style and its one script, by its hash.
func policy() string {
	sum := sha256.Sum256([]byte(pageJS))
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// parsed is the template of the page.
func parsed() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"place": func(p *report.Place) string {
			if p == nil {
				return ""
			}
			return p.String()
		},
		"at":      at,
		"short":   short,
		"seconds": seconds,
		"bytes":   report.Bytes,
		"join":    func(words []string) string { return strings.Join(words, ", ") },
		"columns": func(lanes []string) int { return len(lanes) + 3 },
	}).Parse(pageHTML))
}

// at is a place as the script compares it.
func at(p *report.Place) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// short is a place without its folders and column.
func short(place string) string {
	parts := strings.Split(path.Base(place), ":")
	return strings.Join(parts[:min(2, len(parts))], ":")
}

func seconds(s float64) string { return fmt.Sprintf("%.3f s", s) }

// claim is claim number i as it is shown.
func (s Settings) claim(ctx context.Context, i int, rc report.Claim) (claim, error) {
	c := claim{Claim: rc, ID: i + 1}
	if rc.Counterexample != nil {
		c.Chart = newChart(rc.Counterexample)
		var err error
		if c.Chart.Waits, err = Waits(ctx, rc.Counterexample); err != nil {
			return c, err
		}
	}
	h := s.History.of(rc.Name)
	for _, t := range h.phases {
		c.Phases = append(c.Phases, t.shown())
	}
	if h.left > 0 {
		c.Left = fmt.Sprintf("%d phases are left out, behind phase %d", h.left, h.phases[maxPhases/2-1].number)
	}
	c.Curves = curves(c.Phases, h)
	var err error
	c.Figures, err = s.figures(ctx, c.ID, h)
	return c, err
}

// shown is a phase as it is shown.
func (t *phase) shown() shownPhase {
	v := &t.view
	s := shownPhase{Number: t.number, Kind: t.kind, Text: t.text, Seconds: seconds(t.seconds),
		Sizes: t.sizesOf(), Product: v.Stats.ProductStates, Figures: t.figures}
	for _, a := range v.Counterexample() {
		s.Trace = append(s.Trace, v.Actions.Name(a))
	}
	if v.Trace != nil {
		s.Status = string(v.Status)
	}
	if t.refuted >= 0 && t.refuted < len(v.Components) {
		s.Why = fmt.Sprintf("%s does not have it at level one", v.Components[t.refuted].Name)
		if t.core > 0 {
			s.Why = fmt.Sprintf("%s cannot take its path, for %s on it", v.Components[t.refuted].Name,
				phrase.Plural(t.core, "contradicting condition"))
		}
		if t.besides > 0 {
			s.Why += fmt.Sprintf("; others that cannot either: %d", t.besides)
		}
	}
	return s
}

// chart is a counterexample with a lane for each component.
type chart struct {
	*report.Counterexample
	Why     string // in one sentence
	Forbids string
	Lasts   string // what the specification cannot follow, or what goes on for ever
	Lanes   []string
	Drawing template.HTML // of threads
	Rows    []row
	Cut     string        // what was left out
	Waits   template.HTML // who waits for whom, as a figure
	// Specifies says that rows have states of the specification.
	Specifies bool
}

// row is one step of a chart.
type row struct {
	report.Step
	Number int
	Cells  []cell // by lane
	Spec   string
	Faint  bool // nothing depends on it
	Packed int  // which of the packed pieces it is, from 1; 0: it is in the page
}

// cell is what a component does in a row.
type cell struct {
	Text, Where, At string
	Bar             bool // it takes part in a joint action
	Says            bool // the text says more than the action's name
}

// newChart is the chart of a counterexample.
func newChart(x *report.Counterexample) *chart {
	c := &chart{Counterexample: x, Why: why(x), Drawing: Threads(x)}
	switch {
	case x.Choices != nil || x.Round != nil && x.Round.Parts != nil:
		c.Lasts = x.Wrong()
	case len(x.Trace) > 0 && x.Standing == nil && !x.IsWhole():
		c.Forbids = x.Forbidden()
	}
	lane := func(name string) int {
		i := slices.Index(c.Lanes, name)
		if i < 0 {
			i, c.Lanes = len(c.Lanes), append(c.Lanes, name)
		}
		return i
	}
	for _, name := range x.Running {
		lane(name)
	}
	for _, s := range x.Steps {
		lane(s.Component)
		for _, name := range s.With {
			lane(name)
		}
	}
	steps := x.Steps
	if n := len(steps) - maxRows; n > 0 {
		c.Cut = fmt.Sprintf("the first %d of %d steps are left out", n, len(steps))
		steps = steps[n:]
	}
	for i, s := range steps {
		r := newRow(s, len(x.Steps)-len(steps)+i+1, len(c.Lanes), lane)
		c.Rows = append(c.Rows, r)
		c.Specifies = c.Specifies || r.Spec != "" || r.Forbidden
	}
	return c
}

// newRow is a step as a row of so many lanes.
func newRow(s report.Step, number, lanes int, lane func(string) int) row {
	r := row{Step: s, Number: number, Cells: make([]cell, lanes)}
	joint := len(s.With) > 0
	put := func(name string, p *report.Place, text string) {
		k := cell{Text: text, At: at(p), Bar: joint, Says: text != s.Action && !strings.Contains(text, `("`+s.Action+`")`)}
		if p != nil {
			k.Where = p.String()
		}
		r.Cells[lane(name)] = k
	}
	for _, name := range s.With {
		put(name, nil, s.Action)
	}
	for _, o := range s.Others {
		put(o.Component, o.Place, cmp.Or(o.Source, o.Statement))
	}
	put(s.Component, s.Place, cmp.Or(s.Source, s.Statement))
	var names []string
	for _, st := range s.Specification {
		names = append(names, st.Name)
	}
	r.Spec = strings.Join(names, " or ")
	r.Faint = s.Action == "" && s.Branch == "" && s.Rounds == nil &&
		!slices.ContainsFunc(s.Values, func(v report.Value) bool { return !v.Idle })
	return r
}

// Class are the classes of a row.
func (r row) Class() string {
	var words []string
	for _, is := range []struct {
		so   bool
		word string
	}{{r.Forbidden, "bad"}, {r.Faint, "faint"}, {r.Action != "", "acts"}} {
		if is.so {
			words = append(words, is.word)
		}
	}
	return strings.Join(words, " ")
}

// Joint reports whether several components take part in a row's action.
func (r row) Joint() bool { return len(r.With) > 0 }

// Conforms and Violates are for the template.
func (c claim) Conforms() bool { return c.Verdict == verdict.Conforms.String() }

// Violates reports whether there is a violation.
func (c claim) Violates() bool { return c.Verdict == verdict.Violates.String() }
