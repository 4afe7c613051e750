package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/app/report"
	"magus/app/suite"
	"magus/internal/inorder"
)

const suiteLong = `Suite checks the claims of a suite, a file in TOML, and compares what comes out with
what the suite expects: a verdict, and of a violation the trace.

  [options]                  # of magus check, for all claims
  timeout = "30s"

  [[claim]]
  files   = ["lock.c", "lock.spec"]
  verdict = "conforms"

  [[group]]
  name  = "relocking"
  files = ["relock.c", "lock.spec"]   # of its claims that name none

  [[group.claim]]
  name      = "locks twice"  # for people; what is claimed if nothing is said
  procedure = "work"         # or specification, where the files claim several things
  verdict   = "violates"
  trace     = ["lock", "lock"]

Names of files are relative to the folder of the suite. A claim that did not come out
as expected is printed with its place, and with the run that violates or the reason
why it is unknown. Where the variable GITHUB_ACTIONS is true, annotations are printed.

With --cache, results that were decided are kept in a folder and taken over as long as
the program, the options and everything that the claim reads are the same; with --resume,
all results are kept in a file, and a run that was interrupted goes on behind them.
--changed-since checks only claims that read a file which is other than in a revision of git.
--shard i/n checks each n-th claim; magus suite merge puts the files of --results together. Where the
environment names the part of a job (CI_NODE_INDEX and CI_NODE_TOTAL, and those of Bazel, Buildkite,
CircleCI and Slurm), that is the shard if none is given, which is said.

Exit status: 0 all came out as expected, 1 some did not, 2 the suite is wrong or a
claim could not be checked, 3 interrupted.`

// newSuite is the command `magus suite`.
func newSuite(w *World, status *int) *cobra.Command {
	f := &suiteFlags{}
	s := w.Settings(options.Scripts)
	c := batch(w, status, s, &cobra.Command{
		Use:   "suite [flags] FILE.toml...",
		Short: "Check claims against expected verdicts",
		Long:  suiteLong,
		Example: "  magus suite conformance.toml\n  magus suite -j 4 --junit results.xml suites/*.toml\n" +
			"  magus suite --cache .magus --changed-since origin/main conformance.toml",
	}, "suite", "toml", f.run)
	f.outputs.add(c)
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print only what is not as expected, and how many claims are")
	c.Flags().VarP(options.NewValue(options.Count, &f.jobs), "jobs", "j",
		"check N claims at a time; what is printed stays in order (default: one for each processor)")
	c.Flags().Var(options.NewValue(options.Count, &f.slowest), "slowest",
		"print at the end which N claims took the longest")
	c.Flags().StringVar(&f.cache, "cache", "",
		"keep decided results in folder `DIR`, and take over those whose question is the same")
	c.Flags().StringVar(&f.resume, "resume", "",
		"keep results in `FILE`, and go on where a run that was interrupted left it")
	c.Flags().StringVar(&f.since, "changed-since", "",
		"check only claims that read a file which is other than in `REVISION` of git")
	c.Flags().StringVar(&f.shard, "shard", "",
		"check only each n-th claim, beginning with the i-th: `i/n` (default: the job's part that the environment names)")
	c.Flags().StringVar(&f.results, "results", "", "write the results to `FILE`, for magus suite merge")
	grouped(c, "What is checked again", "cache", "resume", "changed-since", "shard")
	grouped(c, "What is printed", "quiet", "slowest")
	c.AddCommand(newSuiteMerge(w, status))
	return c
}

// suiteFlags are the flags of `magus suite`.
type suiteFlags struct {
	outputs       suiteOutputs
	quiet         bool
	jobs, slowest int
	cache, resume string // folder, file
	since         string // revision
	shard         string // "i/n"
	results       string // file
}

// A suiteCase is a claim of a suite, and what comes out.
type suiteCase struct {
	suite.Result
	claim  suite.Claim
	unsure bool     // it cannot be known whether the question is the same: nothing is kept or passed over
	read   []digest // what the claim reads
}

