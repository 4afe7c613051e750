package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"magus"
	"magus/internal/draw"
	"magus/internal/input"
	"magus/internal/job"
	"magus/internal/options"
	"magus/internal/repl"
	"magus/internal/report/junit"
	"magus/specs"
)

const replLong = `Repl opens a shell in which a check is performed step by step. Everything can be
looked at, drawn and changed between two steps; help lists the commands. The
files, if any are named, are loaded first; flags are those of check, and set
changes them later.

On a terminal lines are edited with completion (tab) and a history (control-R
searches it); control-C stops the running command and keeps the session,
control-D leaves. On a pipe there are no prompts, unless --echo asks for them
together with each line that is read.

Exit status: that of exit, or 1 if an expectation has failed, or else 0.`

const runLong = `Run executes scripts in the language of the shell (magus repl), each in a shell
of its own. An expectation that is not met is printed with its place.

Exit status: 0 all expectations were met, 1 some were not, 2 a script is wrong
or a command failed, 3 a budget was used up, or what exit says; of several
scripts the highest.`

const dotLong = `Dot prints a drawing as DOT text: the automaton of a component (cfa C), its
abstractions (mp C, ma C), the composition (product), what pointers may point to
(points C) or a specification (spec [NAME]). Abstractions are drawn as they are after the first check against the
specification, or later: see --until and --run.`

// An engine reads programs for a shell. It implements [repl.Engine].
type engine struct {
	world    *World
	settings *options.Settings
	src      *input.Sources // the files that were loaded last
}

// newEngine has the default options.
func newEngine(w *World) *engine {
	return &engine{w, options.For(options.Shell), input.NewSources(w.Dir)}
}

// Settings implements [repl.Engine].
func (e *engine) Settings() *options.Settings { return e.settings }

// Line implements [repl.Engine].
func (e *engine) Line(file string, n int) string { return e.src.Line(file, n) }

// Options implements [repl.Engine].
func (e *engine) Options() magus.Options { return job.SessionOptions(e.world.Host, e.settings.Options) }

// Load implements [repl.Engine]. With definitions, files and options were in order
// before.
func (e *engine) Load(ctx context.Context, files []string, definitions string) (*magus.Project, []*magus.Claim, error) {
	if definitions == "" {
		if err := job.Validate(e.world.Host, e.settings.Options, files); err != nil {
			return nil, nil, err
		}
	}
	read, err := input.Read(e.world.Dir, e.settings.Options.Reading(), files)
	if err != nil {
		return nil, nil, err
	}
	e.src = read.Sources
	if definitions != "" {
		read.Specs = append(read.Specs, specs.Source{Name: "define", Text: []byte(definitions)})
	}
	p, err := magus.Load(ctx, job.Input(read))
	if err != nil {
		return nil, nil, err
	}
	claims, err := job.Claims(p, e.settings.Options)
	return p, claims, err
}

// host is the world of a shell.
func (w *World) host(e *engine) repl.Host {
	return repl.Host{
		Out: w.Stdout, Err: w.Stderr, Engine: e,
		ReadFile: func(name string) ([]byte, error) {
			text, err := w.Dir.Read(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %s", name, input.Cause(err))
			}
			return text, nil
		},
		WriteFile: func(name string, text []byte) error {
			return w.writeFile(name, func(out io.Writer) error {
				_, err := out.Write(text)
				return err
			})
		},
		Files:     w.Dir.Names,
		Seconds:   func() float64 { return float64(w.Now().UnixNano()) / 1e9 },
		Interrupt: w.interrupt,
		Render:    w.render,
		Workbench: func(ctx context.Context, args []string, objects map[string][]byte, out, err io.Writer) int {
			inner := *w
			inner.Stdout, inner.Stderr, inner.objects = out, err, objects
			return Main(ctx, append([]string{"lts"}, args...), inner)
		},
	}
}

// interrupt is w.Interrupt, if there is one.
func (w *World) interrupt(f func()) (stop func()) {
	if w.Interrupt == nil {
		return func() {}
	}
	return w.Interrupt(f)
}

