package cfatest

import "fmt"

// Idioms that bring their own objects.

// large is an array that is too long to be taken apart.
func (g *generator) large() bool {
	if g.loops > 0 {
		return false
	}
	a, i := g.name("x"), g.name("i")
	t := scalars[g.IntN(len(scalars)-1)]
	g.line("static %s;", t.declare(a+"[100]"))
	g.line("for (int %s = 0; %s < 3; %s++)", i, i, i)
	g.line("\t%s[%s * 7] = %s;", a, i, g.value(1))
	g.line("%s[99]++;", a)
	g.line("out(%s[%d] + %s[99]);", a, 7*g.IntN(4), a)
	return true
}

// number makes a number of a pointer and a pointer of it again.
func (g *generator) number() bool {
	p, ok := g.place(func(a, _ *ctype) bool { return a.kind == pointer && a.elem.kind != array }, nil, false)
	if !ok {
		return false
	}
	n := g.name("n")
	g.line("__UINTPTR_TYPE__ %s = (__UINTPTR_TYPE__)(%s ? %s : 0);", n, p.guard(), p.text)
	switch g.IntN(3) {
	case 0:
		g.line("%s += 8;", n)
		g.line("%s = %s - %d;", n, n, 8)
	case 1:
		g.line("%s = ~%s;", n, n)
		g.line("%s = ~%s;", n, n)
	}
	if x, ok := g.walk(object{name: fmt.Sprintf("((%s)%s)", p.typ.spelled(), n), typ: p.typ, level: anyLevel}, func(t *ctype) bool { return t.kind == scalar }); ok {
		g.line("out(%s);", x.value())
	}
	return true
}

// dynamic is an array that is allocated, and perhaps grows.
func (g *generator) dynamic() bool {
	h, i := g.name("h"), g.name("i")
	t := scalars[g.IntN(len(scalars))]
	g.line("%s = %s;", pointerTo(t).declare(h), g.pick(fmt.Sprintf("malloc(3 * sizeof(%s))", t.name), fmt.Sprintf("calloc(3, sizeof *%s)", h)))
	g.line("if (!%s) abort();", h)
	g.line("for (int %s = 0; %s < 3; %s++)", i, i, i)
	g.line("\t%s[%s] = %s + %s;", h, i, g.value(1), i)
	if g.IntN(2) == 0 {
		g.line("%s = realloc(%s, 5 * sizeof *%s);", h, h, h)
		g.line("if (!%s) abort();", h)
		g.line("%s[4] = %s[3] = *(%s + 1);", h, h, h)
		g.line("out(%s[4]);", h)
	}
	g.line("out(%s[%s] + *%s);", h, g.index(2), h)
	g.line("free(%s);", h)
	return true
}

// remove takes an element out of a list of its own.
func (g *generator) remove() bool {
	if g.loops > 0 {
		return false
	}
	s, l, e, i := g.name("el"), g.name("l"), g.name("e"), g.name("i")
	g.line("struct %s { int v; struct %s *next; } *%s = 0;", s, s, l)
	g.line("for (int %s = 0; %s < 3; %s++) {", i, i, i)
	g.line("\tstruct %s *%s = malloc(sizeof *%s);", s, e, e)
	g.line("\tif (!%s) abort();", e)
	g.line("\t%s->v = %s; %s->next = %s; %s = %s;", e, i, e, l, l, e)
	g.line("}")
	g.line("for (struct %s **%s = &%s; *%s; ) {", s, e, l, e)
	g.line("\tif ((*%s)->v == %d) {", e, g.IntN(4))
	g.line("\t\tstruct %s *gone = *%s;", s, e)
	g.line("\t\t*%s = gone->next;", e)
	g.line("\t\tfree(gone);")
	g.line("\t} else")
	g.line("\t\t%s = &(*%s)->next;", e, e)
	g.line("}")
	g.line("for (struct %s *%s = %s; %s; %s = %s->next)", s, e, l, e, e, e)
	g.line("\tout(%s->v);", e)
	return true
}

