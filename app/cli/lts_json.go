package cli

import (
	"encoding/json"
	"io"
	"slices"

	"magus/lts"
)

// The documents of `magus lts info --json` and `magus lts compare --json`.

const (
	ltsInfoSchema    = "magus-lts-info-1"
	ltsCompareSchema = "magus-lts-compare-1"
)

type ltsInfoDocument struct {
	Schema string        `json:"schema"`
	LTSs   []ltsInfoJSON `json:"ltss"`
}

type ltsInfoJSON struct {
	Name           string         `json:"name"`
	States         int            `json:"states"`
	Reachable      int            `json:"reachable"`
	Transitions    int            `json:"transitions"`
	TauTransitions int            `json:"tauTransitions"`
	Actions        []string       `json:"actions"`
	Deterministic  bool           `json:"deterministic"`
	Error          *ltsStateJSON  `json:"error,omitempty"`
	Deadlock       *ltsStateJSON  `json:"deadlock,omitempty"`
	Livelock       *ltsStateJSON  `json:"livelock,omitempty"`
	Progress       []progressJSON `json:"progress,omitempty"`
}

// ltsStateJSON is a state and the labels of a shortest path to it.
type ltsStateJSON struct {
	State int      `json:"state"`
	Name  string   `json:"name,omitempty"`
	Path  []string `json:"path"`
	Cycle int      `json:"cycle,omitempty"` // of a livelock: how many τ
}

type progressJSON struct {
	Name  string   `json:"name"`
	Holds bool     `json:"holds"`
	Path  []string `json:"path,omitempty"`
	Can   []string `json:"can,omitempty"`
}

type ltsCompareDocument struct {
	Schema   string    `json:"schema"`
	Relation string    `json:"relation"`
	Left     []string  `json:"left"`
	Right    string    `json:"right"`
	Verdict  string    `json:"verdict"` // holds, fails, unknown
	Reason   string    `json:"reason,omitempty"`
	TraceOf  string    `json:"traceOf,omitempty"` // left, right
	Trace    *[]string `json:"trace,omitempty"`   // nil: there is none, or it was not looked for
	// Difference is refusal or divergence, after a trace that both sides have.
	Difference  string       `json:"difference,omitempty"`
	Refusal     *refusalJSON `json:"refusal,omitempty"`
	Cycle       []lts.State  `json:"cycle,omitempty"`
	Explanation []string     `json:"explanation,omitempty"`
}

// refusalJSON is what left can offer, and what right must.
type refusalJSON struct {
	Offers []string   `json:"offers"`
	Must   [][]string `json:"must"`
}

// labelsOf are the labels of a path.
func labelsOf(m *lts.LTS, path []lts.Edge) []string {
	labels := make([]string, len(path))
	for i, e := range path {
		labels[i] = m.Actions().Name(e.Action)
	}
	return labels
}

func stateJSON(m *lts.LTS, path []lts.Edge, found bool) *ltsStateJSON {
	if !found {
		return nil
	}
	s := endOf(m, path)
	p := &ltsStateJSON{State: int(s), Path: labelsOf(m, path)}
	if stateName(m, s) != m.StateName(s) {
		p.Name = m.StateName(s)
	}
	return p
}

func (i *ltsInfo) document(name string, m *lts.LTS) ltsInfoJSON {
	actions := append([]string{}, m.Actions().Names(m.Alphabet())...)
	slices.Sort(actions)
	d := ltsInfoJSON{Name: name, States: m.NumStates(), Reachable: i.reachable, Transitions: m.NumEdges(),
		TauTransitions: i.silent,
		Actions:        actions, Deterministic: i.deterministic, Error: stateJSON(m, i.wrong, i.wrongs),
		Deadlock: stateJSON(m, i.deadlock, i.deadlocks), Livelock: stateJSON(m, i.livelock, i.livelocks)}
	if d.Livelock != nil {
		d.Livelock.Cycle = len(i.cycle)
	}
	for _, p := range i.progress {
		answer := progressJSON{Name: p.name, Holds: !p.fails}
		if p.fails {
			answer.Path, answer.Can = labelsOf(m, p.path), m.Actions().Names(p.can)
		}
		d.Progress = append(d.Progress, answer)
	}
	return d
}

// writeJSON writes a document with indents.
func writeJSON(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(document)
}
