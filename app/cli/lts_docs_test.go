package cli_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
)

// docs/lts.md shows what the program prints. Its commands are run in a copy of
// docs/lts, one after the other; besides magus there is cat. `go test
// ./app/cli -run LTSTranscripts -update` rewrites it.
func TestLTSTranscripts(t *testing.T) {
	const root = "../../docs"
	path := filepath.Join(root, "lts.md")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(root, "lts"))))
	retold(t, path, string(text), func(c command) string { return runIn(t, dir, c.command) })
}

// runIn gives what a command line prints; `; echo $?` behind it shows the exit
// status. Double quotes hold an argument together.
func runIn(t *testing.T, dir, line string) string {
	line, showStatus := strings.CutSuffix(line, "; echo $?")
	var words []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	if words[0] == "cat" {
		text, err := os.ReadFile(filepath.Join(dir, words[1]))
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, "magus", words[0], "a transcript runs magus")
	w, out, stderr := testWorld(dir)
	status := cli.Main(t.Context(), words[1:], w)
	output := stderr.String() + out.String()
	if showStatus {
		output += strconv.Itoa(status) + "\n"
	}
	return output
}
