package cfa

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// An Error is one fault of the input, at its place.
type Error struct {
	Pos Pos // invalid where the fault has no place
	Msg string
	// Text is the line of the place, "" if it is not known.
	Text string
}

// Error is "file:line:col: message".
func (e Error) Error() string {
	switch {
	case e.Pos.IsValid():
		return e.Pos.String() + ": " + e.Msg
	case e.Pos.File != "":
		return e.Pos.File + ": " + e.Msg
	}
	return e.Msg
}

// WithLine is the error with its line below, and a caret below that at the place:
//
//	file:line:col: message
//	  the line
//	      ^
func (e Error) WithLine() string {
	if strings.TrimSpace(e.Text) == "" || e.Pos.Col < 1 {
		return e.Error()
	}
	line, at := e.Text, min(e.Pos.Col-1, len(e.Text))
	if at > maxLine/2 && len(line) > maxLine {
		cut := at - maxLine/2
		for cut < at && !utf8.RuneStart(line[cut]) {
			cut++
		}
		line, at = line[cut:], at-cut
	}
	if len(line) > maxLine {
		end := maxLine
		for end > 0 && !utf8.RuneStart(line[end]) {
			end--
		}
		line = line[:end]
	}
	var indent strings.Builder
	for _, r := range line[:min(at, len(line))] {
		if r != '\t' {
			r = ' '
		}
		indent.WriteRune(r)
	}
	return fmt.Sprintf("%v\n  %s\n  %s^", e, line, indent.String())
}

// maxLine is how much of a long line is shown.
const maxLine = 160

// Errors are the faults found in C sources: the input is wrong.
type Errors []Error

// Error lists the faults, one a line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// WithLines lists the faults with their lines.
func (es Errors) WithLines() string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = e.WithLine()
	}
	return strings.Join(texts, "\n")
}

// Once leaves out faults that were found before, in a header that several
// units include; nil if there is none.
func (es Errors) Once() error {
	var list Errors
	for _, e := range es {
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	if list == nil {
		return nil
	}
	return list
}

// An UnsupportedError is valid C that is not modelled: the verdict is unknown.
type UnsupportedError struct {
	Pos  Pos
	What string // the construct, with the names that the source gives it
	Hint string // why, or what to do about it; may be empty
	// TooLarge says that the automaton became too large, of which nothing else is the matter.
	TooLarge bool
}

// Error is "file:line:col: not modelled: construct (hint)".
func (e *UnsupportedError) Error() string {
	s := "not modelled: " + e.What
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return Error{Pos: e.Pos, Msg: s}.Error()
}

// A NotFoundError says that no source defines a procedure of that name.
type NotFoundError struct {
	Name string
	// Pos is where it is declared without a body, if it is.
	Pos Pos
}

// Error says what is missing, and where it is declared if it is.
func (e *NotFoundError) Error() string {
	if e.Pos.IsValid() {
		return fmt.Sprintf("%v: procedure %s has no body", e.Pos, e.Name)
	}
	return fmt.Sprintf("no procedure %s in the sources", e.Name)
}

// An InternalError is a fault of the C library or of the lowering itself, met
// on some input. It is a bug.
type InternalError struct {
	Doing string
	Value any    // what was recovered
	Stack string // where
}

// Error names the phase and the fault.
func (e *InternalError) Error() string {
	return fmt.Sprintf("internal error while %s: %v", e.Doing, e.Value)
}

// Fault is one fault of the input.
func Fault(pos Pos, msg string) Errors { return Errors{{Pos: pos, Msg: msg}} }

// Unsupported is the error of a construct that is not modelled. hint may be
// empty.
func Unsupported(pos Pos, what, hint string) *UnsupportedError {
	return &UnsupportedError{Pos: pos, What: what, Hint: hint}
}
