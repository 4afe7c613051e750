package reword

// Choices whose first side is a null pointer constant (C11 6.5.15p6): c ? (void *)0 : p has the type of p.
//
// Idea: the parser gives a choice between pointers the type of its first side. So the sides change places,
// !(c) ? p : (void *)0, which evaluates the same. What is a null pointer constant without looking at types is: a
// zero that is cast to void *.
//
// Cost: linear in the tokens, and once more for each such choice.

import (
	"slices"
	"strings"

	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// nullSides puts null pointer constants behind the pointers beside them.
func nullSides(r *rewriter) {
	for i := len(r.in) - 1; i >= 0; i-- {
		if !r.is(i, "?") {
			continue
		}
		colon := r.endOfSide(i + 1)
		if !r.is(colon, ":") || !isNull(r.in[i+1:colon]) {
			continue
		}
		end := r.endOfSide(colon + 1)
		from := r.conditionOf(i)
		if other := r.in[colon+1 : end]; from < 0 || len(other) == 0 || isNull(other) || isZero(other) {
			continue
		}
		r.in = slices.Concat(r.in[:from], made("!(", r.in[from]), moved(r.in[from:i]), made(")", r.in[i]), r.in[i:i+1],
			r.in[colon+1:end], r.in[colon:colon+1], r.in[i+1:colon], r.in[end:])
		i += 3 // choices in the condition
	}
}

// endOfSide is the place of what ends the operand of a choice that begins at i.
func (r *rewriter) endOfSide(i int) int {
	for choices := 0; i < len(r.in); i++ {
		switch {
		case r.isOneOf(i, "(", "[", "{"):
			i = r.closing(i)
		case r.isOneOf(i, ",", ";", ")", "]", "}"), r.is(i, ":") && choices == 0:
			return i
		case r.is(i, "?"):
			choices++
		case r.is(i, ":"):
			choices--
		}
	}
	return i
}

// conditionOf is where the condition of the choice at i begins; negative if that is not clear from the tokens.
func (r *rewriter) conditionOf(i int) int {
	from := i
	for from > 0 {
		before := r.in[from-1]
		switch {
		case r.isOneOf(from-1, ")", "]"):
			open := r.opening(from - 1)
			if r.isOneOf(open-1, "if", "while", "for", "switch") {
				return from
			}
			from = open
			continue
		case before.Kind == lex.Punct && endsBefore(before.Text), r.isOneOf(from-1, "return", "case", "else", "do"):
			if from == i || before.Is("}") {
				return -1
			}
			return from
		}
		from--
	}
	return -1
}

// endsBefore reports whether no operand of || goes on before a punctuator.
func endsBefore(p string) bool {
	switch p {
	case "==", "!=", "<=", ">=":
		return false
	case "(", "[", "{", "}", ";", ",", "?", ":", "...":
		return true
	}
	return strings.HasSuffix(p, "=")
}

// isNull reports whether tokens are a zero that is cast to void *.
func isNull(tokens []preprocess.Token) bool {
	r := rewriter{in: withoutParens(tokens)}
	return r.is(0, "(", "void", "*", ")") && isZero(r.in[4:])
}

// isZero reports whether tokens are the number 0.
func isZero(tokens []preprocess.Token) bool {
	tokens = withoutParens(tokens)
	return len(tokens) == 1 && tokens[0].Kind == lex.Number && strings.TrimRight(tokens[0].Text, "uUlL") == "0"
}

// withoutParens are tokens without the parentheses around all of them.
func withoutParens(tokens []preprocess.Token) []preprocess.Token {
	for r := (rewriter{in: tokens}); r.is(0, "(") && r.closing(0) == len(r.in)-1; {
		r.in = r.in[1 : len(r.in)-1]
		tokens = r.in
	}
	return tokens
}

// constantChoices writes k ?: x, of a constant k, as k ? k : x: the parser fails at it. What has no effect
// may stand twice.
func constantChoices(r *rewriter) {
	enumerators := r.enumerators()
	for i := len(r.in) - 1; i >= 0; i-- {
		if !r.is(i, "?", ":") {
			continue
		}
		from := r.conditionOf(i)
		if from < 0 || !areConstants(r.in[from:i], enumerators) {
			continue
		}
		r.in = slices.Concat(r.in[:i+1], moved(r.in[from:i]), r.in[i+1:])
	}
}

// enumerators are the names of enumeration constants.
func (r *rewriter) enumerators() map[string]bool {
	all := map[string]bool{}
	for i := range r.in {
		if !r.is(i, "enum") {
			continue
		}
		if e := r.enumeration(i); e.open > 0 {
			for _, c := range parts(r.in[e.open+1 : r.closing(e.open)]) {
				if len(c) > 0 {
					all[c[0].Text] = true
				}
			}
		}
	}
	return all
}

// areConstants reports whether tokens hold nothing but numbers, texts, constants of enumerations, types, sizes and
// operators.
func areConstants(tokens []preprocess.Token, enumerators map[string]bool) bool {
	r := rewriter{in: tokens}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		isType, isWord := specifierWords[t.Text]
		switch {
		case r.isOneOf(i, "sizeof", "_Alignof", "__alignof__", "alignof") && r.is(i+1, "("):
			i = r.closing(i + 1)
		case r.is(i, "sizeof") && r.isName(i+1):
			i++
		case r.is(i, "_Generic", "("):
			i += 2 + len(parts(tokens[i+2 : r.closing(i+1)])[0]) // only its type counts
		case r.is(i, "default"):
		case r.isOneOf(i, "{", "++", "--"),
			t.Kind == lex.Name && !enumerators[t.Text] && !typeWords[t.Text] && !(isWord && isType):
			return false
		}
	}
	return true
}
