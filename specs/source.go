package specs

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Source is one specification file.
type Source struct {
	Name string // as errors call it; imports are relative to its folder
	Text []byte
}

// A Pos is a place in a source. Lines and columns count from 1; columns count
// characters, a tab being one. The zero Pos is no place.
type Pos struct {
	File      string
	Line, Col int
}

// IsValid reports whether p is a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String is file:line:col.
func (p Pos) String() string {
	if !p.IsValid() {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// An Error is a fault in a specification, or a warning about one.
type Error struct {
	Pos         Pos
	Message     string
	Text        string // the line Pos lies on, without its end; of a long line what is around Pos; "" if there is no place
	NotModelled bool   // valid C that specifications do not cover, rather than a mistake

	cut int // how many characters of the line stand before Text
}

// Error is
//
//	file:line:col: message
//	  the line
//	     ^
//
// and the message alone where there is no place.
func (e *Error) Error() string {
	switch {
	case !e.Pos.IsValid() && e.Pos.File == "":
		return e.Message
	case !e.Pos.IsValid():
		return e.Pos.File + ": " + e.Message
	case strings.TrimSpace(e.Text) == "":
		return e.Pos.String() + ": " + e.Message
	}
	return fmt.Sprintf("%v: %s\n  %s\n  %s^", e.Pos, e.Message, e.Text, indent(e.Text, e.Pos.Col-1-e.cut))
}

// indent is as wide as the first n characters of line: tabs stay tabs.
func indent(line string, n int) string {
	var b strings.Builder
	for _, r := range line {
		if n <= 0 {
			break
		}
		n--
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// maxErrors is how many errors are reported before the rest is dropped.
const maxErrors = 10

// An ErrorList holds all errors found, at most ten, in the order of the text.
type ErrorList []*Error

// Error is the errors one below the other.
func (l ErrorList) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes the single errors visible to errors.As and errors.Is.
func (l ErrorList) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// A source is a text with its lines.
type source struct {
	name  string
	text  string
	lines []int // invariant: offset of each line's first byte, ascending, lines[0] == 0

	// Where pos counted to last, so that one long line is not counted through
	// again and again; used by the parser only.
	counted, col int
}

// bom is the byte order mark that some editors put before UTF-8.
const bom = "\uFEFF"

func newSource(name string, text []byte) *source {
	s := &source{name: name, text: strings.TrimPrefix(string(text), bom), lines: []int{0}}
	for i := range len(s.text) {
		if s.text[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// pos is the place of the byte at offset. Not for concurrent use.
func (s *source) pos(offset int) Pos {
	line, found := slices.BinarySearch(s.lines, offset)
	if !found {
		line--
	}
	start, col := s.lines[line], 1
	if start <= s.counted && s.counted <= offset {
		start, col = s.counted, max(1, s.col)
	}
	s.counted, s.col = offset, col+utf8.RuneCountInString(s.text[start:offset])
	return Pos{s.name, line + 1, s.col}
}

// maxShown is how many characters of a line are shown in an error.
const maxShown = 160

// around is what is shown of the line of p, without its end and without
// characters that a terminal would act on, and how many characters of the line
// stand before that.
func (s *source) around(p Pos) (text string, cut int) {
	if p.Line < 1 || p.Line > len(s.lines) {
		return "", 0
	}
	end := len(s.text)
	if p.Line < len(s.lines) {
		end = s.lines[p.Line]
	}
	runes := []rune(strings.TrimRight(s.text[s.lines[p.Line-1]:end], "\r\n"))
	if len(runes) > maxShown {
		cut = min(max(0, p.Col-1-maxShown/2), len(runes)-maxShown)
		runes = runes[cut : cut+maxShown]
	}
	for i, r := range runes {
		if r != '\t' && !unicode.IsPrint(r) {
			runes[i] = utf8.RuneError
		}
	}
	return string(runes), cut
}

// errorAt is the error at p, which lies in s; s may be nil.
func (s *source) errorAt(p Pos, format string, args ...any) *Error {
	e := &Error{Pos: p, Message: fmt.Sprintf(format, args...)}
	if s != nil {
		e.Text, e.cut = s.around(p)
	}
	return e
}
