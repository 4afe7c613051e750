package threaded

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/component"
	"magus/engine/cegar"
	"magus/engine/threads"
	"magus/evidence/verdict"
	"magus/internal/sample"
	"magus/smt/expr"
)

type maker = func(context.Context, *cfa.CFA) (*cfa.CFA, error)

// counts is what the automaton that counts threads says of a program, in some steps: it has an error of the
// program, or shows that there is none.
func counts(t *testing.T, tally maker, text string, engine cegar.Engine, steps int) verdict.Verdict {
	t.Helper()
	ctx := context.Background()
	s, err := cegar.NewSession(ctx, claim(t, text), cegar.Options{Threads: lower.AnyThreads, Product: tally,
		Loop: cegar.Loop{Engine: engine}})
	if err != nil {
		require.True(t, tooMuch(err), "%v\n%s", err, text)
		return verdict.Unknown
	}
	defer s.Close()
	for range steps {
		if e, ended := s.Step(ctx).(cegar.Ended); ended {
			return e.Outcome.Verdict
		}
	}
	return verdict.Unknown
}

// TestRandomCounters compares proofs by counting with all interleavings of the threads, of which there are
// three at most, or that many are looked at.
func TestRandomCounters(t *testing.T) {
	sample.Long(t)
	proved, erroneous, met, open := 0, 0, 0, 0
	programs, first := sample.Count(8), sample.Seed(1)
	for seed := first; seed < first+uint64(programs); seed++ {
		text := cfatest.Gathering(seed, seed%4 == 0)
		auto, err := claim(t, text).Lower(context.Background(), 0, component.Options{Threads: 3})
		require.NoError(t, err, text)
		all, err := interp.New(auto).Interleave(context.Background(),
			func(*expr.Expr) []uint64 { return []uint64{0, 1} }, 20_000)
		wrong := all != nil && all.Performs(cfa.ErrorAction)
		if !wrong && err != nil { // too many: the search looks further
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			out, err := threads.Run(ctx, auto, threads.Options{Unwind: 2})
			cancel()
			if errors.Is(err, context.DeadlineExceeded) {
				t.Logf("nobody knows whether seed %d has an error", seed)
				continue
			}
			require.NoError(t, err, text)
			wrong = out.Answer == threads.Unsafe
		}
		engine := cegar.InductionEngine
		if seed%3 == 0 {
			engine = cegar.AutoEngine
		}
		tally := CountedMoves
		if seed%2 == 0 {
			tally = CountedLocations
		}
		switch said := counts(t, tally, text, engine, 10); {
		case said == verdict.Conforms:
			proved++
			require.False(t, wrong, "seed %d\n%s", seed, text)
		case wrong:
			erroneous++
			if said == verdict.Violates || counts(t, tally, text, cegar.BoundedEngine, 7) == verdict.Violates {
				met++
			} else {
				t.Logf("the automaton was not seen to have the error of seed %d", seed)
			}
		default:
			open++
		}
	}
	t.Logf("%d proved, %d with errors, of which the automaton was seen to have %d, %d not decided", proved,
		erroneous, met, open)
	if !sample.Whole() {
		return
	}
	require.Greater(t, proved, programs/10)
	require.Greater(t, erroneous, programs/10)
	require.Positive(t, met)
}

