package interp_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/internal/sample"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
)

// threadPrograms is how many random programs with threads a test looks at.
func threadPrograms() int { return sample.Count(10) }

const threadHeader = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n" +
	"extern void reach_error(void), __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n"

func lowerThreads(t testing.TB, text string, opt lower.Options) *cfa.CFA {
	t.Helper()
	p, err := source.Parse(ctx(), []source.Source{{Name: "a.c", Text: []byte(text)}}, source.Options{})
	require.NoError(t, err, text)
	opt.InitGlobals, opt.Cut = true, "left"
	if opt.Threads == 0 {
		opt.Threads = 3
	}
	c, err := lower.Lower(ctx(), p, "main", expr.NewPool(), opt)
	require.NoError(t, err, text)
	require.Empty(t, c.Check(), text)
	return c
}

func interleave(t testing.TB, c *cfa.CFA) *interp.Interleavings {
	t.Helper()
	all, err := interp.New(c).Interleave(ctx(), func(*expr.Expr) []uint64 { return []uint64{0, 1} }, 400_000)
	require.NoError(t, err)
	return all
}

// two are two threads with a body each, and what is looked at when both have ended.
func two(a, b, end string) string {
	return threadHeader + "int x, y, r1, r2, r3, r4, ok;\n" +
		"pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c; sem_t s; pthread_rwlock_t l; " +
		"pthread_barrier_t b; pthread_once_t o; pthread_spinlock_t sp; atomic_int z, w[2]; struct { " +
		"_Atomic int i; int j; } q; _Atomic(int) *v = &q.i;\n" +
		"void begin(void) { y++; }\n" +
		"void *f(void *p) { " + a + " return 0; }\nvoid *g(void *p) { " + b + " return 0; }\n" +
		"int main(void) { pthread_t t, u; sem_init(&s, 0, 0); pthread_barrier_init(&b, 0, 2);\n" +
		"\tpthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0);\n" +
		"\tif (" + end + ") reach_error(); return 0; }\n"
}

