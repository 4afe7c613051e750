package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"magus/app/job"
	"magus/app/options"
	"magus/app/outfile"
	"magus/app/page"
	"magus/app/report"
	"magus/engine/cegar"
)

const checkLong = `Check verifies C files against specification files: every abstraction of a
procedure that has a body, and every program specification. With
--property unreach-call it verifies instead that the action error (a call of
reach_error, a failing assert, ...) never happens; with no-data-race that no two
threads access a variable at once, one of them writing; with no-deadlock that
threads never wait for each other for ever.

Exit status: 0 every claim conforms, 1 a claim is violated, 3 otherwise if a
claim is unknown, 2 wrong usage or input, 70 an internal error.`

const checkExample = `  magus check lock.c lock.spec
  magus check --procedure drain --stats lock.c lock.spec
  magus check --property unreach-call program.c
  magus check --property no-data-race threads.c
  magus check --json --timeout 5m client.c server.c protocol.spec
  magus check -p build src/pump.c pump.spec`

// newCheck is the command `magus check`.
func newCheck(w *World, status *int) *cobra.Command {
	s := w.Settings(options.Check)
	c := &cobra.Command{
		Use:                   "check [flags] FILE.c... [FILE.spec...]",
		Short:                 "Check C files against specifications",
		Long:                  checkLong,
		Example:               checkExample,
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeSources,
		RunE: func(c *cobra.Command, args []string) error {
			verdict, err := check(c.Context(), w, s.Options, args)
			*status = statusOf(verdict)
			return asUsage(err, "magus check")
		},
	}
	addFlags(c, s)
	return c
}

// completeSources completes names of C and specification files.
func completeSources(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"c", "i", "pp", "h", "spec"}, cobra.ShellCompDirectiveFilterFileExt
}

// check runs `magus check` and returns the overall verdict. An error is a
// mistake in usage or input; a program that cannot be verified is a verdict.
func check(ctx context.Context, w *World, o *options.Options, names []string) (verdict string, err error) {
	ctx, cancel := job.Budget(ctx, w.Host, o.Timeout, o.MemoryLimit)
	defer cancel()
	w.reads(append(databaseFiles(o.CompileCommands), names...)...)
	w.forced(o)
	outputs := w.outputsOf(o)
	if err := errors.Join(w.try(outputs...), w.tryFolder(o.DumpQueries)); err != nil {
		return "", errors.Join(err, w.writeMistake(o, err))
	}
	r, err := job.Start(ctx, w.Host, o, names)
	if err == nil {
		err = w.try(outputs...) // which files are read is known now
	}
	if err != nil {
		return "", errors.Join(err, w.writeMistake(o, err))
	}
	text := w.text(o)
	e := evidence{world: w, options: o}
	var history *page.History
	if o.Report != "" {
		history = page.NewHistory()
	}
	for i := range r.Claims() {
		result := checkClaim(ctx, w, o, r, i, history)
		e.add(result)
		for _, remark := range result.Remarks {
			fmt.Fprintf(w.Stderr, "magus: %s\n", remark)
		}
		if o.JSON {
			continue
		}
		_ = report.WriteClaim(w.Stdout, result.Claim, text) // the world keeps the error
	}
	doc := r.Report()
	doc.Version = version()
	w.annotateClaims(o, doc)
	if o.JSON {
		err = report.WriteJSON(w.Stdout, doc)
	} else {
		err = report.WriteEnd(w.Stdout, doc, text)
	}
	return doc.Verdict, errors.Join(err, e.write(ctx, r.Question), r.Close(), w.writeResults(o, r.Question, doc),
		e.writeReport(ctx, r.Question, doc, history))
}

// outputsOf are the files that a check writes.
func (w *World) outputsOf(o *options.Options) []outfile.Name {
	return []outfile.Name{w.named("--certificate", o.Certificate), w.named("--harness", o.Harness),
		w.named("--witness", o.Witness), w.named("--coverage", o.Coverage), w.named("--report", o.Report),
		w.named("--sarif", o.SARIF), w.named("--junit", o.JUnit)}
}

// checkClaim checks claim number i and shows what goes on. The history, if there is one,
// keeps it.
func checkClaim(ctx context.Context, w *World, o *options.Options, r *job.Run, i int,
	history *page.History) job.Result {
	title := ""
	if n := r.Claims(); n > 1 {
		title = fmt.Sprintf("[%d/%d] ", i+1, n)
	}
	d := &display{world: w, title: title, trace: o.Trace, line: w.Terminal && !o.Quiet && !o.JSON && !o.Trace}
	defer d.end()
	if history != nil {
		return r.Check(ctx, i, keeper{d, history})
	}
	return r.Check(ctx, i, d)
}

// A keeper is a watcher that keeps a history besides.
type keeper struct {
	*display
	history *page.History
}

// BeginClaim implements [job.Watcher].
func (k keeper) BeginClaim(name string) {
	k.display.BeginClaim(name)
	k.history.Begin(name)
}

// View implements [job.Viewer].
func (k keeper) View(e cegar.Event, v cegar.View, took time.Duration) {
	k.history.Add(e, v, took.Seconds())
}