// render lets Graphviz draw.
func (w *World) render(ctx context.Context, text []byte, format string) ([]byte, error) {
	program, err := w.LookPath("dot")
	if err != nil {
		return nil, errors.New("drawing needs Graphviz, and there is no program dot in PATH: install graphviz, or write the .dot file and draw it elsewhere")
	}
	return draw.Graphviz(ctx, program, text, format)
}

func newRepl(w *World, status *int) *cobra.Command {
	e := newEngine(w)
	echo := false
	c := &cobra.Command{
		Use:                   "repl [flags] [FILE...]",
		Short:                 "Step through a check in a shell",
		Long:                  replLong,
		Example:               "  magus repl lock.c lock.spec\n  magus repl --minimize greedy client.c server.c protocol.spec",
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeSources,
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			*status, err = w.repl(c.Context(), e, args, echo)
			return err
		},
	}
	c.Flags().BoolVar(&echo, "echo", false, "on a pipe: show each line behind a prompt as it is executed")
	addFlags(c, e.settings)
	return c
}

func (w *World) repl(parent context.Context, e *engine, files []string, echo bool) (int, error) {
	ctx, cancel := job.Budget(parent, w.Host, 0, 0)
	defer cancel()
	sh := repl.New(w.host(e))
	defer sh.Close()
	lines, mode := repl.Pipe(w.Stdin), repl.Mode{Echo: echo}
	if w.Interactive {
		var err error
		if lines, err = repl.Terminal(w.Stdin, w.rawOut, w.rawErr, w.history(), sh.Complete); err != nil {
			return 0, err
		}
		mode = repl.Mode{Prompt: true}
		fmt.Fprintf(w.Stdout, "magus %s; help lists the commands, exit leaves\n", version())
	}
	defer lines.Close()
	if len(files) > 0 {
		if err := sh.Load(ctx, files); err != nil {
			if !w.Interactive {
				status := 0
				err = w.undecided(ctx, err, &status)
				return status, err
			}
			fmt.Fprintln(w.Stderr, err)
		}
	}
	return sh.Interact(ctx, lines, mode), nil
}

// history is the name of the file with the history of the shell, "" if there is
// to be none.
func (w *World) history() string {
	if name := w.Env("MAGUS_HISTORY"); name != "" {
		return name
	}
	state := w.Env("XDG_STATE_HOME")
	if state == "" && w.Env("HOME") != "" {
		state = filepath.Join(w.Env("HOME"), ".local", "state")
	}
	if state == "" || os.MkdirAll(filepath.Join(state, "magus"), 0o700) != nil {
		return ""
	}
	return filepath.Join(state, "magus", "history")
}

func newRunScripts(w *World, status *int) *cobra.Command {
	junit, quiet := "", false
	s := options.For(options.Scripts)
	c := &cobra.Command{
		Use:                   "run [flags] SCRIPT...",
		Short:                 "Run scripts of the shell",
		Long:                  runLong,
		Example:               "  magus run conformance.magus\n  magus run --junit results.xml suite/*.magus",
		DisableFlagsInUseLine: true,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"magus"}, cobra.ShellCompDirectiveFilterFileExt
		},
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"no script given", c.CommandPath()}
			}
			return asUsage(s.Options.Validate(), c.CommandPath())
		},
		RunE: func(c *cobra.Command, args []string) error {
			ctx, cancel := job.Budget(c.Context(), w.Host, s.Options.Timeout, s.Options.MemoryLimit)
			defer cancel()
			var err error
			*status, err = w.runScripts(ctx, args, junit, quiet)
			return err
		},
	}
	c.Flags().StringVar(&junit, "junit", "", "write the expectations to `FILE` in the XML form of JUnit")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only what goes wrong, and how many expectations were met")
	addFlag(c, s, "timeout")
	addFlag(c, s, "memory-limit")
	return c
}

