package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"magus"
	"magus/internal/input"
	"magus/internal/job"
	"magus/internal/options"
	"magus/internal/repl"
	"magus/specs"
)

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
		Out: w.Stdout, Err: w.Stderr, Engine: e, Text: w.text(options.Defaults()), Watch: w.watch(),
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
		Within:    e.within,
		Interrupt: w.interrupt,
		Render:    w.render,
		Workbench: func(ctx context.Context, args []string, objects map[string][]byte, out, err io.Writer) int {
			inner := *w
			inner.Stdout, inner.Stderr, inner.objects = out, err, objects
			return Main(ctx, append([]string{"lts"}, args...), inner)
		},
	}
}

// within ends when the time for a claim is up.
func (e *engine) within(ctx context.Context, spent float64) (context.Context, context.CancelFunc) {
	limit := e.settings.Options.Timeout
	if limit == 0 {
		return ctx, func() {}
	}
	return job.Within(ctx, limit-time.Duration(spent*float64(time.Second)))
}

// interrupt is w.Interrupt, if there is one.
func (w *World) interrupt(f func()) (stop func()) {
	if w.Interrupt == nil {
		return func() {}
	}
	return w.Interrupt(f)
}
