package lsp

// Rules that come along, checked on the files of a group: from a lens at the top of C, with what is
// found as warnings, and an action that begins the comment which allows it.

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"magus"
	"magus/app/findings"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/app/report"
	"magus/cfa"
	"magus/internal/pattern"
	"magus/internal/phrase"
)

// ofRules stands for a claim: all rules, from all roots. No claim has that name.
const ofRules = "rules"

// rules checks the rules on the files of a group.
func (cs *checks) rules(ctx context.Context, host job.Host, o *options.Options, g group,
	number int) (title string, found []finding) {
	s := cs.server
	r, err := job.StartRules(ctx, host, o, g.files)
	if err != nil {
		return "rules cannot be checked", s.findingsOf(err, g.files[0])
	}
	if why := r.Report().Reason; why != "" {
		return "rules: unknown: " + why, nil
	}
	w := &rootMeter{meter: s.progressOf("rules", number), roots: r.Roots()}
	set := findings.New(findings.NewBaseline("", "", ""), allowances(r))
	count := report.RuleCount{}
	err = r.All(ctx, min(2, runtime.GOMAXPROCS(0)), w, func(root *job.RuleRoot) error {
		if root.By != "" {
			count.Undecided++
			return nil
		}
		if count.Add(root.Result.Claim); root.Result.Claim.Verdict != magus.Violates.String() {
			return nil
		}
		if f, first := set.Add(root.Entry, root.Result.Claim); first && f.Kind == report.New {
			found = append(found, s.brokenRule(f, root.Result.Claim, g.files[0]))
		}
		return nil
	})
	w.end("")
	if err != nil {
		return "rules cannot be checked: " + err.Error(), nil
	}
	title = "rules: nothing found"
	if len(found) > 0 {
		title = "rules: " + phrase.Plural(len(found), "finding")
	}
	if count.Undecided > 0 {
		title += fmt.Sprintf(", %d undecided", count.Undecided)
	}
	return title, found
}

// allowances are those of the comments of the C that was read.
func allowances(r *job.Rules) *findings.Allowances {
	a := findings.NewAllowances()
	if q := r.Question(); q != nil && q.Program != nil {
		for _, t := range q.Program.Sources.Texts() {
			if input.KindOf(t.Path) == input.C {
				a.Read(t.Path, t.Text)
			}
		}
	}
	return a
}

// brokenRule is what is said of a finding, with the steps that lead there.
func (s *server) brokenRule(f *report.Finding, c report.Claim, file string) finding {
	at := cfa.Pos{}
	if f.Place != nil {
		at = cfa.Pos{File: f.Place.File, Line: f.Place.Line, Col: f.Place.Column}
	}
	said := s.remark(at, isWarning, "rule "+f.String(), file)
	if c.Counterexample != nil {
		said.related = s.violation(c, file).related
	}
	return said
}

// rootMeter shows how many roots have been looked at. It is a [job.RuleWatcher].
type rootMeter struct {
	*meter
	mu          sync.Mutex
	done, roots int
}

// BeginRoot implements [job.RuleWatcher].
func (m *rootMeter) BeginRoot() float64 { return 0 }

// EndRoot implements [job.RuleWatcher].
func (m *rootMeter) EndRoot(float64, job.RuleResult) { m.PassRoot() }

// PassRoot implements [job.RuleWatcher].
func (m *rootMeter) PassRoot() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done++
	text := fmt.Sprintf("%d of %d", m.done, m.roots)
	m.say(&protocol.WorkDoneProgressReport{Kind: "report", Message: &text})
}

// ofRule is how a message about a rule begins.
var ofRule = pattern.New(`^rule ([\w-]+): `)

// allowed begins a comment that allows what a rule forbids. It allows nothing before somebody writes
// why.
func allowed(q *question, u uri.URI, d protocol.Diagnostic) []protocol.CommandOrCodeAction {
	message, _ := d.Message.(protocol.String)
	m := ofRule().FindStringSubmatch(string(message))
	if m == nil {
		return nil
	}
	at := q.text.offset(protocol.Position{Line: d.Range.Start.Line})
	line := q.text.s[at:]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	a := edit("allow "+m[1]+" here, for a reason that you write", protocol.CodeActionKindQuickFix, u,
		protocol.TextEdit{Range: q.text.span(at, at), NewText: indent + "// magus: allow " + m[1] + ": \n"})
	a.Diagnostics = []protocol.Diagnostic{d}
	return []protocol.CommandOrCodeAction{a}
}
