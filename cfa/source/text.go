package source

// Source text as it is, before it is preprocessed.
//
// Line directives (#line 4 "f.c") and GNU line markers (# 4 "f.c" 2) are followed, as
// in C: what they say is what __LINE__ and __FILE__ are, and where messages say that
// something stands.
//
// Cost: linear in the text.

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/internal/pattern"
)

const (
	maxSource = 16 << 20 // bytes of one file
)

// withoutMark is a text without the byte order mark that editors put before it.
func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// lines is the number of lines, without empty ones at the end.
func (s Source) lines() int { return bytes.Count(bytes.TrimRight(s.Text, "\n"), []byte("\n")) + 1 }

// place is where line n of the text stands for its readers.
func (s Source) place(n int) cfa.Pos {
	if s.Marked() {
		if origins := Origins(s); n <= len(origins) {
			return origins[n-1]
		}
	}
	return cfa.Pos{File: s.Name, Line: n, Col: 1}
}

// Marked reports whether the text says of some lines that they stand elsewhere.
func (s Source) Marked() bool { return s.Preprocessed || hasLineDirective(s.Text) }

// Origins says for each line of a text with line directives which line of which file
// it came from: what the last line marker before it says. A marker itself has
// the zero Pos.
func Origins(s Source) []cfa.Pos {
	var all []cfa.Pos
	at := cfa.Pos{File: s.Name, Line: 1, Col: 1}
	eachLine(s.Text, func(line []byte, isDirective, _ bool) {
		n, file, ok := lineMarker(line)
		if !isDirective || !ok {
			all = append(all, at)
			at.Line++
			return
		}
		all = append(all, cfa.Pos{})
		if at.Line = n; file != "" {
			at.File = file
		}
	})
	return all
}

// reLineMarker is a line directive with a number, and perhaps a file.
var reLineMarker = pattern.New(`^[ \t]*#[ \t]*(?:line[ \t]+)?([0-9]{1,9})\b(?:[ \t]+("[^"]*"))?`)

// lineMarker reads a line directive: the next line is line n of the file, or
// of the same file as before if none is named. GCC's line 0, where no text
// stands, is taken for line 1.
func lineMarker(line []byte) (n int, file string, ok bool) {
	if !bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) {
		return 0, "", false
	}
	m := reLineMarker().FindSubmatch(line)
	if m == nil {
		return 0, "", false
	}
	n, _ = strconv.Atoi(string(m[1]))
	return max(n, 1), strings.Trim(string(m[2]), `"`), true
}

// hasLineDirective reports whether there is something to follow.
func hasLineDirective(text []byte) (found bool) {
	if !bytes.Contains(text, []byte("#")) {
		return false
	}
	eachLine(text, func(_ []byte, isDirective, _ bool) { found = found || isDirective })
	return found
}

// eachLine visits the lines of a text, without their ends, and says which are
// line directives, and which go on with the line before.
func eachLine(text []byte, f func(line []byte, isDirective, goesOn bool)) {
	continued := false
	for start := 0; start < len(text); {
		end := len(text)
		if n := bytes.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n
		}
		line := bytes.TrimSuffix(text[start:end], []byte("\r"))
		next := bytes.HasSuffix(line, []byte("\\"))
		f(line, !continued && !next && isLineDirective(line), continued)
		continued, start = next, end+1
	}
}

// isLineDirective recognises "# 12 …" and "#line …".
func isLineDirective(line []byte) bool {
	if bytes.IndexByte(line, '#') < 0 {
		return false
	}
	line = bytes.TrimLeft(line, " \t")
	if !bytes.HasPrefix(line, []byte("#")) {
		return false
	}
	line = bytes.TrimLeft(line[1:], " \t")
	if len(line) > 0 && '0' <= line[0] && line[0] <= '9' {
		return true
	}
	rest, found := bytes.CutPrefix(line, []byte("line"))
	return found && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t')
}

// checkText refuses texts that are no C source at all.
func checkText(name string, text []byte) error {
	at := func(off int, format string, args ...any) error {
		before := text[:off]
		line := bytes.Count(before, []byte("\n")) + 1
		col := off - bytes.LastIndexByte(before, '\n')
		return cfa.Fault(cfa.Pos{File: name, Line: line, Col: col}, fmt.Sprintf(format, args...))
	}
	if len(text) > maxSource {
		return cfa.Fault(cfa.Pos{File: name}, fmt.Sprintf("longer than %d MiB", maxSource>>20))
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return at(i, "a NUL byte: not C source text")
	}
	return nil
}

// skipLiteral is the index of the quote that ends the literal at i, or of the
// end of its line.
func skipLiteral(text []byte, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case text[i], '\n':
			return j
		}
	}
	return len(text)
}

// skipComment is the index of the last byte of the comment at i, or i.
func skipComment(text []byte, i int) int {
	var end string
	switch {
	case bytes.HasPrefix(text[i:], []byte("//")):
		end = "\n"
	case bytes.HasPrefix(text[i:], []byte("/*")):
		end = "*/"
	default:
		return i
	}
	n := bytes.Index(text[i+2:], []byte(end))
	if n < 0 {
		return len(text)
	}
	return i + 2 + n + len(end) - 1
}
