package cli_test

import (
	"encoding/json"
	"encoding/xml"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/report"
)

// resultFiles are the files of results of one check.
type resultFiles struct{ folder string }

func (f resultFiles) sarif() string   { return filepath.Join(f.folder, "out.sarif") }
func (f resultFiles) junit() string   { return filepath.Join(f.folder, "out.xml") }
func (f resultFiles) flags() []string { return []string{"--sarif", f.sarif(), "--junit", f.junit()} }

// sarifLog is what is looked at in a log.
type sarifLog struct {
	Runs []struct {
		Invocations []struct {
			Successful    bool  `json:"executionSuccessful"`
			ExitCode      int   `json:"exitCode"`
			Notifications []any `json:"toolExecutionNotifications"`
		}
		Results []struct {
			Kind      string
			Message   struct{ Text string }
			Locations []sarifLocation
			CodeFlows []struct {
				ThreadFlows []struct {
					ID        string
					Locations []struct {
						Location   sarifLocation
						Order      int `json:"executionOrder"`
						Importance string
					}
				}
			}
		}
	}
}

type sarifLocation struct {
	Physical *struct {
		Artifact struct {
			URI  string
			Base string `json:"uriBaseId"`
		} `json:"artifactLocation"`
		Region struct {
			Line   int `json:"startLine"`
			Column int `json:"startColumn"`
		}
	} `json:"physicalLocation"`
}

// check requires that the files say what the report says.
func (f resultFiles) check(t *testing.T, dir string, doc *report.Check, status int) {
	t.Helper()
	log := readSARIF(t, f.sarif())
	run := log.Runs[0]
	require.True(t, run.Invocations[0].Successful)
	require.Equal(t, status, run.Invocations[0].ExitCode)
	require.Len(t, run.Results, len(doc.Claims))
	for i, c := range doc.Claims {
		r := run.Results[i]
		require.Equal(t, map[string]string{"conforms": "pass", "violates": "fail", "unknown": "open"}[c.Verdict], r.Kind)
		require.True(t, strings.HasPrefix(r.Message.Text, c.Name+": "), r.Message.Text)
		r.Locations[0].exists(t, dir)
		if c.Counterexample == nil {
			require.Empty(t, r.CodeFlows)
			continue
		}
		var actions []int // the orders of steps that act, once for each component that takes part
		for _, flow := range r.CodeFlows[0].ThreadFlows {
			before := 0
			for _, l := range flow.Locations {
				require.Greater(t, l.Order, before, "a component does one step after the other")
				before = l.Order
				if l.Location.Physical != nil {
					l.Location.exists(t, dir)
				}
				if l.Importance == "essential" {
					actions = append(actions, l.Order)
				}
			}
		}
		for i, s := range c.Counterexample.Steps {
			if s.Action != "" {
				require.Contains(t, actions, i+1)
			}
		}
	}
	f.checkJUnit(t, doc)
}

// exists requires that there is such a place.
func (l sarifLocation) exists(t *testing.T, dir string) {
	t.Helper()
	require.NotNil(t, l.Physical)
	name, err := url.PathUnescape(l.Physical.Artifact.URI)
	require.NoError(t, err)
	if strings.HasPrefix(name, "<") { // of our own
		return
	}
	require.Equal(t, "%SRCROOT%", l.Physical.Artifact.Base)
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	require.LessOrEqual(t, l.Physical.Region.Line, len(lines))
	require.LessOrEqual(t, l.Physical.Region.Column, len([]rune(lines[l.Physical.Region.Line-1]))+1)
}

// checkJUnit requires that the numbers add up and that names are unique, and, if the variable
// MAGUS_JUNIT_XSD names the schema junit-10.xsd of Jenkins, that xmllint finds nothing.
func (f resultFiles) checkJUnit(t *testing.T, doc *report.Check) {
	t.Helper()
	if xsd := os.Getenv("MAGUS_JUNIT_XSD"); xsd != "" {
		said, err := exec.Command("xmllint", "--noout", "--schema", xsd, f.junit()).CombinedOutput()
		require.NoError(t, err, string(said))
	}
	text, err := os.ReadFile(f.junit())
	require.NoError(t, err)
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Suite    struct {
			Cases []struct {
				Name    string    `xml:"name,attr"`
				Class   string    `xml:"classname,attr"`
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(text, &suites))
	failures, errors, names := 0, 0, map[string]bool{}
	for i, c := range suites.Suite.Cases {
		require.False(t, names[c.Class+"\x00"+c.Name], c.Name)
		names[c.Class+"\x00"+c.Name] = true
		if i < len(doc.Claims) {
			require.Equal(t, doc.Claims[i].Verdict == "violates", c.Failure != nil)
			require.Equal(t, doc.Claims[i].Verdict == "unknown", c.Error != nil)
		}
		if c.Failure != nil {
			failures++
		}
		if c.Error != nil {
			errors++
		}
	}
	require.Equal(t, [3]int{len(suites.Suite.Cases), failures, errors},
		[3]int{suites.Tests, suites.Failures, suites.Errors})
	require.Len(t, suites.Suite.Cases, max(1, len(doc.Claims)))
}

// readSARIF reads a log that the standard allows.
func readSARIF(t *testing.T, name string) (log sarifLog) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, sarifSchema(t, string(text)), string(text))
	require.NoError(t, json.Unmarshal(text, &log))
	return log
}

