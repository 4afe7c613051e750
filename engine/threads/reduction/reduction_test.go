package reduction_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/engine/threads/reduction"
	"magus/internal/sample"
	"magus/smt/expr"
)

// randomPrograms is how many random programs with threads a test looks at.
func randomPrograms() int { return sample.Count(16) }

func automaton(t testing.TB, text string) *cfa.CFA {
	t.Helper()
	p, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: []byte(text)}}, source.Options{})
	require.NoError(t, err, text)
	c, err := lower.Lower(context.Background(), p, "main", expr.NewPool(),
		lower.Options{InitGlobals: true, Threads: 3, Cut: "left"})
	require.NoError(t, err, text)
	return c
}

func sections(c *cfa.CFA) int {
	n := 0
	for _, l := range c.Locs {
		if a, ok := l.Stmt.(cfa.Atomic); ok && a.Begin {
			n++
		}
	}
	return n
}

func errs(t testing.TB, c *cfa.CFA) (bool, []uint64, bool) {
	all, err := interp.New(c).Interleave(context.Background(), func(*expr.Expr) []uint64 { return []uint64{0, 1} }, 60_000)
	if err != nil {
		require.ErrorIs(t, err, interp.ErrLimit)
		return false, nil, false
	}
	return all.Performs(cfa.ErrorAction), slices.Compact(all.Results), true
}

const head = `#include <pthread.h>
extern void reach_error(void), __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void); int x, y, z, own; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void __VERIFIER_atomic_take(void) { __VERIFIER_assume(own == 0); own = 1; }
void __VERIFIER_atomic_give(void) { __VERIFIER_assume(own == 1); own = 0; }
`

const run = "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); " +
	"pthread_join(t, 0); pthread_join(u, 0); return x; }"