// names is a table of strings, and a table of places.
func (g *generator) names() bool {
	n, i := g.name("w"), g.name("i")
	g.line("static const char *const %s[] = { \"on\", %s, \"\" };", n, g.pick("0", `"off"`, `"on" + 1`))
	g.line("for (unsigned %s = 0; %s < sizeof %s / sizeof *%s; %s++)", i, i, n, n, i)
	g.line("\tif (%s[%s]) out(%s[%s][0]);", n, i, n, i)
	a := g.name("z")
	g.line("static int %s[3] = { 1, 2, %d };", a, g.IntN(5))
	g.line("static int *%s_p[2] = { &%s[1], %s + 2 };", a, a, a)
	g.line("*%s_p[%s] += %s;", a, g.index(2), g.value(1))
	g.line("out(%s_p[0][-1] + %s_p[1][0] + %s[1]);", a, a, a)
	return true
}

// either is a union of pointers.
func (g *generator) either() bool {
	u, x := g.name("u"), g.name("x")
	g.line("int %s = %s; long %s_l = %s;", x, g.value(1), x, g.value(1))
	g.line("union { int *i; long *l; void *v; __UINTPTR_TYPE__ n; } %s;", u)
	g.line("if (%s) { %s.i = &%s; out(*%s.i); } else { %s.l = &%s_l; out(*%s.l); }", g.value(1), u, x, u, u, x, u)
	if g.IntN(2) == 0 {
		g.line("%s.v = &%s;", u, x)
		g.line("*%s.i += 2;", u)
		g.line("out(%s + (%s.n == (__UINTPTR_TYPE__)&%s));", x, u, x)
	}
	return true
}

// part copies a part of an array, byte by byte or at once.
func (g *generator) part() bool {
	a, i := g.name("x"), g.name("i")
	t := scalars[g.IntN(len(scalars)-1)]
	g.line("%s = { 1, %d, 3, %d };", arrayOf(t, 4).declare(a), g.IntN(9), g.IntN(9))
	switch g.IntN(3) {
	case 0:
		g.line("memcpy(%s + 2, %s, 2 * sizeof *%s);", a, a, a)
	case 1:
		g.line("memset(&%s[1], %s, sizeof %s - sizeof *%s);", a, g.pick("0", "1", "-1"), a, a)
	case 2:
		g.line("for (unsigned %s = 0; %s < sizeof *%s; %s++)", i, i, a, i)
		g.line("\t((char *)&%s[3])[%s] = ((char *)&%s[1])[%s];", a, i, a, i)
	}
	g.line("out(%s[%s]);", a, g.index(4))
	g.line("out(%s[3]);", a)
	return true
}

// lend lets a global point to a local object for a while.
func (g *generator) lend() bool {
	if len(g.lenders) == 0 {
		return false
	}
	l, x := g.lenders[g.IntN(len(g.lenders))], g.name("x")
	g.line("int %s[2] = { %s, %s };", x, g.value(1), g.value(1))
	g.line("%s = &%s[%s];", l, x, g.index(2))
	g.line("out(%s_use(%s) + %s[0] + 2 * %s[1]);", l, g.value(1), x, x)
	g.line("%s = 0;", l)
	return true
}

// lender writes what lend needs.
func (g *generator) lender() {
	l := g.name("lent")
	g.line("static int *%s;", l)
	g.line("static int %s_use(int x) { if (!%s) return x; *%s += x; return *%s; }", l, l, l, l)
	g.lenders = append(g.lenders, l)
}

// pointers is an array of pointers that change places.
func (g *generator) pointers() bool {
	a, x := g.name("p"), g.name("x")
	g.line("short %s[3] = { %s, 2, 3 }, *%s[3] = { %s, %s + 1, &%s[2] };", x, g.value(1), a, x, x, x)
	g.line("{ short *t = %s[%s]; %s[0] = %s[2]; %s[2] = t; }", a, g.index(2), a, a, a)
	g.line("*%s[%s] = %s;", a, g.index(2), g.value(1))
	g.line("out(*%s[0] + 3 * *%s[2] + 5 * %s[1] + (%s[0] - %s) + (%s[0] == %s[2]));", a, a, x, a, x, a, a)
	return true
}
