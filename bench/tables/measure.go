package main

// Measuring: each `magus check` is a fresh process, so that its memory is its
// own. The process is this very program, started again.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"magus/app/cli"
	check "magus/app/job"
	"magus/app/report"
)

// childVariable, set in the environment, makes the program run its arguments
// as those of magus.
const childVariable = "MAGUS_TABLES_CHILD"

// A measurement is what one `magus check` said and took.
type measurement struct {
	check     *report.Check // nil if the process did not end in order
	fault     string        // what it said instead
	wall, cpu time.Duration // of the process, from its start to its end
	peak      uint64        // largest resident set, in bytes
}

// answer is what a child writes.
type answer struct {
	Status int             `json:"status"`
	Errors string          `json:"errors"`
	Peak   uint64          `json:"peak"`
	Check  json.RawMessage `json:"check,omitempty"`
}

// child runs one check in this process and writes the answer.
func child(args []string, w io.Writer) error {
	check.RelaxCollector()
	var out, errs bytes.Buffer
	world := cli.System()
	world.Stdout, world.Stderr, world.Terminal = &out, &errs, false
	a := answer{Status: cli.Main(context.Background(), args, world)}
	a.Errors, a.Peak = errs.String(), peak(world.PeakMemory)
	if json.Valid(out.Bytes()) {
		a.Check = out.Bytes()
	}
	return json.NewEncoder(w).Encode(a)
}

// peak is the largest resident set of this process since it was started. What
// getrusage says may be that of the process that started it, if that is
// larger; Linux has the right figure elsewhere.
func peak(rusage func() uint64) uint64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return rusage()
	}
	for line := range strings.Lines(string(text)) {
		var kib uint64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	return rusage()
}

// A runner measures jobs. The flags stand before the job's own arguments.
type runner interface {
	run(ctx context.Context, j *job, flags ...string) measurement
}

// processes is the real runner.
type processes struct {
	program string
	timeout time.Duration // of one check
	memory  string        // the limit, as the command line has it; "" is none
}

// grace is how much longer than its time a process may take until it is
// killed.
const grace = 20 * time.Second

func (p *processes) run(ctx context.Context, j *job, flags ...string) measurement {
	ctx, cancel := context.WithTimeout(ctx, p.timeout+grace)
	defer cancel()
	args := append([]string{"check", "--json", "--timeout", p.timeout.String()}, flags...)
	if p.memory != "" {
		args = append(args, "--memory-limit", p.memory)
	}
	cmd := exec.CommandContext(ctx, p.program, append(args, j.args...)...)
	cmd.Dir = j.dir
	cmd.Env = append(os.Environ(), childVariable+"=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	m := measurement{wall: time.Since(start)}
	if cmd.ProcessState != nil {
		m.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	m.read(out.Bytes(), err, errs.String())
	return m
}

// read takes the child's answer apart.
func (m *measurement) read(out []byte, err error, errs string) {
	var a answer
	switch {
	case err != nil:
		m.fault = fmt.Sprintf("%v: %s", err, firstLine(errs))
		return
	case json.Unmarshal(out, &a) != nil:
		m.fault = "no answer from the process"
		return
	}
	m.peak = a.Peak
	if len(a.Check) == 0 {
		m.fault = fmt.Sprintf("exit status %d: %s", a.Status, firstLine(a.Errors))
		return
	}
	m.check = &report.Check{}
	if err := json.Unmarshal(a.Check, m.check); err != nil {
		m.check, m.fault = nil, "no report: "+err.Error()
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