// TestMerge has what is one section and what is not, by how many sections two threads have afterwards, and
// whether errors are still found.
func TestMerge(t *testing.T) {
	both := func(body string) string {
		return head + "void *f(void *p) {" + body + "} void *g(void *p) {" + body + "}" + run
	}
	for _, c := range []struct {
		name, text string
		sections   int
		err        bool
	}{
		{"a mutex", both("pthread_mutex_lock(&m); x = x + 1; y = x; pthread_mutex_unlock(&m);"), 2, false},
		{"a lock of the program's own",
			both("__VERIFIER_atomic_take(); x = x + 1; y = x; __VERIFIER_atomic_give();"), 2, false},
		{"an element of a small array",
			strings.Replace(both("pthread_mutex_lock(&m); few[(unsigned)__VERIFIER_nondet_int() & 7] = 1; "+
				"x = x + few[(unsigned)__VERIFIER_nondet_int() & 7]; pthread_mutex_unlock(&m);"), "int x,",
				"int few[8], x,", 1), 2, false},
		{"an element of a large array",
			strings.Replace(both("pthread_mutex_lock(&m); many[(unsigned)__VERIFIER_nondet_int() % 20] = 1; "+
				"x = x + many[(unsigned)__VERIFIER_nondet_int() % 20]; pthread_mutex_unlock(&m);"), "int x,",
				"int many[20], x,", 1), 4, false},
		{"one access that others see",
			both("pthread_mutex_lock(&m); z = 1; pthread_mutex_unlock(&m); if (z == 0) reach_error();"), 2, false},
		{"two accesses that others see",
			both("pthread_mutex_lock(&m); z = 1; z = 0; pthread_mutex_unlock(&m); if (z == 1) reach_error();"), 4, true},
		{"others try for the lock", head + "void *f(void *p) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); }" +
			"void *g(void *p) { if (pthread_mutex_trylock(&m)) reach_error(); }" + run, 3, true},
		{"others look at the lock", head + "void *f(void *p) { __VERIFIER_atomic_take(); x = 1; __VERIFIER_atomic_give(); }" +
			"void *g(void *p) { if (own) reach_error(); }" + run, 2, true},
		{"others give it back", head + "void *f(void *p) { __VERIFIER_atomic_take(); x = 1; x = 0; " +
			"__VERIFIER_atomic_give(); }" +
			"void *g(void *p) { own = 0; __VERIFIER_atomic_take(); if (x) reach_error(); __VERIFIER_atomic_give(); }" +
			run, 4, true},
		{"it stands still after what others see", head + "void *f(void *p) { pthread_mutex_lock(&m); z = 1; " +
			"__VERIFIER_assume(0); pthread_mutex_unlock(&m); }" +
			"void *g(void *p) { if (z) reach_error(); }" + run, 1, true},
		{"it goes round after what others see", head + "void *f(void *p) { pthread_mutex_lock(&m); z = 1; " +
			"while (x == 0) ; pthread_mutex_unlock(&m); }" +
			"void *g(void *p) { if (z) reach_error(); x = 0; }" + run, 2, true},
		{"the process ends after what others see", head + "void exit(int); void *f(void *p) { " +
			"pthread_mutex_lock(&m); z = 1; exit(0); }" +
			"void *g(void *p) { if (z) reach_error(); }" + run, 1, true},
		{"two locks within each other",
			both("pthread_mutex_lock(&m); pthread_mutex_lock(&n); x = x + 1; pthread_mutex_unlock(&n); " +
				"pthread_mutex_unlock(&m);"), 2, false},
		{"a lock that is taken after one was given back",
			both("pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); x = x + 1; " +
				"pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);"), 12, false},
		{"it is held when the thread ends", head + "void *f(void *p) { pthread_mutex_lock(&m); z = 1; return 0; }" +
			"void *g(void *p) { if (z) reach_error(); return 0; }" + run, 1, true},
		{"two ways to take it", both("if (p) pthread_mutex_lock(&m); else pthread_mutex_lock(&m); x = 1; " +
			"pthread_mutex_unlock(&m);"), 4, false},
		{"taken on one way only",
			both("int r = __VERIFIER_nondet_int(); if (r == 0) pthread_mutex_lock(&m); x = 1; " +
				"if (x == 2) reach_error(); x = 2; if (r == 0) pthread_mutex_unlock(&m);"), 4, true},
		{"variables of two locks", head + "void *f(void *p) { pthread_mutex_lock(&m); x = 1; x = 0; " +
			"pthread_mutex_unlock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); }" +
			"void *g(void *p) { pthread_mutex_lock(&n); if (x) reach_error(); pthread_mutex_unlock(&n); }" + run, 5, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := automaton(t, c.text)
			after, err := reduction.Merge(context.Background(), before)
			require.NoError(t, err)
			require.Empty(t, after.Check())
			require.Equal(t, c.sections, sections(after), "%s", after)
			for _, a := range []*cfa.CFA{before, after} {
				found, _, known := errs(t, a)
				require.True(t, known)
				require.Equal(t, c.err, found)
			}
		})
	}
}

// TestRandomPrograms compares the errors and results of random programs before and after.
func TestRandomPrograms(t *testing.T) {
	merged, compared := 0, 0
	for seed := range sample.Seeds(0, randomPrograms()) {
		text, _ := cfatest.Synchronised(seed, false)
		if seed%2 == 0 {
			text = cfatest.Threads(seed, false)
		}
		before := automaton(t, text)
		after, err := reduction.Merge(context.Background(), before)
		require.NoError(t, err)
		if after == before {
			continue
		}
		merged++
		require.Empty(t, after.Check())
		e, r, ok := errs(t, before)
		if !ok {
			continue
		}
		compared++
		e2, r2, ok := errs(t, after)
		require.True(t, ok)
		require.Equal(t, e, e2, "seed %d", seed)
		require.Equal(t, r, r2, "seed %d", seed)
	}
	t.Logf("%d merged, %d compared", merged, compared)
	if !sample.Whole() {
		return
	}
	require.Positive(t, compared)
}
