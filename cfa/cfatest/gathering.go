package cfatest

import (
	"fmt"
	"math/rand/v2"
)

// Gathering is a random program that creates up to three threads of one call, in a loop, and asks how
// many have done something: they add to shared variables, keep what they have read, wait, and end in
// different ways; main may join them. With forever it creates them without end.
func Gathering(seed uint64, forever bool) string {
	g := &gathering{threaded: threaded{Rand: rand.New(rand.NewPCG(seed, 23))}}
	g.text.WriteString("#include <pthread.h>\n#include <stdlib.h>\n" +
		"extern void reach_error(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), " +
		"__VERIFIER_assume(int); extern int nondet(void);\n" +
		"int x, y;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n")
	g.worker("w1", "return 0;")
	g.nested = g.of("", "", "w1")
	g.worker("w0", "return 0;")
	g.text.WriteString("int main(void)\n{\n\tpthread_t t[3], u = 0;\n\tint i, l = 0;\n")
	if g.IntN(3) == 0 {
		g.line(1, "pthread_create(&u, 0, w1, 0);")
	}
	n := 1 + g.IntN(3)
	if forever {
		g.line(1, "while (1)\n\t\tpthread_create(&t[0], 0, w0, 0);")
	} else {
		g.line(1, "for (i = 0; i < %d; i++)\n\t\t%spthread_create(&t[i], 0, w0, 0);", n, g.of("", "", "", "if (x < 2) "))
	}
	if g.IntN(2) == 0 {
		g.step(1)
	}
	if g.IntN(3) > 0 {
		g.line(1, "for (i = 0; i < %d; i++)\n\t\tpthread_join(t[i], 0);", 1+g.IntN(n))
	}
	g.line(1, "if (u%s)\n\t\tpthread_join(u, 0);", g.of("", " && l"))
	g.check(1)
	g.line(1, "return 0;\n}")
	return g.text.String()
}

type gathering struct {
	threaded
	nested string // a thread that threads may create
}

func (g *gathering) worker(name, end string) {
	fmt.Fprintf(&g.text, "void *%s(void *arg)\n{\n\tpthread_t v;\n\tint l = %s;\n", name,
		g.of("0", "1", "nondet() & 1", "x"))
	creates := g.IntN(5)
	for k := range 1 + g.IntN(4) {
		if k == creates && g.nested != "" {
			g.line(1, "pthread_create(&v, 0, %s, 0);", g.nested)
			g.nested = ""
		}
		if g.IntN(12) == 0 {
			g.line(1, g.of("__VERIFIER_assume(0);", "if (l) pthread_exit(0);", "if (x > 1) exit(0);", "while (l) ;"))
		}
		g.step(1)
	}
	g.line(1, end+"\n}")
}

// step is a statement of a thread.
func (g *gathering) step(depth int) {
	v := g.of("x", "x", "y")
	switch g.IntN(14) {
	case 0, 1, 2:
		g.line(depth, "__VERIFIER_atomic_begin(); %s; __VERIFIER_atomic_end();",
			g.of(v+"++", v+"++", v+"--", "if ("+v+" < 2) "+v+"++", "l = "+v+"; "+v+" = l + 1", "if (x) y = 1",
				"if (y) __VERIFIER_assume(x > 0)"))
	case 3:
		g.line(depth, "%s++;", v)
	case 4, 5:
		g.line(depth, "l = %s;", v)
	case 6, 7:
		g.line(depth, "%s = %s;", v, g.of("l", "l + 1", "1", "x > l ? x : l"))
	case 8:
		g.line(depth, "__VERIFIER_assume(%s %s);", v, g.of("> 0", "> 1", "== l"))
	case 9:
		g.line(depth, "while (%s == %d)\n\t\t;", v, g.IntN(2))
	case 10:
		g.line(depth, "if (%s)\n\t\t%s;", g.of("nondet()", "l", v), g.of("l = 2", "y = l", v+"++"))
	case 11:
		g.line(depth, "pthread_mutex_lock(&m); %s = %s + 1; pthread_mutex_unlock(&m);", v, v)
	case 12:
		g.line(depth, "for (int k = 0; k < 2; k++)\n\t\t%s;", g.of("l++", v+"++", "y = k", "l = x"))
	default:
		g.check(depth)
	}
}

// check asks what is known of the variables.
func (g *gathering) check(depth int) {
	g.line(depth, "if (%s)\n\t\treach_error();",
		g.of(fmt.Sprintf("x > %d", g.IntN(5)), fmt.Sprintf("y > %d", g.IntN(4)), "l > x", "y > x",
			fmt.Sprintf("x != %d", g.IntN(4)), "x < 0", fmt.Sprintf("x + y > %d",
				1+g.IntN(5)), fmt.Sprintf("l > %d", 1+g.IntN(3))))
}
