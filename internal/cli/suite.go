package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"magus/internal/input"
	"magus/internal/job"
	"magus/internal/options"
	"magus/internal/report"
	"magus/internal/report/junit"
	"magus/internal/suite"
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

Exit status: 0 all came out as expected, 1 some did not, 2 the suite is wrong or a
claim could not be checked, 3 interrupted.`

// newSuite is the command `magus suite`.
func newSuite(w *World, status *int) *cobra.Command {
	f := &suiteFlags{jobs: 1}
	s := options.For(options.Scripts)
	c := &cobra.Command{
		Use:                   "suite [flags] FILE.toml...",
		Short:                 "Check claims against expected verdicts",
		Long:                  suiteLong,
		Example:               "  magus suite conformance.toml\n  magus suite -j 4 --junit results.xml suites/*.toml",
		DisableFlagsInUseLine: true,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
		},
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"no suite given", c.CommandPath()}
			}
			return asUsage(s.Options.Validate(), c.CommandPath())
		},
		RunE: func(c *cobra.Command, args []string) error {
			ctx, cancel := job.Budget(c.Context(), w.Host, s.Options.Timeout, s.Options.MemoryLimit)
			defer cancel()
			var err error
			*status, err = f.run(ctx, w, args)
			return err
		},
	}
	c.Flags().StringVar(&f.junit, "junit", "", "write the claims to `FILE` in the XML form of JUnit")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print only what is not as expected, and how many claims are")
	c.Flags().VarP(options.NewValue(options.Count, &f.jobs), "jobs", "j", "check N claims at a time; what is printed stays in order")
	c.Flags().Var(options.NewValue(options.Count, &f.slowest), "slowest", "print at the end which N claims took the longest")
	addFlag(c, s, "timeout")
	addFlag(c, s, "memory-limit")
	return c
}

// suiteFlags are the flags of `magus suite`.
type suiteFlags struct {
	junit         string
	quiet         bool
	jobs, slowest int
}

// A suiteCase is a claim of a suite, and what came out.
type suiteCase struct {
	file, group string
	claim       suite.Claim
	done        chan struct{} // closed when all that follows is known

	name    string // what was checked
	seconds float64
	verdict string
	failure string // what there is instead of what was expected
	mistake string // why the claim could not be checked
	detail  string // the run that violates
}

// run checks all claims of all suites and returns the exit status. All suites are read before anything is checked.
func (f *suiteFlags) run(ctx context.Context, w *World, names []string) (status int, err error) {
	var cases []*suiteCase
	for _, name := range names {
		text, err := w.Dir.Read(name)
		if err != nil {
			return 0, input.Errorf("%s: %s", name, input.Cause(err))
		}
		s, err := suite.Parse(name, text)
		if err != nil {
			return 0, input.Errorf("%s", err)
		}
		for _, g := range s.Groups {
			for _, c := range g.Claims {
				cases = append(cases, &suiteCase{file: name, group: g.Name, claim: c, done: make(chan struct{})})
			}
		}
	}
	f.start(ctx, w, cases)
	for i, c := range cases {
		<-c.done
		status = max(status, f.tell(w, c))
		if i+1 == len(cases) || cases[i+1].file != c.file {
			f.summarise(w, cases, c.file)
		}
	}
	suites := suiteResults(cases)
	if f.slowest > 0 {
		writeSlowest(w.Stdout, suites, f.slowest)
	}
	if ctx.Err() != nil {
		status = exitUnknown
	}
	if f.junit == "" {
		return status, nil
	}
	return status, w.writeFile(f.junit, func(out io.Writer) error { return junit.Write(out, suites) })
}

// start checks the claims, several at a time.
func (f *suiteFlags) start(ctx context.Context, w *World, cases []*suiteCase) {
	todo := make(chan *suiteCase)
	for range f.jobs {
		go func() {
			for c := range todo {
				c.check(ctx, w)
				close(c.done)
			}
		}()
	}
	go func() {
		for _, c := range cases {
			todo <- c
		}
		close(todo)
	}()
}

// check checks the claim and compares.
func (c *suiteCase) check(ctx context.Context, w *World) {
	begin := w.Now()
	defer func() { c.seconds = w.Now().Sub(begin).Seconds() }()
	s := options.For(options.Shell)
	for _, o := range c.claim.Options {
		if err := s.Set(o.Name, o.Value); err != nil {
			c.mistake = err.Error()
			return
		}
	}
	host := w.Host
	host.Dir = input.Dir(w.Dir.Path(filepath.Dir(c.file)))
	within := ctx
	if s.Options.Timeout > 0 {
		var cancel context.CancelFunc
		within, cancel = job.Within(ctx, s.Options.Timeout)
		defer cancel()
	}
	r, err := job.Start(within, host, s.Options, c.claim.Files)
	if err != nil {
		c.mistake = err.Error()
		return
	}
	defer r.Close()
	if n := r.Claims(); n > 1 {
		c.mistake = fmt.Sprintf("the files claim %d things; say which by procedure or specification", n)
		return
	}
	if r.Claims() == 0 { // it could not be prepared
		doc := r.Report()
		c.name, c.verdict = c.claim.Name, doc.Verdict
		c.compare(report.Claim{Verdict: doc.Verdict, Because: doc.Because})
		return
	}
	result := r.Check(within, 0, nil)
	c.name, c.verdict = result.Claim.Name, result.Claim.Verdict
	c.compare(result.Claim)
	if c.failure != "" && result.Claim.Counterexample != nil {
		var b bytes.Buffer
		if err := report.WriteClaim(&b, result.Claim, w.text(s.Options)); err == nil {
			c.detail = b.String()
		}
	}
}

// compare says what there is instead of what was expected.
func (c *suiteCase) compare(got report.Claim) {
	want := c.claim
	switch {
	case got.Verdict != want.Verdict:
		c.failure = fmt.Sprintf("expected %s, got %s", want.Verdict, got.Verdict)
		if got.Reason != "" {
			c.failure += ": " + got.Reason
		}
	case want.Trace != nil && got.Counterexample != nil && !slices.Equal(want.Trace, got.Counterexample.Trace):
		c.failure = fmt.Sprintf("expected the trace %s, got %s", formatLabels(want.Trace), formatLabels(got.Counterexample.Trace))
	}
}

// title is what the claim is called.
func (c *suiteCase) title() string {
	switch {
	case c.claim.Name != "":
		return c.claim.Name
	case c.name != "":
		return c.name
	}
	return strings.Join(c.claim.Files, " ")
}

// suiteName is the file, with the group.
func (c *suiteCase) suiteName() string {
	if c.group == "" {
		return c.file
	}
	return c.file + ": " + c.group
}

// wrong is what is wrong, or "".
func (c *suiteCase) wrong() string {
	if c.mistake != "" {
		return c.mistake
	}
	return c.failure
}

// tell prints what came out and gives the exit status.
func (f *suiteFlags) tell(w *World, c *suiteCase) int {
	if c.wrong() == "" {
		if !f.quiet {
			fmt.Fprintf(w.Stdout, "%s: %s: %s\n", c.suiteName(), c.title(), c.verdict)
		}
		return exitConforms
	}
	place := c.file
	if c.claim.Line > 0 {
		place += fmt.Sprintf(":%d", c.claim.Line)
	}
	fmt.Fprintf(w.Stderr, "%s: %s: %s\n%s", place, c.title(), c.wrong(), c.detail)
	if w.Env != nil && w.Env("GITHUB_ACTIONS") == "true" {
		annotate(w.Stdout, "error", &report.Place{File: c.file, Line: c.claim.Line}, c.title()+": "+c.wrong())
	}
	if c.mistake != "" {
		return exitInput
	}
	return exitViolates
}

// summarise says how many claims of a suite are as expected.
func (f *suiteFlags) summarise(w *World, cases []*suiteCase, file string) {
	all, met := 0, 0
	for _, c := range cases {
		if c.file == file {
			all++
			if c.wrong() == "" {
				met++
			}
		}
	}
	fmt.Fprintf(w.Stdout, "%s: %d of %d claims as expected\n", file, met, all)
}

// suiteResults are the claims for runners of tests: a suite for each group.
func suiteResults(cases []*suiteCase) (suites []junit.Suite) {
	for i, c := range cases {
		if i == 0 || cases[i-1].suiteName() != c.suiteName() {
			suites = append(suites, junit.Suite{Name: c.suiteName()})
		}
		s := &suites[len(suites)-1]
		s.Seconds += c.seconds
		s.Cases = append(s.Cases, junit.Case{Name: c.title(), Class: c.suiteName(), Seconds: c.seconds, Failure: c.failure, Error: c.mistake, Detail: c.detail})
	}
	return suites
}
