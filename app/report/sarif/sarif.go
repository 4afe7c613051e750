package sarif

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"magus/app/report"
)

// Settings are what a log says besides the report.
type Settings struct {
	Version  string // of the tool
	Dir      string // absolute: the folder that names of files are relative to
	ExitCode int    // of the tool
	Sources  report.Sources
	Property string // the rule of the claim, as --property has it; "": claims of specifications
}

// srcRoot is the name of the folder of the check.
const srcRoot = "%SRCROOT%"

// maxSteps is how many steps of a thread a reader of logs may take.
const maxSteps = 10000

// Write writes the log of a check.
func Write(w io.Writer, c *report.Check, s Settings) error {
	inv := invocation{Successful: true, ExitCode: s.ExitCode, Notifications: s.notifications(c)}
	r := s.run(inv)
	if c.Rules != nil {
		r.Tool.Driver.Rules = ruleList(c.Rules)
		r.Results = s.ruleResults(c)
		return encode(w, r)
	}
	for _, claim := range c.Claims {
		r.Results = append(r.Results, s.result(claim))
	}
	return encode(w, r)
}

// WriteMistake writes the log of a check that came to nothing since its input is wrong.
func WriteMistake(w io.Writer, text string, s Settings) error {
	return encode(w, s.run(invocation{ExitCode: s.ExitCode,
		Notifications: []notification{{Level: "error", Message: message{text}}}}))
}

// encode writes a log of one run.
func encode(w io.Writer, r run) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(log{schemaURI, "2.1.0", []run{r}})
}

// run is a run without results.
func (s Settings) run(inv invocation) run {
	return run{
		Tool:        tool{driver{"magus", s.Version, home, rules()}},
		Invocations: []invocation{inv},
		Bases: map[string]artifactLocation{srcRoot: {Description: &message{"The folder in which the " +
			"check was started."}}},
		ColumnKind: "unicodeCodePoints",
		Results:    []result{},
	}
}

// home is where the tool is, and docs where its documents are.
const (
	home = "https://pkg.go.dev/magus"
	docs = home + "/docs/"
)

// help is the address of a page of the documents.
func help(page string) string { return docs + page }

// conformance is the place of the rule of specifications in the list of rules.
const conformance = 0

// rules are what a result may be about.
func rules() []rule {
	fails := configuration{"error"}
	return []rule{
		{"conformance", "SpecificationViolated",
			message{"The code does something that its specification does not allow."},
			message{"Some run of the components, with some values of their data and some interleaving, " +
				"performs a sequence of actions that the specification does not allow. The run has been replayed."},
			message{"Follow the code flow: each thread flow is one component, and executionOrder is the interleaving. " +
				"The last step is the action that is not allowed. Mend the code, or the specification if it is too narrow."},
			help("semantics.md#actions-and-traces"), fails},
		{"unreach-call", "ErrorReachable",
			message{"An error call can be reached."},
			message{"Some run of the program reaches a call of an error function, an error label or a failing " +
				"assertion. The run has been replayed."},
			message{"Follow the code flow: the states have the values that lead to the error."},
			help("semantics.md#verdicts"), fails},
		{"no-data-race", "DataRace",
			message{"Two threads access a variable at once, and one of them writes."},
			message{"In some run two threads come to accesses of one variable at the same time; " +
				"one is a write, and not both are atomic. What C says of such a program is nothing. The run has been replayed."},
			message{"Follow the code flow: the last step has both accesses. Protect them by one lock, or make both atomic."},
			help("threads.md"), fails},
		{"no-deadlock", "Deadlock",
			message{"Threads or components wait for each other for ever."},
			message{"In some run no thread goes on, and at least one waits for a lock, a semaphore or the end " +
				"of a thread; or no component does, and one waits for an action. The run has been replayed."},
			message{"Follow the code flow: the message and the last steps have the places where threads and " +
				"components wait. Take locks, and perform shared actions, in one order everywhere."},
			help("semantics.md#deadlocks-of-components"), fails},
		{"failures", "Refused",
			message{"The code refuses what its specification must be offered."},
			message{"Some run of the components comes to where all stand still, and none of the sets of " +
				"actions that the specification may ask for after its trace is offered. The run has been replayed."},
			message{"Follow the code flow: the last steps have the places where the components stand still, " +
				"and the message what must be offered there. Offer it, or allow in the specification that it is not."},
			help("semantics.md#what-must-not-be-refused"), fails},
		{"terminates", "EndlessRun",
			message{"A run does not end."},
			message{"Some run of the function, with some inputs, goes round a loop for ever. " +
				"The way to the loop and two rounds of it have been executed."},
			message{"Follow the code flow: the message says where the loop begins, and why it does not end; " +
				"the last steps are two rounds of it."},
			help("semantics.md#whether-runs-end"), fails},
	}
}

