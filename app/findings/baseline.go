package findings

// Baselines.
//
// Idea: a line for each finding, its fields parted by blanks and sorted, so that people review it and
// repositories merge it. A file whose name has a blank or another odd character is quoted as in Go. Names are
// relative to the folder of the baseline, wherever the check was started. A line may stand there several
// times: so many findings are known.
//
// Cost: linear in the lines.

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"magus/internal/phrase"
)

// Title is the first line of a baseline.
const Title = "# magus baseline 1\n"

// remarks stand behind it.
const remarks = "# What is known: RULE FILE FUNCTION EVENT after EVENTS. " +
	"magus rules check --write-baseline writes it anew.\n"

// A Baseline is findings that are known.
type Baseline struct {
	file    string         // of messages
	dir     string         // absolute: its folder
	base    string         // absolute: the folder that names of sources are relative to
	entries map[string]int // how often each line is there
	numbers map[string]int // the line of the file in which it is first
}

// NewBaseline is one without findings. The file is named as messages name it; dir is its folder, and base the folder
// that names of sources are relative to.
func NewBaseline(file, dir, base string) *Baseline {
	return &Baseline{file: file, dir: dir, base: base, entries: map[string]int{}, numbers: map[string]int{}}
}

// Read adds the findings of a text, which [Baseline.Text] or people have written.
func (b *Baseline) Read(text []byte) error {
	rest, ours := strings.CutPrefix(string(text), Title)
	if !ours {
		begin, _, _ := strings.Cut(Title, " 1")
		if version, other := strings.CutPrefix(string(text), begin); other {
			version, _, _ = strings.Cut(version, "\n")
			return fmt.Errorf("%s:1: a baseline of another format:%s, expected 1", b.file, strings.TrimRight(version, "\r"))
		}
		return fmt.Errorf("%s:1: no baseline: it begins with %q", b.file, strings.TrimSuffix(Title, "\n"))
	}
	n := 1
	for line := range strings.SplitSeq(rest, "\n") {
		n++
		line = strings.TrimRight(line, "\r \t")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		e, err := parse(line)
		if err != nil {
			return fmt.Errorf("%s:%d: the baseline is damaged: %w", b.file, n, err)
		}
		text := e.String()
		if b.entries[text]++; b.entries[text] == 1 {
			b.numbers[text] = n
		}
	}
	return nil
}

// parse reads a line.
func parse(line string) (entry, error) {
	var words []string
	for rest := line; rest != ""; {
		rest = strings.TrimLeft(rest, " \t")
		if !strings.HasPrefix(rest, `"`) {
			word, after, _ := strings.Cut(rest, " ")
			words, rest = append(words, word), after
			continue
		}
		quote, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return entry{}, fmt.Errorf("a quote is not closed")
		}
		word, err := strconv.Unquote(quote)
		if err != nil {
			return entry{}, err
		}
		words, rest = append(words, word), rest[len(quote):]
	}
	if len(words) < 4 {
		return entry{}, fmt.Errorf("expected RULE FILE FUNCTION EVENT, found %d words", len(words))
	}
	e := entry{rule: words[0], file: words[1], procedure: words[2], event: words[3]}
	switch before := words[4:]; {
	case len(before) == 0:
		return e, nil
	case before[0] != "after" || len(before) == 1:
		return entry{}, fmt.Errorf("expected after and events, found %s", strings.Join(before, " "))
	default:
		e.before = before[1:]
	}
	if e.longer = e.before[0] == "..."; e.longer {
		e.before = e.before[1:]
	}
	return e, nil
}

// quoted is a word of a line.
func quoted(word string) string {
	odd := func(r rune) bool { return r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r) }
	if word == "" || strings.ContainsFunc(word, odd) || strings.HasPrefix(word, "#") {
		return strconv.Quote(word)
	}
	return word
}

// nameFrom is the name of a source from a folder; base is the folder that it is named from now.
func nameFrom(file, base, dir string) string {
	if strings.HasPrefix(file, "<") {
		return file
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(base, file)
	}
	if rel, err := filepath.Rel(dir, file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}

// has reports whether the n-th finding with that line is known.
func (b *Baseline) has(line string, n int) bool { return n <= b.entries[line] }

// Gone are the lines of the baseline that too few findings have, each with its place: of rules that were checked, which
// undecided has with how many roots are, and of files that were looked at.
func (s *Set) Gone(undecided map[string]int, looked func(path string) bool) []string {
	b := s.baseline
	var gone []string
	for _, line := range slices.SortedFunc(maps.Keys(b.entries),
		func(x, y string) int { return b.numbers[x] - b.numbers[y] }) {
		e, err := parse(line)
		if err != nil {
			panic(err) // it was parsed before
		}
		n, checked := undecided[e.rule]
		if !checked || !looked(filepath.Join(b.dir, filepath.FromSlash(e.file))) || s.lines[line] >= b.entries[line] {
			continue
		}
		text := fmt.Sprintf("%s:%d: not found any more: %s", b.file, b.numbers[line], line)
		if n > 0 {
			text += fmt.Sprintf(" (%s of the rule undecided)", phrase.Plural(n, "root"))
		}
		gone = append(gone, text)
	}
	return gone
}

// Baseline is a text with the findings that are not allowed otherwise. All of them are known then.
func (s *Set) Baseline() string {
	var lines []string
	for line, n := range s.lines {
		for range n {
			lines = append(lines, line+"\n")
		}
	}
	slices.Sort(lines)
	return Title + remarks + strings.Join(lines, "")
}
