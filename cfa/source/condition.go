package source

// Conditions of #if and #elif that macros make too long.
//
// The library evaluates such a condition by recursion, before anything of it can
// be counted. So the directives of every text that is read are looked at first,
// and how many tokens a condition may become is bounded from above: those of its
// line and of the bodies of the macros that it mentions, to any depth, times how
// often each repeats its arguments. Which groups are skipped, what is defined
// anew or undefined does not matter: the largest definition counts. What stands
// behind defined is no macro to be expanded, and a macro is not expanded in its
// own expansion.
//
// Cost: linear in the text, and in the definitions for each file; macros that
// need each other are expanded as often as the preprocessor would, up to a bound.

import (
	"bytes"
	"slices"

	"magus/cfa"
	"magus/internal/pattern"
)

// maxCondition is the most tokens that a condition may become. Evaluating one of
// so many takes some ten megabytes of stack.
const maxCondition = 50_000

// A body is the replacement of a macro, or a condition.
type body struct {
	pos    cfa.Pos
	tokens int
	names  []string // each as often as it is there
	most   int      // how often a parameter is there
}

// conditions are the macros and conditions of the texts that were read.
type conditions struct {
	macros map[string][]body
	found  []body // the conditions, in the order in which they were read
}

// add reads the directives of a text. The error names the first condition, of any
// text so far, that may become too long.
func (c *conditions) add(name string, text []byte) error {
	if c.macros == nil {
		c.macros = map[string][]body{}
	}
	logicalLines(text, func(line int, text []byte) { c.directive(cfa.Pos{File: name, Line: line, Col: 1}, text) })
	s := sizes{macros: c.macros, known: map[string]size{}, open: map[string]int{}}
	for _, b := range c.found {
		if z, _ := s.of(b); z.tokens*z.times > maxCondition {
			return cfa.Fault(b.pos, "a condition that macros may make too long")
		}
	}
	return nil
}

// directive takes note of a definition or a condition.
func (c *conditions) directive(pos cfa.Pos, text []byte) {
	text = bytes.TrimSpace(text)
	rest, ok := bytes.CutPrefix(text, []byte("#"))
	if !ok {
		if rest, ok = bytes.CutPrefix(text, []byte("%:")); !ok {
			return
		}
	}
	word, rest := cutWord(bytes.TrimSpace(rest))
	switch word {
	case "if", "elif":
		c.found = append(c.found, bodyOf(pos, withoutDefined(rest), nil))
	case "define":
		name, rest := cutWord(bytes.TrimSpace(rest))
		var params []string
		if bytes.HasPrefix(rest, []byte("(")) {
			list, replacement, _ := bytes.Cut(rest[1:], []byte(")"))
			for _, p := range bytes.Split(list, []byte(",")) {
				params = append(params, string(bytes.Trim(p, " \t.")))
			}
			params, rest = append(params, "__VA_ARGS__"), replacement
		}
		c.macros[name] = append(c.macros[name], bodyOf(pos, rest, params))
	}
}

// openCondition is the place of the innermost #if without an #endif, if there is one.
func (s Source) openCondition() (at cfa.Pos) {
	var open []cfa.Pos
	logicalLines(s.Text, func(line int, text []byte) {
		rest, ok := bytes.CutPrefix(bytes.TrimSpace(text), []byte("#"))
		if !ok {
			return
		}
		switch word, _ := cutWord(bytes.TrimSpace(rest)); {
		case word == "if" || word == "ifdef" || word == "ifndef":
			open = append(open, cfa.Pos{File: s.Name, Line: line, Col: bytes.IndexByte(text, '#') + 1})
		case word == "endif" && len(open) > 0:
			open = open[:len(open)-1]
		}
	})
	if len(open) > 0 {
		at = open[len(open)-1]
	}
	return at
}

