package lex

// Phase 3: preprocessing tokens.
//
// Source: C11 6.4 and annex A.1; C23 for separators of digits; GCC's manual for raw strings and $ in names.
// Deviation: digits may be separated in every standard, since a number is never followed by a quote in older C.
// Cost: linear in the text.

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Lexer reads the tokens of a text one by one.
type Lexer struct {
	text    string // clean
	raw     []byte
	jumps   []jump // those behind pos
	dialect Dialect
	i       int
	delta   int // the offset in the text of a byte of the copy is this much larger
	first   bool
	pos     place
	faults  []Fault
	comment func(from, to int) // is told the comments that are passed; nil: nobody wants to know
}

// A Fault is something that cannot be a token.
type Fault struct {
	Line, Col int
	Msg       string
}

// place follows lines and columns; it only goes forward.
type place struct {
	off       int // in the raw text
	line      int
	lineStart int
}

// New is a lexer at the beginning of a text.
func New(text []byte, d Dialect) *Lexer {
	out, jumps := clean(text, d.Trigraphs)
	return &Lexer{text: string(out), raw: text, jumps: jumps, dialect: d, first: true, pos: place{line: 1}}
}

// Faults are those that were met so far.
func (l *Lexer) Faults() []Fault { return l.faults }

// at is the place of the byte i of the copy.
func (l *Lexer) at(i int) (line, col int) {
	for len(l.jumps) > 0 && l.jumps[0].clean <= i {
		l.delta = l.jumps[0].raw - l.jumps[0].clean
		l.jumps = l.jumps[1:]
	}
	l.pos.to(l.raw, i+l.delta)
	return l.pos.line, l.pos.off - l.pos.lineStart + 1
}

func (p *place) to(raw []byte, off int) {
	for off = min(off, len(raw)); p.off < off; {
		n := bytes.IndexByte(raw[p.off:off], '\n')
		if n < 0 {
			p.off = off
			return
		}
		p.off += n + 1
		p.line++
		p.lineStart = p.off
	}
}

func (l *Lexer) fault(line, col int, msg string) {
	l.faults = append(l.faults, Fault{line, col, msg})
}

// peek is the byte n behind the current one, 0 at the end.
func (l *Lexer) peek(n int) byte {
	if l.i+n < len(l.text) {
		return l.text[l.i+n]
	}
	return 0
}

// Next is the next token. Behind the last one comes EOF again and again.
func (l *Lexer) Next() Token {
	space := l.skip()
	t := Token{Space: space, First: l.first}
	t.Line, t.Col = l.at(l.i)
	l.first = false
	switch c := l.peek(0); {
	case l.i >= len(l.text):
		t.Kind = EOF
	case c == '\n':
		l.i++
		l.first = true
		t.Kind, t.Text = Newline, "\n"
	case isDigit(c), c == '.' && isDigit(l.peek(1)):
		l.number(&t)
	case isNameStart(c), c == '\\' && l.universal(l.i) > 0:
		l.name(&t)
	case c == '"' || c == '\'':
		l.literal(&t, l.i)
	default:
		l.punct(&t)
	}
	return t
}

// NextHeader is the next token, which may be a header name.
func (l *Lexer) NextHeader() Token {
	space := l.skip()
	closing := map[byte]byte{'<': '>', '"': '"'}[l.peek(0)]
	if closing == 0 {
		t := l.Next()
		t.Space = t.Space || space
		return t
	}
	t := Token{Kind: Header, Space: space}
	t.Line, t.Col = l.at(l.i)
	for n := 1; ; n++ {
		switch c := l.peek(n); {
		case c == closing:
			t.Text = l.text[l.i : l.i+n+1]
			l.i += n + 1
			return t
		case c == '\n', l.i+n >= len(l.text):
			t = l.Next()
			t.Space = space
			return t
		}
	}
}

// skip passes white space and comments, but no end of a line.
func (l *Lexer) skip() (space bool) {
	for l.i < len(l.text) {
		switch l.text[l.i] {
		case ' ', '\t', '\r', '\f', '\v':
			l.i++
		case '/':
			switch l.peek(1) {
			case '/':
				n := strings.IndexByte(l.text[l.i:], '\n')
				if n < 0 {
					n = len(l.text) - l.i
				}
				l.passed(n)
			case '*':
				n := strings.Index(l.text[l.i+2:], "*/")
				if n < 0 {
					line, col := l.at(l.i)
					l.fault(line, col, "comment not terminated")
					l.i = len(l.text)
					return true
				}
				l.passed(n + 4)
			default:
				return space
			}
		default:
			return space
		}
		space = true
	}
	return space
}

// passed passes a comment of n bytes.
func (l *Lexer) passed(n int) {
	if l.comment != nil {
		l.comment(l.i, l.i+n)
	}
	l.i += n
}

// number reads a preprocessing number.
func (l *Lexer) number(t *Token) {
	from := l.i
	for l.i++; l.i < len(l.text); {
		switch c := l.text[l.i]; {
		case (c == 'e' || c == 'E' || c == 'p' || c == 'P') && (l.peek(1) == '+' || l.peek(1) == '-'):
			l.i += 2
		case c == '\'' && isWordByte(l.peek(1)) && l.peek(1) < 0x80:
			l.i += 2
		case c == '.' || isWordByte(c):
			l.i++
		case l.universal(l.i) > 0:
			l.i += l.universal(l.i)
		default:
			t.Kind, t.Text = Number, l.text[from:l.i]
			return
		}
	}
	t.Kind, t.Text = Number, l.text[from:l.i]
}

