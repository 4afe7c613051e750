package report

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/evidence/verdict"
	"magus/internal/phrase"
)

// A counterexample is read from the top: what happens and what the
// specification wanted instead, the values the run starts with, then the run
// itself, a table with one row for what one component does on one source line.
// Steps that neither act nor give a variable a value that matters later are
// kept, but share a row (rows.go), and how rows look is in layout.go.

// textWidth is that of wrapped lines.
const textWidth = 89

func writeCounterexample(b *strings.Builder, c *Claim, how Text) {
	x, components := c.Counterexample, c.Components
	several := len(components) > 1 || len(x.Running) > 1
	order := x.Running
	for _, c := range components {
		order = append(slices.Clip(order), c.Name)
	}
	b.WriteByte('\n')
	wide := textWidth
	if how.Width > 0 {
		wide = max(leastWidth, min(wide, how.Width))
	}
	head := func(name string, words []string) {
		text := wrap(words, 13, wide, "             ", how.Width > 0)
		if slices.Contains([]string{"forbidden", "deadlock", "refused", "loop", "for ever", "then"}, name) {
			text = how.paint(Bad, text)
		}
		if name != "" {
			name += ":"
		}
		fmt.Fprintf(b, "  %-10s %s\n", name, text)
	}
	if c.Rule == "" { // its events are in the line of the finding, and in the table
		writeTrace(x, head)
		b.WriteByte('\n')
	}
	writeInitial(b, x.Initial, several, how)
	w := run{several: several, order: order, specified: x.hasText(), how: how}
	for i, part := range x.parts(how.Verbose) {
		if i > 0 {
			fmt.Fprintf(b, "  then for ever:\n")
		}
		if w.rows = part; len(part) > 0 {
			w.write(b)
		}
		b.WriteByte('\n')
	}
	for i, branch := range x.Branches {
		fmt.Fprintf(b, "  run %d: %s\n\n", i+2, strings.Join(orNothing(branch.Trace), " "))
		if len(branch.Steps) > 0 {
			w := run{rows: rows(branch.Steps, how.Verbose), several: several, order: order,
				specified: branch.hasText(), how: how}
			w.write(b)
			b.WriteByte('\n')
		}
	}
}

// writeTrace writes what the specification observes, and what it wanted.
func writeTrace(x *Counterexample, head func(name string, words []string)) {
	if x.Must != nil {
		writeRefusal(x, head)
		return
	}
	if x.Choices != nil {
		writeChoices(x, head)
		return
	}
	if x.Standing != nil {
		writeDeadlock(x, head)
		return
	}
	if x.Round != nil {
		writeRound(x, head)
		return
	}
	head("trace", orNothing(x.Trace))
	if len(x.Trace) > 0 {
		head("forbidden", strings.Fields(x.Forbidden()))
	}
	if x.By != "" {
		head("by", strings.Fields(x.performer()))
	}
	if x.SaysAllowed() {
		head("allowed", commas(orNothing(x.Allowed)))
	}
	if !x.Shortest {
		head("length", strings.Fields(phrase.Plural(len(x.Trace), "action")+"; a shorter trace may violate the claim too"))
	}
	if !slices.Equal(x.Trace, x.Actions) {
		head("actions", orNothing(x.Actions))
	}
	if len(x.Running) > 0 {
		head("running", commas(x.Running))
	}
}

// writeRefusal writes what the specification must be offered, and what is.
func writeRefusal(x *Counterexample, head func(name string, words []string)) {
	head("trace", orNothing(x.Trace))
	head("refused", strings.Fields(x.Refused()))
	if !slices.Equal(x.Trace, x.Actions) {
		head("actions", orNothing(x.Actions))
	}
	if len(x.Running) > 0 {
		head("running", commas(x.Running))
	}
	writeStanding(x, "stands", head)
}

// Refused says what the specification must be offered after the trace, and what is.
func (x *Counterexample) Refused() string {
	var all []string
	for _, m := range x.Must {
		all = append(all, strings.Join(m, " and "))
	}
	must := strings.Join(all, ", or ")
	if len(all) == 0 {
		must = "something, for it is never stable"
	}
	at := ""
	if states := specNames(x.Specification); states != "" {
		at = " in " + states
	}
	return fmt.Sprintf("the specification must be offered %s%s; offered: %s", must, at,
		strings.Join(orNothing(x.Offered), ", "))
}

