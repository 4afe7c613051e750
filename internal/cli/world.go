package cli

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A World is what the program touches outside itself.
type World struct {
	Stdout, Stderr io.Writer
	// Dir is what relative file names are relative to; "" is the working
	// directory. Messages show names as they were given.
	Dir string
	// Terminal says that Stderr is a terminal, which may show progress.
	Terminal bool
	Env      func(name string) string
	Now      func() time.Time
	// Ticks returns a channel that receives every so often, and a function
	// that ends it.
	Ticks func(time.Duration) (<-chan time.Time, func())
	// Memory is what the process uses now, PeakMemory the most that it has
	// used, in bytes.
	Memory, PeakMemory func() uint64
	// LimitMemory tells the garbage collector what to aim for.
	LimitMemory func(bytes uint64)
	LookPath    func(program string) (string, error)
	Engine      Engine
}

// System is the world of a real process.
func System() World {
	return World{
		Stdout:     os.Stdout,
		Stderr:     os.Stderr,
		Terminal:   isTerminal(os.Stderr),
		Env:        os.Getenv,
		Now:        time.Now,
		Memory:     memory,
		PeakMemory: peakMemory,
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

// path is where a named file is.
func (w *World) path(name string) string {
	if w.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(w.Dir, name)
}

// readFile reads a file by its name as messages show it.
func (w *World) readFile(name string) ([]byte, error) { return os.ReadFile(w.path(name)) }
