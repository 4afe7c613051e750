package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/internal/phrase"
	"magus/internal/verdict"
)

// A counterexample is read from the top: what happens and what the
// specification wanted instead, the values the run starts with, then the run
// itself, a table with one row for what one component does on one source line.
// Steps that neither act nor give a variable a value that matters later are
// kept, but share a row.

const (
	textWidth   = 76 // of wrapped lines, without indentation
	sourceWidth = 44 // of a source line in the table
	placesShown = 3  // lines or ranges of lines named in a shared row
)

func writeCounterexample(b *strings.Builder, x *Counterexample, several, verbose bool) {
	several = several || len(x.Running) > 1
	b.WriteByte('\n')
	head := func(name string, words []string) {
		fmt.Fprintf(b, "  %-10s %s\n", name+":", wrap(words, textWidth, "             "))
	}
	head("trace", orNothing(x.Trace))
	if len(x.Trace) > 0 {
		head("forbidden", strings.Fields(x.forbidden()))
	}
	if x.saysAllowed() {
		head("allowed", commas(orNothing(x.Allowed)))
	}
	if !x.Shortest {
		head("length", []string{phrase.Plural(len(x.Trace), "action") + "; a shorter trace may violate the claim too"})
	}
	if !slices.Equal(x.Trace, x.Actions) {
		head("actions", orNothing(x.Actions))
	}
	if len(x.Running) > 0 {
		head("running", commas(x.Running))
	}
	b.WriteByte('\n')
	writeInitial(b, x.Initial, several, verbose)
	if len(x.Steps) > 0 {
		writeRows(b, rows(x.Steps, verbose), several, x.hasText())
		b.WriteByte('\n')
	}
}

// forbidden is the last action with the states in which the specification does not
// allow it.
func (x *Counterexample) forbidden() string {
	var states []verdict.SpecState
	for _, s := range x.Specification {
		v := verdict.SpecState{Name: s.Name, Ended: s.Ended}
		if s.Place != nil {
			v.Pos = cfa.Pos{File: s.Place.File, Line: s.Place.Line, Col: s.Place.Column}
		}
		states = append(states, v)
	}
	return verdict.Forbidden(x.Trace[len(x.Trace)-1], states, x.Opposite)
}

// hasText reports whether the specification is one that somebody wrote.
func (x *Counterexample) hasText() bool {
	return slices.ContainsFunc(x.Specification, func(s SpecState) bool { return s.Place != nil })
}

// saysAllowed reports whether it means something what would have been allowed.
func (x *Counterexample) saysAllowed() bool {
	return len(x.Trace) > 0 && !x.Opposite && (x.hasText() || len(x.Allowed) > 0)
}

// specNames are the names of states.
func specNames(states []SpecState) string {
	var all []string
	for _, s := range states {
		all = append(all, s.Name)
	}
	return phrase.Or(all, verdict.StatesShown)
}

func orNothing(words []string) []string {
	if len(words) == 0 {
		return []string{"(nothing)"}
	}
	return words
}

func commas(words []string) []string {
	out := slices.Clone(words)
	for i := range len(out) - 1 {
		out[i] += ","
	}
	return out
}

func writeInitial(b *strings.Builder, initial []Initial, several, verbose bool) {
	t := table{right: make([]bool, 3)}
	t.add("initially", "", "")
	for _, in := range initial {
		component, where := "", ""
		if several {
			component = in.Component
		}
		if in.Place != nil {
			where = fmt.Sprintf("%s:%d", in.Place.File, in.Place.Line)
		}
		if verbose || !in.Idle {
			t.add("  "+in.Name+" = "+in.Value, component, where)
		}
	}
	if len(t.rows) > 1 {
		t.write(b, "  ")
		b.WriteByte('\n')
	}
}

