package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/app/outfile"
	"magus/app/repl"
	"magus/specs"
)

// An engine reads programs for a shell. It implements [repl.Engine].
type engine struct {
	world    *World
	settings *options.Settings
	src      *input.Sources // the files that were loaded last
	bare     bool           // they have no specification
	// embedded has files of an example by their names; nil: all are on disk.
	embedded func(name string) ([]byte, bool)
}

// newEngine has the default options.
func newEngine(w *World) *engine {
	return &engine{world: w, settings: w.Settings(options.Shell), src: input.NewSources(w.Dir)}
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
		if err := job.ValidateReading(e.world.Host, e.settings.Options, files); err != nil {
			return nil, nil, err
		}
	}
	reading := e.settings.Options.Reading()
	reading.Seen = e.world.Seen
	if e.embedded != nil {
		reading.Overlay = func(path string) ([]byte, bool) {
			if filepath.Dir(path) != e.world.Dir.Absolute(".") {
				return nil, false
			}
			return e.embedded(path)
		}
	}
	read, err := input.Read(e.world.Dir, reading, files)
	if err != nil {
		return nil, nil, err
	}
	if disk := read.Options.ReadFile; e.embedded != nil { // what an example includes
		read.Options.ReadFile = func(name string) ([]byte, error) {
			if text, ok := e.embedded(name); ok {
				return text, nil
			}
			return disk(name)
		}
	}
	e.src = read.Sources
	if definitions != "" {
		read.Specs = append(read.Specs, specs.Source{Name: "define", Text: []byte(definitions)})
	}
	p, err := magus.Load(ctx, job.Input(read))
	if err != nil {
		return nil, nil, err
	}
	if e.bare = len(read.Specs) == 0 && !job.Asks(e.settings.Options, files); e.bare {
		claims, err := p.Procedures(e.settings.Options.Selection())
		return p, claims, err
	}
	claims, err := job.Claims(p, e.settings.Options)
	return p, claims, err
}

// Unspecified implements [repl.Engine].
func (e *engine) Unspecified() bool { return e.bare }

// host is the world of a shell.
func (w *World) host(e *engine) repl.Host {
	w.forced(e.settings.Options)
	return repl.Host{
		Out: w.Stdout, Err: w.Stderr, Engine: e, Text: w.text(options.Defaults()), Watch: w.watch(),
		ReadFile: func(name string) ([]byte, error) {
			text, err := w.Dir.Read(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %s", name, input.Cause(err))
			}
			if !outfile.Written(text) { // a session that was restored may be saved again
				w.reads(name)
			}
			return text, nil
		},
		WriteFile: func(name string, text []byte) error {
			return w.writeText(name, text)
		},
		AppendFile:   w.appendFile,
		Files:        func(prefix string) []string { return w.Dir.Names(prefix) },
		Home:         w.Env("HOME"),
		Folder:       func() string { return w.Dir.Absolute(".") },
		ChangeFolder: w.changeFolder,
		System:       w.executing(),
		Page:         w.pager(),
		Height:       w.height(),
		Seconds:      func() float64 { return float64(w.Now().UnixNano()) / 1e9 },
		Within:       e.within,
		Interrupt:    w.interrupt,
		Render:       w.render,
		Workbench: func(ctx context.Context, args []string, objects map[string][]byte, out, err io.Writer) int {
			inner := *w
			inner.Stdout, inner.Stderr, inner.objects, inner.run = out, err, objects, w.run.Command()
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
