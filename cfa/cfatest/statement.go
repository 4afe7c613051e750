package cfatest

import (
	"fmt"
	"slices"
	"strings"
)

func (g *generator) statement(depth int) {
	g.budget--
	if depth > 0 {
		switch g.IntN(9) {
		case 0, 1:
			g.line("if (%s)", g.value(2))
			g.block(depth)
			if g.IntN(2) == 0 {
				g.line("else")
				g.block(depth)
			}
			return
		case 2:
			if g.loops < 2 {
				i := g.name("i")
				g.loops++
				g.line("for (int %s = 0; %s < %d; %s++)", i, i, 1+g.IntN(4), i)
				g.block(depth, object{name: i, typ: integer, level: g.indent + 1, fixed: true})
				g.loops--
				return
			}
		case 3:
			g.line("switch (%s & 3) {", g.value(1))
			for _, c := range []string{"case 0:", "case 2:", "default:"} {
				g.line("%s", c)
				g.block(depth)
				g.line("break;")
			}
			g.line("}")
			return
		}
	}
	idioms := []func() bool{
		g.assignScalar, g.assignScalar, g.assignScalar, g.assignPointer, g.assignPointer, g.assignRecord,
		g.call, g.call, g.indirectCall, g.indirectCall, g.allocate, g.list, g.sweep, g.container, g.bytes,
		g.literal, g.letters,
		g.matrix, g.table, g.indirect, g.flexible, g.variant,
		g.idioms.large, g.idioms.number, g.idioms.dynamic, g.idioms.remove, g.idioms.names, g.idioms.either,
		g.idioms.part, g.idioms.lend, g.idioms.pointers,
		g.idioms.poke, g.idioms.visit, g.idioms.values, g.idioms.along, g.idioms.again, g.idioms.mixed,
		g.idioms.throughBytes, g.idioms.asParts, g.idioms.asNumber, g.idioms.xorList, g.idioms.queue, g.idioms.keep,
	}
	if idioms[g.IntN(len(idioms))]() {
		return
	}
	g.line("out(%s);", g.value(3))
}

// block writes a block, perhaps with a declaration.
func (g *generator) block(depth int, more ...object) {
	outer := len(g.scope)
	g.scope = append(g.scope, more...)
	g.line("{")
	g.indent++
	if g.IntN(3) == 0 {
		g.local()
	}
	for range 1 + g.IntN(3) {
		g.statement(depth - 1)
	}
	g.indent--
	g.line("}")
	g.scope = g.scope[:outer]
}

func (g *generator) assignScalar() bool {
	p, ok := g.lvalue(isScalar, nil, true)
	if !ok {
		return false
	}
	switch g.IntN(5) {
	case 0:
		g.line("if (%s) %s%s;", p.guard(), p.text, g.pick("++", "--", " ^= 3"))
	case 1:
		g.line("if (%s) %s %s %s;", p.guard(), p.text, g.pick("+=", "-=", "|=", "*=", "&="), g.value(2))
	default:
		g.line("if (%s) %s = %s;", p.guard(), p.text, g.value(3))
	}
	return true
}

func (g *generator) assignPointer() bool {
	p, ok := g.lvalue(func(a, _ *ctype) bool { return a.kind == pointer || a.kind == code }, nil, true)
	if !ok {
		return false
	}
	g.line("if (%s) %s = %s;", p.guard(), p.text, g.address(p.typ, g.levelBehind(p)))
	return true
}

func (g *generator) assignRecord() bool {
	p, ok := g.lvalue(func(a, _ *ctype) bool { return a.kind == record }, nil, true)
	if !ok {
		return false
	}
	q, ok := g.lvalue(same, p.typ, false)
	if !ok {
		return false
	}
	guards := strings.Join(slices.Concat(p.guards, q.guards, []string{"1"}), " && ")
	if g.IntN(4) == 0 {
		// Through a temporary: memcpy must not overlap itself.
		t := g.name("t")
		g.line("if (%s) { %s; memcpy(&%s, &%s, sizeof %s); memcpy(&%s, &%s, sizeof(%s)); }", guards,
			p.typ.declare(t), t, q.text, t, p.text, t, p.typ.spelled())
		return true
	}
	g.line("if (%s) %s = %s;", guards, p.text, q.text)
	return true
}

