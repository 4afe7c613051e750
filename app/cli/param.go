package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/param"
	"magus/param/mist"
	"magus/param/syntax"
)

const paramLong = `Param works on parameterised systems: any number of identical finite-state
processes that share variables. A FILE is a model in the language of
docs/param.md, or one of the tool mist, which begins with the word vars.

Exit status: 0 safe or done, 1 unsafe or no, 2 wrong usage or input, 3 unknown,
70 an internal error.`

// newParam is the command group `magus param`.
func newParam(w *World, status *int) *cobra.Command {
	c := group("param", "Verify systems of any number of processes", paramLong)
	c.AddCommand(newParamCheck(w, status), newParamInfo(w, status), newParamSimulate(w, status),
		newParamConvert(w, status), newParamCertificate(w, status), newParamStep(w, status))
	return c
}

// paramFlags are the flags that the commands of the group share.
type paramFlags struct {
	timeout     time.Duration
	memoryLimit uint64
	options     *options.Settings // nil before paramCommand
	// What is written.
	output, certificate, report string
	answered                    bool // what is wrong after that is wrong with what is written
}

// paramCommand makes a command with the budgets that all have. Its run returns an exit status, or an
// error; an error after the budget has ended is unknown, and so is a limit.
func (f *paramFlags) paramCommand(w *World, status *int, c *cobra.Command, args cobra.PositionalArgs,
	run func(ctx context.Context, args []string) (int, error)) *cobra.Command {
	f.options = w.Settings(options.Param)
	c.DisableFlagsInUseLine = true
	c.Args = func(c *cobra.Command, names []string) error {
		if err := args(c, names); err != nil {
			return err
		}
		if f.timeout < 0 {
			return &usageError{"--timeout must not be negative", c.CommandPath()}
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, names []string) (err error) {
		ctx, cancel := job.Budget(c.Context(), w.Host, f.timeout, f.memoryLimit)
		defer cancel()
		w.reads(names...)
		w.forced(f.options.Options)
		if err := w.try(w.named("-o", f.output), w.named("--certificate", f.certificate),
			w.named("--report", f.report)); err != nil {
			return err
		}
		*status, err = run(ctx, names)
		var large *syntax.Error
		switch {
		case err == nil:
			return nil
		case errors.As(err, &large) && large.Limit:
			*status = exitUnknown
			_, err = fmt.Fprintf(w.Stdout, "unknown: %v\n", err)
		case ctx.Err() != nil && !f.answered:
			*status = exitUnknown
			_, err = fmt.Fprintf(w.Stdout, "unknown: %v\n", context.Cause(ctx))
		}
		return err
	}
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"param", "spec"}, cobra.ShellCompDirectiveFilterFileExt
	}
	c.Flags().SortFlags = false
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "give up after `DURATION`, such as 90s or 5m")
	c.Flags().Var(options.NewValue(options.Size, &f.memoryLimit), "memory-limit",
		"give up when more memory than SIZE is in use, such as 2GiB")
	return c
}

// readModel reads a model in either language.
func readModel(w *World, name string) (m *param.Model, isMist bool, err error) {
	text, err := w.read(name)
	if err != nil {
		return nil, false, err
	}
	if isMist = mist.Is(text); isMist {
		m, err = mist.Parse(name, text)
	} else {
		m, err = param.Parse(name, text)
	}
	if err != nil {
		return nil, false, &input.Error{Message: err.Error()}
	}
	return m, isMist, nil
}

// properties are the numbers of the properties with a name, or of all.
func properties(m *param.Model, name string) ([]int, error) {
	var numbers []int
	for i, p := range m.Bad {
		if name == "" || p.Name == name {
			numbers = append(numbers, i)
		}
	}
	if len(numbers) == 0 {
		return nil, input.Errorf("magus: the model has no property %s", name)
	}
	return numbers, nil
}

// propertyName is how a property is spoken of; "" if it is the only one.
func propertyName(m *param.Model, i int) string {
	switch {
	case m.Bad[i].Name != "":
		return m.Bad[i].Name
	case len(m.Bad) > 1:
		return fmt.Sprintf("property %d", i+1)
	}
	return ""
}
