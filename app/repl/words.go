package repl

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A word of a line with the column, from 1, at which it begins.
type word struct {
	text   string
	col    int
	quoted bool // some of it stood in quotes: no variable, no redirection
}

// words parts a line at blanks. Quotes hold a word together, and so do braces,
// in which return actions have blanks: return{$0 == 0}. A # at the beginning of
// a word begins a remark. A $ before a letter begins a variable, but not within
// single quotes; outside quotes a value of several words becomes as many. A
// backslash takes the meaning from a character that would have one.
func words(line string, lookup func(name string) (string, bool)) ([]word, error) {
	s := &splitter{line: line, lookup: lookup}
	var all []word
	for {
		s.blanks()
		if s.at == len(s.line) || s.line[s.at] == '#' {
			return all, nil
		}
		ws, err := s.word()
		if err != nil {
			return nil, err
		}
		all = append(all, ws...)
	}
}

// A lineError has a column.
type lineError struct {
	col int
	msg string
}

func (e *lineError) Error() string { return e.msg }

type splitter struct {
	line   string
	at     int
	lookup func(name string) (string, bool)
}

// col is the column of an offset, in letters from 1.
func (s *splitter) col(at int) int { return utf8.RuneCountInString(s.line[:at]) + 1 }

// blanks passes over blanks.
func (s *splitter) blanks() {
	s.at += len(s.line[s.at:]) - len(strings.TrimLeftFunc(s.line[s.at:], unicode.IsSpace))
}

// word reads up to the next blank. It is one word unless variables make it more
// or none.
func (s *splitter) word() ([]word, error) {
	p := &partial{word: word{col: s.col(s.at)}}
	depth := 0 // of braces
	for s.at < len(s.line) {
		r, n := utf8.DecodeRuneInString(s.line[s.at:])
		switch {
		case depth == 0 && unicode.IsSpace(r):
			return p.words(), nil
		case r == '\\' && s.at+1 < len(s.line) && strings.IndexByte(escapable, s.line[s.at+1]) >= 0:
			p.add(s.line[s.at+1 : s.at+2])
			p.word.quoted = true
			s.at += 2
			continue
		case r == '"' || r == '\'':
			text, err := s.quoted(byte(r))
			if err != nil {
				return nil, err
			}
			p.add(text)
			p.word.quoted = true
			continue
		case r == '$':
			text, err := s.variable()
			if err != nil {
				return nil, err
			}
			if depth > 0 {
				p.add(text)
			} else {
				p.addFields(text)
			}
			continue
		case r == '{':
			depth++
		case r == '}' && depth > 0:
			depth--
		}
		p.add(s.line[s.at : s.at+n])
		s.at += n
	}
	if depth > 0 {
		return nil, &lineError{p.word.col, "a closing } is missing"}
	}
	return p.words(), nil
}

// escapable are the characters that a backslash takes the meaning from.
const escapable = " \t\"'\\#$>|*?[~!"

// A partial is a word of which more may come, behind words that are complete.
type partial struct {
	done  []word
	word  word
	text  strings.Builder
	begun bool // there is a word, perhaps an empty one
}

// add adds to the word.
func (p *partial) add(text string) {
	p.text.WriteString(text)
	p.begun = true
}

// addFields adds the value of a variable: of several words, all but the last
// complete one.
func (p *partial) addFields(text string) {
	for i, field := range strings.Fields(text) {
		if i > 0 {
			p.word.text = p.text.String()
			p.done = append(p.done, p.word)
			p.text.Reset()
		}
		p.add(field)
	}
}

// words are all words, when nothing more comes.
func (p *partial) words() []word {
	if !p.begun {
		return p.done
	}
	p.word.text = p.text.String()
	return append(p.done, p.word)
}

// quoted reads up to the closing quote; in double quotes \" and \\ stand for
// themselves, and variables count.
func (s *splitter) quoted(quote byte) (string, error) {
	start := s.at
	var b strings.Builder
	for s.at++; s.at < len(s.line); {
		c := s.line[s.at]
		switch {
		case c == quote:
			s.at++
			return b.String(), nil
		case c == '\\' && quote == '"' && s.at+1 < len(s.line) && strings.IndexByte(`"\`, s.line[s.at+1]) >= 0:
			b.WriteByte(s.line[s.at+1])
			s.at += 2
		case c == '$' && quote == '"':
			text, err := s.variable()
			if err != nil {
				return "", err
			}
			b.WriteString(text)
		default:
			b.WriteByte(c)
			s.at++
		}
	}
	return "", &lineError{s.col(start), "a closing quote is missing"}
}

// variable reads $name or ${name} and gives its value; any other $ is itself, as
// in $0 and $1.
func (s *splitter) variable() (string, error) {
	start := s.at
	s.at++
	braces := s.at < len(s.line) && s.line[s.at] == '{'
	if braces {
		s.at++
	}
	from := s.at
	for s.at < len(s.line) && isNameByte(s.line[s.at], s.at == from) {
		s.at++
	}
	name := s.line[from:s.at]
	if name == "" {
		s.at = start + 1
		return "$", nil
	}
	if braces {
		if s.at == len(s.line) || s.line[s.at] != '}' {
			return "", &lineError{s.col(start), "a closing } is missing"}
		}
		s.at++
	}
	value, ok := s.lookup(name)
	if !ok {
		return "", &lineError{s.col(start), fmt.Sprintf("no variable %s; let %s VALUE defines one", name, name)}
	}
	return value, nil
}

// isNameByte reports whether a letter can stand in a name.
func isNameByte(c byte, first bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || !first && '0' <= c && c <= '9'
}

// quote writes a word so that words reads it back.
func quote(text string) string {
	plain := text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'$#\\{}>|*?[~!", r)
	})
	if plain {
		return text
	}
	if !strings.Contains(text, "'") {
		return "'" + text + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		if r == '$' { // no escape for it: leave the double quotes
			b.WriteString(`"'$'"`)
			continue
		}
		if r == '"' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}
