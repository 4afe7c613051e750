package lts

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf8"
)

// SyntaxError is a fault in a text that is read.
type SyntaxError struct {
	File         string
	Line, Column int // from 1; the column counts bytes
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// lineReader reads an LTS from text line by line: the current line and the position in it.
type lineReader struct {
	in      *bufio.Reader
	file    string
	actions *Actions
	known   map[string]Action // labels met, as a cache in front of actions

	line   []byte
	number int
	pos    int
}

// newLineReader begins to read; file is the name that errors begin with.
func newLineReader(r io.Reader, file string, t *Actions, opt AutOptions) *lineReader {
	p := &lineReader{in: bufio.NewReaderSize(r, 64<<10), file: file, actions: t, known: map[string]Action{}}
	if mark, _ := p.in.Peek(3); string(mark) == "\ufeff" {
		_, _ = p.in.Discard(3)
	}
	tau := opt.Tau
	if tau == nil {
		tau = []string{tauName}
	}
	for _, label := range tau {
		p.known[label] = Tau
	}
	return p
}

func (p *lineReader) integer() (int, error) {
	start, n := p.pos, 0
	for p.pos < len(p.line) && p.line[p.pos] >= '0' && p.line[p.pos] <= '9' {
		n = 10*n + int(p.line[p.pos]-'0')
		if n > math.MaxInt32 {
			return 0, p.errorAt(start, fmt.Sprintf("number too large (the limit is %d)", math.MaxInt32))
		}
		p.pos++
	}
	if p.pos == start {
		return 0, p.errorAt(start, "expected a number"+p.found())
	}
	return n, nil
}

func (p *lineReader) intern(label []byte) Action {
	if a, ok := p.known[string(label)]; ok {
		return a
	}
	a := p.actions.Intern(string(label))
	p.known[string(label)] = a
	return a
}

func (p *lineReader) expect(c byte) error {
	p.blanks()
	if p.pos == len(p.line) || p.line[p.pos] != c {
		return p.errorAt(p.pos, fmt.Sprintf("expected %q", c)+p.found())
	}
	p.pos++
	return nil
}

func (p *lineReader) found() string {
	if p.pos >= len(p.line) {
		return ", found the end of the line"
	}
	r, _ := utf8.DecodeRune(p.line[p.pos:])
	return fmt.Sprintf(", found %q", r)
}

func (p *lineReader) blanks() {
	for p.pos < len(p.line) && (p.line[p.pos] == ' ' || p.line[p.pos] == '\t') {
		p.pos++
	}
}

// maxLine bounds the length of a line, in bytes.
const maxLine = 1 << 20

// nextLine reads up to the next line that is not empty; at the end of the input it returns io.EOF.
func (p *lineReader) nextLine() error {
	for {
		p.pos = 0
		p.number++
		line, err := p.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			line, err = p.longLine(line)
		}
		p.line = bytes.TrimRight(line, "\r\n")
		switch {
		case len(p.line) > maxLine:
			return p.errorAt(0, fmt.Sprintf("line longer than %d bytes", maxLine))
		case err != nil && err != io.EOF:
			return fmt.Errorf("%s: %w", p.file, err)
		case !utf8.Valid(p.line):
			return p.errorAt(firstInvalid(p.line), "not UTF-8")
		case len(bytes.TrimSpace(p.line)) > 0:
			p.blanks()
			return nil
		case err == io.EOF:
			return io.EOF
		}
	}
}

// longLine continues a line that did not fit the buffer, up to a little more than maxLine.
func (p *lineReader) longLine(start []byte) ([]byte, error) {
	line := slices.Clone(start)
	for len(line) <= maxLine+2 {
		more, err := p.in.ReadSlice('\n')
		line = append(line, more...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
	return line, nil
}

func firstInvalid(line []byte) int {
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(line)
}

func (p *lineReader) errorAt(pos int, message string) error {
	return &SyntaxError{File: p.file, Line: p.number, Column: pos + 1, Message: message}
}
