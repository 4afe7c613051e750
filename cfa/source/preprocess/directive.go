package preprocess

// Directives.
//
// Source: C11 6.10; C23 for elifdef and elifndef; GCC's manual for the others. Deviations: warnings say nothing;
// pragmas that are not known do nothing, as with a compiler.

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"magus/cfa/source/lex"
)

// A condition is an #if whose #endif has not come.
type condition struct {
	at      Token
	taken   bool // a group of it was read, or none is to be
	reading bool // the group at hand is read
	isElse  bool
}

// skipping reports whether the text at hand is skipped.
func (p *preprocessor) skipping() bool {
	conds := p.top().conds
	return len(conds) > 0 && !conds[len(conds)-1].reading
}

// directive does what stands behind a # at the beginning of a line, up to the end of that line.
func (p *preprocessor) directive(hash Token) {
	word := p.scan(false)
	if word.Kind == lex.Newline || word.Kind == lex.EOF {
		return
	}
	if p.conditional(hash, word) {
		return
	}
	if p.skipping() {
		p.skipLine()
		return
	}
	if word.Kind == lex.Number {
		p.line(hash, append([]Token{word}, p.restOfLine()...), true)
		return
	}
	switch word.Text {
	case "define":
		p.define(word, p.restOfLine())
	case "undef":
		if line := p.restOfLine(); len(line) == 0 || line[0].Kind != lex.Name {
			p.fault(word, "a macro's name is missing")
		} else {
			delete(p.macros, line[0].Text)
		}
	case "include", "include_next":
		p.include(word)
	case "line":
		p.line(hash, p.restOfLine(), false)
	case "error":
		p.fault(word, "%s", joined(p.restOfLine()))
	case "pragma":
		p.pragma(hash, p.restOfLine())
	case "warning", "ident", "sccs", "assert", "unassert":
		p.skipLine()
	case "embed", "import":
		p.refuse(atColumn(hash, 1), "#"+word.Text, "")
	default:
		p.skipLine()
		p.stop(atColumn(hash, 1), "no directive that is known: #%s", word.Spelling())
	}
}

func atColumn(t Token, col int) Token {
	t.Col = col
	return t
}

// joined is a line as it was written, with one blank for white space.
func joined(line []Token) string {
	var b strings.Builder
	for i, t := range line {
		if i > 0 && t.Space {
			b.WriteByte(' ')
		}
		b.WriteString(t.Spelling())
	}
	return b.String()
}

// conditional does a directive that decides which text is skipped; false if it is another one.
func (p *preprocessor) conditional(hash, word Token) bool {
	r := p.top()
	switch word.Text {
	case "if", "ifdef", "ifndef":
		c := condition{at: hash}
		if p.skipping() {
			c.taken = true
			p.skipLine()
		} else {
			c.reading = p.holds(word, p.restOfLine())
			c.taken = c.reading
		}
		r.conds = append(r.conds, c)
		return true
	case "elif", "elifdef", "elifndef", "else", "endif":
	default:
		return false
	}
	if len(r.conds) == 0 {
		p.fault(hash, "unexpected #%s", word.Text)
		p.skipLine()
		return true
	}
	c := &r.conds[len(r.conds)-1]
	switch {
	case word.Text == "endif":
		r.conds = r.conds[:len(r.conds)-1]
		p.skipLine()
		return true
	case c.isElse:
		p.fault(hash, "unexpected #%s", word.Text)
	case word.Text == "else":
		c.isElse, c.reading, c.taken = true, !c.taken, true
	case !c.taken:
		c.reading = p.holds(word, p.restOfLine())
		c.taken = c.reading
		return true
	default:
		c.reading = false
	}
	p.skipLine()
	return true
}

// holds evaluates the condition of a directive.
func (p *preprocessor) holds(word Token, line []Token) bool {
	switch word.Text {
	case "if", "elif":
		return p.condition(word, line)
	}
	if len(line) == 0 || line[0].Kind != lex.Name {
		p.fault(word, "a macro's name is missing")
		return false
	}
	return p.macros[line[0].Text] != nil == !strings.Contains(word.Text, "ndef")
}

