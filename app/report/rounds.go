package report

// Rounds of a loop that say the same share a row. (Where the run itself has rounds as one step, that step is a row.)
//
// Idea: a sequence of rows that comes again and again, with the same lines, conditions and
// calls and without actions, is a loop that goes round. The first and the last round are
// shown, what is between them is one row with the values that the last round does not give
// anew. A verbose table has every step.
//
// Source: our own. Cost: rows times mostRoundRows.

import (
	"fmt"
	"slices"

	"magus/internal/phrase"
)

const (
	leastRounds   = 4  // as many rounds are folded
	mostRoundRows = 16 // and a round has so many rows at most
	mostBetween   = 6  // and so many values are shown of those between the first and the last
)

// rounds folds the rounds of loops.
func rounds(rs []row) []row {
	var out []row
	for len(rs) > 0 {
		n, times := repeated(rs)
		if times < leastRounds {
			out, rs = append(out, rs[0]), rs[1:]
			continue
		}
		last := n * (times - 1)
		out = append(append(out, rs[:n]...), between(rs[n:last], n, rs[last:last+n]))
		out, rs = append(out, rs[last:last+n]...), rs[last+n:]
	}
	return out
}

// repeated is the number of rows of a round that begins here, and how many rounds there are: of
// the lengths that a round may have, the one with which most rows are folded.
func repeated(rs []row) (n, times int) {
	for length := 1; length <= mostRoundRows && length*leastRounds <= len(rs); length++ {
		same := length
		for same < len(rs) && rs[same].repeats(rs[same-length]) {
			same++
		}
		if k := same / length; k >= leastRounds && k*length > n*times {
			n, times = length, k
		}
	}
	return n, times
}

// repeats reports whether a row does what another one does, if not with the same values.
func (r *row) repeats(s row) bool {
	return r.sameCode(s) && !r.rounds && !s.rounds && r.action == "" && s.action == "" && !r.forbidden &&
		r.source == s.source && r.branch == s.branch &&
		slices.Equal(r.lines, s.lines)
}

// between is one row for the rounds, of n rows each, between the first one and the last.
func between(rs []row, n int, last []row) row {
	r := rs[0]
	r.last, r.branch, r.values, r.lines = rs[len(rs)-1].last, "", nil, nil
	for _, of := range rs[:n] {
		r.lines = append(r.lines, of.lines...)
	}
	for _, of := range rs {
		for _, v := range of.values {
			isIt := func(w Value) bool { return w.Name == v.Name }
			if slices.ContainsFunc(last, func(l row) bool { return slices.ContainsFunc(l.values, isIt) }) {
				continue
			}
			r.values = append(slices.DeleteFunc(r.values, isIt), v)
		}
	}
	r.source = fmt.Sprintf("... %s like these, %s", phrase.Plural(len(rs)/n, "round"),
		phrase.Plural(r.last-r.first+1, "step"))
	if more := len(r.values) - mostBetween; more > 0 {
		r.source += fmt.Sprintf(", %s not shown", phrase.Plural(more, "value"))
		r.values = r.values[more:]
	}
	return r
}
