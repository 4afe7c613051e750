package page

import (
	"fmt"
	"slices"
	"strings"

	"magus/app/report"
)

// why says in one sentence what is not allowed about a run, "" where other lines say it: what is
// done where, in which state of the specification, what it allows, and with which input.
func why(x *report.Counterexample) string {
	if x.Standing != nil || x.Must != nil || len(x.Steps) == 0 || len(x.Trace) == 0 {
		return ""
	}
	var last *report.Step
	for i := range x.Steps {
		if x.Steps[i].Forbidden {
			last = &x.Steps[i]
		}
	}
	if last == nil || last.Place == nil || last.Action == "" {
		return ""
	}
	text := fmt.Sprintf("Line %d does %s, which is not allowed", last.Place.Line, last.Action)
	if x.SaysAllowed() && len(x.Allowed) > 0 {
		text += " there: only " + only(x.Allowed)
	}
	if in := inputs(x); in != "" {
		text += ". The run gets there with " + in
	}
	return text + "."
}

// mostAllowed is how many actions a sentence names.
const mostAllowed = 5

// only says that some things are, as the end of a sentence.
func only(names []string) string {
	n := len(names)
	switch {
	case n == 1:
		return names[0] + " is"
	case n > mostAllowed+1:
		return fmt.Sprintf("%s and %d others are", strings.Join(names[:mostAllowed], ", "), n-mostAllowed)
	}
	return strings.Join(names[:n-1], ", ") + " and " + names[n-1] + " are"
}

// fewInputs is how many inputs a sentence can hold.
const fewInputs = 3

// inputs are what the run begins with and what is chosen on its way, if that is little.
func inputs(x *report.Counterexample) string {
	var all []string
	for _, v := range x.Initial {
		if v.Value == "&*"+v.Name { // an object of its own, as is assumed
			continue
		}
		all = append(all, v.Name+" = "+v.Value)
	}
	for i, s := range x.Steps {
		for _, v := range s.Values {
			if v.Chosen != "" && !v.Idle && !overwritten(x, i, v.Name) {
				all = append(all, v.Name+" = "+v.Value)
			}
		}
	}
	if len(all) == 0 || len(all) > fewInputs {
		return ""
	}
	return strings.Join(all, ", ")
}

// overwritten reports whether a variable of a thread gets another value after a step. Of threads nobody says which
// values are read; of one that is there because nothing was assigned yet, that says enough for a sentence.
func overwritten(x *report.Counterexample, i int, name string) bool {
	return len(x.Running) > 0 && slices.ContainsFunc(x.Steps[i+1:], func(s report.Step) bool {
		return s.Component == x.Steps[i].Component &&
			slices.ContainsFunc(s.Values, func(v report.Value) bool { return v.Name == name && v.Chosen == "" })
	})
}
