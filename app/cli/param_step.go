package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"magus/app/input"
	"magus/app/options"
	"magus/app/repl"
	"magus/app/web"
	"magus/param"
	paramengine "magus/param/engine"
	"magus/param/linear"
)

// paramStepFlags are the flags of `magus param step`.
type paramStepFlags struct {
	paramFlags
	domain, property string
	echo             bool
	browser          browsing
}

func newParamStep(w *World, status *int) *cobra.Command {
	f := &paramStepFlags{domain: "auto"}
	c := f.paramCommand(w, status, &cobra.Command{
		Use:   "step [flags] FILE",
		Short: "Step through the search in a shell",
		Long: `Step opens a shell in which constrained monotonic abstraction is performed step by step,
over one domain. Between two steps the sets that were found, the counterexample and
the safety zones of the order can be looked at; help lists the commands.

On a terminal control-C stops the running command, control-D leaves. On a pipe there
are no prompts, unless --echo asks for them together with each line that is read.

With --web the same search is shown in a browser too, as magus repl --web does.

Exit status: that of check once there is a verdict, or else 0.`,
		Example: "  magus param step readers-writers.param",
	}, arguments(1, 1), func(ctx context.Context, args []string) (int, error) { return f.run(ctx, w, args[0]) })
	fs := c.Flags()
	fs.Var(options.NewValue(options.Choice, &f.domain, "auto", "dbm", "linear"), "domain",
		"the constraints of the abstraction; auto: dbm where they suffice")
	fs.StringVar(&f.property, "property", "", "step through the check of the property `NAME`; needed if there are several")
	f.browser.flags(fs)
	fs.BoolVar(&f.echo, "echo", false, "on a pipe: show each line behind a prompt as it is executed")
	return c
}

