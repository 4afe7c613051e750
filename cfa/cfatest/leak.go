package cfatest

// Programs that leave memory allocated.
//
// Idea: as fault.go, but each step allocates memory and frees it, and its error is
// that some of it is not freed. What counts is what is allocated when the program
// ends, whether something points to it or not.

import (
	"fmt"
	"math/rand/v2"
)

// Leaky is a random program without invalid accesses that frees what it allocates,
// but for one step at most: a procedure f<id> of type int (void) with its globals,
// which returns or exits. The text needs [FaultPrelude] in front.
func Leaky(id int, seed uint64, steps int) (text, entry string) {
	g := &faulty{Rand: rand.New(rand.NewPCG(seed, 11)), id: id}
	g.faults = g.IntN(2 * steps)
	all := []func(){g.plain, g.overwritten, g.branch, g.owned, g.chain, g.dropped, g.made, g.kept, g.grown,
		g.moved, g.swapped}
	for range steps {
		all[g.IntN(len(all))]()
	}
	if g.IntN(4) == 0 {
		g.line("exit(0);")
	}
	entry = fmt.Sprintf("f%d", id)
	return fmt.Sprintf("%sstatic int %s(void) {\n\tint s = 0;\n%s\treturn s & 1;\n}\n", &g.globals, entry, &g.body), entry
}

// memory declares a pointer to new memory of two elements.
func (g *faulty) memory() string {
	p := g.name("p")
	g.line("int *%s = %s; if (!%s) abort();", p, g.pick("malloc(2 * sizeof(int))", "calloc(2, sizeof(int))",
		fmt.Sprintf("malloc(%s)", g.value(8))), p)
	return p
}

// plain frees once, or never.
func (g *faulty) plain() {
	p := g.memory()
	g.line("%s[1] = 3; s += %s[1];", p, p)
	if !g.fault() {
		g.line("free(%s);", p)
	}
}

// overwritten points to something else before it is freed.
func (g *faulty) overwritten() {
	p := g.memory()
	if !g.fault() {
		g.line("free(%s);", p)
	}
	g.line("%s = malloc(4); if (!%s) abort();", p, p)
	g.line("free(%s);", p)
}

// branch frees on one way only.
func (g *faulty) branch() {
	p, k := g.memory(), 1
	if g.fault() {
		k = 0
	}
	if g.IntN(2) == 0 {
		g.line("if (%s) free(%s); else s++;", g.value(k), p)
		return
	}
	g.line("switch (%s) { case 1: case 2: free(%s); break; default: s++; }", g.value(k), p)
}

// owned is memory that a structure points to.
func (g *faulty) owned() {
	b, in := g.name("b"), g.name("in")
	g.line("struct %s { int n; int *p; } *%s = malloc(sizeof *%s); if (!%s) abort();", in, b, b, b)
	g.line("%s->p = malloc(4); if (!%s->p) abort();", b, b)
	if !g.fault() {
		g.line("free(%s->p);", b)
	}
	g.line("free(%s);", b)
}

// chain is a list that is freed, but for one of its ends.
func (g *faulty) chain() {
	head, n, i, p := g.name("h"), 2+g.IntN(2), g.name("i"), g.name("p")
	g.line("struct node *%s = 0;", head)
	g.line("for (int %s = 0; %s < %d; %s++) { struct node *n = malloc(sizeof *n); if (!n) abort(); "+
		"n->v = %s; n->next = %s; %s = n; }", i, i, n, i, i, head, head)
	end := ""
	if g.fault() {
		if g.IntN(2) == 0 {
			g.line("%s = %s->next;", head, head)
		} else {
			end = "->next"
		}
	}
	g.line("while (%s%s) { struct node *%s = %s; %s = %s->next; free(%s); }", head, end, p, head, head, head, p)
}

// dropped is freed by a function, if that is told to.
func (g *faulty) dropped() {
	f, k := g.name("drop"), 1
	if g.fault() {
		k = 0
	}
	if g.IntN(2) == 0 {
		fmt.Fprintf(&g.globals, "static void %s(int *p, int c) { if (c) free(p); }\n", f)
		g.line("%s(%s, %s);", f, g.memory(), g.value(k))
		return
	}
	fmt.Fprintf(&g.globals, "static void %s(int **p, int c) { if (c) free(*p); *p = 0; }\n", f)
	g.line("%s(&%s, %s);", f, g.memory(), g.value(k))
}

// made is allocated by a function.
func (g *faulty) made() {
	f, p := g.name("make"), g.name("p")
	fmt.Fprintf(&g.globals, "static int *%s(int x) { int *p = malloc(sizeof x); if (!p) abort(); *p = x; return p; }\n", f)
	g.line("int *%s = %s(2); s += *%s;", p, f, p)
	if g.fault() {
		g.line("s += *%s(3);", f)
	}
	g.line("free(%s);", p)
}

// kept is what a global points to.
func (g *faulty) kept() {
	k := g.name("keep")
	fmt.Fprintf(&g.globals, "static int *%s;\n", k)
	g.line("%s = %s;", k, g.memory())
	if !g.fault() {
		g.line("free(%s); %s = 0;", k, k)
	}
}

// grown is realloc, which frees what it is given.
func (g *faulty) grown() {
	p, q := g.memory(), g.name("q")
	g.line("int *%s = realloc(%s, %s); if (!%s) abort();", q, p, g.value(16), q)
	if !g.fault() {
		g.line("free(%s);", q)
	}
}

// moved is freed by a pointer that was elsewhere in between.
func (g *faulty) moved() {
	p := g.memory()
	g.line("%s += 1; *%s = 4;", p, p)
	if !g.fault() {
		g.line("free(%s - 1);", p)
	}
}

// swapped are two pieces whose pointers are swapped.
func (g *faulty) swapped() {
	p, q, t := g.memory(), g.memory(), g.name("t")
	g.line("int *%s = %s; %s = %s; %s = %s;", t, p, p, q, q, t)
	if g.fault() {
		g.line("%s = 0;", q)
	}
	g.line("free(%s); free(%s);", p, q)
}
