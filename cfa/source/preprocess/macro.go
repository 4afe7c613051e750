package preprocess

// Macros and their replacement.
//
// Idea: what a macro makes is put before what is still to be read, and read again. While it is being read the
// macro is open, and its name is not replaced; a name that was met then is never replaced. Arguments are
// replaced on their own before they are put in, but where # or ## stand beside the parameter.
//
// Source: C11 6.10.3; C23 for __VA_OPT__; GCC's manual for named variable arguments and the comma before ##.
// Where an expansion ends is as in GCC ("The GNU C Preprocessor Internals", Macro Expansion).
// Cost: linear in what is made.

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source/lex"
)

// A macro is a definition.
type macro struct {
	name     string
	pos      cfa.Pos
	function bool
	params   []string // with that of the variable arguments, which is the last one
	variadic bool
	body     []Token
	builtin  func(p *preprocessor, at Token) []Token
	open     int
}

// param is the number of the parameter that a token names, negative if it names none.
func (m *macro) param(t Token) int {
	if t.Kind != lex.Name {
		return -1
	}
	return slices.Index(m.params, t.Text)
}

// An expansion is what a macro, or an argument, has become, as far as it has not been read.
type expansion struct {
	macro  *macro // nil for an argument
	tokens []Token
	i      int
	closed bool // what stands behind it is not read
}

// shift is the next token, not replaced. At the end of an argument that is replaced on its own it is EOF.
func (p *preprocessor) shift() Token {
	for len(p.expansions) > 0 {
		e := p.expansions[len(p.expansions)-1]
		if e.i < len(e.tokens) {
			e.i++
			return p.marked(e.tokens[e.i-1])
		}
		if e.closed {
			return Token{}
		}
		if e.macro != nil {
			e.macro.open--
		}
		p.expansions = p.expansions[:len(p.expansions)-1]
	}
	return p.marked(p.text())
}

// marked is a token that is not replaced any more if its macro is open.
func (p *preprocessor) marked(t Token) Token {
	if t.Kind == lex.Name && !t.blue {
		if m := p.macros[t.Text]; m != nil && m.open > 0 {
			t.blue = true
		}
	}
	return t
}

// push puts tokens before what is still to be read.
func (p *preprocessor) push(m *macro, tokens []Token) {
	if m != nil {
		m.open++
	}
	p.expansions = append(p.expansions, &expansion{macro: m, tokens: tokens})
}

// next is the next token after replacement.
func (p *preprocessor) next() Token {
	for !p.stopped() {
		t := p.shift()
		switch {
		case t.Kind != lex.Name || t.blue:
			return t
		case t.Text == "_Pragma":
			p.pragmaOperator(t)
			continue
		}
		if m := p.macros[t.Text]; m == nil || !p.enter(m, t) {
			return t
		}
	}
	return Token{}
}

// enter replaces a macro; false if its name is not followed by arguments.
func (p *preprocessor) enter(m *macro, at Token) bool {
	if m.builtin != nil {
		p.push(nil, located(m.builtin(p, at), at))
		return true
	}
	var args []argument
	if m.function {
		var called bool
		if args, called = p.arguments(m, at); !called {
			return false
		}
		if args == nil {
			return true // a fault that was told
		}
	}
	tokens := located(p.substitute(m, m.body, args, at), at)
	if !m.function && len(tokens) == 1 {
		tokens[0].From = m.name
	}
	p.work(at, len(tokens)+1)
	p.push(m, tokens)
	return true
}

// located gives tokens the place of the macro.
func located(tokens []Token, at Token) []Token {
	for i := range tokens {
		t := &tokens[i]
		t.File, t.Line, t.Col, t.Macro, t.First = at.File, at.Line, at.Col, true, false
	}
	if len(tokens) > 0 {
		tokens[0].Space = at.Space
	}
	return tokens
}

// An argument is one of a macro.
type argument struct {
	tokens   []Token
	missing  bool // of the variable arguments: left out, with the comma before
	expanded []Token
	known    bool // expanded is
}

