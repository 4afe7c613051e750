package specs

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"magus/internal/phrase"
)

// The parser: recursive descent over the tokens of one source, following
// grammar.txt, one function for each rule. An error unwinds to the nearest
// statement or definition (the sentinel bail); parsing goes on behind it.
// Cost: linear in the tokens. A generated parser was not taken because its
// messages speak of the grammar's rules instead of what to write.

// maxNesting bounds parentheses and operators within one expression or
// process, so that no input exhausts the stack.
const maxNesting = 1000

// lookEvery is how many tokens are read between two looks at the context.
const lookEvery = 1024

// A reader goes through the tokens of one source, and keeps what is wrong with them and which names there are.
type reader struct {
	ctx     context.Context
	src     *source
	tokens  []token // invariant: the last one is tokEOF
	at      int
	errs    []*Error
	nesting int
	broken  map[int]bool // lines with a scanner's error: what follows from it is not reported
	notes   *notes       // of names, if somebody asks for them
	layout  map[int]mark // of tokens, if somebody asks for them
	ended   bool         // the context has; what is left of the text is not read
}

// A parser has a function for each rule of the grammar, over a reader; those for C's expressions, and for
// formulas over them, need no more than these.
type parser struct {
	formulas
	readFile func(path string) ([]byte, error)
}

// conditions are expressions of C.
type conditions struct {
	reader
	noArrow bool // -> is no operator of C: in formulas
}

// actions are those of alphabets, with returns and what messages carry.
type actions struct {
	conditions
	file *File
}

// formulas are those of linear temporal logic.
type formulas struct{ actions }

// bail unwinds the parser after an error.
type bail struct{}