func bodyOf(pos cfa.Pos, text []byte, params []string) body {
	b := body{pos: pos, most: 1}
	repeated := map[string]int{}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == ' ' || text[i] == '\t':
			continue
		case text[i] == '"' || text[i] == '\'':
			i = skipLiteral(text, i)
		case isWord(text[i]):
			word, _ := cutWord(text[i:])
			i += len(word) - 1
			if slices.Contains(params, word) {
				repeated[word]++
				b.most = max(b.most, repeated[word])
			} else {
				b.names = append(b.names, word)
			}
		}
		b.tokens++
	}
	return b
}

func cutWord(text []byte) (word string, rest []byte) {
	n := 0
	for n < len(text) && isWord(text[n]) {
		n++
	}
	return string(text[:n]), text[n:]
}

// A size is how many tokens something may become, and how often its arguments may
// be there; both end at huge.
type size struct{ tokens, times int }

const huge = 1 << 30

// sizes are the sizes of macros.
type sizes struct {
	macros map[string][]body
	known  map[string]size // of macros that need none of those that are open
	open   map[string]int  // the macros being expanded, with their depth from 1
	work   int
}

// of is the size of a body, and the least depth of an open macro in it, which is
// not expanded again; 0 if there is none.
func (s *sizes) of(b body) (z size, least int) {
	z = size{b.tokens, b.most}
	for _, name := range b.names {
		if s.macros[name] == nil {
			continue
		}
		if d := s.open[name]; d > 0 {
			least = shallower(least, d)
			continue
		}
		m, d := s.macro(name)
		z.tokens, z.times = min(huge, z.tokens+m.tokens), min(huge, z.times*m.times)
		least = shallower(least, d)
	}
	return z, least
}

// macro is the size of a macro that is not open. It is remembered if it does not
// depend on which macros are.
func (s *sizes) macro(name string) (most size, least int) {
	if z, ok := s.known[name]; ok {
		return z, 0
	}
	depth := len(s.open) + 1
	if s.work++; s.work > maxWork || depth > maxCondition {
		return size{huge, huge}, 0
	}
	s.open[name] = depth
	for _, b := range s.macros[name] {
		z, d := s.of(b)
		most = size{max(most.tokens, z.tokens), max(most.times, z.times)}
		if d < depth {
			least = shallower(least, d)
		}
	}
	delete(s.open, name)
	if least == 0 {
		s.known[name] = most
	}
	return most, least
}

// maxWork bounds the expansions of macros that need each other.
const maxWork = 200_000

// shallower is the smaller of two depths of which 0 is none.
func shallower(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// withoutDefined is a condition without the operators defined and their operands.
func withoutDefined(text []byte) []byte {
	return reDefined().ReplaceAll(text, []byte(" 0 "))
}

var reDefined = pattern.New(`\bdefined\s*(\(\s*\w+\s*\)|\w+)`)

// logicalLines calls yield for every line, with its number, after lines that end
// in a backslash were joined and comments became blanks.
func logicalLines(text []byte, yield func(line int, text []byte)) {
	var buf []byte
	start, line := 1, 1
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\n':
			line++
			yield(start, buf)
			buf, start = buf[:0], line
		case c == '\\' && bytes.HasPrefix(text[i+1:], []byte("\n")):
			line++
			i++
		case c == '\\' && bytes.HasPrefix(text[i+1:], []byte("\r\n")):
			line++
			i += 2
		case c == '"' || c == '\'':
			end := min(skipLiteral(text, i)+1, len(text))
			if text[end-1] == '\n' {
				end--
			}
			line += bytes.Count(text[i:end], []byte("\n"))
			buf = append(buf, bytes.ReplaceAll(text[i:end], []byte("\n"), []byte(" "))...)
			i = end - 1
		case c == '/' && skipComment(text, i) > i:
			end := min(skipComment(text, i)+1, len(text))
			if text[end-1] == '\n' {
				end--
			}
			line += bytes.Count(text[i:end], []byte("\n"))
			buf = append(buf, ' ')
			i = end - 1
		default:
			buf = append(buf, c)
		}
	}
	yield(start, buf)
}
