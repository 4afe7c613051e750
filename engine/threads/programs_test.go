package threads_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/events"
	"magus/cfa/interp"
	"magus/engine/threads"
	"magus/internal/sample"
	"magus/smt/expr"
)

// TestPrograms has what unrolling does in particular, each with a program whose verdict tells whether it is
// right.
func TestPrograms(t *testing.T) {
	const head = "#include <pthread.h>\nextern void reach_error(void), __VERIFIER_assume(int), " +
		"__VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n" +
		"extern int __VERIFIER_nondet_int(void);\nint x, y, z;\n"
	for i, c := range []struct {
		name, text string
		want       threads.Answer
		cut        events.CutKind // of an unknown verdict
	}{
		{name: "nothing is shared between a join and a creation", want: threads.Safe, text: `
			void *f(void *p) { x = 1; return 0; }
			void *g(void *p) { if (x == 0) reach_error(); return 0; }
			int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_create(&u, 0, g, 0); return 0; }`},
		{name: "a thread that shares nothing creates another", want: threads.Safe, text: `
			void *g(void *p) { if (x == 0) reach_error(); return 0; }
			void *f(void *p) { pthread_t t; pthread_create(&t, 0, g, 0); return 0; }
			void *h(void *p) { y = x; return 0; }
			int main(void) { pthread_t t, u; pthread_create(&t, 0, h, 0); x = 1; pthread_create(&u, 0, f, 0); return 0; }`},
		{name: "who waits stands still, and the others go on", want: threads.Unsafe, text: `
			void *f(void *p) { x = 1; __VERIFIER_assume(0); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x) reach_error(); return 0; }`},
		{name: "a loop that only waits", want: threads.Safe, text: `
			void *f(void *p) { y = 1; x = 1; return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); while (x == 0) ; if (y == 0) reach_error(); return 0; }`},
		{name: "a loop that counts while it waits", want: threads.Unknown, cut: events.LoopCut, text: `
			void *f(void *p) { x = 1; return 0; }
			int main(void) { int n = 0; pthread_t t; pthread_create(&t, 0, f, 0); while (x == 0) n++; if (n < 0) reach_error(); return 0; }`},
		{name: "a loop with a constant bound", want: threads.Unsafe, text: `
			void *f(void *p) { for (int i = 0; i < 20; i++) x = i; return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x == 19) reach_error(); return 0; }`},
		{name: "an argument is handed over, and changed afterwards", want: threads.Unsafe, text: `
			void *f(void *p) { if (*(int *)p == 2) reach_error(); return 0; }
			int main(void) { int n = 1; pthread_t t; pthread_create(&t, 0, f, &n); n = 2; pthread_join(t, 0); return 0; }`},
		{name: "an argument is handed over", want: threads.Safe, text: `
			void *f(void *p) { if (*(int *)p != 1) reach_error(); return 0; }
			int main(void) { int n = 1; pthread_t t; pthread_create(&t, 0, f, &n); pthread_join(t, 0); return 0; }`},
		{name: "a join on one way only", want: threads.Unsafe, text: `
			void *f(void *p) { x = 1; return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (y == 0) { if (__VERIFIER_nondet_int()) pthread_join(t, 0); } if (x == 0) reach_error(); return 0; }`},
		{name: "the only writer of a variable, on one way through a section", want: threads.Safe, text: `
			void *f(void *p) { __VERIFIER_atomic_begin(); if (y == 0) x = 1; __VERIFIER_atomic_end(); if (x != 0 && x != 1) reach_error(); x = x + 1; return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); y = 1; pthread_join(t, 0); if (x == 0 || x > 2) reach_error(); return 0; }`},
		{name: "the only writer of a variable, on the other way", want: threads.Unsafe, text: `
			void *f(void *p) { __VERIFIER_atomic_begin(); if (y == 0) x = 1; __VERIFIER_atomic_end(); x = x + 1; return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); y = 1; pthread_join(t, 0); if (x == 1) reach_error(); return 0; }`},
		{name: "the only writer of a variable does not read it", want: threads.Safe, text: `
			void *f(void *p) { x = 2; __VERIFIER_atomic_begin(); if (y) x = 3; z = 1; __VERIFIER_atomic_end(); return 0; }
			void *g(void *p) { y = 1; return 0; }
			int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); if (z) if (x != 2 && x != 3) reach_error(); return 0; }`},
		{name: "the only writer of a variable begins with what it held", want: threads.Safe, text: `
			void *f(void *p) { x++; if (x != 6 && x != 8) reach_error(); return 0; }
			int main(void) { pthread_t t; if (__VERIFIER_nondet_int()) x = 5; else x = 7; pthread_create(&t, 0, f, 0); y = x; if (y < 5 || y > 8) reach_error(); return 0; }`},
		{name: "the only writer of a variable is created by another thread", want: threads.Unsafe, text: `
			void *f(void *p) { x++; if (x == 8) y = 1; return 0; }
			void *h(void *p) { pthread_t t; z = x; pthread_create(&t, 0, f, 0); return 0; }
			int main(void) { pthread_t t; if (__VERIFIER_nondet_int()) x = 5; else x = 7; pthread_create(&t, 0, h, 0); if (y == 1) if (z == 7) reach_error(); return 0; }`},
		{name: "others see what the only writer of a variable wrote in between", want: threads.Unsafe, text: `
			void *f(void *p) { x = 1; x = x + 1; return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x == 1) if (x == 2) reach_error(); return 0; }`},
		{name: "the main thread is the only writer of a variable", want: threads.Safe, text: `
			void *f(void *p) { y = x; return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); for (int i = 0; i < 20; i++) x++; if (x != 20) reach_error(); return 0; }`},
		{name: "a loop whose bound only one thread writes", want: threads.Safe, text: `
			void *f(void *p) { while (x < 20) x++; if (x != 20) reach_error(); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); y = x; return 0; }`},
		{name: "a variable with two writers", want: threads.Unsafe, text: `
			void *f(void *p) { x = 1; if (x != 1) reach_error(); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; return 0; }`},
		{name: "a section is left from a loop", want: threads.Safe, text: `
			void *f(void *p) { for (;;) { __VERIFIER_atomic_begin(); if (x == 0) { x = 1; __VERIFIER_atomic_end(); break; } __VERIFIER_atomic_end(); } return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); if (x != 1) reach_error(); return 0; }`},
		{name: "an error within a section", want: threads.Unsafe, text: `
			void *f(void *p) { __VERIFIER_atomic_begin(); y = 1; if (x == 1) reach_error(); __VERIFIER_atomic_end(); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; return 0; }`},
		{name: "nobody sees the middle of a section", want: threads.Safe, text: `
			void *f(void *p) { __VERIFIER_atomic_begin(); x = 1; x = 2; __VERIFIER_atomic_end(); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x == 1) reach_error(); return 0; }`},
		{name: "threads that wait for each other's end", want: threads.Safe, text: `
			pthread_t t; void *f(void *p) { pthread_join((pthread_t)p, 0); reach_error(); return 0; }
			int main(void) { pthread_create(&t, 0, f, (void *)pthread_self()); pthread_join(t, 0); reach_error(); return 0; }`},
		{name: "a thread is joined that another one helps to its end", want: threads.Unsafe, text: `
			void *f(void *p) { __VERIFIER_assume(x == 1); return 0; }
			void *g(void *p) { x = 1; return 0; }
			int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); reach_error(); return 0; }`},
		{name: "thread-local variables begin anew in each thread", want: threads.Safe, text: `
			__thread int own = 3; static int next(void) { static _Thread_local int n = 10; return ++n; }
			_Thread_local struct { int a[2]; } pair = {{1, 2}};
			void *f(void *p) { if (own != 3 || next() != 11 || next() != 12 || pair.a[1] != 2) reach_error(); own = 4; pair.a[1]++; return 0; }
			int main(void) { pthread_t t[2]; own = 7; pair.a[1] = 9; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0); next();
				for (int i = 0; i < 2; i++) pthread_join(t[i], 0); if (own != 7 || next() != 12 || pair.a[1] != 9) reach_error(); return 0; }`},
		{name: "a thread-local variable of another thread, by its address", want: threads.Unsafe, text: `
			_Thread_local int own;
			void *f(void *p) { own = 1; *(int *)p = 2; if (own != 1) __VERIFIER_assume(0); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, &own); pthread_join(t, 0); if (own == 2) reach_error(); return 0; }`},
		{name: "threads keep something of their own for a key", want: threads.Safe, text: `
			pthread_key_t k, l;
			void *f(void *p) { if (pthread_getspecific(k)) reach_error(); pthread_setspecific(k, p); pthread_setspecific(l, &x);
				if (pthread_getspecific(k) != p || pthread_getspecific(l) != &x) reach_error(); return 0; }
			int main(void) { pthread_t t, u; pthread_key_create(&k, 0); pthread_key_create(&l, 0); pthread_setspecific(k, &z);
				pthread_create(&t, 0, f, &x); pthread_create(&u, 0, f, &y); pthread_join(t, 0); pthread_join(u, 0); if (pthread_getspecific(k) != &z) reach_error(); return 0; }`},
		{name: "destructors of keys run at the end of a thread, when nothing is kept any more", want: threads.Safe, text: `
			pthread_key_t k; void d(void *p) { if (pthread_getspecific(k)) reach_error(); ++*(int *)p; }
			void *f(void *p) { pthread_setspecific(k, p); return 0; }
			int main(void) { pthread_t t; pthread_key_create(&k, d); pthread_create(&t, 0, f, &x); pthread_join(t, 0); if (x != 1) reach_error(); return 0; }`},
		{name: "destructors that keep something again run four times", want: threads.Safe, text: `
			pthread_key_t k; void d(void *p) { x++; pthread_setspecific(k, p); }
			void *f(void *p) { pthread_setspecific(k, p); pthread_exit(0); }
			int main(void) { pthread_t t; pthread_key_create(&k, d); pthread_create(&t, 0, f, &y); pthread_join(t, 0); if (x != 4) reach_error(); return 0; }`},
		{name: "destructors run where main ends by pthread_exit", want: threads.Unsafe, text: `
			pthread_key_t k; void d(void *p) { if (++x == 2) reach_error(); }
			void *f(void *p) { pthread_setspecific(k, p); return 0; }
			int main(void) { pthread_t t; pthread_key_create(&k, d); pthread_setspecific(k, &y); pthread_create(&t, 0, f, &y); pthread_exit(0); }`},
		{name: "no destructors run where main returns, for NULL, or for a key that was deleted", want: threads.Safe, text: `
			pthread_key_t k, l; void d(void *p) { reach_error(); }
			void *f(void *p) { pthread_setspecific(k, p); pthread_setspecific(k, 0); pthread_setspecific(l, p); pthread_key_delete(l); return 0; }
			int main(void) { pthread_t t; pthread_key_create(&k, d); pthread_key_create(&l, d); pthread_setspecific(k, &y); pthread_create(&t, 0, f, &y); pthread_join(t, 0); return 0; }`},
		{name: "more threads than are told apart", want: threads.Unknown, cut: events.ThreadCut, text: `
			void *f(void *p) { x = 1; return 0; }
			int main(void) { pthread_t t; for (int i = 0; i < 5; i++) pthread_create(&t, 0, f, 0); if (x > 1) reach_error(); return 0; }`},
	} {
		if sample.LeftOut(i, 6) {
			continue
		}
		for _, order := range []threads.Order{threads.ByTheory, threads.Refined, threads.Full} {
			auto := automaton(t, head+c.text)
			out, err := threads.Run(context.Background(), auto, threads.Options{Order: order, Unwind: 4})
			require.NoError(t, err, c.name)
			require.Equal(t, c.want, out.Answer, "%s, by %s", c.name, order)
			switch out.Answer {
			case threads.Unsafe:
				run, err := replay(auto, out.Schedule)
				require.NoError(t, err, c.name)
				require.Contains(t, run.Trace, cfa.ErrorAction)
			case threads.Unknown:
				require.Equal(t, c.cut, out.Cuts[0].Kind, c.name)
			}
		}
	}
}