// run checks all claims of all suites and returns the exit status. All suites are read before anything is checked.
func (f *suiteFlags) run(ctx context.Context, w *World, names []string) (status int, err error) {
	w.reads(names...)
	journal := w.named("--resume", f.resume)
	journal.Appends = true
	outputs := append(f.outputs.files(w), w.named("--results", f.results), journal)
	if err := w.try(outputs...); err != nil {
		return 0, err
	}
	doc, cases, err := readSuites(w, names)
	if err == nil {
		err = w.try(outputs...) // which files the claims name is known now
	}
	if err != nil {
		return 0, err
	}
	if cases, err = f.ofShard(w, cases); err != nil {
		return 0, err
	}
	changed, err := changedSince(ctx, w, f.since)
	if err != nil {
		return 0, err
	}
	kept, err := newStore(w, f.cache, f.resume)
	if err != nil {
		return 0, err
	}
	jobs := cmp.Or(f.jobs, runtime.GOMAXPROCS(0))
	progress := newProgress(w, len(cases), jobs)
	checker := &suiteChecker{w, kept, changed, progress}
	inorder.Each(len(cases), jobs, func(i int) *suite.Result { return checker.result(ctx, cases[i]) },
		func(_ int, r *suite.Result) {
			progress.print(func() { status = max(status, tellResult(w, r, f.quiet)) })
			doc.Results = append(doc.Results, *r)
		})
	progress.end()
	if doc.Sources = sourcesOf(cases); ctx.Err() != nil {
		doc.Interrupted, status = true, exitUnknown
	}
	return status, errors.Join(kept.close(), f.finish(ctx, w, doc))
}

// sourcesOf are what the claims have read, by names seen from where the suites were named.
func sourcesOf(cases []*suiteCase) []suite.File {
	all := map[string]string{}
	for _, c := range cases {
		for _, d := range c.read {
			all[input.Dir(filepath.Dir(c.Suite)).Path(d.Path)] = d.SHA256
		}
	}
	var files []suite.File
	for _, name := range slices.Sorted(maps.Keys(all)) {
		files = append(files, suite.File{Name: name, SHA256: all[name]})
	}
	return files
}

// finish prints and writes what is about all claims.
func (f *suiteFlags) finish(ctx context.Context, w *World, doc *suite.Document) error {
	for _, file := range doc.Suites {
		summarise(w, doc, file.Name)
	}
	if f.slowest > 0 {
		writeSlowest(w.Stdout, suiteResults(doc.Results), f.slowest)
	}
	err := f.outputs.write(ctx, w, doc)
	return errors.Join(err, w.writeNamed("--results", f.results,
		func(out io.Writer) error { return suite.Write(out, doc) }))
}

// readSuites reads the suites.
func readSuites(w *World, names []string) (doc *suite.Document, cases []*suiteCase, err error) {
	doc = &suite.Document{Schema: suite.DocumentSchema, Version: version(), Results: []suite.Result{}}
	settings := w.Settings(options.Shell)
	for _, name := range names {
		text, err := w.read(name)
		if err != nil {
			return nil, nil, err
		}
		s, err := suite.Parse(name, text)
		if err != nil {
			return nil, nil, input.Errorf("%s", err)
		}
		doc.Suites = append(doc.Suites, suite.File{Name: name, SHA256: fmt.Sprintf("%x", sha256.Sum256(text))})
		for _, g := range s.Groups {
			for _, c := range g.Claims {
				if c.Options, err = presentOptions(settings, c.Options); err != nil {
					return nil, nil, input.Errorf("%s:%d: %s", name, c.Line, err)
				}
				r := suite.Result{Number: doc.Claims, Suite: name, Group: g.Name, Line: c.Line, Title: c.Name,
					Expect: c.Verdict, Trace: c.Trace}
				for _, file := range append(databaseFiles(compiledBy(c)), c.Files...) {
					w.reads(filepath.Join(filepath.Dir(name), file))
				}
				cases = append(cases, &suiteCase{Result: r, claim: c})
				doc.Claims++
			}
		}
	}
	for _, note := range settings.TakeNotes() {
		fmt.Fprintln(w.Stderr, "magus: "+note)
	}
	return doc, cases, nil
}

// presentOptions are the options of a claim by the names that they have now. An option
// that has its old name and its new one is an error: which value is meant, nobody knows.
func presentOptions(s *options.Settings, given []suite.Option) ([]suite.Option, error) {
	var present []suite.Option
	before := map[string]string{} // name by present name
	for _, o := range given {
		now := s.Present(o.Name)
		if other, ok := before[now]; ok {
			return nil, fmt.Errorf("%s and %s are one option", other, o.Name)
		}
		before[now] = o.Name
		present = append(present, suite.Option{Name: now, Value: o.Value})
	}
	return present, nil
}

