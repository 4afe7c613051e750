package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"magus/app/input"
	"magus/internal/pattern"
	"magus/lts"
	"magus/specs"
)

// specName is what the definition written by writeSpec is called; its states
// have numbers behind it.
const specName = "M"

// writeSpec writes the reachable part of m as a definition of the specification
// language. A state without transitions is STOP, so that they become one.
func writeSpec(ctx context.Context, w io.Writer, m *lts.LTS) error {
	m = lts.Reachable(m)
	text, err := specText(m)
	if err != nil {
		return err
	}
	if err := specMeans(ctx, text, m); err != nil {
		return err
	}
	_, err = io.WriteString(w, specHead+text)
	return err
}

// specHead is the first line of what writeSpec writes.
const specHead = "// Written by magus lts\n"

func specText(m *lts.LTS) (string, error) {
	labels := map[lts.Action]string{lts.Tau: "tau"}
	for _, a := range m.Alphabet() {
		name := m.Actions().Name(a)
		if !isSpecAction(name) {
			return "",
				input.Errorf(
					"magus: action %q cannot be written in the specification language; --rename gives it another name", name)
		}
		labels[a] = name
	}
	var b strings.Builder
	for s := range lts.State(m.NumStates()) {
		out := m.Out(s)
		if m.IsError(s) && len(out) > 0 {
			return "",
				input.Errorf("magus: ERROR state %s has transitions, which the specification language cannot say", stateName(m, s))
		}
		if s != 0 && len(out) == 0 {
			continue
		}
		if s != 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, "%s = ", specState(m, s, true))
		if len(out) == 0 {
			b.WriteString(specState(m, s, false))
			continue
		}
		for i, e := range out {
			b.WriteString(map[bool]string{true: "( ", false: "\n   | "}[i == 0])
			fmt.Fprintf(&b, "%s -> %s", labels[e.Action], specState(m, e.To, false))
		}
		b.WriteString(" )")
	}
	if idle := idleActions(m); len(idle) > 0 {
		fmt.Fprintf(&b, " + {%s}", strings.Join(idle, ", "))
	}
	return b.String() + ".\n", nil
}

// specState is what a state is called where it is defined or led to.
func specState(m *lts.LTS, s lts.State, defined bool) string {
	switch {
	case !defined && m.IsError(s):
		return "ERROR"
	case !defined && len(m.Out(s)) == 0:
		return "STOP"
	case s == 0:
		return specName
	}
	return fmt.Sprintf("%s%d", specName, s)
}

// reSpecAction is one name or several with full stops between them.
var reSpecAction = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)

// isSpecAction reports whether the specification language can name an action so.
func isSpecAction(name string) bool {
	reserved := func(part string) bool { return slices.Contains([]string{"STOP", "ERROR", "return", "tau"}, part) }
	return reSpecAction().MatchString(name) && !slices.ContainsFunc(strings.Split(name, "."), reserved)
}

// idleActions are the actions of the alphabet that no transition has, sorted.
func idleActions(m *lts.LTS) (idle []string) {
	used := map[lts.Action]bool{}
	for s := range lts.State(m.NumStates()) {
		for _, e := range m.Out(s) {
			used[e.Action] = true
		}
	}
	for _, a := range m.Alphabet() {
		if !used[a] {
			idle = append(idle, m.Actions().Name(a))
		}
	}
	slices.Sort(idle)
	return idle
}

// specMeans reads a text as specification files are read and makes sure that it
// says what m does.
func specMeans(ctx context.Context, text string, m *lts.LTS) error {
	file, err := specs.Parse(ctx, []specs.Source{{Name: "output", Text: []byte(text)}}, nil)
	if err != nil {
		return err
	}
	again, err := file.LTS(ctx, specName, m.Actions())
	if err != nil {
		return err
	}
	c, err := lts.Compare(ctx, again, m, lts.StrongBisim, lts.Limits{})
	if err == nil && (!c.Holds || !slices.Equal(again.Alphabet(), m.Alphabet())) {
		err = fmt.Errorf("this LTS cannot be written in the specification language")
	}
	return err
}