// define does #define.
func (p *preprocessor) define(word Token, line []Token) {
	if len(line) == 0 || line[0].Kind != lex.Name {
		p.fault(word, "a macro's name is missing")
		return
	}
	m := &macro{name: line[0].Text, pos: line[0].Pos(), body: line[1:]}
	if m.name == "defined" || m.name == "__VA_ARGS__" || m.name == "__VA_OPT__" {
		p.fault(line[0], "%s is no name for a macro", m.name)
		return
	}
	if len(line) > 1 && line[1].Is("(") && !line[1].Space {
		end := m.parameters(line)
		if end == 0 {
			p.fault(line[1], "the parameters of macro %s are none", m.name)
			return
		}
		m.function, m.body = true, line[end:]
	}
	for i, t := range m.body {
		switch {
		case isPaste(t) && (i == 0 || i == len(m.body)-1):
			p.fault(t, "## stands at an end of macro %s", m.name)
			return
		case m.function && t.Kind == lex.Punct && t.Text == "#" && (i+1 == len(m.body) ||
			m.param(m.body[i+1]) < 0 && !(m.variadic && m.body[i+1].Is("__VA_OPT__"))):
			p.fault(t, "# is not followed by a parameter of macro %s", m.name)
			return
		}
	}
	if len(m.body) > 0 {
		m.body = slices.Clone(m.body)
		m.body[0].Space = false
	}
	p.macros[m.name] = m
}

// parameters reads those of a macro and is the place behind them; 0 if they are none.
func (m *macro) parameters(line []Token) (end int) {
	i := 2
	if i < len(line) && line[i].Is(")") {
		return i + 1
	}
	for i < len(line) {
		name := "__VA_ARGS__"
		if t := line[i]; t.Kind == lex.Name {
			name = t.Text
			i++
		} else if !t.Is("...") {
			return 0
		}
		if slices.Contains(m.params, name) {
			return 0
		}
		m.params = append(m.params, name)
		if i < len(line) && line[i].Is("...") {
			m.variadic = true
			i++
		}
		switch {
		case i < len(line) && line[i].Is(")"):
			return i + 1
		case i >= len(line) || !line[i].Is(",") || m.variadic:
			return 0
		}
		i++
	}
	return 0
}

// expandedLine is a line of a directive after replacement.
func (p *preprocessor) expandedLine(line []Token, at Token) []Token {
	a := argument{tokens: line}
	p.collecting++
	defer func() { p.collecting-- }()
	return p.replaced(&a, at)
}

// include does #include and #include_next.
func (p *preprocessor) include(word Token) {
	first := p.scan(true)
	line := []Token{first}
	if first.Kind != lex.Header {
		if first.Kind == lex.Newline || first.Kind == lex.EOF {
			p.stop(word, "missing argument")
			return
		}
		if first.Kind == lex.Other {
			end := first
			for end.Kind != lex.Newline && end.Kind != lex.EOF {
				end = p.scan(false)
			}
			p.stop(end, "the name of the file has no end: \" or > is missing")
			return
		}
		line = p.expandedLine(append(line, p.restOfLine()...), word)
	} else {
		p.skipLine()
	}
	name := headerName(line)
	if name == "" {
		p.stop(word, "invalid argument")
		return
	}
	at := first
	if text, path, dir, found := p.find(name, word.Text == "include_next"); found {
		p.enterFile(path, text, dir)
	} else {
		p.stop(at, "include file not found: %s", name)
	}
}

// headerName is the name of a header with its quotes, "" if the line is none.
func headerName(line []Token) string {
	if len(line) == 0 {
		return ""
	}
	if t := line[0]; (t.Kind == lex.Header || t.Kind == lex.String) && (t.Text[0] == '"' || t.Text[0] == '<') {
		return t.Text
	}
	if !line[0].Is("<") {
		return ""
	}
	for i, t := range line {
		if t.Is(">") {
			return "<" + joined(line[1:i]) + ">"
		}
	}
	return ""
}

// find looks for a header in the order of the search.
func (p *preprocessor) find(name string, next bool) (text []byte, path string, dir int, found bool) {
	bare := name[1 : len(name)-1]
	if p.Open == nil {
		return nil, "", 0, false
	}
	try := func(path string, dir int) bool {
		var err error
		if text, err = p.Open(path); err == nil {
			found = true
		}
		return found
	}
	if filepath.IsAbs(bare) {
		return text, bare, -1, try(bare, -1)
	}
	from := 0
	if next {
		from = p.top().dir + 1
	} else if name[0] == '"' {
		own := filepath.Join(filepath.Dir(p.top().name), bare)
		if try(own, -1) {
			return text, own, -1, true
		}
		for _, d := range p.Quote {
			if path = filepath.Join(d, bare); try(path, -1) {
				return text, path, -1, true
			}
		}
	}
	for dir = from; dir < len(p.System); dir++ {
		if path = filepath.Join(p.System[dir], bare); try(path, dir) {
			return text, path, dir, true
		}
	}
	return nil, "", 0, false
}

