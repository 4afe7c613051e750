package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"magus/lts"
)

// traceFlags are the flags of `magus lts trace`.
type traceFlags struct {
	ltsFlags
	trace                  string
	toDeadlock, toLivelock bool
	toError                bool
}

// newLTSTrace is the command `magus lts trace`.
func newLTSTrace(w *World, status *int) *cobra.Command {
	f := &traceFlags{}
	c := f.ltsCommand(w, status, &cobra.Command{
		Use:   "trace [flags] FILE",
		Short: "Show a path with a given trace, to a deadlock, a livelock or an ERROR state",
		Long: `Trace prints a shortest path from the initial state: one with the given weak
trace, that is with these visible actions and any τ, or one to a deadlock, to a
livelock or to an ERROR state. Exit status: 0 there is one, 1 there is none.

Actions are separated by blanks; one that contains blanks is put in double
quotes.`,
		Example: "  magus lts trace --trace \"lock unlock lock\" client.aut\n  magus lts trace --to-deadlock client.aut",
	}, arguments(1, 1), func(ctx context.Context, args []string) (int, error) { return f.run(ctx, w, args) })
	fs := c.Flags()
	given := func() (n int) {
		for _, name := range []string{"trace", "to-deadlock", "to-livelock", "to-error"} {
			if fs.Changed(name) {
				n++
			}
		}
		return n
	}
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		if given() != 1 {
			return &usageError{"give one of --trace, --to-deadlock, --to-livelock and --to-error", c.CommandPath()}
		}
		return nil
	}
	fs.StringVar(&f.trace, "trace", "", "the visible `ACTIONS` of the path")
	fs.BoolVar(&f.toDeadlock, "to-deadlock", false, "a path to a state that no transition leaves")
	fs.BoolVar(&f.toLivelock, "to-livelock", false, "a path to a cycle of τ, and the cycle")
	fs.BoolVar(&f.toError, "to-error", false, "a path to an ERROR state")
	f.registerBudgets(c, "")
	return c
}

// run prints the path that is asked for and returns the exit status.
func (f *traceFlags) run(ctx context.Context, w *World, args []string) (int, error) {
	var labels []string
	if !f.toDeadlock && !f.toLivelock && !f.toError {
		var err error
		if labels, err = splitTrace(f.trace); err != nil {
			return 0, &usageError{err.Error(), "magus lts trace"}
		}
	}
	ms, err := f.change.load(ctx, w, args)
	if err != nil {
		return 0, err
	}
	p, err := await(ctx, func() foundPath { return f.find(ms[0], labels) })
	if err != nil {
		return 0, err
	}
	if !p.found {
		_, err := fmt.Fprintln(w.Stdout, p.why)
		return 1, err
	}
	err = writePath(w.Stdout, ms[0], ms[0].Init(), p.path)
	if err == nil && p.cycle != nil {
		fmt.Fprintln(w.Stdout, "and again and again")
		err = writePath(w.Stdout, ms[0], endOf(ms[0], p.path), p.cycle)
	}
	return 0, err
}

// foundPath is a path and the cycle at its end, or why there is none.
type foundPath struct {
	path, cycle []lts.Edge
	found       bool
	why         string
}

func (f *traceFlags) find(m *lts.LTS, labels []string) foundPath {
	p := foundPath{}
	switch {
	case f.toDeadlock:
		p.why = "no deadlock"
		p.path, p.found = lts.Deadlock(m)
	case f.toError:
		p.why = "no ERROR state can be reached"
		p.path, _, p.found = lts.PathTo(m, m.IsError)
	case f.toLivelock:
		p.why = "no livelock"
		p.path, p.cycle, p.found = lts.Livelock(m)
	default:
		return f.member(m, labels)
	}
	return p
}

// member looks for the trace, and for its longest prefix if there is none.
func (f *traceFlags) member(m *lts.LTS, labels []string) (p foundPath) {
	var trace []lts.Action
	for i, label := range labels {
		a, known := m.Actions().Lookup(label)
		if !known || a != lts.Tau && !m.HasAction(a) {
			return foundPath{why: fmt.Sprintf("not a trace: there is no action %s, number %d", quoteLabel(label), i+1)}
		}
		trace = append(trace, a)
	}
	if p.path, p.found = lts.Member(m, trace); p.found {
		return p
	}
	possible, impossible := 0, len(trace) // lengths of prefixes
	for impossible-possible > 1 {
		middle := (possible + impossible) / 2
		if _, ok := lts.Member(m, trace[:middle]); ok {
			possible = middle
		} else {
			impossible = middle
		}
	}
	p.why = fmt.Sprintf("not a trace: no %s after %s", quoteLabel(labels[possible]), formatLabels(labels[:possible]))
	return p
}

// splitTrace parts a trace at its blanks. A part in double quotes is read as in
// Go.
func splitTrace(text string) (labels []string, err error) {
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimLeftFunc(rest, unicode.IsSpace) {
		word := rest
		if rest[0] == '"' {
			if word, err = strconv.QuotedPrefix(rest); err != nil {
				return nil, fmt.Errorf("--trace: a closing quote is missing in %s", rest)
			}
			label, err := strconv.Unquote(word)
			if err != nil {
				return nil, fmt.Errorf("--trace: %s is not quoted well", word)
			}
			labels = append(labels, label)
		} else {
			if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
				word = rest[:i]
			}
			labels = append(labels, word)
		}
		rest = rest[len(word):]
	}
	return labels, nil
}

// quoteLabel writes a label so that splitTrace reads it.
func quoteLabel(label string) string {
	odd := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '"' }
	if label == "" || strings.ContainsFunc(label, odd) {
		return strconv.Quote(label)
	}
	return label
}

// formatLabels writes a trace.
func formatLabels(labels []string) string {
	if len(labels) == 0 {
		return "the empty trace"
	}
	quoted := make([]string, len(labels))
	for i, label := range labels {
		quoted[i] = quoteLabel(label)
	}
	return strings.Join(quoted, " ")
}

// endOf is the last state of a path from the initial state.
func endOf(m *lts.LTS, path []lts.Edge) lts.State {
	if len(path) == 0 {
		return m.Init()
	}
	return path[len(path)-1].To
}

// afterPath says in words what leads to the end of a path.
func afterPath(m *lts.LTS, path []lts.Edge) string {
	if len(path) == 0 {
		return "at the start"
	}
	shown := path[:min(len(path), shownPath)]
	labels := make([]string, len(shown))
	for i, e := range shown {
		labels[i] = m.Actions().Name(e.Action)
	}
	text := "after " + formatLabels(labels)
	if more := len(path) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// shownPath is how many actions of a path are named in words.
const shownPath = 20

// writePath writes a transition a line, or the state of an empty path.
func writePath(w io.Writer, m *lts.LTS, from lts.State, path []lts.Edge) error {
	var b strings.Builder
	if len(path) == 0 {
		fmt.Fprintln(&b, stateName(m, from))
	}
	for _, e := range path {
		fmt.Fprintf(&b, "%s -%s-> %s\n", stateName(m, from), quoteLabel(m.Actions().Name(e.Action)), stateName(m, e.To))
		from = e.To
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// stateName is a state's number, and its name if it has one.
func stateName(m *lts.LTS, s lts.State) string {
	number := strconv.Itoa(int(s))
	if name := m.StateName(s); name != number {
		return number + ":" + name
	}
	return number
}
