package page

// The page of a check of rules: what its maintainers see of a project.
//
// Idea: from the top down, whether there is something new; a table of files and rules, each cell with what was found
// there; findings with the code around and the run; what is undecided, and why; what all this rests on. A finding
// stands in the row of the file in which its event happens, what is kept or undecided in that of the root.
//
// Cost: linear in the report and in the sources that are shown.

import (
	"cmp"
	"context"
	_ "embed" // of the page
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"magus/app/report"
	"magus/evidence/verdict"
	"magus/internal/phrase"
)

var (
	//go:embed rules.html
	rulesHTML string
	//go:embed rules.css
	rulesCSS string
)

// parsedRules is the template of the page of a check of rules.
func parsedRules() *template.Template {
	return template.Must(template.New("rules").Funcs(template.FuncMap{
		"place": func(p *report.Place) string {
			if p == nil {
				return ""
			}
			return p.String()
		},
		"at": at, "seconds": seconds, "plural": phrase.Plural,
		"join":  func(words []string) string { return strings.Join(words, ", ") },
		"event": report.EventText,
		"last":  func(words []string) int { return len(words) - 1 },
	}).Parse(rulesHTML))
}

// rulesDocument is what the template is given.
type rulesDocument struct {
	Check     *report.Check
	Policy    string
	CSS       template.CSS
	JS        template.JS
	Verdict   string // conforms, violates, unknown
	Headline  string
	Rules     []*rulesColumn
	Files     []*rulesRow
	Left      string // how many files are not in the table
	Findings  []*rulesFinding
	Undecided []rulesUndecided
	Roots     []rulesRoot
	RootsLeft int
	Brief     string // how many findings are without their runs
	Assumed   []report.Assumed
	Sources   []file
	Notes     []string
}

// A rulesColumn is a rule.
type rulesColumn struct {
	report.RuleCount
	ID    int // from 1
	Total rulesCell
}

// A rulesRow is a file, with a cell for each rule.
type rulesRow struct {
	Name  string
	Cells []*rulesCell
}

// A rulesCell is what a rule came to in a file.
type rulesCell struct {
	New, Known, Allowed int
	Kept, Undecided     int
	Finding, Doubt      int // numbers of the first new finding, and of the first root that is undecided
	File, Rule          string
}

// A rulesFinding is a finding with its code and its run.
type rulesFinding struct {
	report.Finding
	ID      int // from 1
	Asks    string
	Code    []sourceLine
	Run     []report.Row
	Cut     string
	Initial []report.Initial
	Open    bool // the run is seen at once
}

// A rulesUndecided is a root that is undecided under a rule.
type rulesUndecided struct {
	ID         int // from 1
	Rule, Root string
	Place      *report.Place // of the root
	Why        report.Because
	Try        []report.Advice
}

// A rulesRoot is a root under a rule, with its verdict.
type rulesRoot struct {
	Rule, Root, Verdict string
	Place               *report.Place
	Seconds             float64
}

const (
	maxFiles    = 1000 // of the table
	maxFindings = 200  // with their runs
	openRuns    = 10   // of new findings
	maxRoots    = 5000 // in the list of all
)

// WriteRules writes the page of a check of rules. An error is that of w, or the context's.
func WriteRules(ctx context.Context, w io.Writer, c *report.Check, sources report.Sources) error {
	d := &rulesDocument{Check: c, CSS: template.CSS(pageCSS + rulesCSS), JS: template.JS(pageJS), Policy: policy(),
		Assumed: c.Assumed()}
	t := newRulesTable(c)
	for _, f := range ordered(c.Rules.Findings) {
		d.Findings = append(d.Findings, &rulesFinding{Finding: f, ID: len(d.Findings) + 1})
		t.finding(f, len(d.Findings))
	}
	for _, rc := range c.Claims {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		d.root(rc, t)
	}
	d.notAlone(t)
	d.Left = t.shorten()
	d.Rules, d.Files = t.columns, t.rows
	d.RootsLeft = max(0, len(d.Roots)-maxRoots)
	d.Roots = d.Roots[:len(d.Roots)-d.RootsLeft]
	d.headline()
	d.show(sources)
	var b strings.Builder
	if err := parsedRules().Execute(&b, d); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ordered are findings with those first that are new, and then those that are known.
func ordered(findings []report.Finding) []report.Finding {
	kinds := []string{report.New, report.Known, report.Allowed}
	all := slices.Clone(findings)
	slices.SortStableFunc(all, func(a, b report.Finding) int {
		return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind)
	})
	return all
}

// root adds a root under a rule.
func (d *rulesDocument) root(rc report.Claim, t *rulesTable) {
	r := rulesRoot{Rule: rc.Rule, Root: strings.TrimSuffix(rc.Name, ": rule "+rc.Rule), Verdict: rc.Verdict,
		Seconds: rc.Statistics.Seconds}
	if len(rc.Procedures) > 0 {
		r.Place = rc.Procedures[0].Place
	}
	d.Roots = append(d.Roots, r)
	switch rc.Verdict {
	case verdict.Conforms.String():
		t.cell(r.Place, rc.Rule).Kept++
	case verdict.Unknown.String():
		u := rulesUndecided{Rule: rc.Rule, Root: r.Root, Place: r.Place, Why: rc.Because}
		if rc.Divergence != nil {
			u.Try = rc.Divergence.Advice
		}
		d.undecided(u, t)
	}
}

