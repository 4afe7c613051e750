package sarif

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/app/report"
)

func place(file string, line, column int) *report.Place {
	return &report.Place{File: file, Line: line, Column: column}
}

// lines are sources.
type lines map[string][]string

func (l lines) Line(file string, n int) string {
	if n < 1 || n > len(l[file]) {
		return ""
	}
	return l[file][n-1]
}

func TestColumnsAreCharacters(t *testing.T) {
	src := lines{"a.c": {"äb = ü;"}}
	for _, test := range []struct {
		column, want int
	}{{0, 0}, {-1, 0}, {1, 1}, {3, 2}, {4, 3}, {7, 6}, {9, 7}, {10, 8}, {12, 10}} {
		assert.Equal(t, test.want, Settings{Sources: src}.column(place("a.c", 1, test.column)), test.column)
		assert.Equal(t, max(0, test.column), Settings{}.column(place("a.c", 1, test.column)), "without sources")
	}
	assert.Equal(t, 5, Settings{Sources: src}.column(place("a.c", 2, 5)), "a line that is not there")
}

func TestAddressesOfFiles(t *testing.T) {
	s := Settings{Dir: "/src/here"}
	for _, test := range []struct{ name, uri, base string }{
		{"a.c", "a.c", srcRoot},
		{"./b/../a.c", "a.c", srcRoot},
		{"../a.c", "../a.c", srcRoot},
		{"a b.c", "a%20b.c", srcRoot},
		{"/src/here/sub/a.c", "sub/a.c", srcRoot},
		{"/src/a.c", "file:///src/a.c", ""},
		{"/usr/include/x y.h", "file:///usr/include/x%20y.h", ""},
	} {
		assert.Equal(t, artifactLocation{URI: test.uri, BaseID: test.base}, s.artifact(test.name), test.name)
	}
}

func TestLocations(t *testing.T) {
	s := Settings{}
	assert.Equal(t, location{}, s.location(nil, "", ""))
	assert.Equal(t, location{Message: &message{"text"}, Logical: []logicalLocation{{"f", "function"}}},
		s.location(nil, "f", "text"))
	file := artifactLocation{URI: "a.c", BaseID: srcRoot}
	assert.Equal(t, location{Physical: &physicalLocation{Artifact: file,
		Region: &region{StartLine: 1, StartColumn: 2}}}, s.location(place("a.c", 1, 2), "", ""))
	assert.Equal(t, location{Physical: &physicalLocation{Artifact: file}}, s.location(place("a.c", 0, 0), "", ""),
		"a file as a whole")
}

func TestImportance(t *testing.T) {
	idle, live := report.Value{Name: "x", Idle: true}, report.Value{Name: "y"}
	for what, test := range map[string]struct {
		step report.Step
		want string
	}{
		"nothing":                        {report.Step{}, "unimportant"},
		"a value that nothing needs":     {report.Step{Values: []report.Value{idle}}, "unimportant"},
		"a value":                        {report.Step{Values: []report.Value{live}}, "important"},
		"two values, one that counts":    {report.Step{Values: []report.Value{idle, live}}, "important"},
		"a branch":                       {report.Step{Branch: "then"}, "important"},
		"rounds of a loop":               {report.Step{Rounds: &report.Rounds{}}, "important"},
		"an action":                      {report.Step{Action: "a"}, "essential"},
		"an action, although it is idle": {report.Step{Action: "a", Values: []report.Value{idle}}, "essential"},
	} {
		assert.Equal(t, test.want, importance(test.step), what)
	}
}

