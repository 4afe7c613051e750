package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"magus/app/job"
	"magus/app/options"
	"magus/app/outfile"
	"magus/app/page"
	"magus/app/report"
	"magus/engine/cegar"
	"magus/internal/inorder"
)

const checkLong = `Check verifies C files against specification files: every abstraction of a
procedure that has a body, and every program specification. With
--property unreach-call it verifies instead that the action error (a call of
reach_error, a failing assert, ...) never happens; with no-data-race that no two
threads access a variable at once, one of them writing; with terminates that
every run of the function ends; with no-overflow that no signed operation
overflows; with no-deadlock that threads, or the components of each program
block of the specifications, never wait for each other for ever; with
no-livelock that they never go on for ever without an action.

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
	o, isPresumed := presumed(o, names)
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
		if isPresumed {
			err = unpresumed(err, names)
		}
		return "", errors.Join(err, w.writeMistake(o, err))
	}
	if isPresumed {
		w.tellPresumed(o)
		defer w.tellMore(o, names)
	}
	text := w.text(o)
	e := evidence{world: w, options: o}
	var history *page.History
	if o.Report != "" {
		history = page.NewHistory()
	}
	checkClaims(ctx, w, o, r, history, func(result job.Result) {
		e.add(result)
		for _, remark := range result.Remarks {
			fmt.Fprintf(w.Stderr, "magus: %s\n", remark)
		}
		if !o.JSON {
			_ = report.WriteClaim(w.Stdout, result.Claim, text) // the world keeps the error
		}
	})
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

// checkClaims checks all claims, some at a time, shows what goes on, and tells what
// came out. The history, if there is one, keeps it.
func checkClaims(ctx context.Context, w *World, o *options.Options, r *job.Run, history *page.History,
	tell func(job.Result)) {
	n, jobs := r.Claims(), cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	line := w.Terminal && !o.Quiet && !o.JSON && !o.Trace
	var p *suiteProgress
	if line && n > 1 && jobs > 1 {
		p, line = newProgress(w, n, jobs), false
	}
	defer p.end()
	traces := inorder.NewWriters(w.Stderr)
	displays := make([]*display, n)
	r.All(ctx, jobs, func(i int) job.Watcher {
		d := &display{world: w, messages: traces.Writer(i), trace: o.Trace, line: line, among: p}
		if n > 1 {
			d.title = fmt.Sprintf("[%d/%d] ", i+1, n)
		}
		if displays[i] = d; history != nil {
			return keeper{d, history.Begin(r.Question.Claims[i].Name)}
		}
		return d
	}, func(i int, result job.Result) {
		displays[i].end()
		displays[i].count(result.Claim.Verdict)
		p.print(func() { tell(result) })
		_ = traces.Next() // the world keeps the error
	})
}

// A keeper is a watcher that keeps a history besides.
type keeper struct {
	*display
	past *page.Past
}

// View implements [job.Viewer].
func (k keeper) View(e cegar.Event, v cegar.View, took time.Duration) {
	k.past.Add(e, v, took.Seconds())
}
