package reword

// Compound literals of arrays without a length that one string fills (C11 6.7.9p14): (char[]){"ab"} is (char[3]){"ab"}.
//
// Idea: the length is written, which is that of the string. Whether an array is one of characters is told by the words
// of its type; of other names for them the literal stays as it is, and is refused when it is lowered.
//
// Cost: linear.

import (
	"strconv"

	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// narrowWords and wideWords are the words that types of characters have.
var (
	narrowWords = []string{"char", "signed", "unsigned", "const", "volatile", "char8_t", "int8_t", "uint8_t"}
	wideWords   = []string{"wchar_t", "const", "volatile"}
)

// filledLiterals writes the lengths of compound literals that a string fills.
func filledLiterals(r *rewriter) {
	for i := range r.in {
		if !r.is(i, "[", "]", ")", "{") {
			continue
		}
		end := r.endOfStrings(i + 4)
		behind := end
		if r.is(behind, ",") {
			behind++
		}
		if end == i+4 || !r.is(behind, "}") {
			continue
		}
		words, width := narrowWords, uint(8)
		if wideStrings(r.in[i+4 : end]) {
			words, width = wideWords, 32
		}
		from := i
		for r.isOneOf(from-1, words...) {
			from--
		}
		if n, ok := lengthOf(r.in[i+4:end], width); ok && from < i && r.is(from-1, "(") {
			r.replace(i+1, i+1, made(strconv.Itoa(n), r.in[i])...)
		}
	}
}

// endOfStrings is where the strings that begin at i end.
func (r *rewriter) endOfStrings(i int) int {
	for i < len(r.in) && r.in[i].Kind == lex.String {
		i++
	}
	return i
}

// wideStrings reports whether strings that stand beside each other are wide.
func wideStrings(strings []preprocess.Token) bool {
	for _, t := range strings {
		if p := t.Prefix(); p == "L" || p == "LR" {
			return true
		}
	}
	return false
}

// lengthOf is how many characters of a width some strings have together, with the last one; not ok where they are of
// another width, or no strings.
func lengthOf(strings []preprocess.Token, width uint) (n int, ok bool) {
	var units []lex.Unit
	for _, t := range strings {
		switch t.Prefix() {
		case "u", "uR", "U", "UR":
			return 0, false
		}
		more, ok := lex.Units(t.Token)
		if !ok {
			return 0, false
		}
		units = append(units, more...)
	}
	codes, ok := lex.Encode(units, width)
	return len(codes) + 1, ok
}
