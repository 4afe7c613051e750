package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"magus/internal/phrase"
	"magus/lts"
	"magus/lts/fsp"
)

// newLTSInfo is the command `magus lts info`.
func newLTSInfo(w *World, status *int) *cobra.Command {
	f, asJSON := &ltsFlags{}, false
	c := f.ltsCommand(w, status, &cobra.Command{
		Use:   "info [flags] FILE...",
		Short: "Count states and transitions, look for deadlocks and livelocks",
		Long: `Info prints for each LTS its numbers of states, transitions and actions, whether
it is deterministic, and shortest traces to an ERROR state if it has any, to a
deadlock, another state that nothing leaves, and to a livelock, a cycle of τ. Of a
file in FSP it decides the progress properties: what happens for ever in a set of
states that is never left.

With --json it prints one document, as docs/schema/lts-info.schema.json says.`,
		Example: "  magus lts info protocol.aut\n  magus lts info lock.spec:Lock",
	}, arguments(1, many), func(ctx context.Context, args []string) (int, error) {
		ms, err := f.change.load(ctx, w, args)
		if err != nil {
			return 0, err
		}
		document := ltsInfoDocument{Schema: ltsInfoSchema, LTSs: []ltsInfoJSON{}}
		for i, m := range ms {
			info, err := await(ctx, func() *ltsInfo { return newInfo(m, f.change.progress[args[i]]) })
			if err != nil {
				return 0, err
			}
			if asJSON {
				document.LTSs = append(document.LTSs, info.document(args[i], m))
			} else if err := info.write(w.Stdout, args[i], m); err != nil {
				return 0, err
			}
		}
		if asJSON {
			return 0, writeJSON(w.Stdout, document)
		}
		return 0, nil
	})
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	f.registerBudgets(c, "")
	return c
}

// ltsInfo is what info finds out.
type ltsInfo struct {
	reachable, silent int
	deterministic     bool
	deadlock          []lts.Edge
	deadlocks         bool
	livelock, cycle   []lts.Edge
	livelocks         bool
	wrong             []lts.Edge // to an ERROR state
	wrongs            bool
	progress          []progressAnswer
}

// progressAnswer says whether a progress property holds, and if not what can happen for ever after a path.
type progressAnswer struct {
	name  string
	fails bool
	other bool // the LTS has none of its actions
	path  []lts.Edge
	can   []lts.Action
}

// newInfo counts what there is to say about an LTS.
func newInfo(m *lts.LTS, progress []fsp.Progress) *ltsInfo {
	i := &ltsInfo{deterministic: true, reachable: countReachable(m)}
	for s := range lts.State(m.NumStates()) {
		out := m.Out(s)
		for k, e := range out {
			if e.Action == lts.Tau {
				i.silent++
			}
			if e.Action == lts.Tau || k > 0 && out[k-1].Action == e.Action {
				i.deterministic = false
			}
		}
	}
	for _, p := range progress {
		a := progressAnswer{name: p.Name, other: !p.Concerns(m)}
		a.path, a.can, a.fails = p.Violated(m)
		i.progress = append(i.progress, a)
	}
	i.wrong, _, i.wrongs = lts.PathTo(m, m.IsError)
	i.deadlock, i.deadlocks = lts.Deadlock(m)
	i.livelock, i.cycle, i.livelocks = lts.Livelock(m)
	return i
}

// countReachable counts the states that the initial state leads to.
func countReachable(m *lts.LTS) int {
	seen := make([]bool, m.NumStates())
	seen[m.Init()] = true
	found := []lts.State{m.Init()}
	for k := 0; k < len(found); k++ {
		for _, e := range m.Out(found[k]) {
			if !seen[e.To] {
				seen[e.To] = true
				found = append(found, e.To)
			}
		}
	}
	return len(found)
}

// write prints the figures.
func (i *ltsInfo) write(w io.Writer, name string, m *lts.LTS) error {
	var b strings.Builder
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "  %-14s %s\n", what, fmt.Sprintf(format, args...))
	}
	fmt.Fprintln(&b, name)
	states := fmt.Sprint(m.NumStates())
	if i.reachable < m.NumStates() {
		states += fmt.Sprintf(", %d of them reachable", i.reachable)
	}
	line("states", "%s", states)
	line("transitions", "%d", m.NumEdges())
	line("τ transitions", "%d", i.silent)
	line("actions", "%s", actionList(m))
	line("deterministic", "%s", map[bool]string{true: "yes", false: "no"}[i.deterministic])
	if i.wrongs {
		line("ERROR", "state %s %s", stateName(m, endOf(m, i.wrong)), afterPath(m, i.wrong))
	} else if m.HasError() {
		line("ERROR", "none")
	}
	if i.deadlocks {
		line("deadlock", "state %s %s", stateName(m, endOf(m, i.deadlock)), afterPath(m, i.deadlock))
	} else {
		line("deadlock", "none")
	}
	if i.livelocks {
		line("livelock", "state %s %s, with a cycle of %d τ", stateName(m, endOf(m, i.livelock)),
			afterPath(m, i.livelock), len(i.cycle))
	} else {
		line("livelock", "none")
	}
	for _, p := range i.progress {
		if p.fails && p.other {
			line("progress", "%s fails: %s has none of its actions", p.name, name)
		} else if p.fails {
			line("progress", "%s fails: %s nothing but %s can happen any more", p.name, afterPath(m, p.path),
				phrase.Few(quotedActions(m, p.can), listedActions))
		} else if i.deadlocks {
			line("progress", "%s holds%s", p.name, withoutEnd)
		} else {
			line("progress", "%s holds", p.name)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func quotedActions(m *lts.LTS, actions []lts.Action) []string {
	names := m.Actions().Names(actions)
	for i, name := range names {
		names[i] = quoteLabel(name)
	}
	return names
}

// listedActions is how many actions are named before the rest is counted.
const listedActions = 10

func actionList(m *lts.LTS) string {
	names := m.Actions().Names(m.Alphabet())
	slices.Sort(names)
	n := len(names)
	if n == 0 {
		return "0"
	}
	rest := ""
	if n > listedActions {
		names, rest = names[:listedActions], ", ..."
	}
	for i, name := range names {
		names[i] = quoteLabel(name)
	}
	return fmt.Sprintf("%d: %s%s", n, strings.Join(names, ", "), rest)
}
