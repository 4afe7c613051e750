package cli

// What is said of the results of a check of rules, as they come and at its end.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"magus"
	"magus/app/findings"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/app/outfile"
	"magus/app/report"
	"magus/cfa"
	"magus/evidence/verdict"
	"magus/internal/phrase"
	"magus/specs/rulebook"
)

// ruleResults are what a check of rules has found so far.
type ruleResults struct {
	findings *findings.Set
	allowed  *findings.Allowances
	faults   []*cfa.InternalError // of ours, each of which left a root undecided
}

// newRuleResults has found nothing yet.
func newRuleResults(r *job.Rules, known *findings.Baseline) ruleResults {
	a := findings.NewAllowances()
	if q := r.Question(); q != nil && q.Program != nil {
		for _, t := range q.Program.Sources.Texts() {
			if input.KindOf(t.Path) == input.C {
				a.Read(t.Path, t.Text)
			}
		}
	}
	return ruleResults{findings: findings.New(known, a), allowed: a}
}

// ruleOutputs are the files that a check of rules writes.
func (w *World) ruleOutputs(o *options.Options) []outfile.Name {
	all := []outfile.Name{w.named("--sarif", o.SARIF), w.named("--junit", o.JUnit), w.named("--report", w.rulesPage(o))}
	if o.WriteBaseline {
		all = append(all, w.named("--baseline", o.Baseline))
	}
	return all
}

// rulesPage is the file of the page of a check of rules, "" for none.
func (w *World) rulesPage(o *options.Options) string {
	if o.Report != "" && w.Dir.IsDir(o.Report) {
		return filepath.Join(o.Report, "index.html")
	}
	return o.Report
}

// readBaseline is the baseline that the options name. Without one, and where it is to be written, nothing is known.
func (w *World) readBaseline(o *options.Options) (*findings.Baseline, error) {
	base, err := filepath.Abs(w.Dir.Path("."))
	if err != nil {
		return nil, err
	}
	dir := base
	if o.Baseline != "" {
		dir = filepath.Dir(w.Dir.Absolute(o.Baseline))
	}
	b := findings.NewBaseline(o.Baseline, dir, base)
	switch {
	case o.WriteBaseline && o.Baseline == "":
		return b, &options.UsageError{Message: "--write-baseline asks for the file: --baseline FILE"}
	case o.Baseline == "" || o.WriteBaseline:
		return b, nil
	}
	text, err := w.read(o.Baseline)
	if err != nil {
		return b, input.Errorf("%s; --write-baseline writes it", err)
	}
	if err := b.Read(text); err != nil {
		return b, input.Errorf("%s", err)
	}
	return b, nil
}

// summaryOf is what a rule that comes along asks for, "" for others.
func summaryOf(rule string) string {
	for _, e := range rulebook.Entries() {
		if e.Name == rule {
			return e.Summary()
		}
	}
	return ""
}

// found takes what a root came to, and prints what is not kept.
func (c *ruleCheck) found(root string, claim report.Claim) {
	if claim.Verdict == magus.Violates.String() {
		f, first := c.findings.Add(root, claim)
		if !first || f.Kind != report.New && !c.o.Verbose {
			return
		}
		if !c.o.JSON {
			c.print(f)
		}
	}
	if !c.o.JSON && (claim.Verdict != magus.Conforms.String() || c.o.Verbose) {
		_ = report.WriteClaim(c.world.Stdout, claim, c.text) // the world keeps the error
	}
}

// print prints a finding in one line.
func (c *ruleCheck) print(f *report.Finding) {
	line := f.Line()
	switch f.Kind {
	case report.Known:
		line += " (known)"
	case report.Allowed:
		line += " (allowed: " + f.Reason + ")"
	}
	fmt.Fprintln(c.world.Stdout, line)
	if c.world.Env != nil && c.world.Env("GITHUB_ACTIONS") == "true" && f.Kind == report.New {
		annotate(c.world.Stdout, "error", f.Place, f.String())
	}
}

// end prints the table, and writes the results for other programs. It returns the exit status.
func (c *ruleCheck) end(ctx context.Context) (int, error) {
	doc := c.rules.Report()
	doc.Version = version()
	c.add(doc)
	status := ruleStatus(doc)
	err := c.writeBaseline(ctx, doc)
	if c.o.WriteBaseline && err == nil && status == exitViolates {
		status = ruleStatus(doc)
	}
	if n := doc.Rules.Undecided(); n > 0 && wasInterrupted(ctx) {
		fmt.Fprintf(c.world.Stderr, "magus: interrupted: %s undecided\n", phrase.Plural(n, "root"))
		status = exitUnknown
	}
	if c.o.JSON {
		err = errors.Join(err, report.WriteJSON(c.world.Stdout, doc))
	} else {
		err = errors.Join(err, report.WriteEnd(c.world.Stdout, doc, c.text), c.table(doc))
	}
	for _, f := range c.faults {
		status = fault(c.world, f.Error(), f.Stack)
	}
	return status, errors.Join(err, c.world.writeRuleResults(c.o, c.rules.Question(), doc, status))
}

// wasInterrupted reports whether somebody has ended a check.
func wasInterrupted(ctx context.Context) bool {
	if ctx.Err() == nil {
		return false
	}
	why, ok := magus.Undecided(ctx, ctx.Err())
	return ok && why.Kind == verdict.Interrupted
}