// Forbidden is the last action with the states in which the specification does not
// allow it.
func (x *Counterexample) Forbidden() string {
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

// performer is the thread that performs the forbidden action, with the place.
func (x *Counterexample) performer() string {
	if p := x.End(); p != nil {
		return fmt.Sprintf("%s (%s:%d)", x.By, p.File, p.Line)
	}
	return x.By
}

// Wrong says in one line what is wrong at the end of the run: who stands still, what is refused, or what is
// forbidden; "" of a run in which nothing is observed.
func (x *Counterexample) Wrong() string {
	switch {
	case x.Round != nil:
		return x.Round.String()
	case x.Must != nil:
		return x.Refused()
	case x.Choices != nil:
		return x.NotFollowed()
	case x.Standing != nil:
		var all []string
		for _, s := range x.Standing {
			all = append(all, s.String())
		}
		return strings.Join(all, "; ")
	case len(x.Trace) > 0 && x.By != "":
		return x.Forbidden() + ", by " + x.By
	case len(x.Trace) > 0:
		return x.Forbidden()
	}
	return ""
}

// parts are the rows of the run: those of the stem and of the loop where there is one.
func (x *Counterexample) parts(verbose bool) [][]row {
	first, goesRound := x.Repeats()
	if !goesRound {
		if len(x.Steps) == 0 {
			return nil
		}
		if x.ofThreads() { // whose last step says where they stand
			return [][]row{rows(x.Steps, verbose)}
		}
		return [][]row{append(rows(x.Steps, verbose), standing(x.Standing)...)}
	}
	stem, loop := rows(x.Steps[:first], verbose), rows(x.Steps[first:], verbose)
	for i := range loop {
		loop[i].first, loop[i].last = loop[i].first+first, loop[i].last+first
	}
	return [][]row{stem, loop}
}

// BeginsRound reports whether the steps that are repeated begin with the one of a number, counted from 1.
func (x *Counterexample) BeginsRound(number int) bool {
	first, goesRound := x.Repeats()
	return goesRound && number == first+1
}

// End is where a component waits at the end of the run, or the place of the last step that has one; nil if none has.
func (x *Counterexample) End() *Place {
	for _, s := range x.Standing {
		if !s.Ended && s.Place != nil {
			return s.Place
		}
	}
	for _, s := range slices.Backward(x.Steps) {
		if s.Place != nil {
			return s.Place
		}
	}
	return nil
}

// hasText reports whether the specification is one that somebody wrote.
func (x *Counterexample) hasText() bool {
	return slices.ContainsFunc(x.Specification, func(s SpecState) bool { return s.Place != nil })
}

// SaysAllowed reports whether it means something what would have been allowed.
func (x *Counterexample) SaysAllowed() bool {
	return len(x.Trace) > 0 && !x.Opposite && x.Must == nil && x.Choices == nil && !x.IsWhole() &&
		(x.hasText() || len(x.Allowed) > 0)
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

// Said is the value for people. A pointer from outside leads to an object of its own, whose address is named by it.
func (in *Initial) Said() string {
	if in.Value == "&*"+in.Name {
		return in.Name + " points to an object of its own"
	}
	return in.Name + " = " + in.Value
}

func writeInitial(b *strings.Builder, initial []Initial, several bool, how Text) {
	t := table{right: make([]bool, 3), narrow: []int{0, 1}}
	t.add("initially", "", "")
	for _, in := range initial {
		component, where := "", ""
		if several {
			component = in.Component
		}
		if in.Place != nil {
			where = fmt.Sprintf("%s:%d", in.Place.File, in.Place.Line)
		}
		if how.Verbose || !in.Idle {
			t.add("  "+in.Said(), component, where)
		}
	}
	if len(t.rows) > 1 {
		t.write(b, "  ", how)
		b.WriteByte('\n')
	}
}