// Litmus tests under sequential consistency: what is possible, and what is not.
func TestLitmus(t *testing.T) {
	sample.Long(t)
	for name, c := range map[string]struct {
		a, b, end string
		possible  bool
	}{
		"SB":             {"x = 1; r1 = y;", "y = 1; r2 = x;", "r1 == 0 && r2 == 0", false},
		"SB, one":        {"x = 1; r1 = y;", "y = 1; r2 = x;", "r1 == 0 && r2 == 1", true},
		"SB, both":       {"x = 1; r1 = y;", "y = 1; r2 = x;", "r1 == 1 && r2 == 1", true},
		"MP":             {"x = 1; y = 1;", "r1 = y; r2 = x;", "r1 == 1 && r2 == 0", false},
		"MP, late":       {"x = 1; y = 1;", "r1 = y; r2 = x;", "r1 == 0 && r2 == 1", true},
		"LB":             {"r1 = x; y = 1;", "r2 = y; x = 1;", "r1 == 1 && r2 == 1", false},
		"LB, one":        {"r1 = x; y = 1;", "r2 = y; x = 1;", "r1 == 1 && r2 == 0", true},
		"R":              {"x = 1; y = 1;", "y = 2; r1 = x;", "y == 2 && r1 == 0", false},
		"R, other":       {"x = 1; y = 1;", "y = 2; r1 = x;", "y == 1 && r1 == 0", true},
		"S":              {"x = 2; y = 1;", "r1 = y; x = 1;", "r1 == 1 && x == 2", false},
		"S, other":       {"x = 2; y = 1;", "r1 = y; x = 1;", "r1 == 0 && x == 2", true},
		"2+2W":           {"x = 1; y = 2;", "y = 1; x = 2;", "x == 1 && y == 1", false},
		"2+2W, other":    {"x = 1; y = 2;", "y = 1; x = 2;", "x == 2 && y == 2", true},
		"CoRR":           {"x = 1; x = 2;", "r1 = x; r2 = x;", "r1 == 2 && r2 == 1", false},
		"CoRR, other":    {"x = 1; x = 2;", "r1 = x; r2 = x;", "r1 == 1 && r2 == 2", true},
		"read twice":     {"x = 1;", "r1 = x - x;", "r1 == -1", true},
		"read once":      {"x = 1;", "int v = x; r1 = v - v;", "r1 != 0", false},
		"increment":      {"x++;", "x++;", "x == 1", true},
		"increments":     {"x++;", "x++;", "x == 2", true},
		"value assigned": {"x = 1;", "r1 = (x = 2);", "r1 == 1", false},
		"locked": {"pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
			"pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "x != 2", false},
		"locked by one": {"pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "x++;", "x == 1", true},
		"trylock": {"if (!pthread_mutex_trylock(&m)) x++;", "if (!pthread_mutex_trylock(&m)) x++;",
			"x != 1", false},
		"timedlock": {"if (!pthread_mutex_timedlock(&m, 0)) x++;",
			"if (pthread_mutex_timedlock(&m, 0) == 110) y++;", "x == 1 && y == 1", true},
		"section": {"__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();",
			"__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();", "x != 2", false},
		"section, other": {"__VERIFIER_atomic_begin(); x = 1; x = 2; __VERIFIER_atomic_end();",
			"r1 = x;", "r1 == 1", false},
		"lock in a section": {"__VERIFIER_atomic_begin(); pthread_mutex_lock(&m); x = 1; " +
			"pthread_mutex_unlock(&m); x = 2; __VERIFIER_atomic_end();", "r1 = x;", "r1 == 1", false},
		"fetch and add":      {"__sync_fetch_and_add(&x, 1);", "__sync_fetch_and_add(&x, 1);", "x != 2", false},
		"atomic_fetch_add":   {"atomic_fetch_add(&z, 1);", "atomic_fetch_add(&z, 1);", "z != 2", false},
		"an atomic variable": {"z++;", "z += 1;", "z != 2", false},
		"an atomic element":  {"++w[1];", "w[1] -= -1;", "w[1] != 2", false},
		"an atomic member":   {"q.i++;", "q.i++;", "q.i != 2", false},
		"a member beside it": {"q.j++;", "q.j++;", "q.j == 1", true},
		"an atomic pointer":  {"++*v;", "++*v;", "q.i != 2", false},
		"compare and swap": {"r1 = __sync_bool_compare_and_swap(&x, 0, 1);",
			"r2 = __sync_bool_compare_and_swap(&x, 0, 2);", "r1 == r2", false},
		"condition": {"pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); r1 = y; " +
			"pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); y = 1; x = 1; pthread_cond_signal(&c); " +
			"pthread_mutex_unlock(&m);", "r1 != 1", false},
		"condition, broken": {"pthread_mutex_lock(&m); while (!x) { pthread_cond_wait(&c, &m); } " +
			"r1 = y; pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); y = 1;",
			"r1 != 1", true},
		"condition, for ever": {"pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); y = 1; " +
			"pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); r1 = y; pthread_mutex_unlock(&m);", "1", false},
		"condition, try": {"pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m);",
			"pthread_mutex_lock(&m); pthread_mutex_unlock(&m); if (pthread_mutex_trylock(&m)) reach_error();", "0", true},
		"condition, no loop": {"pthread_mutex_lock(&m); if (!x) pthread_cond_wait(&c, &m); r1 = x; " +
			"pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);", "r1 == 0", true},
		"semaphore":          {"sem_wait(&s); r1 = x;", "x = 1; sem_post(&s);", "r1 != 1", false},
		"semaphore, trywait": {"r1 = sem_trywait(&s); r2 = x;", "x = 1; sem_post(&s);", "r1 == 0 && r2 == 0", false},
		"readers": {"pthread_rwlock_rdlock(&l); r1 = x; r2 = x; pthread_rwlock_unlock(&l);",
			"pthread_rwlock_wrlock(&l); x = 1; pthread_rwlock_unlock(&l);", "r1 != r2", false},
		"two readers": {"pthread_rwlock_rdlock(&l); x = 1; r1 = y; pthread_rwlock_unlock(&l);",
			"pthread_rwlock_rdlock(&l); y = 1; r2 = x; pthread_rwlock_unlock(&l);", "r1 == 1 && r2 == 1", true},
		"barrier": {"x = 1; pthread_barrier_wait(&b); r1 = y;",
			"y = 1; pthread_barrier_wait(&b); r2 = x;", "r1 != 1 || r2 != 1", false},
		"barrier, last": {"r1 = pthread_barrier_wait(&b);", "r2 = pthread_barrier_wait(&b);", "r1 + r2 != -1", false},
		"once": {"pthread_once(&o, begin); r1 = y;", "pthread_once(&o, begin); r2 = y;",
			"r1 != 1 || r2 != 1", false},
		"spin lock": {"pthread_spin_lock(&sp); x++; pthread_spin_unlock(&sp);",
			"pthread_spin_lock(&sp); x++; pthread_spin_unlock(&sp);", "x != 2", false},
		"deadlock with itself": {"pthread_mutex_lock(&m); pthread_mutex_lock(&m); x = 1;", "", "1", false},
		"waiting beside":       {"x = 1; __VERIFIER_assume(0);", "if (x) reach_error();", "0", true},
		"waiting in a section": {"__VERIFIER_atomic_begin(); x = 1; __VERIFIER_assume(0); __VERIFIER_atomic_end();",
			"if (x) reach_error();", "0", false},
		"exit": {"pthread_exit(0); x = 1;", "", "x", false},
		"self": {"r1 = pthread_equal(pthread_self(), pthread_self());",
			"r2 = pthread_self() != 0;", "!r1 || !r2", false},
		"spin": {"while (!x) ; r1 = y;", "y = 1; x = 1;", "r1 != 1", false},
	} {
		t.Run(name, func(t *testing.T) {
			all := interleave(t, lowerThreads(t, two(c.a, c.b, c.end), lower.Options{}))
			require.Equal(t, c.possible, all.Performs(cfa.ErrorAction))
			if c.possible {
				require.NotEmpty(t, all.Steps)
			}
		})
	}
}

// Two readers that see two writes in different orders are impossible.
func TestLitmusIRIW(t *testing.T) {
	text := threadHeader + "int x, y, a, b, c, d;\nvoid *w(void *p) { x = 1; return 0; }\n" +
		"void *v(void *p) { y = 1; return 0; }\n" +
		"void *r(void *p) { a = x; b = y; return 0; }\nvoid *s(void *p) { c = y; d = x; return 0; }\n" +
		"int main(void) { pthread_t t[4]; pthread_create(&t[0], 0, w, 0); pthread_create(&t[1], 0, v, 0); " +
		"pthread_create(&t[2], 0, r, 0); pthread_create(&t[3], 0, s, 0);\n" +
		"\tpthread_join(t[0], 0); pthread_join(t[1], 0); pthread_join(t[2], 0); pthread_join(t[3], 0);\n" +
		"\tif (a == 1 && b == 0 && c == 1 && d == %d) reach_error(); return 0; }\n"
	require.False(t, interleave(t, lowerThreads(t, fmt.Sprintf(text, 0), lower.Options{})).Performs(cfa.ErrorAction))
	require.True(t, interleave(t, lowerThreads(t, fmt.Sprintf(text, 1), lower.Options{})).Performs(cfa.ErrorAction))
}

// What main returns, over all interleavings.
func TestInterleavings(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		opt     lower.Options
		want    []uint64
		actions []string
	}{
		"argument and result": {text: "void *f(void *p) { return (char *)p + 1; }\nint main(void) { " +
			"pthread_t t; void *r; pthread_create(&t, 0, f, (void *)4); pthread_join(t, &r); return (int)(long)r; }\n",
			want: []uint64{5}},
		"not joined": {text: "int x; void *f(void *p) { x = 1; x = 2; return 0; }\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return x; }\n", want: []uint64{0, 1, 2}},
		"a loop, each a copy": {text: "int x; void *f(void *p) { x += (int)(long)p; return 0; }\n" +
			"int main(void) { pthread_t t; for (long i = 1; i < 4; i++) { pthread_create(&t, 0, f, (void *)i); " +
			"pthread_join(t, 0); } return x; }\n", want: []uint64{6}},
		"the limit": {text: "int x; void *f(void *p) { x++; return 0; }\nint main(void) { " +
			"pthread_t t; for (int i = 0; i < 3; i++) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); } return x; }\n",
			opt: lower.Options{Threads: 2}, actions: []string{cfa.ThreadLimit}},
		"a thread's thread": {text: "int x; void *g(void *p) { x += 2; return p; } void *f(void *p) { " +
			"pthread_t t; pthread_create(&t, 0, g, 0); pthread_join(t, 0); x *= 3; return 0; }\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return x; }\n", want: []uint64{6}},
		"by a pointer": {text: "int x; void *g(void *p) { x = 2; return 0; } void *f(void *p) { " +
			"x = 1; return 0; } void *(*r[2])(void *) = { f, g };\nextern int __VERIFIER_nondet_int(void);\n" +
			"int main(void) { pthread_t t; int n = __VERIFIER_nondet_int(); pthread_create(&t, 0, r[n & 1], 0); " +
			"pthread_join(t, 0); return x; }\n", want: []uint64{1, 2}},
		"itself": {text: "int x; void *f(void *p) { pthread_t t; if (x++ < 1) { " +
			"pthread_create(&t, 0, f, 0); pthread_join(t, 0); } return 0; }\nint main(void) { pthread_t t; " +
			"pthread_create(&t, 0, f, 0); pthread_join(t, 0); return x; }\n", opt: lower.Options{Threads: 2}, want: []uint64{2}},
		"exit of main": {text: "int x; void *f(void *p) { x = 7; reach_error(); return 0; }\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_exit(0); }\n", actions: []string{"error"}},
		"exit of a thread": {text: "int x; void *f(void *p) { exit(1); return 0; }\nextern void exit(int);\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); reach_error(); return 0; }\n"},
		"local objects": {text: "void *f(void *p) { ++*(int *)p; return 0; }\n" +
			"int main(void) { pthread_t t, u; int a = 1, b = 2; pthread_create(&t, 0, f, &a); " +
			"pthread_create(&u, 0, f, &b); pthread_join(t, 0); pthread_join(u, 0); return a * 10 + b; }\n", want: []uint64{23}},
		"a struct copied": {text: "struct s { int a, b; } g, h = { 1, 1 }; void *f(void *p) { g = h; " +
			"return 0; }\nint main(void) { pthread_t t; struct s c; pthread_create(&t, 0, f, 0); c = g; " +
			"return c.a * 2 + c.b; }\n", want: []uint64{0, 1, 2, 3}},
		"a union stored": {text: "union { int i; char c[4]; } u; void *f(void *p) { u.i = 0x101; " +
			"return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int v = u.i; " +
			"return v == 0x101 ? 2 : v == 0 ? u.c[0] : 9; }\n", want: []uint64{0, 1, 2}},
		"a recursive mutex": {text: "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; int x; " +
			"void *f(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); " +
			"x++; pthread_mutex_unlock(&m); return 0; }\nint main(void) { pthread_t t; " +
			"pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); int v = x; pthread_mutex_unlock(&m); return v; }\n",
			want: []uint64{0, 2}},
		"a mutex that checks": {text: "int x; pthread_mutex_t m; void *f(void *p) { " +
			"x = pthread_mutex_unlock(&m); return 0; }\nint main(void) { pthread_t t; pthread_mutexattr_t a; " +
			"pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); " +
			"pthread_mutex_init(&m, &a); pthread_mutex_lock(&m); int v = pthread_mutex_lock(&m); " +
			"pthread_create(&t, 0, f, 0); pthread_join(t, 0); return v + x; }\n", want: []uint64{36}},
		"unlock without lock": {text: "pthread_mutex_t m; void *f(void *p) { pthread_mutex_unlock(&m); " +
			"return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n",
			opt: lower.Options{Modelling: cfa.Modelling{CheckPointers: true}}, actions: []string{"error"}},
		"no such thread": {text: "void *f(void *p) { return 0; }\nint main(void) { pthread_t t; " +
			"pthread_create(&t, 0, f, 0); pthread_join(t + 9, 0); return 0; }\n",
			opt: lower.Options{Modelling: cfa.Modelling{CheckPointers: true}}, actions: []string{"error"}},
		"never stored": {text: "#include <stdlib.h>\nint n = 2, k; void *f(void *p) { k++; return 0; }\n" +
			"int main(void) { pthread_t *t = malloc(sizeof(pthread_t) * n); " +
			"for (int i = 0; i < n; i++) pthread_create(&t[i], 0, f, 0); " +
			"for (int i = 0; i < n; i++) pthread_join(t[i], 0); return k; }", want: []uint64{1, 2}},
		"C11": {text: "#include <threads.h>\nint x; mtx_t m; int f(void *p) { mtx_lock(&m); " +
			"x++; mtx_unlock(&m); return -3; }\nint main(void) { thrd_t t, u; int r; mtx_init(&m, mtx_plain); " +
			"thrd_create(&t, f, 0); thrd_create(&u, f, 0); thrd_join(t, &r); thrd_join(u, 0); return x * 10 + r; }\n",
			want: []uint64{17}},
	} {
		t.Run(name, func(t *testing.T) {
			all := interleave(t, lowerThreads(t, threadHeader+c.text, c.opt))
			require.Equal(t, c.want, all.Results)
			require.Equal(t, c.actions, all.Actions)
		})
	}
}

// What is refused with threads, and where.
func TestThreadsRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"cancellation": {"void *f(void *p) { return 0; }\nint main(void) { pthread_t t; " +
			"pthread_create(&t, 0, f, 0);\npthread_cancel(t); return 0; }", "a.c:7:1: not modelled: call of pthread_cancel"},
		"cleanup handlers": {"void h(void *p) {}\nvoid *f(void *p) {\npthread_cleanup_push(h, 0); " +
			"pthread_cleanup_pop(1); return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }",
			"a.c:7:1: not modelled: call of __magus_cleanup_push"},
		"fork": {"extern int fork(void);\nvoid *f(void *p) { return 0; }\nint main(void) { " +
			"pthread_t t; pthread_create(&t, 0, f, 0); return fork(); }", "call of fork"},
		"thread-local": {"extern _Thread_local int v;\nvoid *f(void *p) { v = 1; return 0; }\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }",
			"a.c:6:20: not modelled: v, which is thread-local"},
		"no body": {"extern void *f(void *);\nint main(void) { pthread_t t; " +
			"pthread_create(&t, 0, f, 0); return 0; }", "its start routine f has no body"},
		"unknown": {"extern void *(*f)(void *);\nint main(void) { pthread_t t; " +
			"pthread_create(&t, 0, f, 0); return 0; }", "the start routine is not known"},
		"in a section": {"void *f(void *p) { return 0; }\nint main(void) { pthread_t t; " +
			"__VERIFIER_atomic_begin(); pthread_create(&t, 0, f, 0); __VERIFIER_atomic_end(); return 0; }",
			"in an atomic section"},
		"on some ways only": {"int x;\nvoid *f(void *p) { if (x) __VERIFIER_atomic_begin(); x = 1; " +
			"if (x) __VERIFIER_atomic_end(); return 0; }\nint main(void) { pthread_t t; " +
			"pthread_create(&t, 0, f, 0); return 0; }", "on some ways only"},
		"errno": {"#include <errno.h>\nvoid *f(void *p) { errno = 1; return 0; }\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }", "errno, which is thread-local"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := source.Parse(ctx(), []source.Source{{Name: "a.c", Text: []byte(threadHeader + c.text)}}, source.Options{})
			require.NoError(t, err)
			_, err = lower.Lower(ctx(), p, "main", expr.NewPool(), lower.Options{InitGlobals: true, Threads: 3})
			require.ErrorContains(t, err, c.want)
		})
	}
}

