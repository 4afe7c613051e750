// Command mutants measures how many small faults the tests of a package find.
//
//	go run ./bench/mutants -room PKG [-seed N] [-count 60] [-callers PKG[:TESTS],...] [-match REGEXP] [-long] [-list]
//
// The room is a package of this module, by its folder. Each mutant is the package with one change, at a place that
// the seed chooses (places.go): an operator, a condition, a number, or a statement left out. It is compiled with
// the tests of the room by way of an overlay, so that no file of the checkout changes, and these run; if they
// pass, so do those of the callers that are named, and of them the tests that TESTS matches (judge.go). A mutant
// whose package does not compile is not counted, and the next one takes its place. One that takes longer than the
// limit counts as killed, and is told apart.
//
// Printed is the count of those killed, and each survivor with its place and its change. The same seed chooses the
// same mutants as long as the package is the same. Tests run short, so that many mutants can be tried; -long runs them
// in full, as go test does, where most laws of a room are longer than that. -match runs, of those that the seed
// chooses, only the ones whose place and change it matches; -list prints what would run. The exit status is 0 however many survive.
//
// Idea: R. A. DeMillo, R. J. Lipton, F. G. Sayward, Hints on Test Data Selection: Help for the Practicing Programmer,
// IEEE Computer 11(4), 1978. Left out: whether a survivor is equivalent to the package, which people have to see.
// Cost: each mutant compiles and links what depends on the room once for each package whose tests run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	room    string
	seed    uint64
	count   int
	callers []suite
	match   *regexp.Regexp
	list    bool
	long    bool
	limit   time.Duration
	memory  int // KiB of addresses
}

// A suite is tests of a package: those that a pattern matches, all if it is empty.
type suite struct {
	folder, pattern string
}

func parse(args []string, errs io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("mutants", flag.ContinueOnError)
	fs.SetOutput(errs)
	fs.StringVar(&o.room, "room", "", "the `FOLDER` of the package that is changed")
	fs.Uint64Var(&o.seed, "seed", 1, "choose places by this `NUMBER`")
	fs.IntVar(&o.count, "count", 60, "how many mutants that compile")
	callers := fs.String("callers", "",
		"also tests of these packages, `FOLDER[:TESTS],...`; TESTS is a pattern as of go test -run")
	match := fs.String("match", "", "only mutants whose place and change this `REGEXP` matches")
	fs.BoolVar(&o.list, "list", false, "print the mutants that would run, those that do not compile among them")
	fs.BoolVar(&o.long, "long", false, "run the tests in full, and not short")
	fs.DurationVar(&o.limit, "limit", 0,
		"a `TIME` for the tests of a package; by default 10s and five times what they take unchanged")
	fs.IntVar(&o.memory, "memory", 6<<20, "`KiB` of addresses that tests may have")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	var err error
	o.match, err = regexp.Compile(*match)
	if err == nil && (o.room == "" || fs.NArg() > 0 || o.count < 1) {
		err = errors.New("name one room: -room FOLDER")
	}
	if err != nil {
		fmt.Fprintln(errs, "mutants:", err)
		return nil, err
	}
	for c := range strings.SplitSeq(*callers, ",") {
		if folder, pattern, _ := strings.Cut(c, ":"); folder != "" {
			o.callers = append(o.callers, suite{folder, pattern})
		}
	}
	return o, nil
}

// run prints the table and returns the exit status.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	o, err := parse(args, errs)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	if err := measure(ctx, o, out, errs); err != nil {
		fmt.Fprintln(errs, "mutants:", err)
		return 2
	}
	return 0
}

// measure runs the mutants and prints what became of them.
func measure(ctx context.Context, o *options, out, errs io.Writer) error {
	all, err := places(o.room)
	if err != nil {
		return err
	}
	mutants := choose(all, o.seed)
	if o.list {
		for _, m := range mutants[:min(o.count, len(mutants))] {
			if o.match.MatchString(m.String()) {
				fmt.Fprintln(out, m)
			}
		}
		return nil
	}
	j, err := newJudge(ctx, o)
	if err != nil {
		return err
	}
	defer j.close()
	var survivors []mutant
	became := map[answer]int{}
	for _, m := range mutants {
		if became[killed]+became[late]+became[survived]+became[passed] == o.count {
			break
		}
		a := j.judge(ctx, m, o.match.MatchString(m.String()))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		became[a]++
		if a == survived {
			survivors = append(survivors, m)
		}
		if a != passed {
			fmt.Fprintln(errs, a, m)
		}
	}
	table(out, o, became, survivors)
	return nil
}

// table writes what became of the mutants, survivors in the order of the text.
func table(out io.Writer, o *options, became map[answer]int, survivors []mutant) {
	dead := became[killed] + became[late]
	ran := dead + len(survivors)
	fmt.Fprintf(out, "%-26s %6s %8s %7s %8s %9s %13s\n",
		"room", "seed", "mutants", "killed", "by time", "survived", "not compiled")
	fmt.Fprintf(out, "%-26s %6d %8d %7d %8d %9d %13d   %.1f %% killed\n", o.room, o.seed, ran, dead, became[late],
		len(survivors), became[uncompiled], 100*float64(dead)/float64(max(1, ran)))
	slices.SortFunc(survivors, order)
	for _, m := range survivors {
		fmt.Fprintln(out, "survived", m)
	}
}
