package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"magus/app/report"
)

// Along the run of a violation, what the specification is in: behind each line of C that performs an action
// which it observes, the state that it comes to, and behind the last one that the action is not allowed. They
// stay as long as the violation is shown.

// A hint is what stands behind a line.
type hint struct {
	path   string
	line   int // from 0
	states []string
}

// mostStates are those that stand behind a line; of more, the last ones.
const mostStates = 3

// text is what the editor shows.
func (h *hint) text() string {
	states := h.states
	if n := len(states) - mostStates; n > 0 {
		states = append([]string{"…"}, states[n:]...)
	}
	return strings.Join(states, ", ")
}

// hintsOf are the hints along a run.
func hintsOf(x *report.Counterexample) (all []hint) {
	for _, st := range x.Steps {
		if st.Place == nil || st.Action == "" || len(st.Specification) == 0 && !st.Forbidden {
			continue
		}
		state := st.Action + " is not allowed"
		if !st.Forbidden {
			var names []string
			for _, s := range st.Specification {
				names = append(names, s.Name)
			}
			state = strings.Join(names, " or ")
		}
		line := st.Place.Line - 1
		same := func(h hint) bool { return h.path == st.Place.File && h.line == line }
		i := slices.IndexFunc(all, same)
		if i < 0 {
			i, all = len(all), append(all, hint{path: st.Place.File, line: line})
		}
		all[i].states = append(all[i].states, state)
	}
	return all
}

// InlayHint implements [protocol.Server].
func (s *server) InlayHint(ctx context.Context, p *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	detach(ctx)
	hints := []protocol.InlayHint{}
	path := pathOf(p.TextDocument.URI)
	t := s.docs.text(path)
	if t == nil {
		return hints, nil
	}
	yes := true
	for _, g := range s.groups(path) {
		for _, f := range s.checks.findings(g) {
			for _, h := range f.hints {
				from, to := int(p.Range.Start.Line), min(int(p.Range.End.Line), len(t.lines)-1)
				if h.path != path || h.line < from || h.line > to {
					continue
				}
				end := len(t.s)
				if h.line+1 < len(t.lines) {
					end = t.lines[h.line+1]
				}
				end = t.lines[h.line] + len(strings.TrimRight(t.s[t.lines[h.line]:end], "\r\n"))
				hints = append(hints, protocol.InlayHint{Position: t.span(end, end).Start,
					Label: protocol.String(h.text()), PaddingLeft: &yes})
			}
		}
	}
	return hints, nil
}
