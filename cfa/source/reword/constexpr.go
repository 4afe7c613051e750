package reword

// Objects that are constexpr (C23 6.7.2), see c23.go.

import (
	"slices"

	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// A constant is an integer that is constexpr.
type constant struct {
	typ, value []preprocess.Token
	depth      int // of the braces around it
}

// constexprs writes objects that are constexpr as const ones, and the names of integers as their values. Where no
// specifier follows the word it is a name, as before C23.
func constexprs(r *rewriter) {
	for i := range r.in {
		if r.is(i, "constexpr") && !r.isName(i+1) && !r.is(i+1, "[") { // a specifier follows a storage class
			return
		}
	}
	c := constantsOf{r: r, declared: r.declaredNames(), visible: map[string]constant{}}
	for i := 0; i < len(r.in) && r.err == nil; i++ {
		switch {
		case r.is(i, "{"):
			c.depth++
		case r.is(i, "}"):
			c.leave()
		case r.isOneOf(i, "sizeof", "__alignof__", "_Alignof", "typeof", "__typeof__", "__typeof", "alignof") &&
			r.is(i+1, "("):
			i = r.closing(i + 1)
		case r.is(i, "constexpr"):
			i = c.declaration(i)
		case r.isName(i):
			c.use(i)
		}
	}
}

// constantsOf are those that are visible while a text is gone over.
type constantsOf struct {
	r        *rewriter
	declared map[string]int
	visible  map[string]constant
	depth    int
}

func (c *constantsOf) leave() {
	c.depth--
	for name, k := range c.visible {
		if k.depth > c.depth {
			delete(c.visible, name)
		}
	}
}

// declaration writes the one with the word at i, and gives the place before its first value.
func (c *constantsOf) declaration(i int) int {
	r := c.r
	begin := i
	for r.isName(begin - 1) {
		begin--
	}
	word := "const"
	if c.depth == 0 && !slices.ContainsFunc(r.in[begin:i], func(t preprocess.Token) bool { return t.Is("static") }) {
		word = "static const"
	}
	r.replace(i, i+1, made(word, r.in[i])...)
	d := rewriter{in: append(append(slices.Clone(r.in[begin:i]), made("const", r.in[i])...), r.in[i+1:]...)}
	end := d.specifiers()
	if end == 0 {
		r.refuse(r.in[i], "constexpr here", "write its type")
		return i
	}
	typ := slices.DeleteFunc(slices.Clone(d.in[:end]), func(t preprocess.Token) bool {
		return t.Is("static") || t.Is("auto") || t.Is("register")
	})
	behind := begin + end // the word is one token in both
	c.declarators(behind, typ)
	return behind - 1
}

// declarators notes the integers among those that begin at a place.
func (c *constantsOf) declarators(i int, typ []preprocess.Token) {
	r := c.r
	isInteger := !slices.ContainsFunc(typ, func(t preprocess.Token) bool {
		return t.Is("float") || t.Is("double") || t.Is("struct") || t.Is("union") || t.Is("{")
	})
	for i < len(r.in) && !r.is(i, ";") {
		end := i
		for end < len(r.in) && !r.isOneOf(end, ",", ";") {
			if end++; r.isOneOf(end-1, "(", "[", "{") {
				end = r.closing(end-1) + 1
			}
		}
		if isInteger && r.isName(i) && r.is(i+1, "=") && !r.is(i+2, "{") && c.declared[r.in[i].Text] == 1 {
			value := rewriter{in: r.in[i+2 : end]}
			inner := constantsOf{r: &value, declared: c.declared, visible: c.visible}
			for k := range value.in {
				inner.use(k)
			}
			c.visible[r.in[i].Text] = constant{typ, value.result(), c.depth}
		}
		i = end + 1
		if r.is(end, ";") {
			return
		}
	}
}

// use writes a name as its value, where it is a constant's.
func (c *constantsOf) use(i int) {
	r := c.r
	k, ok := c.visible[r.in[i].Text]
	if !ok || r.isOneOf(i-1, ".", "->", "&", "goto", "struct", "union", "enum") ||
		r.isOneOf(i+1, "=", ":") && !r.constantBefore(i) {
		return
	}
	for open := i - 1; r.is(open, "("); open-- {
		if r.is(open-1, "&") {
			return
		}
	}
	by := append(made("((", r.in[i]), moved(k.typ)...)
	by = append(append(by, made(")(", r.in[i])...), moved(k.value)...)
	r.replace(i, i+1, append(by, made("))", r.in[i])...)...)
}

// constantBefore reports whether what stands before a name and a colon makes it a part of an expression.
func (r *rewriter) constantBefore(i int) bool {
	return r.is(i+1, ":") && !r.isOneOf(i-1, ";", "{", "}", ":", ")", "else", "do", ",")
}

// declaredNames counts for each name the places where it may be declared.
func (r *rewriter) declaredNames() map[string]int {
	all := map[string]int{}
	begins := true
	for i := range r.in {
		if begins {
			for _, name := range r.namesDeclared(i) {
				all[name]++
			}
		}
		if r.isName(i) && r.is(i-1, "(") || r.isName(i) && r.is(i-1, ",") { // a parameter
			d := rewriter{in: r.in[i:]}
			if end := d.specifiers(); end > 0 {
				for d.is(end, "*") || d.is(end, "(") || d.isOneOf(end, qualifiers...) {
					end++
				}
				if d.isName(end) {
					all[d.in[end].Text]++
				}
			}
		}
		begins = r.isOneOf(i, ";", "{", "}", ":", ")", "(")
	}
	return all
}

// namesDeclared are the names of a declaration that begins at i.
func (r *rewriter) namesDeclared(i int) (names []string) {
	d := rewriter{in: r.in[i:]}
	for d.is(0, "constexpr") {
		d.in = d.in[1:]
	}
	isWord := func(t preprocess.Token) bool { return t.Is("constexpr") }
	if word := slices.IndexFunc(d.in[:min(len(d.in), 8)], isWord); word > 0 {
		d.in = append(slices.Clone(d.in[:word]), d.in[word+1:]...)
	}
	k := d.specifiers()
	if k == 0 {
		return nil
	}
	for ; k < len(d.in) && !d.isOneOf(k, ";", "{", "}"); k++ {
		for d.isOneOf(k, "*", "(") || d.isOneOf(k, qualifiers...) {
			k++
		}
		if d.isName(k) && d.in[k].Kind == lex.Name {
			names = append(names, d.in[k].Text)
		}
		for k < len(d.in) && !d.isOneOf(k, ",", ";", "{", "}") {
			if k++; d.isOneOf(k-1, "(", "[", "=") && !d.is(k-1, "=") {
				k = d.closing(k-1) + 1
			} else if d.is(k-1, "=") && d.is(k, "{") {
				k = d.closing(k) + 1
			}
		}
		if !d.is(k, ",") {
			return names
		}
	}
	return names
}
