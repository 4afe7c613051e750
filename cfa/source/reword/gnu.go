package reword

// Constructs of GNU C.

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// labelEnds writes an empty statement behind a label at the end of a block (C23 6.8.2, GCC in every mode): out: }
// A colon before a closing brace stands nowhere else.
func labelEnds(r *rewriter) {
	for i := range r.in {
		if r.is(i, ":", "}") {
			r.replace(i+1, i+1, made(";", r.in[i])...)
		}
	}
}

// labelledValues writes an empty statement behind the labels of the last statement of ({ … }), whose value is
// the block's: the parser gives a block no value that ends with a label.
func labelledValues(r *rewriter) {
	var behind []int // the colons
	for i := range r.in {
		if !r.is(i, "(", "{") {
			continue
		}
		end := r.closing(i + 1)
		last, next := i+2, i+2 // where the last statement begins, and what follows it
		for k := next; k < end; k++ {
			if r.isOneOf(k, "(", "[", "{") {
				k = r.closing(k)
			}
			if r.isOneOf(k, ";", "}") {
				last, next = next, k+1
			}
		}
		labelled := last
		for r.isName(labelled) && r.is(labelled+1, ":") && !r.is(labelled, "default") {
			labelled += 2
		}
		if labelled > last && next == end && r.is(end, "}") && !r.is(labelled, ";") {
			behind = append(behind, labelled)
		}
	}
	slices.Sort(behind) // blocks stand in each other
	for _, i := range behind {
		r.replace(i, i, made(";", r.in[i-1])...)
	}
}

// replacedDefinitions makes declarations of the definitions that are there to be inlined only, extern inline with the
// attribute gnu_inline, of functions that are defined again.
func replacedDefinitions(r *rewriter) {
	type body struct {
		from, to int
		inlined  bool
	}
	defined := map[string]body{}
	var replaced []body
	begin := 0 // of a declaration of file scope
	for i := 0; i < len(r.in); i++ {
		switch {
		case r.is(i, ";"):
			begin = i + 1
		case r.is(i, "("), r.is(i, "["):
			i = r.closing(i)
		case r.is(i, "{"):
			end := r.closing(i)
			if name := r.functionNamed(begin, i); name != "" {
				if old, ok := defined[name]; ok && old.inlined {
					replaced = append(replaced, old)
				}
				defined[name] = body{i, end + 1, r.inlinedOnly(begin, i)}
				begin = end + 1
			}
			i = end
		}
	}
	slices.SortFunc(replaced, func(a, b body) int { return a.from - b.from })
	for _, b := range replaced {
		r.replace(b.from, b.to, made(";", r.in[b.from])...)
	}
}

// functionNamed is the name of the function whose declaration begins at a place and whose body does at another; "" if
// that is something else.
func (r *rewriter) functionNamed(begin, open int) string {
	for i := begin; i+1 < open; i++ {
		switch {
		case r.isAttribute(i):
			i = r.closing(i + 1)
		case r.isName(i) && r.is(i+1, "(") && !r.isOneOf(i, "typeof", "__typeof__", "__typeof", "_Alignas", "_Atomic"):
			return r.in[i].Text
		case r.is(i, "="):
			return ""
		}
	}
	return ""
}

// inlinedOnly reports whether the specifiers of a definition say that it is there to be inlined only.
func (r *rewriter) inlinedOnly(from, to int) bool {
	isExtern, isInline, isGNU := false, false, false
	for i := from; i < to; i++ {
		isExtern = isExtern || r.is(i, "extern")
		isInline = isInline || r.isOneOf(i, "inline", "__inline", "__inline__")
		isGNU = isGNU || r.isAttribute(i) && r.hasAttribute(i, "gnu_inline")
	}
	return isExtern && isInline && isGNU
}

// inlineAssembly leaves out the qualifier inline, which says how large a compiler should take it to be.
func inlineAssembly(r *rewriter) {
	for i := range r.in {
		if !r.isOneOf(i, "asm", "__asm", "__asm__") {
			continue
		}
		for n := i + 1; r.isOneOf(n, "volatile", "__volatile", "__volatile__", "goto", "inline", "__inline",
			"__inline__"); n++ {
			if r.isOneOf(n, "inline", "__inline", "__inline__") {
				r.replace(n, n+1)
			}
		}
	}
}