// TestRacesAndDeadlocks has what is a race or a deadlock and what is none, by programs.
func TestRacesAndDeadlocks(t *testing.T) {
	const head = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n" +
		"#include <string.h>\nint x, y; atomic_int a; _Atomic int b; int z[4]; union { int i; char c[4]; } q;\n" +
		"#include <stdlib.h>\nint *_Atomic ap; _Atomic(int *) aq; _Atomic int *pa, az[2][2]; " +
		"_Atomic double ad; volatile int vo; double d; struct { int a, b; } s1, s2; typedef _Atomic int an; " +
		"struct v { an v; } mem; struct v *member(void) { return &mem; }\n" +
		"pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; pthread_spinlock_t sp; " +
		"pthread_once_t o; sem_t s; pthread_rwlock_t l;\n" +
		"extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int), " +
		"__VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); void init(void) { y = 1; }\n"
	two := func(a, b string) string {
		return "void *f(void *p) { " + a + " return 0; } void *g(void *p) { " + b + " return 0; }" +
			"int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); " +
			"pthread_join(t, 0); pthread_join(u, 0); return x; }"
	}
	const lockM, unlockM, lockN, unlockN = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);",
		"pthread_mutex_lock(&n);", "pthread_mutex_unlock(&n);"
	for i, c := range []struct {
		name, text string
		goal       threads.Goal
		want       threads.Answer
	}{
		{"two writes", two("x = 1;", "x = 1;"), threads.Races, threads.Unsafe},
		{"two reads", two("return (void *)(long)x;", "return (void *)(long)x;"), threads.Races, threads.Safe},
		{"a read of a write", two("x = 1;", "if (x) y = 1;"), threads.Races, threads.Unsafe},
		{"under a lock", two(lockM+"x = 1;"+unlockM, lockM+"x = 2;"+unlockM), threads.Races, threads.Safe},
		{"under two locks", two(lockM+"x = 1;"+unlockM, lockN+"x = 2;"+unlockN), threads.Races, threads.Unsafe},
		{"a message", two("x = 1; atomic_store(&a, 1);", "if (atomic_load(&a)) x = 2;"), threads.Races, threads.Safe},
		{"a message that is not waited for", two("x = 1; atomic_store(&a, 1);", "if (atomic_load(&a) == 0) x = 2;"),
			threads.Races, threads.Unsafe},
		{"a message by what is declared so", two("x = 1; b = 1;", "if (b) x = 2;"), threads.Races, threads.Safe},
		{"a message by GCC's operations", two("x = 1; __atomic_store_n(&y, 1, 3);", "if (__atomic_load_n(&y, 2)) x = 2;"),
			threads.Races, threads.Safe},
		{"a message that races itself", two("x = 1; y = 1;", "if (y) x = 2;"), threads.Races, threads.Unsafe},
		{"an operation against an access", two("__atomic_fetch_add(&x, 1, 5);", "x = 2;"), threads.Races, threads.Unsafe},
		{"an access in a section on another way",
			two("__VERIFIER_atomic_begin(); if (a) x = 1; __VERIFIER_atomic_end();", "x = 2;"), threads.Races, threads.Safe},
		{"a section that waits",
			two("__VERIFIER_atomic_begin(); y = x; __VERIFIER_assume(0); __VERIFIER_atomic_end();", "x = 2;"),
			threads.Races, threads.Safe},
		{"elements of an array", two("z[0] = 1;", "z[1] = 1;"), threads.Races, threads.Safe},
		{"elements of an array by a number", two("z[__VERIFIER_nondet_int() & 3] = 1;", "z[1] = 1;"),
			threads.Races, threads.Unsafe},
		{"parts of a union", two("q.i = 1;", "q.c[1] = 1;"), threads.Races, threads.Unsafe},
		{"before a thread is created", "void *f(void *p) { x = 1; return 0; } int main(void) { pthread_t t; " +
			"x = 2; pthread_create(&t, 0, f, 0); return 0; }", threads.Races, threads.Safe},
		{"after a thread is created", "void *f(void *p) { x = 1; return 0; } int main(void) { pthread_t t; " +
			"pthread_create(&t, 0, f, 0); x = 2; return 0; }", threads.Races, threads.Unsafe},
		{"after a thread is joined", "void *f(void *p) { x = 1; return 0; } int main(void) { pthread_t t; " +
			"pthread_create(&t, 0, f, 0); pthread_join(t, 0); x = 2; return 0; }", threads.Races, threads.Safe},
		{"a spin lock", two("pthread_spin_lock(&sp); x = 1; pthread_spin_unlock(&sp);",
			"pthread_spin_lock(&sp); x = 1; pthread_spin_unlock(&sp);"), threads.Races, threads.Safe},
		{"once", two("pthread_once(&o, init); if (y) x = 1;", "pthread_once(&o, init);"), threads.Races, threads.Safe},
		{"a semaphore", two("x = 1; sem_post(&s);", "sem_wait(&s); x = 2;"), threads.Races, threads.Safe},
		{"readers and a writer", two("pthread_rwlock_wrlock(&l); x = 1; pthread_rwlock_unlock(&l);",
			"pthread_rwlock_rdlock(&l); y = x; pthread_rwlock_unlock(&l);"), threads.Races, threads.Safe},
		{"a reader writes", two("pthread_rwlock_rdlock(&l); x = 1; pthread_rwlock_unlock(&l);",
			"pthread_rwlock_rdlock(&l); x = 1; pthread_rwlock_unlock(&l);"), threads.Races, threads.Unsafe},
		{"waiting for a variable", two("while (x == 0) ;", "x = 1;"), threads.Races, threads.Unsafe},
		{"a pointer that is _Atomic", two("ap = &x;", "if (ap) y = 1;"), threads.Races, threads.Safe},
		{"a pointer by _Atomic (...)", two("aq = &x;", "if (aq) y = 1;"), threads.Races, threads.Safe},
		{"a pointer to what is _Atomic", two("pa = &b;", "if (pa) y = 1;"), threads.Races, threads.Unsafe},
		{"what an _Atomic pointer points to", two("ap = &x; x = 2;", "if (ap) *ap = 1;"), threads.Races, threads.Unsafe},
		{"an _Atomic member by a function", two("member()->v = 2;", "if (member()->v) y = 1;"), threads.Races, threads.Safe},
		{"an _Atomic number by a cast", two("*(_Atomic int *)&x = 1;", "*(_Atomic int *)&x = 2;"),
			threads.Races, threads.Safe},
		{"an element of what is _Atomic", two("az[1][0] = 1;", "y = az[1][0];"), threads.Races, threads.Safe},
		{"an _Atomic number that is no integer", two("ad = 1;", "if (ad > 1) y = 1;"), threads.Races, threads.Safe},
		{"what is volatile", two("vo = 1;", "if (vo) y = 1;"), threads.Races, threads.Unsafe},
		{"a number that is no integer", two("d = 1;", "double e = d;"), threads.Races, threads.Unsafe},
		{"a structure that is only copied", two("s1 = s2;", "s2.b = 1;"), threads.Races, threads.Unsafe},
		{"memory that is only copied", two("memcpy(z, q.c, 4);", "q.c[1] = 1;"), threads.Races, threads.Unsafe},
		{"a cell that nothing reads", two("s1.b = 1;", "s1.b = 2;"), threads.Races, threads.Unsafe},
		{"cells side by side", two("s1.a = 1;", "s1.b = 2;"), threads.Races, threads.Safe},
		{"memory that is freed", "void *f(void *p) { free(p); return 0; } int main(void) { pthread_t t; " +
			"int *h = malloc(4); if (!h) return 0; pthread_create(&t, 0, f, h); *h = 1; return 0; }",
			threads.Races, threads.Unsafe},
		{"memory that is freed at last", "void *f(void *p) { *(int *)p = 1; return 0; } int main(void) { " +
			"pthread_t t; int *h = malloc(4); if (!h) return 0; pthread_create(&t, 0, f, h); pthread_join(t, 0); " +
			"free(h); return 0; }", threads.Races, threads.Safe},
		{"nobody else", "int main(void) { x = 1; return x; }", threads.Races, threads.Safe},

		{"locks in the same order", two(lockM+lockN+unlockN+unlockM, lockM+lockN+unlockN+unlockM),
			threads.Deadlocks, threads.Safe},
		{"locks in two orders", two(lockM+lockN+unlockN+unlockM, lockN+lockM+unlockM+unlockN), threads.Deadlocks,
			threads.Unsafe},
		{"a lock of this thread", two(lockM+lockM, ""), threads.Deadlocks, threads.Unsafe},
		{"a lock of the only thread", "int main(void) { " + lockM + lockM + " return 0; }", threads.Deadlocks,
			threads.Unsafe},
		{"a lock that is never given back", two(lockM, lockM+unlockM), threads.Deadlocks, threads.Unsafe},
		{"a semaphore that nobody posts", two("sem_wait(&s);", "if (x) sem_post(&s);"), threads.Deadlocks, threads.Unsafe},
		{"a semaphore that is posted", two("sem_wait(&s);", "sem_post(&s);"), threads.Deadlocks, threads.Safe},
		{"an assumption that does not hold", two("__VERIFIER_assume(0);", ""), threads.Deadlocks, threads.Safe},
		{"the process ends", "void *f(void *p) { " + lockM + lockM + " return 0; } int main(void) { " +
			"pthread_t t; pthread_create(&t, 0, f, 0); return 0; }", threads.Deadlocks, threads.Safe},
		{"main ends, the process does not", "void *f(void *p) { " + lockM + lockM + " return 0; } " +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_exit(0); }", threads.Deadlocks, threads.Unsafe},
		{"two threads wait for each other's end",
			"pthread_t t; void *f(void *p) { pthread_join((pthread_t)p, 0); return 0; } int main(void) { " +
				"pthread_create(&t, 0, f, (void *)pthread_self()); pthread_join(t, 0); return 0; }", threads.Deadlocks,
			threads.Unsafe},
		{"a thread goes round", two(lockM+lockM, "while (x == 0) ;"), threads.Deadlocks, threads.Safe},
	} {
		if sample.LeftOut(i, 6) {
			continue
		}
		for k, order := range []threads.Order{threads.ByTheory, threads.Refined, threads.Full} {
			if k != i%3 && !sample.Campaign() {
				continue // the suite asks one of the three
			}
			auto := lowered(t, head+c.text, c.goal == threads.Races)
			if len(auto.Threads) == 0 {
				auto.Threads = []cfa.Thread{{Name: "main", Entry: auto.Entry, Parent: -1, Spawn: -1}}
			}
			out, err := threads.Run(context.Background(), auto, threads.Options{Order: order, Unwind: 2, Goal: c.goal})
			require.NoError(t, err, c.name)
			require.Equal(t, c.want, out.Answer, "%s, by %s", c.name, order)
			if out.Answer == threads.Unsafe {
				run, err := replay(auto, out.Schedule)
				require.NoError(t, err, c.name)
				require.True(t, c.goal == threads.Races || interp.New(auto).Deadlocked(run.End), c.name)
			}
		}
	}
}

