// Command tables prints the tables of the MAGIC paper (section 9, figures 11,
// 12, 16, 17 and 18) for programs of ours, next to the paper's figures where
// it is given them.
//
//	go run ./bench/tables [flags] [FOLDER...]
//
// It measures the examples and, in the manner of figures 11 and 12, the
// programs of each FOLDER with a VERDICTS.tsv. Every check is a fresh process
// of its own, one at a time. A row whose verdict is not the wanted one says so,
// and a wrong verdict makes the exit status 1. Nothing else is asserted: where
// two levels of abstraction are larger than one, or a target is missed, that is
// what is printed.
//
// The time of a row is that of a whole process, reading and parsing included;
// memory is the process's largest resident set.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"
)

func main() {
	if os.Getenv(childVariable) != "" {
		if err := child(os.Args[1:], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	program, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
	os.Exit(run(context.Background(), os.Args[1:], program, os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	examples, paper, write string
	markdown, quiet        bool
	timeout                time.Duration
	memory                 string
	match, tables          string
	strategies             string
	folders                []string
}

func parse(args []string, errs io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("tables", flag.ContinueOnError)
	fs.SetOutput(errs)
	fs.StringVar(&o.examples, "examples", "examples", "folder of the examples")
	fs.StringVar(&o.paper, "paper", "../shared/bench/paper-figures",
		"folder of the paper's figures; where it is absent, only ours are printed")
	fs.StringVar(&o.write, "write", "", "also put the tables into this Markdown file, between its marks")
	fs.BoolVar(&o.markdown, "markdown", false, "print Markdown instead of aligned text")
	fs.BoolVar(&o.quiet, "quiet", false, "do not say on standard error what is being measured")
	fs.DurationVar(&o.timeout, "timeout", time.Minute, "give a check up after this time")
	fs.StringVar(&o.memory, "memory-limit", "", "give a check up when it needs more memory, such as 2GiB")
	fs.StringVar(&o.match, "match", "", "only rows whose name this regular expression matches")
	fs.StringVar(&o.tables, "tables", "minimize,kernel,sequential,concurrent,folders,optimality",
		"which tables, of these, reduction, many and stuck")
	fs.StringVar(&o.strategies, "strategies", "exact,global,enumerate,greedy,none", "which strategies of minimisation")
	fs.Usage = func() {
		fmt.Fprintln(errs, "usage: tables [flags] [FOLDER with VERDICTS.tsv ...]")
		fs.PrintDefaults()
	}
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	o.folders = fs.Args()
	return o, nil
}

// run is the command. The exit status is 0, 1 where a verdict was wrong, 2 for
// a mistake in usage or input.
func run(ctx context.Context, args []string, program string, out, errs io.Writer) int {
	o, err := parse(args, errs)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	s, err := newSuite(o, &processes{program: program, timeout: o.timeout, memory: o.memory}, out, errs)
	if err == nil {
		err = s.run(ctx, o, thisMachine())
	}
	if err != nil {
		fmt.Fprintln(errs, "tables:", err)
		return 2
	}
	if s.wrong > 0 {
		return 1
	}
	return 0
}

// newSuite reads what the flags name.
func newSuite(o *options, r runner, out, log io.Writer) (*suite, error) {
	s := &suite{runner: r, timeout: o.timeout, out: out, markdown: o.markdown, log: log}
	if o.quiet {
		s.log = io.Discard
	}
	var err error
	if s.match, err = regexp.Compile(o.match); err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(o.strategies, ",") {
		st, ok := strategyOf(name)
		if !ok {
			return nil, fmt.Errorf("no strategy %q; there are exact, global, enumerate, greedy, none", name)
		}
		s.strategies = append(s.strategies, st)
	}
	found := false
	if s.paper, found, err = readFigures(o.paper); err != nil {
		return nil, err
	}
	if !found {
		s.notes = append(s.notes, fmt.Sprintf("The paper's figures are not shown: there is no folder %s.", o.paper))
	}
	return s, nil
}

func strategyOf(name string) (strategy, bool) {
	for _, st := range strategies {
		if st.name == name {
			return st, true
		}
	}
	return strategy{}, false
}

// run makes the tables, printing each as soon as it is there, and puts all of
// them into a file where that is wanted.
func (s *suite) run(ctx context.Context, o *options, m machine) error {
	if err := s.begin(s.out, m); err != nil {
		return err
	}
	if err := s.tables(ctx, o); err != nil {
		return err
	}
	if err := s.end(s.out, s.markdown); err != nil || o.write == "" {
		return err
	}
	var b bytes.Buffer
	if err := s.document(&b, m); err != nil {
		return err
	}
	return rewrite(o.write, b.String())
}