// compiledBy is what names the compile commands of a claim, or "".
func compiledBy(c suite.Claim) string {
	for _, o := range c.Options {
		if o.Name == "compile-commands" {
			return o.Value
		}
	}
	return ""
}

// A suiteChecker checks claims.
type suiteChecker struct {
	world    *World
	kept     *store
	changed  *changes // nil: everything counts as changed
	progress *suiteProgress
}

// result is what comes out of a claim.
func (x *suiteChecker) result(ctx context.Context, c *suiteCase) *suite.Result {
	began := x.progress.begin()
	x.check(ctx, c)
	if c.Title == "" {
		c.Title = strings.Join(c.claim.Files, " ")
	}
	x.progress.finish(began, &c.Result)
	return &c.Result
}

// check checks the claim and compares.
func (x *suiteChecker) check(ctx context.Context, c *suiteCase) {
	w := x.world
	begin := w.Now()
	defer func() { c.Seconds = w.Now().Sub(begin).Seconds() }()
	s := w.Settings(options.Shell)
	for _, o := range c.claim.Options {
		if err := s.Set(o.Name, o.Value); err != nil {
			c.Mistake = err.Error()
			return
		}
	}
	c.unsure = s.Options.CompileCommands != "" || s.Options.Solver != "embedded" // another program may be another one
	host := w.Host
	host.Dir = input.Dir(w.Dir.Path(filepath.Dir(c.Suite)))
	if x.unchanged(ctx, c, host, s.Options) {
		c.PassedOver = true
		return
	}
	if r, ok := x.kept.find(c, host.Dir); ok && !c.unsure {
		c.Kept, c.read = true, r.Read
		c.compare(r.Claim, w.text(s.Options))
		return
	}
	within := ctx
	if s.Options.Timeout > 0 {
		var cancel context.CancelFunc
		within, cancel = job.Within(ctx, s.Options.Timeout)
		defer cancel()
	}
	r, err := job.Start(within, host, s.Options, c.claim.Files)
	if err != nil {
		c.Mistake = err.Error()
		return
	}
	defer r.Close()
	c.read = digests(r.Question)
	var claim report.Claim
	switch n := r.Claims(); n {
	case 0: // it could not be prepared
		doc := r.Report()
		claim = report.Claim{Name: c.Title, Verdict: doc.Verdict, Because: doc.Because}
	case 1:
		claim = r.Check(within, 0, nil).Claim
	default:
		c.Mistake = fmt.Sprintf("the files claim %d things; say which by procedure or specification", n)
		return
	}
	if ctx.Err() == nil { // a verdict that an interruption gives is none of the claim
		x.kept.keep(c, r.Question, claim)
	}
	c.compare(claim, w.text(s.Options))
}

// unchanged reports whether nothing that the claim reads has changed. Files that cannot be read, and claims that
// are no questions, count as changed.
func (x *suiteChecker) unchanged(ctx context.Context, c *suiteCase, h job.Host, o *options.Options) bool {
	if x.changed == nil || x.changed.has(x.world.Dir, c.Suite) || c.unsure {
		return false
	}
	q, err := job.Ask(ctx, h, o, c.claim.Files)
	if err != nil || x.changed.concern(q, h.Dir) {
		return false
	}
	c.read = digests(q)
	return true
}

// compare takes over what came out, and says what there is instead of what was expected.
func (c *suiteCase) compare(got report.Claim, how report.Text) {
	c.Verdict, c.Report = got.Verdict, &got
	c.Title = cmp.Or(c.Title, got.Name)
	switch {
	case got.Verdict != c.Expect:
		c.Failure = fmt.Sprintf("expected %s, got %s", c.Expect, got.Verdict)
		if got.Reason != "" {
			c.Failure += ": " + got.Reason
		}
	case magus.Kind(got.Kind).Limit(): // with a greater one it may be another verdict
		c.Failure = fmt.Sprintf("expected %s, got %s by a limit: %s", c.Expect, got.Verdict, got.Reason)
	case c.Trace != nil && got.Counterexample != nil && !slices.Equal(c.Trace, got.Counterexample.Trace):
		c.Failure = fmt.Sprintf("expected the trace %s, got %s", formatLabels(c.Trace),
			formatLabels(got.Counterexample.Trace))
	}
	if c.Failure != "" && got.Counterexample != nil {
		var b bytes.Buffer
		if err := report.WriteClaim(&b, got, how); err == nil {
			c.Detail = b.String()
		}
	}
}
