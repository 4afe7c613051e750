package cli

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"magus/app/job"
	"magus/app/options"
	"magus/lts"
)

const ltsLong = `Lts works on labelled transition systems. Each is given as a file of its own in
the Aldebaran form (FILE.aut) or in mCRL2's FSM form (FILE.fsm), as the
definition of a specification file (FILE.spec:Name), or as a process of a file
in FSP (FILE.lts:NAME, FILE.lts:NAME(ARGUMENTS)).

Every FILE is changed in this order as it is read: labels given by --tau become
τ, then --rename, --restrict, --hide and --keep apply.

Exit status: 0 yes or done, 1 no, 2 wrong usage or input, 3 unknown because a
budget was used up, 70 an internal error.`

// newLTS is the command group `magus lts`.
func newLTS(w *World, status *int) *cobra.Command {
	c := group("lts", "Work on labelled transition systems", ltsLong)
	c.AddCommand(newLTSInfo(w, status), newLTSCheck(w, status), newLTSConvert(w, status), newLTSCompose(w, status),
		newLTSMinimize(w, status), newLTSCompare(w, status), newLTSTrace(w, status), newLTSSimulate(w,
			status), newCheckCertificate(w, status))
	return c
}

// group is a command that only has others.
func group(name, short, long string) *cobra.Command {
	return &cobra.Command{
		Use:   name + " COMMAND",
		Short: short,
		Long:  long,
		Args:  unknownCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			var names []string
			for _, one := range c.Commands() {
				if one.IsAvailableCommand() {
					names = append(names, one.Name())
				}
			}
			return &usageError{"which command? There are " + strings.Join(names, ", "), c.CommandPath()}
		},
		DisableFlagsInUseLine:      true,
		SuggestionsMinimumDistance: 2,
	}
}

// ltsFlags are the flags that the commands of the group share. Which of them a
// command has is its own choice.
type ltsFlags struct {
	change    ltsChange
	options   *options.Settings // nil before ltsCommand
	maxStates int               // 0: no bound
	out       ltsOutput
	// certificate is the file of that flag, where there is one.
	certificate string
	answered    bool // what is wrong after that is wrong with what is written
}

// ltsCommand makes a command with the flags that all have. Its run returns an
// exit status, or an error; an error after the budget has ended is unknown.
func (f *ltsFlags) ltsCommand(w *World, status *int, c *cobra.Command, files cobra.PositionalArgs,
	run func(ctx context.Context, args []string) (int, error)) *cobra.Command {
	f.options = w.Settings(options.LTS)
	c.DisableFlagsInUseLine = true
	c.Args = func(c *cobra.Command, args []string) error {
		if err := files(c, args); err != nil {
			return err
		}
		return asUsage(f.options.Options.Validate(), c.CommandPath())
	}
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		ctx, cancel := job.Budget(c.Context(), w.Host, f.options.Options.Timeout, f.options.Options.MemoryLimit)
		defer cancel()
		w.forced(f.options.Options)
		if err := w.try(w.named("-o", f.out.file), w.named("--certificate", f.certificate)); err != nil {
			return err
		}
		*status, err = run(ctx, args)
		if err != nil && ctx.Err() != nil && !f.answered {
			err = &exhaustedError{context.Cause(ctx).Error()}
		}
		if reason, ok := err.(*exhaustedError); ok {
			*status = exitUnknown
			_, err = fmt.Fprintf(w.Stdout, "unknown: %s\n", reason.reason)
		}
		return err
	}
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"aut", "fsm", "spec", "lts", "fsp"}, cobra.ShellCompDirectiveFilterFileExt
	}
	c.Flags().SortFlags = false
	f.change.register(c)
	f.change.limits = f.limits
	return c
}

// registerBudgets adds the flags of budgets; states says when there are too many
// states, "" where they are not bounded.
func (f *ltsFlags) registerBudgets(c *cobra.Command, states string) {
	addFlag(c, f.options, "timeout")
	if states != "" {
		c.Flags().Var(options.NewValue(options.Count, &f.maxStates), "max-states", "give up when "+states)
	}
	addFlag(c, f.options, "memory-limit")
}

// limits are the budgets that package lts keeps itself.
func (f *ltsFlags) limits() lts.Limits {
	return lts.Limits{MaxStates: f.maxStates, MaxBytes: int64(min(f.options.Options.MemoryLimit, math.MaxInt64))}
}

// An exhaustedError says that a budget was used up before there was an answer.
type exhaustedError struct{ reason string }

func (e *exhaustedError) Error() string { return e.reason }

// tooLarge makes unknown of an error of package lts about a relation that is
// known and LTSs over one table: that they need more than the package can do,
// or that the context ended.
func tooLarge(err error) error { return &exhaustedError{strings.TrimPrefix(err.Error(), "lts: ")} }

// await returns what f returns, or earlier, without it, when the context ends.
// It is for work that knows of no context and touches nothing outside itself.
func await[T any](ctx context.Context, f func() T) (value T, err error) {
	type outcome struct {
		value T
		fault any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.fault = recover()
			done <- o
		}()
		o.value = f()
	}()
	select {
	case <-ctx.Done():
		return value, ctx.Err()
	case o := <-done:
		if o.fault != nil {
			panic(o.fault)
		}
		return o.value, nil
	}
}
