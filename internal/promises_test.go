package internal

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// testsAndScripts are the names of all tests and scripts of the repository.
func testsAndScripts(t *testing.T) map[string]bool {
	exists := map[string]bool{}
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case strings.HasSuffix(path, ".txtar"):
			exists[strings.TrimSuffix(filepath.Base(path), ".txtar")] = true
		case strings.HasSuffix(path, "_test.go"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllSubmatch(text, -1) {
				exists[string(m[1])] = true
			}
		}
		return nil
	}))
	return exists
}

// TestPromises: every test that docs/reliability.md names exists.
func TestPromises(t *testing.T) {
	exists := testsAndScripts(t)
	text, err := os.ReadFile("../docs/reliability.md")
	require.NoError(t, err)
	named := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 || strings.Contains(line, "---") || strings.Contains(cells[2], "tests") {
			continue
		}
		names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[2], -1)
		require.NotEmpty(t, names, line)
		for _, n := range names {
			named++
			require.True(t, exists[n[1]], "%s, in: %s", n[1], line)
		}
	}
	require.Greater(t, named, 20)
}

// TestChanging: the files, folders and tests that docs/changing.md names exist.
func TestChanging(t *testing.T) {
	exists := testsAndScripts(t)
	text, err := os.ReadFile("../docs/changing.md")
	require.NoError(t, err)
	rows := 0
	for line := range strings.Lines(strings.ReplaceAll(string(text), `\|`, " ")) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.Contains(line, "---") || strings.Contains(cells[2], " open ") {
			continue
		}
		rows++
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[2], -1) {
			_, err := os.Stat(filepath.Join("..", m[1]))
			require.NoError(t, err, line)
		}
		commands := regexp.MustCompile("`go (?:test|run) ([^`]+)`").FindAllStringSubmatch(cells[3], -1)
		require.NotEmpty(t, commands, line)
		for _, c := range commands {
			for word := range strings.FieldsSeq(strings.ReplaceAll(c[1], `"`, " ")) {
				switch {
				case strings.HasPrefix(word, "./"):
					require.DirExists(t, filepath.Join("..", strings.TrimSuffix(word, "/...")), line)
				case strings.HasPrefix(word, "Test"):
					require.True(t, exists[word], "%s, in: %s", word, line)
				}
			}
		}
	}
	require.Greater(t, rows, 20)
}