// RangeMark is what a range of a designator begins with that has another one beside it.
const RangeMark = "0x6d616775735fULL"

// ranges writes [a ... b], beside another designator, as [mark ? b : a], of which the parser takes b.
func ranges(r *rewriter) {
	for i := range r.in {
		if !r.is(i, "[") {
			continue
		}
		end := r.closing(i)
		dots := i + 1
		for dots < end && !r.is(dots, "...") {
			if dots++; r.isOneOf(dots-1, "(", "[", "{") {
				dots = r.closing(dots-1) + 1
			}
		}
		if dots >= end || !r.isOneOf(end+1, "[", ".") && !r.is(i-1, "]") && !(r.isName(i-1) && r.is(i-2, ".")) {
			continue
		}
		at := r.in[i+1]
		by := append(made(RangeMark+" ? (", at), r.in[dots+1:end]...)
		by = append(append(by, made(") : (", at)...), r.in[i+1:dots]...)
		r.replace(i+1, end, append(by, made(")", at)...)...)
	}
}

// olderDesignators writes the = that may be missing behind the index of an element: { [1] 7 } (GNU C, before C99).
func olderDesignators(r *rewriter) {
	for i := range r.in {
		if !r.is(i, "[") || !r.isOneOf(i-1, "{", ",") {
			continue
		}
		if end := r.closing(i); !r.isOneOf(end+1, "=", "[", ".", "]", ",", "}", ":") && r.inBraces(i) {
			r.replace(end+1, end+1, made("=", r.in[end])...)
		}
	}
}

// alignments writes parentheses around an expression whose alignment is asked for: __alignof__ x.
// One within another one is left as it is, which the parser refuses.
func alignments(r *rewriter) {
	for i := range r.in {
		if !r.isOneOf(i, "_Alignof", "__alignof__", "__alignof") || r.is(i+1, "(") || i < r.from {
			continue
		}
		if end := min(r.operandEnd(i+1), len(r.in)); end > i+1 {
			by := append(made("(", r.in[i]), r.in[i+1:end]...)
			r.replace(i+1, end, append(by, made(")", r.in[i])...)...)
		}
	}
}

// operandEnd is the place behind the unary expression that begins at i.
func (r *rewriter) operandEnd(i int) int {
	for r.isOneOf(i, "*", "&", "-", "+", "~", "!", "++", "--") {
		i++
	}
	for r.is(i, "(") { // a cast, or the operand in parentheses
		if i = r.closing(i) + 1; i >= len(r.in) || r.in[i].Kind == lex.Punct && !r.is(i, "(") {
			return r.postfixEnd(i)
		}
	}
	if i >= len(r.in) || r.in[i].Kind == lex.Punct {
		return i
	}
	for i++; i < len(r.in) && r.in[i-1].Kind == lex.String && r.in[i].Kind == lex.String; i++ {
	}
	return r.postfixEnd(i)
}

// postfixEnd is the place behind the postfix operators that begin at i.
func (r *rewriter) postfixEnd(i int) int {
	for {
		switch {
		case r.isOneOf(i, "(", "["):
			i = min(r.closing(i)+1, len(r.in))
		case r.isOneOf(i, ".", "->") && r.isName(i+1):
			i += 2
		case r.isOneOf(i, "++", "--"):
			i++
		default:
			return i
		}
	}
}

// inBraces reports whether the innermost brackets around a place are braces.
func (r *rewriter) inBraces(i int) bool {
	depth := 0
	for i--; i >= 0; i-- {
		switch {
		case r.isOneOf(i, ")", "]", "}"):
			depth++
		case r.isOneOf(i, "(", "[", "{"):
			if depth--; depth < 0 {
				return r.is(i, "{")
			}
		}
	}
	return false
}

