package lsp

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// A text is a document with its lines. Places are offsets in bytes; the protocol counts
// lines from 0 and characters in units of UTF-16, specifications count characters from 1,
// and C counts bytes from 1.
type text struct {
	s     string
	lines []int // where each line begins; lines[0] == 0
}

func newText(s string) *text {
	t := &text{s: s, lines: []int{0}}
	for i := range len(s) {
		if s[i] == '\n' {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// line is line n, from 0, without its end, and where it begins.
func (t *text) line(n int) (start int, s string) {
	if n < 0 || n >= len(t.lines) {
		return len(t.s), ""
	}
	end := len(t.s)
	if n+1 < len(t.lines) {
		end = t.lines[n+1]
	}
	return t.lines[n], strings.TrimRight(t.s[t.lines[n]:end], "\r\n")
}

// offset is a place of the protocol; one behind a line's end is that end.
func (t *text) offset(p protocol.Position) int {
	start, line := t.line(int(p.Line))
	units := 0
	for i, r := range line {
		if units >= int(p.Character) {
			return start + i
		}
		units += utf16.RuneLen(r)
	}
	return start + len(line)
}

// position is an offset for the protocol.
func (t *text) position(offset int) protocol.Position {
	offset = min(max(0, offset), len(t.s))
	n := sort.SearchInts(t.lines, offset+1) - 1
	units := 0
	for _, r := range t.s[t.lines[n]:offset] {
		units += utf16.RuneLen(r)
	}
	return protocol.Position{Line: uint32(n), Character: uint32(units)}
}

// span is the range between two offsets.
func (t *text) span(from, to int) protocol.Range {
	return protocol.Range{Start: t.position(from), End: t.position(to)}
}

// ofCharacters is a place that counts characters.
func (t *text) ofCharacters(line, col int) int {
	start, s := t.line(line - 1)
	for i := range s {
		if col--; col <= 0 {
			return start + i
		}
	}
	return start + len(s)
}

// ofBytes is a place that counts bytes.
func (t *text) ofBytes(line, col int) int {
	start, s := t.line(line - 1)
	at := min(max(0, col-1), len(s))
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return start + at
}

// word is the identifier that an offset is in or behind.
func (t *text) word(offset int) (from, to int) {
	from, to = offset, offset
	for from > 0 {
		r, n := utf8.DecodeLastRuneInString(t.s[:from])
		if !inWord(r) {
			break
		}
		from -= n
	}
	for to < len(t.s) {
		r, n := utf8.DecodeRuneInString(t.s[to:])
		if !inWord(r) {
			break
		}
		to += n
	}
	return from, to
}

func inWord(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// extent is what a remark at an offset is about: the word there, or one character.
func (t *text) extent(offset int) protocol.Range {
	offset = min(max(0, offset), len(t.s))
	_, to := t.word(offset)
	if to == offset {
		_, n := utf8.DecodeRuneInString(t.s[offset:])
		if to += n; n == 0 || strings.ContainsAny(t.s[offset:to], "\r\n") {
			to = offset
		}
	}
	if start := t.lines[t.position(offset).Line]; to == offset && offset > start { // at the end of a line
		_, n := utf8.DecodeLastRuneInString(t.s[:offset])
		offset -= n
	}
	return t.span(offset, to)
}
