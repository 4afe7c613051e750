package preprocess

// The reader of texts: includes, skipped groups, and the tokens that are left.
//
// Idea: a stack of readers, one for each file that is being included, below a stack of replacements of macros
// (macro.go). The next token is that of the innermost replacement, else of the innermost file. Directives are
// done as they are met.
//
// Source: C11 6.10. Cost: linear in what is read and made, which is bounded.

import (
	"context"
	"fmt"
	"unicode/utf8"

	"magus/cfa"
	"magus/cfa/source/lex"
)

// A Text is one of those that a unit consists of.
type Text struct {
	Name  string
	Bytes []byte
}

// A Config says how a unit is read.
type Config struct {
	Dialect lex.Dialect
	// Quote are the directories in which #include "f" looks for a file, behind that of the file that it stands in,
	// and System those of #include <f>.
	Quote, System []string
	// Open reads a file. The error that is shown for one that is not found is the preprocessor's.
	Open func(name string) ([]byte, error)
	// Has is what an operator such as __has_attribute says of a name, which may have a scope (gnu::unused).
	Has func(operator, name string) string
	// Pragma is what stands in the place of a pragma that the preprocessor does not know itself.
	Pragma func(at Token, words []Token) (replacement string, err error)
	// MaxTokens is how many tokens may be made, MaxCondition of how many a condition may consist.
	MaxTokens, MaxCondition int
	C23                     bool        // true and false are numbers in conditions
	Now                     func() Time // for __DATE__ and __TIME__
}

// A Time is that of the translation, as __DATE__ and __TIME__ say it.
type Time struct{ Date, Clock string }

// A Token is one of package lex in a file. Line and Col are those that line directives say.
type Token struct {
	lex.Token
	File  string
	Macro bool // it comes from a macro
	// From is the macro without parameters that is this token, if one is.
	From string
	blue bool // it is the name of a macro that is not replaced any more
}

// Pos is the place of the token.
func (t Token) Pos() cfa.Pos { return cfa.Pos{File: t.File, Line: t.Line, Col: t.Col} }

// An Output is what is left of a unit.
type Output struct {
	Tokens []Token
	Faults cfa.Errors
	// Err is why the unit is not read further, other than for faults: what is not supported, or the context's.
	Err error
	// LineMacros says that a macro gave the number of a line directive.
	LineMacros bool
	// Macros are the definitions at the end.
	Macros map[string]Macro
}

// A Macro is a definition.
type Macro struct {
	Pos      cfa.Pos
	Function bool // it has parameters
	Builtin  bool // what it stands for differs from place to place
	Body     []string
}

const (
	maxInclude  = 200
	maxIncludes = 20_000
	maxNesting  = 10_000 // of macros in arguments of macros
)

// Run preprocesses a unit.
func Run(ctx context.Context, texts []Text, cfg Config) *Output {
	p := &preprocessor{Config: cfg, ctx: ctx, macros: map[string]*macro{}, saved: map[string][]*macro{},
		once: map[string]bool{},
		out:  &Output{}}
	p.builtins()
	for _, t := range texts {
		p.open(t.Name, t.Bytes, -1)
		for !p.stopped() {
			t := p.next()
			if t.Kind == lex.EOF {
				break
			}
			p.emit(t)
		}
		if p.stopped() {
			break
		}
	}
	p.out.Macros = map[string]Macro{}
	for name, m := range p.macros {
		d := Macro{Pos: m.pos, Function: m.function, Builtin: m.builtin != nil}
		for _, t := range m.body {
			d.Body = append(d.Body, t.Text)
		}
		p.out.Macros[name] = d
	}
	return p.out
}

type preprocessor struct {
	Config
	ctx         context.Context
	macros      map[string]*macro
	saved       map[string][]*macro // by #pragma push_macro
	once        map[string]bool     // files with #pragma once
	readers     []*reader
	expansions  []*expansion
	inserted    []Token // by pragmas, before what is still to be read of the files
	collecting  int     // within arguments, or looking for them: a file's end stays
	lineEnd     int     // the line in which the last directive ended: splices and comments make it longer than one
	counter     int
	made, depth int
	includes    int
	fatal       bool
	out         *Output
}

// A reader is a file that is being read.
type reader struct {
	lex     *lex.Lexer
	name    string // of the file
	claimed string // of the file, as line directives say
	shift   int    // of the numbers of lines
	conds   []condition
	dir     int // which directory of the search it was found in; negative: none
	faults  int // of the lexer, told
}

func (p *preprocessor) stopped() bool { return p.fatal || p.out.Err != nil }

