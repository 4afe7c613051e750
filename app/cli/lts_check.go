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
is taken again and again. That is always so of progress properties.

Exit status: 0 all hold, 1 one does not, 2 wrong usage or input, 3 unknown because a
budget was used up, 70 an internal error.`,
		Example: "  magus lts check ring.lts:RING\n  magus lts check --assert ENTERS --fairness none ring.lts:RING",
	}, arguments(1, many), func(ctx context.Context, args []string) (int, error) { return f.run(ctx, w, args) })
	c.Flags().Var(options.NewValue(options.List, &f.names), "assert", "decide only the assertion or progress property `NAME` (repeatable)")
	c.Flags().Var(options.NewValue(options.Choice, &f.fairness, string(assertion.None), string(assertion.Choice)), "fairness",
		"which runs assertions are about: all, or those with fair choice")
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
	for i, m := range ms {
		file := f.change.files[args[i]]
		if file == nil {
			return 0, &usageError{args[i] + ": assertions are those of files in FSP: FILE.lts:NAME", "magus lts check"}
		}
		fails, err := f.decide(ctx, w.Stdout, args[i], m, file)
		if err != nil {
			return 0, err
		}
		if fails {
			status = 1
		}
	}
	return status, nil
}

// decide prints what is said of one LTS, and reports whether something does not hold.
func (f *ltsCheckFlags) decide(ctx context.Context, out io.Writer, name string, m *lts.LTS, file *fsp.File) (fails bool, err error) {
	asserts, err := file.Asserts(ctx)
	if err != nil {
		return false, err
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
		return false, err
	}
	var b strings.Builder
	fmt.Fprintln(&b, name)
	for i := range asserts {
		if a := &asserts[i]; f.asks(a.Name) {
			run, err := f.violated(ctx, a, m)
			if err != nil {
				return false, err
			}
			fails = fails || run != nil
			writeAssertion(&b, m, a, f.fairness, run)
		}
	}
	stuck, ends := lts.Deadlock(m)
	held := false // a progress property
	for _, p := range progress {
		if f.asks(p.Name) {
			wrong := writeProgress(&b, m, p, ends)
			fails, held = fails || wrong, held || !wrong
		}
	}
	if ends && held {
		fmt.Fprintf(&b, "  deadlock: state %s %s\n", stateName(m, endOf(m, stuck)), afterPath(m, stuck))
	}
	_, err = io.WriteString(out, b.String())
	return fails, err
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

// writeAssertion writes an answer, and the run that violates the assertion.
func writeAssertion(b *strings.Builder, m *lts.LTS, a *assertion.Assertion, fairness string, run *assertion.Run) {
	said := map[string]string{string(assertion.None): "all runs", string(assertion.Choice): "fair choice"}[fairness]
	answer := "holds"
	if run != nil {
		answer = "fails"
	}
	fmt.Fprintf(b, "  assert %s, %s: %s\n", a.Name, said, answer)
	if missing := a.Unperformed(m); len(missing) > 0 {
		fmt.Fprintf(b, "    warning: no action of %s is in the alphabet\n", phrase.Few(missing, listedActions))
	}
	if run == nil {
		return
	}
	line := func(what, text string) { fmt.Fprintf(b, "    %-10s %s\n", what+":", text) }
	line("actions", actionsOf(m, run.Stem, "(no action)"))
	switch {
	case run.Loop == nil && m.IsError(endOf(m, run.Stem)):
		line("then", "ERROR, where nothing happens any more")
	case run.Loop == nil:
		line("then", "nothing happens any more")
	default:
		line("for ever", actionsOf(m, run.Loop, "(no action)"))
		if run.Rest {
			line("", "and with fair choice whatever else is possible there, again and again")
		}
	}
}

// withoutEnd says of which runs a progress property holds if others end.
const withoutEnd = " of runs that do not end"

// writeProgress writes an answer, and reports whether it is no; ends says that there are runs that end.
func writeProgress(b *strings.Builder, m *lts.LTS, p fsp.Progress, ends bool) bool {
	path, can, fails := p.Violated(m)
	if !fails {
		of := ""
		if ends {
			of = withoutEnd
		}
		fmt.Fprintf(b, "  progress %s, fair choice: holds%s\n", p.Name, of)
		return false
	}
	fmt.Fprintf(b, "  progress %s, fair choice: fails\n", p.Name)
	fmt.Fprintf(b, "    actions:   %s\n", actionsOf(m, path, "(no action)"))
	fmt.Fprintf(b, "    then:      nothing but %s can happen any more\n", phrase.Few(quotedActions(m, can), listedActions))
	return true
}

// actionsOf are the visible actions of a path.
func actionsOf(m *lts.LTS, path []lts.Edge, none string) string {
	var names []string
	for _, e := range path {
		if e.Action != lts.Tau {
			names = append(names, quoteLabel(m.Actions().Name(e.Action)))
		}
	}
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, " ")
}
