package page

import (
	"context"
	_ "embed" // of the page
	"html/template"
	"io"
	"strings"

	"magus/internal/report"
	"magus/internal/suite"
)

//go:embed suite.html
var suiteHTML string

// parsedSuite is the template of the page of a suite, which has no script.
var parsedSuite = template.Must(template.New("suite").Funcs(template.FuncMap{"seconds": seconds}).Parse(suiteHTML))

// suiteDocument is what the template is given.
type suiteDocument struct {
	*suite.Document
	CSS          template.CSS
	Met, Checked int
	Groups       []*suiteGroup
}

// A suiteGroup is the claims of one group.
type suiteGroup struct {
	ID        int // from 1
	Name      string
	Claims    []suiteClaim
	Met, Over int
	Seconds   float64
	Verdicts  map[string]int
}

// A suiteClaim is one claim with its text.
type suiteClaim struct {
	suite.Result
	Text *claimText // nil if there is nothing to say
}

// A claimText is what magus check prints.
type claimText struct {
	Number int
	Text   string
	Open   bool
}

// WriteSuite writes the page of the results of suites. An error is that of w, or the context's.
func WriteSuite(ctx context.Context, w io.Writer, results *suite.Document) error {
	d := &suiteDocument{Document: results, CSS: template.CSS(pageCSS)}
	for i, r := range results.Results {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if i == 0 || d.Groups[len(d.Groups)-1].Name != r.Name() {
			d.Groups = append(d.Groups, &suiteGroup{ID: len(d.Groups) + 1, Name: r.Name(), Verdicts: map[string]int{}})
		}
		d.Groups[len(d.Groups)-1].add(r)
	}
	for _, g := range d.Groups {
		d.Met, d.Checked = d.Met+g.Met, d.Checked+len(g.Claims)-g.Over
	}
	var b strings.Builder
	if err := parsedSuite.Execute(&b, d); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// add adds a claim to the group.
func (g *suiteGroup) add(r suite.Result) {
	c := suiteClaim{Result: r}
	if r.Report != nil && (r.Verdict != "conforms" || r.Wrong() != "") {
		var b strings.Builder
		_ = report.WriteClaim(&b, *r.Report, report.Text{}) // a Builder takes everything
		c.Text = &claimText{r.Number + 1, b.String(), r.Wrong() != ""}
	}
	g.Claims = append(g.Claims, c)
	g.Seconds += r.Seconds
	g.Verdicts[r.Verdict]++
	switch {
	case r.PassedOver:
		g.Over++
	case r.Wrong() == "":
		g.Met++
	}
}
