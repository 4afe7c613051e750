package compdb

// The words and operators of a line of a recipe. It is what Split does, and besides it finds operators, the beginnings
// of comments, and what only a shell can compute.

import (
	"errors"
	"strings"

	"magus/internal/pattern"
)

// operators are those that a text may begin with.
var operators = pattern.New(`^(&&|\|\||;;|[<>]+[&|]?|[;&|()])`)

// computation is what a shell computes, at the beginning of a text.
var computation = pattern.New("^(`(?:[^`\\\\]|\\\\.)*`|\\$\\{[^}]*\\}|\\$\\([^()]*\\)|\\$\\w+|\\$.?)")

// fileTest is what Automake puts before the name of a source.
var fileTest = pattern.New("^`test -f '?([^'`]+?)'? \\|\\| echo '?([^'`]*?)'?`$")

// A splitter is within a line.
type splitter struct {
	recipe *recipe
	rest   string
	words  []word
	word   strings.Builder
	inWord bool
	// unknown is what only a shell knows of the word.
	unknown string
}

// words are the words and operators of a line.
func (r *recipe) words(line string) ([]word, error) {
	s := &splitter{recipe: r, rest: line}
	for s.rest != "" {
		c := s.rest[0]
		switch {
		case strings.IndexByte(" \t\r", c) >= 0:
			s.end()
			s.rest = s.rest[1:]
		case c == '#' && !s.inWord:
			s.rest = ""
		case strings.IndexByte(";&|()<>", c) >= 0:
			s.operator()
		default:
			if err := s.part(c); err != nil {
				return nil, err
			}
		}
	}
	s.end()
	return s.words, nil
}

// end ends a word, if there is one.
func (s *splitter) end() {
	if s.inWord {
		s.words = append(s.words, word{text: s.word.String(), unknown: s.unknown})
	}
	s.word.Reset()
	s.inWord, s.unknown = false, ""
}

// operator takes one. A number before a redirection is its descriptor.
func (s *splitter) operator() {
	text := operators().FindString(s.rest)
	if strings.ContainsAny(text, "<>") && s.inWord && strings.Trim(s.word.String(), "0123456789") == "" {
		s.inWord = false
	}
	s.end()
	s.words = append(s.words, word{text: text, operator: true})
	s.rest = s.rest[len(text):]
}

// part takes a part of a word that begins with c.
func (s *splitter) part(c byte) error {
	s.inWord = true
	switch c {
	case '\\':
		if len(s.rest) < 2 {
			return errors.New("ends in a backslash")
		}
		s.word.WriteByte(s.rest[1])
		s.rest = s.rest[2:]
	case '\'', '"':
		return s.quote(c)
	case '`', '$':
		return s.computed()
	default:
		s.word.WriteByte(c)
		s.rest = s.rest[1:]
	}
	return nil
}

// quote takes what stands in quotes.
func (s *splitter) quote(c byte) error {
	var text strings.Builder
	n := quoted(s.rest[1:], c, &text)
	if n < 0 {
		return errors.New("a quote is not closed")
	}
	inner := s.rest[1 : n+1]
	if c == '"' && strings.ContainsAny(strings.ReplaceAll(strings.ReplaceAll(inner, `\$`, ""), "\\`", ""), "$`") {
		s.unknown = s.rest[:n+2]
	}
	s.word.WriteString(text.String())
	s.rest = s.rest[n+2:]
	return nil
}

// computed takes what a shell computes. Of Automake's test for a file the result is known.
func (s *splitter) computed() error {
	text := computation().FindString(s.rest)
	if text == "" {
		return errors.New("a backquote is not closed")
	}
	s.rest = s.rest[len(text):]
	automake := fileTest().FindStringSubmatch(text)
	switch {
	case automake == nil:
		s.unknown = text
	case !s.recipe.there(join(s.recipe.dir, automake[1])):
		s.word.WriteString(automake[2])
	}
	return nil
}