// result is the result of a claim.
func (s Settings) result(c report.Claim) result {
	r := result{RuleID: rules()[conformance].ID, RuleIndex: conformance, Kind: "open", Level: "none"}
	if i := slices.IndexFunc(rules(), func(r rule) bool { return r.ID == s.Property }); i > conformance {
		r.RuleID, r.RuleIndex = s.Property, i
	}
	where := c.Place
	if where == nil && len(c.Procedures) > 0 {
		where = c.Procedures[0].Place
	}
	file := s.fileOf(c)
	r.Message.Text = fmt.Sprintf("%s: unknown: %s", c.Name, cmp.Or(c.Reason, "no reason is known"))
	var trace []string
	switch x := c.Counterexample; {
	case c.Verdict == "conforms":
		r.Kind, r.Message.Text = "pass", c.Name+": conforms"
	case c.Verdict == "violates" && x != nil:
		trace = x.Trace
		r.Kind, r.Level, r.Message.Text = "fail", "error", report.Headline(c)
		r.CodeFlows, r.Related = []codeFlow{s.codeFlow(x)}, s.related(x)
		if x.Must != nil {
			r.RuleIndex = slices.IndexFunc(rules(), func(r rule) bool { return r.ID == "failures" })
			r.RuleID = "failures"
		}
		if p := x.End(); p != nil {
			where = p
		}
	}
	r.Locations = []location{s.quoted(s.location(where, "", ""), where)}
	sum := sha256.Sum256([]byte(file + "\x00" + c.Name + "\x00" + strings.Join(trace, "\x00")))
	r.Fingerprints = map[string]string{"claimAndTrace/v2": fmt.Sprintf("%x", sum[:16])}
	return r
}

// related are the places where those stand that wait in a deadlock, each with whom it waits for.
func (s Settings) related(x *report.Counterexample) (all []location) {
	for _, st := range x.Standing {
		if !st.Ended && st.Place != nil {
			all = append(all, s.location(st.Place, st.Procedure, st.String()))
		}
	}
	return all
}

// fileOf is the file of a claim: those of a suite may have the same name in several.
func (s Settings) fileOf(c report.Claim) string {
	switch {
	case len(c.Procedures) > 0 && c.Procedures[0].Place != nil:
		return s.artifact(c.Procedures[0].Place.File).URI
	case c.Place != nil:
		return s.artifact(c.Place.File).URI
	}
	return ""
}

// codeFlow is a counterexample. Of a run that is longer than what readers of logs take,
// the steps that neither act nor change a value that matters are left out first, and
// then the oldest ones.
func (s Settings) codeFlow(x *report.Counterexample) codeFlow {
	f := codeFlow{}
	steps := make([]int, 0, len(x.Steps))
	for i := range x.Steps {
		steps = append(steps, i)
	}
	if len(steps) > maxSteps {
		steps = slices.DeleteFunc(steps, func(i int) bool { return importance(x.Steps[i]) == "unimportant" })
		steps = steps[max(0, len(steps)-maxSteps):]
		f.Message = &message{fmt.Sprintf("%d of the run's %d steps", len(steps), len(x.Steps))}
	}
	flows := map[string]*threadFlow{}
	var order []string
	flow := func(name string) *threadFlow {
		if flows[name] == nil {
			flows[name] = &threadFlow{ID: name}
			order = append(order, name)
		}
		return flows[name]
	}
	for _, in := range x.Initial {
		t := flow(in.Component)
		if t.Initial == nil {
			t.Initial = map[string]message{}
		}
		t.Initial[in.Name] = message{in.Value}
	}
	for _, i := range steps {
		st := x.Steps[i]
		t := flow(st.Component)
		t.Locations = append(t.Locations, s.step(i, st))
		for _, o := range st.Others {
			j := report.Step{Component: o.Component, Place: o.Place, Procedure: o.Procedure,
				Statement: o.Statement, Source: o.Source, Action: st.Action}
			t := flow(o.Component)
			t.Locations = append(t.Locations, s.step(i, j))
		}
	}
	for k, st := range x.Standing { // at the end of the run
		t := flow(st.Component)
		at := s.location(st.Place, st.Procedure, st.String())
		t.Locations = append(t.Locations, threadFlowLocation{Location: at, Order: len(x.Steps) + k + 1,
			Importance: "essential"})
	}
	for _, name := range order {
		if len(flows[name].Locations) > 0 { // the standard wants at least one
			f.ThreadFlows = append(f.ThreadFlows, *flows[name])
		}
	}
	if len(f.ThreadFlows) == 0 {
		f.ThreadFlows = []threadFlow{{ID: "run",
			Locations: []threadFlowLocation{{Location: location{Message: &message{"no step"}}, Order: 1,
				Importance: "important"}}}}
	}
	return f
}

