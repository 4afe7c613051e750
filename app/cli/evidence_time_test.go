package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
)

// What is written about a check ends when its time is over: nothing is left of the file, what was there before
// stays, and the verdict is told.
func TestEvidenceInTime(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	const earlier = "magus session 1\n" // as it was
	write("a.c", "void reach_error(void); int main(void) { int i = 0; if (i) reach_error(); return 0; }\n")
	write("before", earlier)
	for _, option := range []string{"--certificate", "--coverage"} {
		for _, file := range []string{"before", "new"} {
			w, out, stderr := testWorld(dir)
			w.PageTime = 0
			require.Equal(t, 2, cli.Main(context.Background(),
				[]string{"check", "--property", "unreach-call", option, file, "a.c"}, w), stderr)
			require.Contains(t, out.String(), "conforms")
			require.Contains(t, stderr.String(), file+": not written within 0s")
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "before"))
	require.NoError(t, err)
	require.Equal(t, earlier, string(text))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2)
}
