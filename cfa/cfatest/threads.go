package cfatest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Threads is a random program with two or three threads besides main: a whole text, with
// locks, atomic sections, loops and an array, whose values stay small. main returns a number that
// tells what the variables hold at the end.
//
// With compiled, it is for a compiler: variables are read and written by sequentially consistent operations,
// sections are operations of that kind, nobody waits for another but for locks, and all threads are joined. Else
// it may also come to reach_error, in main or in a thread, and threads may wait for variables.
func Threads(seed uint64, compiled bool) string {
	g := &threaded{Rand: rand.New(rand.NewPCG(seed, 13)), compiled: compiled}
	g.text.WriteString("#include <pthread.h>\n")
	if !compiled {
		g.text.WriteString("extern void reach_error(void), __VERIFIER_atomic_begin(void), " +
			"__VERIFIER_atomic_end(void), __VERIFIER_assume(int);\n")
	}
	g.text.WriteString("int x, y, a[2];\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;\n")
	if !compiled {
		g.text.WriteString("void __VERIFIER_atomic_swap(void) { int t = x; x = y; y = t; }\n")
	}
	routines := 1 + g.IntN(2)
	for i := range routines {
		fmt.Fprintf(&g.text, "void *w%d(void *arg)\n{\n\tint n = (int)(long)arg, i;\n", i)
		g.block(1, 1+g.IntN(3))
		g.line(1, "return %s;", g.of("0", "arg", "(void *)(long)n"))
		g.text.WriteString("}\n")
	}
	g.main(routines)
	return g.text.String()
}

// ManyThreads is a random program that creates threads without end, and perhaps others once. Errors of it
// are mostly of two or three threads.
func ManyThreads(seed uint64) string {
	g := &threaded{Rand: rand.New(rand.NewPCG(seed, 17))}
	g.text.WriteString("#include <pthread.h>\n" +
		"extern void reach_error(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), " +
		"__VERIFIER_assume(int);\n" +
		"int x, y, a[2];\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;\n" +
		"void __VERIFIER_atomic_swap(void) { int t = x; x = y; y = t; }\n")
	routines := 1 + g.IntN(2)
	for i := range routines {
		fmt.Fprintf(&g.text, "void *w%d(void *arg)\n{\n\tint n = %s, i;\n", i, g.of("0", "1", "(int)(long)arg"))
		if g.IntN(3) == 0 {
			g.line(1, "int own = n, *p = &own;\n\t*p = own + 1;")
		}
		g.block(1, 1+g.IntN(3))
		if g.IntN(2) == 0 {
			g.line(1, "if (%s == %d)\n\t\treach_error();", g.read(), g.IntN(3))
		}
		g.line(1, "return 0;\n}")
	}
	g.text.WriteString("int main(void)\n{\n\tpthread_t t, u;\n\tint n = 0, i;\n")
	if g.IntN(2) == 0 {
		g.write(1)
	}
	if routines > 1 {
		g.line(1, "pthread_create(&u, 0, w1, %s);", g.of("0", "(void *)1"))
	}
	g.line(1, "%s\n\t\tpthread_create(&t, 0, w0, %s);",
		g.of("while (1)", "while (x < 2)", "for (n = 0; n < 3; n++)"), g.of("0", "0", "(void *)(long)n"))
	if g.IntN(2) == 0 {
		g.line(1, "pthread_join(%s, 0);", g.of("t", "t", "u"))
	}
	g.statement(1)
	g.line(1, "return 0;\n}")
	return g.text.String()
}

type threaded struct {
	*rand.Rand
	compiled bool
	locked   bool       // in a lock or section: none within
	section  bool       // in a section
	last     bool       // in main
	means    [][]string // what else there is to say
	pauses   bool       // before statements
	text     strings.Builder
}

func (g *threaded) of(texts ...string) string { return texts[g.IntN(len(texts))] }

func (g *threaded) line(depth int, format string, args ...any) {
	fmt.Fprintf(&g.text, strings.Repeat("\t", depth)+format+"\n", args...)
}