// unknownLengths gives the arrays of prototypes that have one which is not said, int a[*], a variable one. A
// declaration of a function that is no definition evaluates no length.
func unknownLengths(r *rewriter) {
	declared := false
	for i := range r.in {
		if !r.is(i, "[") || !r.is(r.closing(i)-1, "*", "]") {
			continue
		}
		end := r.closing(i)
		words := i + 1
		for r.isOneOf(words, qualifiers...) || r.is(words, "static") {
			words++
		}
		if words != end-1 {
			continue
		}
		r.replace(words, end, made(lengthName, r.in[words])...)
		if !declared {
			r.before = made("extern int "+lengthName+";", r.in[i])
			declared = true
		}
	}
}

// lengthName is a variable that no program has.
const lengthName = "__magus_length"

var qualifiers = []string{"const", "volatile", "restrict", "__const", "__const__", "__volatile",
	"__volatile__", "__restrict",
	"__restrict__", "_Atomic"}

// typeofQualifiers puts qualifiers behind the words of a type: typeof (const int *) is typeof (int const *).
func typeofQualifiers(r *rewriter) {
	for i := range r.in {
		if !r.isOneOf(i, "typeof", "__typeof", "__typeof__") || !r.is(i+1, "(") {
			continue
		}
		from := i + 2
		words := from
		for r.isOneOf(words, qualifiers...) && !(r.is(words, "_Atomic", "(")) {
			words++
		}
		end := words
		for end < len(r.in) && r.in[end].Kind == lex.Name {
			end++
		}
		if words > from && end > words && !r.is(end, "(") && !r.is(end, "{") {
			by := append(moved(r.in[words:end]), moved(r.in[from:words])...)
			by[0].Space = r.in[from].Space
			r.replace(from, end, by...)
		}
	}
}

// modeTypes are the types of modes, of integers without their sign (GCC's internals, "Machine Modes").
var modeTypes = map[string]string{
	"QI": "char", "byte": "char", "HI": "short", "SI": "int", "DI": "long long", "TI": "__int128",
	"word": "long", "pointer": "long",
	"SF": "float", "DF": "double", "XF": "long double",
}

var typeWords = map[string]bool{"signed": true, "unsigned": true, "__signed__": true, "__signed": true, "short": true,
	"int": true, "long": true, "char": true, "float": true, "double": true}

// modes writes the type of a declaration of one name, typedef int word __attribute__((mode(DI))), as the one that its
// mode names. Where the attribute has another form it stays, and what depends on it is refused.
func modes(r *rewriter) {
	for i := 0; i < len(r.in); i++ {
		from := i
		for i < len(r.in) && r.in[i].Kind == lex.Name && typeWords[r.in[i].Text] {
			i++
		}
		if i == from {
			continue
		}
		at := i // of the attribute
		if r.isName(at) && !r.isAttribute(at) {
			at++
		}
		if !r.isAttribute(at) || !r.isOneOf(at+3, "mode", "__mode__") || !r.is(at+4, "(") || !r.is(at+6, ")", ")", ")") {
			i = max(i-1, from)
			continue
		}
		end := at + 9
		behind := end
		if at == i && r.isName(behind) {
			behind++
		}
		words := typeOfMode(r.in[from:i], plain(r.in[at+5].Text))
		if words != "" && r.isOneOf(behind, ";", ")", "=") {
			r.replace(from, i, made(words, r.in[from])...)
			r.replace(at, end)
			i = end - 1
		} else {
			i = max(i-1, from)
		}
	}
}

// typeOfMode is the type that words for a type and a mode make, or "".
func typeOfMode(words []preprocess.Token, mode string) string {
	is := modeTypes[mode]
	float, unsigned := false, false
	for _, w := range words {
		float = float || w.Is("float") || w.Is("double")
		unsigned = unsigned || w.Is("unsigned")
	}
	switch {
	case is == "" || float != strings.HasSuffix(mode, "F"):
		return ""
	case float:
		return is
	case unsigned:
		return "unsigned " + is
	}
	return "signed " + is
}

// LabelPrefix begins the names of labels that a block declares.
const LabelPrefix = "__magus_label_"

// LabelName is a label's name in the source.
func LabelName(name string) string {
	inner, ok := strings.CutPrefix(name, LabelPrefix)
	if !ok {
		return name
	}
	_, inner, _ = strings.Cut(inner, "_")
	return inner
}