// notAlone adds the roots that were not looked at alone. Where they stand, checks of other rules say.
func (d *rulesDocument) notAlone(t *rulesTable) {
	places := map[string]*report.Place{}
	for _, r := range d.Roots {
		places[r.Root] = r.Place
	}
	for _, r := range d.Check.Rules.Rules {
		for _, n := range r.NotAlone {
			d.undecided(rulesUndecided{Rule: r.Rule, Root: n.Root, Place: places[n.Root],
				Why: report.Because{Reason: n.String()}}, t)
		}
	}
}

// undecided adds a root that is undecided.
func (d *rulesDocument) undecided(u rulesUndecided, t *rulesTable) {
	u.ID = len(d.Undecided) + 1
	d.Undecided = append(d.Undecided, u)
	cell := t.cell(u.Place, u.Rule)
	if cell.Undecided++; cell.Doubt == 0 {
		cell.Doubt = u.ID
	}
}

// Roots is how many roots a rule was checked from.
func (c *rulesColumn) Roots() int { return c.Kept + c.Broken + c.Undecided }

// headline says in a few words what is to be done.
func (d *rulesDocument) headline() {
	r := d.Check.Rules
	fresh, undecided := r.Count(report.New), r.Undecided()
	switch {
	case fresh > 0:
		d.Verdict, d.Headline = verdict.Violates.String(), phrase.Plural(fresh, "new finding")
	case d.Check.Reason != "":
		d.Verdict, d.Headline = verdict.Unknown.String(), "not checked to the end"
	case undecided > 0:
		d.Verdict, d.Headline = verdict.Unknown.String(), "nothing new, "+phrase.Plural(undecided, "root")+" undecided"
	case len(r.Findings) > 0:
		d.Verdict, d.Headline = verdict.Conforms.String(), "nothing new"
	default:
		d.Verdict, d.Headline = verdict.Conforms.String(), "all rules kept"
	}
}

// Counts are the numbers below the headline.
func (d *rulesDocument) Counts() []string {
	r := d.Check.Rules
	kept, roots := 0, 0
	for _, c := range r.Rules {
		kept, roots = kept+c.Kept, roots+c.Kept+c.Broken+c.Undecided
	}
	all := []string{fmt.Sprintf("%d of %s kept", kept, phrase.Plural(roots, "root")),
		fmt.Sprintf("%s: %d new, %d known, %d allowed", phrase.Plural(len(r.Findings), "finding"), r.Count(report.New),
			r.Count(report.Known), r.Count(report.Allowed)),
		fmt.Sprintf("%s undecided", phrase.Plural(r.Undecided(), "root"))}
	return append([]string{phrase.Plural(len(r.Rules), "rule") + ", " + phrase.Plural(len(d.Files), "file")}, all...)
}

// show gives findings their code and their runs, and the page the sources in which they lie.
func (d *rulesDocument) show(sources report.Sources) {
	claims := map[string]*report.Claim{}
	for i := range d.Check.Claims {
		claims[d.Check.Claims[i].Name] = &d.Check.Claims[i]
	}
	if n := len(d.Findings) - maxFindings; n > 0 {
		d.Brief = fmt.Sprintf("%d of %d findings are shown with their runs, new ones first", maxFindings, len(d.Findings))
	}
	var shown []claim
	for i, f := range d.Findings {
		rc := claims[f.Claim]
		if i >= maxFindings || rc == nil || rc.Counterexample == nil {
			continue
		}
		f.show(rc.Counterexample, sources)
		shown = append(shown, claim{Claim: report.Claim{Counterexample: rc.Counterexample}})
	}
	for _, f := range d.Findings {
		f.Asks = d.asks(f.Rule)
	}
	own, notes := Settings{Sources: sources}.files(shown)
	for _, f := range own {
		if !strings.HasPrefix(f.Name, "<") { // of the model of the library
			d.Sources = append(d.Sources, f)
		}
	}
	d.Notes = slices.DeleteFunc(notes, func(note string) bool { return strings.HasPrefix(note, "<") })
}

// asks is what a rule asks for.
func (d *rulesDocument) asks(rule string) string {
	for _, r := range d.Check.Rules.Rules {
		if r.Rule == rule {
			return r.Text
		}
	}
	return ""
}

// show gives a finding its code and its run.
func (f *rulesFinding) show(x *report.Counterexample, sources report.Sources) {
	f.Open = f.Kind == report.New && f.ID <= openRuns
	f.Run = callers(x.Folded())
	if n := len(f.Run) - maxRows; n > 0 {
		f.Cut = fmt.Sprintf("the first %d of %d rows are left out", n, len(f.Run))
		f.Run = f.Run[n:]
	}
	for _, in := range x.Initial {
		if !in.Idle {
			f.Initial = append(f.Initial, in)
		}
	}
	if f.Place != nil && sources != nil && !strings.HasPrefix(f.Place.File, "<") {
		f.Code = excerpt(f.Place, f.LastPlace, x, sources)
	}
}

