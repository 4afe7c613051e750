package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"magus/app/options"
	"magus/internal/phrase"
	"magus/lts"
	"magus/lts/assertion"
	"magus/lts/fsp"
	"magus/lts/ltl"
)

// ltsCheckFlags are the flags of `magus lts check`.
type ltsCheckFlags struct {
	ltsFlags
	names    []string // of assertions and progress properties; none: all
	fairness string
	json     bool
}

// newLTSCheck is the command `magus lts check`.
func newLTSCheck(w *World, status *int) *cobra.Command {
	f := &ltsCheckFlags{fairness: string(assertion.Choice)}
	c := f.ltsCommand(w, status, &cobra.Command{
		Use:   "check [flags] FILE.lts:NAME...",
		Short: "Decide the assertions and progress properties of a file in FSP",
		Long: `Check decides what a file in FSP says of the runs of its processes: assertions,
which are formulas of linear temporal logic over actions and fluents, and progress
properties. A run that violates an assertion is shown: the actions before, and those
that come for ever.

With fair choice, the default, of transitions that are possible again and again each
is taken again and again. That is always so of progress properties. With weak fairness
an action that is possible all the time from some time on is done at some time, and
with strong fairness one that is possible again and again is done again and again.

With --json it prints one document, as docs/schema/lts-check.schema.json says.

Exit status: 0 all hold, 1 one does not, 2 wrong usage or input, 3 unknown because a
budget was used up, 70 an internal error.`,
		Example: "  magus lts check ring.lts:RING\n  magus lts check --assert ENTERS --fairness none ring.lts:RING",
	}, arguments(1, many), func(ctx context.Context, args []string) (int, error) { return f.run(ctx, w, args) })
	c.Flags().Var(options.NewValue(options.List, &f.names), "assert",
		"decide only the assertion or progress property `NAME` (repeatable)")
	c.Flags().Var(options.NewValue(options.Choice, &f.fairness, string(assertion.None), string(assertion.Weak),
		string(assertion.Strong), string(assertion.Choice)), "fairness",
		"which runs assertions are about: all, those that are weakly or strongly fair to each action, or those with fair choice")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	f.registerBudgets(c, "the LTS beside a formula has more than `N` states")
	return c
}

// run prints the answers and returns the exit status.
func (f *ltsCheckFlags) run(ctx context.Context, w *World, args []string) (int, error) {
	ms, err := f.change.load(ctx, w, args)
	if err != nil {
		return 0, err
	}
	status := 0
	document := ltsCheckDocument{Schema: ltsCheckSchema, LTSs: []*ltsCheckJSON{}}
	for i, m := range ms {
		file := f.change.files[args[i]]
		if file == nil {
			return 0, &usageError{args[i] + ": assertions are those of files in FSP: FILE.lts:NAME", "magus lts check"}
		}
		c, err := f.decide(ctx, args[i], m, file)
		if err != nil {
			return 0, err
		}
		if slices.ContainsFunc(c.Answers, func(a ltsAnswer) bool { return !a.Holds }) {
			status = 1
		}
		if !f.json {
			if err := c.write(w.Stdout); err != nil {
				return 0, err
			}
		}
		document.LTSs = append(document.LTSs, c)
	}
	if f.json {
		return status, writeJSON(w.Stdout, document)
	}
	return status, nil
}

// write writes the answers about an LTS.
func (c *ltsCheckJSON) write(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, c.Name)
	for i := range c.Answers {
		c.Answers[i].write(&b)
	}
	if c.Deadlock != nil {
		fmt.Fprintf(&b, "  deadlock: state %s\n", c.stuck)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// decide answers what is asked of one LTS.
func (f *ltsCheckFlags) decide(ctx context.Context, name string, m *lts.LTS, file *fsp.File) (*ltsCheckJSON, error) {
	var answers []ltsAnswer
	asserts, err := file.Asserts(ctx)
	if err != nil {
		return nil, err
	}
	progress := f.change.progress[name]
	var all []string
	for _, a := range asserts {
		all = append(all, a.Name)
	}
	for _, p := range progress {
		all = append(all, p.Name)
	}
	if err := f.known(name, all); err != nil {
		return nil, err
	}
	for i := range asserts {
		if a := &asserts[i]; f.asks(a.Name) {
			run, err := f.violated(ctx, a, m)
			if err != nil {
				return nil, err
			}
			answers = append(answers, answerOfAssertion(m, a, f.fairness, run))
		}
	}
	stuck, ends := lts.Deadlock(m)
	held := false // a progress property
	for _, p := range progress {
		if f.asks(p.Name) {
			answer := answerOfProgress(m, p, ends)
			answers, held = append(answers, answer), held || answer.Holds
		}
	}
	c := &ltsCheckJSON{Name: name, Answers: answers}
	if ends && held {
		c.Deadlock, c.stuck = stateJSON(m, stuck, true), stateName(m, endOf(m, stuck))+" "+afterPath(m, stuck)
	}
	return c, nil
}

// violated decides an assertion. What takes too much is unknown.
func (f *ltsCheckFlags) violated(ctx context.Context, a *assertion.Assertion, m *lts.LTS) (*assertion.Run, error) {
	run, err := a.Violated(ctx, m, assertion.Fairness(f.fairness), f.limits())
	var limit *lts.LimitError
	if errors.As(err, &limit) || errors.Is(err, ltl.ErrLarge) {
		return nil, &exhaustedError{a.Name + ": " + err.Error()}
	}
	return run, err
}

// asks reports whether a property is asked about; without its indices, all that have the name.
func (f *ltsCheckFlags) asks(name string) bool {
	plain, _, _ := strings.Cut(name, "[")
	return len(f.names) == 0 || slices.Contains(f.names, name) || slices.Contains(f.names, plain)
}

// known refuses names of nothing, and files that say nothing.
func (f *ltsCheckFlags) known(file string, all []string) error {
	if len(all) == 0 {
		return fmt.Errorf("%s: the file has no assertion and no progress property", file)
	}
	for _, n := range f.names {
		if !slices.ContainsFunc(all, func(name string) bool {
			plain, _, _ := strings.Cut(name, "[")
			return n == name || n == plain
		}) {
			return fmt.Errorf("%s: no assertion or progress property %s; it has %s", file, n, phrase.Few(all, 20))
		}
	}
	return nil
}

// withoutEnd says of which runs a progress property holds if others end.
const withoutEnd = " of runs that do not end"
