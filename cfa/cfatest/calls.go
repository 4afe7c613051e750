package cfatest

// Programs of small routines that write memory in every way that we know of.
//
// Idea: whoever takes a routine by its abstraction, or has no body of it, must know
// what a call of it may write. So the routines here do little but that: to globals
// and static locals, through parameters, through pointers and lists in globals,
// through pointers that are kept as bytes or numbers; they redirect pointers, store
// what they are given, return what they have, and call each other. The entry
// procedure calls them, uses what came of it, and tells everything in the end. Each
// program has few of the idioms, since many routines that reach an object in two
// ways are refused by their callers.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// CallsPrelude declares what all programs of [Calls] share.
const CallsPrelude = Prelude + "typedef __UINTPTR_TYPE__ word;\n"

// A small routine: its name, what it takes and what it gives.
type routine struct {
	name   string
	params []string // kinds: x, p, pp, n, b, l, f, s, v
	result string   // kinds: x, p, n, l
}

// A caller writes one program.
type caller struct {
	*rand.Rand
	id, next int
	globals  strings.Builder
	code     strings.Builder
	outside  strings.Builder
	idioms   []string // of the program
	variadic bool     // routines may take variable arguments
	ops      []string
	known    []routine
	unknown  []routine
	// used are the globals that occur, in order.
	used []string
}

// Calls is a random program of routines that write memory: an entry procedure p<id>
// of type int (void), routines r<id>_… with bodies, and routines w<id>_… that the
// text only declares, with their bodies in outside. The text needs [CallsPrelude] in
// front.
func Calls(id int, seed uint64, calls int) (text, outside, entry string) {
	c := &caller{Rand: rand.New(rand.NewPCG(seed, 7)), id: id}
	return c.program(calls)
}

// VariadicCalls is a program like those of [Calls], of which routines take variable arguments. The
// interpreter does not follow these: a run of it takes any value for them. The text
// needs stdarg.h besides.
func VariadicCalls(id int, seed uint64, calls int) (text, outside, entry string) {
	c := &caller{Rand: rand.New(rand.NewPCG(seed, 8)), id: id, variadic: true}
	return c.program(calls)
}

func (c *caller) program(calls int) (text, outside, entry string) {
	all := []string{"free", "named", "static", "pointer", "list", "heap", "box", "tag", "hold", "code",
		"union", "chain", "outside"}
	c.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	c.idioms = all[:2+c.IntN(3)]
	for range 1 + c.IntN(2) {
		name := c.name("op")
		c.put(&c.code, "static int %s(int x) { return %s; }", name, c.pick("x + 1", "x * 3", "x ^ 2"))
		c.ops = append(c.ops, name)
	}
	if c.has("outside") {
		for range 1 + c.IntN(2) {
			c.absent()
		}
	}
	for range 1 + c.IntN(3) {
		c.routine()
	}
	if c.has("free") {
		c.put(&c.code, "static void r%d_free(int *p, int x) { if (x) free(p); }", c.id)
	}
	entry = fmt.Sprintf("p%d", c.id)
	c.entry(entry, calls)
	return c.globals.String() + c.code.String(), c.outside.String(), entry
}

func (c *caller) put(to *strings.Builder, format string, args ...any) {
	fmt.Fprintf(to, format+"\n", args...)
}

func (c *caller) pick(from ...string) string { return from[c.IntN(len(from))] }

func (c *caller) name(prefix string) string {
	c.next++
	return fmt.Sprintf("%s%d_%d", prefix, c.id, c.next)
}

func (c *caller) has(idiom string) bool { return slices.Contains(c.idioms, idiom) }