// callers are rows in which a caller does what the model of the library does for it: what a function of the library
// gives is seen at its call.
func callers(rows []report.Row) []report.Row {
	model := map[string]bool{}
	for _, r := range rows {
		model[r.Procedure] = model[r.Procedure] || r.Model
	}
	caller := ""
	for i := range rows {
		switch r := &rows[i]; {
		case !model[r.Procedure]:
			caller = r.Procedure
		case !r.Model && caller != "":
			r.Procedure = caller
		}
	}
	return rows
}

const (
	around = 3  // lines around a place
	apart  = 25 // lines, at most, between two places that are shown together
)

// excerpt are the lines around an event, from the last event before on if that is near.
func excerpt(p, last *report.Place, x *report.Counterexample, sources report.Sources) []sourceLine {
	visits := map[int]int{}
	for _, s := range x.Steps {
		if s.Place != nil && s.Place.File == p.File {
			visits[s.Place.Line]++
		}
	}
	from, to := p.Line, p.Line
	before := 0
	if last != nil && last.File == p.File && max(last.Line, p.Line)-min(last.Line, p.Line) <= apart {
		before = last.Line
		from, to = min(before, from), max(before, to)
	}
	var lines []sourceLine
	for n := max(1, from-around); n <= to+around; n++ {
		l := sourceLine{Number: n, Text: sources.Line(p.File, n), At: fmt.Sprintf("%s:%d", p.File, n), Visits: visits[n]}
		switch n {
		case p.Line:
			l.Mark = "here"
		case before:
			l.Mark = "before"
		}
		lines = append(lines, l)
	}
	for len(lines) > 0 && lines[len(lines)-1].Text == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// A rulesTable is the table while it is filled.
type rulesTable struct {
	columns []*rulesColumn
	rows    []*rulesRow
	byName  map[string]*rulesRow
}

// newRulesTable has a column for each rule that is about something.
func newRulesTable(c *report.Check) *rulesTable {
	t := &rulesTable{byName: map[string]*rulesRow{}}
	for _, r := range c.Rules.Rules {
		t.columns = append(t.columns, &rulesColumn{RuleCount: r, ID: len(t.columns) + 1})
	}
	return t
}

// cell is the cell of a place and a rule.
func (t *rulesTable) cell(p *report.Place, rule string) *rulesCell {
	name := "(place not known)"
	if p != nil {
		name = p.File
	}
	row := t.byName[name]
	if row == nil {
		row = &rulesRow{Name: name}
		for _, c := range t.columns {
			row.Cells = append(row.Cells, &rulesCell{Rule: c.Rule})
		}
		t.byName[name], t.rows = row, append(t.rows, row)
	}
	for _, c := range row.Cells {
		if c.Rule == rule {
			return c
		}
	}
	return &rulesCell{} // of no rule that was counted
}

// finding counts a finding.
func (t *rulesTable) finding(f report.Finding, id int) {
	c := t.cell(f.Place, f.Rule)
	switch f.Kind {
	case report.New:
		c.New++
	case report.Known:
		c.Known++
	default:
		c.Allowed++
	}
	if c.Finding == 0 {
		c.Finding = id
	}
}

// shorten puts the files in order, those first in which something is new or undecided, and counts what each rule came
// to. It says how many files are left out.
func (t *rulesTable) shorten() string {
	for _, row := range t.rows {
		for i, c := range row.Cells {
			t.columns[i].Total.add(c)
		}
	}
	slices.SortFunc(t.rows, func(a, b *rulesRow) int {
		if x, y := a.weight(), b.weight(); x != y {
			return y - x
		}
		return strings.Compare(a.Name, b.Name)
	})
	n := len(t.rows) - maxFiles
	if n <= 0 {
		return ""
	}
	t.rows = t.rows[:maxFiles]
	return fmt.Sprintf("%s more are left out: the first %d are those with findings and with what is undecided",
		phrase.Plural(n, "file"), maxFiles)
}

// weight is 2 if there is something new in a file, 1 if there is something else to look at.
func (r *rulesRow) weight() int {
	w := 0
	for _, c := range r.Cells {
		switch {
		case c.New > 0:
			w = max(w, 2)
		case c.Undecided+c.Known+c.Allowed > 0:
			w = max(w, 1)
		}
	}
	return w
}

// add adds the numbers of another cell.
func (c *rulesCell) add(d *rulesCell) {
	c.New, c.Known, c.Allowed = c.New+d.New, c.Known+d.Known, c.Allowed+d.Allowed
	c.Kept, c.Undecided = c.Kept+d.Kept, c.Undecided+d.Undecided
	c.Finding, c.Doubt = cmp.Or(c.Finding, d.Finding), cmp.Or(c.Doubt, d.Doubt)
}
