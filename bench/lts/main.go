// Command lts measures package lts on generated families of labelled transition
// systems, from a thousand transitions to ten million.
//
//	go run ./bench/lts [-max TRANSITIONS] [-family REGEXP] [-operation REGEXP] [-timeout DURATION]
//
// For each family, size and operation it prints the processor time, what the LTS
// occupies and the most that the operation held at one time, both in bytes a
// transition, and the growth: the exponent e for which time ~ transitions^e
// between the size before and this one, so that 1 is linear. Operations below
// ten milliseconds have no growth, because it would say nothing.
//
// Where the answer of an operation is known it is compared; a wrong one makes
// the exit status 1. An operation that takes longer than the timeout is given
// up, for the larger sizes of the family too.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	most              int
	family, operation *regexp.Regexp
	timeout           time.Duration
}

func parse(args []string, errs io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("lts", flag.ContinueOnError)
	fs.SetOutput(errs)
	fs.IntVar(&o.most, "max", 1_000_000, "only LTSs of at most about `TRANSITIONS`")
	family := fs.String("family", "", "only families whose name this `REGEXP` matches")
	operation := fs.String("operation", "", "only operations whose name this `REGEXP` matches")
	fs.DurationVar(&o.timeout, "timeout", time.Minute, "give an operation up after this time")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	var err error
	if fs.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %s", fs.Arg(0))
	}
	if err == nil {
		o.family, err = regexp.Compile(*family)
	}
	if err == nil {
		o.operation, err = regexp.Compile(*operation)
	}
	if err != nil {
		fmt.Fprintln(errs, "lts:", err)
	}
	return o, err
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
	status := 0
	writeHead(out)
	for _, f := range families() {
		if !o.family.MatchString(f.name) {
			continue
		}
		before := map[string]result{} // by operation, of the size before
		for _, size := range f.sizes {
			if size.about > o.most {
				break
			}
			subject := prepare(f, size)
			for _, op := range f.operations {
				last, measured := before[op.name]
				if !o.operation.MatchString(op.name) || measured && last.gaveUp {
					continue
				}
				r := measure(ctx, subject, op, o.timeout)
				if measured {
					r.setGrowth(last)
				}
				before[op.name] = r
				writeRow(out, f, size, subject, op, r)
				if r.wrong != "" {
					status = 1
				}
			}
		}
	}
	return status
}
