package findings

// Findings by their cause.
//
// Idea: two runs break a rule for the same cause if the forbidden event, and the last event before it, stand
// at the same places. Such runs are one finding; the run of the first root is its evidence, the other roots
// are named. A finding is known again by its fingerprint: the rule, the file, the function, the event and the
// last events before, but no line, so that it survives edits above. Findings with the same fingerprint are
// counted.
//
// Source: the cause as in Engler et al., "Bugs as Deviant Behavior" (SOSP 2001), which ranks by it, and partial
// fingerprints as in SARIF 2.1.0, 3.27.17. Deviation: none is computed of text around.
//
// Cost: linear in the steps of the runs.

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"magus/app/report"
)

// A Set has the findings of a check.
type Set struct {
	all      []*report.Finding
	causes   map[string]*report.Finding
	prints   map[string]int // how many findings have a line, their files named from where the check was started
	lines    map[string]int // how many have a line of the baseline and are not allowed
	baseline *Baseline
	allow    *Allowances
}

// New is a set without findings.
func New(b *Baseline, a *Allowances) *Set {
	return &Set{causes: map[string]*report.Finding{}, prints: map[string]int{}, lines: map[string]int{},
		baseline: b, allow: a}
}

// Add adds the violation of a rule by a root; first says that no earlier one has its cause.
func (s *Set) Add(root string, c report.Claim) (f *report.Finding, first bool) {
	made := of(root, c)
	cause := fmt.Sprint(made.Rule, "\x00", made.Event, "\x00", made.Place, "\x00", made.LastPlace)
	if f, ok := s.causes[cause]; ok {
		if !slices.Contains(f.Roots, root) {
			f.Roots = append(f.Roots, root)
		}
		return f, false
	}
	s.causes[cause], s.all = &made, append(s.all, &made)
	print := line(&made, s.baseline.base, s.baseline.base)
	s.prints[print]++
	made.Fingerprint = fingerprint(print, s.prints[print])
	if reason, ok := s.allow.allows(&made); ok {
		made.Kind, made.Reason = report.Allowed, reason
		return &made, true
	}
	known := line(&made, s.baseline.base, s.baseline.dir)
	if s.lines[known]++; s.baseline.has(known, s.lines[known]) {
		made.Kind = report.Known
	}
	return &made, true
}

// All are the findings, in the order in which they came.
func (s *Set) All() []report.Finding {
	all := []report.Finding{}
	for _, f := range s.all {
		all = append(all, *f)
	}
	return all
}

// line is the line of a finding in a baseline that lies in a folder.
func line(f *report.Finding, base, dir string) string {
	file := ""
	if f.Place != nil {
		file = nameFrom(f.Place.File, base, dir)
	}
	return entry{f.Rule, file, f.Procedure, f.Event, f.Before, f.Longer}.String()
}

// fingerprint is that of the n-th finding with the same line.
func fingerprint(line string, n int) string {
	if n > 1 {
		line = fmt.Sprint(line, "\x00", n)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(line)))[:32]
}

// eventsShown is how many events before the forbidden one a finding has.
const eventsShown = 6

// of is the finding of a claim that is violated.
func of(root string, c report.Claim) report.Finding {
	f := report.Finding{Rule: c.Rule, Claim: c.Name, Roots: []string{root}, Kind: report.New, Before: []string{}}
	x := c.Counterexample
	if x == nil {
		return f
	}
	var before []report.Step
	for _, s := range x.Steps {
		switch {
		case s.Action == "":
		case s.Forbidden:
			f.Event, f.Place, f.Procedure = event(s.Action), s.Place, s.Procedure
		default:
			before = append(before, s)
		}
	}
	if n := len(before); n > 0 {
		f.LastPlace = before[n-1].Place
		f.Longer = n > eventsShown
		for _, s := range before[max(0, n-eventsShown):] {
			f.Before = append(f.Before, s.Action)
		}
	}
	return f
}

// event is an event by its name in the rule.
func event(action string) string {
	for _, name := range []string{"leaks", "uses"} {
		if report.EventText(name) == action {
			return name
		}
	}
	return action
}

// An entry is a line of a baseline.
type entry struct {
	rule, file, procedure, event string
	before                       []string
	longer                       bool
}

func (e entry) String() string {
	words := []string{quoted(e.rule), quoted(e.file), quoted(e.procedure), quoted(e.event)}
	before := e.before
	if e.longer {
		before = append([]string{"..."}, before...)
	}
	if len(before) > 0 {
		words = append(words, "after")
		for _, word := range before {
			words = append(words, quoted(word))
		}
	}
	return strings.Join(words, " ")
}
