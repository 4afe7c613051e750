package cli_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/app/cli"
	"magus/internal/sample"
)

// ltsRun runs magus lts in a folder.
func ltsRun(dir string, args ...string) (status int, out, stderr string) {
	w, o, e := testWorld(dir)
	status = cli.Main(context.Background(), append([]string{"lts"}, args...), w)
	return status, o.String(), e.String()
}

func writeText(t require.TestingT, dir, name, text string) {
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
}

const wellFormed = "des (0, 3, 3)\n(0, \"in, 1\", 1)\n(1, tau, 2)\r\n(2, out, 0)\n"

// A file that is cut off anywhere but in its last line end is one error that
// begins with file and line, and nothing is written.
func TestLTSCutOff(t *testing.T) {
	dir := t.TempDir()
	for n := range len(wellFormed) {
		writeText(t, dir, "in.aut", wellFormed[:n])
		status, out, stderr := ltsRun(dir, "convert", "in.aut", "-o", "out.aut")
		if n == len(wellFormed)-1 {
			require.Zero(t, status)
			break
		}
		require.Equal(t, 2, status, n)
		require.Empty(t, out)
		require.Regexp(t, `^in\.aut:\d+:\d+: [^\n]+\n$`, stderr)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 1)
	}
}

func TestLTSBadBytes(t *testing.T) {
	dir := t.TempDir()
	tests := []struct{ text, want string }{
		{"des (0, 1, 1)\n(0, \"\xff\", 0)\n", "in.aut:2:6: not UTF-8\n"},
		{"des (0, 1, 4294967296)\n(0, a, 0)\n", "in.aut:1:12: number too large"},
		{"des (0, 1, 99999999999999999999)\n(0, a, 0)\n", "in.aut:1:12: number too large"},
		{"des (0, 1, 1)\n(0, \"" + strings.Repeat("a", 1<<20) + "\", 0)\n", "in.aut:2:1: line longer than 1048576 bytes\n"},
		{"des (0, 1, 1)\x00\n(0, a, 0)\n", "in.aut:1:14: "},
	}
	for _, test := range tests {
		writeText(t, dir, "in.aut", test.text)
		status, out, stderr := ltsRun(dir, "info", "in.aut")
		require.Equal(t, 2, status)
		require.Empty(t, out)
		require.True(t, strings.HasPrefix(stderr, test.want), stderr)
	}
}

// Whatever the text, the program reads it or explains in one line what is wrong.
func TestLTSAnyText(t *testing.T) {
	dir := t.TempDir()
	line := rapid.OneOf(
		rapid.SampledFrom([]string{"des (0, 1, 2)", "des (0,0,1)", "(0, a, 1)", `(1,"b",0)`, "", "(0,,0)",
			"(0,a)", "(0, \"a, 1)"}),
		rapid.String())
	sample.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(line, 0, 4).Draw(t, "lines"), "\n")
		writeText(t, dir, "in.aut", text)
		status, out, stderr := ltsRun(dir, "convert", "in.aut")
		if status == 0 {
			writeText(t, dir, "in.aut", out)
			again, same, _ := ltsRun(dir, "convert", "in.aut")
			require.Zero(t, again)
			require.Equal(t, out, same)
			return
		}
		require.Equal(t, 2, status)
		require.Regexp(t, `^in\.aut:\d+:\d+: [^\n]+\n$`, stderr)
	})
}

// Too little memory is no answer, and no file.
func TestLTSMemoryLimit(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	const n = 200_000
	fmt.Fprintf(&b, "des (0, %d, %d)\n", n, n)
	for s := range n {
		fmt.Fprintf(&b, "(%d, tau, %d)\n", s, (s*7+1)%n)
	}
	writeText(t, dir, "in.aut", b.String())
	w, out, _ := testWorld(dir)
	w.LimitMemory = func(uint64) {}
	w.Needed = func() uint64 { return 0 }
	w.Ticks = func(time.Duration) (<-chan time.Time, func()) {
		always := make(chan time.Time)
		close(always)
		return always, func() {}
	}
	status := cli.Main(context.Background(), []string{"lts", "minimize", "--memory-limit", "1KiB", "in.aut",
		"-o", "out.aut"}, w)
	require.Equal(t, 3, status)
	require.Equal(t, "unknown: more memory needed than the limit of 1.0 KiB\n", out.String())
	require.NoFileExists(t, filepath.Join(dir, "out.aut"))
}

// The first signal ends a command.
func TestLTSInterrupted(t *testing.T) {
	dir := t.TempDir()
	writeText(t, dir, "in.aut", wellFormed)
	w, out, _ := testWorld(dir)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	status := cli.Main(ctx, []string{"lts", "info", "in.aut"}, w)
	require.Equal(t, 3, status)
	require.Equal(t, "unknown: interrupted\n", out.String())
}
