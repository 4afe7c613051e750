package cfatest

import "fmt"

// Idioms that bring their own objects.

// idioms write what programs commonly do with memory: lend it, visit it, queue it, pass it as bytes or numbers.
type idioms struct {
	*terms
	// Names of functions that are there already.
	lenders, visitors, makers, queues, keepers []string
}

// large is an array that is too long to be taken apart.
func (g *idioms) large() bool {
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
func (g *idioms) number() bool {
	p, ok := g.lvalue(func(a, _ *ctype) bool { return a.kind == pointer && a.elem.kind != array }, nil, false)
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
	if x, ok := g.walk(object{name: fmt.Sprintf("((%s)%s)", p.typ.spelled(), n), typ: p.typ, level: anyLevel},
		func(t *ctype) bool { return t.kind == scalar }); ok {
		g.line("out(%s);", x.value())
	}
	return true
}

// dynamic is an array that is allocated, and perhaps grows.
func (g *idioms) dynamic() bool {
	h, i := g.name("h"), g.name("i")
	t := scalars[g.IntN(len(scalars))]
	g.line("%s = %s;", pointerTo(t).declare(h), g.pick(fmt.Sprintf("malloc(3 * sizeof(%s))", t.name),
		fmt.Sprintf("calloc(3, sizeof *%s)", h)))
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
func (g *idioms) remove() bool {
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

// names is a table of strings, and one of addresses.
func (g *idioms) names() bool {
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
func (g *idioms) either() bool {
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
func (g *idioms) part() bool {
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
func (g *idioms) lend() bool {
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
func (g *idioms) lender() {
	l := g.name("lent")
	g.line("static int *%s;", l)
	g.line("static int %s_use(int x) { if (!%s) return x; *%s += x; return *%s; }", l, l, l, l)
	g.lenders = append(g.lenders, l)
}

// pointers is an array of pointers that are swapped.
func (g *idioms) pointers() bool {
	a, x := g.name("p"), g.name("x")
	g.line("short %s[3] = { %s, 2, 3 }, *%s[3] = { %s, %s + 1, &%s[2] };", x, g.value(1), a, x, x, x)
	g.line("{ short *t = %s[%s]; %s[0] = %s[2]; %s[2] = t; }", a, g.index(2), a, a, a)
	g.line("*%s[%s] = %s;", a, g.index(2), g.value(1))
	g.line("out(*%s[0] + 3 * *%s[2] + 5 * %s[1] + (%s[0] - %s) + (%s[0] == %s[2]));", a, a, x, a, x, a, a)
	return true
}

// poke writes bytes, or a part, of an object.
func (g *idioms) poke() bool {
	x := g.name("x")
	t := scalars[g.IntN(10)]
	g.line("%s = %s;", t.declare(x), g.value(1))
	switch g.IntN(4) {
	case 0:
		g.line("((unsigned char *)&%s)[%s] = %s;", x, g.pick("0", "sizeof "+x+" - 1"), g.value(1))
	case 1:
		g.line("*(signed char *)&%s += 3;", x)
	case 2:
		g.line("unsigned char %s_b[sizeof %s];", x, x)
		g.line("memcpy(%s_b, &%s, sizeof %s);", x, x, x)
		g.line("%s_b[0] ^= 1;", x)
		g.line("memcpy(&%s, %s_b, sizeof %s);", x, x, x)
	case 3:
		g.line("struct { int a : 5; unsigned b : 3; _Bool c : 1; short d; } %s_s = { 1, %s, 1, 4 };", x, g.value(1))
		g.line("struct { unsigned short all; short d; } *%s_p = (void *)&%s_s;", x, x)
		g.line("%s_p->d = 3; %s_s.a = %s;", x, x, g.value(1))
		g.line("out(%s_s.a + %s_s.b * 3 + %s_s.c + %s_s.d + (%s_p->all & 0x1ff));", x, x, x, x, x)
	}
	g.line("out(%s);", x)
	return true
}

// visit calls a function that calls another one for each element.
func (g *idioms) visit() bool {
	if len(g.visitors) == 0 || g.loops > 0 {
		return false
	}
	v := g.visitors[g.IntN(len(g.visitors))]
	a := g.name("a")
	g.line("struct %s_item %s[2] = { { %s, 0 }, { 3, &%s[0] } }, *%s_p = &%s[1];", v, a, g.value(1), a, a, a)
	g.line("%s_each(%s_p, %s%s);", v, a, v, g.pick("_add", "_show", "_cut"))
	g.line("out(%s[0].v + 2 * %s[1].v + (%s[1].next == %s));", a, a, a, a)
	return true
}

// visitor writes what visit needs.
func (g *idioms) visitor() {
	v := g.name("vis")
	g.line("struct %s_item { int v; struct %s_item *next; };", v, v)
	g.line("static int %s_count;", v)
	g.line("static void %s_add(struct %s_item *i) { i->v += ++%s_count; }", v, v, v)
	g.line("static void %s_show(struct %s_item *i) { out(i->v); }", v, v)
	g.line("static void %s_cut(struct %s_item *i) { if (i->next && i->next->v & 1) i->next = i->next->next; }", v, v)
	g.line("static void %s_each(struct %s_item *i, void (*f)(struct %s_item *)) { for (; i; i = i->next) f(i); }", v, v, v)
	g.visitors = append(g.visitors, v)
}

// values takes structures as values.
func (g *idioms) values() bool {
	if len(g.makers) == 0 {
		return false
	}
	m := g.makers[g.IntN(len(g.makers))]
	a := g.name("a")
	g.line("struct %s %s = %s_make(%s), %s_b;", m, a, m, g.value(1), a)
	g.line("out(%s_make(%s).pair[%s] + (%s_b = %s).tag);", m, g.value(1), g.index(2), a, a)
	g.line("out((%s ? %s : %s_b).pair[0] + %s_sum(%s_b) + %s_at(&%s));", g.value(1), a, a, m, a, m, a)
	g.line("out(%s_sum((struct %s){ .tag = %s, .pair = { 1, 2 } }) + %s_at(&(struct %s){ 3, { %s } }));", m, m,
		g.value(1), m, m, g.value(1))
	return true
}

// maker writes what values needs.
func (g *idioms) maker() {
	m := g.name("mk")
	g.line("struct %s { char tag; short pair[2]; };", m)
	g.line("static struct %s %s_make(int x) { struct %s r = { x, { x + 1 } }; r.pair[1] = r.tag; return r; }", m, m, m)
	g.line("static int %s_sum(struct %s s) { s.tag++; return s.tag + s.pair[0] + s.pair[1]; }", m, m)
	g.line("static int %s_at(struct %s *s) { short *p = s->pair; return p[1] + (p[0] = s->tag, *p); }", m, m)
	g.makers = append(g.makers, m)
}

// along goes along strings and arrays by side effects.
func (g *idioms) along() bool {
	if g.loops > 0 {
		return false
	}
	s, d := g.name("s"), g.name("d")
	g.line("const char *%s = %s;", s, g.pick(`"ab"`, `""`, `"xyz"`))
	g.line("char %s[4] = \"....\", *%s_p = %s;", d, d, d)
	switch g.IntN(3) {
	case 0:
		g.line("while ((*%s_p++ = *%s++));", d, s)
	case 1:
		g.line("int %s_i = 0;", d)
		g.line("while (%s[%s_i]) { %s[%s_i] = %s[%s_i]; %s_i++; }", s, d, d, d, s, d, d)
		g.line("%s_p += %s_i;", d, d)
	case 2:
		g.line("for (%s_p += 3; %s_p > %s; --%s_p) *%s_p = %s_p[-1] + 1;", d, d, d, d, d, d)
	}
	g.line("out(%s_p - %s);", d, d)
	g.line("out(%s[%s] + (%s_p == %s + 1));", d, g.index(4), d, d)
	return true
}

// again points to the object of the last iteration of a loop, or to a static one.
func (g *idioms) again() bool {
	if g.loops > 0 {
		return false
	}
	p, i := g.name("p"), g.name("i")
	g.line("int *%s = 0, %s_k[2] = { 1, 2 };", p, p)
	g.line("for (int %s = 0; %s < 3; %s++) {", i, i, i)
	g.line("\tint %s_v = %s + (%s ? *%s : 0);", p, i, p, p)
	g.line("\tstatic int %s_s = 4;", p)
	g.line("\tif (%s_v & 1) %s = &%s_s; else %s = &%s_k[%s & 1];", p, p, p, p, p, i)
	g.line("\t*%s += %s_v + %s;", p, p, g.value(1))
	g.line("}")
	g.line("out(*%s + %s_k[0]);", p, p)
	return true
}

// mixed leads by one pointer to objects of several kinds.
func (g *idioms) mixed() bool {
	m := g.name("m")
	g.line("struct { int a; int b[2]; } %s = { 1, { 2, %s } };", m, g.value(1))
	g.line("int %s_x = 5, *%s_h = malloc(2 * sizeof(int));", m, m)
	g.line("if (!%s_h) abort();", m)
	g.line("%s_h[0] = %s_h[1] = 9;", m, m)
	g.line("int *%s_p = %s ? &%s_x : %s ? &%s.b[%s] : %s_h + 1;", m, g.value(1), m, g.value(1), m, g.index(2), m)
	g.line("int *%s_q = %s ? %s_p : &%s.a;", m, g.value(1), m, m)
	g.line("*%s_p = %s; *%s_q += 2;", m, g.value(1), m)
	g.line("out(%s.a + 3 * %s.b[0] + 5 * %s.b[1] + 7 * %s_x + 11 * %s_h[1] + (%s_p == %s_q));", m, m, m, m, m, m, m)
	return true
}