// The run that is found to an error is one that the machine follows, and none that is changed is.
func TestReplayThreads(t *testing.T) {
	c := lowerThreads(t, two("x = 1;", "if (x) reach_error();", "0"), lower.Options{})
	m := interp.New(c)
	steps := interleave(t, c).Steps
	run, err := m.ReplayThreads(ctx(), interp.ThreadScript{Steps: steps})
	require.NoError(t, err)
	require.Equal(t, []string{"error"}, run.Trace)
	require.Nil(t, run.Tainted)
	seen := 0
	for _, s := range run.Steps {
		for _, r := range s.Reads {
			if r.Var.Name() == "x" {
				seen++
				require.Equal(t, uint64(1), r.Value)
				require.Equal(t, 1, run.Steps[r.Writer].Thread)
			}
		}
	}
	require.Equal(t, 1, seen)
	var diverges *interp.Divergence
	last := len(steps) - 1
	for _, wrong := range [][]interp.ThreadStep{
		append([]interp.ThreadStep{steps[last]}, steps...),
		append(append([]interp.ThreadStep{}, steps[:last]...), interp.ThreadStep{Thread: 9, Loc: steps[last].Loc}),
		append(append([]interp.ThreadStep{}, steps[:last]...),
			interp.ThreadStep{Thread: steps[last].Thread, Loc: steps[last].Loc - 1}),
		append(append([]interp.ThreadStep{}, steps...), steps[last]),
	} {
		_, err := m.ReplayThreads(ctx(), interp.ThreadScript{Steps: wrong})
		require.ErrorAs(t, err, &diverges)
	}
}

