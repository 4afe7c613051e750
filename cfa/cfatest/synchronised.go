package cfatest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Synchronised is a random program, a whole text, with two or three threads besides main that
// synchronise by some of all the means there are: locks of each kind, conditions, semaphores,
// barriers, once, variables and operations that are atomic, threads that create threads, and loops,
// arrays and objects of other threads among them. It is small: most have some hundred states. main
// returns what that of [Threads] returns.
//
// With compiled, it is for a compiler, as [Threads] is, but threads may wait for ever. wakes says
// that they may do so where no interleaving does, for a condition wakes up by itself there. PAUSE
// stands before statements, a macro that is nothing if it is not given.
func Synchronised(seed uint64, compiled bool) (text string, wakes bool) {
	g := &threaded{Rand: rand.New(rand.NewPCG(seed, 41)), compiled: compiled, pauses: compiled}
	if compiled {
		g.text.WriteString("#ifndef PAUSE\n#define PAUSE\n#endif\n")
	} else {
		g.text.WriteString("extern void reach_error(void), __VERIFIER_atomic_begin(void), " +
			"__VERIFIER_atomic_end(void), __VERIFIER_assume(int);\n" +
			"extern int __VERIFIER_nondet_int(void);\n")
	}
	g.text.WriteString("int x, y, a[2];\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;\n")
	if !compiled {
		g.text.WriteString("void __VERIFIER_atomic_swap(void) { int t = x; x = y; y = t; }\n")
	}
	begins, nested := "", false
	for _, i := range g.Perm(len(synchronisations))[:1+g.IntN(3)] {
		w := synchronisations[i]
		if w.open && compiled {
			continue
		}
		g.text.WriteString(w.declares)
		begins += w.begins
		for _, say := range w.say {
			wakes = wakes || strings.Contains(say, "cond_") || strings.Contains(say, "cnd_")
			nested = nested || strings.Contains(say, ", h,")
		}
		g.means = append(g.means, w.say)
	}
	if nested {
		all := g.means
		g.means = nil
		g.text.WriteString("void *h(void *arg)\n{\n\tint n = (int)(long)arg, i;\n")
		g.block(1, 1)
		g.line(1, "return %s;\n}", g.of("arg", "(void *)(long)n"))
		g.means = all
	}
	routines := 1 + g.IntN(2)
	for i := range routines {
		fmt.Fprintf(&g.text, "void *w%d(void *arg)\n{\n\tint n = (int)(long)arg, i;\n", i)
		g.block(1, 1+g.IntN(2))
		g.line(1, "return %s;\n}", g.of("0", "arg", "(void *)(long)n"))
	}
	g.begin(routines, begins)
	return headers(g.text.String()) + g.text.String(), wakes
}

// Owned is what [Synchronised] gives, with keys or thread-local variables in it.
func Owned(seed uint64, compiled bool) (text string, wakes bool) {
	for i := uint64(0); ; i++ {
		text, wakes = Synchronised(seed<<16+i, compiled)
		if strings.Contains(text, "pthread_key_t") || strings.Contains(text, "tss_t") ||
			strings.Contains(text, "__thread") || strings.Contains(text, "_Thread_local") {
			return text, wakes
		}
	}
}

// headers are those of what a text uses: others take time.
func headers(text string) string {
	out := "#define _GNU_SOURCE\n#include <pthread.h>\n"
	for _, h := range [][2]string{{"sem_", "semaphore"}, {"atomic_int", "stdatomic"}, {"mtx_", "threads"},
		{"tss_", "threads"}, {"calloc(", "stdlib"}, {" exit(", "stdlib"}, {"timespec", "time"}} {
		if include := "#include <" + h[1] + ".h>\n"; strings.Contains(text, h[0]) && !strings.Contains(out, include) {
			out += include
		}
	}
	return out
}

