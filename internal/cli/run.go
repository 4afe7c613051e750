package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"magus/internal/job"
	"magus/internal/options"
	"magus/internal/repl"
	"magus/internal/report/junit"
)

const runLong = `Run executes scripts in the language of the shell (magus repl), each in a shell
of its own. An expectation that is not met is printed with its place.

Exit status: 0 all expectations were met, 1 some were not, 2 a script is wrong
or a command failed, 3 a budget was used up, or what exit says; of several
scripts the highest.`

// newRunScripts is the command `magus run`.
func newRunScripts(w *World, status *int) *cobra.Command {
	junit, quiet := "", false
	s := options.For(options.Scripts)
	c := &cobra.Command{
		Use:                   "run [flags] SCRIPT...",
		Short:                 "Run scripts of the shell",
		Long:                  runLong,
		Example:               "  magus run conformance.magus\n  magus run --junit results.xml suite/*.magus",
		DisableFlagsInUseLine: true,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"magus"}, cobra.ShellCompDirectiveFilterFileExt
		},
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"no script given", c.CommandPath()}
			}
			return asUsage(s.Options.Validate(), c.CommandPath())
		},
		RunE: func(c *cobra.Command, args []string) error {
			ctx, cancel := job.Budget(c.Context(), w.Host, s.Options.Timeout, s.Options.MemoryLimit)
			defer cancel()
			var err error
			*status, err = w.runScripts(ctx, args, junit, quiet)
			return err
		},
	}
	c.Flags().StringVar(&junit, "junit", "", "write the expectations to `FILE` in the XML form of JUnit")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only what goes wrong, and how many expectations were met")
	addFlag(c, s, "timeout")
	addFlag(c, s, "memory-limit")
	return c
}

// runScripts executes scripts one after the other and returns the highest of their
// exit statuses.
func (w *World) runScripts(ctx context.Context, names []string, junitFile string, quiet bool) (status int, err error) {
	var suites []junit.Suite
	inner := *w
	if quiet {
		inner.Stdout = io.Discard
	}
	for _, name := range names {
		sh := repl.New(inner.host(newEngine(w)))
		suite, got := sh.Run(ctx, name)
		sh.Close()
		suites, status = append(suites, suite.JUnit()), max(status, got)
		if n := len(suite.Results); n > 0 {
			fmt.Fprintf(w.Stdout, "%s: %d of %d expectations met\n", name, n-suite.Failures(), n)
		}
	}
	if junitFile == "" {
		return status, nil
	}
	return status, w.writeFile(junitFile, func(out io.Writer) error { return junit.Write(out, suites) })
}
