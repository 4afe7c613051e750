package lts

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// String returns m as text that depends only on m and the names in it, not on how actions are
// numbered: alphabet, initial state, and one line a transition, by source, action name and target.
// A state is written as its number, with its name if it has one.
//
//	alphabet {lock, unlock}
//	init 0:Free
//	0:Free -lock-> 1:Held
//	1:Held -unlock-> 0:Free
func (m *LTS) String() string {
	var b strings.Builder
	_ = WriteText(&b, m) // which a builder takes
	return b.String()
}

// WriteText writes what [LTS.String] returns. It ends with the first error of w.
func WriteText(w io.Writer, m *LTS) error {
	b := bufio.NewWriterSize(w, 64<<10)
	names := m.actions.Names(m.alphabet)
	slices.Sort(names)
	fmt.Fprintf(b, "alphabet {%s}\ninit %s\n", strings.Join(names, ", "), m.stateText(m.init))
	for s := range State(m.NumStates()) {
		if m.IsError(s) {
			fmt.Fprintf(b, "error %s\n", m.stateText(s))
		}
	}
	for s := range State(m.NumStates()) {
		for _, e := range m.outByName(s) {
			if _, err := fmt.Fprintf(b, "%s -%s-> %s\n", m.stateText(s), m.actions.Name(e.Action),
				m.stateText(e.To)); err != nil {
				return err
			}
		}
	}
	return b.Flush()
}

func (m *LTS) stateText(s State) string {
	if m.name == nil || m.name(s) == "" {
		return fmt.Sprint(s)
	}
	return fmt.Sprintf("%d:%s", s, m.name(s))
}

// outByName returns a copy of Out(s) in the order of the actions' names, τ first.
func (m *LTS) outByName(s State) []Edge {
	out := slices.Clone(m.Out(s))
	slices.SortStableFunc(out, func(e, f Edge) int {
		if e.Action == Tau || f.Action == Tau {
			return cmp.Compare(e.Action, f.Action)
		}
		return cmp.Compare(m.actions.Name(e.Action), m.actions.Name(f.Action))
	})
	return out
}