func (g *threaded) main(routines int) {
	threads := 2 + g.IntN(2)
	fmt.Fprintf(&g.text, "int main(void)\n{\n\tpthread_t t[%d];\n\tvoid *r = 0;\n\tint n = 0, i;\n", threads)
	loop := g.IntN(3) == 0
	if loop {
		g.line(1, "for (i = 0; i < %d; i++)\n\t\tpthread_create(&t[i], 0, w%d, (void *)(long)i);", threads, g.IntN(routines))
	}
	for i := range threads {
		if !loop {
			g.line(1, "pthread_create(&t[%d], 0, w%d, (void *)%d);", i, g.IntN(routines), g.IntN(3))
		}
		if g.IntN(4) == 0 {
			g.statement(1)
		}
	}
	for i := range threads {
		if g.compiled || g.IntN(5) > 0 {
			g.line(1, "pthread_join(t[%d], %s);", i, g.of("0", "&r"))
			g.line(1, "n = (n + (int)(long)r) & 3;")
		}
	}
	if !g.compiled && g.IntN(3) > 0 {
		g.line(1, "if (%s == %d && %s != %d)\n\t\treach_error();", g.read(), g.IntN(4), g.read(), g.IntN(3))
	}
	g.line(1, "return (x & 3) | (y & 3) << 2 | (a[0] & 1) << 4 | (a[1] & 1) << 5 | n << 6;")
	g.text.WriteString("}\n")
}

// variable is one of all threads.
func (g *threaded) variable() string { return g.of("x", "y", "x", "y", "a[0]", "a[n & 1]") }

// read is an expression that reads one.
func (g *threaded) read() string {
	if g.compiled {
		return "__atomic_load_n(&" + g.variable() + ", __ATOMIC_SEQ_CST)"
	}
	return g.variable()
}

func (g *threaded) value() string {
	return g.of("1", "2", "n", g.read(), fmt.Sprintf("((%s %s %s) & 3)", g.read(), g.of("+", "-", "^"),
		g.of("1", "n", g.read())))
}

func (g *threaded) block(depth, statements int) {
	for range statements {
		g.statement(depth)
	}
}

func (g *threaded) statement(depth int) {
	if g.pauses {
		g.line(depth, "PAUSE;")
	}
	if len(g.means) > 0 && g.IntN(3) > 0 {
		g.use(depth)
		return
	}
	switch n := g.IntN(13); {
	case n < 3:
		g.write(depth)
	case n < 4:
		g.line(depth, "n = %s;", g.value())
	case n < 6:
		g.line(depth, "if (%s %s %s) {", g.read(), g.of("==", "<"), g.of("1", "n", g.read()))
		g.block(depth+1, 1)
		g.line(depth, "}")
	case n < 7 && depth == 1:
		g.line(depth, "for (i = 0; i < 2; i++) {")
		g.block(depth+1, 1)
		g.line(depth, "}")
	case n < 9 && !g.locked:
		mutex := g.of("m", "m", "k")
		g.within(depth, "pthread_mutex_lock(&"+mutex+");", "pthread_mutex_unlock(&"+mutex+");")
	case n < 10 && !g.compiled && !g.locked:
		g.within(depth, "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();")
	case n < 11:
		if g.compiled {
			g.line(depth, "n = __sync_fetch_and_%s(&%s, 1) & 3;", g.of("add", "xor"), g.variable())
		} else {
			g.line(depth, "%s", g.of("__VERIFIER_atomic_swap();", "x++;", "y ^= 1;", "n = a[1]++ & 3;"))
		}
	case g.compiled:
		g.line(depth, "n = __sync_val_compare_and_swap(&%s, %d, %d) & 3;", g.variable(), g.IntN(2), g.IntN(4))
	case n < 12:
		g.line(depth, "%s (%s == %d)%s;", g.of("__VERIFIER_assume", "while"), g.read(), g.IntN(2), "")
	default:
		g.line(depth, "if (%s == %d && %s == %d)", g.read(), g.IntN(4), g.read(), g.IntN(4))
		g.line(depth+1, "reach_error();")
	}
}

func (g *threaded) write(depth int) {
	variable := g.variable()
	g.assign(depth, variable, g.value())
}

func (g *threaded) assign(depth int, variable, value string) {
	if g.compiled {
		g.line(depth, "__atomic_store_n(&%s, %s, __ATOMIC_SEQ_CST);", variable, value)
		return
	}
	g.line(depth, "%s = %s;", variable, value)
}

// within is a block in a lock or section.
func (g *threaded) within(depth int, begin, end string) {
	g.line(depth, "%s", begin)
	g.locked, g.section = true, strings.HasPrefix(begin, "__VERIFIER")
	g.block(depth, 1+g.IntN(2))
	g.locked, g.section = false, false
	g.line(depth, "%s", end)
}
