package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"magus/internal/golden"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// step is a block of the tutorial on rules: commands, or a change of a file.
var step = regexp.MustCompile("(?ms)^```(console|diff ([^\n]+))\n(.*?)^```$")

// The tutorial on a protocol shows what the program prints in a copy of docs/flash, from one step to the next;
// `go test ./app/cli -run ProtocolTutorial -update` rewrites it. What comes out is the program's specification in
// docs/flash, but for what is mended at the end.
func TestProtocolTutorial(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../docs/flash")))
	require.NoError(t, os.Remove(filepath.Join(dir, "flash.spec")))
	playTutorial(t, "../../docs/tutorial-protocol.md", dir)
	page, err := os.ReadFile(filepath.Join(dir, "store.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "violates")
}

// The tutorial on rules shows what the program prints in a copy of the example, from one step to the next.
func TestRulesTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every command of the tutorial")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("no make")
	}
	playTutorial(t, "../../docs/tutorial-rules.md", copied(t, "rules"))
}

// playTutorial performs the steps of a tutorial in a folder.
func playTutorial(t *testing.T, path, dir string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	n := 0
	got := step.ReplaceAllStringFunc(string(text), func(block string) string {
		m := step.FindStringSubmatch(block)
		if m[2] != "" {
			change(t, filepath.Join(dir, m[2]), m[3])
			return block
		}
		var b strings.Builder
		for _, c := range transcript(m[3]) {
			n++
			output := ""
			if name, ok := strings.CutPrefix(c.command, "cat "); ok {
				file, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				output = string(file)
			} else {
				output = c.run(t, dir)
			}
			if !golden.Updating() {
				assert.Equal(t, c.output, output, "%s: go test ./app/cli -update rewrites it", c.command)
			}
			b.WriteString("$ " + c.command + "\n" + output)
		}
		return "```console\n" + b.String() + "```"
	})
	require.Greater(t, n, 5)
	golden.Rewrite(t, path, got)
}

// change changes a file as lines with +, - and a blank before them say.
func change(t *testing.T, path, lines string) {
	t.Helper()
	var before, after strings.Builder
	for line := range strings.Lines(lines) {
		if line[0] != '+' {
			before.WriteString(line[1:])
		}
		if line[0] != '-' {
			after.WriteString(line[1:])
		}
	}
	mend(t, path, before.String(), after.String())
}