// call calls a function with any values and keeps its result.
func (g *generator) call() bool {
	if len(g.callees) == 0 || g.loops > 1 {
		return false
	}
	f := g.callees[g.IntN(len(g.callees))]
	var args []string
	for _, t := range f.params {
		switch t.kind {
		case scalar:
			args = append(args, g.value(2))
		case record:
			p, ok := g.lvalue(same, t, false)
			if !ok || len(p.guards) > 0 {
				args = append(args, fmt.Sprintf("(%s){ 0 }", t.spelled()))
				continue
			}
			args = append(args, p.text)
		default:
			args = append(args, g.address(t, anyLevel))
		}
	}
	call := fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
	if f.result == nil {
		g.line("%s;", call)
		return true
	}
	o := object{name: g.name("c"), typ: f.result, level: g.indent}
	g.line("%s = %s;", o.typ.declare(o.name), call)
	if o.typ.kind != pointer { // whose object may be any that the function knew
		g.scope = append(g.scope, o)
	}
	return true
}

// indirectCall calls through a pointer.
func (g *generator) indirectCall() bool {
	p, ok := g.lvalue(same, function, false)
	if !ok {
		return false
	}
	g.line("if (%s && %s) out(%s(%s));", p.guard(), p.text, g.pick(p.text, "(*"+p.text+")"), g.value(1))
	return true
}

// allocate makes an object that lasts.
func (g *generator) allocate() bool {
	t := g.records[g.IntN(len(g.records))]
	o := object{name: g.name("h"), typ: pointerTo(t), level: g.indent, fixed: true}
	size := g.pick("sizeof *"+o.name, "sizeof("+t.spelled()+")")
	if g.IntN(2) == 0 {
		g.line("%s = malloc(%s);", o.typ.declare(o.name), size)
		g.line("if (!%s) abort();", o.name)
		g.line("memset(%s, 0, %s);", o.name, size)
	} else {
		g.line("%s = calloc(1, %s);", o.typ.declare(o.name), size)
		g.line("if (!%s) abort();", o.name)
	}
	if p, ok := g.lvalue(same, t, false); ok {
		g.line("if (%s) *%s = %s;", p.guard(), o.name, p.text)
	}
	if p, ok := g.lvalue(same, o.typ, true); ok {
		g.line("if (%s) %s = %s;", p.guard(), p.text, o.name)
	} else if g.IntN(2) == 0 {
		if p, ok := g.walk(object{name: "(*" + o.name + ")", typ: t}, func(t *ctype) bool { return t.kind == scalar }); ok {
			g.line("out(%s);", p.value())
		}
		g.line("free(%s);", o.name)
		return true
	}
	g.scope = append(g.scope, o)
	return true
}

// list builds a list and walks along it.
func (g *generator) list() bool {
	for _, t := range g.records {
		for _, f := range t.fields {
			value := slices.IndexFunc(t.fields, func(f field) bool { return f.typ.kind == scalar })
			if !same(f.typ, pointerTo(t)) || value < 0 {
				continue
			}
			head, e, n := g.name("l"), g.name("e"), g.name("n")
			g.line("%s = 0;", f.typ.declare(head))
			g.line("for (int %s = 0; %s < %d; %s++) {", n, n, 1+g.IntN(3), n)
			g.line("\t%s = calloc(1, sizeof *%s);", f.typ.declare(e), e)
			g.line("\tif (!%s) abort();", e)
			g.line("\t%s->%s = %s + %s;", e, t.fields[value].name, n, g.value(1))
			g.line("\t%s->%s = %s;", e, f.name, head)
			g.line("\t%s = %s;", head, e)
			g.line("}")
			g.line("for (%s = %s; %s; %s = %s->%s)", f.typ.declare(e), head, e, e, e, f.name)
			g.line("\tout(%s->%s);", e, t.fields[value].name)
			g.scope = append(g.scope, object{name: head, typ: f.typ, level: g.indent})
			return true
		}
	}
	return false
}