// runScripts executes scripts one after the other.
func (w *World) runScripts(ctx context.Context, names []string, junitFile string, quiet bool) (status int, err error) {
	var suites []junit.Suite
	inner := *w
	if quiet {
		inner.Stdout = io.Discard
	}
	for _, name := range names {
		sh := repl.New(inner.host(newEngine(w)))
		suite, got := sh.Run(ctx, name)
		sh.Close()
		suites, status = append(suites, suite.JUnit()), max(status, got)
		if n := len(suite.Results); n > 0 {
			fmt.Fprintf(w.Stdout, "%s: %d of %d expectations met\n", name, n-suite.Failures(), n)
		}
	}
	if junitFile == "" {
		return status, nil
	}
	return status, w.writeFile(junitFile, func(out io.Writer) error { return junit.Write(out, suites) })
}

func newDot(w *World, status *int) *cobra.Command {
	e := newEngine(w)
	until, toEnd, out := "verify", false, ""
	claim := 0
	selection, around := draw.Selection{}, ""
	c := &cobra.Command{
		Use:   "dot [flags] OBJECT [NAME] FILE.c... [FILE.spec...]",
		Short: "Draw an automaton, an abstraction or a specification",
		Long:  dotLong,
		Example: "  magus dot cfa drain lock.c lock.spec > drain.dot\n  magus dot mp --run --collapse -o drain.svg lock.c lock.spec\n" +
			"  magus dot spec lock.c lock.spec",
		DisableFlagsInUseLine: true,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return repl.Objects(), cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"c", "i", "pp", "h", "spec"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"which object? There are " + strings.Join(repl.Objects(), ", "), c.CommandPath()}
			}
			if around != "" {
				node, depth, _ := strings.Cut(around, ",")
				var err error
				if selection.Around, err = draw.ParseAround(node, depth); err != nil {
					return input.Errorf("%s", err)
				}
			}
			n := 1
			for n < len(args) && !isSource(args[n]) {
				n++
			}
			if toEnd {
				until = ""
			}
			ctx, cancel := job.Budget(c.Context(), w.Host, 0, 0)
			defer cancel()
			inner := *w
			inner.Stdout = io.Discard // what load says
			sh := repl.New(inner.host(e))
			defer sh.Close()
			*status = 0
			err := sh.Load(ctx, args[n:])
			if err == nil && claim > 1 {
				err = sh.Claim(ctx, claim)
			}
			if err != nil {
				return w.undecided(ctx, err, status)
			}
			text, err := sh.Dot(ctx, args[:n], until, toEnd || c.Flags().Changed("until"), selection)
			if err != nil {
				return w.undecided(ctx, err, status)
			}
			return w.writeDrawing(ctx, out, text)
		},
	}
	fs := c.Flags()
	fs.StringVarP(&out, "output", "o", "", "write to `FILE`: .dot, or .svg, .png, .pdf by Graphviz")
	fs.BoolVar(&selection.All, "all", false, "draw all nodes, however many")
	fs.BoolVar(&selection.Collapse, "collapse", false, "leave out states that only pass τ on")
	fs.BoolVar(&selection.TraceOnly, "trace-only", false, "draw the counterexample only")
	fs.StringVar(&around, "around", "", "draw what is near a node: `NODE,DEPTH`")
	fs.StringVar(&until, "until", until, "draw abstractions as they are after this `EVENT`; see until in magus repl")
	fs.BoolVar(&toEnd, "run", false, "draw abstractions as they are at the end")
	fs.Var(options.NewValue(options.Count, &claim), "claim", "draw for claim number N")
	addFlags(c, e.settings)
	return c
}

func isSource(name string) bool {
	return input.KindOf(name) != input.Other
}

// writeDrawing writes DOT text, or what Graphviz makes of it.
func (w *World) writeDrawing(ctx context.Context, file, text string) error {
	if file == "" {
		_, err := io.WriteString(w.data(), text)
		return err
	}
	out := []byte(text)
	format, err := draw.Format(file)
	if err == nil && format != "dot" {
		out, err = w.render(ctx, out, format)
	}
	if err != nil {
		return input.Errorf("%s", err)
	}
	return w.writeFile(file, func(f io.Writer) error {
		_, err := f.Write(out)
		return err
	})
}
