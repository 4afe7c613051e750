// Command threads measures the engine for threads over folders of programs with known verdicts.
//
//	go run ./bench/threads [-limit DURATION] FOLDER...
//
// Each program is checked for reach_error in each way: the three orders, slicing and likely links.
// Printed are, as Markdown, the tables of the papers in kind: the orders side by side with rounds,
// reasons and sizes of formulas (Yin et al. 2017), verdicts and time with and without slicing
// (Abdulla, Atig, Diep 2016, table 1), and likely links (Prabhu et al. 2017, table 1). A verdict that
// is not the known one is WRONG, and makes the exit status 1.
//
// Times are of the processor, of reading and checking, and so is the limit.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/engine/threaded"
	"magus/engine/threads"
	"magus/evidence/verdict"
	"magus/internal/usage"
)

// A method is how the engine is asked.
type method struct {
	name string
	opt  magus.Options
}

var methods = []method{
	{"theory", magus.Options{Threads: magus.Threads{Order: "theory"}}},
	{"refine", magus.Options{Threads: magus.Threads{Order: "refine"}}},
	{"full", magus.Options{Threads: magus.Threads{Order: "full"}}},
	{"slice", magus.Options{Threads: magus.Threads{Slice: true}}},
	{"likely", magus.Options{Threads: magus.Threads{Likely: true}}},
}

// A program of a folder, with what is known of it.
type program struct{ folder, file, want string }

// A result is what one way said of a program.
type result struct {
	verdict verdict.Verdict
	seconds float64
	stats   threads.Stats // of the last bound
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, errs io.Writer) int {
	fs := flag.NewFlagSet("threads", flag.ContinueOnError)
	fs.SetOutput(errs)
	limit := fs.Duration("limit", 10*time.Second, "give a check up after this time of the processor")
	if fs.Parse(args) != nil || fs.NArg() == 0 {
		fmt.Fprintln(errs, "usage: threads [-limit DURATION] FOLDER...")
		return 2
	}
	var all []row
	for _, folder := range fs.Args() {
		programs, err := read(folder)
		if err != nil {
			fmt.Fprintln(errs, "threads:", err)
			return 2
		}
		for _, p := range programs {
			fmt.Fprintln(errs, p.folder, p.file)
			r := row{program: p}
			for _, w := range methods {
				r.results = append(r.results, check(p, w, *limit))
			}
			all = append(all, r)
		}
	}
	fmt.Fprintf(out, "At most %v of the processor for each check.\n\n", *limit)
	return write(out, all)
}

// read is what a folder's VERDICTS.tsv has.
func read(folder string) ([]program, error) {
	text, err := os.ReadFile(filepath.Join(folder, "VERDICTS.tsv"))
	if err != nil {
		return nil, err
	}
	var all []program
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if cells := strings.Split(line, "\t"); i > 0 && len(cells) > 2 {
			all = append(all, program{folder, cells[0], cells[2]})
		}
	}
	return all, nil
}

// check asks once. What cannot be read is unknown.
func check(p program, w method, limit time.Duration) result {
	start := usage.Time()
	r := result{verdict: verdict.Unknown}
	ctx, cancel := within(start + limit)
	defer cancel()
	s := session(ctx, p, w)
	if s != nil {
		for s.Next() != cegar.Finished {
			if e, ok := s.Step(ctx).(cegar.Ended); ok {
				r.verdict = e.Outcome.Verdict
				break
			}
		}
		r.stats = s.Stats()
		s.Close()
	}
	r.seconds = (usage.Time() - start).Seconds()
	return r
}

func session(ctx context.Context, p program, w method) *threaded.Session {
	name := filepath.Join(p.folder, p.file)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	project, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: name, Text: text}}})
	if err != nil {
		return nil
	}
	claim, err := project.Property(magus.Property{})
	if err != nil {
		return nil
	}
	s, err := magus.NewSession(ctx, claim, w.opt)
	if err != nil {
		return nil
	}
	threads, _ := s.(*threaded.Session)
	return threads
}

// within ends when the processor has worked for so long.
func within(end time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for ctx.Err() == nil && usage.Time() < end {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	return ctx, cancel
}
