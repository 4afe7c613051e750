//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/app/suite"
)

// A suite that was killed goes on behind the claims that it had checked: the results are those of a run that was not.
func TestSuiteGoesOnAfterAKill(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	const good = "extern void reach_error(void);\nint main(void) { int x = 1; if (x != 1) reach_error(); return 0; }\n"
	write("quick.c", good)
	write("slow.c", "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"+endless)
	write("last.c", good)
	write("s.toml", `[options]
property = "unreach-call"
engine = "loop"
[[claim]]
files = ["quick.c"]
verdict = "conforms"
[[claim]]
files = ["slow.c"]
verdict = "conforms"
[[claim]]
files = ["last.c"]
verdict = "conforms"
`)
	args := []string{"suite", "-j", "1", "--resume", "journal", "--results", "results.json", "s.toml"}
	cmd, _, stderr := start(t, dir, args...)
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "journal"))
		return err == nil && bytes.Count(text, []byte("\n")) == 2 // a title and a result
	}, 30*time.Second, 10*time.Millisecond, stderr.String())
	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	require.Equal(t, -1, status(t, cmd))
	require.NoFileExists(t, filepath.Join(dir, "results.json"))

	// Even half of a record, as a kill may leave one, is no blocker.
	journal, err := os.ReadFile(filepath.Join(dir, "journal"))
	require.NoError(t, err)
	_, record, _ := strings.Cut(string(journal), "\n")
	write("journal", string(journal)+record[:len(record)/2])
	write("slow.c", good)
	cmd, out, stderr := start(t, dir, args...)
	require.Equal(t, 0, status(t, cmd), stderr.String())
	require.Contains(t, out.String(), "3 of 3 claims as expected")
	var doc suite.Document
	text, err := os.ReadFile(filepath.Join(dir, "results.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &doc))
	var kept []bool
	for _, r := range doc.Results {
		kept = append(kept, r.Kept)
	}
	require.Equal(t, []bool{true, false, false}, kept)
}