func TestSteps(t *testing.T) {
	s := Settings{}
	for what, test := range map[string]struct {
		step report.Step
		want threadFlowLocation
	}{
		"the source is said where there is one": {report.Step{Source: "x = 1;", Statement: "x := 1"},
			threadFlowLocation{Location: location{Message: &message{"x = 1;"}}, Importance: "unimportant"}},
		"the statement else": {report.Step{Statement: "x := 1",
			Values: []report.Value{{Name: "x", Value: "1"}, {Name: "e", Value: "2", Named: "BIG"}}},
			threadFlowLocation{Location: location{Message: &message{"x := 1"}}, Importance: "important",
				State: map[string]message{"x": {"1"}, "e": {"BIG"}}}},
		"an action": {report.Step{Statement: "f();", Action: "f"},
			threadFlowLocation{Location: location{Message: &message{"f: f();"}}, Importance: "essential"}},
		"a forbidden one": {report.Step{Statement: "f();", Action: "f", Forbidden: true},
			threadFlowLocation{Location: location{Message: &message{"not allowed: f: f();"}}, Importance: "essential"}},
		"a branch": {report.Step{Statement: "x > 1", Branch: "else"},
			threadFlowLocation{Location: location{Message: &message{"x > 1"}}, Importance: "important",
				Kinds: []string{"branch", "else"}}},
	} {
		test.want.Order = 8
		assert.Equal(t, test.want, s.step(7, test.step), what)
	}
}

// said is a code flow in short: each thread flow with the orders and texts of its steps.
func said(f codeFlow) map[string][]string {
	all := map[string][]string{}
	for _, t := range f.ThreadFlows {
		for _, l := range t.Locations {
			all[t.ID] = append(all[t.ID], fmt.Sprint(l.Order, " ", l.Location.Message.Text))
		}
	}
	return all
}

func TestCodeFlowOfComponents(t *testing.T) {
	x := &report.Counterexample{
		Initial: []report.Initial{{Component: "b", Name: "n", Value: "3"}, {Component: "b", Name: "m", Value: "4"},
			{Component: "idle", Name: "n", Value: "5"}},
		Steps: []report.Step{
			{Component: "a", Statement: "one"},
			{Component: "b", Statement: "two"},
			{Component: "a", Statement: "three", Action: "race",
				Others: []report.Other{{Component: "b", Statement: "four", Procedure: "f",
					Place: place("b.c", 1, 1), Source: "four;"}}},
		},
	}
	f := Settings{}.codeFlow(x)
	assert.Nil(t, f.Message, "nothing is left out")
	assert.Equal(t, map[string][]string{
		"a": {"1 one", "3 race: three"},
		"b": {"2 two", "3 race: four;"},
	}, said(f))
	require.Len(t, f.ThreadFlows, 2, "a component that does nothing has no flow")
	assert.Equal(t, "b", f.ThreadFlows[0].ID, "in the order in which they come")
	assert.Equal(t, map[string]message{"n": {"3"}, "m": {"4"}}, f.ThreadFlows[0].Initial)
	assert.Nil(t, f.ThreadFlows[1].Initial)
	other := f.ThreadFlows[0].Locations[1].Location
	assert.Equal(t, "b.c", other.Physical.Artifact.URI)
	assert.Equal(t, []logicalLocation{{"f", "function"}}, other.Logical)
}

func TestCodeFlowWithoutSteps(t *testing.T) {
	f := Settings{}.codeFlow(&report.Counterexample{})
	assert.Equal(t, map[string][]string{"run": {"1 no step"}}, said(f))
	assert.Equal(t, "important", f.ThreadFlows[0].Locations[0].Importance)
}

// Of a run with more steps than readers take, those that say nothing go first, and then the oldest.
func TestCodeFlowsOfLongRuns(t *testing.T) {
	run := func(idle, acting int) *report.Counterexample {
		x := &report.Counterexample{}
		for range idle {
			x.Steps = append(x.Steps, report.Step{Component: "c", Statement: "idle"})
		}
		for range acting {
			x.Steps = append(x.Steps, report.Step{Component: "c", Action: "act"})
		}
		return x
	}
	for _, test := range []struct {
		idle, acting, kept, first int
		message                   string
	}{
		{maxSteps - 1, 1, maxSteps, 1, ""},
		{maxSteps, 1, 1, maxSteps + 1, "1 of the run's 10001 steps"},
		{5, maxSteps + 2, maxSteps, 8, "10000 of the run's 10007 steps"},
		{5, maxSteps, maxSteps, 6, "10000 of the run's 10005 steps"},
	} {
		f := Settings{}.codeFlow(run(test.idle, test.acting))
		all := f.ThreadFlows[0].Locations
		assert.Len(t, all, test.kept)
		assert.Equal(t, test.first, all[0].Order, "steps keep their numbers")
		assert.Equal(t, test.idle+test.acting, all[len(all)-1].Order)
		if test.message == "" {
			assert.Nil(t, f.Message)
		} else {
			assert.Equal(t, &message{test.message}, f.Message)
		}
	}
}