// TestModels has the litmus tests as programs: which outcomes each memory model allows.
func TestModels(t *testing.T) {
	sample.Long(t)
	const fence = "__sync_synchronize();"
	program := func(bad string, bodies ...string) string {
		text := "#include <pthread.h>\n#include <stdatomic.h>\nextern void reach_error(void); " +
			"int x, y, a, b, c, d; atomic_int u, v;\n"
		main := "int main(void) { pthread_t t[4];"
		for i, body := range bodies {
			text += fmt.Sprintf("void *f%d(void *p) { %s return 0; }\n", i, body)
			main += fmt.Sprintf(" pthread_create(&t[%d], 0, f%[1]d, 0);", i)
		}
		for i := range bodies {
			main += fmt.Sprintf(" pthread_join(t[%d], 0);", i)
		}
		return text + main + " if (" + bad + ") reach_error(); return 0; }"
	}
	for _, c := range []struct {
		name         string
		text         string
		sc, tso, pso bool // allowed
	}{
		{"SB", program("a == 0 && b == 0", "x = 1; a = y;", "y = 1; b = x;"), false, true, true},
		{"SB, fences", program("a == 0 && b == 0", "x = 1; "+fence+" a = y;", "y = 1; "+fence+" b = x;"),
			false, false, false},
		{"SB, one fence", program("a == 0 && b == 0", "x = 1; "+fence+" a = y;", "y = 1; b = x;"), false, true, true},
		{"SB, exchanges", program("a == 0 && b == 0", "__atomic_exchange_n(&x, 1, 5); a = y;",
			"__atomic_exchange_n(&y, 1, 5); b = x;"), false, false, false},
		{"SB, atomic", program("a == 0 && b == 0", "u = 1; a = v;", "v = 1; b = u;"), false, false, false},
		{"SB, relaxed", program("a == 0 && b == 0", "__atomic_store_n(&x, 1, 0); a = __atomic_load_n(&y, 0);",
			"__atomic_store_n(&y, 1, 0); b = __atomic_load_n(&x, 0);"), false, true, true},
		{"SB, fences of C11", program("a == 0 && b == 0", "x = 1; atomic_thread_fence(memory_order_seq_cst); a = y;",
			"y = 1; atomic_thread_fence(memory_order_seq_cst); b = x;"), false, false, false},
		{"SB, a loads only", program("a == 0 && b == 0", "x = 1; a = v;", "v = 1; b = x;"), false, true, true},
		{"MP", program("a == 1 && b == 0", "x = 1; y = 1;", "a = y; b = x;"), false, false, true},
		{"MP, a fence between the writes", program("a == 1 && b == 0", "x = 1; "+fence+" y = 1;", "a = y; b = x;"),
			false, false, false},
		{"MP, a release", program("a == 1 && b == 0", "x = 1; __atomic_store_n(&y, 1, 3);", "a = y; b = x;"),
			false, false, false},
		{"MP, seq_cst", program("a == 1 && b == 0", "x = 1; atomic_store(&u, 1);", "a = u; b = x;"), false, false, false},
		{"MP, relaxed", program("a == 1 && b == 0", "x = 1; __atomic_store_n(&y, 1, 0);", "a = y; b = x;"),
			false, false, true},
		{"MP, a lock released", program("a == 1 && b == 0", "x = 1; y = 1;", "__sync_lock_release(&c); a = y; b = x;"),
			false, false, true},
		{"MP, behind a lock released", program("a == 0 && b == 0", "x = 1; __sync_lock_release(&y);",
			"a = y; b = x; if (a) b = 1;", "c = 1;"), true, true, true},
		{"MP, a fence that is release",
			program("a == 1 && b == 0", "x = 1; atomic_thread_fence(memory_order_release); y = 1;", "a = y; b = x;"),
			false, false, false},
		{"MP, a fence that is acq_rel",
			program("a == 1 && b == 0", "x = 1; atomic_thread_fence(memory_order_acq_rel); y = 1;", "a = y; b = x;"),
			false, false, false},
		{"MP, a fence that is acquire",
			program("a == 1 && b == 0", "x = 1; atomic_thread_fence(memory_order_acquire); y = 1;", "a = y; b = x;"),
			false, false, true},
		{"MP, two releases", program("a == 1 && b == 0",
			"c = 1; x = 1; atomic_thread_fence(memory_order_release); d = 1; __atomic_store_n(&y, 1, 3);",
			"a = y; b = x;", "int k = c + d;"), false, false, false},
		{"SB, releases", program("a == 0 && b == 0", "x = 1; __atomic_store_n(&c, 1, 3); a = y;",
			"y = 1; __atomic_store_n(&d, 1, 3); b = x;"), false, true, true},
		{"SB, fences that are release",
			program("a == 0 && b == 0", "x = 1; atomic_thread_fence(memory_order_release); a = y;",
				"y = 1; atomic_thread_fence(memory_order_acq_rel); b = x;"), false, true, true},
		{"LB", program("a == 1 && b == 1", "a = x; y = 1;", "b = y; x = 1;"), false, false, false},
		{"R", program("y == 2 && a == 0", "x = 1; y = 1;", "y = 2; a = x;"), false, true, true},
		{"S", program("a == 1 && x == 2", "x = 2; y = 1;", "a = y; x = 1;"), false, false, true},
		{"2+2W", program("x == 1 && y == 1", "x = 1; y = 2;", "y = 1; x = 2;"), false, false, true},
		{"IRIW", program("a == 1 && b == 0 && c == 1 && d == 0", "x = 1;", "y = 1;", "a = x; b = y;", "c = y; d = x;"),
			false, false, false},
		{"CoRR", program("a == 1 && b == 0", "x = 1;", "a = x; b = x;"), false, false, false},
		{"CoWW", program("x == 1", "x = 1; x = 2;"), false, false, false},
		{"CoWR", program("a == 0", "x = 1; a = x;", "y = 1;"), false, false, false},
		{"CoWR, another writes", program("a == 2 && x == 1", "x = 1; a = x;", "x = 2;"), false, false, false},
		{"SB, each reads its own first", program("a == 1 && b == 0 && c == 1 && d == 0", "x = 1; a = x; b = y;",
			"y = 1; c = y; d = x;"), false, true, true},
		{"a variable of one thread is written before", program("x == 1", "c = 1; x = 1;"), true, true, true},
		{"SB, its own older write is seen", program("a == 1", "x = 1; x = 2; a = x;", "y = 1;"), false, false, false},
	} {
		auto := automaton(t, c.text)
		for model, allowed := range map[cfa.MemoryModel]bool{cfa.SC: c.sc, cfa.TSO: c.tso, cfa.PSO: c.pso} {
			all, err := interp.New(auto).Under(model).Interleave(context.Background(),
				func(*expr.Expr) []uint64 { return []uint64{0} }, 15_000)
			if err == nil { // four threads have too many runs
				require.Equal(t, allowed, all.Performs(cfa.ErrorAction), "%s under %v", c.name, model)
			}
			for _, order := range []threads.Order{threads.ByTheory, threads.Refined, threads.Full} {
				out, err := threads.Run(context.Background(), auto, threads.Options{Order: order, Unwind: 4, Model: model})
				require.NoError(t, err, c.name)
				require.Equal(t, map[bool]threads.Answer{true: threads.Unsafe, false: threads.Safe}[allowed],
					out.Answer, "%s under %v by %s", c.name, model, order)
				if allowed {
					run, err := replayUnder(model, auto, out.Schedule)
					require.NoError(t, err, "%s under %v by %s", c.name, model, order)
					require.Contains(t, run.Trace, cfa.ErrorAction)
				}
			}
		}
	}
}
