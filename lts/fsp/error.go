package fsp

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Error is a mistake in a file, or a warning about one. Lines and columns count from 1; columns count
// characters.
type Error struct {
	File      string
	Line, Col int
	Message   string
	Text      string // the line, or what is around the place if it is long

	cut int // how many characters of the line stand before Text
}

// Error is the place and the message, the line, and a mark below the place.
func (e *Error) Error() string {
	head := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Message)
	if strings.TrimSpace(e.Text) == "" {
		return head
	}
	var below strings.Builder
	for i, r := range []rune(e.Text) {
		if i >= e.Col-1-e.cut {
			break
		}
		if r != '\t' {
			r = ' '
		}
		below.WriteRune(r)
	}
	return head + "\n  " + e.Text + "\n  " + below.String() + "^"
}

// maxShown is how many characters of a line are shown.
const maxShown = 160

// source is a text that errors are about.
type source struct{ name, text string }

func (s *source) errorAt(offset int, format string, args ...any) *Error {
	before := s.text[:min(offset, len(s.text))]
	start := strings.LastIndexByte(before, '\n') + 1
	end := len(s.text)
	if i := strings.IndexByte(s.text[start:], '\n'); i >= 0 {
		end = start + i
	}
	e := &Error{File: s.name, Message: fmt.Sprintf(format, args...)}
	e.Line = strings.Count(before, "\n") + 1
	e.Col = utf8.RuneCountInString(before[start:]) + 1
	text := []rune(strings.TrimRight(s.text[start:end], "\r"))
	if len(text) > maxShown {
		e.cut = min(max(0, e.Col-1-maxShown/2), len(text)-maxShown)
		text = text[e.cut : e.cut+maxShown]
	}
	for i, r := range text {
		if r != '\t' && !unicode.IsPrint(r) {
			text[i] = utf8.RuneError
		}
	}
	e.Text = string(text)
	return e
}

// fail ends what is being done with an error at a place; caught gives it to the caller.
func (s *source) fail(offset int, format string, args ...any) {
	panic(s.errorAt(offset, format, args...))
}

// caught is deferred where errors of fail end.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Error:
		*err = r
	case stopped:
		*err = r.err
	default:
		panic(r)
	}
}

// stopped carries an error without a place: a limit, or the end of a context.
type stopped struct{ err error }
