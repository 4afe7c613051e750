package reword

// Parameters of what a function returns, and of functions without a name.
//
// Idea: int (*f(int a))(int a) declares two parameters a, of f and of the function that it returns a pointer to; the
// parser has one scope for both. Names of the latter mean nothing, and get one that no program has where the former
// have them too. An array without a name that is a parameter, int [static 3], says how many elements there
// are at least, which the parser reads behind a name only; the word is left out.
//
// Cost: linear in the tokens.

import (
	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// unusedName is a name for parameters that no program has.
const unusedName = "__magus_unused_"

// returnedParameters renames parameters of functions that a function returns a pointer to.
func returnedParameters(r *rewriter) {
	begin := 0
	for i := range r.in {
		if r.isOneOf(i, ";", "{", "}") {
			begin = i + 1
		}
		if !r.is(i, ")", "(") {
			continue
		}
		inner := r.opening(i) // of the declarator of the function
		own := r.parametersIn(inner)
		if own == 0 || !r.specifiedUpTo(begin, inner) {
			continue
		}
		names := map[string]bool{}
		for k := own + 1; k < r.closing(own); k++ {
			if r.declaredParameter(k) {
				names[r.in[k].Text] = true
			}
		}
		for k := i + 2; k < r.closing(i+1); k++ {
			if names[r.in[k].Text] && r.declaredParameter(k) && !r.isOneOf(k-1, "(", ",") {
				r.replace(k, k+1, made(unusedName+r.in[k].Text, r.in[k])...)
			}
		}
	}
}

// parametersIn is the place of the parameters of the function that a declarator within parentheses declares; 0 if that
// is another one.
func (r *rewriter) parametersIn(open int) int {
	if !r.is(open, "(", "*") {
		return 0
	}
	i := open + 1
	for r.is(i, "*") || r.isOneOf(i, qualifiers...) {
		i++
	}
	if r.isName(i) && r.is(i+1, "(") {
		return i + 1
	}
	return 0
}

// specifiedUpTo reports whether the specifiers of a declaration stand from a place on, and its declarator at
// another one.
func (r *rewriter) specifiedUpTo(from, declarator int) bool {
	if declarator <= from {
		return false
	}
	d := rewriter{in: r.in[from : declarator+1]}
	k := d.specifiers()
	for k > 0 && (d.is(k, "*") || d.isOneOf(k, qualifiers...)) {
		k++
	}
	return k > 0 && k == declarator-from
}

// declaredParameter reports whether a name stands where a parameter's does.
func (r *rewriter) declaredParameter(i int) bool {
	_, isWord := specifierWords[r.in[i].Text]
	return r.in[i].Kind == lex.Name && !isWord && !typeWords[r.in[i].Text] && r.isOneOf(i+1, ",", ")", "[")
}

// leastLengths leaves out static in arrays that have no name.
func leastLengths(r *rewriter) {
	for i := range r.in {
		if !r.is(i, "static") {
			continue
		}
		open := i - 1
		for r.isOneOf(open, qualifiers...) {
			open--
		}
		if r.is(open, "[") && !isDeclared(r.in, open-1) {
			r.replace(i, i+1)
		}
	}
}

// isDeclared reports whether a name of a declarator ends at a place, or parentheses around one.
func isDeclared(in []preprocess.Token, i int) bool {
	r := rewriter{in: in}
	inner := i
	for r.is(inner, ")") || r.is(inner, "]") {
		inner--
	}
	_, isWord := specifierWords[r.text(inner)]
	if !r.isName(inner) || isWord || typeWords[r.text(inner)] || r.isOneOf(inner-1, "struct", "union", "enum") {
		return false
	}
	return r.isName(inner-1) || r.isOneOf(inner-1, "*", ")", "}") || r.is(inner-1, "(") && inner < i
}
