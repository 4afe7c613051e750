package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"magus/internal/golden"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"magus": main})
}

// The scripts run the program as a user does. Besides the usual commands there is
//
//	exits STATUS COMMAND ARGS...
//
// which runs a command that has to end with that exit status.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       golden.Updating(),
		Setup: func(e *testscript.Env) error {
			program, err := exec.LookPath("magus") // where PATH is taken away
			e.Setenv("MAGUS", program)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
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
	if err := ts.Exec(args[1], args[2:]...); err != nil {
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
