package source

// The functions built into GCC that a unit is given declarations of.
//
// Idea: to read the declarations of some 250 functions takes longer than most programs. A prototype means something to
// a unit only if a name in it is the function's, or that without __builtin_, which the
// C library resolves to it. So the names that preprocessing leaves are collected, and prototypes that none of them
// names are left out. Cost: linear in the tokens.

import (
	"strings"

	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"

	"modernc.org/cc/v4"
)

const builtinPrefix = "__builtin_"

// builtinsOf is the text of the built-in declarations for a unit.
func builtinsOf(tokens []preprocess.Token) string {
	all, words := cc.Builtin+builtins(), map[string]bool{}
	for _, t := range tokens {
		if t.Kind == lex.Name {
			words[t.Text] = true
		}
	}
	if hasAtomics(words) {
		all += atomics()
	}
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

// hasAtomics reports whether one of the words is an operation that atomics has.
func hasAtomics(words map[string]bool) bool {
	for w := range words {
		if strings.HasPrefix(w, "__atomic_") || strings.HasPrefix(w, "__sync_") {
			return true
		}
	}
	return false
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
