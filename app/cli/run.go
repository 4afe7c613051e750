package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/app/repl"
	"magus/app/report"
	"magus/app/report/junit"
	"magus/internal/inorder"
)

const runLong = `Run executes scripts in the language of the shell (magus repl), each in a shell
of its own, whatever becomes of the others. Names of files in a script are relative
to the folder that it is in. An expectation that is not met is printed with its
place, and with the run that violates where a verdict or a trace was expected. Where
the variable GITHUB_ACTIONS is true, annotations are printed too.

Exit status: 0 all expectations were met, 1 some were not, 2 a script is wrong
or a command failed, 3 a budget was used up, or what exit says; of several
scripts the highest.`

// newRunScripts is the command `magus run`.
func newRunScripts(w *World, status *int) *cobra.Command {
	f := &runFlags{jobs: 1}
	s := w.Settings(options.Scripts)
	c := batch(w, status, s, &cobra.Command{
		Use:     "run [flags] SCRIPT...",
		Short:   "Run scripts of the shell",
		Long:    runLong,
		Example: "  magus run conformance.magus\n  magus run --junit results.xml suite/*.magus",
	}, "script", "magus", f.run)
	c.Flags().StringVar(&f.junit, "junit", "", "write the expectations to `FILE` in the XML form of JUnit")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print only what goes wrong, and how many expectations were met")
	c.Flags().VarP(options.NewValue(options.Count, &f.jobs), "jobs", "j",
		"execute N scripts at a time; what they print stays in order")
	c.Flags().Var(options.NewValue(options.Count, &f.slowest), "slowest",
		"print at the end which N expectations took the longest")
	return c
}

// batch completes a command that works through files, each a noun with an ending: it needs one at least, and
// has budgets of time and memory.
func batch(w *World, status *int, s *options.Settings, c *cobra.Command, noun, ending string,
	run func(context.Context, *World, []string) (int, error)) *cobra.Command {
	c.DisableFlagsInUseLine = true
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{ending}, cobra.ShellCompDirectiveFilterFileExt
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return &usageError{"no " + noun + " given", c.CommandPath()}
		}
		return asUsage(s.Options.Validate(), c.CommandPath())
	}
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		w.forced(s.Options)
		ctx, cancel := job.Budget(c.Context(), w.Host, s.Options.Timeout, s.Options.MemoryLimit)
		defer cancel()
		*status, err = run(ctx, w, args)
		return err
	}
	addFlag(c, s, "timeout")
	addFlag(c, s, "memory-limit")
	addFlag(c, s, "force")
	return c
}

// runFlags are the flags of `magus run`.
type runFlags struct {
	junit         string
	quiet         bool
	jobs, slowest int
}

// A scriptRun is what became of a script.
type scriptRun struct {
	suite  repl.Suite
	status int
}

// run executes scripts and returns the highest of their exit statuses.
func (f *runFlags) run(ctx context.Context, w *World, names []string) (status int, err error) {
	w.reads(names...)
	if err := w.try(w.named("--junit", f.junit)); err != nil {
		return 0, err
	}
	runs := make([]scriptRun, len(names))
	out, messages := inorder.NewWriters(w.Stdout), inorder.NewWriters(w.Stderr)
	inorder.Each(len(names), f.jobs, func(i int) struct{} {
		f.script(ctx, w, out.Writer(i), messages.Writer(i), names[i], &runs[i])
		return struct{}{}
	}, func(i int, _ struct{}) {
		f.finish(w, names[i], &runs[i])
		_, _ = out.Next(), messages.Next() // the world keeps the errors
	})
	var suites []junit.Suite
	for i := range runs {
		suites, status = append(suites, runs[i].suite.JUnit()), max(status, runs[i].status)
	}
	if f.slowest > 0 {
		writeSlowest(w.Stdout, suites, f.slowest)
	}
	if f.junit == "" {
		return status, nil
	}
	return status, w.writeFile("--junit", f.junit, func(out io.Writer) error { return junit.Write(out, suites) })
}

// script executes one script in a shell whose folder is that of the script.
func (f *runFlags) script(ctx context.Context, w *World, out, err io.Writer, name string, r *scriptRun) {
	w.reads(name)
	if _, cause := w.Dir.Read(name); cause != nil {
		r.suite, r.status = repl.Suite{Script: name, File: name,
			Error: fmt.Sprintf("%s: %s", name, input.Cause(cause))}, exitInput
		fmt.Fprintln(err, r.suite.Error)
		return
	}
	inner := *w
	inner.Stdout, inner.Stderr = out, err
	inner.see(w.run.Shell())
	if f.quiet {
		inner.Stdout = io.Discard
	}
	folder, file := filepath.Split(name)
	if folder != "" {
		inner.Dir = input.Dir(w.Dir.Path(folder))
	}
	sh := repl.New(inner.host(newEngine(&inner)))
	defer sh.Close()
	r.suite, r.status = sh.Run(ctx, folder, file)
}

// finish tells what became of a script.
func (f *runFlags) finish(w *World, name string, r *scriptRun) {
	if n := len(r.suite.Results); n > 0 {
		fmt.Fprintf(w.Stdout, "%s: %d of %d expectations met\n", name, n-r.suite.Failures(), n)
	}
	if w.Env == nil || w.Env("GITHUB_ACTIONS") != "true" {
		return
	}
	for _, e := range r.suite.Results {
		if e.Failure != "" {
			annotate(w.Stdout, "error", &report.Place{File: e.File, Line: e.Line}, e.Failure)
		}
	}
	if r.suite.Error != "" {
		annotate(w.Stdout, "error", &report.Place{File: r.suite.File, Line: r.suite.Line}, r.suite.Error)
	}
}

// writeSlowest lists the cases that took the longest.
func writeSlowest(out io.Writer, suites []junit.Suite, n int) {
	var all []junit.Case
	for _, s := range suites {
		all = append(all, s.Cases...)
	}
	slices.SortStableFunc(all, func(a, b junit.Case) int { return cmp.Compare(b.Seconds, a.Seconds) })
	fmt.Fprintln(out, "slowest:")
	for _, c := range all[:min(n, len(all))] {
		fmt.Fprintf(out, "%8.3f s  %s, %s\n", c.Seconds, c.Class, c.Name)
	}
}