// add adds to a report what it says of rules.
func (c *ruleCheck) add(doc *report.Check) {
	doc.Rules = &report.Rules{Rules: c.rows, Findings: c.findings.All()}
	undecided := map[string]int{} // of rules of which all roots were checked
	for _, r := range c.rows {
		if r.PassedOver == 0 {
			undecided[r.Rule] = r.Undecided
		}
	}
	switch n := doc.Rules.Undecided(); {
	case doc.Reason == "" && len(doc.Claims) == 0 && n == 0:
		doc.Verdict = magus.Conforms.String()
	case n > 0 && doc.Verdict == magus.Conforms.String():
		doc.Verdict = magus.Unknown.String()
	}
	if c.o.Baseline != "" {
		doc.Rules.Baseline = &report.Baseline{File: c.o.Baseline, Written: c.o.WriteBaseline,
			Gone: c.findings.Gone(undecided, c.looked())}
	}
	checked := slices.Sorted(maps.Keys(undecided))
	known := slices.Clone(checked)
	for _, e := range rulebook.Entries() {
		known = append(known, e.Name)
	}
	slices.Sort(known)
	doc.Warnings = append(doc.Warnings, c.allowed.Remarks(checked, slices.Compact(known))...)
}

// looked says which files were looked at: those that were read, and those that are gone.
func (c *ruleCheck) looked() func(path string) bool {
	read := map[string]bool{}
	if q := c.rules.Question(); q != nil && q.Program != nil {
		for _, t := range q.Program.Sources.Texts() {
			read[c.world.Dir.Absolute(t.Path)] = true
		}
	}
	return func(path string) bool {
		_, err := os.Stat(path)
		return read[path] || errors.Is(err, os.ErrNotExist)
	}
}

// ruleStatus is the exit status: what is known or allowed is no failure.
func ruleStatus(doc *report.Check) int {
	switch {
	case doc.Rules.Count(report.New) > 0:
		return exitViolates
	case doc.Reason != "" || doc.Rules.Undecided() > 0:
		return exitUnknown
	}
	return exitConforms
}

// writeBaseline writes the findings, if that is asked for: they are known then. A check that did not come to its end
// does not know them all.
func (c *ruleCheck) writeBaseline(ctx context.Context, doc *report.Check) error {
	if !c.o.WriteBaseline {
		return nil
	}
	if ctx.Err() != nil || doc.Reason != "" {
		doc.Rules.Baseline.Written = false
		return input.Errorf("%s: not written: the check did not come to its end", c.o.Baseline)
	}
	err := c.world.writeNamed("--baseline", c.o.Baseline, func(out io.Writer) error {
		_, err := io.WriteString(out, c.findings.Baseline())
		return err
	})
	if err != nil {
		doc.Rules.Baseline.Written = false
		return err
	}
	for i := range doc.Rules.Findings {
		if f := &doc.Rules.Findings[i]; f.Kind == report.New {
			f.Kind = report.Known
		}
	}
	return nil
}

// table prints how each rule came out, and what is to be said of findings and their baseline.
func (c *ruleCheck) table(doc *report.Check) error {
	var b strings.Builder
	for _, f := range doc.Rules.Findings {
		if also := f.AlsoFrom(); also != "" && (f.Kind == report.New || c.o.Verbose) {
			b.WriteString(reasonAt(f.Place, f.Rule+": "+also) + "\n")
		}
	}
	if doc.Reason == "" && len(c.rules.Questions) == 0 {
		b.WriteString("no rule is about something that the program calls\n")
	}
	for _, r := range doc.Rules.Rules {
		for _, n := range r.NotAlone {
			fmt.Fprintf(&b, "%s: %s\n", r.Rule, n)
		}
		if c.o.Verbose {
			for _, k := range doc.Contracts(r.Rule) {
				fmt.Fprintf(&b, "%s: %s keeps %s, which was proved of it alone\n", r.Rule, k.Procedure,
					strings.Join(k.Keeps, " and "))
			}
		}
		fmt.Fprintf(&b, "%s\n", r)
	}
	if base := doc.Rules.Baseline; base != nil && base.Gone != nil {
		b.WriteString(strings.Join(base.Gone, "\n") + "\n")
	}
	b.WriteString(findingsLine(doc.Rules))
	_, err := io.WriteString(c.world.Stdout, b.String())
	return err
}

// reasonAt is a text with its place, if there is one.
func reasonAt(p *report.Place, text string) string {
	if p == nil {
		return text
	}
	return p.String() + ": " + text
}

// findingsLine says how many findings there are, "" if that is to be seen anyway.
func findingsLine(r *report.Rules) string {
	known, allowed := r.Count(report.Known), r.Count(report.Allowed)
	if r.Baseline == nil && allowed == 0 {
		return ""
	}
	text := phrase.Plural(len(r.Findings), "finding") + ":"
	if r.Baseline != nil && r.Baseline.Written {
		text += fmt.Sprintf(" %d written to %s", known, r.Baseline.File)
	} else {
		text += fmt.Sprintf(" %d new", r.Count(report.New))
		if r.Baseline != nil {
			text += fmt.Sprintf(", %d known by %s", known, r.Baseline.File)
		}
	}
	if allowed > 0 {
		text += fmt.Sprintf(", %d allowed by comments", allowed)
	}
	return text + "\n"
}
