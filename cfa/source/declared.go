package source

// The functions built into GCC that a unit is given declarations of.
//
// Idea: to read the declarations of some 250 functions takes longer than most programs. A prototype means something to
// a unit only if a word of its text is the function's name, or the name without __builtin_, which the
// C library resolves to it. So the words are collected, and prototypes that none of them names are left out. Where
// the text is not the whole unit, or makes words, all of them are there. Cost: linear in the text.

import (
	"bytes"
	"strings"

	"modernc.org/cc/v4"
)

const builtinPrefix = "__builtin_"

// builtinsOf is the text of the built-in declarations for a unit.
func builtinsOf(s Source, opt Options) string {
	texts := [][]byte{s.Text}
	if !s.Preprocessed {
		texts = append(texts, []byte(commandLine(s, opt)))
	}
	return declared(len(s.Includes) > 0, texts...)
}

// declared is the text of those that a unit with these texts may use, or with texts besides that
// are not known.
func declared(more bool, texts ...[]byte) string {
	all, words := cc.Builtin+builtins(), map[string]bool{}
	for _, t := range texts {
		more = more || !collectWords(t, words)
	}
	if more {
		return all + atomics()
	}
	if hasAtomics(words) {
		all += atomics()
	}
	for line := range strings.Lines(all) {
		if prototype(line) == "" { // a macro names functions, too
			collectWords([]byte(line), words)
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

// collectWords adds the words of a text; false if the unit may have others: those of files that it
// includes, and those that are written in two parts.
func collectWords(text []byte, words map[string]bool) (whole bool) {
	for _, s := range []string{"##", "%:%:", "??", "\\\n", "\\\r", "\\u", "\\U"} {
		if bytes.Contains(text, []byte(s)) {
			return false
		}
	}
	start := -1
	for i := 0; i <= len(text); i++ {
		switch is := i < len(text) && isWord(text[i]); {
		case is && start < 0:
			start = i
		case !is && start >= 0:
			if w := text[start:i]; !words[string(w)] { // which does not allocate
				words[string(w)] = true
			}
			start = -1
		}
	}
	return !words["include"] && !words["include_next"] && !words["import"]
}