// sarifSchema is what is wrong with a log: by our schema, and by the standard's own if
// the variable MAGUS_SARIF_SCHEMA names its file.
func sarifSchema(t *testing.T, text string) error {
	t.Helper()
	files := []string{"../report/sarif/testdata/sarif.schema.json"}
	if name := os.Getenv("MAGUS_SARIF_SCHEMA"); name != "" {
		files = append(files, name)
	}
	for _, name := range files {
		s, err := jsonschema.NewCompiler().Compile(name)
		require.NoError(t, err)
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err, text)
		if err := s.Validate(v); err != nil {
			return err
		}
	}
	return nil
}

// The schema of logs refuses what the standard does not allow, or what services that
// read logs do not take.
func TestSARIFSchemaRefuses(t *testing.T) {
	const file = "out.sarif"
	dir := t.TempDir()
	w, _, stderr := testWorld("../../examples/assert")
	require.Equal(t, 1, cli.Main(t.Context(), []string{"check", "--property", "unreach-call", "--quiet",
		"--sarif", filepath.Join(dir, file), "wrap.c"}, w), stderr.String())
	raw, err := os.ReadFile(filepath.Join(dir, file))
	require.NoError(t, err)
	good := string(raw)
	require.NoError(t, sarifSchema(t, good))
	for _, test := range []struct{ what, from, to string }{
		{"a line that is none", `"startLine": 18`, `"startLine": 0`},
		{"a column that is none", `"startColumn": 2`, `"startColumn": 0`},
		{"another version", `"version": "2.1.0"`, `"version": "2.0.0"`},
		{"a failure that is none", `"level": "error",
          "message"`, `"level": "none",
          "message"`},
		{"a kind that is none", `"kind": "fail"`, `"kind": "bad"`},
		{"an empty message", `"text": "main: error never happens: violated: error"`, `"text": ""`},
		{"an order from 0", `"executionOrder": 1,`, `"executionOrder": 0,`},
		{"an importance that is none", `"importance": "essential"`, `"importance": "high"`},
		{"no place", `"locations": [
            {
              "physicalLocation"`, `"locations": [], "related": [
            {
              "physicalLocation"`},
		{"a status that is none", `"exitCode": 1`, `"exitCode": -1`},
		{"an address with blanks", `"uri": "wrap.c"`, `"uri": "wr ap.c"`},
		{"a property that is none", `"columnKind"`, `"columnsKind"`},
	} {
		bad := strings.Replace(good, test.from, test.to, 1)
		require.NotEqual(t, good, bad, test.what)
		require.Error(t, sarifSchema(t, bad), test.what)
	}
}

// A log has the same bytes every time, also where names of files are odd or absolute,
// and where nothing could be checked.
func TestSARIFOfOddInput(t *testing.T) {
	dir := t.TempDir()
	const program = "void reach_error(void);\nint main(void) { /* \u00e4 */ reach_error(); }\n"
	const odd = "a b%20#<script>\u00fc?.c"
	require.NoError(t, os.WriteFile(filepath.Join(dir, odd), []byte(program), 0o600))
	check := func(status int, args ...string) (string, sarifLog) {
		w, _, _ := testWorld(dir)
		out := filepath.Join(dir, "out.sarif")
		require.Equal(t, status,
			cli.Main(t.Context(), append([]string{"check", "--property", "unreach-call", "--quiet", "--sarif", out},
				args...), w))
		text, err := os.ReadFile(out)
		require.NoError(t, err)
		return string(text), readSARIF(t, out)
	}
	first, log := check(1, odd)
	second, _ := check(1, filepath.Join(dir, odd))
	require.Equal(t, first, second, "a file of the folder is named from the folder")
	at := log.Runs[0].Results[0].Locations[0]
	at.exists(t, dir)
	require.Equal(t, 26, at.Physical.Region.Column, "characters, not bytes")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.c"), []byte("int main(void) { return 0 }\n"), 0o600))
	text, log := check(2, "bad.c")
	require.False(t, log.Runs[0].Invocations[0].Successful)
	require.Equal(t, 2, log.Runs[0].Invocations[0].ExitCode)
	require.Contains(t, text, "bad.c:1:")
	require.Empty(t, log.Runs[0].Results)
}