// global is the name of a global of a kind, which is declared when it is first
// needed.
func (c *caller) global(kind string) string {
	name := fmt.Sprintf("%s%d", kind, c.id)
	if slices.Contains(c.used, name) {
		return name
	}
	static := c.pick("static ", "")
	switch kind {
	case "ga", "gb":
		c.put(&c.globals, "%sint %s = %d;", static, name, c.IntN(5))
	case "gv":
		c.put(&c.globals, "%sint %s[3] = { 1, 2 };", static, name)
	case "gp":
		c.put(&c.globals, "%sint *%s = %s;", static, name,
			c.pick("0", "&"+c.global("ga"), c.global("gv")+" + 1", "&"+c.global("gb")))
	case "gn":
		c.put(&c.globals, "struct node%d { int v; struct node%d *next; };", c.id, c.id)
		c.put(&c.globals, "static struct node%d %s_a = { 1, 0 }, %s_b = { 2, &%s_a }, *%s = %s;", c.id, name,
			name, name, name, c.pick("0", "&"+name+"_a", "&"+name+"_b"))
	case "gx":
		c.put(&c.globals, "%sunsigned char %s[sizeof(int *)];", static, name)
	case "gt":
		c.put(&c.globals, "%sword %s;", static, name)
	case "gh":
		c.global("gn")
		c.put(&c.globals, "struct hold%d { char c; int *p; struct node%d *n; };", c.id, c.id)
		c.put(&c.globals, "struct raw%d { unsigned short h[sizeof(struct hold%d) / 2]; };", c.id, c.id)
		c.put(&c.globals, "%sstruct hold%d %s;", static, c.id, name)
	case "gf":
		c.put(&c.globals, "%sint (*%s)(int) = %s;", static, name, c.pick("0", c.ops[0]))
		// The target is defined below.
		c.declareOps()
	case "gu":
		c.put(&c.globals, "%sunion { int n[2]; char c[8]; } %s;", static, name)
	}
	c.used = append(c.used, name)
	return name
}

// declareOps lets globals name the functions.
func (c *caller) declareOps() {
	var all strings.Builder
	for _, op := range c.ops {
		c.put(&all, "static int %s(int);", op)
	}
	rest := c.globals.String()
	c.globals.Reset()
	c.globals.WriteString(all.String() + rest)
}

// target is the address of an int that outlives all calls.
func (c *caller) target() string {
	return c.pick("&"+c.global("ga"), "&"+c.global("gb"), c.global("gv")+" + 1")
}

// writes are statements that one idiom gives, for a routine with a number x.
func (c *caller) writes(idiom string) string {
	switch idiom {
	case "named":
		return c.pick(c.global("ga")+" += x;", c.global("gb")+" = x;", c.global("gv")+"[x & 1] = x;", c.global("gv")+"[2]++;",
			fmt.Sprintf("memset(%s + (x & 1), 1, 2 * sizeof(int));",
				c.global("gv")), fmt.Sprintf("memcpy(%s, %s + 1, sizeof x);", c.global("gv"), c.global("gv")))
	case "static":
		s := c.name("s")
		return fmt.Sprintf("static int %s; %s += x; x = %s;", s, s, s)
	case "pointer":
		p := c.global("gp")
		return c.pick(fmt.Sprintf("if (%s) *%s = x;", p, p),
			fmt.Sprintf("if (%s) %s = *%s;", p, c.global("gb"), p), fmt.Sprintf("%s = %s;", p,
				c.target()), fmt.Sprintf("if (%s) { int *t = %s; %s = 0; *t += x; }", p, p, p))
	case "list":
		n, t := c.global("gn"), fmt.Sprintf("struct node%d", c.id)
		return c.pick(fmt.Sprintf("if (%s) %s->v = x;", n, n),
			fmt.Sprintf("{ int i = 0; for (%s *e = %s; e && i < 3; e = e->next, i++) e->v += x; }", t, n),
			fmt.Sprintf("if (%s) %s = %s->next;", n, n, n), fmt.Sprintf("%s = &%s_a;", n,
				n), fmt.Sprintf("if (%s && %s->next) %s->next->v = x;", n, n, n))
	case "heap":
		n, t := c.global("gn"), fmt.Sprintf("struct node%d", c.id)
		return fmt.Sprintf("{ %s *e = calloc(1, sizeof *e); if (!e) abort(); e->v = x; e->next = %s; %s = e; }", t, n, n)
	case "box":
		b := c.global("gx")
		return c.pick(fmt.Sprintf("{ int *t = %s; memcpy(%s, &t, sizeof t); }", c.target(), b),
			fmt.Sprintf("{ int *t; memcpy(&t, %s, sizeof t); if (t) *t = x; }", b),
			fmt.Sprintf("{ int *t; for (unsigned i = 0; i < sizeof t; i++) ((char *)&t)[i] = %s[i]; if (t) *t += x; }", b))
	case "tag":
		t := c.global("gt")
		return c.pick(fmt.Sprintf("%s = (word)(%s) ^ 5;", t, c.target()), fmt.Sprintf("if (%s) *(int *)(%s ^ 5) = x;", t, t))
	case "hold":
		h := c.global("gh")
		return c.pick(fmt.Sprintf("if (%s.p) *%s.p = x;", h, h), fmt.Sprintf("%s.p = %s;", h, c.target()),
			fmt.Sprintf("{ struct hold%d h = %s; if (h.p) *h.p += x; }", c.id, h),
			fmt.Sprintf(
				"{ struct hold%d h; struct raw%d r = *(struct raw%d *)&%s; memcpy(&h, &r, sizeof h); if (h.p) *h.p = x; }",
				c.id, c.id, c.id, h))
	case "code":
		f := c.global("gf")
		return c.pick(fmt.Sprintf("%s = %s;", f, c.pick(c.ops...)), fmt.Sprintf("if (%s) x = %s(x);", f, f))
	case "union":
		return c.global("gu") + c.pick(".n[1] = x;", ".c[5] ^= 1;", ".n[x & 1] += x;")
	case "chain":
		if len(c.known) > 0 {
			if s, ok := c.inner(c.known[c.IntN(len(c.known))]); ok {
				return s
			}
		}
	case "outside":
		if len(c.unknown) > 0 {
			if s, ok := c.inner(c.unknown[c.IntN(len(c.unknown))]); ok {
				return s
			}
		}
	}
	return c.global("ga") + " ^= x;"
}