// step is step number i of a run.
func (s Settings) step(i int, st report.Step) threadFlowLocation {
	text := cmp.Or(st.Source, st.Statement)
	switch {
	case st.Forbidden:
		text = "not allowed: " + st.Action + ": " + text
	case st.Action != "":
		text = st.Action + ": " + text
	}
	t := threadFlowLocation{Location: s.location(st.Place, st.Procedure, text), Order: i + 1, Importance: importance(st)}
	if st.Branch != "" {
		t.Kinds = []string{"branch", st.Branch}
	}
	for _, v := range st.Values {
		if t.State == nil {
			t.State = map[string]message{}
		}
		t.State[v.Name] = message{cmp.Or(v.State, v.Named, v.Value)}
	}
	return t
}

// importance is that of a step: actions are essential, what nothing depends on is not
// important.
func importance(st report.Step) string {
	switch {
	case st.Action != "":
		return "essential"
	case st.Branch == "" && st.Rounds == nil && !slices.ContainsFunc(st.Values, func(v report.Value) bool {
		return !v.Idle
	}):
		return "unimportant"
	}
	return "important"
}

// location is a place with what is there. Where there is no place, the message says all.
func (s Settings) location(p *report.Place, procedure, text string) location {
	var l location
	if p != nil {
		l.Physical = &physicalLocation{Artifact: s.artifact(p.File)}
		if p.Line > 0 {
			l.Physical.Region = &region{StartLine: p.Line, StartColumn: s.column(p)}
		}
	}
	if procedure != "" {
		l.Logical = []logicalLocation{{procedure, "function"}}
	}
	if text != "" {
		l.Message = &message{text}
	}
	return l
}

// column is the column of a place in characters, 0 if it is not known: the report has
// it in bytes.
func (s Settings) column(p *report.Place) int {
	if s.Sources == nil || p.Column < 1 {
		return max(0, p.Column)
	}
	line := s.Sources.Line(p.File, p.Line)
	return utf8.RuneCountInString(line[:min(p.Column-1, len(line))]) + max(0, p.Column-1-len(line)) + 1
}

// artifact is the address of a file: relative to the folder of the check if it lies in
// there, or has been named so.
func (s Settings) artifact(name string) artifactLocation {
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(s.Dir, name)
		if err != nil || !filepath.IsLocal(rel) {
			u := url.URL{Scheme: "file", Path: filepath.ToSlash(name)}
			return artifactLocation{URI: u.String()}
		}
		name = rel
	}
	u := url.URL{Path: filepath.ToSlash(filepath.Clean(name))}
	return artifactLocation{URI: u.String(), BaseID: srcRoot}
}

// notifications are warnings, doubts, reasons and assumptions, each once.
func (s Settings) notifications(c *report.Check) []notification {
	var all []notification
	seen := map[string]bool{}
	add := func(level string, p *report.Place, text string) {
		key := fmt.Sprint(level, p, text)
		if text == "" || seen[key] {
			return
		}
		seen[key] = true
		n := notification{Level: level, Message: message{text}}
		if p != nil {
			n.Locations = []location{s.location(p, "", "")}
		}
		all = append(all, n)
	}
	add("warning", c.Place, c.Reason)
	for _, w := range c.Warnings {
		add("warning", w.Place, w.Text)
	}
	for _, claim := range c.Claims {
		if claim.Reason != "" {
			add("warning", claim.Because.Place, claim.Name+": unknown: "+claim.Reason)
		}
		for _, d := range claim.Doubts {
			add("warning", d.Place, claim.Name+": "+d.Text)
		}
		for _, a := range claim.Assumptions {
			add("note", a.Place, a.Text)
		}
	}
	return all
}
