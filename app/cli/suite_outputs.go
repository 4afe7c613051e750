package cli

// What is said of the results of a suite, at once or by files.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"magus"
	"magus/app/input"
	"magus/app/options"
	"magus/app/outfile"
	"magus/app/page"
	"magus/app/report"
	"magus/app/report/junit"
	"magus/app/report/sarif"
	"magus/app/suite"
	"magus/cfa/source"
)

// suiteOutputs are files about all claims; "" for none.
type suiteOutputs struct {
	junit, sarif, report string
	summary              bool
}

func (o *suiteOutputs) add(c *cobra.Command) {
	c.Flags().StringVar(&o.junit, "junit", "", "write the claims to `FILE` in the XML form of JUnit")
	c.Flags().StringVar(&o.sarif, "sarif", "", "write the results to `FILE` as SARIF 2.1.0")
	c.Flags().StringVar(&o.report, "report", "", "write to `FILE.html` a page with all claims and the runs that violate")
	c.Flags().BoolVar(&o.summary, "summary", false, "print a table of the groups at the end")
}

// newSuiteMerge is the command `magus suite merge`.
func newSuiteMerge(w *World, status *int) *cobra.Command {
	var outputs suiteOutputs
	s, quiet := w.Settings(options.Scripts), false
	c := &cobra.Command{
		Use:   "merge [flags] FILE.json...",
		Short: "Put the results of shards together",
		Long: `Merge reads the files that magus suite --shard i/n --results FILE has written for
the same suites, and tells of all claims what one run would have told. Each claim
must be there, and once.

Exit status: that of magus suite.`,
		Example:               "  magus suite merge --junit results.xml shard-*.json",
		DisableFlagsInUseLine: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"no results given", c.CommandPath()}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			w.forced(s.Options)
			w.reads(args...)
			if err := w.try(outputs.files(w)...); err != nil {
				return err
			}
			doc, err := readResults(w, args)
			if err != nil {
				return err
			}
			for i := range doc.Results {
				*status = max(*status, tellResult(w, &doc.Results[i], quiet))
			}
			if doc.Interrupted {
				fmt.Fprintln(w.Stderr, "magus: a run was interrupted")
				*status = exitUnknown
			}
			f := suiteFlags{outputs: outputs}
			return f.finish(c.Context(), w, doc)
		},
	}
	outputs.add(c)
	addFlag(c, s, "force")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only what is not as expected, and how many claims are")
	return c
}

// readResults reads and merges the results of shards.
func readResults(w *World, names []string) (*suite.Document, error) {
	var docs []*suite.Document
	for _, name := range names {
		text, err := w.read(name)
		if err != nil {
			return nil, err
		}
		d, err := suite.Read(name, text)
		if err != nil {
			return nil, input.Errorf("%s", err)
		}
		docs = append(docs, d)
	}
	doc, err := suite.Merge(names, docs)
	if err != nil {
		return nil, input.Errorf("%s", err)
	}
	return doc, nil
}

// tellResult prints what came out and gives the exit status.
func tellResult(w *World, r *suite.Result, quiet bool) int {
	if r.Wrong() == "" {
		said := r.Verdict
		switch {
		case r.PassedOver:
			said = "not checked: nothing that it reads has changed"
		case r.Kept:
			said += ", as before"
		}
		if !quiet {
			fmt.Fprintf(w.Stdout, "%s: %s: %s\n", r.Name(), r.Title, said)
		}
		return exitConforms
	}
	place := r.Suite
	if r.Line > 0 {
		place += fmt.Sprintf(":%d", r.Line)
	}
	fmt.Fprintf(w.Stderr, "%s: %s: %s\n%s", place, r.Title, r.Wrong(), r.Detail)
	if w.Env != nil && w.Env("GITHUB_ACTIONS") == "true" {
		annotate(w.Stdout, "error", &report.Place{File: r.Suite, Line: r.Line}, r.Title+": "+r.Wrong())
	}
	if r.Mistake != "" {
		return exitInput
	}
	return exitViolates
}

// summarise says how many claims of a suite are as expected.
func summarise(w *World, doc *suite.Document, file string) {
	all, met, over := 0, 0, 0
	for _, r := range doc.Results {
		switch {
		case r.Suite != file:
			continue
		case r.PassedOver:
			over++
		case r.Wrong() == "":
			met++
		}
		all++
	}
	fmt.Fprintf(w.Stdout, "%s: %d of %d claims as expected", file, met, all-over)
	if over > 0 {
		fmt.Fprintf(w.Stdout, ", %d not checked", over)
	}
	fmt.Fprintln(w.Stdout)
}

// write writes the files, and prints the table.
func (o *suiteOutputs) write(ctx context.Context, w *World, doc *suite.Document) error {
	if o.summary {
		writeSummary(w.Stdout, doc.Results)
	}
	flag, name := o.junitFile(w)
	return errors.Join(
		w.writeNamed(flag, name, func(out io.Writer) error { return junit.Write(out, suiteResults(doc.Results)) }),
		w.writeNamed("--sarif", o.sarif, func(out io.Writer) error { return w.suiteSARIF(out, doc) }),
		w.writeNamed("--report", o.report, func(out io.Writer) error { return page.WriteSuite(ctx, out, doc) }))
}

