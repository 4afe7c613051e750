// Command lowering measures how long it takes to lower the functions of C files, each
// as a component of its own, and how much memory that holds at one time.
//
//	go run ./bench/lowering [-match REGEXP] [-timeout DURATION] [-memory MIB] FILE.i...
//
// For each function it prints the processor time, the most that the heap held while it was
// lowered beyond what it held before, and what came of it: the size of the automaton,
// or why there is none. Files that a preprocessor wrote (.i) are read as such. A
// function that takes longer than the timeout, or more than the memory, is given up and
// counted in the last line, where the exit status is 1 if there are any.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strconv"
	"time"

	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/internal/usage"
	"magus/smt/expr"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	match   *regexp.Regexp
	timeout time.Duration
	memory  uint64 // bytes
	profile string
	files   []string
}

func parse(args []string, errs io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("lowering", flag.ContinueOnError)
	fs.SetOutput(errs)
	match := fs.String("match", "", "only functions whose name this `REGEXP` matches")
	fs.DurationVar(&o.timeout, "timeout", 5*time.Second, "give a function up after this time")
	memory := fs.Uint64("memory", 1024, "give a function up that holds more than so many `MIB`")
	fs.StringVar(&o.profile, "cpuprofile", "", "write a profile to this `FILE`")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	o.memory, o.files = *memory<<20, fs.Args()
	var err error
	if o.match, err = regexp.Compile(*match); err == nil && len(o.files) == 0 {
		err = errors.New("name the C files")
	}
	if err != nil {
		fmt.Fprintln(errs, "lowering:", err)
	}
	return o, err
}

// run prints the table and returns the exit status.
// It begins as that of bench/late does: each command reads flags of its own, and the rest is how commands end.
func run(args []string, out, errs io.Writer) int {
	o, err := parse(args, errs)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			fmt.Fprintln(errs, "lowering:", err)
			return 2
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			fmt.Fprintln(errs, "lowering:", err)
			return 2
		}
		defer pprof.StopCPUProfile()
	}
	fmt.Fprintf(out, format, "file", "function", "seconds", "MiB", "locations", "variables")
	var all []result
	for _, file := range o.files {
		if err := measureFile(out, file, o, &all); err != nil {
			fmt.Fprintln(errs, "lowering:", err)
			return 2
		}
	}
	return summarise(out, all)
}

const format = "%-16s %-48s %8s %6s %10s %10s\n"

// A result is what lowering one function took.
type result struct {
	seconds float64
	peak    uint64
	late    bool // given up
}

// measureFile lowers the functions of a file.
func measureFile(w io.Writer, file string, o *options, all *[]result) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	ext := filepath.Ext(file)
	src := source.Source{Name: file, Text: bytes.Clone(text), Preprocessed: ext == ".i" || ext == ".pp"}
	program, err := source.Parse(context.Background(), []source.Source{src}, source.Options{ReadFile: os.ReadFile})
	if err != nil {
		return err
	}
	for _, name := range program.Procedures() {
		if o.match.MatchString(name) {
			*all = append(*all, measure(w, program, filepath.Base(file), name, o))
		}
	}
	return nil
}

// measure lowers one function.
func measure(w io.Writer, program *source.Program, file, name string, o *options) result {
	debug.FreeOSMemory()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	began := usage.Time()
	peak := watch(ctx, cancel, o)
	c, err := lower.Lower(ctx, program, name, expr.NewPool(), lower.Options{})
	r := result{seconds: (usage.Time() - began).Seconds(), late: ctx.Err() != nil}
	cancel()
	r.peak = <-peak
	locs, vars := "", ""
	switch {
	case r.late:
		locs = "given up"
	case err != nil:
		locs = err.Error()
	default:
		locs, vars = strconv.Itoa(len(c.Locs)), strconv.Itoa(len(c.Vars))
	}
	fmt.Fprintf(w, format, file, name, fmt.Sprintf("%.2f", r.seconds), strconv.FormatUint(r.peak>>20, 10), locs, vars)
	return r
}

// watch looks at the heap and the time until ctx ends, ends it above the limits, and
// then gives the most that the heap held beyond what it held in the beginning.
func watch(ctx context.Context, cancel func(), o *options) <-chan uint64 {
	heap := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	most := make(chan uint64, 1)
	runtime.GC()
	before, began := heap(), usage.Time()
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		var peak uint64
		for ctx.Err() == nil {
			now := heap()
			peak = max(peak, now-min(before, now))
			if peak > o.memory || usage.Time()-began > o.timeout {
				cancel()
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
		most <- peak
	}()
	return most
}

// summarise prints the last line and returns the exit status.
func summarise(out io.Writer, all []result) int {
	if len(all) == 0 {
		fmt.Fprintln(out, "no function")
		return 0
	}
	late := 0
	var peak uint64
	times := make([]float64, len(all))
	for i, r := range all {
		times[i], peak = r.seconds, max(peak, r.peak)
		if r.late {
			late++
		}
	}
	slices.Sort(times)
	fmt.Fprintf(out, "%d functions: median %.2f s, worst %.2f s, at most %d MiB, %d given up\n",
		len(all), times[len(times)/2], times[len(times)-1], peak>>20, late)
	return min(late, 1)
}