// writeRows writes the table; specified says that there is a specification whose
// states are shown. A file that all rows have in common is named
// once, and procedures have a column only where components call some.
func writeRows(b *strings.Builder, rows []row, several, specified bool) {
	var files []string
	calls := false
	for _, r := range rows {
		if r.file != "" && !slices.Contains(files, r.file) {
			files = append(files, r.file)
		}
		name, _, _ := strings.Cut(r.component, "#")
		calls = calls || r.procedure != name
	}
	where := "where"
	if len(files) == 1 {
		fmt.Fprintf(b, "  in %s\n", files[0])
		where = "line"
	}
	t := table{right: []bool{true, false, false, false, false, false, false, false}}
	t.add("step", "component", where, "procedure", "source", "action", "specification", "values")
	for _, r := range rows {
		who, procedure, specification := "", "", ""
		if specified {
			specification = r.specification
		}
		if several {
			who = strings.Join(append([]string{r.component}, r.with...), " + ")
		}
		if calls {
			procedure = r.procedure
		}
		t.add(r.numbers(), who, r.where(len(files) > 1), procedure, clip(r.source, sourceWidth), r.action, specification, r.effects())
	}
	t.write(b, "  ")
}

// A row is what one component does in consecutive steps first…last.
type row struct {
	first, last int
	component   string
	with        []string
	procedure   string
	file        string
	lines       []int // more than one only in a row that has no effects
	source      string
	action      string
	// specification is what the action does to the specification.
	specification string
	values        []Value
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
	return compact(rs)
}

func newRow(n int, s Step, verbose bool) row {
	r := row{first: n, last: n, component: s.Component, with: s.With, procedure: s.Procedure,
		source: s.Source, action: s.Action}
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
	return r
}

// takes reports whether the next row's steps are more of what r's line does.
func (r *row) takes(next row) bool {
	if !r.sameCode(next) || !slices.Equal(r.lines, next.lines) ||
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
	if next.action != "" {
		r.action, r.with, r.specification = next.action, next.with, next.specification
	}
}

// sameCode reports whether two rows belong to one component, file and procedure.
func (r *row) sameCode(s row) bool {
	return r.component == s.component && r.file == s.file && r.procedure == s.procedure
}

func (r *row) silent() bool { return r.action == "" && len(r.values) == 0 }

// compact puts consecutive silent rows of one procedure together.
func compact(rs []row) []row {
	var out []row
	for _, r := range rs {
		n := len(out)
		if n == 0 || !r.silent() || !out[n-1].silent() || !out[n-1].sameCode(r) {
			out = append(out, r)
			continue
		}
		last := &out[n-1]
		last.last, last.source = r.last, "..."
		last.lines = append(slices.Clone(last.lines), r.lines...)
	}
	return out
}

func (r *row) numbers() string {
	if r.first == r.last {
		return strconv.Itoa(r.first)
	}
	return fmt.Sprintf("%d-%d", r.first, r.last)
}

// where is the place: the lines, in ranges where they only go up.
func (r *row) where(withFile bool) string {
	var parts []string
	for i := 0; i < len(r.lines); {
		end := i
		for end+1 < len(r.lines) && r.lines[end+1] > r.lines[end] {
			end++
		}
		switch end - i {
		case 0:
			parts = append(parts, strconv.Itoa(r.lines[i]))
		case 1:
			parts = append(parts, strconv.Itoa(r.lines[i]), strconv.Itoa(r.lines[end]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", r.lines[i], r.lines[end]))
		}
		i = end + 1
	}
	if n := len(parts); n > placesShown {
		parts = append(parts[:placesShown-1], "...", parts[n-1])
	}
	where := strings.Join(parts, ",")
	if withFile && len(parts) > 0 {
		where = r.file + ":" + where
	}
	return where
}

func (r *row) effects() string {
	parts := make([]string, 0, len(r.values))
	for _, v := range r.values {
		s := v.Name + " = " + v.Value
		if v.Chosen != "" {
			s += " (chosen: " + v.Chosen + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}
