package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/internal/sample"
)

// copied is a folder with a copy of an example.
func copied(t *testing.T, example string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("../../examples", example))))
	return dir
}

// mend replaces a text of a file, which stands there once.
func mend(t *testing.T, path, before, after string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), before), "%s: %s", path, before)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), before, after, 1)), 0o666))
}

// The example of rules has two faults, and none once they are mended.
func TestRulesExample(t *testing.T) {
	sample.Long(t)
	dir := copied(t, "rules")
	files := []string{"pool.c", "queue.c", "journal.c", "peer.c"}
	check := func(rules ...string) (string, int) {
		w, out, stderr := testWorld(dir)
		args := []string{"rules", "check", "--quiet"}
		for _, rule := range rules {
			args = append(args, "--rule", rule)
		}
		status := cli.Main(t.Context(), append(args, files...), w)
		require.Empty(t, stderr.String())
		return out.String(), status
	}
	finding := regexp.MustCompile(`(?m)^[^\n :]+:\d+:\d+: .*$`)
	out, status := check()
	require.Equal(t, 1, status)
	require.Equal(t, []string{
		"peer.c:25:3: descriptor: lost in peer_connect, after open",
		"queue.c:28:3: pthread-mutex: end in queue_put, after lock",
	}, finding.FindAllString(out, -1), out)
	require.Contains(t, out, "file: 3 functions, 3 roots: 3 kept, 0 broken, 0 undecided")
	require.Contains(t, out, "memory: 6 functions, 5 roots: 5 kept, 0 broken, 0 undecided")

	mend(t, filepath.Join(dir, "queue.c"), "	if (!m)\n		return ENOMEM;\n",
		"	if (!m) {\n		pthread_mutex_unlock(&q->lock);\n		return ENOMEM;\n	}\n")
	mend(t, filepath.Join(dir, "peer.c"), "sizeof to) < 0)\n		return -1;\n",
		"sizeof to) < 0) {\n		close(fd);\n		return -1;\n	}\n")
	out, status = check("pthread-mutex", "descriptor")
	require.Zero(t, status, out)
	require.Equal(t, "descriptor: 6 functions, 5 roots: 5 kept, 0 broken, 0 undecided\n"+
		"pthread-mutex: 5 functions, 4 roots: 4 kept, 0 broken, 0 undecided\n", out)
}
