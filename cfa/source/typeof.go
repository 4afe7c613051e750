package source

// typeof of a type.
//
// The library reads typeof (type) everywhere and gives it a type in casts, sizeof and
// members, but not in declarations. There it gets an expression of that type: typeof
// is a macro for one that points to the operand and goes back, which works for
// whatever has a type and means the same where the operand is an expression. What a
// macro makes has the place of its name, so that all other places stay as they are.
//
// It does not begin to read a type at a qualifier. In typeof (const int *) the
// qualifiers change places with the words behind them: typeof (int const *), as long as
// before.

import (
	"bytes"
	"regexp"
	"strings"

	"magus/internal/pattern"
)

// typeofMacros define typeof in its three spellings.
const typeofMacros = "#define typeof(...) typeof" + typeofBody + "#define __typeof(...) typeof" + typeofBody +
	"#define __typeof__(...) typeof" + typeofBody

const typeofBody = typeofOpen + "__VA_ARGS__" + typeofClose + "\n"

const (
	typeofOpen  = "(*(typeof("
	typeofClose = ")*)0)"
)

// variableMacro is cc's va_arg for types to which a pointer is not written with an
// asterisk behind their names too, as those of pointers to functions. That of a literal
// may be qualified.
const variableMacro = "#define __builtin_va_arg(va, type) (*(__typeof__((type){0})*)__builtin_va_arg_impl(va))\n"

// reQualifiedOperand is a typeof up to the end of the words that its operand begins
// with: qualifiers, then others.
var reQualifiedOperand = pattern.New(`\b(?:typeof|__typeof|__typeof__)[ \t]*\([ \t]*` +
	`((?:(?:const|volatile|restrict|__const|__const__|__volatile|__volatile__|__restrict|__restrict__)[ \t]+)+)(\w+(?:[ \t]+\w+)*)[ \t]*[*)\[]`)

// turnQualifiers puts such qualifiers behind the words that follow.
func turnQualifiers(text []byte) []byte {
	if !bytes.Contains(text, []byte("typeof")) {
		return text
	}
	found := reQualifiedOperand().FindAllSubmatchIndex(text, -1)
	if found == nil {
		return text
	}
	out := bytes.Clone(text)
	for _, m := range found {
		qualifiers, words := text[m[2]:m[3]], text[m[4]:m[5]]
		bare := bytes.TrimRight(qualifiers, " \t")
		copy(out[m[2]:], bytes.Join([][]byte{words, qualifiers[len(bare):], bare}, nil))
	}
	return out
}

// blankGroups blanks what the first group of an expression matches, but for the ends
// of lines.
func blankGroups(text []byte, re *regexp.Regexp) []byte {
	found := re.FindAllSubmatchIndex(text, -1)
	if found == nil {
		return text
	}
	out := bytes.Clone(text)
	for _, m := range found {
		for i := m[2]; i < m[3]; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return out
}

// asWritten writes what the macros make of typeof as it was in the source.
func asWritten(text string) string {
	for {
		before, rest, found := strings.Cut(text, "typeof"+typeofOpen)
		if !found {
			return text
		}
		end, depth := 0, 1
		for end < len(rest) && depth > 0 {
			switch rest[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
			end++
		}
		after, found := strings.CutPrefix(rest[max(end-1, 0):], typeofClose)
		if !found {
			return text
		}
		text = before + "typeof (" + rest[:end-1] + ")" + after
	}
}
