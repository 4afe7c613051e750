package findings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"magus/app/report"
	"magus/cfa/source"
	"magus/internal/phrase"
)

// Allowances are the comments that allow what a rule forbids.
type Allowances struct {
	at      map[string][]*allowance // by file
	remarks []report.Remark
}

// An allowance is what a comment says of one rule.
type allowance struct {
	rule, reason string
	place        report.Place
	line         int // that it is about
	used         bool
}

// mark is how such a comment begins.
const mark = "magus: allow"

// NewAllowances has none.
func NewAllowances() *Allowances { return &Allowances{at: map[string][]*allowance{}} }

// Read reads the comments of a file, whose name is as findings have it.
func (a *Allowances) Read(file string, text []byte) {
	if !bytes.Contains(text, []byte(mark)) {
		return
	}
	for _, c := range source.Comments(text) {
		said, ok := strings.CutPrefix(plain(c.Text), mark)
		if !ok || said != "" && !strings.ContainsAny(said[:1], " \t:") {
			continue
		}
		line := c.Line
		if c.Alone {
			line = c.Next
		}
		a.read(said, line, report.Place{File: file, Line: c.Line, Column: c.Col})
	}
}

// read reads what a comment says: RULE, ...: REASON.
func (a *Allowances) read(said string, line int, at report.Place) {
	names, reason, _ := strings.Cut(said, ":")
	rules := strings.FieldsFunc(names, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
	reason = strings.Join(strings.Fields(reason), " ")
	switch {
	case len(rules) == 0:
		a.remark(at, "%s names no rule: nothing is allowed; write %s RULE: REASON", mark, mark)
		return
	case reason == "":
		a.remark(at, "%s %s has no reason: nothing is allowed; write %s RULE: REASON", mark,
			strings.Join(rules, ", "), mark)
		return
	}
	for _, rule := range rules {
		a.at[at.File] = append(a.at[at.File], &allowance{rule: rule, reason: reason, place: at, line: line})
	}
}

func (a *Allowances) remark(at report.Place, format string, args ...any) {
	a.remarks = append(a.remarks, report.Remark{Place: &at, Text: fmt.Sprintf(format, args...)})
}

// plain is the text of a comment without its marks.
func plain(text string) string {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "//"), "/*")
	text = strings.TrimSuffix(text, "*/")
	return strings.Trim(text, " \t\r\n*/!")
}

// allows says why a finding is allowed, if it is.
func (a *Allowances) allows(f *report.Finding) (reason string, ok bool) {
	if a == nil || f.Place == nil {
		return "", false
	}
	for _, one := range a.at[f.Place.File] {
		if one.rule == f.Rule && one.line == f.Place.Line {
			one.used = true
			return one.reason, true
		}
	}
	return "", false
}

// Remarks are about comments that say nothing, and about those that allow what nothing does: of rules that were
// checked, or that there are not.
func (a *Allowances) Remarks(checked, known []string) []report.Remark {
	all := slices.Clone(a.remarks)
	for _, of := range a.at {
		for _, one := range of {
			switch {
			case one.used:
			case !slices.Contains(known, one.rule):
				all = append(all, report.Remark{Place: &one.place,
					Text: fmt.Sprintf("%s %s: no such rule%s", mark, one.rule, phrase.Suggest(one.rule, known))})
			case slices.Contains(checked, one.rule):
				all = append(all, report.Remark{Place: &one.place,
					Text: fmt.Sprintf("%s %s: nothing found here breaks that rule", mark, one.rule)})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y report.Remark) int {
		return comparePlaces(*x.Place, *y.Place)
	})
	return all
}

// comparePlaces orders places by file, line and column.
func comparePlaces(x, y report.Place) int {
	if c := strings.Compare(x.File, y.File); c != 0 {
		return c
	}
	if x.Line != y.Line {
		return x.Line - y.Line
	}
	return x.Column - y.Column
}
