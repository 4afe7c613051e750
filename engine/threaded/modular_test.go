package threaded

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/component"
	"magus/engine/cegar"
	"magus/engine/threads"
	"magus/evidence/verdict"
	"magus/internal/countdown"
	"magus/internal/sample"
	"magus/smt/expr"
	"magus/specs"
)

// programs is how many random programs that create threads without end a test looks at.
func programs() int { return sample.Count(12) }

// first is the seed of the first of them.
func first() uint64 { return sample.Seed(1) }

func claim(t *testing.T, text string) *component.Claim {
	t.Helper()
	program, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: []byte(text)}},
		source.Options{})
	require.NoError(t, err, text)
	s := &component.Sources{Program: program, Specs: &specs.File{}, LongWidth: 64}
	return s.ErrorClaim("main", component.NoError, []string{"reach_error", "__VERIFIER_error"}, nil)
}

// modular is what the thread-modular abstraction shows of a program while its context is looked at so often.
// Violations are those of the abstraction.
func modular(t *testing.T, text string, looks int64) verdict.Verdict {
	t.Helper()
	ctx := countdown.Looks(context.Background(), looks)
	s, err := cegar.NewSession(ctx, claim(t, text), cegar.Options{Threads: lower.AnyThreads, Product: Modular})
	if err != nil {
		return verdict.Unknown
	}
	defer s.Close()
	return s.Run(ctx, nil).Verdict
}

// TestRandomModular looks for errors of programs that the abstraction proves, with up to three copies of each thread.
func TestRandomModular(t *testing.T) {
	proved, open, erroneous := 0, 0, 0
	for seed := first(); seed < first()+uint64(programs()); seed++ {
		text := cfatest.ManyThreads(seed)
		auto, err := claim(t, text).Lower(context.Background(), 0, component.Options{Threads: 3})
		require.NoError(t, err, text)
		require.Empty(t, auto.Check())
		out, err := threads.Run(context.Background(), auto, threads.Options{Unwind: 2})
		require.NoError(t, err, text)
		all, err := interp.New(auto).Interleave(context.Background(),
			func(*expr.Expr) []uint64 { return []uint64{0, 1} }, 20_000)
		wrong := out.Answer == threads.Unsafe || err == nil && all.Performs(cfa.ErrorAction)
		if wrong {
			erroneous++
		}
		switch modular(t, text, 50_000) {
		case verdict.Conforms:
			proved++
			require.False(t, wrong, "seed %d\n%s", seed, text)
		default:
			if !wrong {
				open++
			}
		}
	}
	t.Logf("%d proved, %d with errors, %d not decided", proved, erroneous, open)
	if !sample.Whole() {
		return
	}
	require.Greater(t, proved, programs()/10)
	require.Greater(t, erroneous, programs()/10)
}

