package internal

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What users read has short sentences, and an example on the first screen. A measure, not a judgement: a page that
// exceeds it is to be looked at, and mended by a full stop, a list or a table.

const (
	medianWords = 25 // of a sentence, in every document
	longWords   = 26 // nine of ten sentences have no more, in the pages that users meet first
	firstScreen = 30 // lines above the first example of these
)

// firstPages are the documents that users meet first.
func firstPages() []string {
	return []string{"README.md", "docs/tutorial.md", "docs/tutorial-protocol.md", "docs/tutorial-rules.md",
		"docs/tutorial-deadlock.md", "docs/shell.md", "docs/semantics.md", "docs/spec-language.md", "docs/c-input.md",
		"docs/limits.md", "docs/threads.md", "docs/reports.md", "docs/rules.md", "docs/lts.md", "docs/replay.md",
		"docs/scale.md", "docs/editors.md", "docs/floats.md", "docs/many.md", "docs/web.md", "docs/threads-how.md",
		"docs/walk.md", "docs/param.md", "docs/packages.md", "docs/changing.md", "docs/options.md", "docs/builtins.md",
		"docs/library.md"}
}

var (
	fenced   = regexp.MustCompile("(?ms)^```.*?^```")
	noProse  = regexp.MustCompile(`(?m)^(?:    |#|\|).*$`) // indented, headings, tables
	inline   = regexp.MustCompile("`[^`\n]*`")
	linked   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	part     = regexp.MustCompile(`\n\s*\n|\n\s*- |\n\d+\. `)
	sentence = regexp.MustCompile(`[.!?:]\s+`)
)

// sentences are the numbers of words of the sentences of a document, sorted; code is a word.
func sentences(text string) (all []int) {
	for _, cut := range []*regexp.Regexp{fenced, noProse} {
		text = cut.ReplaceAllString(text, "")
	}
	text = linked.ReplaceAllString(inline.ReplaceAllString(text, "X"), "$1")
	for _, p := range part.Split(text, -1) {
		for _, s := range sentence.Split(strings.Join(strings.Fields(strings.TrimPrefix(p, "- ")), " "), -1) {
			if n := len(strings.Fields(s)); n >= 3 {
				all = append(all, n)
			}
		}
	}
	slices.Sort(all)
	return all
}

// firstExample is how many lines stand above the first block of code or indented line.
func firstExample(text string) int {
	lines := strings.Split(text, "\n")
	at := slices.IndexFunc(lines, func(line string) bool {
		return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "    ") && strings.TrimSpace(line) != ""
	})
	if at < 0 {
		return len(lines)
	}
	return at
}

func TestReadable(t *testing.T) {
	texts := documents(t)
	for name, text := range texts {
		if dir := filepath.Dir(name); dir != filepath.Join("..", "docs") && name != filepath.Join("..", "README.md") {
			continue
		}
		if all := sentences(text); len(all) > 10 {
			require.LessOrEqual(t, all[len(all)/2], medianWords, "%s: words of the median sentence", name)
		}
	}
	for _, name := range firstPages() {
		text, ok := texts[filepath.Join("..", filepath.FromSlash(name))]
		require.True(t, ok, name)
		all := sentences(text)
		require.LessOrEqual(t, all[len(all)*9/10], longWords, "%s: words of nine of ten sentences", name)
		require.LessOrEqual(t, firstExample(text), firstScreen, "%s: lines above the first example", name)
		t.Logf("%s: median %d, nine of ten %d, longest %d, first example in line %d", name, all[len(all)/2],
			all[len(all)*9/10], all[len(all)-1], firstExample(text)+1)
	}
}

// What a page is for stands in its first line: a short sentence of its own, before any list, table or example.
func TestFirstLines(t *testing.T) {
	for name, text := range documents(t) {
		if dir := filepath.Dir(name); dir != filepath.Join("..", "docs") && name != filepath.Join("..", "README.md") {
			continue
		}
		first := firstSentence(text)
		require.Regexp(t, "^[A-Za-z`*\\[]", first, "%s: the first line", name)
		require.NotRegexp(t, "^(This|The following|Here)\\b", first, "%s: the first line", name)
		require.LessOrEqual(t, len(strings.Fields(linked.ReplaceAllString(first, "$1"))), medianWords,
			"%s: words of the first sentence: %s", name, first)
	}
}

// firstSentence is that behind the title of a document.
func firstSentence(text string) string {
	_, body, _ := strings.Cut(text, "\n")
	paragraph, _, _ := strings.Cut(strings.TrimSpace(body), "\n\n")
	return sentence.Split(strings.ReplaceAll(paragraph, "\n", " "), 2)[0]
}

func TestFirstSentence(t *testing.T) {
	require.Equal(t, "What it is", firstSentence("# Title\n\nWhat it\nis. And more.\n\n| a |\n"))
	require.Equal(t, "| a |", firstSentence("# Title\n\n| a |\n"))
}

func TestSentences(t *testing.T) {
	const text = "# Head line of words\n\nOne two three. Four five six seven [eight](x.md#y).\n\n" +
		"- a b `c d`\n- e f g\n\n" +
		"| a b c d | e |\n\n```sh\na b c d\n```\n"
	require.Equal(t, []int{3, 3, 3, 5}, sentences(text))
	require.Equal(t, 9, firstExample(text))
}