// inner is a call within a routine.
func (c *caller) inner(r routine) (string, bool) {
	var args []string
	for _, p := range r.params {
		switch p {
		case "x":
			args = append(args, "x")
		case "p":
			args = append(args, c.target())
		case "l":
			args = append(args, "(word)("+c.target()+") ^ 5")
		case "f":
			args = append(args, c.pick(c.ops...))
		case "v":
			args = append(args, c.target(), c.target())
		default:
			return "", false
		}
	}
	call := fmt.Sprintf("%s(%s)", r.name, strings.Join(args, ", "))
	switch r.result {
	case "p":
		return c.pick("*"+call+" = x;", "x += *"+call+";"), true
	case "l":
		return "*(int *)(" + call + " ^ 5) += x;", true
	case "x":
		return c.pick("x += ", c.global("gb")+" = ") + call + ";", true
	}
	return call + ";", true
}

// declare is a parameter of a kind.
func (c *caller) declare(kind string) string {
	switch kind {
	case "x":
		return "int x"
	case "p":
		return "int *p"
	case "pp":
		return "int **pp"
	case "n":
		c.global("gn")
		return fmt.Sprintf("struct node%d *n", c.id)
	case "b":
		return "void *b"
	case "l":
		return "word l"
	case "f":
		return "int (*f)(int)"
	case "v":
		return "..."
	}
	c.global("gh")
	return fmt.Sprintf("struct hold%d s", c.id)
}