// TestModular has what the abstraction shows, and what it must not show.
func TestModular(t *testing.T) {
	sample.Long(t)
	const head = "#include <pthread.h>\nextern void reach_error(void), __VERIFIER_assume(int), " +
		"__VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);\n"
	const manyThreads = "\nint main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }\n"
	for _, c := range []struct {
		name, text string
		proved     bool
	}{
		{"what is kept only grows", "unsigned v; void *f(void *a) { unsigned l; __VERIFIER_atomic_begin(); " +
			"l = v; if (l < 9) v = l + 1; __VERIFIER_atomic_end(); if (v < l) reach_error(); return 0; }" + manyThreads, true},
		{"a lost update", "unsigned v; void *f(void *a) { unsigned l = v; if (l < 9) v = l + 1; " +
			"if (v < l) reach_error(); return 0; }" + manyThreads, false},
		{"a value of the others' own", "int r; void *f(void *a) { int l = __VERIFIER_nondet_int() ? 3 : 8; " +
			"r = l; return 0; } void *g(void *a) { while (1) if (r > 8) reach_error(); return 0; }" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, g, 0); while (1) pthread_create(&t, 0, f, 0); }", true},
		{"a value too large", "int r; void *f(void *a) { int l = __VERIFIER_nondet_int() ? 3 : 8; r = l; " +
			"return 0; } void *g(void *a) { while (1) if (r > 7) reach_error(); return 0; }" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, g, 0); while (1) pthread_create(&t, 0, f, 0); }", false},
		{"two threads suffice", "int x; void *f(void *a) { x = 1; x = 0; if (x) reach_error(); return 0; }" +
			manyThreads, false},
		{"three threads suffice", "int x; void *f(void *a) { __VERIFIER_atomic_begin(); x++; " +
			"__VERIFIER_atomic_end(); if (x == 3) reach_error(); return 0; }" + manyThreads, false},
		{"main's error after creation", "int x; void *f(void *a) { x = 1; return 0; } int main(void) { " +
			"pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, f, 0); if (x) reach_error(); return 0; }", false},
		{"only before creation", "int x; void *f(void *a) { if (x != 2) reach_error(); return 0; } " +
			"int main(void) { pthread_t t; x = 1; x = 2; while (1) pthread_create(&t, 0, f, 0); }", true},
		{"main writes on", "int x = 2; void *f(void *a) { if (x != 2) reach_error(); return 0; } " +
			"int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, f, 0); x = 1; x = 2; } }", false},
		{"arguments differ", "int x; void *f(void *a) { if (a == (void *)2) reach_error(); return 0; } " +
			"int main(void) { pthread_t t; for (long i = 0; i < 5; i++) pthread_create(&t, 0, f, (void *)i); " +
			"return 0; }", false},
		{"an address of its own is given away",
			"int *p; void *f(void *a) { int l = 0; __VERIFIER_atomic_begin(); if (!p) p = &l; " +
				"__VERIFIER_atomic_end(); if (p != &l) reach_error(); return 0; }" + manyThreads, false},
		{"an address of its own is kept", "int x; void *f(void *a) { int l = 0, *p = &l; *p = 1; " +
			"if (l != 1) reach_error(); return 0; }" + manyThreads, true},
		{"who is who", "pthread_t o; void *f(void *a) { o = pthread_self(); " +
			"if (!pthread_equal(o, pthread_self())) reach_error(); return 0; }" + manyThreads, false},
		{"handles differ", "void *f(void *a) { return 0; } int main(void) { pthread_t t, u = 0; while (1) { " +
			"pthread_create(&t, 0, f, 0); if (u && !pthread_equal(t, u)) reach_error(); u = t; } }", false},
		{"threads of threads", "int x; void *g(void *a) { x = 1; return 0; } void *f(void *a) { pthread_t t; " +
			"pthread_create(&t, 0, g, 0); return 0; }" +
			"int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, f, 0); if (x) reach_error(); } }", false},
		{"two of threads of threads", "int x; void *g(void *a) { x = 1; x = 0; if (x) reach_error(); " +
			"return 0; } void *f(void *a) { pthread_t t; pthread_create(&t, 0, g, 0); return 0; }" + manyThreads, false},
		{"threads that create themselves", "int x; void *f(void *a) { pthread_t t; pthread_create(&t, 0, f, 0); " +
			"__VERIFIER_atomic_begin(); x++; if (x == 3) reach_error(); __VERIFIER_atomic_end(); return 0; }" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }", false},
		{"results of threads", "void *f(void *a) { return __VERIFIER_nondet_int() ? &reach_error : 0; } " +
			"int main(void) { pthread_t t; void *r; while (1) { pthread_create(&t, 0, f, 0); " +
			"pthread_join(t, &r); if (r) reach_error(); } }", false},
		{"static of a thread that is created once", "int x; void *g(void *a) { static int s; s++; x = s; " +
			"return 0; } void *f(void *a) { if (x > 1) reach_error(); return 0; }" +
			// not seen: s may be anything
			"int main(void) { pthread_t t; pthread_create(&t, 0, g, 0); while (1) { pthread_create(&t, 0, f, 0); } }", false},
		{"what is beyond a lock", "int m, x; void __VERIFIER_atomic_lock(void) { __VERIFIER_assume(!m); " +
			"m = 1; } void __VERIFIER_atomic_unlock(void) { m = 0; }" +
			"void *f(void *a) { __VERIFIER_atomic_lock(); x = 1; x = 0; if (x) reach_error(); " +
			"__VERIFIER_atomic_unlock(); return 0; }" + manyThreads, true},
		{"a lock that knows its owner", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x; " +
			"void *f(void *a) { pthread_mutex_lock(&m); x = 1; x = 0; if (x) reach_error(); " +
			"pthread_mutex_unlock(&m); return 0; }" + manyThreads, true},
		{"another lock", "pthread_mutex_t m[2]; int x; void *f(void *a) { int i = !!__VERIFIER_nondet_int(); " +
			"pthread_mutex_lock(&m[i]); x = 1; x = 0; if (x) reach_error(); pthread_mutex_unlock(&m[i]); return 0; }" +
			manyThreads, false},
		{"locks whose owner does not matter", "pthread_mutex_t m[2]; int x; void *f(void *a) { " +
			"int i = !!__VERIFIER_nondet_int(); pthread_mutex_lock(&m[i]); if (x < 0) reach_error(); x = 1; " +
			"pthread_mutex_unlock(&m[i]); return 0; }" + manyThreads, true},
		{"who it is does not matter", "int x; void *f(void *a) { pthread_t o = pthread_self(); " +
			"x = o == 2 ? 1 : 3; if (x > 3) reach_error(); return 0; }" + manyThreads, true},
		{"who it is matters", "int x; void *f(void *a) { pthread_t o = pthread_self(); if (o == 2) x = 1; " +
			"else x = 3; if (x == 3) reach_error(); return 0; }" + manyThreads, false},
		{"another number than those of both copies",
			"void *f(void *a) { if (pthread_self() == 5) reach_error(); return 0; }" + manyThreads, false},
		{"who it is, computed", "void *f(void *a) { pthread_t o = pthread_self() - 2; " +
			"if (o + o == 6) reach_error(); return 0; }" + manyThreads, false},
		{"who it is, in an array", "int x[2]; void *f(void *a) { x[pthread_self() & 1] = pthread_self(); " +
			"if (x[0] > 2) reach_error(); return 0; }" + manyThreads, false},
		{"a variable of its own", "_Thread_local int k = 3; int x; void *f(void *a) { k++; x = k; " +
			"if (k != 4) reach_error(); return 0; }" + manyThreads, true},
		{"a variable of its own, of another value", "_Thread_local int k; int x; void *f(void *a) { k++; x = k; " +
			"if (k == 1) reach_error(); return 0; }" + manyThreads, false},
		{"a variable of its own that others see", "_Thread_local int k; int *p; void *f(void *a) { p = &k; " +
			"k = 0; if (k) reach_error(); *p = 1; return 0; }" + manyThreads, false},
		{"a place of its own on the heap", "#include <stdlib.h>\nint *p; void *f(void *a) { " +
			"int *l = malloc(4); if (!l) return 0; __VERIFIER_atomic_begin(); if (!p) p = l; " +
			"__VERIFIER_atomic_end(); if (p != l) reach_error(); return 0; }" + manyThreads, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := modular(t, head+c.text, 500_000)
			require.Equal(t, c.proved, got == verdict.Conforms, got)
		})
	}
}
