package specs

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
)

// The formatter.
//
// Idea: lines stay the author's, as with gofmt; what changes is the blanks in them. A token stands
// beside the one before it as the grammar's roles of both say (layout.go, blanks.go); a line
// begins where its nesting says (indent.go); and what the author has put below each other by
// hand stays below each other (columns.go). Of several empty lines one stays.
//
// Laws, which tests hold: the tokens and comments of the result are those of the text, in their
// order, so that it is parsed as the same; and the result is formatted as itself.
//
// Rejected: printing the syntax tree (format.go). It has no comments, and lines that people have
// parted with care become one.
//
// Cost: linear in the text, times the number of columns that depend on each other, of which few
// are followed.

// A piece is a token or a comment of a text that is formatted.
type piece struct {
	text    string
	comment bool
	word    bool // a token that is no punctuation
	mark    mark // of a token
	breaks  int  // line ends before it: 0, 1, or 2 for an empty line
	line    int  // from 0
	column  int  // where it stands in its line, a tab being 8 wide
	apart   int  // blanks before it in its line

	gap    int // blanks before it, at least
	depth  int // how many brackets are open around it
	opener int // the bracket that it closes; -1 for none
	lead   lead
	group  int // of what stands below each other; -1 for none
	at     position
}

// A position is behind some tabs and then some characters of a line.
type position struct{ tabs, column int }

// errUntidy is said of a text that the formatter would change, if there is one.
var errUntidy = errors.New("not formatted: the result would not be the same specification")

// Format is a specification file in the layout that all have. Only blanks and line ends differ
// from the text. The error, if the text does not parse, is an [ErrorList]; it may say that ctx
// ended. What is imported is not read, and names need not be defined.
func Format(ctx context.Context, s Source) (string, error) {
	text, err := tidy(ctx, s, true)
	if err != nil {
		return "", err
	}
	again, err := tidy(ctx, Source{s.Name, []byte(text)}, true)
	if err == nil && again != text { // columns shift each other
		return tidy(ctx, s, false)
	}
	return text, err
}

// tidy formats a text once, with columns or without.
func tidy(ctx context.Context, s Source, columns bool) (string, error) {
	s.Text = unixLines(s.Text)
	p := newParser(ctx, s, nil, newFile())
	p.notes, p.layout = &notes{}, map[int]mark{}
	p.parseFile()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if len(p.errs) > 0 {
		return "", limit(p.errs, []Source{s})
	}
	all := piecesOf(p.src.text, p.tokens, p.layout)
	nest(all)
	for i := range all {
		all[i].gap = gap(all, i)
	}
	if groups := group(all); !columns || !align(all, groups) {
		place(all, nil)
	}
	text := write(all)
	if !same(ctx, all, text) {
		return "", errUntidy
	}
	return text, nil
}

// unixLines are lines that end as in Unix.
func unixLines(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	for i := range lines[:len(lines)-1] {
		lines[i] = bytes.TrimRight(lines[i], "\r")
	}
	return bytes.Join(lines, []byte("\n"))
}

// piecesOf are the tokens of a text, with the comments between them.
func piecesOf(text string, tokens []token, marks map[int]mark) []piece {
	c := cutter{text: text}
	for i, t := range tokens {
		end := t.offset
		if t.kind == tokEOF {
			end = len(text)
		}
		c.between(end)
		if t.kind != tokEOF {
			c.take(len(t.text), piece{mark: marks[i], word: t.kind != tokPunct})
		}
	}
	return c.pieces
}

// A cutter cuts a text into pieces.
type cutter struct {
	text   string
	at     int
	line   int
	breaks int // since the last piece
	column int
	apart  int
	pieces []piece
}

// between takes the comments up to the next token, or the end.
func (c *cutter) between(end int) {
	for c.at < end {
		rest := c.text[c.at:end]
		switch {
		case rest[0] == '\n':
			c.breaks, c.column, c.apart = min(2, c.breaks+1), 0, 0
			c.at, c.line = c.at+1, c.line+1
		case rest[0] == '\t':
			next := (c.column/8 + 1) * 8
			c.apart, c.column = c.apart+next-c.column, next
			c.at++
		case strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			c.take(len(line), piece{comment: true})
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			c.take(n+4, piece{comment: true})
		default:
			c.apart, c.column = c.apart+1, c.column+1
			c.at++
		}
	}
}

// take cuts the next piece.
func (c *cutter) take(length int, p piece) {
	text := c.text[c.at : c.at+length]
	p.column, p.apart, p.breaks, p.opener, p.group = c.column, c.apart, c.breaks, -1, -1
	p.line = c.line
	c.line += strings.Count(text, "\n")
	if len(c.pieces) == 0 {
		p.breaks = 0
	}
	if _, after, several := cutLast(text, "\n"); several {
		c.column = 0
		text, c.column = strings.TrimRight(text, " \t\r\f\v"), width(after)
	} else {
		c.column += width(text)
	}
	if p.text = text; strings.HasPrefix(text, "//") {
		p.text = strings.TrimRight(text, " \t\r\f\v")
	}
	c.at, c.breaks, c.apart = c.at+length, 0, 0
	c.pieces = append(c.pieces, p)
}

// cutLast cuts a text at the last occurrence of a separator.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

// write is the text of pieces that have their places.
func write(all []piece) string {
	var b strings.Builder
	var end position
	for i, p := range all {
		if p.first(i) {
			b.WriteString(strings.Repeat("\n", p.breaks) + strings.Repeat("\t", p.at.tabs))
			end = position{p.at.tabs, 0}
		}
		b.WriteString(strings.Repeat(" ", p.at.column-end.column) + p.text)
		end = p.end()
	}
	b.WriteByte('\n')
	return b.String()
}

// same reports whether a text has the tokens and comments of all.
func same(ctx context.Context, all []piece, text string) bool {
	src := newSource("", []byte(text))
	tokens, errs := scan(ctx, src)
	return len(errs) == 0 && slices.EqualFunc(all, piecesOf(text, tokens, nil), func(a, b piece) bool {
		return a.text == b.text && a.comment == b.comment && a.word == b.word
	})
}