// Real threads give results that interleavings find, and wait for ever only where one of these does. The
// compiler's programs have no other behaviour: what threads share they access by sequentially consistent
// operations.
func TestThreadsAgreeWithGCC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir, tried, many, results, seen, stood := t.TempDir(), 0, 0, 0, 0, 0
	for i := range uint64(threadPrograms()) {
		seed := uint64(firstSeed())*1000 + i
		text, wakes := cfatest.Synchronised(seed, true)
		switch {
		case seed%16 == 7:
			text, wakes = cfatest.Owned(seed, true)
		case seed%4 == 0:
			text, wakes = cfatest.Threads(seed, true), false
		}
		all, err := interp.New(lowerThreads(t, text, lower.Options{})).Interleave(context.Background(),
			func(*expr.Expr) []uint64 { return []uint64{0, 1} }, 30_000)
		if err != nil {
			continue // too many
		}
		tried++
		results += len(all.Results)
		if len(all.Results) > 1 {
			many++
		}
		found := map[uint64]bool{}
		program := compiled(t, gcc, dir, text)
		mayStand := wakes || len(all.Stuck) > 0
		limit := time.Minute
		if mayStand {
			limit = time.Second // whatever it is late for, it is no mistake
		}
		for range 20 {
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			cmd := exec.CommandContext(ctx, program)
			_ = cmd.Run()
			late := ctx.Err() != nil
			cancel()
			if late {
				require.True(t, mayStand, "seed %d waits for ever\n%s", seed, text)
				stood++
				break
			}
			result := uint64(cmd.ProcessState.ExitCode())
			require.Contains(t, all.Results, result, "seed %d\n%s", seed, text)
			found[result] = true
		}
		seen += len(found)
	}
	t.Logf("%d programs, %d with several results; %d of %d results seen, %d programs stood still", tried,
		many, seen, results, stood)
	if !sample.Whole() {
		return
	}
	require.Greater(t, tried, threadPrograms()/2)
	require.Positive(t, many)
}

