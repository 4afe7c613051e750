package cfatest

import "fmt"

// Idioms in which a pointer is for a while something else than a pointer: bytes,
// parts of a structure, numbers. Numbers are told only after they are pointers
// again.

// word is an unsigned integer as wide as a pointer.
const word = "__UINTPTR_TYPE__"

// aim declares an object to point to and the type of a pointer to it: an int, or
// a function.
func (g *idioms) aim() (name string, typ *ctype) {
	if g.IntN(4) == 0 {
		return g.pick(g.simple...), function
	}
	x := g.name("x")
	g.line("%sint %s = 5;", g.pick("", "static "), x)
	return "&" + x, pointerTo(integer)
}

// strike uses a pointer that was made again: a store, which must be seen in the
// object, or a call.
func (g *idioms) strike(pointer, name string, typ *ctype) {
	if typ.kind == code {
		g.line("out(%s(%s) + (%s == %s));", pointer, g.value(1), pointer, name)
		return
	}
	g.line("*%s %s %s;", pointer, g.pick("=", "+=", "-="), g.value(1))
	g.line("out(%s + 2 * (%s == %s));", name[1:], pointer, name)
}

// throughBytes copies a pointer by its bytes.
func (g *idioms) throughBytes() bool {
	name, t := g.aim()
	p, q, b, i := g.name("p"), g.name("q"), g.name("b"), g.name("i")
	g.line("%s = %s, %s = 0;", t.declare(p), name, declarator(t, q))
	switch g.IntN(5) {
	case 0:
		g.line("%s %s[sizeof %s];", g.pick("char", "unsigned char", "signed char"), b, p)
		g.line("memcpy(%s, &%s, sizeof %s);", b, p, p)
		g.line("memcpy(&%s, %s, sizeof %s);", q, b, p)
	case 1:
		g.line("unsigned short %s[sizeof %s / 2];", b, p)
		g.line("memcpy(%s, &%s, sizeof %s);", b, p, p)
		g.line("for (unsigned %s = 0; %s < sizeof %s / 2; %s++)", i, i, p, i)
		g.line("\t((unsigned short *)&%s)[%s] = %s[%s];", q, i, b, i)
	case 2:
		g.line("for (unsigned %s = 0; %s < sizeof %s; %s++)", i, i, p, i)
		g.line("\t((%s *)&%s)[%s] = ((unsigned char *)&%s)[%s];", g.pick("char", "unsigned char"), q, i, p, i)
	case 3:
		g.line("unsigned char *%s = malloc(2 * sizeof %s);", b, p)
		g.line("if (!%s) abort();", b)
		g.line("for (unsigned %s = 0; %s < sizeof %s; %s++)", i, i, p, i)
		g.line("\t%s[%s] = ((unsigned char *)&%s)[%s];", b, i, p, i)
		g.line("memcpy(%s + sizeof %s, %s, sizeof %s);", b, p, b, p)
		g.line("memcpy(&%s, %s + sizeof %s, sizeof %s);", q, b, p, p)
		g.line("free(%s);", b)
	case 4:
		g.line("union { %s; unsigned char all[sizeof %s]; } %s, %s_u;", t.declare("it"), p, b, b)
		g.line("%s.it = %s; %s_u.it = 0;", b, p, b)
		g.line("for (unsigned %s = 0; %s < sizeof %s; %s++)", i, i, p, i)
		g.line("\t%s_u.all[%s] = %s.all[%s];", b, i, b, i)
		g.line("%s = %s_u.it;", q, b)
	}
	g.strike(q, name, t)
	return true
}

// declarator is the declaration of a further name in a list.
func declarator(t *ctype, name string) string {
	if t.kind == code {
		return fmt.Sprintf("(*%s)(int)", name)
	}
	return "*" + name
}

// asParts copies a pointer as a structure of narrower members.
func (g *idioms) asParts() bool {
	name, t := g.aim()
	s, a, b := g.name("part"), g.name("a"), g.name("b")
	g.line("struct %s { %s; int n; } %s = { %s, 3 }, %s = { 0, 0 };", s, t.declare("it"), a, name, b)
	switch g.IntN(3) {
	case 0:
		g.line(
			"struct %s_raw { unsigned short h[sizeof(%s) / 2]; int n[sizeof(%s) / 4]; } %s_r = *(struct %s_raw *)&%s;",
			s, word, word, a, s, a)
		g.line("memcpy(&%s, &%s_r, sizeof %s);", b, a, b)
	case 1:
		g.line("struct %s_raw { %s w; int n; };", s, word)
		g.line("*(struct %s_raw *)&%s = *(struct %s_raw *)&%s;", s, b, s, a)
	case 2:
		g.line("struct { struct { unsigned char b[sizeof(%s)]; } m[1]; int n[sizeof(%s) / 4]; } %s_r;", word, word, a)
		g.line("memcpy(&%s_r, &%s, sizeof %s);", a, a, a)
		g.line("memcpy(&%s, &%s_r, sizeof %s);", b, a, a)
	}
	g.line("out(%s.n);", b)
	g.strike(b+".it", name, t)
	return true
}

