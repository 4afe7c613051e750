package source

// What the library is given before a unit: the functions built into GCC, the library's own macros, and those that
// these need.
//
// Idea: to read some 250 declarations takes longer than most programs. A declaration or a macro means something to
// a unit only if a name in it is what it declares, or that without __builtin_, which the
// C library resolves to it. So the text is parted into pieces, each with the names that ask for it and the
// words that it mentions; the names that preprocessing leaves ask for some, and what these mention for
// others. Macros that compilers predefine are expanded when the library reads a unit: only the pieces ask for
// them. Cost: linear in the tokens.

import (
	"iter"
	"strings"
	"sync"

	"magus/cfa"
	"magus/cfa/source/builtin"
	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"

	"modernc.org/cc/v4"
)

const builtinPrefix = builtin.Prefix

// neededPrefix begins the names that the library looks for itself.
const neededPrefix = "__predefined_"

// firstDeclaration means nothing. The library takes __predefined_declarator back, but not where it comes first.
const firstDeclaration = "typedef char " + neededPrefix + "first;\n"

// A piece is text that stands together: a line, or lines between #if and #endif.
type piece struct {
	text   string
	needed bool     // by the library itself
	names  []string // that ask for it
}

// pieces are text in pieces, by the names that ask for them.
type pieces struct {
	all []piece
	by  map[string][]int
}

// builtinPieces are what the library is given, but for predefined macros.
var builtinPieces = sync.OnceValue(func() pieces {
	return inPieces(firstDeclaration + typeofMacros + variableMacros + cc.Builtin + builtin.Declarations() +
		builtin.Macros())
})

// inPieces parts a text.
func inPieces(text string) pieces {
	p := pieces{by: map[string][]int{}}
	var open piece
	depth := 0
	for line := range strings.Lines(text) {
		open.text += line
		directive := strings.TrimPrefix(line, "#")
		switch {
		case directive == line || strings.HasPrefix(directive, "define"):
			open.declare(line)
		case strings.HasPrefix(directive, "if"):
			depth++
		case strings.HasPrefix(directive, "endif"):
			depth--
		}
		if depth == 0 {
			p.add(open)
			open = piece{}
		}
	}
	return p
}

// add adds a piece, if it declares something.
func (p *pieces) add(one piece) {
	if !one.needed && len(one.names) == 0 {
		return
	}
	for _, name := range one.names {
		p.by[name] = append(p.by[name], len(p.all))
	}
	p.all = append(p.all, one)
}

// declare notes what a line declares: the name of a macro, that of a type, those before parentheses.
func (p *piece) declare(line string) {
	if strings.HasPrefix(line, "#define ") {
		p.names = append(p.names, macroName(line))
		return
	}
	last := lastWord(line)
	switch {
	case last == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*"):
	case strings.HasPrefix(last, neededPrefix):
		p.needed = true
	case strings.HasPrefix(strings.TrimLeft(line, " \t"), "typedef "):
		p.names = append(p.names, last)
	default:
		p.functions(line)
	}
}

// functions notes the functions that a line declares: what stands before parentheses that are in no others.
func (p *piece) functions(line string) {
	depth := 0
	for i, c := range line {
		switch {
		case c == '(' && depth == 0:
			name := lastWord(line[:i])
			p.names = append(p.names, name)
			if short, ok := strings.CutPrefix(name, builtinPrefix); ok {
				p.names = append(p.names, short)
			}
			depth++
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
}

// builtinsOf is the text that the library is given before a unit: of predefined macros what is needed, and the rest.
func builtinsOf(macros string, tokens []preprocess.Token) (predefined, builtins string) {
	all := builtinPieces()
	in := make([]bool, len(all.all))
	mentioned := map[string]bool{}
	var ask func(name string)
	take := func(i int) {
		if in[i] {
			return
		}
		in[i] = true
		for w := range wordsOf(all.all[i].text) {
			if !mentioned[w] {
				mentioned[w] = true
				ask(w)
			}
		}
	}
	ask = func(name string) {
		for _, i := range all.by[name] {
			take(i)
		}
	}
	for i, p := range all.all {
		if p.needed {
			take(i)
		}
	}
	for _, t := range tokens {
		if t.Kind == lex.Name {
			ask(t.Text)
		}
	}
	var b, m strings.Builder
	for i, p := range all.all {
		if in[i] {
			b.WriteString(p.text)
		}
	}
	for line := range strings.Lines(macros) {
		if mentioned[macroName(line)] {
			m.WriteString(line)
		}
	}
	return m.String(), b.String()
}

// macroName is the name of the macro that a line defines.
func macroName(line string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(line, "#define "), " ")
	name, _, _ = strings.Cut(name, "(")
	return strings.TrimSuffix(name, "\n")
}

// wordsOf are the words of a text.
func wordsOf(text string) iter.Seq[string] { return strings.FieldsFuncSeq(text, between) }

// lastWord is the last word of a text; "" if there is none.
func lastWord(text string) string {
	text = strings.TrimRightFunc(text, between)
	return text[strings.LastIndexFunc(text, between)+1:]
}

// between reports whether a character is in no word.
func between(r rune) bool { return r < 0x80 && !isWord(byte(r)) }

// unreadBuiltin refuses a unit that names a function which is built into compilers and takes what is no expression.
func unreadBuiltin(tokens []preprocess.Token) error {
	for _, t := range tokens {
		if t.Kind != lex.Name || !strings.HasPrefix(t.Text, builtinPrefix) {
			continue
		}
		if row, ok := builtin.Known(t.Text); ok && row.How == builtin.Unread {
			return cfa.Unsupported(t.Pos(), t.Text, row.What)
		}
	}
	return nil
}