func (f *paramStepFlags) run(ctx context.Context, w *World, name string) (int, error) {
	if err := f.browser.validate(nil); err != nil {
		return 0, err
	}
	m, _, err := readModel(w, name)
	if err != nil {
		return 0, err
	}
	text, err := w.read(name)
	if err != nil {
		return 0, err
	}
	numbers, err := properties(m, f.property)
	if err != nil {
		return 0, err
	}
	if len(numbers) > 1 {
		return 0, &usageError{"the model has several properties; name one by --property", "magus param step"}
	}
	sys, err := param.Compile(ctx, m)
	if err != nil {
		return 0, err
	}
	session, err := f.session(sys, numbers[0])
	if err != nil {
		return 0, input.Errorf("magus: %v", err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	host := f.browser.shares(ctx, repl.Host{Out: w.Stdout, Err: w.Stderr, Interrupt: w.interrupt,
		Seconds: func() float64 { return float64(w.Now().UnixNano()) / 1e9 }})
	sh := &stepper{out: host.Out, errs: host.Err, interrupt: host.Interrupt, shared: f.browser.shared,
		file: name, text: string(text), sys: sys, property: numbers[0], session: session}
	f.browser.shared.AttachOther(sh)
	lines := repl.Pipe(w.Stdin)
	if w.Interactive {
		if lines, err = repl.Terminal(w.Stdin, w.rawOut, w.rawErr, w.history(), sh.complete); err != nil {
			return 0, err
		}
	}
	defer lines.Close()
	if err := f.browser.start(w, lines, stop); err != nil {
		return 0, err
	}
	defer f.browser.close()
	if err := f.browser.alone(func() error { return nil }); err != nil {
		return 0, err
	}
	if w.Interactive { // an interrupt that comes when its command has just ended is not the shell's end
		defer w.interrupt(func() {})()
	}
	return sh.interact(ctx, lines, f.echo && !w.Interactive)
}

// session is over difference bounds where they suffice.
func (f *paramStepFlags) session(sys *param.System, property int) (*paramengine.Session, error) {
	opt := paramengine.Options{CMA: true, Domain: paramengine.DBM}
	if f.domain == "linear" {
		opt.Domain = paramengine.Linear
	}
	s, err := paramengine.New(sys, property, opt)
	if err != nil && f.domain == "auto" {
		opt.Domain = paramengine.Linear
		return paramengine.New(sys, property, opt)
	}
	return s, err
}

// A stepper is the shell of `magus param step`.
type stepper struct {
	out, errs io.Writer
	interrupt func(func()) (stop func())
	shared    *web.Shared
	file      string // the model
	text      string // of it

	sys      *param.System
	property int
	session  *paramengine.Session
	last     *paramengine.Iteration // with a counterexample; nil if there was none
	outcome  *paramengine.Result
}

// stepCommand is a command of the shell.
type stepCommand struct {
	name, args, what string
	run              func(sh *stepper, ctx context.Context, n int)
}

// stepCommands are all but help and exit.
func stepCommands() []stepCommand {
	return []stepCommand{
		{"step", "[N]", "expand a set, or sets until N more have been computed", (*stepper).step},
		{"next", "[N]", "go on to the end of the iteration, or of N of them", (*stepper).next},
		{"run", "", "go on to the end", func(sh *stepper, ctx context.Context, _ int) { sh.advance(ctx, 0, 0) }},
		{"sets", "", "list the sets that the present iteration has found",
			func(sh *stepper, _ context.Context, _ int) { sh.sets() }},
		{"trace", "", "show the last counterexample with the sets that it goes through",
			func(sh *stepper, _ context.Context, _ int) { sh.trace() }},
		{"zones", "", "list the safety zones that strengthen the order",
			func(sh *stepper, _ context.Context, _ int) { sh.zones() }},
		{"report", "", "show the verdict, as check does", func(sh *stepper, _ context.Context, _ int) { sh.report() }},
	}
}

// complete gives the commands that begin with what is typed.
func (sh *stepper) complete(text string) (candidates []string, last string) {
	for _, c := range stepCommands() {
		if strings.HasPrefix(c.name, text) {
			candidates = append(candidates, c.name)
		}
	}
	return candidates, text
}

func (sh *stepper) printf(format string, args ...any) { fmt.Fprintf(sh.out, format, args...) }

// interact executes lines until their end.
func (sh *stepper) interact(ctx context.Context, lines repl.Lines, echo bool) (int, error) {
	const prompt = "param> "
	for {
		line, err := repl.Await(ctx, lines, prompt)
		switch {
		case ctx.Err() != nil:
			if status, left := sh.shared.Status(); left { // by a page
				return status, nil
			}
			return 0, context.Cause(ctx)
		case errors.Is(err, repl.ErrInterrupted):
			continue
		case err != nil:
			return sh.leave(), nil
		}
		if echo {
			sh.printf("%s%s\n", prompt, line)
		}
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			if words[0] == "exit" || words[0] == "quit" {
				return sh.leave(), nil
			}
			sh.shared.Alone(line, func() {
				if err := sh.execute(ctx, words); err != nil {
					fmt.Fprintln(sh.errs, err)
				}
			})
		}
	}
}

// leave ends what a page has begun, and gives the exit status.
func (sh *stepper) leave() (status int) {
	sh.shared.Stop()
	sh.shared.Quietly(func() { status = sh.status() })
	return status
}

func (sh *stepper) status() int {
	switch {
	case sh.outcome == nil || sh.outcome.Answer == paramengine.Safe:
		return exitConforms
	case sh.outcome.Answer == paramengine.Unsafe:
		return exitViolates
	}
	return exitUnknown
}

// execute executes a line that has words. A command can be shortened.
func (sh *stepper) execute(ctx context.Context, words []string) error {
	if words[0] == "help" || words[0] == "?" {
		sh.help()
		return nil
	}
	for _, c := range stepCommands() {
		if !strings.HasPrefix(c.name, words[0]) {
			continue
		}
		n := 1
		if len(words) > 1 {
			var err error
			if n, err = strconv.Atoi(words[1]); err != nil || n < 1 || c.args == "" || len(words) > 2 {
				return fmt.Errorf("expected %s", strings.TrimSpace(c.name+" "+c.args))
			}
		}
		ctx, cancel := context.WithCancelCause(ctx)
		stop := sh.interrupt(func() { cancel(repl.ErrInterrupted) })
		defer cancel(nil)
		defer stop()
		c.run(sh, ctx, n)
		return nil
	}
	return fmt.Errorf("no command %s; help lists them", words[0])
}

func (sh *stepper) help() {
	for _, c := range stepCommands() {
		sh.printf("  %-10s %s\n", strings.TrimSpace(c.name+" "+c.args), c.what)
	}
	sh.printf("  %-10s %s\n", "exit", "leave")
}

func (sh *stepper) step(ctx context.Context, n int) { sh.advance(ctx, n, 0) }

func (sh *stepper) next(ctx context.Context, n int) { sh.advance(ctx, 0, n) }

// stepWork is how many sets are computed between two looks at what was asked for.
const stepWork = 500

// advance goes on until so many sets have been computed, so many iterations have ended, or to the end; 0
// is no limit. What goes on is told at the end.
func (sh *stepper) advance(ctx context.Context, sets, iterations int) {
	if sh.outcome != nil {
		sh.report()
		return
	}
	for {
		work := stepWork
		if sets > 0 {
			work = sets
		}
		step := sh.session.Go(ctx, work)
		if sh.outcome = paramengine.Outcome(step); sh.outcome != nil {
			sh.report()
			return
		}
		switch e := paramengine.Done(step).(type) {
		case paramengine.Refined:
			sh.last = &e.Iteration
			sh.printf("%v\n", step)
			if iterations--; iterations == 0 {
				return
			}
		case nil: // it has given up, or was interrupted
			if ctx.Err() == nil {
				sh.printf("%v\n", step)
			}
		}
		if ctx.Err() != nil {
			sh.printf("interrupted: %v\n", step)
			return
		}
		if sets > 0 {
			if _, goes := paramengine.Done(step).(paramengine.Searched); goes {
				sh.printf("%v\n", step)
			}
			return
		}
	}
}

func (sh *stepper) cube(c param.Cube) string { return sh.sys.Model.Formula(sh.sys.Formula(c)) }

// sets lists what the present search has found.
func (sh *stepper) sets() {
	v, ok := sh.session.View()
	if !ok || sh.outcome != nil {
		sh.printf("the search has ended; report shows the verdict\n")
		return
	}
	sh.printf("iteration %d over %s: * is expanded, - lies within another set\n", v.Iteration, v.Method)
	for i, s := range v.Sets {
		mark := " "
		switch {
		case s.Covered:
			mark = "-"
		case s.Expanded:
			mark = "*"
		}
		from := "bad"
		if s.Rule >= 0 {
			from = fmt.Sprintf("%s to %d", sh.sys.Model.RuleName(s.Rule), s.Next)
		}
		sh.printf("%s %4d  %-12s  %s\n", mark, i, from, sh.cube(s.Cube))
	}
}

// trace shows the last counterexample.
func (sh *stepper) trace() {
	if sh.last == nil {
		sh.printf("there is no counterexample yet\n")
		return
	}
	for i, c := range sh.last.Cubes {
		if i > 0 {
			note := ""
			if i-1 == sh.last.Step {
				note = "   cannot be taken"
			}
			sh.printf("  %s%s\n", sh.sys.Model.RuleName(sh.last.Path[i-1]), note)
		}
		sh.printf("%4d  %s\n", i, sh.cube(c))
	}
	for _, z := range sh.last.Zones {
		sh.printf("zone  %s\n", z.Format(sh.sys.DimName))
	}
}

// knownZones are those of the order so far.
func (sh *stepper) knownZones() (zones []linear.Atom) {
	if sh.outcome == nil {
		v, _ := sh.session.View()
		return v.Zones
	}
	for _, it := range sh.outcome.Iterations {
		zones = append(zones, it.Zones...)
	}
	return zones
}

func (sh *stepper) zones() {
	zones := sh.knownZones()
	if len(zones) == 0 {
		sh.printf("none: a configuration may do what a smaller one with the same control part can\n")
		return
	}
	for _, z := range zones {
		sh.printf("zone  %s\n", z.Format(sh.sys.DimName))
	}
}

func (sh *stepper) report() {
	if sh.outcome == nil {
		sh.printf("there is no verdict yet\n")
		return
	}
	if err := writeOutcome(sh.out, sh.sys, sh.property, sh.outcome); err != nil {
		fmt.Fprintln(sh.errs, err)
	}
}
