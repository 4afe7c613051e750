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
	require.Contains(t, text, fmt.Sprintf("%d of %d claims are shown in full, those that do not conform first", maxClaims, maxClaims+50))
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
		r := suite.Result{Verdict: "violates", Report: &report.Claim{Name: fmt.Sprintf("claim number %d;", i), Verdict: "violates"}}
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