// enterFile begins to read a file that is included.
func (p *preprocessor) enterFile(path string, text []byte, dir int) {
	if p.once[path] {
		return
	}
	p.includes++
	if len(p.readers) > maxInclude || p.includes > maxIncludes {
		p.stop(Token{Token: lex.Token{Line: 1, Col: 1}, File: path}, "files include each other without end")
		return
	}
	p.open(path, text, dir)
}

// line does #line, and the line markers that a preprocessor writes.
func (p *preprocessor) line(hash Token, line []Token, marker bool) {
	if !marker && !(len(line) > 0 && line[0].Kind == lex.Number) {
		p.out.LineMacros = true
		line = p.expandedLine(line, hash)
	}
	if len(line) == 0 || line[0].Kind != lex.Number {
		p.stop(atColumn(hash, 1), "#line without a number")
		return
	}
	n, err := strconv.ParseInt(line[0].Text, 10, 32)
	if err != nil {
		p.stop(atColumn(hash, 1), "#line without a number")
		return
	}
	r, named := p.top(), len(line) > 1 && line[1].Kind == lex.String && line[1].Text[0] == '"'
	switch {
	case named:
		text := line[1].Text
		r.claimed = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(text[1 : len(text)-1])
	case !marker && len(line) > 1:
		p.stop(atColumn(hash, 1), "#line with %s, which is no name of a file", line[1].Text)
		return
	}
	r.shift += max(int(n), 1) - (p.lineEnd + 1)
}

// pragma does #pragma.
func (p *preprocessor) pragma(hash Token, line []Token) {
	if len(line) == 0 {
		return
	}
	switch line[0].Text {
	case "once":
		p.once[p.top().name] = true
	case "push_macro", "pop_macro":
		if len(line) >= 4 && line[1].Is("(") && line[2].Kind == lex.String && line[3].Is(")") {
			p.stack(line[0].Text == "push_macro", strings.Trim(line[2].Text, `"`))
		}
	default:
		if p.Pragma == nil {
			return
		}
		text, err := p.Pragma(hash, line)
		if err != nil && p.out.Err == nil {
			p.out.Err = err
		}
		p.put(text, hash)
	}
}

// put puts a text before what is still to be read of the files, at a place.
func (p *preprocessor) put(text string, at Token) {
	if text == "" {
		return
	}
	var tokens []Token
	for l := lex.New([]byte(text), p.Dialect); ; {
		t := l.Next()
		if t.Kind == lex.EOF {
			break
		}
		tokens = append(tokens, Token{Token: t, blue: true})
	}
	p.inserted = append(p.inserted, located(tokens, at)...)
}

// stack keeps the definition of a macro, or goes back to the one that was kept last.
func (p *preprocessor) stack(keep bool, name string) {
	if keep {
		p.saved[name] = append(p.saved[name], p.macros[name])
		return
	}
	all := p.saved[name]
	if len(all) == 0 {
		return
	}
	if m := all[len(all)-1]; m != nil {
		p.macros[name] = m
	} else {
		delete(p.macros, name)
	}
	p.saved[name] = all[:len(all)-1]
}

// pragmaOperator does _Pragma("…").
func (p *preprocessor) pragmaOperator(at Token) {
	p.collecting++
	open, text, end := p.shift(), p.shift(), p.shift()
	p.collecting--
	if !open.Is("(") || text.Kind != lex.String || !end.Is(")") {
		p.fault(at, "_Pragma without a string in parentheses")
		return
	}
	s := strings.TrimPrefix(text.Text, text.Prefix())
	s = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(s[1 : len(s)-1])
	var line []Token
	for l := lex.New([]byte(s), p.Dialect); ; {
		t := l.Next()
		if t.Kind == lex.EOF || t.Kind == lex.Newline {
			break
		}
		t.Line, t.Col = at.Line, at.Col
		line = append(line, Token{Token: t, File: at.File})
	}
	p.pragma(at, line)
	p.push(nil, p.inserted)
	p.inserted = nil
}