// asNumber makes a number of a pointer, computes with it, and makes a pointer of
// it again.
func (g *idioms) asNumber() bool {
	name, t := g.aim()
	n, o := g.name("n"), g.name("o")
	g.line("%s %s = (%s)%s;", word, n, word, name)
	switch g.IntN(8) {
	case 0:
		g.line("int %s = 1; %s ^= (%s)&%s; %s ^= (%s)&%s;", o, n, word, o, n, word, o)
	case 1:
		g.line("int %s = 1; %s %s_d = %s - (%s)&%s; %s = 0;", o, word, o, n, word, o, n)
		g.line("%s = (%s)&%s + %s_d;", n, word, o, o)
	case 2:
		g.line("%s = -%s; %s = -%s;", n, n, n, n)
	case 3:
		g.line("%s = %s << 7 | %s >> (8 * sizeof %s - 7);", n, n, n, n)
		g.line("%s = %s >> 7 | %s << (8 * sizeof %s - 7);", n, n, n, n)
	case 4:
		g.line("%s %s = 0;", word, o)
		g.line("for (unsigned i = 0; i < 8 * sizeof %s; i++)", n)
		g.line("\tif (%s >> i & 1) %s |= (%s)1 << i;", n, o, word)
		g.line("%s = %s;", n, o)
	case 5:
		g.line("unsigned short %s[sizeof %s / 2];", o, n)
		g.line("for (unsigned i = 0; i < sizeof %s / 2; i++)", n)
		g.line("\t%s[i] = (unsigned short)(%s >> 16 * i);", o, n)
		g.line("%s = 0;", n)
		g.line("for (unsigned i = 0; i < sizeof %s / 2; i++)", n)
		g.line("\t%s |= (%s)%s[i] << 16 * i;", n, word, o)
	case 6:
		g.line("struct { int k; %s w[2]; } %s = { 1, { 0, %s } };", word, o, n)
		g.line("%s = %s.w[%s.k] %% 3 + %s.w[1] - %s.w[1] %% 3;", n, o, o, o, o)
	case 7:
		if t.kind == code {
			return g.tagged(name)
		}
		g.line("%s |= %s;", n, g.pick("1", "2", "3"))
		g.line("out(%s & 3);", n)
		g.line("%s &= ~(%s)3;", n, word)
	}
	p := g.name("p")
	g.line("%s = (%s)%s;", t.declare(p), t.spelled(), n)
	g.strike(p, name, t)
	return true
}

// tagged keeps a function's address as a difference to another one's.
func (g *idioms) tagged(name string) bool {
	n := g.name("n")
	g.line("__INTPTR_TYPE__ %s = (__INTPTR_TYPE__)%s - (__INTPTR_TYPE__)%s;", n, name, g.simple[0])
	g.line("out(((int (*)(int))((__INTPTR_TYPE__)%s + %s))(%s));", g.simple[0], n, g.value(1))
	return true
}

// xorList goes through a list whose links are the neighbours' addresses, one
// exclusive or the other.
func (g *idioms) xorList() bool {
	if g.loops > 0 {
		return false
	}
	s, a := g.name("xl"), g.name("a")
	g.line("struct %s { int v; %s link; } %s[3] = { { 1, 0 }, { %s, 0 }, { 3, 0 } };", s, word, a, g.value(1))
	g.line("%s[0].link = (%s)&%s[1]; %s[1].link = (%s)&%s[0] ^ (%s)&%s[2]; %s[2].link = (%s)&%s[1];", a, word,
		a, a, word, a, word, a, a, word, a)
	g.line("%s %s_b = 0;", word, a)
	g.line("for (struct %s *e = %s; e; ) {", s, a)
	g.line("\tstruct %s *n = (struct %s *)(e->link ^ %s_b);", s, s, a)
	g.line("\te->v += %s; out(e->v);", g.pick("1", "2"))
	g.line("\t%s_b = (%s)e; e = n;", a, word)
	g.line("}")
	g.line("out(%s[0].v + 3 * %s[1].v + 5 * %s[2].v);", a, a, a)
	return true
}