// begin writes main: it creates the threads one by one or in a loop, and joins some.
func (g *threaded) begin(routines int, begins string) {
	threads := 2 + g.IntN(6)/5
	g.last = true
	fmt.Fprintf(&g.text, "int main(void)\n{\n\tpthread_t t[%d];\n\tvoid *r = 0;\n\tint n = 0, i;\n%s", threads, begins)
	if g.IntN(3) == 0 {
		g.write(1)
	}
	switch routine := g.IntN(routines); g.IntN(4) {
	case 0:
		g.line(1, "for (i = 0; i < %d; i++)\n\t\tpthread_create(&t[i], 0, w%d, (void *)(long)i);", threads, routine)
	case 1:
		g.line(1, "while (n < %d) {\n\t\tpthread_create(&t[n], 0, %s, (void *)(long)n);\n\t\tn++;\n\t}", threads,
			g.of(fmt.Sprintf("w%d", routine), fmt.Sprintf("n ? w%d : w0", routines-1)))
	default:
		for i := range threads {
			g.line(1, "pthread_create(&t[%d], 0, w%d, (void *)%d);", i, g.IntN(routines), g.IntN(3))
		}
	}
	if g.IntN(3) == 0 {
		g.statement(1)
	}
	for i := range threads {
		if g.compiled || g.IntN(6) > 0 {
			g.line(1, "pthread_join(t[%d], %s);", i, g.of("0", "&r"))
			g.line(1, "n = (n + (int)(long)r) & 3;")
		}
	}
	if !g.compiled && g.IntN(4) > 0 {
		g.line(1, "if (%s == %d%s)\n\t\treach_error();", g.read(), g.IntN(3), g.of("", "", " && n != 1", " && n == 2"))
	}
	g.line(1, "return (x & 3) | (y & 3) << 2 | (a[0] & 1) << 4 | (a[1] & 1) << 5 | n << 6;\n}")
}

// A synchronisation is a way to synchronise, with texts that do so: in these $R is what reads, $P a variable,
// $V a value, $1 and $W are assignments, $B a statement or two, $L such without locks in them.
type synchronisation struct {
	declares string
	begins   string // what main does first
	open     bool   // for no compiler
	say      []string
}

