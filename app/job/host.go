package job

import (
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"magus/app/input"
	"magus/app/options"
	"magus/internal/usage"
)

// A Host is what a check touches outside itself.
type Host struct {
	Dir input.Dir // what names are relative to
	// Overlay gives the texts of files that are being edited; nil: none is.
	Overlay input.Overlay
	// Seen is called with the path of each file that is read, by several at a time; nil: nobody wants to know.
	Seen   func(path string)
	Engine Engine
	Table  options.Table // of options; nil: the standard one
	Now    func() time.Time
	// Work is the processor time that the process has used.
	Work func() time.Duration
	// Ticks returns a channel that receives every so often, and a function that
	// ends it.
	Ticks func(time.Duration) (<-chan time.Time, func())
	// Memory is what the process uses now, Needed what the last collection of
	// garbage left of it, PeakMemory the most that it has used, in bytes.
	Memory, Needed, PeakMemory func() uint64
	// LimitMemory tells the garbage collector what to aim for.
	LimitMemory func(bytes uint64)
	// LookPath finds a program.
	LookPath func(program string) (string, error)
	// Build tells builds of the program apart, for what one of them leaves for another.
	Build func() (string, error)
	// Create creates a file for what the decision procedure is asked.
	Create func(path string) (io.WriteCloser, error)
}

// Options are the table of options.
func (h Host) Options() options.Table {
	if h.Table == nil {
		return options.Standard()
	}
	return h.Table
}

// Settings are the options of a command with their defaults.
func (h Host) Settings(u options.Use) *options.Settings { return h.Options().For(u) }

// System is the host that the process is.
func System() Host {
	return Host{
		Engine: Magus{},
		Now:    time.Now,
		Work:   usage.Time,
		Ticks: func(d time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(d)
			return t.C, t.Stop
		},
		Memory:      memory,
		Needed:      needed,
		PeakMemory:  usage.Peak,
		LimitMemory: func(bytes uint64) { debug.SetMemoryLimit(int64(min(bytes, 1<<62))) },
		LookPath:    exec.LookPath,
		Build:       build,
		Create:      func(path string) (io.WriteCloser, error) { return os.Create(path) },
	}
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
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"}}
	metrics.Read(s)
	n := s[0].Value.Uint64() + s[1].Value.Uint64()
	for _, heap := range s[2:] {
		n -= heap.Value.Uint64()
	}
	return n
}
