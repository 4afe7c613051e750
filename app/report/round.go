package report

// A run that is wrong as a whole: what comes again and again, or that it ends.

import (
	"cmp"
	"fmt"
	"strings"

	"magus"
)

// A Round is the part of a run that comes again and again: its steps from First on, counted from 0, which are so many
// Times of it, as they were executed. Behind a run that Ends nothing happens any more.
type Round struct {
	First   int      `json:"first"`
	Times   int      `json:"times,omitempty"`
	Ends    bool     `json:"ends,omitempty"`
	Before  []string `json:"before"`  // actions up to there
	Actions []string `json:"actions"` // of one round
	// Place is where it begins, of a run that does not end, and Set what holds each time; none of it where the state is
	// the same each time.
	Place *Place   `json:"place,omitempty"`
	Set   []string `json:"set,omitempty"`
	// Parts are the components that go round, where the specification does not observe it.
	Parts []RoundPart `json:"parts,omitempty"`
}

// A RoundPart is a component that goes round.
type RoundPart struct {
	Component string  `json:"component"`
	Lines     []Place `json:"lines"` // of a round
}

// roundOf is what comes again and again.
func roundOf(r *magus.Run, names []string) *Round {
	if r.Round == nil {
		return nil
	}
	out := &Round{First: r.Round.First, Times: r.Round.Times, Ends: r.Round.Times == 0, Before: []string{},
		Set:     r.Round.Set,
		Actions: append([]string{}, r.Round.Actions...), Place: NewPlace(r.Round.Pos)}
	for _, s := range r.Steps[:out.First] {
		if s.Action != "" {
			out.Before = append(out.Before, s.Action)
		}
	}
	for _, p := range r.Round.Parts {
		part := RoundPart{Component: nameOf(names, p.Component), Lines: []Place{}}
		for _, l := range p.Lines {
			part.Lines = append(part.Lines, *NewPlace(l))
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

// nothingMore is said where a run ends.
const nothingMore = "nothing happens any more"

// String says what comes again and again.
func (r *Round) String() string {
	switch {
	case r.Parts != nil:
		return r.unobserved()
	case r.Place != nil:
		return r.endless()
	case r.Ends:
		return "then " + nothingMore
	case len(r.Actions) == 0:
		return "then for ever without an action" + r.within()
	}
	return "then for ever " + strings.Join(r.Actions, ", ") + r.within()
}

// within says what holds each time the round begins, where the values are not the same.
func (r *Round) within() string {
	if len(r.Set) == 0 {
		return ""
	}
	return "; each time it begins with " + strings.Join(r.Set, " and ")
}

// endless says why a run does not end.
func (r *Round) endless() string {
	why := "the state is the same each time"
	if len(r.Set) > 0 {
		why = "each time it begins with " + strings.Join(r.Set, " and ")
	}
	return fmt.Sprintf("for ever from step %d on (%s:%d): %s", r.First+1, r.Place.File, r.Place.Line, why)
}

// unobserved says who goes on for ever without being observed.
func (r *Round) unobserved() string {
	var all []string
	for _, p := range r.Parts {
		text := p.Component + " goes on for ever"
		var lines []string
		for _, l := range p.Lines {
			lines = append(lines, fmt.Sprintf("%s:%d", l.File, l.Line))
		}
		if len(lines) > 0 {
			text += " at " + strings.Join(lines, ", ")
		}
		all = append(all, text)
	}
	text := strings.Join(all, " and ")
	if len(r.Actions) > 0 {
		return fmt.Sprintf("%s, by %s, which is not observed", text, strings.Join(r.Actions, " ")) + r.within()
	}
	return text + ", and nothing is observed" + r.within()
}

// writeRound writes what happens, and what comes again and again then.
func writeRound(x *Counterexample, head func(name string, words []string)) {
	r := x.Round
	switch {
	case r.Parts != nil:
		head("trace", orNothing(x.Trace))
		head("diverges", strings.Fields(r.String()))
	case r.Place != nil:
		if len(x.Actions) > 0 {
			head("actions", x.Actions)
		}
		head("loop", strings.Fields(r.String()))
	case r.Ends:
		head("actions", orNothing(r.Before))
		head("then", strings.Fields(nothingMore))
	default:
		head("actions", orNothing(r.Before))
		head("for ever", strings.Fields(cmp.Or(strings.Join(r.Actions, " "), "(no action)")))
		if len(r.Set) > 0 {
			head("each time", strings.Fields("begins with "+strings.Join(r.Set, " and ")))
		}
	}
	if len(x.Running) > 0 && r.Place == nil {
		head("running", commas(x.Running))
	}
}

// IsWhole reports whether the whole run is what is wrong, however it goes on, and not its last action.
func (x *Counterexample) IsWhole() bool { return x.Round != nil }

// Repeats is from which of the steps on, counted from 0, the run goes round for ever; goesRound is false if
// it does not.
func (x *Counterexample) Repeats() (first int, goesRound bool) {
	if x.Round == nil || x.Round.Ends {
		return 0, false
	}
	return x.Round.First, true
}
