package syntax

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	End Kind = iota
	Name
	Number
	Punct
)

// A Token is a word of a file.
type Token struct {
	Kind   Kind
	Text   string // of punctuation, the ASCII form
	Value  int64  // of a number
	Offset int
	Length int // in bytes, as it is written
}

// MaxNumber is the largest number that a file may contain.
const MaxNumber = 1_000_000

var operators = []string{"->", "..", "<=", ">=", "==", "!=", "<>", "&&", "||", "/\\", "\\/"}

var signs = map[rune]string{
	'→': "->", '≥': ">=", '≤': "<=", '≠': "!=", '∧': "&&", '∨': "||", '¬': "!", '•': ":", '′': "'", '’': "'", '‘': "'",
}

const singles = "()[]{},:;=<>+-*'!&|"

// Scan parts a text into tokens; the last one is End.
func Scan(name string, text []byte) (*Source, []Token, error) {
	s := &Source{name: name, text: strings.TrimPrefix(string(text), "\uFEFF")}
	var tokens []Token
	for at := 0; ; {
		at = skipBlank(s.text, at)
		if at >= len(s.text) {
			end := 0
			if n := len(tokens); n > 0 {
				end = tokens[n-1].Offset + tokens[n-1].Length
			}
			return s, append(tokens, Token{Kind: End, Offset: end}), nil
		}
		t, err := s.token(at)
		if err != nil {
			return s, nil, err
		}
		tokens = append(tokens, t)
		at += t.Length
	}
}

func skipBlank(text string, at int) int {
	for at < len(text) {
		switch c := text[at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			at++
		case c == '#' || strings.HasPrefix(text[at:], "//"):
			n := strings.IndexByte(text[at:], '\n')
			if n < 0 {
				return len(text)
			}
			at += n
		default:
			return at
		}
	}
	return at
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (s *Source) token(at int) (Token, error) {
	rest := s.text[at:]
	n := 1
	switch c := rest[0]; {
	case isLetter(c):
		for n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n])) {
			n++
		}
		return Token{Kind: Name, Text: rest[:n], Offset: at, Length: n}, nil
	case isDigit(c):
		for n < len(rest) && isDigit(rest[n]) {
			n++
		}
		v, err := strconv.ParseInt(rest[:n], 10, 64)
		if err != nil || v > MaxNumber {
			return Token{}, s.Errorf(at, "numbers go up to %d", MaxNumber)
		}
		return Token{Kind: Number, Text: rest[:n], Value: v, Offset: at, Length: n}, nil
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			return Token{Kind: Punct, Text: op, Offset: at, Length: len(op)}, nil
		}
	}
	if strings.IndexByte(singles, rest[0]) >= 0 {
		return Token{Kind: Punct, Text: rest[:1], Offset: at, Length: 1}, nil
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch text, known := signs[r]; {
	case known:
		return Token{Kind: Punct, Text: text, Offset: at, Length: size}, nil
	case r == utf8.RuneError && size == 1:
		return Token{}, s.Errorf(at, "not UTF-8: the byte 0x%02x", rest[0])
	case unicode.IsPrint(r):
		return Token{}, s.Errorf(at, "%c has no meaning here", r)
	default:
		return Token{}, s.Errorf(at, "the character %U has no meaning here", r)
	}
}
