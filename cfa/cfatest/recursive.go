package cfatest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Recursive is a random program whose functions call each other, and themselves, by
// name and through a table: types, globals and an entry procedure p<id> of type
// int (int) that recurses no deeper than its argument, one call more perhaps.
// Instances have locals of their own, whose addresses they hand down, and share
// statics. Names have the number in them. With observe it calls out(long long).
func Recursive(id int, seed uint64, observe bool) (text, entry string) {
	g := &recursive{Rand: rand.New(rand.NewPCG(seed, 5)), id: id, functions: 1 + int(seed%3), observe: observe}
	fmt.Fprintf(&g.text, "struct up%d { int v, w[2]; struct up%d *next; };\nstatic int g%d;\n", id, id, id)
	for i := range g.functions {
		fmt.Fprintf(&g.text, "static int r%d_%d(int n, struct up%d *up, int a);\n", id, i, id)
	}
	fmt.Fprintf(&g.text, "static int (*const t%d[])(int, struct up%d *, int) = { r%d_0, r%d_%d };\n", id, id,
		id, id, g.functions-1)
	for i := range g.functions {
		g.function(i)
	}
	entry = fmt.Sprintf("p%d", id)
	fmt.Fprintf(&g.text, "int %s(int n)\n{\n\tstruct up%d top = { %d, { 1, 2 }, 0 };\n"+
		"\tint r = r%d_0(n, &top, %d);\n\treturn (r ^ top.v) + g%d;\n}\n",
		entry, id, g.IntN(5), id, g.IntN(4), id)
	return g.text.String(), entry
}

type recursive struct {
	*rand.Rand
	id, functions int
	observe       bool
	text          strings.Builder
}

// of is one of some texts.
func (g *recursive) of(texts ...string) string { return texts[g.IntN(len(texts))] }

func (g *recursive) line(format string, args ...any) { fmt.Fprintf(&g.text, "\t"+format+"\n", args...) }

// value is an expression over what a function knows.
func (g *recursive) value() string {
	return fmt.Sprintf("(%s %s %s)", g.of("n", "a", "up->v", "here.v", "x", "calls"),
		g.of("+", "-", "^", "*", "<"), g.of("1", "3", "n", "x", "up->w[n & 1]", "here.w[1]"))
}

func (g *recursive) function(i int) {
	fmt.Fprintf(&g.text, "static int r%d_%d(int n, struct up%d *up, int a)\n{\n", g.id, i, g.id)
	g.line("static int calls;")
	g.line("int x = %d;", g.IntN(4))
	g.line("struct up%d here = { %d, { a, x }, up };", g.id, g.IntN(3))
	g.line("calls++;")
	if g.observe {
		g.line("out(calls * 100 + n);")
	}
	g.line("if (n <= %d)\n\t\treturn %s;", g.IntN(2), g.value())
	for range 1 + g.IntN(2) {
		switch g.IntN(5) {
		case 0:
			g.line("up->v = %s;", g.value())
		case 1:
			g.line("g%d += %s & 7;", g.id, g.value())
		case 2:
			g.line("if (here.next->next)\n\t\there.next->next->w[0] = %s;", g.value())
		case 3:
			g.line("for (int i = 0; i < 2; i++)\n\t\there.w[i] += %s;", g.value())
		default:
			g.line("x = %s;", g.value())
		}
	}
	for k := range 1 + g.IntN(3)/2 {
		call := fmt.Sprintf("r%d_%d", g.id, g.IntN(g.functions))
		if g.IntN(4) == 0 {
			call = fmt.Sprintf("t%d[n & 1]", g.id)
		}
		g.line("%s%s(n - %d, %s, %s);", g.of("x += ", "x = ", "here.v = "), call, 1+k+g.IntN(2),
			g.of("&here", "up", "&here"), g.value())
		if g.observe {
			g.line("out(x ^ here.v);")
		}
	}
	g.line("return %s;", g.value())
	g.text.WriteString("}\n")
}

// Numbers is a random program whose functions compute numbers from their arguments, by
// calling each other and themselves, and do nothing else: with an entry procedure p<id> of
// type int (void) that calls them with constants.
func Numbers(id int, seed uint64) (text, entry string) {
	g := &recursive{Rand: rand.New(rand.NewPCG(seed, 7)), id: id, functions: 1 + int(seed%3)}
	types := make([]string, g.functions)
	for i := range types {
		types[i] = g.of("int", "int", "unsigned", "char", "long long", "_Bool")
		fmt.Fprintf(&g.text, "static %s r%d_%d(int n, %s a);\n", types[i], id, i, types[i])
	}
	term := func() string {
		return fmt.Sprintf("(%s %s %s)", g.of("n", "a", "3"), g.of("+", "-", "*", "<", "^"), g.of("a", "n", "100", "1"))
	}
	call := func() string {
		return fmt.Sprintf("r%d_%d(n - %d, %s)", id, g.IntN(g.functions), 1+g.IntN(2), g.of("a", "a + 1", "n", "7"))
	}
	for i, t := range types {
		fmt.Fprintf(&g.text, "static %s r%d_%d(int n, %s a)\n{\n", t, id, i, t)
		g.line("if (n <= %d)\n\t\treturn %s;", g.IntN(2), term())
		if g.IntN(2) == 0 {
			g.line("if (%s)\n\t\treturn %s;", term(), g.of(call(), call()+" + "+call()))
		}
		if g.IntN(3) == 0 {
			g.line("int x = %s;\n\tif (x > 3)\n\t\tx -= %s;\n\treturn x + %s;", call(), term(), call())
		} else {
			g.line("return %s;", g.of(call(), call()+" - "+call(), "1 + "+call(), term()+" ? "+call()+" : "+call()))
		}
		g.text.WriteString("}\n")
	}
	entry = fmt.Sprintf("p%d", id)
	fmt.Fprintf(&g.text, "int %s(void)\n{\n\treturn r%d_0(%d, %d) + r%d_%d(%d, %d);\n}\n", entry, id,
		g.IntN(5), g.IntN(4), id, g.functions-1, g.IntN(4), g.IntN(4))
	return g.text.String(), entry
}
