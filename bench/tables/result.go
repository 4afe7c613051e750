package main

// What a row of a table shows of a measurement.

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A result is a measurement with its figures added up over claims and
// components. A `magus check` with two claims has the work of both.
type result struct {
	verdict   string // "conforms", "violates", "unknown" or "fault"
	reason    string // of the last two
	timeout   bool   // it was given up when its time was over
	wall, cpu time.Duration
	peak      uint64

	claims     int
	locations  int // control locations of the components
	states     int // St
	iterations int // It
	actions    int // LIt; PIt is the rest of It

	expressions, groups, chosen int // |⋃ P_s|, of those with exclusive ones as one, |P|

	tests, subsets, learned int // elimination tests, sets of candidates tried, eliminating sets or clauses found
	largest, eliminating    int // the most candidates of a set tried, and of one that eliminates
}

// summarize adds up. The states of a claim are those of the space on which it
// was decided: of the product where components are composed, else of the
// component's last abstraction, on the level that was used.
func summarize(m measurement) result {
	r := result{verdict: "fault", reason: m.fault, wall: m.wall, cpu: m.cpu, peak: m.peak}
	if m.check == nil {
		return r
	}
	r.verdict, r.reason = m.check.Verdict, m.check.Reason
	for _, c := range m.check.Claims {
		r.claims++
		r.iterations += c.Statistics.Iterations
		r.actions += c.Statistics.ActionIterations
		r.tests += c.Statistics.Eliminations
		r.subsets += c.Statistics.Subsets
		r.learned += c.Statistics.Learned
		r.largest = max(r.largest, c.Statistics.LargestSubset)
		r.eliminating = max(r.eliminating, c.Statistics.LargestEliminating)
		if r.reason == "" {
			r.reason = c.Reason
		}
		for _, comp := range c.Components {
			r.locations += comp.Locations
			r.expressions += comp.Expressions
			r.groups += comp.Groups
			r.chosen += len(comp.Chosen)
		}
		switch {
		case len(c.Components) != 1:
			r.states += c.Statistics.ProductStates
		case c.Components[0].MAStates > 0:
			r.states += c.Components[0].MAStates
		default:
			r.states += c.Components[0].MPStates
		}
	}
	r.timeout = r.verdict == "unknown" && r.reason == "time-out"
	return r
}

// decided says that the figures are those of an answer.
func (r *result) decided() bool { return r.verdict == "conforms" || r.verdict == "violates" }

// predicates are the paper's three numbers.
func (r *result) predicates() string {
	return fmt.Sprintf("%d/%d/%d", r.expressions, r.groups, r.chosen)
}

// sizes are T/M/G of the paper's figure 15.
func (r *result) sizes() string {
	return fmt.Sprintf("%d/%d/%d", r.learned, r.largest, r.eliminating)
}

// mark is how a verdict is shown beside the one that is wanted.
func mark(verdict, want string) string {
	switch {
	case verdict == want:
		return verdict
	case verdict == "conforms" || verdict == "violates":
		return "WRONG: " + verdict
	}
	return verdict + ", not " + want
}

// seconds of a result; "*" if it was given up.
func (r *result) seconds(d time.Duration) string {
	if r.timeout {
		return "*"
	}
	return seconds(d)
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 2, 64) }

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// mebibytes rounds up.
func mebibytes(n uint64) string { return strconv.FormatUint((n+1<<20-1)>>20, 10) }

// A sum adds up a column of a table.
type sum struct {
	n int
	v float64
}

func (s *sum) add(v float64) { s.n, s.v = s.n+1, s.v+v }

// cell adds the number in a cell of the paper's tables: stars, which stand for
// a run that was given up, count limit; other cells that are no number are
// left out.
func (s *sum) cell(text string, limit float64) {
	if strings.HasPrefix(text, "*") {
		s.add(limit)
	} else if v, err := strconv.ParseFloat(text, 64); err == nil {
		s.add(v)
	}
}

// total and average are "-" for a column without numbers.
func (s *sum) total(digits int) string { return s.show(s.v, digits) }

func (s *sum) average(digits int) string { return s.show(s.v/float64(max(s.n, 1)), digits) }

func (s *sum) show(v float64, digits int) string {
	if s.n == 0 {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}
