package reword

// Objects whose type is that of their value (C23 6.7.10, GCC's manual, "Typeof").
//
// Idea: auto x = e is __auto_type x = e, which the parser reads within blocks and without other specifiers. Elsewhere,
// static auto x = e, the type is that of (void)0, e: a value, so that an array is an address and nothing is qualified.
// Then e stands there twice, the first time unevaluated, and is refused if it has statements in it.
//
// Cost: linear in the tokens.

// autoTypes writes declarations that have no type.
func autoTypes(r *rewriter) {
	depth := 0
	for i := 0; i < len(r.in) && r.err == nil; i++ {
		switch {
		case r.is(i, "{"):
			depth++
		case r.is(i, "}"):
			depth--
		case r.isOneOf(i, "auto", "__auto_type"):
			r.autoType(i, depth)
		}
	}
}

// autoType writes the declaration in which the word stands at i, if it has no type.
func (r *rewriter) autoType(i, depth int) {
	from := i
	for r.isSpecifierBefore(from) {
		if from--; r.is(from, ")") {
			from = r.opening(from) - 1
		}
	}
	name := r.inferred(from, i)
	if name == 0 || from > 0 && !r.isOneOf(from-1, ";", "{", "}", ":", ")", "(") {
		return
	}
	equals := name + 1
	for r.isAttribute(equals) {
		equals = r.closing(equals+1) + 1
	}
	end := r.endOfValue(equals + 1)
	if r.is(end, ",") {
		r.fault(r.in[end], "a declaration with auto declares one object")
		return
	}
	if depth > 0 && from == i && name == i+1 && equals == name+1 && r.isOneOf(i-1, ";", "{", "}", ":") {
		r.replace(i, i+1, made("__auto_type", r.in[i])...)
		return
	}
	value := r.in[equals+1 : end]
	for k := range value {
		if r.is(equals+1+k, "(", "{") {
			r.refuse(value[k], "statements in the value of an object that has its type and other specifiers", "write the type")
			return
		}
	}
	typ := append(made("__typeof__(((void)0, (", r.in[i]), moved(value)...)
	r.replace(i, i+1, append(typ, made(")))", r.in[i])...)...)
}

// isSpecifierBefore reports whether a specifier that is no type ends before i.
func (r *rewriter) isSpecifierBefore(i int) bool {
	if r.is(i-1, ")") {
		open := r.opening(i - 1)
		return r.is(open-1, "_Alignas") || r.isAttribute(open-1)
	}
	isType, known := specifierWords[r.text(i-1)]
	return r.isName(i-1) && (known && !isType || r.isOneOf(i-1, qualifiers...))
}

// inferred is the place of the name that a declaration without a type declares, whose word is at i; 0 if it has a type.
func (r *rewriter) inferred(from, i int) (name int) {
	for k := from; k < len(r.in); {
		isType, known := specifierWords[r.text(k)]
		switch {
		case r.isAttribute(k), r.is(k, "_Alignas", "("):
			k = r.closing(k+1) + 1
		case k == i, known && !isType, r.isOneOf(k, qualifiers...):
			k++
		case !r.isName(k) || name > 0 || isType || typeWords[r.text(k)]:
			if r.is(k, "=") {
				return name
			}
			return 0
		default:
			name = k
			k++
		}
	}
	return 0
}

// endOfValue is the place of the comma, semicolon or bracket behind the value that begins at i.
func (r *rewriter) endOfValue(i int) int {
	for i < len(r.in) && !r.isOneOf(i, ",", ";", ")", "]", "}") {
		if i++; r.isOneOf(i-1, "(", "[", "{") {
			i = r.closing(i-1) + 1
		}
	}
	return i
}

// text is that of the token at i, or "".
func (r *rewriter) text(i int) string {
	if i < 0 || i >= len(r.in) {
		return ""
	}
	return r.in[i].Text
}