// sweep goes through an array by a pointer.
func (g *generator) sweep() bool {
	a, ok := g.lvalue(func(a, _ *ctype) bool { return a.kind == array && a.elem.kind == scalar }, nil, true)
	if !ok {
		return false
	}
	p := g.name("p")
	elem := pointerTo(a.typ.elem)
	g.line("if (%s) {", a.guard())
	switch g.IntN(3) {
	case 0:
		g.line("\tfor (%s = %s; %s < %s + %d; %s++)", elem.declare(p), a.text, p, a.text, a.typ.n, p)
		g.line("\t\t*%s %s %d;", p, g.pick("+=", "=", "^="), g.IntN(5))
	case 1:
		g.line("\t%s = &%s[%d];", elem.declare(p), a.text, a.typ.n)
		g.line("\twhile (%s != %s)", p, a.text)
		g.line("\t\tout(*--%s);", p)
	case 2:
		g.line("\t%s = %s;", elem.declare(p), a.text)
		g.line("\t*%s++ = %s;", p, g.value(1))
		g.line("\tout(%s[-1] + *%s + (%s - %s));", p, p, p, a.text)
	}
	g.line("}")
	return true
}

// container goes from a member back to the structure around it.
func (g *generator) container() bool {
	p, ok := g.lvalue(func(a, _ *ctype) bool { return a.kind == record }, nil, false)
	if !ok {
		return false
	}
	f := p.typ.fields[g.IntN(len(p.typ.fields))]
	if f.bits > 0 {
		return false
	}
	m, c := g.name("m"), g.name("o")
	g.line("if (%s) {", p.guard())
	g.line("\t%s = &%s.%s;", pointerTo(f.typ).declare(m), p.text, f.name)
	g.line("\t%s = (%s)((char *)%s - offsetof(%s, %s));", pointerTo(p.typ).declare(c),
		pointerTo(p.typ).spelled(), m, p.typ.spelled(), f.name)
	if q, ok := g.walk(object{name: c, typ: pointerTo(p.typ)}, func(t *ctype) bool { return t.kind == scalar }); ok {
		g.line("\tout(%s);", q.value())
	}
	g.line("\tout(%s == &%s);", c, p.text)
	g.line("}")
	return true
}

// bytes looks at the bytes of an object, or clears them.
func (g *generator) bytes() bool {
	if g.IntN(2) == 0 {
		p, ok := g.lvalue(func(a, _ *ctype) bool { return a.kind == record || a.kind == array }, nil, true)
		if !ok {
			return false
		}
		g.line("if (%s) memset(&%s, 0, sizeof(%s));", p.guard(), p.text, p.typ.spelled())
		return true
	}
	p, ok := g.lvalue(isScalar, nil, false)
	if !ok || p.bits {
		return false
	}
	g.line("if (%s) out(*(%s char *)&%s);", p.guard(), g.pick("unsigned", "signed"), p.text)
	return true
}

// literal assigns a compound literal.
func (g *generator) literal() bool {
	p, ok := g.lvalue(func(a, _ *ctype) bool { return a.kind == record }, nil, true)
	if !ok {
		return false
	}
	f := p.typ.fields[g.IntN(len(p.typ.fields))]
	if f.typ.kind != scalar {
		g.line("if (%s) %s = (%s){ 0 };", p.guard(), p.text, p.typ.spelled())
		return true
	}
	g.line("if (%s) %s = (%s){ .%s = %s };", p.guard(), p.text, p.typ.spelled(), f.name, g.value(1))
	return true
}

// letters looks into a string.
func (g *generator) letters() bool {
	s := g.name("t")
	switch g.IntN(3) {
	case 0:
		g.line("const char *%s = %s;", s, g.pick(`"ab\377"`, `"x"`, `""`, `"long" "er"`))
		g.line("while (*%s) out(*%s++);", s, s)
	case 1:
		g.line("out(%s[%s]);", g.pick(`"abc"`, `"\x7f\1\2"`), g.index(4))
	case 2:
		g.line("char %s[%s] = \"pq\";", s, g.pick("", "4"))
		g.line("%s[%s] = %s;", s, g.index(2), g.value(1))
		g.line("out(%s[0] + 2 * %s[1] + sizeof %s);", s, s, s)
	}
	return true
}