// name reads a name, or the literal whose prefix it is.
func (l *Lexer) name(t *Token) {
	from := l.i
	universal := false
	for l.i < len(l.text) {
		if isWordByte(l.text[l.i]) {
			l.i++
		} else if n := l.universal(l.i); n > 0 {
			universal = true
			l.i += n
		} else {
			break
		}
	}
	t.Kind, t.Text = Name, l.text[from:l.i]
	if universal {
		t.As = t.Text
		t.Text = characters(t.Text)
	}
	if c := l.peek(0); (c == '"' || c == '\'') && l.isPrefix(t.Text, c) {
		l.literal(t, from)
	}
}

// isPrefix reports whether a name before a quote is part of the literal.
func (l *Lexer) isPrefix(name string, quote byte) bool {
	bare, raw := strings.CutSuffix(name, "R")
	if raw && (quote != '"' || l.dialect.NoRaw || bare != "" && l.dialect.NoUnicode) {
		return false
	}
	switch bare {
	case "L":
		return true
	case "u", "U", "u8":
		return !l.dialect.NoUnicode
	}
	return raw && bare == ""
}

// literal reads a character constant or string from its quote on; its prefix begins at from.
func (l *Lexer) literal(t *Token, from int) {
	quote := l.text[l.i]
	if l.i > from && l.text[l.i-1] == 'R' {
		l.rawString(t, from)
		return
	}
	for i := l.i + 1; i < len(l.text); i++ {
		switch c := l.text[i]; c {
		case quote:
			l.i = i + 1
			t.Kind, t.Text = String, l.text[from:l.i]
			if quote == '\'' {
				t.Kind = Char
			}
			return
		case '\n':
			l.lone(t, from)
			return
		case '\\':
			if i+1 < len(l.text) && l.text[i+1] != '\n' {
				i++
			}
		}
	}
	l.lone(t, from)
}

// lone is a quote without another one in its line: a token that the preprocessor may drop, but no other.
func (l *Lexer) lone(t *Token, from int) {
	if l.i > from { // the prefix is a name
		t.Kind, t.Text = Name, l.text[from:l.i]
		return
	}
	l.i++
	t.Kind, t.Text = Other, l.text[from:l.i]
}

// rawString reads R"delimiter(text)delimiter", in which phases 1 and 2 are undone.
func (l *Lexer) rawString(t *Token, from int) {
	quote := l.i + l.rawOffset(l.i)
	open := bytes.IndexByte(l.raw[quote:], '(')
	if open < 0 || open > 17 || bytes.ContainsAny(l.raw[quote+1:quote+open], " )\\\t\v\f\n") {
		l.fault(t.Line, t.Col, "the delimiter of a raw string is none")
		l.lone(t, from)
		return
	}
	closing := ")" + string(l.raw[quote+1:quote+open]) + `"`
	n := bytes.Index(l.raw[quote+open:], []byte(closing))
	if n < 0 {
		l.fault(t.Line, t.Col, "raw string not terminated")
		l.lone(t, from)
		return
	}
	end := quote + open + n + len(closing)
	t.Kind, t.Text = String, l.text[from:l.i]+string(l.raw[quote:end])
	l.toRaw(end)
}

// rawOffset is how much further the byte i of the copy is in the text.
func (l *Lexer) rawOffset(i int) int {
	delta := l.delta
	for _, j := range l.jumps {
		if j.clean > i {
			break
		}
		delta = j.raw - j.clean
	}
	return delta
}

// toRaw goes on from an offset in the text.
func (l *Lexer) toRaw(off int) {
	delta := l.delta
	for _, j := range l.jumps {
		if j.raw > off {
			break
		}
		delta = j.raw - j.clean
	}
	l.i = off - delta
}

// puncts are the punctuators by their first byte, longer ones first.
var puncts = func() (all [128][]string) {
	for p := range strings.FieldsSeq("%:%: ... <<= >>= -> ++ -- << >> <= >= == != && || *= /= %= += -= " +
		"&= ^= |= ## <: :> <% %> %: " +
		"[ ] ( ) { } . & * + - ~ ! / % < > ^ | ? : ; = , #") {
		all[p[0]] = append(all[p[0]], p)
	}
	return all
}()

// digraphs are punctuators with another spelling.
var digraphs = map[string]string{"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#", "%:%:": "##"}

// punct reads a punctuator, or a byte that is no token.
func (l *Lexer) punct(t *Token) {
	rest := l.text[l.i:]
	if rest[0] < 0x80 {
		for _, p := range puncts[rest[0]] {
			if len(rest) < len(p) || rest[:len(p)] != p {
				continue
			}
			same, isDigraph := digraphs[p]
			if isDigraph && l.dialect.NoDigraph {
				continue
			}
			t.Kind, t.Text = Punct, p
			if isDigraph {
				t.Text, t.As = same, p
			}
			l.i += len(p)
			return
		}
	}
	l.i++
	t.Kind, t.Text = Other, rest[:1]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNameStart(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isWordByte(c byte) bool { return isNameStart(c) || isDigit(c) }

// universal is the length of the universal character name at i, 0 if there is none.
func (l *Lexer) universal(i int) int {
	rest := l.text[i:]
	if len(rest) < 2 || rest[0] != '\\' {
		return 0
	}
	n := map[byte]int{'u': 6, 'U': 10}[rest[1]]
	if n == 0 || len(rest) < n {
		return 0
	}
	if _, err := strconv.ParseUint(rest[2:n], 16, 32); err != nil {
		return 0
	}
	return n
}

// characters are the characters that the universal character names of a name stand for.
func characters(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			i++
			continue
		}
		n := 6
		if s[i+1] == 'U' {
			n = 10
		}
		c, _ := strconv.ParseUint(s[i+2:i+n], 16, 32)
		b.Write(utf8.AppendRune(nil, rune(c)))
		i += n
	}
	return b.String()
}
