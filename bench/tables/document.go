package main

// The machine, and the tables inside a Markdown file.

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// A machine is where and when was measured.
type machine struct {
	date    string // year-month-day
	cpu     string
	cores   int
	version string // of Go
	system  string
}

func thisMachine() machine {
	return machine{time.Now().UTC().Format(time.DateOnly), cpuModel(), runtime.NumCPU(), runtime.Version(),
		runtime.GOOS + "/" + runtime.GOARCH}
}

func (m machine) String() string {
	return fmt.Sprintf("Measured %s on %s, %d cores, %s, %s.", m.date, m.cpu, m.cores, m.version, m.system)
}

// cpuModel is the processor's name, where Linux gives one.
func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return "an unnamed processor"
}

// The marks between which the tables stand in a file.
const (
	beginMark = "<!-- tables begin -->"
	endMark   = "<!-- tables end -->"
)

// rewrite replaces what stands between the marks of a file.
func rewrite(path, tables string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), beginMark)
	_, after, ended := strings.Cut(rest, endMark)
	if !ok || !ended {
		return fmt.Errorf("%s: no lines %s and %s to put the tables between", path, beginMark, endMark)
	}
	return os.WriteFile(path, []byte(before+beginMark+"\n\n"+strings.TrimSpace(tables)+"\n\n"+endMark+after), 0o644)
}
