package cli

// Files and lines that other programs read verdicts from: SARIF, JUnit, GitHub's
// annotations.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"magus"
	"magus/app/job"
	"magus/app/options"
	"magus/app/page"
	"magus/app/report"
	"magus/app/report/junit"
	"magus/app/report/sarif"
)

// writeResults writes the files of results that were asked for. q is nil if nothing
// could be asked.
func (w *World) writeResults(o *options.Options, q *job.Question, doc *report.Check) error {
	var sources report.Sources
	if q != nil {
		sources = q.Program.Sources
	}
	s := w.sarifSettings(o, statusOf(doc.Verdict))
	s.Sources = sources
	return errors.Join(
		w.writeNamed("--sarif", o.SARIF, func(out io.Writer) error { return sarif.Write(out, doc, s) }),
		w.writeNamed("--junit", o.JUnit, func(out io.Writer) error {
			return junit.Write(out, []junit.Suite{suiteOf(doc, o)})
		}))
}

// writeRuleResults writes the files of a check of rules, whose exit status is given.
func (w *World) writeRuleResults(o *options.Options, q *job.Question, doc *report.Check, status int) error {
	s := w.sarifSettings(o, status)
	if q != nil && q.Program != nil {
		s.Sources = q.Program.Sources
	}
	return errors.Join(
		w.writeNamed("--sarif", o.SARIF, func(out io.Writer) error { return sarif.Write(out, doc, s) }),
		w.writeNamed("--junit", o.JUnit, func(out io.Writer) error {
			return junit.Write(out, []junit.Suite{suiteOf(doc, o)})
		}),
		w.writeNamed("--report", w.rulesPage(o), func(out io.Writer) error {
			return page.WriteRules(context.Background(), out, doc, s.Sources)
		}))
}

// writeMistake writes the files that were asked for where the input is wrong, so that
// nobody takes those of an earlier run for this one's.
func (w *World) writeMistake(o *options.Options, mistake error) error {
	text := mistake.Error()
	err := w.writeNamed("--sarif", o.SARIF, func(out io.Writer) error {
		return sarif.WriteMistake(out, text, w.sarifSettings(o, exitInput))
	})
	first, _, _ := strings.Cut(text, "\n")
	suite := junit.Suite{Name: suiteName, Cases: []junit.Case{{Name: "the input", Class: suiteName,
		Error: first, Detail: text}}}
	return errors.Join(err, w.writeNamed("--junit", o.JUnit, func(out io.Writer) error {
		return junit.Write(out, []junit.Suite{suite})
	}))
}

// sarifSettings are what a log says besides the report.
func (w *World) sarifSettings(o *options.Options, status int) sarif.Settings {
	s := sarif.Settings{Version: version(), ExitCode: status, Property: o.Property}
	if dir, err := filepath.Abs(w.Dir.Path(".")); err == nil {
		s.Dir = dir
	}
	return s
}

// suiteName is the name of the suite of a check.
const suiteName = "magus check"

// suiteOf is a check as a suite with one case for each claim, whose class is the file
// of its first component. Of claims that break a rule for one cause there is one case.
func suiteOf(doc *report.Check, o *options.Options) junit.Suite {
	suite := junit.Suite{Name: suiteName, Seconds: doc.Cost.Seconds}
	if doc.Rules != nil {
		suite.Name = "magus rules check"
	}
	add := func(c junit.Case, verdict, text, detail string) {
		c.Detail = detail
		switch {
		case verdict == magus.Violates.String():
			c.Failure = text
		case verdict == magus.Unknown.String() && o.JUnitUnknown == "skipped":
			c.Skipped = text
		case verdict == magus.Unknown.String():
			c.Error = text
		}
		suite.Cases = append(suite.Cases, c)
	}
	for _, claim := range doc.Claims {
		c := junit.Case{Name: claim.Name, Class: suite.Name, Seconds: claim.Statistics.Seconds}
		if len(claim.Procedures) > 0 && claim.Procedures[0].Place != nil {
			c.Class = claim.Procedures[0].Place.File
		}
		var b strings.Builder
		if claim.Verdict != magus.Conforms.String() {
			_ = report.WriteClaim(&b, claim, report.Text{}) // a Builder takes everything
		}
		if doc.Rules == nil || claim.Verdict != magus.Violates.String() {
			add(c, claim.Verdict, summary(claim), b.String())
		} else if f := doc.Rules.Find(claim.Name); f != nil {
			suite.Cases = append(suite.Cases, caseOf(c, f, b.String()))
		}
	}
	if doc.Rules != nil {
		for _, r := range doc.Rules.Rules {
			for _, n := range r.NotAlone {
				add(junit.Case{Name: n.Root + ": rule " + r.Rule, Class: suite.Name}, magus.Unknown.String(),
					"unknown: "+n.String(), "")
			}
		}
	}
	if doc.Rules == nil && len(doc.Claims) == 0 || doc.Rules != nil && doc.Reason != "" {
		add(junit.Case{Name: "the program", Class: suite.Name}, doc.Verdict, "unknown: "+doc.Reason, "")
	}
	return suite
}

// caseOf is a finding as a case: what is known or allowed is skipped.
func caseOf(c junit.Case, f *report.Finding, detail string) junit.Case {
	text := f.Line()
	if also := f.AlsoFrom(); also != "" {
		text += " (" + also + ")"
	}
	c.Detail = detail
	switch f.Kind {
	case report.Known:
		c.Skipped = "known: " + text
	case report.Allowed:
		c.Skipped = "allowed, " + f.Reason + ": " + text
	default:
		c.Failure = text
	}
	return c
}

// summary is a verdict in one line.
func summary(c report.Claim) string {
	x := c.Counterexample
	switch {
	case c.Verdict == magus.Unknown.String():
		return "unknown: " + cmp.Or(c.Reason, "no reason is known")
	case x != nil && x.Wrong() != "":
		return c.Verdict + ": " + x.Wrong()
	}
	return c.Verdict
}

// annotateClaims prints what is violated or unknown as GitHub's runner of workflows
// reads it, if it is this that runs magus. It reads both outputs; standard output may
// have to be one document.
func (w *World) annotateClaims(o *options.Options, doc *report.Check) {
	if w.Env == nil || w.Env("GITHUB_ACTIONS") != "true" {
		return
	}
	out := w.Stdout
	if o.JSON {
		out = w.Stderr
	}
	for _, c := range doc.Claims {
		level, where := "error", c.Place
		switch {
		case c.Verdict == magus.Conforms.String():
			continue
		case c.Counterexample != nil:
			where = c.Counterexample.End()
		default:
			level = "warning"
		}
		if where == nil && len(c.Procedures) > 0 {
			where = c.Procedures[0].Place
		}
		annotate(out, level, where, c.Name+": "+summary(c))
	}
	if doc.Reason != "" {
		annotate(out, "warning", doc.Place, "unknown: "+doc.Reason)
	}
}

// annotate writes an annotation as GitHub's runner of workflows reads it.
func annotate(out io.Writer, level string, p *report.Place, message string) {
	where := ""
	if p != nil {
		where = fmt.Sprintf(" file=%s", property(p.File))
		for _, n := range []struct {
			name  string
			value int
		}{{"line", p.Line}, {"col", p.Column}} {
			if n.value > 0 {
				where += fmt.Sprintf(",%s=%d", n.name, n.value)
			}
		}
	}
	fmt.Fprintf(out, "::%s%s::%s\n", level, where, strings.NewReplacer("%", "%25", "\r", "%0D", "\n",
		"%0A").Replace(message))
}

// property is a value within the head of an annotation.
func property(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}