// compiled is a program whose threads pause now and then.
func compiled(t *testing.T, gcc, dir, text string) string {
	file, program := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	out, err := exec.Command(gcc, "-w", "-O0", "-pthread", "-D", "_GNU_SOURCE", "-include", "unistd.h",
		"-include", "time.h", "-D", "PAUSE=usleep(clock() % 64)", "-o", program, file).CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, text)
	return program
}

// Programs that are not for a compiler are lowered, and their interleavings end.
func TestRandomThreads(t *testing.T) {
	errors := 0
	for seed := range uint64(threadPrograms()) {
		text := cfatest.Threads(seed, false)
		c := lowerThreads(t, text, lower.Options{})
		m := interp.New(c)
		all, err := m.Interleave(context.Background(), func(*expr.Expr) []uint64 { return []uint64{0} }, 50_000)
		if err != nil || !all.Performs(cfa.ErrorAction) {
			continue
		}
		errors++
		run, err := m.ReplayThreads(ctx(), interp.ThreadScript{Steps: all.Steps})
		require.NoError(t, err, text)
		require.Equal(t, "error", run.Trace[len(run.Trace)-1])
	}
	require.True(t, !sample.Whole() || errors > 0)
	require.True(t, strings.Contains(cfatest.Threads(1, false), "pthread_create"))
}

