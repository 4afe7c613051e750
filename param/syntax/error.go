package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Pos is a place in a file. Lines and columns count from 1; columns count characters.
type Pos struct {
	File      string
	Line, Col int
}

// String is file:line:col.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// An Error is what is wrong with a file, and where.
type Error struct {
	Pos     Pos
	Message string
	Line    string // the line that Pos lies on
	Limit   bool   // nothing is wrong, but it is too large
}

// longest is how much of a line is shown.
const longest = 100

// Error is the message behind its place, and below it the line with a caret.
func (e *Error) Error() string {
	head := fmt.Sprintf("%v: %s", e.Pos, e.Message)
	before, line := e.Pos.Col-1, []rune(strings.TrimRight(e.Line, " \t"))
	if strings.TrimSpace(e.Line) == "" {
		return head
	}
	if from := before - longest/2; from > 0 && len(line) > longest {
		line, before = line[min(from, len(line)):], before-from
	}
	line = line[:min(len(line), longest)]
	var blank strings.Builder
	for i := range before {
		if i < len(line) && line[i] == '\t' {
			blank.WriteByte('\t')
		} else {
			blank.WriteByte(' ')
		}
	}
	return fmt.Sprintf("%s\n  %s\n  %s^", head, string(line), blank.String())
}

// A Source is a file that is read.
type Source struct {
	name, text string
}

// Errorf is an error at a byte offset.
func (s *Source) Errorf(offset int, format string, args ...any) error {
	offset = min(offset, len(s.text))
	start := strings.LastIndexByte(s.text[:offset], '\n') + 1
	line, _, _ := strings.Cut(s.text[start:], "\n")
	return &Error{
		Pos:     s.Pos(offset),
		Message: fmt.Sprintf(format, args...),
		Line:    strings.ToValidUTF8(strings.TrimRight(line, "\r"), "?"),
	}
}

// Pos is the place of a byte offset.
func (s *Source) Pos(offset int) Pos {
	offset = min(offset, len(s.text))
	start := strings.LastIndexByte(s.text[:offset], '\n') + 1
	return Pos{s.name, strings.Count(s.text[:start], "\n") + 1, utf8.RuneCountInString(s.text[start:offset]) + 1}
}
