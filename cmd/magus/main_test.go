package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"magus/app/cli"
	"magus/internal/golden"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"magus": main})
}

// The scripts run the program as a user does. Besides the usual commands there are
//
//	call magus ARGS...
//	exits STATUS COMMAND ARGS...
//
// The first does what exec magus does, in the process of the test: a process for each of the thousand commands took
// most of the time. The second runs a command, and magus as call does, that has to end with that exit status. What is
// given a standard input, or has an environment that is not read by way of the world, runs as a process: exec magus, or
// exits STATUS $MAGUS.
func TestScript(t *testing.T) {
	testscript.RunT(oneByOne{t}, testscript.Params{
		Files:               scripts(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       golden.Updating(),
		Setup: func(e *testscript.Env) error {
			program, err := exec.LookPath("magus") // where PATH is taken away
			e.Setenv("MAGUS", program)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "call": call},
	})
}

// oneByOne runs scripts one behind the other, since they share the process's folder.
type oneByOne struct{ *testing.T }

func (o oneByOne) Parallel() {}

func (o oneByOne) Verbose() bool { return testing.Verbose() }

func (o oneByOne) Run(name string, f func(testscript.T)) {
	o.T.Run(name, func(t *testing.T) { f(oneByOne{t}) })
}

func call(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || args[0] != "magus" {
		ts.Fatalf("usage: call magus ARGS...")
	}
	if status := inProcess(ts, args[1:]); (status != 0) != neg {
		ts.Fatalf("exit status %d", status)
	}
}

// inProcess is the exit status of a command with these arguments. How long a page or a drawing takes says nothing
// here; what memory the process has, and how much of it there should be, is not the command's alone.
func inProcess(ts *testscript.TestScript, args []string) int {
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(before)) }()
	w := cli.System()
	w.Stdin, w.Stdout, w.Stderr = io.NopCloser(strings.NewReader("")), ts.Stdout(), ts.Stderr()
	w.Terminal, w.OnScreen, w.Interactive = false, false, false
	w.Env = ts.Getenv
	w.LimitMemory = func(uint64) {}
	w.PageTime, w.GraphvizTime = 10*time.Minute, 10*time.Minute
	return cli.Main(context.Background(), args, w)
}

// shortScripts are those of a run with -short: each is short itself, and together they meet most commands.
var shortScripts = []string{"conforms", "help", "json", "lts-info", "lts-minimize", "param-step",
	"pointsto", "property",
	"repl-names", "run-ci", "unknown", "violates"}

// scripts are the files of the scripts that are run.
func scripts(t *testing.T) (files []string) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	if !testing.Short() {
		return files
	}
	files = nil
	for _, name := range shortScripts {
		files = append(files, filepath.Join("testdata/script", name+".txtar"))
	}
	return files
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if args[1] == "magus" {
		got = inProcess(ts, args[2:])
	} else if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, not %d", got, want)
	}
}