// arguments reads those of a macro, if an opening parenthesis follows. They are nil where they do not fit.
func (p *preprocessor) arguments(m *macro, at Token) (args []argument, called bool) {
	p.collecting++
	defer func() { p.collecting-- }()
	open := p.shift()
	if !open.Is("(") {
		if open.Kind != lex.EOF {
			p.push(nil, []Token{open})
		}
		return nil, false
	}
	args = []argument{{}}
	for depth := 0; ; {
		t := p.shift()
		last := &args[len(args)-1]
		switch {
		case p.stopped():
			return nil, true
		case t.Kind == lex.EOF:
			p.fault(at, "unterminated argument list invoking macro %q", at.Text)
			p.fatal = true
			return nil, true
		case t.Is(")") && depth == 0:
			return p.fitting(m, args, at), true
		case t.Is(",") && depth == 0 && !(m.variadic && len(args) == len(m.params)):
			args = append(args, argument{})
			continue
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
		last.tokens = append(last.tokens, t)
		p.work(at, 1)
	}
}

// fitting are the arguments that a macro takes; nil if there are too few or too many.
func (p *preprocessor) fitting(m *macro, args []argument, at Token) []argument {
	given, want := len(args), len(m.params)
	single := given == 1 && len(args[0].tokens) == 0
	switch {
	case want == 0 && single:
		return args
	case m.variadic && given == want-1:
		args = append(args, argument{missing: true})
	case given != want:
		atLeast := ""
		if m.variadic {
			want, atLeast = want-1, "at least "
		}
		be := "are"
		if given == 1 {
			be = "is"
		}
		p.fault(at, "macro %s takes %s%s, and %d %s given", m.name, atLeast, counted(want, "argument"), given, be)
		return nil
	case m.variadic && single:
		args[0].missing = true
	}
	return args
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// replaced is an argument after replacement.
func (p *preprocessor) replaced(a *argument, at Token) []Token {
	if a.known {
		return a.expanded
	}
	a.known = true
	if p.depth++; p.depth > maxNesting {
		p.stop(at, "macros are nested too deeply")
		return nil
	}
	p.expansions = append(p.expansions, &expansion{tokens: a.tokens, closed: true})
	height := len(p.expansions)
	for {
		t := p.next()
		if t.Kind == lex.EOF {
			break
		}
		a.expanded = append(a.expanded, t)
		p.work(at, 1)
	}
	if len(p.expansions) >= height {
		p.expansions = p.expansions[:height-1]
	}
	p.depth--
	return a.expanded
}

// substitute is a replacement with the arguments of the macro in it.
func (p *preprocessor) substitute(m *macro, body []Token, args []argument, at Token) []Token {
	s := substitution{p: p, m: m, args: args, at: at}
	for i := 0; i < len(body) && !p.stopped(); {
		i = s.step(body, i)
	}
	return s.out
}

// A substitution is one under way.
type substitution struct {
	p     *preprocessor
	m     *macro
	args  []argument
	at    Token
	out   []Token
	paste bool // the next token is pasted to what is before it
	empty bool // which is nothing, though something stands there
	space bool // the next token has white space before it, since what made nothing has
}

// step puts in what stands at i of a body, and is the place behind it.
func (s *substitution) step(body []Token, i int) int {
	t := body[i]
	pasted := i+1 < len(body) && isPaste(body[i+1])
	switch {
	case isPaste(t) && i > 0:
		s.paste = true
		return i + 1
	case s.m.function && t.Is("#") && t.Kind == lex.Punct && i+1 < len(body):
		if text, end := s.textual(body, i+1); end > 0 {
			text.Space = t.Space
			s.put([]Token{text})
			return end
		}
	case s.m.variadic && t.Is("__VA_OPT__"):
		if end := closing(body, i+1); end > 0 {
			s.put(spaced(s.optional(body[i+2:end]), t.Space))
			return end + 1
		}
	}
	n := s.m.param(t)
	if n < 0 || !s.m.function {
		s.put([]Token{t})
		return i + 1
	}
	a := &s.args[n]
	if s.comma(a, n) {
		return i + 1
	}
	tokens := a.tokens
	if !s.paste && !pasted {
		tokens = s.p.replaced(a, s.at)
	}
	white := i > 0 && t.Space && !s.paste && len(tokens) == 0
	s.put(spaced(tokens, t.Space))
	s.space = s.space || white
	return i + 1
}

// isPaste reports whether a token of a body pastes its neighbours.
func isPaste(t Token) bool { return t.Kind == lex.Punct && t.Text == "##" && !t.blue }

// comma does what GCC does with variable arguments behind a comma and ##: the comma goes if they were left out, and
// nothing is pasted otherwise.
func (s *substitution) comma(a *argument, n int) bool {
	if !s.paste || !s.m.variadic || n != len(s.m.params)-1 || len(s.out) == 0 || s.empty || !s.out[len(s.out)-1].Is(",") {
		return false
	}
	s.paste = false
	if a.missing {
		s.out = s.out[:len(s.out)-1]
	} else {
		s.put(a.tokens)
	}
	return true
}

// spaced are tokens of which the first one has white space before it or not.
func spaced(tokens []Token, space bool) []Token {
	if len(tokens) == 0 || tokens[0].Space == space {
		return tokens
	}
	tokens = slices.Clone(tokens)
	tokens[0].Space = space
	return tokens
}

// put adds tokens, the first one pasted to what is before it where ## stands there.
func (s *substitution) put(tokens []Token) {
	paste := s.paste && len(s.out) > 0 && !s.empty
	s.paste = false
	s.p.work(s.at, len(tokens))
	if len(tokens) == 0 {
		s.empty = !paste
		return
	}
	if s.space && !paste {
		tokens = spaced(tokens, true)
	}
	s.empty, s.space = false, false
	if paste {
		last := &s.out[len(s.out)-1]
		if joined, ok := s.p.pasted(*last, tokens[0]); ok {
			*last = joined
		} else {
			s.p.fault(s.at, "pasting %s and %s does not give a token", last.Spelling(), tokens[0].Spelling())
		}
		tokens = tokens[1:]
	}
	s.out = append(s.out, tokens...)
}

// pasted is the token that two of them make.
func (p *preprocessor) pasted(a, b Token) (Token, bool) {
	l := lex.New([]byte(a.Spelling()+b.Spelling()), lex.Dialect{NoRaw: p.Dialect.NoRaw, NoUnicode: p.Dialect.NoUnicode,
		NoDigraph: p.Dialect.NoDigraph})
	t := l.Next()
	whole := !t.Space && t.Kind != lex.Other && t.Kind != lex.EOF && l.Next().Kind == lex.EOF && l.Faults() == nil
	t.Space, t.First = a.Space, false
	if t.Is("##") {
		return Token{Token: t, blue: true}, whole // it pastes nothing
	}
	return Token{Token: t}, whole
}

// textual is the string that # makes of the parameter or the __VA_OPT__ at i, with the place behind; 0 if neither
// stands there.
func (s *substitution) textual(body []Token, i int) (text Token, end int) {
	if n := s.m.param(body[i]); n >= 0 {
		return inQuotes(s.args[n].tokens), i + 1
	}
	if s.m.variadic && body[i].Is("__VA_OPT__") {
		if end := closing(body, i+1); end > 0 {
			return inQuotes(s.optional(body[i+2 : end])), end + 1
		}
	}
	return Token{}, 0
}

// optional is what __VA_OPT__ stands for: nothing without variable arguments.
func (s *substitution) optional(body []Token) []Token {
	if len(s.p.replaced(&s.args[len(s.args)-1], s.at)) == 0 {
		return nil
	}
	return s.p.substitute(s.m, body, s.args, s.at)
}

// closing is the place of the parenthesis that closes the one at i, 0 if there is none.
func closing(body []Token, i int) int {
	if i >= len(body) || !body[i].Is("(") {
		return 0
	}
	for depth := 0; i < len(body); i++ {
		switch {
		case body[i].Is("("):
			depth++
		case body[i].Is(")"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// inQuotes is the string with the spelling of tokens.
func inQuotes(tokens []Token) Token {
	var b strings.Builder
	b.WriteByte('"')
	for i, t := range tokens {
		if i > 0 && t.Space {
			b.WriteByte(' ')
		}
		s := t.Spelling()
		if t.Kind == lex.String || t.Kind == lex.Char {
			s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
		}
		b.WriteString(s)
	}
	text := b.String()
	if slashes := len(text) - len(strings.TrimRight(text, `\`)); slashes%2 == 1 {
		text = text[:len(text)-1] // as GCC does
	}
	return Token{Token: lex.Token{Kind: lex.String, Text: text + `"`}}
}