func TestResults(t *testing.T) {
	violated := &report.Counterexample{Trace: []string{"a", "b"}, Steps: []report.Step{
		{Component: "f", Place: place("f.c", 3, 1), Action: "a"}, {Component: "f", Action: "b"}}}
	procedures := []report.Procedure{{Name: "f", Place: place("f.c", 1, 1)}, {Name: "g", Place: place("g.c", 1, 1)}}
	claim := func(verdict string, x *report.Counterexample) report.Claim {
		return report.Claim{Name: "claim", Verdict: verdict, Counterexample: x, Procedures: procedures}
	}
	unknown := claim("unknown", nil)
	unknown.Reason, unknown.Place = "too hard", place("h.c", 9, 2)
	for what, test := range map[string]struct {
		claim       report.Claim
		property    string
		rule        string
		kind, level string
		text        string
		file        string
		line        int
		flows       int
	}{
		"a proof": {claim("conforms", nil), "", "conformance", "pass", "none",
			"claim: conforms", "f.c", 1, 0},
		"a violation": {claim("violates", violated), "unreach-call", "unreach-call", "fail",
			"error", report.Headline(claim("violates", violated)), "f.c", 3, 1},
		"a race": {claim("violates", violated), "no-data-race", "no-data-race", "fail",
			"error", report.Headline(claim("violates", violated)), "f.c", 3, 1},
		"a deadlock": {claim("conforms", nil), "no-deadlock", "no-deadlock", "pass", "none",
			"claim: conforms", "f.c", 1, 0},
		"a property without a rule": {claim("conforms", nil), "termination", "conformance", "pass", "none",
			"claim: conforms", "f.c", 1, 0},
		"a violation without steps": {claim("violates", &report.Counterexample{Trace: []string{"a"}}), "",
			"conformance", "fail", "error", "claim: violated: a", "f.c", 1, 1},
		"a violation without a run": {claim("violates", nil), "", "conformance", "open", "none",
			"claim: unknown: no reason is known", "f.c", 1, 0},
		"unknown": {unknown, "", "conformance", "open", "none", "claim: unknown: too hard", "h.c", 9, 0},
	} {
		r := Settings{Property: test.property}.result(test.claim)
		assert.Equal(t, test.rule, r.RuleID, what)
		assert.Equal(t, test.rule, rules()[r.RuleIndex].ID, what)
		assert.Equal(t, [3]string{test.kind, test.level, test.text}, [3]string{r.Kind, r.Level, r.Message.Text}, what)
		require.Len(t, r.Locations, 1, what)
		assert.Equal(t, test.file, r.Locations[0].Physical.Artifact.URI, what)
		assert.Equal(t, test.line, r.Locations[0].Physical.Region.StartLine, what)
		assert.Len(t, r.CodeFlows, test.flows, what)
	}
	nowhere := Settings{}.result(report.Claim{Name: "claim", Verdict: "conforms"})
	assert.Equal(t, []location{{}}, nowhere.Locations)
}