// TestCounting has what counting shows, and what it must not show.
func TestCounting(t *testing.T) {
	sample.Long(t)
	const byMoves, byPlaces, byBoth, byMovesLong = 0, 1, -1, -2
	const head = "#include <pthread.h>\n#include <stdlib.h>\n" +
		"extern void reach_error(void), __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), " +
		"__VERIFIER_atomic_end(void); extern int nondet(void);\n" +
		"pthread_t t[3], u; int x, y, n; void add(void) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); }\n"
	const many = "int main(void) { n = nondet(); __VERIFIER_assume(n > 0 && n <= 30); " +
		"for (int i = 0; i < n; i++) pthread_create(&u, 0, f, 0); "
	const few = "int main(void) { n = nondet(); __VERIFIER_assume(n > 0 && n <= 2); " +
		"for (int i = 0; i < n; i++) pthread_create(&t[i], 0, f, 0); "
	const join = "for (int i = 0; i < n; i++) pthread_join(t[i], 0); "
	for i, c := range []struct {
		name, text string
		proved     bool
		by         int // the tally that suffices in some steps; byMovesLong: only a campaign waits for it
	}{
		{"a sum", "void *f(void *a) { add(); return 0; }" + few + join + "if (x != n) reach_error(); }", true, byBoth},
		{"a sum without the last", "void *f(void *a) { add(); return 0; }" + few +
			"for (int i = 1; i < n; i++) pthread_join(t[i], 0); if (x != n) reach_error(); }", false, byBoth},
		{"a sum that others go on to", "void *f(void *a) { add(); return 0; }" + many + "if (x > n) reach_error(); }",
			true, byMoves},
		{"a sum that is there already", "void *f(void *a) { add(); return 0; }" + many + "if (x < n) reach_error(); }",
			false, byBoth},
		{"one more", "void *f(void *a) { add(); if (nondet()) add(); return 0; }" + few + join +
			"if (x > n) reach_error(); }", false, byBoth},
		{"lost updates", "void *f(void *a) { x++; return 0; }" + few + join + "if (x != n) reach_error(); }", false, byBoth},
		{"no more than there are", "void *f(void *a) { x++; if (x > n) reach_error(); return 0; }" + many + "}",
			true, byMovesLong},
		{"no more than are made", "void *f(void *a) { int l = x; x = l + 1; if (x >= n) reach_error(); " +
			"return 0; }" + many + "}", false, byBoth},
		{"who is within", "void *f(void *a) { add(); __VERIFIER_atomic_begin(); if (x < 1) reach_error(); " +
			"x--; __VERIFIER_atomic_end(); return 0; }" + many + "}", true, byMoves},
		{"who is within, not alone", "void *f(void *a) { add(); __VERIFIER_atomic_begin(); " +
			"if (x > 1) reach_error(); x--; __VERIFIER_atomic_end(); return 0; }" + many + "}", false, byBoth},
		{"what is kept", "void *f(void *a) { int l = nondet() & 3; x = 1; if (l > 3 || l < 0) reach_error(); " +
			"return 0; }" + many + "}", true, byBoth},
		{"what is kept, at most", "void *f(void *a) { int l = nondet() & 3; x = 1; if (l > 2) reach_error(); " +
			"return 0; }" + many + "}", false, byBoth},
		{"what is kept, at least", "void *f(void *a) { int l = nondet() & 3; x = 1; if (l < 1) reach_error(); " +
			"return 0; }" + many + "}", false, byBoth},
		{"what is kept by different threads", "void *f(void *a) { __VERIFIER_atomic_begin(); int l = x; " +
			"x = 5; __VERIFIER_atomic_end(); y = 1; if (l == 5) reach_error(); return 0; }" + many + "}", false, byBoth},
		{"what the first one has kept", "void *f(void *a) { __VERIFIER_atomic_begin(); int l = x; x = 5; " +
			"__VERIFIER_atomic_end(); y = 1; if (l == 0) reach_error(); return 0; }" + many + "}", false, byBoth},
		{"the most that is kept, while others stay", "void *f(void *a) { __VERIFIER_atomic_begin(); " +
			"int l = x; x = 5; __VERIFIER_atomic_end(); __VERIFIER_assume(y == 1 || l == 5); " +
			"if (l == 5) reach_error(); return 0; }" + many + "y = 2; }", false, byBoth},
		{"the least that is kept, while others stay", "void *f(void *a) { __VERIFIER_atomic_begin(); " +
			"int l = x; x = -5; __VERIFIER_atomic_end(); __VERIFIER_assume(y == 1 || l == -5); " +
			"if (l == -5) reach_error(); return 0; }" + many + "y = 2; }", false, byBoth},
		{"who waits for ever where nobody is", "void *f(void *a) { __VERIFIER_atomic_begin(); x = 1; " +
			"if (n) __VERIFIER_assume(y); __VERIFIER_atomic_end(); return 0; }" + many + "if (x) reach_error(); }",
			true, byBoth},
		{"behind a loop", "void *f(void *a) { for (int i = 0; i < 3; i++) add(); return 0; }" + many +
			"if (x > 2) reach_error(); }", false, byBoth},
		{"exit ends no one before", "void *f(void *a) { x = 1; exit(0); }" + many + "if (x) reach_error(); }", false, byBoth},
		{"who waits for ever has done something", "void *f(void *a) { x = 1; __VERIFIER_assume(0); return 0; }" +
			many + "if (x) reach_error(); }", false, byBoth},
		{"who waits for ever has created another", "void *g(void *a) { x = 1; return 0; } " +
			"void *f(void *a) { pthread_t v; int l = y; pthread_create(&v, 0, g, 0); __VERIFIER_assume(0); " +
			"return 0; }" + many + "y = 2; if (x) reach_error(); }", false, byBoth},
		{"a thread between its creation and the next step", "void *g(void *a) { x = 1; return 0; } " +
			"void *f(void *a) { pthread_t v; pthread_create(&v, 0, g, 0); if (x == 1) reach_error(); return 0; }" +
			"void *h(void *a) { pthread_t v; pthread_create(&v, 0, f, 0); return 0; } int main(void) { " +
			"pthread_create(&u, 0, h, 0); }", false, byBoth},
		{"a thread of main between its creation and the next step", "void *f(void *a) { x = 1; return 0; } " +
			"int main(void) { for (int i = 0; i < 2; i++) { pthread_create(&u, 0, f, 0); if (x == 1) reach_error(); } }",
			false, byBoth},
		{"who waits for another", "void *f(void *a) { __VERIFIER_assume(y == 1); x = 1; return 0; }" + many +
			"if (nondet()) y = 1; if (x) reach_error(); }", false, byBoth},
		{"who waits for nobody", "void *f(void *a) { __VERIFIER_assume(y == 1); x = 1; return 0; }" + many +
			"if (x) reach_error(); }", true, byBoth},
		{"who goes round", "void *f(void *a) { x = 1; while (1) ; return 0; }" + many + "if (x) reach_error(); }",
			false, byBoth},
		{"who does not end is not joined", "void *f(void *a) { x = 1; while (1) ; return 0; }" + few + join +
			"reach_error(); }", true, byBoth},
		{"who does nothing is joined", "void *f(void *a) { return 0; }" + few + join + "reach_error(); }", false, byBoth},
		{"who ends somewhere is joined", "void *f(void *a) { if (nondet()) pthread_exit(0); x = 1; return 0; }" +
			few + join + "if (!x) reach_error(); }", false, byBoth},
		{"threads of threads", "void *g(void *a) { add(); return 0; } void *f(void *a) { pthread_t v; " +
			"pthread_create(&v, 0, g, 0); return 0; }" + many + "if (x > n) reach_error(); }", true, byMoves},
		{"threads of threads are there", "void *g(void *a) { add(); return 0; } void *f(void *a) { " +
			"pthread_t v; pthread_create(&v, 0, g, 0); return 0; }" + many + "if (x == 2) reach_error(); }", false, byBoth},
		{"two of each thread", "void *g(void *a) { add(); return 0; } void *f(void *a) { pthread_t v; " +
			"pthread_create(&v, 0, g, 0); pthread_create(&v, 0, g, 0); return 0; }" + many +
			"if (x > n) reach_error(); }", false, byBoth},
		{"main has ended", "void *f(void *a) { x = 1; if (x) reach_error(); return 0; }" + many +
			"pthread_exit(0); }", false, byBoth},
		{"main is waited for", "pthread_t w; void *f(void *a) { pthread_join(w, 0); reach_error(); " +
			"return 0; } int main(void) { w = pthread_self(); pthread_create(&u, 0, f, 0); pthread_exit(0); }", false, byBoth},
		{"another one", "void *g(void *a) { y = 1; return 0; } void *f(void *a) { if (y) add(); return 0; } " +
			"int main(void) { pthread_create(&u, 0, g, 0); for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0); " +
			"if (x > 2) reach_error(); }", true, byBoth},
		{"another one, too late", "void *g(void *a) { y = 1; return 0; } void *f(void *a) { if (y) add(); " +
			"return 0; } int main(void) { pthread_create(&u, 0, g, 0); " +
			"for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0); if (x > 1) reach_error(); }", false, byBoth},
		{"another one is joined", "void *g(void *a) { y = 1; return 0; } void *f(void *a) { add(); " +
			"return 0; } int main(void) { pthread_create(&u, 0, g, 0); " +
			"for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0); pthread_join(u, 0); if (!y) reach_error(); }",
			true, byBoth},
		{"one of any number is joined", "void *g(void *a) { y = 1; return 0; } void *f(void *a) { add(); " +
			"return 0; } int main(void) { pthread_create(&u, 0, g, 0); " +
			"for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0); pthread_join(t[0], 0); if (!y) reach_error(); }",
			false, byBoth},
		{"in a section that would wait", "void *f(void *a) { __VERIFIER_atomic_begin(); x = 1; " +
			"__VERIFIER_assume(y); x = 0; __VERIFIER_atomic_end(); return 0; }" + many + "if (x) reach_error(); }",
			true, byBoth},
		{"a lock by test and set", "void *f(void *a) { int l; do { __VERIFIER_atomic_begin(); l = y; y = 1; " +
			"__VERIFIER_atomic_end(); } while (l == 1); if (l == y) reach_error(); y = 0; return 0; } " +
			"int main(void) { while (1) pthread_create(&u, 0, f, 0); }", true, byBoth},
		{"a lock by test and set that two give back",
			"void *f(void *a) { int l; do { __VERIFIER_atomic_begin(); l = y; y = 1; __VERIFIER_atomic_end(); " +
				"} while (l == 1 && x); if (l == y) reach_error(); y = 0; return 0; } int main(void) { " +
				"while (1) pthread_create(&u, 0, f, 0); }", false, byBoth},
		{"a semaphore", "void *f(void *a) { while (1) { __VERIFIER_atomic_begin(); __VERIFIER_assume(x < 2); " +
			"x++; __VERIFIER_atomic_end(); if (x > 2) reach_error(); __VERIFIER_atomic_begin(); x--; " +
			"__VERIFIER_atomic_end(); } }" +
			"int main(void) { while (1) pthread_create(&u, 0, f, 0); }", true, byPlaces},
		{"a semaphore for one more", "void *f(void *a) { while (1) { __VERIFIER_atomic_begin(); " +
			"__VERIFIER_assume(x < 2); x++; y++; __VERIFIER_atomic_end(); if (y > 1) reach_error(); " +
			"__VERIFIER_atomic_begin(); x--; y--; __VERIFIER_atomic_end(); } }" +
			"int main(void) { while (1) pthread_create(&u, 0, f, 0); }", false, byBoth},
		{"two locks", "void p(int *m) { __VERIFIER_atomic_begin(); __VERIFIER_assume(!*m); *m = 1; " +
			"__VERIFIER_atomic_end(); } void v(int *m) { __VERIFIER_atomic_begin(); *m = 0; __VERIFIER_atomic_end(); }" +
			"void *f(void *a) { if (nondet()) { p(&x); __VERIFIER_atomic_begin(); n++; __VERIFIER_atomic_end(); " +
			"__VERIFIER_atomic_begin(); n--; __VERIFIER_atomic_end(); v(&x); } else { p(&y); " +
			"__VERIFIER_atomic_begin(); n--; __VERIFIER_atomic_end();" +
			"__VERIFIER_atomic_begin(); n++; __VERIFIER_atomic_end(); v(&y); } return 0; } void *g(void *a) { " +
			"p(&x); p(&y); if (n) reach_error(); v(&y); v(&x); return 0; }" +
			"int main(void) { pthread_create(&u, 0, g, 0); while (1) pthread_create(&u, 0, f, 0); }", true, byPlaces},
		{"one of two locks", "void p(int *m) { __VERIFIER_atomic_begin(); __VERIFIER_assume(!*m); *m = 1; " +
			"__VERIFIER_atomic_end(); } void v(int *m) { __VERIFIER_atomic_begin(); *m = 0; __VERIFIER_atomic_end(); }" +
			"void *f(void *a) { if (nondet()) { p(&x); __VERIFIER_atomic_begin(); n++; __VERIFIER_atomic_end(); " +
			"__VERIFIER_atomic_begin(); n--; __VERIFIER_atomic_end(); v(&x); } else { p(&y); " +
			"__VERIFIER_atomic_begin(); n--; __VERIFIER_atomic_end();" +
			"__VERIFIER_atomic_begin(); n++; __VERIFIER_atomic_end(); v(&y); } return 0; } void *g(void *a) { " +
			"p(&x); if (n) reach_error(); v(&x); return 0; }" +
			"int main(void) { pthread_create(&u, 0, g, 0); while (1) pthread_create(&u, 0, f, 0); }", false, byBoth},
		{"a lock by exchange", "void *f(void *a) { while (__sync_lock_test_and_set(&y, 1)); x++; " +
			"if (x != 1) reach_error(); x--; __sync_lock_release(&y); return 0; } int main(void) { " +
			"while (nondet()) pthread_create(&u, 0, f, 0); }", true, byPlaces},
		{"a lock by exchange for two", "void *f(void *a) { while (__sync_lock_test_and_set(&y, 1) && x > 1); " +
			"x++; if (x > 1) reach_error(); x--; __sync_lock_release(&y); return 0; } int main(void) { " +
			"while (nondet()) pthread_create(&u, 0, f, 0); }", false, byBoth},
		{"once", "pthread_once_t o = PTHREAD_ONCE_INIT; void i(void) { x++; } void *f(void *a) { " +
			"pthread_once(&o, i); if (x != 1) reach_error(); return 0; } int main(void) { " +
			"while (nondet()) pthread_create(&u, 0, f, 0); }", true, byPlaces},
		{"the first one", "void *f(void *a) { if (!__sync_lock_test_and_set(&y, 1)) { x++; " +
			"if (x != 1) reach_error(); } return 0; } int main(void) { while (nondet()) pthread_create(&u, 0, f, 0); }",
			true, byPlaces},
		{"the first two", "void *f(void *a) { if (__sync_fetch_and_add(&y, 1) < 2) { x++; " +
			"if (x != 1) reach_error(); } return 0; } int main(void) { while (nondet()) pthread_create(&u, 0, f, 0); }",
			false, byBoth},
		{"a lock of all", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void *f(void *a) { " +
			"pthread_mutex_lock(&m); x++; if (x > n) reach_error(); pthread_mutex_unlock(&m); return 0; }" +
			many + "}", true, byMoves},
		{"without end, one at a time", "void *f(void *a) { __VERIFIER_atomic_begin(); __VERIFIER_assume(!y); " +
			"y = 1; __VERIFIER_atomic_end(); x = 1; x = 0; if (x) reach_error(); y = 0; return 0; } " +
			"int main(void) { while (1) pthread_create(&u, 0, f, 0); }", true, byBoth},
	} {
		if sample.Thinned(i, 2) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			for k, tally := range []maker{CountedMoves, CountedLocations} {
				if c.by == byBoth && !sample.Campaign() && k != i%2 {
					continue // the suite asks one of the two
				}
				switch {
				case !c.proved:
					require.Equal(t, verdict.Violates, counts(t, tally, head+c.text, cegar.BoundedEngine, 8))
				case c.by == byBoth || c.by == k || c.by == byMovesLong && k == byMoves && sample.Campaign():
					require.Equal(t, verdict.Conforms, counts(t, tally, head+c.text, cegar.InductionEngine, 20))
				}
			}
		})
	}
}

// TestCountersOfPlaces has a proof by sums of many counters, found before all combinations of their bits are tried.
func TestCountersOfPlaces(t *testing.T) {
	sample.Long(t)
	const text = `void reach_error(void), __VERIFIER_assume(int), __VERIFIER_atomic_begin(void),
		__VERIFIER_atomic_end(void); int any(void); typedef unsigned long pthread_t;
		int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
		_Atomic int free = 3, within;
		void *f(void *p) { __VERIFIER_atomic_begin(); __VERIFIER_assume(free > 0); free--; __VERIFIER_atomic_end();
			within++; if (within > MOST) reach_error(); within--; free++; return 0; }
		int main(void) { pthread_t h; while (any()) pthread_create(&h, 0, f, 0); return 0; }`
	for most, holds := range map[string]bool{"3": true, "2": false} {
		said := counts(t, CountedLocations, strings.Replace(text, "MOST", most, 1), cegar.InductionEngine, 16)
		require.Equal(t, holds, said == verdict.Conforms, most)
	}
}
