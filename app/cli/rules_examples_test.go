package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/input"
	"magus/app/report"
	"magus/specs/rulebook"
)

// Of the example of each rule that comes along, one function keeps the rule, and the other breaks it in the
// line that says so.
func TestRuleExamples(t *testing.T) {
	for _, e := range rulebook.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "example.c"), []byte(e.Example), 0o666))
			w, out, stderr := testWorld(dir)
			w.Dir = input.Dir(dir)
			status := cli.Main(t.Context(), []string{"rules", "check", "--json", "--rule", e.Name, "example.c"}, w)
			require.Equal(t, 1, status, "%s", stderr)
			var doc report.Check
			require.NoError(t, json.Unmarshal([]byte(out.String()), &doc))
			verdicts := map[string]string{}
			for _, c := range doc.Claims {
				verdicts[c.Name] = c.Verdict
			}
			require.Equal(t, map[string]string{"kept: rule " + e.Name: "conforms",
				"broken: rule " + e.Name: "violates"}, verdicts)
			require.Len(t, doc.Rules.Findings, 1)
			f := doc.Rules.Findings[0]
			require.Equal(t, "broken", f.Procedure)
			require.Equal(t, marked(t, e.Example), f.Place.Line)
			require.NotContains(t, stderr.String(), "warning")
		})
	}
}

// marked is the number of the one line in which an example breaks its rule.
func marked(t *testing.T, example string) int {
	at := 0
	for i, line := range strings.Split(example, "\n") {
		if strings.HasSuffix(line, rulebook.BrokenHere) {
			require.Zero(t, at, "one line is marked")
			at = i + 1
		}
	}
	require.NotZero(t, at, "a line is marked")
	return at
}
