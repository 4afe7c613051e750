package specs

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The scanner turns a source into tokens, all at once, so that the parser can
// look ahead as far as it wants. Processes and C expressions share one set of
// tokens. Cost: linear in the text.

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokIdent
	tokNumber
	tokChar   // with its quotes
	tokString // with its quotes
	tokArg    // $n
	tokPunct
)

type token struct {
	kind      tokenKind
	text      string
	offset    int
	lineStart bool // the first token of its line
}

// operators are the tokens of several characters, longer ones before their
// prefixes. Those that assign exist to be refused with a good message.
var operators = []string{
	"<<=", ">>=", "...",
	"->", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "++", "--",
	"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
}

const singles = `=,.(){}[]|+-\@/:;<>!~&^*%?`

type scanner struct {
	src    *source
	at     int
	tokens []token
	errs   []*Error
}

// scan returns the tokens of src, the last one being tokEOF, and what is wrong
// with the text. Behind the place where ctx ended there are none.
func scan(ctx context.Context, src *source) ([]token, []*Error) {
	s := &scanner{src: src}
	if !utf8.ValidString(src.text) {
		s.notUTF8()
		return []token{{kind: tokEOF}}, s.errs
	}
	for line := true; ; {
		newline := s.space()
		line = line || newline
		if s.at >= len(src.text) || len(s.tokens)%lookEvery == 0 && ctx.Err() != nil {
			break
		}
		before := len(s.tokens)
		s.token()
		if len(s.tokens) > before {
			s.tokens[before].lineStart = line
			line = false
		}
	}
	s.tokens = append(s.tokens, token{kind: tokEOF, offset: s.end(), lineStart: true})
	return s.tokens, s.errs
}

// end is the offset behind the last token, where something is missing when
// the text ends too early.
func (s *scanner) end() int {
	if n := len(s.tokens); n > 0 {
		return s.tokens[n-1].offset + len(s.tokens[n-1].text)
	}
	return 0
}

func (s *scanner) notUTF8() {
	for i := 0; i < len(s.src.text); {
		r, size := utf8.DecodeRuneInString(s.src.text[i:])
		if r == utf8.RuneError && size == 1 {
			s.fail(i, "not UTF-8: the byte 0x%02x", s.src.text[i])
			return
		}
		i += size
	}
}

func (s *scanner) fail(offset int, format string, args ...any) {
	if len(s.errs) <= maxErrors {
		s.errs = append(s.errs, s.src.errorAt(s.src.pos(offset), format, args...))
	}
}

func (s *scanner) rest() string { return s.src.text[s.at:] }

// space skips blanks and comments; it reports whether a line ended.
func (s *scanner) space() (newline bool) {
	for s.at < len(s.src.text) {
		rest := s.rest()
		switch {
		case rest[0] == '\n':
			newline = true
			s.at++
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\f' || rest[0] == '\v':
			s.at++
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			s.at += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				s.fail(s.at, "this comment does not end: */ is missing")
				s.at = len(s.src.text)
				return newline
			}
			newline = newline || strings.Contains(rest[:n+2], "\n")
			s.at += n + 4
		default:
			return newline
		}
	}
	return newline
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// identifier is the length of the name that a text begins with. Names are those
// of C: letters of any script, and GNU's $ but for the first character.
func identifier(text string) int {
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || r != '$' && !unicode.IsDigit(r) && !unicode.IsMark(r)) {
			return i
		}
	}
	return len(text)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// run is the length of the longest prefix of text whose bytes satisfy ok.
func run(text string, ok func(c byte) bool) int {
	n := 0
	for n < len(text) && ok(text[n]) {
		n++
	}
	return n
}

// token scans one token, or reports what stands there and skips it.
func (s *scanner) token() {
	rest := s.rest()
	word := func(c byte) bool { return isLetter(c) || isDigit(c) }
	switch c := rest[0]; {
	case identifier(rest) > 0:
		s.emit(tokIdent, identifier(rest))
	case isDigit(c):
		s.emit(tokNumber, s.number(rest, word))
	case c == '$':
		if n := run(rest[1:], isDigit); n > 0 {
			s.emit(tokArg, n+1)
			return
		}
		s.fail(s.at, "expected a number after $: $0 is the returned value, $1 the first argument")
		s.at++
	case c == '"' || c == '\'':
		s.quoted(rest)
	default:
		s.punct(rest)
	}
}

// number is the length of a numeric literal as the preprocessor sees it.
func (s *scanner) number(rest string, word func(c byte) bool) int {
	n := run(rest, word)
	if n+1 < len(rest) && rest[n] == '.' && isDigit(rest[n+1]) {
		n++
		n += run(rest[n:], word)
	}
	return n
}

func (s *scanner) emit(kind tokenKind, length int) {
	s.tokens = append(s.tokens, token{kind: kind, text: s.rest()[:length], offset: s.at})
	s.at += length
}

func (s *scanner) quoted(rest string) {
	kind, what := tokString, "string"
	if rest[0] == '\'' {
		kind, what = tokChar, "character constant"
	}
	for i := 1; i < len(rest) && rest[i] != '\n' && rest[i] != '\r'; i++ {
		switch {
		case rest[i] == '\\' && i+1 < len(rest) && rest[i+1] != '\n' && rest[i+1] != '\r':
			i++
		case rest[i] == rest[0]:
			s.emit(kind, i+1)
			return
		}
	}
	s.fail(s.at, "this %s does not end on its line: %c is missing", what, rest[0])
	s.at += run(rest, func(c byte) bool { return c != '\n' })
}

func (s *scanner) punct(rest string) {
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			s.emit(tokPunct, len(op))
			return
		}
	}
	if strings.IndexByte(singles, rest[0]) >= 0 {
		s.emit(tokPunct, 1)
		return
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '#':
		s.fail(s.at, "specifications are not preprocessed: # has no meaning")
		s.at += run(rest, func(c byte) bool { return c != '\n' })
		return
	case unicode.IsPrint(r):
		s.fail(s.at, "%c has no meaning in a specification", r)
	default:
		s.fail(s.at, "the character %s has no meaning in a specification", fmt.Sprintf("%U", r))
	}
	s.at += size
	// One message for a run of letters of another script is enough.
	for r > unicode.MaxASCII && s.at < len(s.src.text) {
		if r, size = utf8.DecodeRuneInString(s.rest()); r > unicode.MaxASCII {
			s.at += size
		}
	}
}
