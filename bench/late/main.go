// Command late measures how soon a check ends when it is told to.
//
//	go run ./bench/late [-match REGEXP] [-after DURATION,...] FILE...
//	go run ./bench/late -commands [-match REGEXP] [-after DURATION,...]
//
// Each function of each C file is checked as a component of its own, for the action error, and
// told to end after each of the times. Printed is the processor time that then passes until
// it has ended, with what was going on: reading the file, lowering, or a phase of the
// loop, and where in the program it is a tenth of a second after it was told. Of each kind of work only the
// latest is printed. Processor time is what a loaded machine does not change; two cores may pass it
// twice as fast as a clock.
//
// With -commands it measures commands that can work long on inputs that are made to be slow for them (commands.go).
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/internal/usage"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	match    *regexp.Regexp
	after    []time.Duration
	files    []string
	commands bool
}

func parse(args []string, errs io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("late", flag.ContinueOnError)
	fs.SetOutput(errs)
	match := fs.String("match", "", "only functions, or commands, that this `REGEXP` matches")
	fs.BoolVar(&o.commands, "commands", false, "measure commands on inputs of their own")
	after := fs.String("after", "30ms,300ms,3s", "tell checks to end after these `TIMES`")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	var err error
	o.files = fs.Args()
	o.match, err = regexp.Compile(*match)
	for _, text := range strings.Split(*after, ",") {
		d, e := time.ParseDuration(text)
		o.after, err = append(o.after, d), cmp.Or(err, e)
	}
	if err == nil && len(o.files) == 0 && !o.commands {
		err = errors.New("name the C files")
	}
	if err != nil {
		fmt.Fprintln(errs, "late:", err)
	}
	return o, err
}

// run prints the table and returns the exit status.
// It begins as that of bench/lowering does: each command reads flags of its own, and the rest is how commands end.
func run(args []string, out, errs io.Writer) int {
	o, err := parse(args, errs)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	if o.commands {
		if err := measureCommands(o.match, o.after, out); err != nil {
			fmt.Fprintln(errs, "late:", err)
			return 2
		}
		return 0
	}
	latest := map[string]end{}
	for _, file := range o.files {
		if err := measureFile(file, o, latest); err != nil {
			fmt.Fprintln(errs, "late:", err)
			return 2
		}
	}
	var all []end
	for _, e := range latest {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b end) int { return cmp.Or(cmp.Compare(b.late, a.late), cmp.Compare(a.doing, b.doing)) })
	fmt.Fprintf(out, "%-16s %8s %6s %6s  %s\n", "doing", "late", "after", "times", "latest")
	for _, e := range all {
		fmt.Fprintf(out, "%-16s %7.2fs %6s %6d  %s %s\n", e.doing, e.late.Seconds(), e.after, e.times, e.file, e.function)
		if len(e.where) > 0 {
			fmt.Fprintf(out, "    %s\n", strings.Join(e.where, " < "))
		}
	}
	return 0
}

// An end of a check that was told to end.
type end struct {
	doing          string
	late           time.Duration // of the processor
	after          time.Duration
	times          int // how often that work was told to end
	file, function string
	where          []string // innermost function first
}

// measureFile checks the functions of a file.
func measureFile(file string, o *options, latest map[string]end) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	ext := filepath.Ext(file)
	in := magus.Input{C: []source.Source{{Name: file, Text: text, Preprocessed: ext == ".i" || ext == ".pp"}},
		ReadFile: os.ReadFile}
	in.Options.ReadFile = os.ReadFile
	p, err := magus.Load(context.Background(), in)
	if err != nil {
		return err
	}
	note := func(e end) {
		e.file = filepath.Base(file)
		most := latest[e.doing]
		times := most.times + 1
		if e.late >= most.late {
			most = e
		}
		most.times = times
		latest[e.doing] = most
	}
	for _, after := range o.after {
		if e, ended := measure(after, func(ctx context.Context, doing *string) {
			*doing = "load"
			_, _ = magus.Load(ctx, in)
		}); ended {
			note(e)
		}
	}
	program, err := source.Parse(context.Background(), in.C, in.Options)
	if err != nil {
		return err
	}
	for _, name := range program.Procedures() {
		if o.match.MatchString(name) {
			measureFunction(p, name, o, note)
		}
	}
	return nil
}

// measureFunction checks a function.
func measureFunction(p *magus.Project, name string, o *options, note func(end)) {
	claim, err := p.Property(magus.Property{Entry: name})
	if err != nil {
		return
	}
	for _, after := range o.after {
		e, ended := measure(after, func(ctx context.Context, doing *string) {
			*doing = "prepare"
			s, err := magus.NewSession(ctx, claim, magus.Options{})
			if err != nil {
				return
			}
			defer s.Close()
			for s.Next() != cegar.Finished && ctx.Err() == nil {
				*doing = s.Next().String()
				s.Step(ctx)
			}
		})
		if !ended {
			return
		}
		e.function = name
		note(e)
	}
}

// measure performs work, tells it to end after a time, and reports how late it does; false if
// it had ended before.
func measure(after time.Duration, work func(ctx context.Context, doing *string)) (end, bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	told, over := make(chan time.Duration, 1), make(chan struct{})
	where := make(chan []string, 1)
	timer := time.AfterFunc(after, func() {
		told <- usage.Time()
		cancel()
		select {
		case <-over:
			where <- nil
		case <-time.After(100 * time.Millisecond):
			where <- stack()
		}
	})
	var doing string
	work(ctx, &doing)
	close(over)
	now := usage.Time()
	if timer.Stop() {
		return end{}, false
	}
	return end{doing: doing, late: now - <-told, after: after, where: <-where}, true
}

// stack is where the work is: the innermost functions of this program.
func stack() []string {
	text := make([]byte, 1<<20)
	text = text[:runtime.Stack(text, true)]
	for _, goroutine := range strings.Split(string(text), "\n\n") {
		if !strings.Contains(goroutine, "main.measure(") {
			continue
		}
		var all []string
		for _, line := range strings.Split(goroutine, "\n") {
			if name, ok := strings.CutPrefix(line, "magus/"); ok && len(all) < 8 {
				all = append(all, name[:strings.LastIndexByte(name, '(')])
			}
		}
		return all
	}
	return nil
}
