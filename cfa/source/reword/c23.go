package reword

// Words of C23 that the parser does not know.
//
// Idea: nullptr is a null pointer, typeof_unqual (e) the typeof of e's value, since values have no qualifiers, and an
// object that is constexpr is a const one. Where that is an integer with a name of its own, the name is its value
// besides, so that it may stand in constant expressions; but where its address is taken it is the object. A compound
// literal with a storage class (C23 6.5.3.6) is the object of a statement expression.
//
// Before C23 these words are names like any others, so in a text that declares one as a name it stays one.
//
// Source: ISO/IEC 9899:2024, 6.3.3.3, 6.5.3.6, 6.7.2, 6.7.3.6.
// Cost: linear in the tokens.

import (
	"fmt"
	"slices"

	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// nullPointers writes nullptr as a null pointer constant.
func nullPointers(r *rewriter) {
	if r.isNamed("nullptr") {
		return
	}
	types := r.typeNames()
	for i := range r.in {
		switch {
		case r.is(i, "nullptr") && r.is(i-1, "(") && r.is(i-2, "_Generic"), r.is(i, "nullptr_t") && r.inGeneric(i):
			r.refuse(r.in[i], "_Generic with nullptr", "")
			return
		case r.is(i, "nullptr"):
			r.replace(i, i+1, made("((void *)0)", r.in[i])...)
		case r.is(i, "nullptr_t") && !types["nullptr_t"]:
			r.replace(i, i+1, made("__typeof__((void *)0)", r.in[i])...)
		}
	}
}

// booleans writes bool, true and false, where nothing in the unit declares them, as C before had them.
func booleans(r *rewriter) {
	by := map[string]string{"bool": "_Bool", "true": "((_Bool)1)", "false": "((_Bool)0)"}
	if r.isNamed("bool", "true", "false") {
		return
	}
	for i, t := range r.in {
		if as := by[t.Text]; as != "" && t.Kind == lex.Name {
			r.replace(i, i+1, made(as, t)...)
		}
	}
}

// isNamed reports whether a text declares one of some words as a name, or has a member or label of that name.
// Among them bool stands for a type, the others for values.
func (r *rewriter) isNamed(words ...string) bool {
	types := r.typeNames()
	for _, w := range words {
		if types[w] {
			return true
		}
	}
	isType := func(word string) bool {
		return typeWords[word] || types[word] || slices.Contains([]string{"void", "bool", "_Bool"}, word)
	}
	depth := 0
	for i := range r.in {
		switch {
		case r.is(i, "{"):
			depth++
		case r.is(i, "}"):
			depth--
		}
		if !r.isOneOf(i, words...) {
			continue
		}
		var before preprocess.Token
		if i > 0 {
			before = r.in[i-1]
		}
		listed := r.isOneOf(i+1, ",", "}", "=") // perhaps among enumeration constants
		switch {
		case before.Is("."), before.Is("->"), r.isOneOf(i-1, "struct", "union", "enum", "goto"), r.is(i+1, ":") &&
			!r.is(i, "bool") && !before.Is("?"):
			return true
		case r.is(i, "bool"):
			if (isType(before.Text) || r.isOneOf(i-1, "*", "}")) && r.isOneOf(i+1, ";", ",", "=", "[", "(", ")") {
				return true
			}
		case isType(before.Text), r.isOneOf(i-1, "static", "extern", "inline", "register", "auto"),
			listed && r.inEnumeration(i), depth == 0 && (i == 0 || r.isOneOf(i-1, ";", "}")):
			return true
		}
	}
	return false
}

// inEnumeration reports whether a place is among the constants of an enumeration.
func (r *rewriter) inEnumeration(i int) bool {
	for i--; i > 0; i-- {
		switch {
		case r.isOneOf(i, ")", "]"):
			i = r.opening(i)
		case r.is(i, "{"):
			return r.is(i-1, "enum") || r.isName(i-1) && r.is(i-2, "enum")
		case r.isOneOf(i, ";", "}", "("):
			return false
		}
	}
	return false
}

// unqualified writes typeof_unqual.
func unqualified(r *rewriter) {
	for i := range r.in {
		if r.is(i, "typeof_unqual") && !r.is(i+1, "(") { // a name
			return
		}
	}
	types := r.typeNames()
	for i := 0; i < len(r.in); i++ {
		if !r.is(i, "typeof_unqual", "(") && !r.is(i, "__typeof_unqual__", "(") && !r.is(i, "__typeof_unqual", "(") {
			continue
		}
		end := r.closing(i + 1)
		inner := r.in[i+2 : min(end, len(r.in))]
		before, behind := "__typeof__(((void)0, (", ")))"
		if isTypeName(inner, types) {
			if slices.ContainsFunc(inner, func(t preprocess.Token) bool { return t.Is("[") || t.Is("(") }) {
				r.refuse(r.in[i], "typeof_unqual of this type", "write the type")
				return
			}
			before, behind = "__typeof__(((void)0, *(", " *)0))"
		}
		by := append(made(before, r.in[i]), inner...)
		r.replace(i, end+1, append(by, made(behind, r.in[i])...)...)
		i = end
	}
}

// typeNames are the names that are declared as types somewhere.
func (r *rewriter) typeNames() map[string]bool {
	all := map[string]bool{}
	for i := range r.in {
		if !r.is(i, "typedef") {
			continue
		}
		d := rewriter{in: r.in[i:]}
		for k := d.specifiers(); k > 0 && k < len(d.in) && !d.is(k, ";"); k++ {
			if d.isName(k) {
				all[d.in[k].Text] = true
			} else if d.is(k, "[") || d.is(k, "(") && !d.is(k+1, "*") {
				k = d.closing(k)
			}
		}
	}
	return all
}

// isTypeName reports whether tokens are the name of a type.
func isTypeName(tokens []preprocess.Token, types map[string]bool) bool {
	if len(tokens) == 0 {
		return false
	}
	t := tokens[0]
	_, isWord := specifierWords[t.Text]
	return t.Kind == lex.Name && (isWord || typeWords[t.Text] || types[t.Text] || slices.Contains(qualifiers, t.Text) ||
		slices.Contains([]string{"struct", "union", "enum", "typeof", "__typeof__", "__typeof"}, t.Text))
}

// storageClasses may stand in a compound literal.
var storageClasses = []string{"static", "constexpr", "register", "_Thread_local", "thread_local"}

// storedLiterals writes compound literals that have a storage class.
func storedLiterals(r *rewriter) {
	depth, n := 0, 0
	ends := map[int][]preprocess.Token{} // what stands behind literals, by places
	for i := 0; i < len(r.in); i++ {
		if behind := ends[i]; behind != nil {
			r.replace(i, i, behind...)
		}
		switch {
		case r.is(i, "{"):
			depth++
		case r.is(i, "}"):
			depth--
		}
		if !r.is(i, "(") || !r.isOneOf(i+1, append(storageClasses, "const")...) || r.is(i-1, ")") ||
			r.isName(i-1) && !r.isOneOf(i-1, statementWords...) { // parameters
			continue
		}
		end := r.closing(i)
		if !r.is(end+1, "{") {
			continue
		}
		var words []preprocess.Token
		static := false
		for _, t := range r.in[i+1 : end] {
			switch {
			case t.Is("_Thread_local"), t.Is("thread_local"):
				r.refuse(t, "a compound literal of each thread", "")
				return
			case t.Is("static"):
				static = true
			case t.Is("constexpr"):
				words = append(words, made("const", t)...)
			case !t.Is("register"):
				words = append(words, t)
			}
		}
		if len(words) == end-i-1 && !r.isOneOf(i+1, "constexpr") {
			continue
		}
		if !static || depth == 0 { // of the block, or of the file
			r.replace(i+1, end, words...)
			i = end - 1
			continue
		}
		r.staticLiteral(i, words, n, ends)
		n++
		i = end
	}
}

// staticLiteral writes the literal at i, of a type without static, as *({ static T name = { … }; &name; }).
func (r *rewriter) staticLiteral(i int, words []preprocess.Token, n int, ends map[int][]preprocess.Token) {
	d := rewriter{in: words}
	end := d.specifiers()
	if end == 0 {
		end = len(words) // a type of one name
	}
	for d.is(end, "*") || d.isOneOf(end, qualifiers...) {
		end++
	}
	if end < len(words) && !d.is(end, "[") {
		r.refuse(r.in[i], "a compound literal of this type with a storage class", "declare an object")
		return
	}
	at := r.in[i]
	name := fmt.Sprintf("%s%d", storedPrefix, n)
	by := append(made("(*({ static", at), moved(words[:end])...)
	by = append(append(by, made(" "+name, at)...), words[end:]...)
	open := r.closing(i) + 1
	r.replace(i, open, append(by, made("=", at)...)...)
	behind := r.closing(open) + 1
	ends[behind] = append(made(fmt.Sprintf("; &%s; }))", name), at), ends[behind]...)
}

// storedPrefix begins the names of objects that are compound literals in the text.
const storedPrefix = "__magus_stored_"

// Select writes _Generics, by their numbers in the order of a text, as ones on an int that choose the association of
// some number.
func Select(tokens []preprocess.Token, choices map[int]int) []preprocess.Token {
	r := rewriter{in: tokens}
	n := -1
	edits := map[int]edit{} // by where they begin
	for i := range tokens {
		if tokens[i].Is("_Generic") {
			n++
			if k, ok := choices[n]; ok && r.is(i+1, "(") {
				r.selectOne(i, k, edits)
			}
		}
	}
	for i := range tokens {
		if e, ok := edits[i]; ok {
			r.replace(i, e.end, e.by...)
		}
	}
	return r.result()
}

// An edit puts tokens in the place of those up to an end.
type edit struct {
	end int
	by  []preprocess.Token
}

// selectOne writes the _Generic at i.
func (r *rewriter) selectOne(i, choice int, edits map[int]edit) {
	end := r.closing(i + 1)
	comma := r.partEnd(i+2, end)
	insert := func(at int, text string) {
		edits[at] = edit{at, append(edits[at].by, made(text, r.in[i])...)}
	}
	insert(i+2, "((void)(")
	insert(comma, "), 0)")
	for k := 0; comma < end; k++ {
		from := comma + 1
		comma = r.partEnd(from, end)
		colon := from
		for colon < comma && !r.is(colon, ":") {
			if colon++; r.isOneOf(colon-1, "(", "[", "{") {
				colon = r.closing(colon-1) + 1
			}
		}
		switch {
		case r.is(from, "default"):
		case k == choice:
			edits[from] = edit{colon, made("int", r.in[from])}
		default:
			edits[from] = edit{colon, made("char *", r.in[from])}
		}
	}
}

// partEnd is the place of the comma behind what begins at a place, or of the end. Between ? and : a comma is an
// operator.
func (r *rewriter) partEnd(from, end int) int {
	for choices := 0; from < end && (choices > 0 || !r.is(from, ",")); {
		switch {
		case r.is(from, "?"):
			choices++
		case r.is(from, ":") && choices > 0:
			choices--
		}
		if from++; r.isOneOf(from-1, "(", "[", "{") {
			from = r.closing(from-1) + 1
		}
	}
	return min(from, end)
}
