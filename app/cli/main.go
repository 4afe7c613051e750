package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"magus/app/input"
	"magus/app/options"
	"magus/internal/phrase"
)

// Main runs the command that args name and returns the exit status. A context
// that ends stops it; what was found out until then is printed.
func Main(ctx context.Context, args []string, w World) (status int) {
	out, messages := w.guard()
	defer func() {
		if p := recover(); p != nil {
			status = fault(&w, fmt.Sprint(p), string(debug.Stack()))
		}
	}()
	root := newRoot(&w, &status, args...)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if closed := out.close(); closed != nil && !errors.Is(err, closed) {
		err = errors.Join(err, fmt.Errorf("standard output: %s", input.Cause(closed)))
	}
	if err != nil {
		status = complain(&w, err)
	}
	w.tellOld()
	_ = messages.close() // there is nowhere to complain
	return status
}

// A maker makes the command of a name.
type maker struct {
	name string
	make func(*World, *int) *cobra.Command
}

// makers are those of all commands, in the order of the help.
func makers() []maker {
	return []maker{
		{"check", newCheck}, {"verify-certificate", newVerify}, {"pointsto", newPointsTo}, {"lts", newLTS},
		{"param", newParam}, {"rules", newRules}, {"init", newInit}, {"repl", newRepl}, {"run", newRunScripts},
		{"suite", newSuite}, {"dot", newDot}, {"fmt", newFmt}, {"lsp", newLSP}, {"libc", newLibc}, {"man", newMan},
		{"version", newVersion},
	}
}

// addCommands adds the command that the first word names, or all: to make those that are not asked for takes a twentieth
// of what a small check takes. The manual is about all.
func addCommands(root *cobra.Command, w *World, status *int, words []string) {
	all := makers()
	for _, c := range all {
		if len(words) > 0 && words[0] == c.name && c.name != "man" {
			root.AddCommand(c.make(w, status))
			return
		}
	}
	for _, c := range all {
		root.AddCommand(c.make(w, status))
	}
}

// newRoot is the command that has the others; of these that which the words name, if they do. A command stores the
// exit status of a run that had no error.
func newRoot(w *World, status *int, words ...string) *cobra.Command {
	w.Table = w.Options() // made once for all commands
	root := &cobra.Command{
		Use:   "magus COMMAND",
		Short: "Verify that a C program conforms to a labelled transition system",

		SilenceErrors:              true,
		SilenceUsage:               true,
		DisableFlagsInUseLine:      true,
		SuggestionsMinimumDistance: 2,

		Args: unknownCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			return &usageError{"which command?", c.CommandPath()}
		},
	}
	root.SetOut(w.Stdout)
	root.SetErr(w.Stderr)
	root.SetHelpFunc(helpOf(w))
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{err.Error() + renamed(c, err), c.CommandPath()}
	})
	addCommands(root, w, status, words)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"})
	completion.SuggestionsMinimumDistance = root.SuggestionsMinimumDistance
	completion.Args, completion.RunE = unknownCommand, func(c *cobra.Command, _ []string) error {
		return &usageError{"for which shell?", c.CommandPath()}
	}
	help, _, _ := root.Find([]string{"help"})
	help.RunE = helpAbout
	return root
}

// helpAbout prints the help of the command that the words name.
func helpAbout(c *cobra.Command, words []string) error {
	about, rest, err := c.Root().Find(words)
	if err != nil || len(rest) > 0 {
		if len(rest) == 0 {
			rest = words
		}
		return unknownCommand(about, rest)
	}
	about.InitDefaultHelpFlag()
	return about.Help()
}

// renamed tells the name that an unknown flag has now, if it had another one, or
// those that may have been meant.
func renamed(c *cobra.Command, err error) string {
	var unknown interface{ GetSpecifiedName() string }
	if !errors.As(err, &unknown) {
		return ""
	}
	name := unknown.GetSpecifiedName()
	if now := options.Renamed(name); c.Flags().Lookup(now) != nil {
		return "; its name is --" + now + " now"
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	if len(name) < 2 || c.Flags().Lookup(name) != nil { // a letter is like any other; this one lacks its argument
		return ""
	}
	return phrase.Suggest("--"+name, names)
}

// many is no limit to the number of arguments.
const many = math.MaxInt

// arguments explains that there are too few arguments, or too many.
func arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		_, wanted, _ := strings.Cut(strings.Replace(c.Use, "[flags] ", "", 1), " ")
		switch msg := "expected " + wanted; {
		case most == 0:
			return &usageError{"takes no arguments", c.CommandPath()}
		case len(args) == 0:
			return &usageError{msg, c.CommandPath()}
		default:
			return &usageError{msg + ", found " + strings.Join(args, " "), c.CommandPath()}
		}
	}
}

// unknownCommand explains a first word that is no command.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	msg := "no command " + args[0]
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		msg += "; did you mean " + strings.Join(near, " or ") + "?"
	} else if !c.HasParent() && input.KindOf(args[0]) != input.Other {
		msg += "; did you mean check " + args[0] + "?"
	}
	return &usageError{msg, c.CommandPath()}
}