// A labelScope are the labels that a block declares, by their names in the source.
type labelScope map[string]string

// localLabels gives labels of blocks (__label__) names that no other one has.
func localLabels(r *rewriter) {
	var scopes []labelScope
	n := 0
	for i := 0; i < len(r.in); i++ {
		switch {
		case r.is(i, "{"):
			scopes = append(scopes, nil)
		case r.is(i, "}") && len(scopes) > 0:
			scopes = scopes[:len(scopes)-1]
		case r.is(i, "__label__") && len(scopes) > 0:
			if scopes[len(scopes)-1] == nil {
				scopes[len(scopes)-1] = labelScope{}
			}
			for i++; i < len(r.in) && !r.is(i, ";"); i++ {
				if r.isName(i) {
					name := fmt.Sprintf("%s%d_%s", LabelPrefix, n, r.in[i].Text)
					scopes[len(scopes)-1][r.in[i].Text] = name
					r.replace(i, i+1, made(name, r.in[i])...)
					n++
				}
			}
		case r.isName(i) && r.isLabel(i):
			for _, s := range slices.Backward(scopes) {
				if name := s[r.in[i].Text]; name != "" {
					r.replace(i, i+1, made(name, r.in[i])...)
					break
				}
			}
		}
	}
}

// isLabel reports whether a name is that of a label: defined, gone to, or with its address taken.
func (r *rewriter) isLabel(i int) bool {
	switch {
	case r.is(i-1, "goto"):
		return true
	case r.is(i-1, "&&"):
		return !r.isName(i-2) && !r.isOneOf(i-2, ")", "]") && !(i > 1 && r.in[i-2].Kind == lex.Number)
	}
	return r.is(i+1, ":") && r.isOneOf(i-1, ";", "{", "}", ":", ")", "else", "do")
}

// labelsAround declares the labels of a function in which others stand as those of its outermost block, and those of
// these: the parser gives labels behind a function within another one to that one.
func labelsAround(r *rewriter) {
	for i := 0; i < len(r.in); i++ {
		if r.is(i, "{") {
			if r.is(i-1, ")") {
				r.declareLabels(i, false)
			}
			i = r.closing(i)
		}
	}
}

// declareLabels declares the labels of the function whose body begins at a place, if functions stand in it or it
// stands in one, and of those functions.
func (r *rewriter) declareLabels(open int, within bool) {
	labels, functions := r.labelsIn(open+1, r.closing(open))
	if len(labels) > 0 && (within || len(functions) > 0) {
		r.replace(open+1, open+1, made("__label__ "+strings.Join(labels, ", ")+";", r.in[open])...)
	}
	for _, f := range functions {
		r.declareLabels(f, true)
	}
}

// labelsIn are the labels between two places, without those of functions there, and where the bodies of these begin.
func (r *rewriter) labelsIn(from, to int) (labels []string, functions []int) {
	declared := map[string]bool{}
	for i := from; i < to; i++ {
		if !r.isOneOf(i-1, ";", "{", "}", ":", ")", "else", "do") {
			continue
		}
		if open := r.functionBody(i, to); open > 0 {
			functions = append(functions, open)
			i = r.closing(open)
		} else if r.isName(i) && r.is(i+1, ":") && !r.is(i, "default") && !declared[r.in[i].Text] {
			declared[r.in[i].Text] = true
			labels = append(labels, r.in[i].Text)
		}
	}
	return labels, functions
}

// functionBody is the place of the brace of a function that begins at i; 0 if none does.
func (r *rewriter) functionBody(i, to int) int {
	d := rewriter{in: r.in[i:to]}
	k := d.specifiers()
	if k == 0 {
		return 0
	}
	for k < len(d.in) && (d.isName(k) || d.isOneOf(k, "*", "(", "[")) {
		if k++; d.isOneOf(k-1, "(", "[") {
			k = d.closing(k-1) + 1
		}
	}
	if d.is(k, "{") && d.is(k-1, ")") {
		return i + k
	}
	return 0
}