// synchronisations are all of them.
var synchronisations = []synchronisation{
	{say: []string{
		"pthread_mutex_lock(&m); pthread_mutex_lock(&k);\n$L pthread_mutex_unlock(&k); pthread_mutex_unlock(&m);",
		"pthread_mutex_lock(&m); pthread_mutex_lock(&k);\n$L pthread_mutex_unlock(&m); $L pthread_mutex_unlock(&k);",
		"pthread_mutex_lock(&k);\n$L pthread_mutex_unlock(&k);",
	}},
	{open: true, say: []string{
		"pthread_mutex_lock(&m); pthread_mutex_lock(&k);\n$L pthread_mutex_unlock(&k); pthread_mutex_unlock(&m);",
		"pthread_mutex_lock(&k); pthread_mutex_lock(&m);\n$L pthread_mutex_unlock(&k); pthread_mutex_unlock(&m);",
		"pthread_mutex_lock(&m);\nif ($R == 1) return 0;\npthread_mutex_unlock(&m);",
	}},
	{say: []string{
		"if (pthread_mutex_trylock(&m) == 0) {\n$L pthread_mutex_unlock(&m); } else {\n$L}",
		"if (pthread_mutex_trylock(&k)) n = 3; else pthread_mutex_unlock(&k);",
		"pthread_mutex_lock(&m);\n$L pthread_mutex_unlock(&m);",
	}},
	{declares: "struct timespec past;\n", say: []string{
		"if (pthread_mutex_timedlock(&m, &past) == 0) {\n$L pthread_mutex_unlock(&m); } else\n$1",
		"pthread_mutex_lock(&m);\n$L pthread_mutex_unlock(&m);",
	}},
	{declares: "pthread_mutex_t w = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n", say: []string{
		"pthread_mutex_lock(&w); pthread_mutex_lock(&w);\n$L pthread_mutex_unlock(&w);\n$L pthread_mutex_unlock(&w);",
		"if (pthread_mutex_trylock(&w) == 0) {\n$L n = pthread_mutex_trylock(&w) & 3; " +
			"pthread_mutex_unlock(&w); if (n == 0) pthread_mutex_unlock(&w); }",
		"n = pthread_mutex_unlock(&w) & 3;",
	}},
	{declares: "pthread_mutex_t e;\n", begins: "\tpthread_mutexattr_t kind; pthread_mutexattr_init(&kind); " +
		"pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&e, &kind);\n", say: []string{
		"pthread_mutex_lock(&e);\n$L n = pthread_mutex_lock(&e) == 35; pthread_mutex_unlock(&e);",
		"n = pthread_mutex_unlock(&e) & 3;",
	}},
	{declares: "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n", say: []string{
		"pthread_mutex_lock(&m);\nwhile ($R == 0) pthread_cond_wait(&c, &m);\n$L pthread_mutex_unlock(&m);",
		"pthread_mutex_lock(&m);\nif ($R == 0) pthread_cond_wait(&c, &m);\n$L pthread_mutex_unlock(&m);",
		"pthread_mutex_lock(&m);\n$1 pthread_cond_signal(&c);\npthread_mutex_unlock(&m);",
		"pthread_mutex_lock(&m);\n$1 pthread_cond_broadcast(&c);\npthread_mutex_unlock(&m);",
	}},
	{declares: "pthread_cond_t d = PTHREAD_COND_INITIALIZER; struct timespec now;\n", say: []string{
		"pthread_mutex_lock(&m);\nif ($R == 0) n = pthread_cond_timedwait(&d, &m, &now) != 0;\n$L pthread_mutex_unlock(&m);",
		"pthread_mutex_lock(&k);\nfor (int j = 0; j < 2 && $R == 0; j++) pthread_cond_wait(&d, &k);\n" +
			"$L pthread_mutex_unlock(&k);",
		"$1 pthread_cond_broadcast(&d);",
	}},
	{declares: "sem_t s;\n", begins: "\tsem_init(&s, 0, 0);\n", say: []string{
		"sem_wait(&s);\n$B", "$B sem_post(&s);", "sem_post(&s);", "n = sem_trywait(&s) == 0;",
	}},
	{declares: "sem_t free_, used;\n", begins: "\tsem_init(&free_, 0, 1); sem_init(&used, 0, 0);\n", say: []string{
		"sem_wait(&free_);\n$B sem_post(&free_);", "sem_wait(&free_);\n$W sem_post(&used);",
		"sem_wait(&used);\nn = $R & 3; sem_post(&free_);", "{ int got; sem_getvalue(&free_, &got); n = got & 3; }",
	}},
	{declares: "pthread_barrier_t b;\n", begins: "\tpthread_barrier_init(&b, 0, 2);\n", say: []string{
		"pthread_barrier_wait(&b);", "$B pthread_barrier_wait(&b);\n$B",
		"n = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;",
		"for (int j = 0; j < 2; j++) {\n$B pthread_barrier_wait(&b); }",
	}},
	{declares: "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\n", say: []string{
		"pthread_rwlock_rdlock(&l);\n$L pthread_rwlock_unlock(&l);", "pthread_rwlock_wrlock(&l);\n" +
			"$L pthread_rwlock_unlock(&l);",
		"if (pthread_rwlock_tryrdlock(&l) == 0) {\n$L pthread_rwlock_unlock(&l); }",
		"if (pthread_rwlock_trywrlock(&l) == 0) {\n$L pthread_rwlock_unlock(&l); } else n = 2;",
	}},
	{declares: "pthread_once_t o = PTHREAD_ONCE_INIT; void initial(void) { __atomic_store_n(&y, 2, __ATOMIC_SEQ_CST); }\n",
		say: []string{
			"pthread_once(&o, initial);", "pthread_once(&o, initial); n = __atomic_load_n(&y, __ATOMIC_SEQ_CST) & 3;",
			"n = $R & 3; pthread_once(&o, initial);",
		}},
	{declares: "pthread_spinlock_t q;\n", begins: "\tpthread_spin_init(&q, 0);\n", say: []string{
		"pthread_spin_lock(&q);\n$L pthread_spin_unlock(&q);", "if (pthread_spin_trylock(&q) == 0) {\n" +
			"$L pthread_spin_unlock(&q); }",
	}},
	{declares: "atomic_int z; _Atomic int az[2];\n", say: []string{
		"z++;", "z += 2; n = z & 3;", "n = az[n & 1]++ & 3;", "az[1] = z; n = az[0] & 3;", "n = (z *= 2) & 3;",
		"n = -- az[0] & 3;", "if (z == 1) {\n$B}", "z = $V;", "z ^= 1;", "n = (z = 2) & 3;",
	}},
	{declares: "atomic_int u; atomic_flag f = ATOMIC_FLAG_INIT; atomic_uchar uc;\n", say: []string{
		"n = atomic_fetch_add(&u, 1) & 3;", "n = atomic_exchange(&u, 2) & 3;",
		"{ int e = 0; if (atomic_compare_exchange_strong(&u, &e, 1)) {\n$B} else n = e & 3; }",
		"atomic_store(&u, $V);", "n = atomic_load(&u) & 3;",
		"if (!atomic_flag_test_and_set(&f)) {\n$L atomic_flag_clear(&f); }", "uc--; n = uc & 3;",
		"n = atomic_fetch_or_explicit(&u, 1, memory_order_relaxed) & 3;", "n = atomic_fetch_sub(&uc, 1) & 3;",
	}},
	{say: []string{
		"n = __atomic_fetch_add(&$P, 1, __ATOMIC_SEQ_CST) & 3;", "n = __atomic_add_fetch(&$P, 1, __ATOMIC_RELAXED) & 3;",
		"n = __atomic_exchange_n(&$P, 2, __ATOMIC_ACQ_REL) & 3;",
		"{ int e = 1; n = __atomic_compare_exchange_n(&$P, &e, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); " +
			"n = n + e & 3; }", "n = __atomic_fetch_nand(&$P, 1, __ATOMIC_SEQ_CST) & 3;",
		"{ int v = $V; __atomic_store(&$P, &v, __ATOMIC_SEQ_CST); }",
		"{ int v; __atomic_load(&$P, &v, __ATOMIC_SEQ_CST); n = v & 3; }",
	}},
	{say: []string{
		"n = __sync_fetch_and_sub(&$P, 1) & 3;", "n = __sync_add_and_fetch(&$P, 1) & 3;",
		"n = __sync_bool_compare_and_swap(&$P, 0, 2);", "n = __sync_val_compare_and_swap(&$P, n, 1) & 3;",
		"if (__sync_lock_test_and_set(&y, 1) == 0) {\n$L __sync_lock_release(&y); }", "__sync_synchronize();",
		"n = __sync_or_and_fetch(&$P, 1) & 3;", "n = __sync_fetch_and_and(&$P, 1) & 3;",
	}},
	{say: []string{
		"{ pthread_t v; void *got; pthread_create(&v, 0, h, (void *)(long)n); pthread_join(v, &got); " +
			"n = (n + (int)(long)got) & 3; }",
		"{ pthread_t v; pthread_create(&v, 0, h, (void *)1);\n$B pthread_join(v, 0); }",
	}},
	{open: true, say: []string{"{ pthread_t v; pthread_create(&v, 0, h, (void *)2); }",
		"{ pthread_t v; pthread_create(&v, 0, h, 0); pthread_detach(v); }"}},
	{declares: "void *own(void *p) { int was = __atomic_fetch_add((int *)p, 1, __ATOMIC_SEQ_CST); " +
		"return (void *)(long)(was & 1); }\n",
		say: []string{
			"{ int mine = n; pthread_t v; void *got; pthread_create(&v, 0, own, &mine); pthread_join(v, &got); " +
				"n = (mine + (int)(long)got) & 3; }",
			"{ pthread_t v; pthread_create(&v, 0, own, &$P);\n$B pthread_join(v, 0); }",
		}},
	{open: true, declares: "struct pair { int l, r; } pair; void *half(void *p) { struct pair *q = p; " +
		"q->l++; x = q->r; return &q->l; }\n", say: []string{
		"{ struct pair mine = {n, 1}; pthread_t v; void *got; pthread_create(&v, 0, half, &mine); " +
			"mine.r = 2; pthread_join(v, &got); n = *(int *)got & 3; }",
		"{ pthread_t v; pthread_create(&v, 0, half, &pair);\n$B pthread_join(v, 0); n = pair.l & 3; }",
		"pair.r = $V;", "{ struct pair copy = pair; n = copy.l & 3; }",
	}},
	{open: true, declares: "int *heap;\n", begins: "\theap = calloc(2, sizeof(int)); if (!heap) return 0;\n",
		say: []string{
			"heap[n & 1] = $V;", "n = heap[0] & 3;", "*heap += 1;", "if (heap[1] == 1) {\n$B}",
		}},
	{open: true,
		declares: "unsigned char narrow; short halves[2]; union { int all; unsigned char part[4]; } un;\n", say: []string{
			"narrow--;", "n = narrow & 3;", "halves[n & 1]++;", "n = halves[0] + narrow & 3;", "un.part[1] = 1;",
			"un.all = 1;", "n = un.all >> 8 & 3;", "n = un.part[0] & 3;",
		}},
	{declares: "static int step(int v) { static atomic_int count; return count++ + v & 3; }\n", say: []string{
		"n = step(n);", "if (step(1) == 2) {\n$B}",
	}},
	{say: []string{
		"if ($R == 1) pthread_exit((void *)(long)n);", "switch ($R & 3) { case 0: n = 1; break; case 1:\n" +
			"$B default: n = 2; }",
		"for (int j = 0; j < 3; j++) { if ($R == j) break; if (j == 1) continue;\n$W }", "n = $R ? 1 : $R & 3;",
		"n = $R == 1 && $R == 0;", "n = $R == 1 || $R == 2;",
	}},
	{open: true, say: []string{
		"for (;;) { if ($R == 1) break; n = $V; }", "while ($R == 0) ;", "while ($R < 2) $P = $R + 1;",
		"if ($R == 2) exit(1);", "n = __VERIFIER_nondet_int() & 1;", "do {\n$B n++; } while (n < 2);",
		"do n = $R; while (n == 0);",
		"__VERIFIER_atomic_begin(); if ($R == 1) { __VERIFIER_atomic_end(); return 0; } $W __VERIFIER_atomic_end();",
	}},
	{declares: "mtx_t cm; int c11(void *p) { int n = (int)(long)p; mtx_lock(&cm); n = n + 1; " +
		"mtx_unlock(&cm); return n - 2; }\n",
		begins: "\tmtx_init(&cm, mtx_plain);\n", say: []string{
			"mtx_lock(&cm);\n$L mtx_unlock(&cm);", "if (mtx_trylock(&cm) == thrd_success) {\n$L mtx_unlock(&cm); } else n = 2;",
			"{ thrd_t v; int got; thrd_create(&v, c11, (void *)(long)n);\n$B thrd_join(v, &got); n = got & 3; }",
		}},
	{declares: "mtx_t rm; cnd_t cv; once_flag of = ONCE_FLAG_INIT; void flagged(void) { " +
		"__atomic_store_n(&y, 1, __ATOMIC_SEQ_CST); }\n",
		begins: "\tmtx_init(&rm, mtx_recursive); cnd_init(&cv);\n", say: []string{
			"mtx_lock(&rm); mtx_lock(&rm);\n$L mtx_unlock(&rm); mtx_unlock(&rm);",
			"mtx_lock(&rm); while ($R == 0) cnd_wait(&cv, &rm);\n$L mtx_unlock(&rm);",
			"mtx_lock(&rm);\n$1 cnd_signal(&cv); mtx_unlock(&rm);",
			"call_once(&of, flagged); n = $R & 3;", "cnd_broadcast(&cv);",
		}},
	{declares: "pthread_key_t key, bare; void kept(void *p) { __atomic_fetch_add(&y, (int)(long)p, __ATOMIC_SEQ_CST); }\n",
		begins: "\tpthread_key_create(&key, kept); pthread_key_create(&bare, 0);\n", say: []string{
			"pthread_setspecific(key, (void *)1);", "pthread_setspecific(key, (void *)(long)n);",
			"n = (int)(long)pthread_getspecific(key) & 3;", "pthread_setspecific(bare, (void *)(long)n);",
			"n = (int)(long)pthread_getspecific(bare) & 3;",
			"pthread_setspecific(n & 1 ? key : bare, pthread_getspecific(bare));",
			"if (pthread_getspecific(key)) {\n$B}", "if ($R == 2) { pthread_key_delete(bare); }",
		}},
	{declares: "tss_t often, late; void more(void *p) { if ((long)p < 7) tss_set(often, (char *)p + 1); " +
		"else tss_set(late, p); __atomic_fetch_xor(&x, (int)(long)p, __ATOMIC_SEQ_CST); }\n" +
		"void last(void *p) { __atomic_fetch_add(&a[1], 1, __ATOMIC_SEQ_CST); if (tss_get(often)) tss_set(late, p); }\n",
		begins: "\ttss_create(&often, more); tss_create(&late, last);\n", say: []string{
			"tss_set(often, (void *)5);", "tss_set(often, (void *)(long)(n + 1));", "tss_set(late, (void *)1);",
			"n = tss_get(often) != 0;", "n = (int)(long)tss_get(late) & 3;",
		}},
	{declares: "__thread int mine = 1; static _Thread_local signed char both[2] = {0, 3}; " +
		"static int counted(void) { static __thread int times; return ++times & 3; }\n",
		say: []string{
			"mine++;", "n = mine & 3;", "both[n & 1] = mine;", "n = both[n & 1] & 3;", "n = counted();",
			"if (mine == 2) {\n$B}", "mine = $V;",
		}},
	{declares: "_Thread_local int lent = 2; void *borrow(void *p) { lent++; " +
		"int was = __atomic_fetch_add((int *)p, lent, __ATOMIC_SEQ_CST); return (void *)(long)(was & 1); }\n",
		say: []string{
			"{ pthread_t v; void *got; pthread_create(&v, 0, borrow, &lent); pthread_join(v, &got); " +
				"n = (lent + (int)(long)got) & 3; }",
			"lent ^= n;", "n = lent & 3;",
		}},
	{open: true, declares: "pthread_t self;\n",
		say: []string{"self = pthread_self();", "n = pthread_equal(self, pthread_self()) != 0;"}},
}

// use says one of the texts of one of the means.
func (g *threaded) use(depth int) {
	say := g.means[g.IntN(len(g.means))]
	text := say[g.IntN(len(say))]
	holds := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
	}
	if g.locked && (g.compiled || g.section || g.IntN(4) > 0) &&
		holds("$L", "lock(", "wait(", "_create", "once(", "exit(", "return") || g.compiled && g.last &&
		holds("pthread_exit(") {
		g.write(depth)
		return
	}
	pieces := strings.Split(text, "$")
	g.text.WriteString(strings.Repeat("\t", depth) + pieces[0])
	for _, piece := range pieces[1:] {
		switch piece[0] {
		case 'R':
			g.text.WriteString(g.read())
		case 'P':
			g.text.WriteString(g.variable())
		case '1':
			g.assign(depth, g.variable(), "1")
		case 'W':
			g.write(depth)
		case 'V':
			g.text.WriteString(g.value())
		case 'B':
			g.block(depth+1, 1+g.IntN(4)/3)
		case 'L':
			was := g.locked
			g.locked = true
			g.block(depth+1, 1+g.IntN(2))
			g.locked = was
		}
		g.text.WriteString(piece[1:])
	}
	g.text.WriteString("\n")
}
