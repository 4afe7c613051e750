package cli

import (
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"magus/internal/input"
	"magus/internal/repl"
)

// A World is what the program touches outside itself.
type World struct {
	Stdin          io.ReadCloser
	Stdout, Stderr io.Writer
	// Dir is what relative file names are relative to; "" is the working
	// directory. Messages show names as they were given.
	Dir string
	// Terminal says that Stderr is a terminal, which may show progress.
	Terminal bool
	// Interactive says that a person types at Stdin and reads Stdout.
	Interactive bool
	// Interrupt calls f when the user interrupts, instead of ending the context
	// of the program, until stop is called. nil: nobody does.
	Interrupt func(f func()) (stop func())
	Env       func(name string) string
	Now       func() time.Time
	// Ticks returns a channel that receives every so often, and a function
	// that ends it.
	Ticks func(time.Duration) (<-chan time.Time, func())
	// Memory is what the process uses now, Needed what the last collection of
	// garbage left of it, PeakMemory the most that it has used, in bytes.
	Memory, Needed, PeakMemory func() uint64
	// LimitMemory tells the garbage collector what to aim for.
	LimitMemory func(bytes uint64)
	LookPath    func(program string) (string, error)
	Engine      Engine

	objects map[string][]byte // LTSs that have a name, as Aldebaran text
	// Stdout and Stderr as they were before they were guarded: for what is
	// drawn on a terminal.
	rawOut, rawErr io.Writer
}

// System is the world of a real process.
func System() World {
	return World{
		Stdin:       os.Stdin,
		Stdout:      os.Stdout,
		Stderr:      os.Stderr,
		Terminal:    isTerminal(os.Stderr),
		Interactive: repl.OnTerminal(),
		Env:         os.Getenv,
		Now:         time.Now,
		Memory:      memory,
		Needed:      needed,
		PeakMemory:  peakMemory,
		LimitMemory: func(bytes uint64) {
			debug.SetMemoryLimit(int64(min(bytes, 1<<62)))
		},
		LookPath: exec.LookPath,
		Ticks: func(d time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(d)
			return t.C, t.Stop
		},
		Engine: Magus{},
	}
}

// isTerminal takes every character device for a terminal; the only other one
// that people use as standard error, /dev/null, does not mind.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// memory is what the Go runtime holds, without what it has given back.
func memory() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// needed is what the last collection found in use, with what the Go runtime
// holds besides objects.
func needed() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	metrics.Read(s)
	n := s[0].Value.Uint64() + s[1].Value.Uint64()
	for _, heap := range s[2:] {
		n -= heap.Value.Uint64()
	}
	return n
}

// dir is what names are relative to.
func (w *World) dir() input.Dir { return input.Dir(w.Dir) }
