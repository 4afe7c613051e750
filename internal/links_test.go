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

// documents are all documents of the repository with their texts, by their names.
func documents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		all[filepath.Clean(path)] = string(text)
		return err
	}))
	return all
}

// link is a link of Markdown; what is in a block of code, or between backquotes, is none.
var link = regexp.MustCompile(`\]\(([^()\s]+)\)`)
var code = regexp.MustCompile("(?ms)^```.*?^```|`[^`\n]*`")
var heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)

// anchors are the names of a document's headings, as they are made of them.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	blocks := regexp.MustCompile("(?ms)^```.*?^```")
	for _, m := range heading.FindAllStringSubmatch(blocks.ReplaceAllString(text, ""), -1) {
		name := strings.ToLower(regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(m[1], ""))
		all[strings.ReplaceAll(name, " ", "-")] = true
	}
	return all
}

// TestLinks: what documents link to is there, headings too, and docs/README.md lists every document of its folder.
func TestLinks(t *testing.T) {
	texts := documents(t)
	n := 0
	for name, text := range texts {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			n++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = filepath.Join(filepath.Dir(name), file)
			}
			_, err := os.Stat(target)
			require.NoError(t, err, "%s links to %s", name, m[1])
			if to, ok := texts[target]; ok && anchor != "" {
				require.True(t, anchors(to)[anchor], "%s links to %s, which has no such heading", name, m[1])
			}
		}
	}
	require.Greater(t, n, 50)
	index := texts[filepath.Join("..", "docs", "README.md")]
	for name := range texts {
		if dir, file := filepath.Split(name); filepath.Base(dir) == "docs" && file != "README.md" {
			require.Contains(t, index, "]("+file+")", "docs/README.md lacks a document")
		}
	}
}