// A fingerprint is that of the claim and of what its run does, so that a service knows the result again when
// lines have moved.
func TestFingerprints(t *testing.T) {
	of := func(name string, line int, trace ...string) string {
		c := report.Claim{Name: name, Verdict: "conforms", Because: report.Because{Place: place("a.c", line, 1)}}
		if trace != nil {
			c.Verdict, c.Counterexample = "violates", &report.Counterexample{Trace: trace}
		}
		all := Settings{}.result(c).Fingerprints
		require.Len(t, all, 1)
		require.Len(t, all["claimAndTrace/v2"], 32)
		return all["claimAndTrace/v2"]
	}
	one := of("c", 1, "a", "b")
	assert.Equal(t, one, of("c", 2, "a", "b"))
	other := report.Claim{Name: "c", Verdict: "conforms", Procedures: []report.Procedure{{Place: place("b.c", 1, 1)}}}
	seen := map[string]bool{(Settings{}).result(other).Fingerprints["claimAndTrace/v2"]: true}
	for _, f := range []string{one, of("d", 1, "a", "b"), of("c", 1, "b", "a"), of("c", 1, "ab"), of("c", 1), of("d", 1)} {
		assert.False(t, seen[f])
		seen[f] = true
	}
}

func TestNotifications(t *testing.T) {
	p := place("a.c", 1, 1)
	c := &report.Check{Warnings: []report.Remark{{Place: p, Text: "odd"}, {Place: p, Text: "odd"},
		{Place: place("a.c", 2, 1), Text: "odd"}, {Text: "other"}}}
	c.Because = report.Because{Reason: "refused", Place: p}
	c.Claims = []report.Claim{
		{Name: "one", Because: report.Because{Reason: "hard", Place: p},
			Doubts:      []report.Doubt{{Place: p, Text: "never called"}},
			Assumptions: []report.Remark{{Text: "f changes nothing"}}},
		{Name: "two", Doubts: []report.Doubt{{Place: p, Text: "never called"}},
			Assumptions: []report.Remark{{Text: "f changes nothing"}}},
	}
	var all []string
	for _, n := range (Settings{}).notifications(c) {
		where := ""
		for _, l := range n.Locations {
			where += fmt.Sprintf(" %s:%d", l.Physical.Artifact.URI, l.Physical.Region.StartLine)
		}
		all = append(all, n.Level+where+": "+n.Message.Text)
	}
	assert.Equal(t, []string{
		"warning a.c:1: refused",
		"warning a.c:1: odd",
		"warning a.c:2: odd",
		"warning: other",
		"warning a.c:1: one: unknown: hard",
		"warning a.c:1: one: never called",
		"note: f changes nothing",
		"warning a.c:1: two: never called",
	}, all)
	assert.Empty(t, Settings{}.notifications(&report.Check{Claims: []report.Claim{{Name: "fine"}}}))
}

// A log is of one run; texts are not escaped for HTML.
func TestWrite(t *testing.T) {
	read := func(text string) (l log) {
		require.NoError(t, json.Unmarshal([]byte(text), &l))
		require.Len(t, l.Runs, 1)
		require.Len(t, l.Runs[0].Invocations, 1)
		assert.Equal(t, [2]string{schemaURI, "2.1.0"}, [2]string{l.Schema, l.Version})
		assert.Equal(t, "1.2", l.Runs[0].Tool.Driver.Version)
		return l
	}
	var out bytes.Buffer
	c := &report.Check{Claims: []report.Claim{{Name: "a<b", Verdict: "conforms"}, {Name: "c", Verdict: "conforms"}}}
	c.Warnings = []report.Remark{{Text: "odd"}}
	require.NoError(t, Write(&out, c, Settings{Version: "1.2", ExitCode: 3}))
	assert.Contains(t, out.String(), `"text": "a<b: conforms"`)
	assert.Contains(t, out.String(), "\n  \"version\"", "indented by two blanks")
	l := read(out.String())
	assert.True(t, l.Runs[0].Invocations[0].Successful)
	assert.Equal(t, 3, l.Runs[0].Invocations[0].ExitCode)
	assert.Len(t, l.Runs[0].Invocations[0].Notifications, 1)
	require.Len(t, l.Runs[0].Results, 2)

	out.Reset()
	require.NoError(t, WriteMistake(&out, "a.c:1: no", Settings{Version: "1.2", ExitCode: 2}))
	l = read(out.String())
	assert.False(t, l.Runs[0].Invocations[0].Successful)
	assert.Equal(t, 2, l.Runs[0].Invocations[0].ExitCode)
	assert.Equal(t, []notification{{Level: "error", Message: message{"a.c:1: no"}}},
		l.Runs[0].Invocations[0].Notifications)
	assert.Contains(t, out.String(), `"results": []`, "an empty list, not null")
}