// TestRaceBesideEndlessSection: a section that goes round for ever is looked at once. The explorer took all
// memory there.
func TestRaceBesideEndlessSection(t *testing.T) {
	const text = `#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); int x, y;
void *f(void *p) { __VERIFIER_atomic_begin(); while (x == 0) y = 1 - y; __VERIFIER_atomic_end(); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); %s return 0; }`
	for _, write := range []string{"", "x = 1;"} {
		all, err := interp.New(lowerThreads(t, fmt.Sprintf(text, write), lower.Options{})).
			Interleave(context.Background(), func(*expr.Expr) []uint64 { return []uint64{0} }, 1000)
		require.NoError(t, err)
		require.False(t, all.Race)
	}
}

// TestProber: runs by priorities are runs, the same for the same seed; the error of a program of which one
// thread must come last of all is found at once, and one between two statements after a few changes.
func TestProber(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		most int // runs
	}{
		"last of twenty": {`#include <pthread.h>
extern void reach_error(void);
int x;
void *first(void *p) { if (x == 20) reach_error(); return 0; }
void *count(void *p) { int t = x; x = t + 1; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, first, 0);
	for (int i = 0; i < 20; i++) pthread_create(&t, 0, count, 0);
}`, 3},
		"by turns": {`#include <pthread.h>
extern void reach_error(void);
int x = 1, y = 1;
void *left(void *p) { for (int i = 0; i < 11; i++) x += y; return 0; }
void *right(void *p) { for (int i = 0; i < 11; i++) y += x; return 0; }
int main(void) {
	pthread_t t, u;
	pthread_create(&t, 0, left, 0);
	pthread_create(&u, 0, right, 0);
	if (x >= 46368 || y >= 46368) reach_error();
}`, interp.FirstRuns},
		"between two statements": {`#include <pthread.h>
extern void reach_error(void);
int x;
void *count(void *p) { for (int i = 0; i < 10; i++) { int t = x; x = t + 1; } return 0; }
int main(void) {
	pthread_t t, u;
	pthread_create(&t, 0, count, 0);
	pthread_create(&u, 0, count, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	if (x < 20) reach_error();
}`, 50},
		"never": {`#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t m;
int x;
void *count(void *p) { pthread_mutex_lock(&m); int t = x; x = t + 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
	pthread_t t, u;
	pthread_create(&t, 0, count, 0);
	pthread_create(&u, 0, count, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	if (x < 2) reach_error();
	pthread_mutex_lock(&m);
	while (1) ;
}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := interp.New(lowerThreads(t, test.text, lower.Options{Threads: 30}))
			run := func() (runs int, script *interp.ThreadScript) {
				p := interp.NewProber(m, 1)
				for runs < 200 && script == nil {
					n, found, err := p.Run(context.Background(), 5_000, runs%4, cfa.ErrorAction)
					require.NoError(t, err)
					require.LessOrEqual(t, n, 5_000+100)
					runs, script = runs+1, found
				}
				return runs, script
			}
			runs, script := run()
			if test.most == 0 {
				require.Nil(t, script)
				return
			}
			require.NotNil(t, script)
			require.LessOrEqual(t, runs, test.most)
			again, same := run()
			require.Equal(t, runs, again)
			require.Equal(t, script, same)
			done, err := m.ReplayThreads(context.Background(), *script)
			require.NoError(t, err)
			require.Equal(t, cfa.ErrorAction, done.Trace[len(done.Trace)-1])
		})
	}
}
