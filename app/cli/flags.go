package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"magus/app/options"
)

// addFlags adds the options of a command as its flags, in the order of their
// table.
func addFlags(c *cobra.Command, s *options.Settings) {
	c.Flags().SortFlags = false
	c.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(s.Present(name))
	})
	c.PreRun = func(*cobra.Command, []string) {
		for _, note := range s.TakeNotes() {
			fmt.Fprintln(c.ErrOrStderr(), "magus: "+note)
		}
	}
	for _, r := range s.Rows() {
		addFlag(c, s, r.Name)
	}
}

// addFlag adds the option of that name, which the command has.
func addFlag(c *cobra.Command, s *options.Settings, name string) {
	r, err := s.Row(name)
	if err != nil {
		panic(err)
	}
	f := c.Flags().VarPF(&flagValue{r.Of(s.Options), s, name}, name, r.Short, r.Help)
	if r.Kind == options.Bool {
		f.NoOptDefVal = "true"
	}
	f.Annotations = map[string][]string{groupOfFlag: {r.Group}}
	if r.Common {
		f.Annotations[commonFlag] = []string{"true"}
	}
	if r.Kind != options.Choice {
		return
	}
	complete := cobra.FixedCompletions(r.Values, cobra.ShellCompDirectiveNoFileComp)
	if err := c.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // it was registered before
	}
}

// A flagValue is a flag that sets an option.
type flagValue struct {
	options.Value
	settings *options.Settings
	name     string
}

// Set implements pflag.Value. Which flag it is, pflag says.
func (v *flagValue) Set(text string) error {
	err := v.settings.Set(v.name, text)
	var value *options.ValueError
	if errors.As(err, &value) {
		return value.Err
	}
	return err
}

// asUsage makes an error of usage of a command out of one about its options.
func asUsage(err error, command string) error {
	var usage *options.UsageError
	if errors.As(err, &usage) {
		return &usageError{usage.Message, command}
	}
	return err
}
