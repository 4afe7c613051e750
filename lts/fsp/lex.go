package fsp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The scanner turns a text into tokens, all at once, so that the parser can look ahead. Names that begin with
// a capital are processes, constants, ranges and sets; others are actions and variables. Cost: linear.

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokUpper
	tokLower
	tokWord // a reserved word
	tokNumber
	tokString // with its quotes
	tokPunct
)

type token struct {
	kind   tokenKind
	text   string
	offset int
}

var words = []string{
	"const", "range", "set", "property", "progress", "menu", "minimal", "deterministic", "compose", "if", "then",
	"else", "when", "forall", "assert", "fluent", "constraint", "ltl_property", "animation", "import", "tau",
}

// operators of several characters, longer ones before their prefixes.
var operators = []string{"->", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "::", ".."}

const singles = `=,.(){}[]|+-*/%:;<>!&^\@#'`

// scan returns the tokens, the last one being tokEOF.
func scan(s *source) (tokens []token) {
	if !utf8.ValidString(s.text) {
		s.fail(strings.IndexFunc(s.text, func(r rune) bool { return r == utf8.RuneError }), "not UTF-8")
	}
	for at := 0; ; {
		at = skipBlanks(s, at)
		if at == len(s.text) {
			return append(tokens, token{kind: tokEOF, offset: endOf(tokens)})
		}
		t := scanToken(s, at)
		tokens = append(tokens, t)
		at += len(t.text)
	}
}

// endOf is the offset behind the last token.
func endOf(tokens []token) int {
	if len(tokens) == 0 {
		return 0
	}
	last := tokens[len(tokens)-1]
	return last.offset + len(last.text)
}

// skipBlanks returns where the next token begins.
func skipBlanks(s *source, at int) int {
	for at < len(s.text) {
		rest := s.text[at:]
		switch {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			at++
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				return len(s.text)
			}
			at += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				s.fail(at, "this comment does not end: */ is missing")
			}
			at += n + 4
		default:
			return at
		}
	}
	return at
}

func scanToken(s *source, at int) token {
	rest := s.text[at:]
	first, _ := utf8.DecodeRuneInString(rest)
	switch {
	case isLetter(first):
		n := strings.IndexFunc(rest, func(r rune) bool { return !isLetter(r) && !unicode.IsDigit(r) })
		if n < 0 {
			n = len(rest)
		}
		t := token{tokLower, rest[:n], at}
		if unicode.IsUpper(first) {
			t.kind = tokUpper
		} else if slices.Contains(words, t.text) {
			t.kind = tokWord
		}
		return t
	case '0' <= first && first <= '9':
		n := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
		if n < 0 {
			n = len(rest)
		}
		return token{tokNumber, rest[:n], at}
	case first == '"':
		n := strings.IndexAny(rest[1:], "\"\n")
		if n < 0 || rest[n+1] == '\n' {
			s.fail(at, "this text does not end on its line: \" is missing")
		}
		return token{tokString, rest[:n+2], at}
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			return token{tokPunct, op, at}
		}
	}
	if !strings.ContainsRune(singles, first) {
		if !unicode.IsPrint(first) {
			s.fail(at, "the character %U has no meaning in FSP", first)
		}
		s.fail(at, "%c has no meaning in FSP", first)
	}
	return token{tokPunct, rest[:1], at}
}

func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) }
