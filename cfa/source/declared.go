package source

// The functions built into GCC that a unit is given declarations of.
//
// Idea: to read the declarations of some 250 functions takes longer than most programs. A prototype means something to
// a unit only if a name in it is the function's, or that without __builtin_, which the
// C library resolves to it. So the names that preprocessing leaves are collected, and prototypes that none of them
// names are left out. Cost: linear in the tokens.

import (
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source/builtin"
	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"

	"modernc.org/cc/v4"
)

const builtinPrefix = builtin.Prefix

// builtinsOf is the text of the built-in declarations for a unit.
func builtinsOf(tokens []preprocess.Token) string {
	all, words := cc.Builtin+builtin.Declarations(), map[string]bool{}
	for _, t := range tokens {
		if t.Kind == lex.Name {
			words[t.Text] = true
		}
	}
	all += macrosOf(words)
	for line := range strings.Lines(all) {
		if prototype(line) == "" { // a macro names functions, too
			collectWords(line, words)
		}
	}
	var b strings.Builder
	for line := range strings.Lines(all) {
		if name := prototype(line); name == "" || words[name] || words[strings.TrimPrefix(name, builtinPrefix)] {
			b.WriteString(line)
		}
	}
	return b.String()
}

// macrosOf are the definitions of the functions that are macros and that some words name, or such macros do.
func macrosOf(words map[string]bool) string {
	names := false
	for w := range words {
		names = names || strings.HasPrefix(w, "__")
	}
	if !names {
		return ""
	}
	lines := slices.Collect(strings.Lines(builtin.Macros()))
	in := make([]bool, len(lines))
	for range lines { // one may need another, before it or behind it
		found := false
		for i, line := range lines {
			name, _, _ := strings.Cut(strings.TrimPrefix(line, "#define "), "(")
			if words[name] && !in[i] {
				in[i], found = true, true
				collectWords(line, words)
			}
		}
		if !found {
			break
		}
	}
	var b strings.Builder
	for i, line := range lines {
		if in[i] {
			b.WriteString(line)
		}
	}
	return b.String()
}

// prototype is the function that a line declares, if that is all that it does; else "".
func prototype(line string) string {
	_, rest, found := strings.Cut(line, builtinPrefix)
	if !found || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "typedef") || !strings.HasSuffix(line, ");\n") {
		return ""
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !isWord(byte(r)) })
	return builtinPrefix + rest[:end]
}

// collectWords adds the words of a line.
func collectWords(line string, words map[string]bool) {
	for w := range strings.FieldsFuncSeq(line, func(r rune) bool { return r < 0x80 && !isWord(byte(r)) }) {
		words[w] = true
	}
}

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
