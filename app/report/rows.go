package report

import (
	"fmt"
	"slices"
	"strings"

	"magus/internal/phrase"
)

// A row is what one component does in consecutive steps first…last.
type row struct {
	first, last int
	component   string
	with        []string
	procedure   string
	others      []Other // the parts of other components in the action
	file        string
	lines       []int // more than one only in a row that has no effects
	source      string
	branch      string // what the line's conditions turned out to be
	action      string
	forbidden   bool
	// specification is what the action does to the specification.
	specification string
	values        []Value
	rounds        bool // it is rounds of a loop that are one step
}

// rows gathers steps. Steps on one source line share a row until a second
// action or a second value of the same variable; rows without effect are then
// put together. In a verbose table every step has its row.
func rows(steps []Step, verbose bool) []row {
	var rs []row
	for i, s := range steps {
		r := newRow(i+1, s, verbose)
		if n := len(rs); !verbose && n > 0 && rs[n-1].takes(r) {
			rs[n-1].join(r)
		} else {
			rs = append(rs, r)
		}
	}
	if verbose {
		return rs
	}
	return rounds(compact(rs))
}

// standing are rows at the end of a run, of those who wait there.
func standing(stands []Stand) []row {
	var rs []row
	for _, s := range stands {
		if s.Ended {
			continue
		}
		r := row{component: s.Component, procedure: s.Procedure, source: s.Source, action: "waits", forbidden: true}
		if s.Place != nil {
			r.file, r.lines = s.Place.File, []int{s.Place.Line}
		}
		rs = append(rs, r)
	}
	return rs
}

func newRow(n int, s Step, verbose bool) row {
	r := row{first: n, last: n, component: s.Component, with: s.With, procedure: s.Procedure,
		source: s.Source, action: s.Action, branch: s.Branch, others: s.Others, forbidden: s.Forbidden}
	if r.specification = specNames(s.Specification); r.specification == "" && s.Forbidden {
		r.specification = "forbidden"
	}
	for _, v := range s.Values {
		if verbose || !v.Idle {
			r.values = append(r.values, v)
		}
	}
	if r.source == "" {
		r.source = s.Statement
	}
	if s.Place != nil {
		r.file, r.lines = s.Place.File, []int{s.Place.Line}
	}
	if s.Rounds != nil {
		r.rounds, r.source, r.lines = true, "... "+s.Statement, nil
		for _, l := range s.Rounds.Lines {
			if l.File == r.file {
				r.lines = append(r.lines, l.Line)
			}
		}
	}
	return r
}

// takes reports whether the next row's steps are more of what r's line does.
func (r *row) takes(next row) bool {
	if r.rounds || next.rounds || !r.sameCode(next) || !slices.Equal(r.lines, next.lines) ||
		r.action != "" && next.action != "" {
		return false
	}
	for _, v := range next.values {
		if slices.ContainsFunc(r.values, func(w Value) bool { return w.Name == v.Name }) {
			return false
		}
	}
	return true
}

func (r *row) join(next row) {
	r.last = next.last
	r.values = append(r.values, next.values...)
	if next.branch != "" && r.branch != "" {
		r.branch += ", "
	}
	r.branch += next.branch
	if next.action != "" {
		r.action, r.with, r.specification, r.others, r.forbidden = next.action, next.with, next.specification,
			next.others, next.forbidden
	}
}

// sameCode reports whether two rows belong to one component, file and procedure.
func (r *row) sameCode(s row) bool {
	return r.component == s.component && r.file == s.file && r.procedure == s.procedure
}

// silent reports whether nothing happens in a row that matters later: no action, no
// value, no condition that holds.
func (r *row) silent() bool {
	return r.action == "" && !r.rounds && len(r.values) == 0 && !strings.Contains(r.branch, "true")
}

// refused reports whether all that happens in a row is that a condition fails which
// asks for a value that nothing determines, as in a chain of
// else if (__VERIFIER_nondet_int()).
func (r *row) refused() bool {
	return r.action == "" && !r.rounds && r.branch == "false" && len(r.values) == 1 &&
		r.values[0].Chosen == r.values[0].Name
}

// leastRefusals is how many rows that are only refused share one.
const leastRefusals = 3

// compact puts consecutive silent rows of one procedure together, and rows that are
// only refused if they are many.
func compact(rs []row) []row {
	var out []row
	for i := 0; i < len(rs); {
		n, refusals := 0, 0
		for i+n < len(rs) && rs[i].sameCode(rs[i+n]) && (rs[i+n].silent() || rs[i+n].refused()) {
			if rs[i+n].refused() {
				refusals++
			}
			n++
		}
		if refusals > 0 && refusals < leastRefusals {
			n, refusals = quiet(rs[i:i+n]), 0
		}
		if n < 2 {
			out = append(out, rs[i])
			i++
			continue
		}
		out = append(out, folded(rs[i:i+n], refusals))
		i += n
	}
	return out
}

// quiet is how many rows at the beginning are silent.
func quiet(rs []row) int {
	n := 0
	for n < len(rs) && rs[n].silent() {
		n++
	}
	return n
}

// folded is one row for several.
func folded(rs []row, refusals int) row {
	r := rs[0]
	r.last, r.branch, r.values = rs[len(rs)-1].last, "", nil
	r.lines = slices.Clone(r.lines)
	for _, more := range rs[1:] {
		r.lines = append(r.lines, more.lines...)
	}
	r.source = fmt.Sprintf("... %s", phrase.Plural(r.last-r.first+1, "step"))
	if refusals == 0 {
		return r
	}
	for _, more := range rs {
		for _, v := range more.values {
			if !slices.ContainsFunc(r.values, func(w Value) bool { return w.Name == v.Name && w.Value == v.Value }) {
				r.values = append(r.values, Value{Name: v.Name, Value: v.Value,
					Chosen: fmt.Sprintf("%s, %d times", v.Chosen, refusals)})
			}
		}
	}
	return r
}
