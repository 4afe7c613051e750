// Command ends asks of each function of some programs whether it ends, and prints how many are decided:
//
//	go run ./bench/ends FOLDER...
//	go run ./bench/ends -limit 20s -undefined -v FOLDER...
//
// Each proof is written as a certificate, which is checked anew: one that is refused is a wrong answer. What does not
// end is a run that was executed. Exit status 1 means that some answer is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"magus"
	"magus/cfa"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/evidence/certificate"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// A tally counts answers.
type tally struct{ functions, end, goOn, unknown, wrong, failed int }

func (t *tally) add(u tally) {
	t.functions, t.end, t.goOn = t.functions+u.functions, t.end+u.end, t.goOn+u.goOn
	t.unknown, t.wrong, t.failed = t.unknown+u.unknown, t.wrong+u.wrong, t.failed+u.failed
}

// An asker asks about the functions of a file.
type asker struct {
	limit    time.Duration
	overflow cfa.Overflow
	verbose  bool
	out      io.Writer
}

// run is the command; the result is its exit status.
func run(args []string, out, errs io.Writer) int {
	fs := flag.NewFlagSet("ends", flag.ContinueOnError)
	fs.SetOutput(errs)
	a := &asker{out: out}
	fs.DurationVar(&a.limit, "limit", 5*time.Second, "`DURATION` for each function")
	undefined := fs.Bool("undefined", false, "a run ends where a signed operation overflows; else that wraps around")
	fs.BoolVar(&a.verbose, "v", false, "say of each function what is known")
	if fs.Parse(args) != nil {
		return 2
	}
	if fs.NArg() == 0 {
		fmt.Fprintln(errs, "usage: ends [-limit DURATION] [-undefined] [-v] FOLDER...")
		return 2
	}
	if *undefined {
		a.overflow = cfa.OverflowEnds
	}
	fmt.Fprintln(out, "| folder | functions | end | need not | unknown | decided | wrong | not read |")
	fmt.Fprintln(out, "|---|---:|---:|---:|---:|---:|---:|---:|")
	var all tally
	for _, dir := range fs.Args() {
		files, err := filepath.Glob(filepath.Join(dir, "*.[ci]"))
		if err != nil || files == nil {
			fmt.Fprintf(errs, "ends: %s: no programs (%v)\n", dir, err)
			return 2
		}
		var t tally
		for _, f := range files {
			t.add(a.file(f))
		}
		a.row(filepath.Base(dir), t)
		all.add(t)
	}
	a.row("all", all)
	if all.wrong > 0 {
		return 1
	}
	return 0
}

func (a *asker) row(name string, t tally) {
	share := 0.0
	if t.functions > 0 {
		share = 100 * float64(t.end+t.goOn) / float64(t.functions)
	}
	fmt.Fprintf(a.out, "| %s | %d | %d | %d | %d | %.0f %% | %d | %d |\n", name,
		t.functions, t.end, t.goOn, t.unknown, share,
		t.wrong, t.failed)
}

// file asks about the functions that a file defines.
func (a *asker) file(name string) (t tally) {
	text, err := os.ReadFile(name)
	if err != nil {
		return tally{failed: 1}
	}
	project, err := magus.Load(context.Background(), magus.Input{C: []source.Source{{Name: name, Text: text}},
		Options: source.Options{ReadFile: os.ReadFile}})
	if err != nil {
		fmt.Fprintf(a.out, "%s: %v\n", name, err)
		return tally{failed: 1}
	}
	for _, f := range defined(project) {
		what, u := a.function(project, f)
		t.add(u)
		if a.verbose || u.wrong > 0 {
			fmt.Fprintf(a.out, "%s %s: %s\n", name, f, what)
		}
	}
	return t
}

// defined are the functions with a body, each once.
func defined(p *magus.Project) (names []string) {
	for _, f := range p.Functions() {
		if f.Body.IsValid() {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// function asks about one.
func (a *asker) function(p *magus.Project, name string) (string, tally) {
	claim, err := p.Property(magus.Property{Question: magus.Terminates, Entry: name})
	if err != nil {
		return err.Error(), tally{failed: 1}
	}
	opt := magus.Options{}
	opt.SignedOverflow = a.overflow
	ctx, cancel := context.WithTimeout(context.Background(), a.limit)
	defer cancel()
	s, err := magus.NewSession(ctx, claim, opt)
	if err != nil {
		return err.Error(), tally{functions: 1, unknown: 1}
	}
	defer s.Close()
	for s.Next() != magus.Finished {
		s.Step(ctx)
	}
	ended, ok := s.Step(ctx).(cegar.Ended) // once more, what it has said
	switch {
	case !ok || ended.Outcome.Verdict == magus.Unknown:
		return "unknown", tally{functions: 1, unknown: 1}
	case ended.Outcome.Verdict == magus.Violates:
		return "need not end", tally{functions: 1, goOn: 1}
	}
	t := tally{functions: 1, end: 1}
	cert, err := s.Certificate(context.Background())
	if err == nil {
		checking, stop := context.WithTimeout(context.Background(), 3*a.limit) // one that takes longer is not refused
		err = magus.Verify(checking, claim, opt, cert)
		stop()
	}
	var refused *certificate.RefutedError
	if errors.As(err, &refused) {
		t.wrong = 1
		return "ends, and its certificate is refused: " + refused.Reason, t
	}
	return "ends", t
}
