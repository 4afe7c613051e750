package cfatest

// Programs with memory errors.
//
// Idea: a program is a row of small steps on arrays, allocated memory, strings
// and objects of blocks. Each step has a valid form and one or several with an
// error; at most one step of a program is written with its error, about half of
// the programs have none. There are no inputs, so that one run under a
// sanitizer tells the truth; sizes and indices are constants, or come from
// globals and loops.
//
// Left out is what the sanitizers of GCC do not see: accesses that jump over
// the room around an object, overflows within a structure, memory of alloca
// after its procedure has returned, values that are not initialised.

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// FaultPrelude declares what programs with memory errors share.
const FaultPrelude = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a, b; };
struct node { int v; struct node *next; };
`

// A faulty writes one program with at most one memory error.
type faulty struct {
	*rand.Rand
	id, next int
	globals  strings.Builder
	body     strings.Builder
	faults   int // steps until the one with an error; negative: none is left
}

// Faulty is a random program with at most one memory error: a procedure f<id>
// of type int (void) with its globals. The text needs [FaultPrelude] in front.
func Faulty(id int, seed uint64, steps int) (text, entry string) {
	g := &faulty{Rand: rand.New(rand.NewPCG(seed, 5)), id: id}
	g.faults = g.IntN(2 * steps)
	all := []func(){g.array, g.array, g.pointer, g.sweep, g.heap, g.heap, g.sized, g.sized, g.copies, g.copies,
		g.fill, g.text, g.text, g.texts,
		g.format, g.block, g.block, g.loopBlock, g.lost, g.freed, g.freed, g.notHeap, g.stack, g.null,
		g.number, g.records, g.list, g.nodes, g.resized,
		g.overlap, g.overlap, g.bounded, g.bounded, g.variable, g.variable, g.entered, g.entered, g.called, g.remade}
	for range steps {
		all[g.IntN(len(all))]()
	}
	entry = fmt.Sprintf("f%d", id)
	return fmt.Sprintf("%sstatic int %s(void) {\n\tint s = 0;\n%s\treturn s & 1;\n}\n", &g.globals, entry, &g.body), entry
}

// fault reports whether this step is the one with an error.
func (g *faulty) fault() bool {
	g.faults--
	return g.faults == -1
}

func (g *faulty) line(format string, args ...any) { fmt.Fprintf(&g.body, "\t"+format+"\n", args...) }

func (g *faulty) name(prefix string) string {
	g.next++
	return fmt.Sprintf("%s%d_%d", prefix, g.id, g.next)
}

// value is an expression of a number: a constant, a global, or counted up to.
func (g *faulty) value(n int) string {
	switch g.IntN(3) {
	case 0:
		return fmt.Sprint(n)
	case 1:
		k := g.name("k")
		fmt.Fprintf(&g.globals, "static int %s = %d;\n", k, n)
		return k
	}
	i := g.name("i")
	if n < 0 {
		g.line("int %s = 0; while (%s > %d) %s--;", i, i, n, i)
	} else {
		g.line("int %s = 0; while (%s < %d) %s++;", i, i, n, i)
	}
	return i
}

func (g *faulty) pick(from ...string) string { return from[g.IntN(len(from))] }

// index is an index into n elements; with a fault one just outside.
func (g *faulty) index(n int, before bool) string {
	k := g.IntN(n)
	if g.fault() {
		if k = n; before && g.IntN(3) == 0 {
			k = -1
		}
	}
	return g.value(k)
}

// newArray declares an array of n elements, all set, and reports whether it is
// a local one: nothing stands before the first global that a sanitizer knows.
func (g *faulty) newArray(elem string, n int) (name string, local bool) {
	name = g.name("a")
	if g.IntN(2) == 0 {
		fmt.Fprintf(&g.globals, "static %s %s[%d];\n", elem, name, n)
		return name, false
	}
	g.line("%s %s[%d] = {0};", elem, name, n)
	return name, true
}

func (g *faulty) elem() string { return g.pick("char", "short", "int", "int", "long") }

// access reads or writes an lvalue.
func (g *faulty) access(lvalue string) {
	g.line(g.pick("%s = 1;", "s += %s;", "%s += 2;"), lvalue)
}

// array is an access by an index.
func (g *faulty) array() {
	n := 1 + g.IntN(5)
	a, _ := g.newArray(g.elem(), n)
	g.access(fmt.Sprintf("%s[%s]", a, g.index(n, true)))
}

// pointer is an access by a pointer that was moved.
func (g *faulty) pointer() {
	n, elem, p := 1+g.IntN(5), g.elem(), g.name("p")
	a, local := g.newArray(elem, n)
	g.line("%s *%s = %s;", elem, p, a)
	g.line("%s += %s;", p, g.index(n, local))
	g.access("*" + p)
}

// sweep is a loop over an array, or over allocated memory.
func (g *faulty) sweep() {
	n, elem, i, last := 1+g.IntN(4), g.elem(), g.name("i"), ""
	if g.fault() {
		last = "="
	}
	a, _ := g.newArray(elem, n)
	if g.IntN(2) == 0 {
		a = g.name("p")
		g.allocate(elem, a, fmt.Sprintf("%d * sizeof(%s)", n, elem))
	}
	g.line("for (int %s = 0; %s <%s %d; %s++) %s[%s] = %s;", i, i, last, n, i, a, i, i)
}

// allocate gives a new pointer memory.
func (g *faulty) allocate(elem, p, size string) {
	g.line("%s *%s = %s; if (!%s) return 0;", elem, p, g.pick("malloc("+size+")", "calloc(1, "+size+")"), p)
}

// heap is an access to an object of constant size.
func (g *faulty) heap() {
	n, elem, p := 1+g.IntN(5), g.elem(), g.name("p")
	g.allocate(elem, p, fmt.Sprintf("%d * sizeof(%s)", n, elem))
	g.line("%s[%s] = 3;", p, g.index(n, true))
	if g.IntN(2) == 0 {
		g.line("free(%s);", p)
	}
}

// sized is an access to an object of a size that is not constant.
func (g *faulty) sized() {
	n, elem, p, size := 1+g.IntN(5), g.elem(), g.name("p"), g.name("n")
	fmt.Fprintf(&g.globals, "static unsigned %s = %d;\n", size, n)
	g.allocate(elem, p, fmt.Sprintf("%s * sizeof(%s)", size, elem))
	if i := g.name("i"); g.IntN(2) == 0 {
		last := ""
		if g.fault() {
			last = "="
		}
		g.line("for (unsigned %s = 0; %s <%s %s; %s++) %s[%s] = %s;", i, i, last, size, i, p, i, i)
	} else {
		g.line("%s[%s] = 3;", p, g.index(n, true))
	}
	if g.IntN(2) == 0 {
		g.line("free(%s);", p)
	}
}

// copies is memcpy or memmove.
func (g *faulty) copies() {
	n, m := 2+g.IntN(4), 2+g.IntN(4)
	a, _ := g.newArray("int", n)
	b, _ := g.newArray("int", m)
	if g.IntN(3) == 0 {
		b = g.name("p")
		g.allocate("int", b, fmt.Sprint(4*m))
		g.line("memset(%s, 0, %d);", b, 4*m)
	}
	off := g.IntN(2)
	size := 4 * (1 + g.IntN(min(n-off, m)))
	if g.fault() {
		size = 4*min(n-off, m) + 1 + g.IntN(4)
	}
	g.line("%s(%s + %s, %s, %s);", g.pick("memcpy", "memmove"), a, g.value(off), b, g.value(size))
}

// fill is memset.
func (g *faulty) fill() {
	n, elem := 1+g.IntN(5), g.elem()
	a, _ := g.newArray(elem, n)
	if g.fault() {
		g.line("memset(%s, 0, sizeof %s + %s);", a, a, g.value(1+g.IntN(4)))
	} else {
		g.line("memset(%s, 0, sizeof %s - %s);", a, a, g.value(g.IntN(2)))
	}
}

const letters = "abcdefghij"

// buffer is room for n characters.
func (g *faulty) buffer(n int) string {
	if g.IntN(3) > 0 {
		a, _ := g.newArray("char", n)
		return a
	}
	p := g.name("p")
	g.allocate("char", p, g.value(n))
	return p
}

// text is strcpy or strncpy of a literal.
func (g *faulty) text() {
	n := 2 + g.IntN(5)
	length := g.IntN(n)
	if g.fault() {
		length = n + g.IntN(3)
	}
	buf := g.buffer(n)
	switch from := fmt.Sprintf("%q", letters[:length]); g.IntN(4) {
	case 0:
		g.line("strncpy(%s, %q, %s);", buf, letters[:g.IntN(8)], g.value(length+1))
	case 1:
		t := g.name("t")
		g.line("char %s[] = %s; strcpy(%s, %s);", t, from, buf, t)
	default:
		g.line("strcpy(%s, %s);", buf, from)
	}
}

// texts is strcat, strlen or strcmp of arrays.
func (g *faulty) texts() {
	t, n := g.name("t"), 3+g.IntN(4)
	switch g.IntN(3) {
	case 0:
		k := 1 + g.IntN(n-2)
		if g.fault() {
			k = n - 1
		}
		g.line("char %s[%d] = \"a\"; strcat(%s, %q);", t, n, t, letters[:k])
	case 1:
		end := ", 0"
		if g.fault() {
			end = ""
		}
		g.line("char %s[] = {'a', 'b'%s}; s += strlen(%s) > 1;", t, end, t)
	default:
		p := g.name("p")
		g.allocate("char", p, "2")
		g.line("%s[0] = 'a'; %s[1] = 0;", p, p)
		if g.fault() {
			g.line("free(%s);", p)
		}
		g.line("s += strcmp(%s, \"b\") > 0;", p)
	}
}

// format is sprintf or snprintf.
func (g *faulty) format() {
	n := 3 + g.IntN(5)
	fault := g.fault()
	buf := g.buffer(n)
	k := n - 1
	if fault {
		k = n + g.IntN(2)
	}
	switch g.IntN(3) {
	case 0:
		g.line("sprintf(%s, %q);", buf, letters[:k])
	case 1:
		g.line("sprintf(%s, \"%%s%%c\", %q, 'x');", buf, letters[:k-1])
	default:
		g.line("snprintf(%s, %s, \"%%s\", %q);", buf, g.value(k+1), letters[:9])
	}
}

// block is an object of a block, used within or afterwards.
func (g *faulty) block() {
	p, x, inner := g.name("p"), g.name("x"), ""
	object := g.pick("int %s = 1; %s = &%[1]s;", "int %s[2] = {1, 2}; %s = &%[1]s[1];")
	g.line("int *%s = &s;", p)
	if !g.fault() {
		inner = fmt.Sprintf(" s += *%s; %s = &s;", p, p)
	}
	g.line("{ "+object+inner+" }", x, p)
	g.line("s += *%s;", p)
}

// loopBlock is an object of a loop's body that control leaves by a jump.
func (g *faulty) loopBlock() {
	p, x, i, reset := g.name("p"), g.name("x"), g.name("i"), ""
	if !g.fault() {
		reset = fmt.Sprintf("%s = &s; ", p)
	}
	g.line("int *%s = &s;", p)
	g.line("for (int %s = 0; %s < 3; %s++) { int %s = %s; %s = &%s; *%s += 1; %sif (%s == 1) %s; }", i, i, i,
		x, i, p, x, p, reset, i, g.pick("break", "continue"))
	g.line("s += *%s;", p)
}

// lost is the address of a local variable, given back by its procedure.
func (g *faulty) lost() {
	f, static := g.name("l"), "static "
	if g.fault() {
		static = ""
	}
	fmt.Fprintf(&g.globals, "static int *%s(void) { %sint x = 1; int *p = &x; return p; }\n", f, static)
	g.line("s += *%s();", f)
}

// freed is memory that is used, or freed, after it was freed.
func (g *faulty) freed() {
	n, p := 1+g.IntN(3), g.name("p")
	g.allocate("int", p, fmt.Sprint(4*n))
	g.line("%s[0] = 1;", p)
	if g.fault() {
		g.line("free(%s);", p)
		g.line(g.pick("s += %s[0];", "free(%s);", "%s[0] = 2;", "int *%[1]sx = %[1]s; s += *%[1]sx;"), p)
		return
	}
	g.line("s += %s[0]; free(%s);", p, p)
	if g.IntN(2) == 0 {
		g.line("%s = 0; free(%s);", p, p)
	}
}

// notHeap frees something.
func (g *faulty) notHeap() {
	p := g.name("p")
	g.allocate("char", p, "4")
	g.line("%s[0] = 0;", p)
	if g.fault() {
		a, _ := g.newArray("char", 4)
		g.line("free(%s);", g.pick(p+" + 1", a, "&s", "(void *)\"ab\""))
		return
	}
	g.line("free(%s);", p)
}

// stack is memory of alloca.
func (g *faulty) stack() {
	n, p := 1+g.IntN(3), g.name("p")
	g.line("int *%s = __builtin_alloca(%s * 4);", p, g.value(n))
	g.line("%s[%s] = 1;", p, g.index(n, false))
}

// null is a pointer that may be NULL.
func (g *faulty) null() {
	p := g.name("p")
	k := 1
	if g.fault() {
		k = 0
	}
	g.line("int *%s = 0; if (%s) %s = &s;", p, g.value(k), p)
	g.line("s += *%s;", p)
}

// number is a pointer made of a number.
func (g *faulty) number() {
	p := g.name("p")
	k := 1
	if g.fault() {
		k = 0
	}
	addr := "0x1234"
	if g.IntN(2) == 0 {
		addr = fmt.Sprintf("(%s * 4096L)", g.value(3))
	}
	g.line("int *%s = (int *)%s; if (%s) %s = &s;", p, addr, g.value(k), p)
	g.line("s += *%s;", p)
}

// records copies structures by pointers.
func (g *faulty) records() {
	p, n := g.name("p"), 2
	if g.fault() {
		n = 1
	}
	a, _ := g.newArray("int", n)
	if g.IntN(2) == 0 {
		a = g.name("m")
		g.allocate("int", a, fmt.Sprint(4*n))
		g.line("memset(%s, 0, %d);", a, 4*n)
	}
	g.line("struct pair %s = {1, 2};", p)
	g.line(g.pick("%s = *(struct pair *)%s;", "*(struct pair *)%[2]s = %[1]s;"), p, a)
}

// list is a list on the heap that is freed while it is walked.
func (g *faulty) list() {
	head, n, i, p, q := g.name("h"), 1+g.IntN(4), g.name("i"), g.name("p"), g.name("q")
	g.line("struct node *%s = 0;", head)
	g.line("for (int %s = 0; %s < %d; %s++) { struct node *n = malloc(sizeof *n); if (!n) return 0; "+
		"n->v = %s; n->next = %s; %s = n; }", i, i, n, i, i, head, head)
	if g.fault() {
		g.line("for (struct node *%s = %s; %s; %s = %s->next) free(%s);", p, head, p, p, p, p)
		return
	}
	g.line("for (struct node *%s = %s; %s; ) { struct node *%s = %s->next; free(%s); %s = %s; }", p, head,
		p, q, p, p, p, q)
}

// nodes are more objects than are told apart.
func (g *faulty) nodes() {
	p, i, n := g.name("p"), g.name("i"), 2+g.IntN(5)
	g.line("int *%s = 0;", p)
	g.line("for (int %s = 0; %s < %d; %s++) { %s = malloc(4); if (!%s) return 0; *%s = %s; }", i, i, n, i, p, p, p, i)
	k := 0
	if g.fault() {
		k = 1
	}
	g.line("%s[%s] = 2;", p, g.value(k))
}

// resized is realloc.
func (g *faulty) resized() {
	p, q := g.name("p"), g.name("q")
	n, m := 1+g.IntN(3), 1+g.IntN(4)
	g.allocate("int", p, fmt.Sprint(4*n))
	g.line("%s[0] = 1;", p)
	g.line("int *%s = realloc(%s, %s); if (!%s) return 0;", q, p, g.value(4*m), q)
	if g.fault() && g.IntN(2) == 0 {
		g.line("s += %s[0];", p)
		return
	}
	g.line("%s[%s] = 1;", q, g.index(m, false))
}

// overlap copies within one array.
func (g *faulty) overlap() {
	n := 2 + g.IntN(3)
	a, _ := g.newArray("char", 3*n)
	if g.IntN(3) == 0 {
		a = g.name("p")
		g.allocate("char", a, fmt.Sprint(3*n))
		g.line("memset(%s, 1, %d);", a, 3*n)
	}
	by := n + g.IntN(n)
	if g.fault() {
		by = 1 + g.IntN(n-1)
	}
	to, from := g.value(by), "0"
	if g.IntN(2) == 0 {
		to, from = from, to
	}
	g.line("%s(%s + %s, %s + %s, %s);", g.pick("memcpy", "memcpy", "memmove"), a, to, a, from, g.value(n))
}

// bounded is strncpy, strncat or snprintf with a size that is right, or too large.
func (g *faulty) bounded() {
	n, more := 3+g.IntN(4), 0
	if g.fault() {
		more = 1 + g.IntN(3)
	}
	t := g.name("t")
	g.line("char %s[%d] = \"x\";", t, n)
	switch g.IntN(3) {
	case 0:
		g.line("strncpy(%s + %s, %q, %s);", t, g.value(1), letters[:g.IntN(8)], g.value(n-1+more))
	case 1:
		g.line("strncat(%s, %q, %s);", t, letters[:n-2+more+g.IntN(2)], g.value(n-2+more))
	default:
		g.line("s += snprintf(%s, %s, \"%%s\", %q) > 1;", t, g.value(n+more), letters[:n-1+more+g.IntN(2)])
	}
}

// variable is an array whose length is no constant expression.
func (g *faulty) variable() {
	n, elem, a, size := 1+g.IntN(4), g.elem(), g.name("v"), g.name("n")
	fmt.Fprintf(&g.globals, "static int %s = %d;\n", size, n)
	g.line("%s %s[%s];", elem, a, size)
	if i := g.name("i"); g.IntN(2) == 0 {
		last := ""
		if g.fault() {
			last = "="
		}
		g.line("for (int %s = 0; %s <%s %s; %s++) %s[%s] = %s;", i, i, last, size, i, a, i, i)
		return
	}
	g.line("%s[%s] = 1;", a, g.index(n, false))
}

// entered is a pointer to an object of a block that control enters several times: to the
// object of this time, or to one of a block that control has left.
func (g *faulty) entered() {
	p, x, i := g.name("p"), g.name("x"), g.name("i")
	g.line("int *%s = 0;", p)
	if g.fault() {
		g.line(
			"for (int %s = 0; %s < 3; %s++) { if (%s < 2) { int %s = %s; %s = &%s; s += *%s; } else s += *%s; }",
			i, i, i, i, x, i, p, x, p, p)
		return
	}
	g.line("for (int %s = 0; %s < 3; %s++) { int %s = %s; %s%s = &%s; s += *%s; }", i, i, i, x, i,
		g.pick("", "if (!"+p+" || "+i+") "), p, x, p)
}

// called is a procedure that keeps the address of its local variable, and is called again.
func (g *faulty) called() {
	f, k := g.name("c"), g.name("k")
	static := "static "
	if g.fault() {
		static = ""
	}
	fmt.Fprintf(&g.globals,
		"static int *%s;\nstatic int %s(int n) { %sint x; x = n; if (%s) n += *%s; %s = &x; return n; }\n", k,
		f, static, k, k, k)
	if static == "" || g.IntN(2) == 0 {
		g.line("s += %s(1); s += *%s;", f, k)
		return
	}
	g.line("for (int i = 0; i < 2; i++) s += %s(i);", f)
}

// remade is an array that realloc has moved while something points into it.
func (g *faulty) remade() {
	p, q, n := g.name("p"), g.name("q"), 1+g.IntN(3)
	g.allocate("struct pair", p, fmt.Sprintf("%d * sizeof(struct pair)", n))
	g.line("int *%s = &%s[%s].b; *%s = 1;", q, p, g.value(g.IntN(n)), q)
	again := g.name("r")
	g.line("struct pair *%s = realloc(%s, %d * sizeof(struct pair)); if (!%s) return 0;", again, p, n+4, again)
	if g.fault() {
		g.line("s += *%s;", q)
	} else {
		g.line("%s = &%s[%s].b; s += *%s;", q, again, g.value(g.IntN(n)), q)
	}
	if g.IntN(2) == 0 {
		g.line("free(%s);", again)
	}
}
