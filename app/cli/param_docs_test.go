package cli_test

import (
	"os"
	"path/filepath"
	"testing"

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
	retold(t, path, string(text), func(c command) string { return runIn(t, dir, c.command) })
}
