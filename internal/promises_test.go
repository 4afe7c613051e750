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

// TestPromises: every test that docs/reliability.md names exists.
func TestPromises(t *testing.T) {
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
