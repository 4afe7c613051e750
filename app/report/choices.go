package report

// What a specification cannot follow, and what goes on for ever.

import (
	"fmt"
	"strings"
)

// writeEndlessOrChoices writes a tree that the specification cannot follow, or what goes on for ever.
func writeEndlessOrChoices(x *Counterexample, head func(name string, words []string)) {
	if x.Choices != nil {
		name := "choices"
		for _, line := range choiceLines(x.Choices, 0) {
			head(name, []string{line})
			name = ""
		}
	} else {
		head("trace", orNothing(x.Trace))
		head("diverges", strings.Fields(x.Diverges.String()))
	}
	if len(x.Running) > 0 {
		head("running", commas(x.Running))
	}
}

// ChoiceLines are the choices that the specification cannot follow, one a line, those behind one below it.
func (x *Counterexample) ChoiceLines() []string { return choiceLines(x.Choices, 0) }

// choiceLines are the choices, one a line, those behind one below it.
func choiceLines(all []Choice, depth int) (lines []string) {
	for _, c := range all {
		where := ""
		if len(all) > 1 {
			where = " in " + specNames(c.From)
		}
		what := "the specification cannot follow"
		if c.To != nil {
			what = "the specification follows to " + specNames(c.To)
		}
		run := ""
		if len(c.Then) == 0 {
			run = fmt.Sprintf(" (run %d)", c.Run)
		}
		lines = append(lines, fmt.Sprintf("%s%s:%s %s%s", strings.Repeat("  ", depth), c.Action, where, what, run))
		lines = append(lines, choiceLines(c.Then, depth+1)...)
	}
	return lines
}

// NotFollowed says in one line what the specification cannot follow: actions in their order, and where
// several are possible these in brackets.
func (x *Counterexample) NotFollowed() string {
	return "the specification cannot follow " + choiceText(x.Choices)
}

func choiceText(all []Choice) string {
	var texts []string
	for _, c := range all {
		text := c.Action
		if len(c.Then) > 0 {
			text += " " + choiceText(c.Then)
		}
		texts = append(texts, text)
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, " | ") + ")"
}

// String says who goes on for ever, where, and by which actions that are not observed.
func (e *Endless) String() string {
	var all []string
	for _, p := range e.Parts {
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
	if len(e.Actions) > 0 {
		return fmt.Sprintf("%s, by %s, which is not observed", text, strings.Join(e.Actions, " "))
	}
	return text + ", and nothing is observed"
}
