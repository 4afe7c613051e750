package repl

import (
	"context"
	"io"

	"magus"
	"magus/app/options"
	"magus/app/report"
)

// A Host is what a shell touches outside itself.
type Host struct {
	Out, Err io.Writer
	// Text says how reports are printed.
	Text      report.Text
	ReadFile  func(name string) ([]byte, error)
	WriteFile func(name string, text []byte) error
	// AppendFile writes behind what is in a file.
	AppendFile func(name string, text []byte) error
	// Files are the names that begin with prefix, folders with a slash behind.
	Files func(prefix string) []string
	// Home is the user's home folder, "" if there is none.
	Home string
	// Folder is the folder that names are relative to. ChangeFolder makes it another one, and gives the names
	// that files have from there.
	Folder       func() string
	ChangeFolder func(name string, files []string) ([]string, error)
	// System lets the system execute a command; nil: it is not allowed.
	System func(ctx context.Context, line string, out io.Writer) error
	// Page shows a text page by page; nil: there is no terminal.
	Page func(ctx context.Context, text string) error
	// Height is how many rows the screen has, 0 if that is not known; nil: there is no terminal.
	Height func() int
	// Seconds is the time since some moment.
	Seconds func() float64
	// Within is a context that ends, as a budget does, when the time for a claim is up of which some seconds
	// have been spent.
	Within func(ctx context.Context, spent float64) (context.Context, context.CancelFunc)
	// Browse shows the session in a browser, at an address HOST:PORT or at a free port of this machine if that is "", and
	// gives the page's address; nil: there is no server.
	Browse func(listen string) (address string, err error)
	// Watch begins a line for a command that may take long; nil: there are none.
	Watch func() Watch
	// Interrupt calls f when the user interrupts, until stop is called.
	Interrupt func(f func()) (stop func())
	// Engine reads programs as `magus check` does.
	Engine Engine
	// Render turns DOT text into a picture of a format such as svg. The error says
	// what to do if there is no program for it.
	Render func(ctx context.Context, dot []byte, format string) ([]byte, error)
	// Workbench runs a command of `magus lts` in which names of objects stand for
	// files.
	Workbench func(ctx context.Context, args []string, objects map[string][]byte, out, err io.Writer) int
}

// A Watch is a line that tells how far a command is, while it runs.
type Watch interface {
	// Say is what the line tells from now on, as soon as it is drawn.
	Say(text string)
	// Erase takes the line away until it is drawn again, so that something can be
	// printed.
	Erase()
	// End takes it away for good.
	End()
}

// An Engine reads programs and holds the options of checks.
type Engine interface {
	// Load reads files, and definitions typed in as the text of one more
	// specification file.
	Load(ctx context.Context, files []string, definitions string) (*magus.Project, []*magus.Claim, error)
	// Line is line n of a source file that was read, or "".
	Line(file string, n int) string
	// Unspecified says that what was loaded last has no specification. Its claims are the procedures, and there is
	// nothing to check.
	Unspecified() bool
	// Options are those of sessions, by the settings.
	Options() magus.Options
	// Settings are the options of the shell, which set changes.
	Settings() *options.Settings
}

// A Printer is one of [Lines] at whose prompt others may print.
type Printer interface {
	// Above prints above the line that is typed.
	Above() io.Writer
}

// Lines is where a shell reads from.
type Lines interface {
	// Line reads a line without its end. The error is io.EOF at the end, and
	// ErrInterrupted when the line was given up.
	Line(prompt string) (string, error)
	Close() error
}
