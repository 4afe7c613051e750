package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// docs/param.md shows what the program prints. Its commands are run in a copy of
// examples/param, one after the other. `go test ./app/cli -run
// ParamTranscripts -update` rewrites it.
func TestParamTranscripts(t *testing.T) {
	path := filepath.Join("../../docs", "param.md")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../examples/param")))
	n := 0
	got := rewrite(string(text), func(c command) string {
		n++
		output := runIn(t, dir, c.command)
		if output != c.output && !*update {
			assert.Equal(t, c.output, output, c.command)
		}
		return output
	})
	require.Positive(t, n, "no transcript")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
}