// through are statements that use a parameter of a kind.
func (c *caller) through(kind string) string {
	switch kind {
	case "p":
		keep := []string{"*p = x;", "*p += x;", "p[0]++;"}
		if c.has("pointer") {
			keep = append(keep, c.global("gp")+" = p;")
		}
		if c.has("hold") {
			keep = append(keep, c.global("gh")+".p = p;")
		}
		if c.has("box") {
			keep = append(keep, fmt.Sprintf("memcpy(%s, &p, sizeof p);", c.global("gx")))
		}
		if c.has("tag") {
			keep = append(keep, c.global("gt")+" = (word)p ^ 5;")
		}
		return c.pick(keep...)
	case "pp":
		return c.pick("if (*pp) **pp = x;", "*pp = "+c.target()+";", "{ int *t = *pp; *pp = 0; if (t) *t += x; }")
	case "n":
		n := c.global("gn")
		return c.pick("n->v = x;", "if (n->next) n->next->v += x;", fmt.Sprintf("n->next = %s;", n),
			fmt.Sprintf("%s = n;", n))
	case "b":
		return c.pick("*(unsigned char *)b ^= 3;", "*(int *)b = x;", "memset(b, x, 3);",
			"memcpy(b, &x, sizeof x);", "for (unsigned i = 0; i < sizeof x; i++) ((char *)b)[i]++;")
	case "l":
		return c.pick("*(int *)(l ^ 5) = x;", "{ int *t = (int *)(l ^ 5); *t += x; }")
	case "f":
		return "x = f(x);"
	case "v":
		use := []string{"*t = x;", "*t += *va_arg(ap, int *);", "x = *t;"}
		if c.has("pointer") {
			use = append(use, c.global("gp")+" = t;")
		}
		return "{ va_list ap; va_start(ap, x); int *t = va_arg(ap, int *); " + c.pick(use...) + " va_end(ap); }"
	case "s":
		return c.pick("if (s.p) *s.p = x;", "if (s.n) s.n->v = x;", "s.c = 1;")
	}
	return "x++;"
}

// routine writes a routine with a body.
func (c *caller) routine() {
	r := routine{name: c.name("r"), params: []string{"x"}, result: c.pick("x", "x", "x", "p", "n", "l")}
	if c.IntN(3) > 0 {
		r.params = append(r.params, c.pick("p", "p", "pp", "n", "b", "l", "f", "s"))
	}
	if c.variadic && c.IntN(2) == 0 {
		r.params = []string{"x", "v"}
	}
	var params []string
	for _, p := range r.params {
		params = append(params, c.declare(p))
	}
	var body []string
	if len(r.params) > 1 {
		body = append(body, c.through(r.params[1]))
	}
	for range c.IntN(3) {
		body = append(body, c.writes(c.pick(c.idioms...)))
	}
	result := map[string]string{"x": "int ", "p": "int *", "l": "word ", "n": ""}[r.result]
	switch r.result {
	case "x":
		body = append(body, "return x;")
	case "p":
		body = append(body, "return "+c.handed(r)+";")
	case "l":
		body = append(body, "return (word)("+c.handed(r)+") ^ 5;")
	case "n":
		n := c.global("gn")
		result = fmt.Sprintf("struct node%d *", c.id)
		body = append(body, "return "+c.pick(n, "&"+n+"_a", n+" ? "+n+"->next : 0")+";")
	}
	c.put(&c.code, "static %s%s(%s) { %s }", result, r.name, strings.Join(params, ", "), strings.Join(body, " "))
	c.known = append(c.known, r)
}

// handed is a pointer that a routine returns: never NULL.
func (c *caller) handed(r routine) string {
	if len(r.params) > 1 && c.IntN(2) == 0 {
		switch r.params[1] {
		case "p":
			return "p"
		case "pp":
			return "*pp ? *pp : " + c.target()
		case "n":
			return "&n->v"
		}
	}
	if c.has("static") {
		s := c.name("s")
		return fmt.Sprintf("({ static int %s = 3; &%s; })", s, s)
	}
	if c.has("pointer") {
		p := c.global("gp")
		return fmt.Sprintf("%s ? %s : %s", p, p, c.target())
	}
	return c.target()
}