// Parse reads specification files as one specification. readFile reads
// imported files; their paths are relative to the importing file's folder.
// The error, if any, is an [ErrorList], or says that ctx ended.
func Parse(ctx context.Context, sources []Source, readFile func(path string) ([]byte, error)) (*File, error) {
	f := newFile()
	var errs []*Error
	for _, s := range sources {
		p := newParser(ctx, s, readFile, f)
		f.sources[s.Name] = p.src
		p.parseFile()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		errs = append(errs, p.errs...)
	}
	if len(errs) <= maxErrors {
		errs = append(errs, f.declare()...)
	}
	if len(errs) > 0 {
		return nil, limit(errs, sources)
	}
	f.Warnings = f.warn(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sortByPlace(f.Warnings, sources)
	return f, nil
}

// ParseExpr reads a C expression; name is what errors call the text. The
// error, if any, is an [ErrorList].
func ParseExpr(name, text string) (*CExpr, error) {
	p := newParser(context.Background(), Source{name, []byte(text)}, nil, &File{})
	var e *CExpr
	p.guarded(func() {
		e = p.expression()
		if !p.is(tokEOF) {
			p.unexpected("an operator or the end of the expression")
		}
	})
	if len(p.errs) > 0 {
		return nil, limit(p.errs, []Source{{Name: name}})
	}
	return e, nil
}

func newParser(ctx context.Context, s Source, readFile func(path string) ([]byte, error), f *File) *parser {
	p := &parser{readFile: readFile}
	p.reader, p.file = reader{ctx: ctx, src: newSource(s.Name, s.Text)}, f
	p.tokens, p.errs = scan(ctx, p.src)
	p.broken = map[int]bool{}
	for _, e := range p.errs {
		p.broken[e.Pos.Line] = true
	}
	return p
}

// limit sorts errors by their places and keeps the first ones.
func limit(errs []*Error, sources []Source) ErrorList {
	sortByPlace(errs, sources)
	if len(errs) > maxErrors {
		errs = append(slices.Clip(errs[:maxErrors]), &Error{Message: "too many errors"})
	}
	return errs
}

// sortByPlace sorts by source, in the order given, line and column.
func sortByPlace(errs []*Error, sources []Source) {
	rank := func(e *Error) int {
		return slices.IndexFunc(sources, func(s Source) bool { return s.Name == e.Pos.File })
	}
	slices.SortStableFunc(errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
}

// guarded runs parse and reports whether it ended without an error.
func (p *reader) guarded(parse func()) (ok bool) {
	nesting := p.nesting
	defer func() {
		switch r := recover().(type) {
		case nil:
		case bail:
			p.nesting, ok = nesting, false
		default:
			panic(r)
		}
	}()
	parse()
	return true
}

// The look at the tokens.

func (p *reader) tok() token { return p.peek(0) }

func (p *reader) peek(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *reader) pos() Pos { return p.src.pos(p.tok().offset) }

func (p *reader) is(kind tokenKind) bool { return p.tok().kind == kind }

func (t token) isPunct(text string) bool { return t.kind == tokPunct && t.text == text }

func (t token) isWord(word string) bool { return t.kind == tokIdent && t.text == word }

func (p *reader) next() token {
	t := p.tok()
	if p.at%lookEvery == 0 && !p.ended && p.ctx.Err() != nil {
		p.ended = true
		p.tokens = append(p.tokens[:p.at+1:p.at+1], token{kind: tokEOF, offset: t.offset, lineStart: true})
	}
	if p.at < len(p.tokens)-1 {
		p.at++
	}
	return t
}

// accept takes the punctuation if it is next.
func (p *reader) accept(punct string) bool {
	if p.tok().isPunct(punct) {
		p.next()
		return true
	}
	return false
}

// expect takes the punctuation, or fails; where says after or in what it is
// expected.
func (p *reader) expect(punct, where string) {
	if !p.accept(punct) {
		p.missing("'" + punct + "'" + where)
	}
}

// Errors.

// report notes an error and goes on.
func (p *reader) report(pos Pos, format string, args ...any) {
	if !p.broken[pos.Line] && !p.enough() {
		p.errs = append(p.errs, p.src.errorAt(pos, format, args...))
	}
}

// enough reports whether there are more errors than will be shown.
func (p *reader) enough() bool { return p.notes == nil && len(p.errs) > maxErrors }

// fail notes an error and unwinds.
func (p *reader) fail(pos Pos, format string, args ...any) {
	p.report(pos, format, args...)
	panic(bail{})
}

// unexpected fails at the next token, which is not what was expected.
func (p *reader) unexpected(expected string) {
	p.fail(p.pos(), "expected %s, found %s", expected, p.tok().describe())
}

// unexpectedWord is as unexpected where one of some keywords would do.
func (p *reader) unexpectedWord(expected string, words ...string) {
	p.fail(p.pos(), "expected %s, found %s%s", expected, p.tok().describe(), p.tok().misspelt(words...))
}

// maxMisspelt is how long a name is that is compared with others.
const maxMisspelt = 64

// misspelt says which of the words a name was perhaps meant to be.
func (t token) misspelt(words ...string) string {
	if t.kind != tokIdent || len(t.text) > maxMisspelt || slices.Contains(words, t.text) {
		return ""
	}
	return phrase.Misspelt(t.text, words)
}

// missing fails where something is missing: at the next token, or behind the
// last one if the next one stands on another line.
func (p *reader) missing(expected string) {
	t, pos := p.tok(), p.pos()
	if !t.lineStart || t.kind == tokEOF || p.at == 0 {
		p.unexpected(expected)
	}
	before := p.tokens[p.at-1]
	p.fail(p.src.pos(before.offset+len(before.text)), "expected %s, found %s in line %d", expected, t.describe(), pos.Line)
}

func (t token) describe() string {
	switch t.kind {
	case tokEOF:
		return "the end of the file"
	case tokIdent, tokNumber, tokChar, tokString, tokArg:
		return t.text
	}
	return "'" + t.text + "'"
}

// deeper counts a level of nesting; the caller calls the result on leaving.
func (p *reader) deeper() func() {
	if p.nesting++; p.nesting > maxNesting {
		p.fail(p.pos(), "nested too deeply: more than %d levels", maxNesting)
	}
	return func() { p.nesting-- }
}

// errEmpty is what is wrong with a source that defines nothing.
var errEmpty = errors.New("nothing is defined: expected a process such as P = ( a -> P ). or a procedure or a program")
