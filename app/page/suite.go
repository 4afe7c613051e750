package page

import (
	"context"
	_ "embed" // of the page
	"fmt"
	"html/template"
	"io"
	"strings"

	"magus/app/report"
	"magus/app/suite"
)

//go:embed suite.html
var suiteHTML string

// parsedSuite is the template of the page of a suite, which has no script.
func parsedSuite() *template.Template {
	return template.Must(template.New("suite").Funcs(template.FuncMap{"seconds": seconds}).Parse(suiteHTML))
}

// suiteDocument is what the template is given.
type suiteDocument struct {
	*suite.Document
	CSS          template.CSS
	Met, Checked int
	Groups       []*suiteGroup
	Brief        string // how many claims are without their text
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
	told := inText(results.Results)
	if n := len(told) - maxTexts; n > 0 {
		d.Brief = fmt.Sprintf(
			"of %d claims that do not conform %d are told in full, those first that are not as expected", len(told), maxTexts)
		told = told[:maxTexts]
	}
	full := map[int]bool{}
	for _, i := range told {
		full[i] = true
	}
	for i, r := range results.Results {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if i == 0 || d.Groups[len(d.Groups)-1].Name != r.Name() {
			d.Groups = append(d.Groups, &suiteGroup{ID: len(d.Groups) + 1, Name: r.Name(), Verdicts: map[string]int{}})
		}
		d.Groups[len(d.Groups)-1].add(r, full[i])
	}
	for _, g := range d.Groups {
		d.Met, d.Checked = d.Met+g.Met, d.Checked+len(g.Claims)-g.Over
	}
	var b strings.Builder
	if err := parsedSuite().Execute(&b, d); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// maxTexts is how many claims a page tells in full.
const maxTexts = 500

// inText are the numbers of the claims that there is something to tell of, those first that are not
// as expected.
func inText(results []suite.Result) []int {
	var wrong, others []int
	for i, r := range results {
		switch {
		case r.Report == nil:
		case r.Wrong() != "":
			wrong = append(wrong, i)
		case r.Verdict != "conforms":
			others = append(others, i)
		}
	}
	return append(wrong, others...)
}

// add adds a claim to the group, told in full or not.
func (g *suiteGroup) add(r suite.Result, full bool) {
	c := suiteClaim{Result: r}
	if full {
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
