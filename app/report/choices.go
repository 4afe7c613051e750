package report

// What a specification cannot follow.

import (
	"fmt"
	"strings"
)

// writeChoices writes a tree that the specification cannot follow.
func writeChoices(x *Counterexample, head func(name string, words []string)) {
	name := "choices"
	for _, line := range choiceLines(x.Choices, 0) {
		head(name, []string{line})
		name = ""
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