// Each rule says what is wrong and what to do, as services want it.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules() {
		assert.False(t, seen[r.ID])
		seen[r.ID] = true
		for _, text := range []string{r.Short.Text, r.Full.Text, r.Help.Text} {
			assert.True(t, strings.HasSuffix(text, "."), text)
		}
		assert.Equal(t, "error", r.Default.Level)
	}
	assert.Equal(t, "conformance", rules()[conformance].ID)
}

func TestPlacesOfResultsAreQuoted(t *testing.T) {
	long := strings.Repeat("x", longest+1)
	src := lines{"a.c": {"int f(void)", "{", "\tü = 1; g();", "}", "", "", "int h;"}, "long.c": {"a;", long, "b;", "c;"}}
	quote := func(file string, line, column int) string {
		l := Settings{Sources: src}.quoted(Settings{Sources: src}.location(place(file, line, column), "", ""),
			place(file, line, column))
		r, c := l.Physical.Region, l.Physical.Context
		said := fmt.Sprint(r.StartLine, ":", r.StartColumn)
		if r.Snippet != nil {
			said += " " + r.Snippet.Text
		}
		if c != nil {
			said += fmt.Sprintf(" | %d-%d %q", c.StartLine, c.EndLine, c.Snippet.Text)
		}
		return said
	}
	for _, test := range []struct {
		file         string
		line, column int
		want         string
	}{
		{"a.c", 3, 10, `3:9 g(); | 1-4 "int f(void)\n{\n\tü = 1; g();\n}"`},
		{"a.c", 1, 0, `1:0 int f(void) | 1-3 "int f(void)\n{\n\tü = 1; g();"`},
		{"a.c", 7, 5, `7:5 h; | 5-7 "\n\nint h;"`},
		{"a.c", 4, 9, `4:9 | 2-4 "{\n\tü = 1; g();\n}"`},
		{"a.c", 5, 1, `5:1`},
		{"a.c", 9, 1, `9:1`},
		{"none.c", 1, 1, `1:1`},
		{"long.c", 2, 1, `2:1`},
		{"long.c", 3, 1, `3:1 b;`},
		{"long.c", 4, 1, `4:1 c;`},
	} {
		assert.Equal(t, test.want, quote(test.file, test.line, test.column), test.file)
	}
	assert.Equal(t, location{}, Settings{Sources: src}.quoted(location{}, nil))
	plain := Settings{}.location(place("a.c", 1, 1), "", "")
	assert.Equal(t, plain, Settings{}.quoted(plain, place("a.c", 1, 1)))
}

// Each rule has a page of the documents that is there, and a heading in it.
func TestPagesOfRulesAreThere(t *testing.T) {
	all := append(rules(), ruleList(&report.Rules{Rules: []report.RuleCount{{Rule: "mine"}}})...)
	for _, r := range all {
		page, heading, _ := strings.Cut(strings.TrimPrefix(r.HelpURI, docs), "#")
		text, err := os.ReadFile(filepath.Join("../../../docs", page))
		require.NoError(t, err, r.ID)
		found := heading == ""
		for line := range strings.Lines(string(text)) {
			title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
			found = found || ok && strings.HasPrefix(line, "#") &&
				strings.ReplaceAll(strings.ToLower(strings.TrimSpace(title)), " ", "-") == heading
		}
		assert.True(t, found, r.HelpURI)
	}
}
