package internal

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"magus/internal/sample"
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
	sample.Long(t)
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

// What newcomers ask first is answered two clicks from the index: the question's row leads to a place that says it.
func TestQuestions(t *testing.T) {
	texts := documents(t)
	index := texts[filepath.Join("..", "docs", "README.md")]
	for question, says := range map[string][]string{
		"how do I check my lock?":                    {"procedure drain", "magus check", "conforms"},
		"what does *unknown* mean, and what helps?":  {"nothing was established", "what helps"},
		"why is this a violation?":                   {"**trace**", "**forbidden**", "**initially**"},
		"which C is not taken?":                      {"which C is not taken?", "not modelled"},
		"how do I run it in CI?":                     {"--timeout", "uses:", "exit status"},
		"I have a C file and no specification: what": {"magus init"},
	} {
		_, row, found := strings.Cut(index, "| "+question)
		require.True(t, found, question)
		first := link.FindStringSubmatch(row)
		file, anchor, _ := strings.Cut(first[1], "#")
		place := section(texts[filepath.Join("..", "docs", file)], anchor)
		for _, word := range says {
			require.Contains(t, place, word, "%s leads to %s", question, first[1])
		}
	}
}

// section is what stands below a heading, up to the next one that is no deeper; the whole text without a name.
func section(text, anchor string) string {
	if anchor == "" {
		return text
	}
	hidden := regexp.MustCompile("(?ms)^```.*?^```").ReplaceAllStringFunc(text, func(block string) string {
		return strings.Repeat(" ", len(block)) // a # in code begins no heading
	})
	all := heading.FindAllStringIndex(hidden, -1)
	depth := func(at int) int { return strings.Index(text[at:], " ") }
	for i, h := range all {
		if !anchors(text[h[0]:h[1]])[anchor] {
			continue
		}
		for _, next := range all[i+1:] {
			if depth(next[0]) <= depth(h[0]) {
				return text[h[0]:next[0]]
			}
		}
		return text[h[0]:]
	}
	return ""
}

func TestSection(t *testing.T) {
	const text = "# A\n\n## B b\n\nc\n\n```sh\n# no heading\n```\n### D\n\ne\n\n## F\n\ng\n"
	require.Equal(t, "## B b\n\nc\n\n```sh\n# no heading\n```\n### D\n\ne\n\n", section(text, "b-b"))
	require.Equal(t, "### D\n\ne\n\n", section(text, "d"))
	require.Equal(t, "## F\n\ng\n", section(text, "f"))
	require.Equal(t, text, section(text, ""))
	require.Empty(t, section(text, "h"))
}