// matrix goes through an array of arrays.
func (g *generator) matrix() bool {
	if g.loops > 0 {
		return false
	}
	m, i, j := g.name("x"), g.name("i"), g.name("j")
	t := scalars[g.IntN(len(scalars))]
	g.line("%s = { { 1 }, { %d, 3 } };", arrayOf(arrayOf(t, 2), 2).declare(m), g.IntN(4))
	g.line("for (int %s = 0; %s < 2; %s++)", i, i, i)
	g.line("\tfor (int %s = 0; %s < 2; %s++)", j, j, j)
	g.line("\t\t%s[%s][%s] %s %s + %s;", m, i, j, g.pick("+=", "=", "-="), g.value(1), j)
	switch g.IntN(3) {
	case 0:
		g.line("out(%s[%s][%s]);", m, g.index(2), g.index(2))
	case 1:
		row := g.name("w")
		g.line("%s = &%s[%s];", pointerTo(arrayOf(t, 2)).declare(row), m, g.index(2))
		g.line("out((*%s)[%s] + **%s);", row, g.index(2), m)
	case 2:
		e := g.name("q")
		g.line("%s = %s[%s] + %s;", pointerTo(t).declare(e), m, g.index(2), "("+g.index(2)+")")
		g.line("*%s = %s;", e, g.value(1))
		g.line("out(%s[0][0] + 3 * %s[0][1] + 5 * %s[1][0] + 7 * %s[1][1]);", m, m, m, m)
	}
	return true
}

// table calls the functions of a table, as drivers do.
func (g *generator) table() bool {
	s, ops, d := g.name("ops"), g.name("k"), g.name("d")
	op := func() string { return g.pick(g.simple...) }
	g.line("struct %s { int (*start)(int); int (*stop)(int); };", s)
	g.line("static const struct %s %s[2] = { { %s, %s }, { .stop = %s, .start = %s } };", s, ops, op(), op(), op(), op())
	g.line("struct { const struct %s *ops; int state; } %s = { &%s[%s], %s }, *%s_p = &%s;", s, d, ops,
		g.index(2), g.value(1), d, d)
	g.line("if (%s_p->ops->start) %s_p->state = %s_p->ops->start(%s_p->state);", d, d, d, d)
	if g.IntN(2) == 0 {
		g.line("%s_p->ops = &%s[%s];", d, ops, g.index(2))
	}
	g.line("out(%s.ops->stop(%s.state) + (%s.ops - %s));", d, d, d, ops)
	return true
}

// indirect assigns to a pointer, or an object, through another pointer.
func (g *generator) indirect() bool {
	p, ok := g.lvalue(func(a, _ *ctype) bool { return a.kind == pointer }, nil, true)
	if !ok {
		return false
	}
	q := g.name("y")
	if g.IntN(2) == 0 {
		g.line("if (%s) {", p.guard())
		g.line("\t%s = &%s;", pointerTo(p.typ).declare(q), p.text)
		g.line("\t*%s = %s;", q, g.address(p.typ, g.levelBehind(p)))
		g.line("\tout(*%s == %s);", q, p.text)
		g.line("}")
		return true
	}
	g.line("void *%s = %s ? %s : 0;", q, p.guard(), p.text)
	if x, ok := g.walk(object{name: fmt.Sprintf("((%s)%s)", p.typ.spelled(), q), typ: p.typ, level: anyLevel},
		func(t *ctype) bool { return t.kind == scalar }); ok {
		g.line("out(%s);", x.value())
	}
	return true
}

// flexible allocates a structure that ends in an array.
func (g *generator) flexible() bool {
	h, s := g.name("z"), g.name("flex")
	t := scalars[g.IntN(len(scalars))]
	g.line("struct %s { short n; %s; } *%s = malloc(sizeof *%s + 2 * sizeof(%s));", s, t.declare("a[]"), h, h, t.name)
	g.line("if (!%s) abort();", h)
	g.line("%s->n = %s;", h, g.value(1))
	g.line("%s->a[0] = %s;", h, g.value(1))
	g.line("%s->a[1] = %s;", h, g.value(1))
	g.line("%s->a[%s]++;", h, g.index(2))
	g.line("out(%s->n + %s->a[%s]);", h, h, g.index(2))
	return true
}

// variant is a structure with a tag and an anonymous union.
func (g *generator) variant() bool {
	v := g.name("w")
	g.line("struct { char tag; union { int i; struct { short lo, hi; }; unsigned u; }; } %s = { .tag = %d };",
		v, g.IntN(3))
	g.line("if (%s) { %s.tag = 1; %s.i = %s; } else { %s.tag = 2; %s.lo = %s; %s.hi = 1; }", g.value(1), v, v,
		g.value(1), v, v, g.value(1), v)
	g.line("out(%s.tag == 1 ? %s.u : %s.hi);", v, v, v)
	return true
}