// queue sends pointers through a queue of bytes.
func (g *idioms) queue() bool {
	if len(g.queues) == 0 || g.loops > 0 {
		return false
	}
	q := g.queues[g.IntN(len(g.queues))]
	name, t := g.aim()
	p, r := g.name("p"), g.name("r")
	g.line("%s = %s, %s = 0; char %s_c = %s;", t.declare(p), name, declarator(t, r), p, g.value(1))
	g.line("%s_in = %s_out = 0;", q, q)
	g.line("%s_put(&%s_c, 1); %s_put(&%s, sizeof %s);", q, p, q, p, p)
	g.line("%s_get(&%s_c, 1); %s_get(&%s, sizeof %s);", q, p, q, r, r)
	g.line("out(%s_c);", p)
	g.strike(r, name, t)
	return true
}

// queuer writes what queue needs.
func (g *idioms) queuer() {
	q := g.name("q")
	g.line("static unsigned char %s[20]; static unsigned %s_in, %s_out;", q, q, q)
	g.line("static void %s_put(const void *p, unsigned n) { while (n--) { "+
		"%s[%s_in++] = *(const unsigned char *)p; p = (const char *)p + 1; } }", q, q, q)
	g.line("static void %s_get(void *p, unsigned n) { unsigned char *c = p; "+
		"for (unsigned i = 0; i < n; i++) c[i] = %s[%s_out++]; }", q, q, q)
	g.queues = append(g.queues, q)
}

// keep calls functions that hand out static objects, redirect pointers, and
// change what a list holds that a global leads to.
func (g *idioms) keep() bool {
	if len(g.keepers) == 0 {
		return false
	}
	k := g.keepers[g.IntN(len(g.keepers))]
	switch g.IntN(5) {
	case 0:
		g.line("*%s_next(%s) += %s;", k, g.value(1), g.value(1))
		g.line("out(*%s_next(0));", k)
	case 1:
		x := g.name("x")
		g.line("int %s = %s, *%s_p = &%s;", x, g.value(1), x, x)
		g.line("%s_turn(&%s_p, %s);", k, x, g.value(1))
		g.line("*%s_p += 3; out(%s + 2 * *%s_next(1) + (%s_p == &%s));", x, x, k, x, x)
	case 2:
		x := g.name("x")
		g.line("struct %s_node %s = { %s, 0 };", k, x, g.value(1))
		g.line("%s.next = %s_list; %s_list = &%s;", x, k, k, x)
		g.line("%s_each(%s);", k, g.value(1))
		g.line("out(%s.v + (%s.next ? %s.next->v : 0));", x, x, x)
		g.line("%s_list = %s.next;", k, x)
	case 3:
		g.line("%s_push(%s);", k, g.value(1))
		g.line("%s_each(%s);", k, g.value(1))
		g.line("out(%s_list ? %s_list->v : 0);", k, k)
	case 4:
		g.line("*%s_of(%s) = %s;", k, g.value(1), g.value(1))
		g.line("out(%s_pair[0] + 2 * %s_pair[1] + 3 * %s_both.n[0]);", k, k, k)
	}
	return true
}

// keeper writes what keep needs.
func (g *idioms) keeper() {
	k := g.name("k")
	g.line("static int *%s_next(int d) { static int n[2]; n[0] += d; n[1]++; return &n[d & 1]; }", k)
	g.line("static void %s_turn(int **p, int c) { if (c & 1) *p = %s_next(c); else **p += c; }", k, k)
	g.line("struct %s_node { int v; struct %s_node *next; };", k, k)
	g.line("static struct %s_node %s_first = { 1, 0 }, *%s_list = &%s_first;", k, k, k, k)
	g.line("static void %s_each(int d) { for (struct %s_node *e = %s_list; e; e = e->next) e->v += d; }", k, k, k)
	g.line("static void %s_push(int v) {", k)
	g.line("\tstruct %s_node *e = calloc(1, sizeof *e);", k)
	g.line("\tif (!e) abort();")
	g.line("\te->v = v; e->next = %s_list; %s_list = e;", k, k)
	g.line("}")
	g.line("static int %s_pair[2]; static union { int n[2]; char c[8]; } %s_both;", k, k)
	g.line("static int *const %s_places[3] = { %s_pair, &%s_pair[1], %s_both.n };", k, k, k, k)
	g.line("static int *%s_of(int c) { return %s_places[(unsigned)c %% 3]; }", k, k)
	g.keepers = append(g.keepers, k)
}
