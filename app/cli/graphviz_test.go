package cli_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
)

// A program dot that does not come to an end, nor lets go of its output, is ended when
// its time is up, and so is what draws; other formats do not ask for it.
func TestGraphvizHasALimit(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the limit")
	}
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../examples/lock")))
	program := filepath.Join(dir, "dot")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nsleep 20 &\nwait\n"), 0o777))
	for _, args := range [][]string{{"-o", "x.png"}, {"-o", "x.pdf"}, {"-o", "x.svg", "--layout", "dot"}} {
		w, _, stderr := testWorld(dir)
		w.LookPath = func(string) (string, error) { return program, nil }
		w.GraphvizTime = 100 * time.Millisecond
		status := cli.Main(t.Context(), append([]string{"dot", "cfa", "lock.c", "lock.spec"}, args...), w)
		require.Equal(t, 2, status)
		require.Contains(t, stderr.String(),
			"drawing by Graphviz takes more than 100ms: draw less (--around, --trace-only, not --all), "+
				"or FILE.svg without --layout dot")
		require.NoFileExists(t, filepath.Join(dir, args[1]))
	}
	for _, args := range [][]string{{"-o", "x.svg"}, {"-o", "x.svg", "--layout", "own"},
		{"-o", "x.dot", "--layout", "dot"}} {
		w, _, stderr := testWorld(dir)
		w.LookPath = func(name string) (string, error) {
			require.NotEqual(t, "dot", name)
			return "", os.ErrNotExist
		}
		require.Zero(t, cli.Main(t.Context(), append([]string{"dot", "cfa", "lock.c", "lock.spec"}, args...), w),
			stderr.String())
		require.FileExists(t, filepath.Join(dir, args[1]))
	}
}
