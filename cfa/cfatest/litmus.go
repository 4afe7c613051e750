package cfatest

import (
	"fmt"
	"math/rand/v2"
)

// Litmus is a random program in the manner of litmus tests: two or three threads, each of two to four
// reads, writes, fences and operations, of which main returns what they have read, and what is in
// memory at the end, as one number. Where that is WANT, a macro that is to be defined before, it
// comes to reach_error.
func Litmus(seed uint64) string {
	g := &threaded{Rand: rand.New(rand.NewPCG(seed, 43))}
	g.text.WriteString("#include <pthread.h>\nextern void reach_error(void);\nint x, y, z; _Atomic int u;\n")
	threads := 2 + g.IntN(9)/6
	atomics := g.IntN(3) == 0
	outcome := "x | y << 2 | (z + u) << 4"
	for t := range threads {
		fmt.Fprintf(&g.text, "void *f%d(void *p)\n{\n\tint r = 0;\n", t)
		ops := 2 + g.IntN(5-threads)
		for i := range ops {
			cell := g.of("x", "y", "x", "y", "x", "y", "z")
			read := "r = r << 1 ^ %s;"
			n := g.IntN(12)
			if first, last := i == 0, i == ops-1; g.IntN(2) == 0 && first {
				n = 0
			} else if last && g.IntN(2) == 0 {
				n = 5
			}
			switch {
			case n < 5:
				g.line(1, "%s = %d;", cell, 1+g.IntN(2))
			case n < 9 || !atomics:
				g.line(1, read, cell)
			case n < 10:
				g.line(1, "%s", g.of("__sync_synchronize();", "__atomic_thread_fence(__ATOMIC_SEQ_CST);",
					"__atomic_thread_fence(__ATOMIC_ACQUIRE);", "__atomic_thread_fence(__ATOMIC_RELEASE);"))
			case n < 11:
				g.line(1, "%s", g.of("u = 1;", fmt.Sprintf("__atomic_store_n(&%s, 1, __ATOMIC_SEQ_CST);",
					cell), fmt.Sprintf("__atomic_store_n(&%s, 2, __ATOMIC_RELEASE);", cell),
					fmt.Sprintf("__sync_lock_release(&%s);", cell)))
			default:
				g.line(1, read, g.of("u", fmt.Sprintf("__atomic_exchange_n(&%s, 2, __ATOMIC_RELAXED)", cell),
					fmt.Sprintf("__atomic_load_n(&%s, __ATOMIC_ACQUIRE)", cell)))
			}
		}
		g.line(1, "return (void *)(long)r;\n}")
		outcome += fmt.Sprintf(" | (int)(long)r[%d] << %d", t, 7+4*t)
	}
	fmt.Fprintf(&g.text, "int main(void)\n{\n\tpthread_t t[%d];\n\tvoid *r[%[1]d];\n", threads)
	for t := range threads {
		g.line(1, "pthread_create(&t[%d], 0, f%[1]d, 0);", t)
	}
	for t := range threads {
		g.line(1, "pthread_join(t[%d], &r[%[1]d]);", t)
	}
	g.line(1, "if ((%s) == WANT)\n\t\treach_error();\n\treturn %[1]s;\n}", outcome)
	return g.text.String()
}