func (p *preprocessor) fault(at Token, format string, args ...any) {
	p.out.Faults = append(p.out.Faults, cfa.Error{Pos: at.Pos(), Msg: fmt.Sprintf(format, args...)})
}

// stop ends the reading with a fault.
func (p *preprocessor) stop(at Token, format string, args ...any) {
	p.fault(at, format, args...)
	p.fatal = true
}

// refuse ends the reading at something that is not supported.
func (p *preprocessor) refuse(at Token, what, hint string) {
	if p.out.Err == nil {
		p.out.Err = cfa.Unsupported(at.Pos(), what, hint)
	}
}

func (p *preprocessor) top() *reader { return p.readers[len(p.readers)-1] }

func (p *preprocessor) open(name string, text []byte, dir int) {
	p.readers = append(p.readers, &reader{lex: lex.New(text, p.Dialect), name: name, claimed: name, dir: dir})
}

// emit adds a token to the output.
func (p *preprocessor) emit(t Token) {
	switch {
	case t.Kind == lex.Other && t.Text == `"`:
		p.fault(t, "string literal not terminated")
	case t.Kind == lex.Other && t.Text == "'":
		p.fault(t, "character constant not terminated")
	case t.Kind == lex.Name && !utf8.ValidString(t.Text):
		p.fault(t, "a byte that is no character of UTF-8, outside of comments and strings")
	case t.Text == `\`, t.Is("#"), t.Is("##"):
		p.fault(t, "unexpected '%s'", t.Spelling())
	}
	p.out.Tokens = append(p.out.Tokens, t)
}

// work counts tokens that are made.
func (p *preprocessor) work(at Token, n int) {
	before := p.made
	if p.made += n; before/4096 != p.made/4096 && p.ctx.Err() != nil && p.out.Err == nil {
		p.out.Err = p.ctx.Err()
	}
	if p.MaxTokens > 0 && p.made > p.MaxTokens && !p.stopped() {
		p.stop(at, "macros expand to more than %d tokens", p.MaxTokens)
	}
}

// scan is the next token of the innermost file with its place.
func (p *preprocessor) scan(header bool) Token {
	r := p.top()
	t := Token{File: r.claimed}
	if header {
		t.Token = r.lex.NextHeader()
	} else {
		t.Token = r.lex.Next()
	}
	if faults := r.lex.Faults(); len(faults) > r.faults {
		for _, f := range faults[r.faults:] {
			p.fault(Token{Token: lex.Token{Line: f.Line + r.shift, Col: f.Col}, File: r.claimed}, "%s", f.Msg)
		}
		r.faults = len(faults)
	}
	t.Line += r.shift
	t.Space = t.Space || t.First
	return t
}

// text is the next token of the texts that is neither a directive nor skipped. EOF ends the outermost file, and
// others while arguments are looked for.
func (p *preprocessor) text() Token {
	for !p.stopped() && len(p.readers) > 0 {
		if p.made++; p.made%4096 == 0 && p.ctx.Err() != nil {
			p.out.Err = p.ctx.Err()
			break
		}
		if len(p.inserted) > 0 {
			t := p.inserted[0]
			p.inserted = p.inserted[1:]
			return t
		}
		t := p.scan(false)
		switch {
		case t.Kind == lex.EOF:
			if len(p.readers) > 1 && p.collecting > 0 {
				return t
			}
			if p.close(t); len(p.readers) == 0 {
				return t
			}
		case t.First && t.Is("#"):
			p.directive(t)
		case t.Kind == lex.Newline:
		case p.skipping():
			p.skipLine()
		default:
			return t
		}
	}
	return Token{}
}

// close ends the innermost file.
func (p *preprocessor) close(end Token) {
	if conds := p.top().conds; len(conds) > 0 {
		p.fault(conds[len(conds)-1].at, "this has no #endif")
	}
	p.readers = p.readers[:len(p.readers)-1]
}

// skipLine passes the rest of a line.
func (p *preprocessor) skipLine() {
	for {
		if t := p.top().lex.Next(); t.Kind == lex.Newline || t.Kind == lex.EOF {
			return
		}
	}
}

// restOfLine are the tokens up to the end of the line. An operator that asks for a header may be followed by one.
func (p *preprocessor) restOfLine() (line []Token) {
	for {
		n := len(line)
		header := n >= 2 && line[n-1].Is("(") && (line[n-2].Is("__has_include") || line[n-2].Is("__has_include_next"))
		t := p.scan(header)
		if t.Kind == lex.Newline || t.Kind == lex.EOF {
			p.lineEnd = t.Line
			return line
		}
		line = append(line, t)
	}
}
