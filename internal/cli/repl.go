package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"magus"
	"magus/internal/draw"
	"magus/internal/input"
	"magus/internal/phrase"
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

// shellFlags are the flags of check that a shell takes.
type shellFlags struct {
	w        *World
	flags    *checkFlags
	src      *input.Sources // the files that were loaded last
	set      *pflag.FlagSet
	assigned [][2]string
}

// notOfShell are the flags of check that say what check itself prints, and how
// long it may take.
var notOfShell = []string{"timeout", "memory-limit", "stats", "json", "certificate", "trace", "verbose", "quiet", "dump-queries", "harness"}

func newShellFlags(w *World) *shellFlags {
	s := &shellFlags{w: w, src: input.NewSources(w.dir())}
	s.renew()
	return s
}

// renew gives every flag its default.
func (s *shellFlags) renew() {
	s.flags = newCheckFlags()
	c := &cobra.Command{}
	s.flags.register(c)
	s.set = pflag.NewFlagSet("", pflag.ContinueOnError)
	s.set.SortFlags = false
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(notOfShell, f.Name) {
			s.set.AddFlag(f)
		}
	})
}

// Set implements [repl.Engine].
func (s *shellFlags) Set(name, value string, reset bool) error {
	if s.set.Lookup(name) == nil {
		var names []string
		s.set.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		return fmt.Errorf("no option %s%s", name, phrase.Suggest(name, names))
	}
	if !reset {
		err := s.set.Set(name, value)
		if err == nil {
			s.assigned = append(s.assigned, [2]string{name, value})
		}
		return err
	}
	kept := slices.DeleteFunc(s.assigned, func(p [2]string) bool { return p[0] == name })
	s.renew()
	s.assigned = nil
	for _, p := range kept {
		if err := s.Set(p[0], p[1], false); err != nil {
			return err
		}
	}
	return nil
}

// Settings implements [repl.Engine].
func (s *shellFlags) Settings() []repl.Setting {
	var all []repl.Setting
	s.set.VisitAll(func(f *pflag.Flag) {
		_, help := pflag.UnquoteUsage(f)
		v := repl.Setting{Name: f.Name, Value: f.Value.String(), Help: help, Changed: f.Changed}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			v.Value = strings.Join(list.GetSlice(), " ")
		}
		switch value := f.Value.(type) {
		case *choice:
			v.Choices = value.allowed
		default:
			if f.Value.Type() == "bool" {
				v.Choices = []string{"true", "false"}
			}
		}
		all = append(all, v)
	})
	return all
}

// Assigned implements [repl.Engine].
func (s *shellFlags) Assigned() [][2]string { return slices.Clone(s.assigned) }

// Line implements [repl.Engine].
func (s *shellFlags) Line(file string, n int) string { return s.src.Line(file, n) }

// Options implements [repl.Engine].
func (s *shellFlags) Options() magus.Options { return s.flags.options(s.w) }

// Load implements [repl.Engine].
func (s *shellFlags) Load(ctx context.Context, files []string, definitions string) (*magus.Project, []*magus.Claim, error) {
	r := &run{world: s.w, flags: s.flags}
	if definitions == "" {
		if err := s.flags.validate(s.w, files); err != nil {
			return nil, nil, err
		}
	}
	read, err := input.Read(s.w.dir(), s.flags.settings(), files)
	if err != nil {
		return nil, nil, err
	}
	s.src = read.Sources
	if definitions != "" {
		read.Specs = append(read.Specs, specs.Source{Name: "define", Text: []byte(definitions)})
	}
	p, err := magus.Load(ctx, question(read))
	if err != nil {
		return nil, nil, err
	}
	claims, err := r.claims(project{p})
	return p, claims, err
}

// register adds the flags of check to a command, which sets them as set does.
func (s *shellFlags) register(c *cobra.Command) {
	c.Flags().SortFlags = false
	s.set.VisitAll(func(f *pflag.Flag) {
		clone := *f
		clone.Value = &assigning{s, f.Name, f.Value}
		if clone.DefValue == "[]" { // the help shows no empty lists
			clone.DefValue = ""
		}
		c.Flags().AddFlag(&clone)
	})
}

// assigning is a flag that is set by [shellFlags.Set].
type assigning struct {
	shell *shellFlags
	name  string
	pflag.Value
}

func (a *assigning) Set(value string) error { return a.shell.Set(a.name, value, false) }

// host is the world of a shell.
func (w *World) host(s *shellFlags) repl.Host {
	return repl.Host{
		Out: w.Stdout, Err: w.Stderr, Engine: s,
		ReadFile: func(name string) ([]byte, error) {
			text, err := w.dir().Read(name)
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
		Files:     w.dir().Names,
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
	s := newShellFlags(w)
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
			*status, err = w.repl(c.Context(), s, args, echo)
			return err
		},
	}
	c.Flags().BoolVar(&echo, "echo", false, "on a pipe: show each line behind a prompt as it is executed")
	s.register(c)
	return c
}

func (w *World) repl(parent context.Context, s *shellFlags, files []string, echo bool) (int, error) {
	ctx, cancel := budget(parent, w, 0, 0)
	defer cancel()
	sh := repl.New(w.host(s))
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
	timeout, memory := time.Duration(0), size(0)
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
			if timeout < 0 {
				return &usageError{"--timeout must not be negative", c.CommandPath()}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			ctx, cancel := budget(c.Context(), w, timeout, uint64(memory))
			defer cancel()
			var err error
			*status, err = w.runScripts(ctx, args, junit, quiet)
			return err
		},
	}
	c.Flags().StringVar(&junit, "junit", "", "write the expectations to `FILE` in the XML form of JUnit")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only what goes wrong, and how many expectations were met")
	c.Flags().DurationVar(&timeout, "timeout", 0, "give up after `DURATION`, such as 90s or 5m, over all scripts")
	c.Flags().Var(&memory, "memory-limit", "give up when more memory than SIZE is in use, such as 2GiB")
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
		sh := repl.New(inner.host(newShellFlags(w)))
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
	s := newShellFlags(w)
	until, toEnd, out := "verify", false, ""
	claim := count(0)
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
			ctx, cancel := budget(c.Context(), w, 0, 0)
			defer cancel()
			inner := *w
			inner.Stdout = io.Discard // what load says
			sh := repl.New(inner.host(s))
			defer sh.Close()
			*status = 0
			err := sh.Load(ctx, args[n:])
			if err == nil && claim > 1 {
				err = sh.Claim(ctx, int(claim))
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
	fs.Var(&claim, "claim", "draw for claim number N")
	s.register(c)
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
