package page

import (
	"fmt"
	"strings"
	"testing"

	"magus/app/report"
	"magus/app/suite"

	"github.com/stretchr/testify/require"
)

// A page of very many claims lists all of them, and shows those that do not conform in full.
func TestManyClaims(t *testing.T) {
	c := &report.Check{Verdict: "violates"}
	for i := range maxClaims + 50 {
		rc := report.Claim{Name: fmt.Sprintf("claim number %d;", i), Verdict: "conforms"}
		switch {
		case i%10 == 9:
			rc.Verdict = "violates"
		case i == maxClaims+43:
			rc.Verdict, rc.Reason = "unknown", "time-out"
		}
		c.Claims = append(c.Claims, rc)
	}
	var b strings.Builder
	require.NoError(t, Write(t.Context(), &b, c, Settings{}))
	text := b.String()
	require.Equal(t, maxClaims, strings.Count(text, "<section class=\"claim\""))
	require.Contains(t, text, fmt.Sprintf("%d of %d claims are shown in full, those that do not conform first",
		maxClaims, maxClaims+50))
	for i, rc := range c.Claims {
		require.Contains(t, text, rc.Name)
		if rc.Verdict != "conforms" || i < 100 {
			require.Contains(t, text, fmt.Sprintf("id=\"claim-%d\"", i+1))
			require.Contains(t, text, fmt.Sprintf("href=\"#claim-%d\"", i+1))
		}
	}
	require.Equal(t, maxClaims, strings.Count(text, "href=\"#claim-"), "a link only where something is")
}

// The page of a large suite tells first what is not as expected.
func TestManyClaimsOfASuite(t *testing.T) {
	d := &suite.Document{}
	for i := range maxTexts + 60 {
		r := suite.Result{Verdict: "violates", Report: &report.Claim{Name: fmt.Sprintf("claim number %d;", i),
			Verdict: "violates"}}
		r.Expect = "violates"
		if i >= maxTexts {
			r.Expect, r.Failure = "conforms", "expected conforms, got violates"
		}
		r.Number = i
		d.Results = append(d.Results, r)
	}
	require.NotEmpty(t, d.Results[maxTexts].Wrong())
	var b strings.Builder
	require.NoError(t, WriteSuite(t.Context(), &b, d))
	text := b.String()
	require.Equal(t, maxTexts, strings.Count(text, "what came out</summary>"))
	require.Equal(t, 60, strings.Count(text, "<details open>"))
	require.Contains(t, text, fmt.Sprintf("of %d claims that do not conform %d are told in full", maxTexts+60, maxTexts))
}

// The page of a project with very many findings and files shows what is new first, and says what it leaves out.
func TestManyFindings(t *testing.T) {
	c := &report.Check{Rules: &report.Rules{Rules: []report.RuleCount{{Rule: "r", Text: "All is <well>.", Functions: 3}}}}
	for i := range maxFindings + 20 {
		f := report.Finding{Rule: "r", Event: "leaks", Procedure: fmt.Sprintf("f%d", i), Claim: fmt.Sprintf("f%d: rule r", i),
			Roots: []string{"f"}, Kind: report.Known, Place: &report.Place{File: "known.c", Line: i + 1, Column: 1}}
		if i >= maxFindings {
			f.Kind, f.Place.File = report.New, "new.c"
		}
		c.Rules.Findings = append(c.Rules.Findings, f)
		c.Claims = append(c.Claims, report.Claim{Name: f.Claim, Rule: "r", Verdict: "violates",
			Counterexample: &report.Counterexample{Steps: []report.Step{{Place: f.Place, Procedure: f.Procedure,
				Forbidden: true}}}})
	}
	for i := range maxFiles {
		c.Claims = append(c.Claims, report.Claim{Name: "g: rule r", Rule: "r", Verdict: "conforms",
			Procedures: []report.Procedure{{Name: "g", Place: &report.Place{File: fmt.Sprintf("kept%d.c", i), Line: 1}}}})
	}
	c.Rules.Rules[0].NotAlone = []report.NotAlone{{Root: "h", By: "g"}}
	var b strings.Builder
	require.NoError(t, WriteRules(t.Context(), &b, c, nil))
	text := b.String()
	require.Contains(t, text, "20 new findings</span></h1>")
	require.Equal(t, maxFindings, strings.Count(text, "the run, which was executed"))
	require.Equal(t, openRuns, strings.Count(text, "<details open><summary>the run"), "some of those that are new")
	require.Contains(t, text, fmt.Sprintf("%d of %d findings are shown with their runs, new ones first",
		maxFindings, maxFindings+20))
	require.Contains(t, text, "3 files more are left out")
	require.Contains(t, text, `<th scope="row">new.c</th>`)
	require.Contains(t, text, "memory is lost in <code>f3</code>")
	require.Contains(t, text, "not looked at alone: h, for g may call it")
	require.NotContains(t, text, "<well>")
}
