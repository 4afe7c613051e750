package cli

import (
	"fmt"
	"strings"

	"magus/internal/phrase"
	"magus/lts"
	"magus/lts/assertion"
	"magus/lts/fsp"
)

const ltsCheckSchema = "magus-lts-check-1"

// The document of `magus lts check --json`.
type ltsCheckDocument struct {
	Schema string          `json:"schema"`
	LTSs   []*ltsCheckJSON `json:"ltss"`
}

type ltsCheckJSON struct {
	Name    string      `json:"name"`
	Answers []ltsAnswer `json:"answers"`
	// Deadlock is where a run ends, if a progress property holds of those that do not.
	Deadlock *ltsStateJSON `json:"deadlock,omitempty"`

	stuck string
}

// An ltsAnswer is the answer to an assertion or a progress property.
type ltsAnswer struct {
	Kind     string `json:"kind"` // assert, progress
	Name     string `json:"name"`
	Fairness string `json:"fairness"` // none, choice
	Holds    bool   `json:"holds"`
	Endless  bool   `json:"endless,omitempty"` // it is about runs that do not end, and others do
	// Unperformed are propositions of which the LTS has no action.
	Unperformed []string      `json:"unperformed,omitempty"`
	Run         *ltsRunJSON   `json:"run,omitempty"`      // that violates the assertion
	Terminal    *terminalJSON `json:"terminal,omitempty"` // set of states that violates the progress property
}

// An ltsRunJSON is a run with its visible actions: those before, and those that come for ever, or its end.
type ltsRunJSON struct {
	Before  []string `json:"before"`
	Forever []string `json:"forever"`
	Ends    string   `json:"ends,omitempty"` // nothing, error: nothing happens any more
	Rest    bool     `json:"rest,omitempty"` // with fair choice, besides, what else is possible again and again
}

// A terminalJSON is where nothing but some actions can happen any more.
type terminalJSON struct {
	Before []string `json:"before"`
	Can    []string `json:"can"`
}

// answerOfAssertion is the answer to an assertion, which a run violates, or none.
func answerOfAssertion(m *lts.LTS, a *assertion.Assertion, fairness string, run *assertion.Run) ltsAnswer {
	answer := ltsAnswer{Kind: "assert", Name: a.Name, Fairness: fairness, Holds: run == nil, Unperformed: a.Unperformed(m)}
	if run == nil {
		return answer
	}
	answer.Run = &ltsRunJSON{Before: visibleLabels(m, run.Stem), Forever: visibleLabels(m, run.Loop), Rest: run.Rest}
	switch {
	case run.Loop == nil && m.IsError(endOf(m, run.Stem)):
		answer.Run.Ends = "error"
	case run.Loop == nil:
		answer.Run.Ends = "nothing"
	}
	return answer
}

// answerOfProgress is the answer to a progress property; ends says that there are runs that end.
func answerOfProgress(m *lts.LTS, p fsp.Progress, ends bool) ltsAnswer {
	path, can, fails := p.Violated(m)
	answer := ltsAnswer{Kind: "progress", Name: p.Name, Fairness: string(assertion.Choice), Holds: !fails,
		Endless: ends && !fails}
	if fails {
		answer.Terminal = &terminalJSON{visibleLabels(m, path), m.Actions().Names(can)}
	}
	return answer
}

// visibleLabels are the visible actions of a path.
func visibleLabels(m *lts.LTS, path []lts.Edge) []string {
	names := []string{}
	for _, e := range path {
		if e.Action != lts.Tau {
			names = append(names, m.Actions().Name(e.Action))
		}
	}
	return names
}

// write writes an answer as text.
func (a *ltsAnswer) write(b *strings.Builder) {
	said := map[string]string{string(assertion.None): "all runs", string(assertion.Choice): "fair choice",
		string(assertion.Weak): "weak fairness of actions", string(assertion.Strong): "strong fairness of actions"}[a.Fairness]
	answer := "holds"
	if !a.Holds {
		answer = "fails"
	} else if a.Endless {
		answer += withoutEnd
	}
	fmt.Fprintf(b, "  %s %s, %s: %s\n", a.Kind, a.Name, said, answer)
	if len(a.Unperformed) > 0 {
		fmt.Fprintf(b, "    warning: no action of %s is in the alphabet\n", phrase.Few(a.Unperformed, listedActions))
	}
	line := func(what, text string) { fmt.Fprintf(b, "    %-10s %s\n", what+":", text) }
	if t := a.Terminal; t != nil {
		line("actions", orNoAction(t.Before))
		line("then", fmt.Sprintf("nothing but %s can happen any more", phrase.Few(quotedLabels(t.Can), listedActions)))
	}
	r := a.Run
	if r == nil {
		return
	}
	line("actions", orNoAction(r.Before))
	switch r.Ends {
	case "error":
		line("then", "ERROR, where nothing happens any more")
	case "nothing":
		line("then", "nothing happens any more")
	default:
		line("for ever", orNoAction(r.Forever))
		if r.Rest {
			line("", "and with "+said+" whatever else is possible there, again and again")
		}
	}
}

// quotedLabels are labels as they are typed.
func quotedLabels(labels []string) (all []string) {
	for _, l := range labels {
		all = append(all, quoteLabel(l))
	}
	return all
}

func orNoAction(labels []string) string {
	if len(labels) == 0 {
		return "(no action)"
	}
	return strings.Join(quotedLabels(labels), " ")
}