// junitFile is where the claims are written in the form of JUnit. Bazel collects the results of a test where
// XML_OUTPUT_FILE says.
func (o *suiteOutputs) junitFile(w *World) (flag, name string) {
	if o.junit == "" && w.Env != nil {
		return "XML_OUTPUT_FILE", w.Env("XML_OUTPUT_FILE")
	}
	return "--junit", o.junit
}

// files are those that are written.
func (o *suiteOutputs) files(w *World) []outfile.Name {
	flag, name := o.junitFile(w)
	return []outfile.Name{w.named(flag, name), w.named("--sarif", o.sarif), w.named("--report", o.report)}
}

// writeSummary prints a row for each group.
func writeSummary(out io.Writer, results []suite.Result) {
	fmt.Fprintf(out, "%6s %9s %9s %9s %9s %9s  %s\n", "claims", "expected", "conforms", "violates", "unknown",
		"elapsed s", "group")
	row := func(name string, of func(*suite.Result) bool) {
		n, met, seconds, verdicts := 0, 0, 0.0, map[string]int{}
		for i := range results {
			r := &results[i]
			if !of(r) {
				continue
			}
			n, seconds = n+1, seconds+r.Seconds
			verdicts[r.Verdict]++
			if r.Wrong() == "" && !r.PassedOver {
				met++
			}
		}
		fmt.Fprintf(out, "%6d %9d %9d %9d %9d %9.1f  %s\n", n, met, verdicts[magus.Conforms.String()],
			verdicts[magus.Violates.String()], verdicts[magus.Unknown.String()], seconds, name)
	}
	for i := range results {
		if name := results[i].Name(); i == 0 || results[i-1].Name() != name {
			row(name, func(r *suite.Result) bool { return r.Name() == name })
		}
	}
	row("all", func(*suite.Result) bool { return true })
}

// suiteResults are the claims for runners of tests: a suite for each group.
func suiteResults(results []suite.Result) (suites []junit.Suite) {
	for i := range results {
		r := &results[i]
		if i == 0 || results[i-1].Name() != r.Name() {
			suites = append(suites, junit.Suite{Name: r.Name()})
		}
		s := &suites[len(suites)-1]
		s.Seconds += r.Seconds
		c := junit.Case{Name: r.Title, Class: r.Name(), Seconds: r.Seconds, Failure: r.Failure,
			Error: r.Mistake, Detail: r.Detail}
		if r.PassedOver {
			c.Skipped = "nothing that it reads has changed"
		}
		s.Cases = append(s.Cases, c)
	}
	return suites
}

// suiteSARIF writes the claims that were checked as one log: what is violated is a result, whether it was
// expected or not. Names of files are made relative to the folder of the run.
func (w *World) suiteSARIF(out io.Writer, doc *suite.Document) error {
	all := report.Check{Schema: report.SchemaID, Version: doc.Version, Warnings: []report.Remark{}}
	status := exitConforms
	for _, r := range doc.Results {
		switch {
		case r.Mistake != "":
			status = exitInput
			all.Warnings = append(all.Warnings,
				report.Remark{Place: &report.Place{File: r.Suite, Line: max(r.Line, 1), Column: 1},
					Text: r.Title + ": " + r.Mistake})
		case r.Report != nil:
			claim, err := relocated(r.Report, filepath.Dir(r.Suite))
			if err != nil {
				return err
			}
			all.Claims = append(all.Claims, *claim)
			if r.Failure != "" {
				status = max(status, exitViolates)
			}
		}
	}
	s := sarif.Settings{Version: doc.Version, ExitCode: status}
	if dir, err := filepath.Abs(w.Dir.Path(".")); err == nil {
		s.Dir = dir
	}
	s.Sources = &lines{dir: w.Dir, of: map[string][]string{}}
	return sarif.Write(out, &all, s)
}

// relocated is a claim whose files are named from another folder: dir is where they are named from now.
func relocated(c *report.Claim, dir string) (*report.Claim, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	var move func(v any)
	move = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				move(x)
			}
		case map[string]any:
			if file, ok := v["file"].(string); ok && !filepath.IsAbs(file) {
				v["file"] = filepath.Join(dir, file)
			}
			for _, x := range v {
				move(x)
			}
		}
	}
	move(v)
	if text, err = json.Marshal(v); err != nil {
		return nil, err
	}
	var moved report.Claim
	return &moved, json.Unmarshal(text, &moved)
}

// lines gives source lines of files.
type lines struct {
	dir input.Dir
	of  map[string][]string
}

// Line implements [report.Sources].
func (l *lines) Line(file string, n int) string {
	all, known := l.of[file]
	if !known {
		text, own := source.OwnText(file)
		if !own {
			text, _ = l.dir.Read(file) // what is gone has no lines
		}
		all = strings.Split(string(text), "\n")
		l.of[file] = all
	}
	if n < 1 || n > len(all) {
		return ""
	}
	return strings.TrimSuffix(all[n-1], "\r")
}