// absent declares a routine whose body is not in the text.
func (c *caller) absent() {
	r := routine{name: c.name("w"), result: "x"}
	switch keep := c.name("k"); c.IntN(6) {
	case 0:
		r.params = []string{"p"}
		c.put(&c.outside, "int %s(int *p) { *p += 2; return 1; }", r.name)
	case 1: // of an earlier call
		r.params = []string{"p"}
		c.put(&c.outside, "int %s(int *p) { static int *%s; if (%s) *%s += 3; %s = p; return 2; }", r.name,
			keep, keep, keep, keep)
	case 2:
		r.params = []string{"l"}
		c.put(&c.outside, "int %s(word l) { *(int *)(l ^ 5) += 2; return 3; }", r.name)
	case 3:
		r.params = []string{"l"}
		c.put(&c.outside, "int %s(word l) { static word %s; if (%s) *(int *)(%s ^ 5) = 4; %s = l; return 4; }",
			r.name, keep, keep, keep, keep)
	case 4:
		r.params, r.result = []string{"p"}, "p"
		c.put(&c.outside, "int *%s(int *p) { *p += 2; return p; }", r.name)
	case 5:
		r.params, r.result = []string{"p"}, "p"
		c.put(&c.outside, "int *%s(int *p) { static int *%s; int *r = %s ? %s : p; %s = p; return r; }",
			r.name, keep, keep, keep, keep)
	}
	result := "int "
	if r.result == "p" {
		result = "int *"
	}
	c.put(&c.globals, "%s%s(%s);", result, r.name, c.declare(r.params[0]))
	c.unknown = append(c.unknown, r)
}

// entry writes the procedure that calls the others.
func (c *caller) entry(name string, calls int) {
	if c.has("list") || c.has("heap") {
		c.global("gn")
	}
	if c.has("hold") {
		c.global("gh")
	}
	list := slices.Contains(c.used, fmt.Sprintf("gn%d", c.id))
	hold := slices.Contains(c.used, fmt.Sprintf("gh%d", c.id))
	c.put(&c.code, "static int %s(void) {", name)
	c.put(&c.code, "\tint x = %d, y[2] = { 1, 2 }, *q = %s;", c.IntN(4), c.pick("&x", "y + 1", "0"))
	if list {
		c.put(&c.code, "\tstruct node%d m = { 7, 0 }, *k = %s;", c.id, c.pick("&m", "0"))
	}
	if hold {
		c.put(&c.code, "\tstruct hold%d h = { 1, %s, &m };", c.id, c.pick("&x", "0"))
	}
	if !c.has("box") && (c.has("heap") || c.IntN(4) == 0) { // a box holds addresses that are known early
		c.put(&c.code, "\tint *z = malloc(2 * sizeof(int)); if (!z) abort(); z[0] = 4; z[1] = 5;")
	} else {
		c.put(&c.code, "\tint z[2] = { 4, 5 };")
	}
	if c.has("box") || c.has("tag") { // addresses do not depend on what is inlined
		c.put(&c.code, "\tconst void *touch;")
		for _, g := range append([]string{"x", "y", "z", "q"}, c.used...) {
			c.put(&c.code, "\ttouch = &%s;", g)
		}
	}
	if c.has("free") {
		c.put(&c.code, "\tint *d = malloc(sizeof x); if (!d) abort(); *d = 4; r%d_free(d, %s);", c.id, c.pick("1", "0", "x"))
	}
	for range calls {
		all := slices.Concat(c.known, c.known, c.unknown)
		c.call(all[c.IntN(len(all))], list, hold)
		c.between(list)
	}
	c.observe(list, hold)
	c.put(&c.code, "\treturn x;\n}")
}

// call writes one call.
func (c *caller) call(r routine, list, hold bool) {
	local := func() string {
		options := []string{"&x", "&y[1]", "z", "z + 1", "(q ? q : &x)"}
		if list {
			options = append(options, "&m.v")
		}
		if c.IntN(6) == 0 {
			options = append(options, c.target())
		}
		return c.pick(options...)
	}
	var args []string
	for _, p := range r.params {
		switch p {
		case "x":
			args = append(args, c.pick("1", "2", "x", "y[0]", "__VERIFIER_nondet_int() & 7"))
		case "p":
			args = append(args, local())
		case "pp":
			options := []string{"&q"}
			if hold {
				options = append(options, "&h.p")
			}
			if c.has("pointer") && c.IntN(3) == 0 {
				options = append(options, "&"+c.global("gp"))
			}
			args = append(args, c.pick(options...))
		case "n":
			args = append(args, c.pick("&m", "(k ? k : &m)"))
		case "b":
			args = append(args, local())
		case "l":
			args = append(args, "(word)("+local()+") ^ 5")
		case "f":
			args = append(args, c.pick(c.ops...))
		case "v":
			args = append(args, local(), local())
		case "s":
			args = append(args, c.pick("h", c.global("gh")))
		}
	}
	call := fmt.Sprintf("%s(%s)", r.name, strings.Join(args, ", "))
	switch r.result {
	case "x":
		c.put(&c.code, "\t%s;", c.pick("x = "+call, "y[1] = "+call, "out("+call+")"))
	case "p":
		c.put(&c.code, "\t%s;", c.pick("q = "+call, "*"+call+" = 3", "out(*"+call+")"))
	case "l":
		c.put(&c.code, "\t%s;", c.pick("q = (int *)("+call+" ^ 5)", "*(int *)("+call+" ^ 5) = 3"))
	case "n":
		c.put(&c.code, "\t%s;", c.pick("k = "+call, "m.next = "+call))
	}
}

