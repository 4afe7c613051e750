package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A project has as many functions and about as many lines as were asked for, and is the same each time.
func TestProject(t *testing.T) {
	dir := t.TempDir()
	var errs bytes.Buffer
	require.Zero(t, run([]string{"-functions", "60", "-lines", "1800", "-files", "4", dir}, &errs), errs.String())
	functions, lines := 0, 0
	for name, text := range write(60, 1800, 4, 1) {
		written, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, text, string(written))
		functions += strings.Count(text, "\nint work")
		lines += strings.Count(text, "\n")
	}
	require.Equal(t, 60, functions)
	require.InDelta(t, 1800, lines, 400)
	require.Equal(t, 2, run([]string{"-functions", "1", "-files", "2", dir}, &errs))
	require.Equal(t, 2, run(nil, &errs))
}
