package cli

import (
	"context"
	"io"
	"os"
	"time"

	"magus/app/job"
	"magus/app/outfile"
	"magus/app/repl"
)

// A World is what the program touches outside itself.
type World struct {
	job.Host       // of checks
	Stdin          io.ReadCloser
	Stdout, Stderr io.Writer
	// Terminal says that Stderr is a terminal, which may show progress.
	Terminal bool
	// OnScreen says that Stdout is a terminal.
	OnScreen bool
	// Interactive says that a person types at Stdin and reads Stdout.
	Interactive bool
	// Interrupt calls f when the user interrupts, instead of ending the context
	// of the program, until stop is called. nil: nobody does.
	Interrupt func(f func()) (stop func())
	Env       func(name string) string
	// Browse opens a file in the browser of who sits at the terminal, and does not wait for its end. nil: there is none.
	Browse func(ctx context.Context, file string) error
	// GraphvizTime is how long Graphviz may take.
	GraphvizTime time.Duration
	// PageTime is how long a page, a witness, a certificate or coverage may take once the verdicts are there.
	PageTime time.Duration

	objects map[string][]byte // LTSs that have a name, as Aldebaran text
	// Stdout and Stderr as they were before they were guarded: for what is
	// drawn on a terminal.
	rawOut, rawErr io.Writer
	palette        *palette
	run            *outfile.Run // what is read and written
	allowCommands  bool         // of the system, in the shell
}

// System is the world of a real process.
func System() World {
	return World{
		Host:        job.System(),
		Stdin:       os.Stdin,
		Stdout:      os.Stdout,
		Stderr:      os.Stderr,
		Terminal:    isTerminal(os.Stderr),
		OnScreen:    isTerminal(os.Stdout) && repl.ScreenWidth() > 0,
		Interactive: repl.OnTerminal(),
		Env:         os.Getenv,
		Browse:      systemBrowser(os.Getenv),
		// On some drawings of a few hundred nodes it takes minutes.
		GraphvizTime: 20 * time.Second,
		PageTime:     20 * time.Second,
	}
}

// isTerminal takes every character device for a terminal; the only other one
// that people use as standard error, /dev/null, does not mind.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
