package cfatest

import (
	"fmt"
	"math/rand/v2"
)

// Few is a random program with one to three threads besides main, so small that many can be looked
// at: each thread has one to three statements of those of [Threads], with a chance of a loop around
// them, and what is asked of the variables in the end is often what some interleaving gives. It has
// no headers, which take longer to read than all else.
func Few(seed uint64) string {
	g := &threaded{Rand: rand.New(rand.NewPCG(seed, 53))}
	g.text.WriteString("typedef unsigned long pthread_t; typedef struct { int s[10]; } pthread_mutex_t;\n" +
		"extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *), " +
		"pthread_join(pthread_t, void **), pthread_mutex_lock(pthread_mutex_t *), " +
		"pthread_mutex_unlock(pthread_mutex_t *);\n" +
		"extern void reach_error(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), " +
		"__VERIFIER_assume(int);\n" +
		"int x, y, a[2];\npthread_mutex_t m = {0}, k = {0};\n" +
		"void __VERIFIER_atomic_swap(void) { int t = x; x = y; y = t; }\n")
	threads := 1 + g.IntN(3)
	routines := 1 + g.IntN(min(threads, 2))
	for i := range routines {
		fmt.Fprintf(&g.text, "void *w%d(void *arg)\n{\n\tint n = (int)(long)arg, i;\n", i)
		switch statements := 1 + g.IntN(4-threads+1); {
		case g.IntN(6) == 0:
			g.line(1, "%s {", g.of("for (i = 0; i < 2; i++)", "while (n < 2)",
				fmt.Sprintf("for (i = 0; i < 3 && %s != 1; i++)", g.read())))
			g.block(2, 1)
			g.line(2, "n++;\n\t}")
		default:
			g.block(1, statements)
		}
		g.line(1, "return %s;\n}", g.of("0", "arg", "(void *)(long)n"))
	}
	fmt.Fprintf(&g.text, "int main(void)\n{\n\tpthread_t t[%d];\n\tvoid *r = 0;\n\tint n = 0, i;\n", threads)
	if g.IntN(4) == 0 {
		g.line(1, "for (i = 0; i < %d; i++)\n\t\tpthread_create(&t[i], 0, w%d, (void *)(long)i);", threads, g.IntN(routines))
	} else {
		for i := range threads {
			g.line(1, "pthread_create(&t[%d], 0, w%d, (void *)%d);", i, i%routines, g.IntN(3))
		}
	}
	if threads == 1 || g.IntN(4) == 0 {
		g.statement(1)
	}
	for i := range threads {
		if g.IntN(5) > 0 {
			g.line(1, "pthread_join(t[%d], %s);", i, g.of("0", "&r"))
			g.line(1, "n = (n + (int)(long)r) & 3;")
		}
	}
	switch g.IntN(4) {
	case 0:
		g.line(1, "if (%s == %d)\n\t\treach_error();", g.read(), g.IntN(3))
	case 1:
		g.line(1, "if (%s == %d && %s != %d)\n\t\treach_error();", g.read(), g.IntN(4), g.read(), g.IntN(3))
	case 2:
		g.line(1, "if (x + 2 * y %s %d)\n\t\treach_error();", g.of("==", "<", ">"), g.IntN(5))
	}
	g.line(1, "return n;\n}")
	return g.text.String()
}