// between uses what calls may have changed.
func (c *caller) between(list bool) {
	options := []string{"out(x);", "out(y[1]);", "out(z[0] + z[1]);", "if (q) *q = 6;", "if (q) out(*q);", "q = y;"}
	if list {
		options = append(options, "out(m.v);", "if (k) k->v++;", "if (m.next) m.next->v = 9;")
	}
	if c.has("pointer") {
		p := c.global("gp")
		options = append(options, fmt.Sprintf("if (%s) *%s += 1;", p, p), fmt.Sprintf("%s = &x;", p),
			fmt.Sprintf("%s = z;", p))
	}
	if c.has("hold") {
		h := c.global("gh")
		options = append(options, h+".p = y;", fmt.Sprintf("if (%s.p) out(*%s.p);", h, h))
	}
	if list && (c.has("list") || c.has("heap")) {
		options = append(options, c.global("gn")+" = &m;", fmt.Sprintf("m.next = %s == &m ? 0 : %s;",
			c.global("gn"), c.global("gn")))
	}
	for range c.IntN(3) {
		c.put(&c.code, "\t%s", c.pick(options...))
	}
}

// observe tells everything in the end.
func (c *caller) observe(list, hold bool) {
	c.put(&c.code,
		"\tout(x + 3 * y[0] + 5 * y[1]); out(z[0] + 7 * z[1]); out(q ? *q : 0); out((q == &x) + 2 * (q == y + 1));")
	if list {
		c.put(&c.code, "\tout(m.v); out(k ? k->v : 0); out(m.next ? m.next->v : 0); out(k == &m);")
	}
	if hold {
		c.put(&c.code, "\tout(h.p ? *h.p : 0); out(h.n == &m);")
	}
	for _, g := range slices.Clone(c.used) {
		switch kind := g[:2]; kind {
		case "ga", "gb":
			c.put(&c.code, "\tout(%s);", g)
		case "gv":
			c.put(&c.code, "\tout(%s[0] + 3 * %s[1] + 5 * %s[2]);", g, g, g)
		case "gp":
			c.put(&c.code, "\tout(%s ? *%s : 0); out((%s == &x) + 2 * (%s == z));", g, g, g, g)
		case "gn":
			c.put(&c.code, "\t{ int i = 0; for (struct node%d *e = %s; e && i < 4; e = e->next, i++) out(e->v); }", c.id, g)
			c.put(&c.code, "\tout(%s_a.v + 3 * %s_b.v); out(%s == &m);", g, g, g)
		case "gx":
			c.put(&c.code, "\t{ int *t; memcpy(&t, %s, sizeof t); if (t) { out(*t); *t = 8; out(x + y[1]); } }", g)
		case "gt":
			c.put(&c.code, "\tif (%s) { *(int *)(%s ^ 5) += 8; out(*(int *)(%s ^ 5)); out(x + y[1]); }", g, g, g)
		case "gh":
			c.put(&c.code, "\tout(%s.p ? *%s.p : 0); out(%s.p == &x);", g, g, g)
		case "gf":
			c.put(&c.code, "\tout(%s ? %s(4) : 0);", g, g)
		case "gu":
			c.put(&c.code, "\tout(%s.n[0] + 3 * %s.n[1] + %s.c[5]);", g, g, g)
		}
	}
}
