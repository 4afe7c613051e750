package svwitness

// Where statements stand in the files that were named.
//
// Idea: the positions of the automaton are those that line markers say. A witness speaks of
// the file itself. So each line of the files is asked where it comes from; an origin that two
// lines have stands for neither. Cost: linear in the files, once.

import (
	"bytes"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
)

// places finds physical lines.
type places struct {
	lines map[string][]string
	at    map[cfa.Pos]Location // by origin, with column 1; no file: several lines
}

func newPlaces(units []source.Source) *places {
	p := &places{map[string][]string{}, map[cfa.Pos]Location{}}
	for _, u := range units {
		all := strings.Split(string(bytes.TrimPrefix(u.Text, []byte("\ufeff"))), "\n")
		p.lines[u.Name] = all
		origins := source.Origins(u)
		for i := range all {
			from := cfa.Pos{File: u.Name, Line: i + 1, Col: 1}
			if u.Marked() && i < len(origins) {
				from = origins[i]
			}
			if _, twice := p.at[from]; twice {
				p.at[from] = Location{}
			} else if from.IsValid() {
				p.at[from] = Location{File: u.Name, Line: i + 1}
			}
		}
	}
	return p
}

// find is where a position is in the files.
func (p *places) find(pos cfa.Pos) (Location, bool) {
	at := p.at[cfa.Pos{File: pos.File, Line: pos.Line, Col: 1}]
	at.Column = pos.Col
	return at, at.File != "" && pos.Col >= 1 && pos.Col <= len(p.lines[at.File][at.Line-1])
}

// rest is the text from a location to the end of its line.
func (p *places) rest(at Location) string { return p.lines[at.File][at.Line-1][at.Column-1:] }

// word is the identifier at a location, "" if there is none.
func (p *places) word(at Location) string {
	text := p.rest(at)
	n := 0
	for n < len(text) && isWord(text[n]) {
		n++
	}
	return text[:n]
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// closing is the parenthesis that ends the call at a location, if it stands in the same line and is a call
// of that function: a macro is none.
func (p *places) closing(at Location, function string) (Location, bool) {
	if p.word(at) != function {
		return at, false
	}
	depth := 0
	text := p.rest(at)
	for i := len(function); i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				at.Column += i
				return at, true
			}
		case c == '"' || c == '\'' || depth == 0 && c != ' ' && c != '\t':
			return at, false
		}
	}
	return at, false
}
