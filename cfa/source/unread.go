package source

// What the C library cannot type, and where that stands.
//
// The library says of some declarations only that it failed to type them, without a
// place. Then the place is found from outside: the shortest row of whole declarations
// from the beginning of the text on with which it fails too, by bisection. Conditions
// of the preprocessor around half a declaration may hide an end; the place is then that of
// an earlier one.
//
// Cost: as often as the declarations can be halved, the text is read once more.

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"

	"magus/cfa"
)

// reSpecifiers are the type specifiers that the library names in such a message.
var reSpecifiers = regexp.MustCompile(`\[((?:TypeSpecifier\w+ ?)+)\]`)

// reConfession is what the library says of itself in such a message.
var reConfession = regexp.MustCompile(`\bTODO\b:?|\*?cc\.\w+|missed/failed type check|internal error|\s-:|\s:\s*$`)

// unread is the error for something that the library cannot read.
func unread(pos cfa.Pos, msg string) *cfa.UnsupportedError {
	if m := reSpecifiers.FindStringSubmatch(msg); m != nil {
		words := strings.ToLower(strings.ReplaceAll(m[1], "TypeSpecifier", ""))
		return cfa.Unsupported(pos, "the type specifiers "+words+" together", "no type that is read has all of them")
	}
	hint := "write the declaration in another way, or leave it out with -D and #ifdef"
	if says := strings.TrimLeft(strings.Join(strings.Fields(reConfession.ReplaceAllString(msg, " ")), " "), ": "); says != "" {
		hint += "; the front end says: " + says
	}
	return cfa.Unsupported(pos, "a declaration that the C front end cannot type", hint)
}

// locate gives an error without a place that of the declaration at fault.
func (s Source) locate(ctx context.Context, opt Options, err error) error {
	var fault *cfa.UnsupportedError
	if !errors.As(err, &fault) || fault.Pos.Line > 0 || fault.Pos.File != s.Name {
		return err
	}
	ends := declarationEnds(s.Text)
	try := func(n int) error {
		part := s
		part.Text = s.Text[:ends[n]]
		_, err := translate(part, opt)
		return err
	}
	good, bad := 0, len(ends)
	for good < bad && ctx.Err() == nil {
		var other *cfa.UnsupportedError
		if n := (good + bad) / 2; errors.As(try(n), &other) && other.Pos.Line == 0 {
			bad = n
		} else {
			good = n + 1
		}
	}
	first := 0
	for n := bad - 1; n >= 0 && first == 0 && ctx.Err() == nil; n-- {
		if try(n) == nil { // else it ends within the declaration, behind a structure
			first = ends[n]
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fault.Pos = s.tokenAt(first)
	return fault
}

// declarationEnds are the offsets behind the semicolons and braces that end a
// declaration of file scope.
func declarationEnds(text []byte) (ends []int) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i = skipLiteral(text, i)
		case '/':
			i = skipComment(text, i)
		case '#':
			i = skipDirective(text, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth = max(depth-1, 0); depth == 0 && text[i] == '}' {
				ends = append(ends, i+1)
			}
		case ';':
			if depth == 0 {
				ends = append(ends, i+1)
			}
		}
	}
	return ends
}

// skipDirective is the end of the line that the directive at i ends with.
func skipDirective(text []byte, i int) int {
	for i < len(text) {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return len(text)
		}
		i += n
		if !bytes.HasSuffix(bytes.TrimSuffix(text[:i], []byte("\r")), []byte("\\")) {
			return i
		}
		i++
	}
	return i
}

// tokenAt is the place of the first token from an offset on.
func (s Source) tokenAt(i int) cfa.Pos {
	for ; i < len(s.Text); i++ {
		switch c := s.Text[i]; c {
		case ' ', '\t', '\r', '\n', ';':
			continue
		case '/', '#':
			end := skipDirective(s.Text, i)
			if c == '/' {
				end = skipComment(s.Text, i)
			}
			if end > i {
				i = end
				continue
			}
		}
		break
	}
	before := s.Text[:min(i, len(s.Text))]
	pos := s.place(bytes.Count(before, []byte("\n")) + 1)
	pos.Col = len(before) - bytes.LastIndexByte(before, '\n')
	return pos
}
