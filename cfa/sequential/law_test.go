package sequential_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/sequential"
	"magus/cfa/source"
	"magus/smt/expr"
)

const (
	head = "typedef unsigned long pthread_t; typedef struct { int x; } pthread_mutex_t; int pthread_create(pthread_t *, " +
		"const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **); " +
		"int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *); " +
		"void reach_error(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);\n"
	one  = " int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); "
	two  = " int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); "
	many = " int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }"
	few  = " int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, 0); }"
)

// lowered is the automaton of a program, with copies of the threads that are created again and again.
func lowered(t *testing.T, text string, copies, arrays int) *cfa.CFA {
	t.Helper()
	p, err := source.Parse(t.Context(), []source.Source{{Name: "a.c", Text: []byte(text)}}, source.Options{})
	require.NoError(t, err, text)
	c, err := lower.Lower(t.Context(), p, "main", expr.NewPool(), lower.Options{InitGlobals: true, Threads: copies,
		Cut: "left", Modelling: cfa.Modelling{ArrayLimit: arrays}})
	require.NoError(t, err, text)
	return c
}

// runs are all runs of an automaton in which open values are small, and all threads may be chosen.
func runs(t *testing.T, c *cfa.CFA, limit int) (*interp.Interleavings, error) {
	t.Helper()
	few, choices := []uint64{0, 1, 2, 3}, []uint64{}
	for i := range uint64(12) {
		choices = append(choices, i)
	}
	return interp.New(c).Interleave(t.Context(), func(v *expr.Expr) []uint64 {
		if v == sequential.Scheduler(c.Pool) {
			return choices
		}
		return few
	}, limit)
}

// maker makes one automaton of one thread.
type maker func(context.Context, *cfa.CFA) (*cfa.CFA, error)

// counted is a counter abstraction.
func counted(what sequential.Counter) maker {
	return func(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
		return sequential.CounterAbstraction(ctx, c, what)
	}
}

// abstractions have all runs of a program and more.
func abstractions() map[string]maker {
	return map[string]maker{"modular": sequential.Modular, "moves": counted(sequential.Moves),
		"locations": counted(sequential.Locations)}
}

// Each automaton of one thread comes to all errors that threads come to; where exact, to no others. The programs
// come in pairs of which one is wrong.
func TestErrorsOfThreads(t *testing.T) {
	for _, c := range []struct {
		name, text string
		wrong      bool
		proved     []string // by which abstractions
	}{
		{"a value comes", "int x; void *f(void *p) { x = 1; return 0; }" + one + "if (x) reach_error(); }", true, nil},
		{"another never comes", "int x; void *f(void *p) { x = 1; return 0; }" + one + "if (x == 2) reach_error(); }",
			false, []string{"locations", "modular", "moves"}},
		{"before it is created", "int x; void *f(void *p) { if (x == 1) reach_error(); return 0; }" +
			" int main(void) { pthread_t t; x = 1; x = 2; pthread_create(&t, 0, f, 0); }", false,
			[]string{"locations", "modular", "moves"}},
		{"after it is created", "int x; void *f(void *p) { if (x == 1) reach_error(); return 0; }" + one + "x = 1; }",
			true, nil},
		{"after it has ended", "int x; void *f(void *p) { x = 1; x = 2; return 0; }" + one +
			"pthread_join(t, 0); if (x == 1) reach_error(); }", false, []string{"locations", "moves"}},
		{"before it has ended", "int x; void *f(void *p) { x = 1; x = 2; return 0; }" + one +
			"if (x == 1) reach_error(); pthread_join(t, 0); }", true, nil},
		{"two halves", "int x; void *f(void *p) { int l = x; x = l + 1; return 0; } " +
			"void *g(void *p) { int l = x; x = l + 1; return 0; }" + two +
			"pthread_join(t, 0); pthread_join(u, 0); if (x == 1) reach_error(); }", true, nil},
		{"one piece", "int x; void *f(void *p) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; } " +
			"void *g(void *p) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }" + two +
			"pthread_join(t, 0); pthread_join(u, 0); if (x != 2) reach_error(); }", false, []string{"locations", "moves"}},
		{"a lock", "pthread_mutex_t m; int x; void *f(void *p) { pthread_mutex_lock(&m); x = 1; x = 0; " +
			"pthread_mutex_unlock(&m); return 0; }" + one + "pthread_mutex_lock(&m); if (x) reach_error(); " +
			"pthread_mutex_unlock(&m); }", false, []string{"locations", "moves"}},
		{"a section", "int x; void *f(void *p) { __VERIFIER_atomic_begin(); x = 1; x = 0; __VERIFIER_atomic_end(); " +
			"return 0; }" + one + "if (x) reach_error(); }", false, []string{"locations", "modular", "moves"}},
		{"a section that waits", "int x, y; void *f(void *p) { __VERIFIER_atomic_begin(); x = 1; " +
			"__VERIFIER_assume(y); x = 2; __VERIFIER_atomic_end(); return 0; }" + one +
			"y = 1; if (x == 1) reach_error(); }", false, []string{"locations", "modular", "moves"}},
		{"waiting", "int x, y; void *f(void *p) { __VERIFIER_assume(y); x = 1; return 0; }" + one +
			"if (x) reach_error(); y = 1; }", false, []string{"locations", "moves"}},
		{"waiting for what comes", "int x, y; void *f(void *p) { __VERIFIER_assume(y); x = 1; return 0; }" + one +
			"y = 1; if (x) reach_error(); }", true, nil},
		{"a loop that passes over", "int x; void *f(void *p) { while (x != 2) ; if (x == 1) reach_error(); return 0; }" +
			one + "x = 1; x = 2; }", false, []string{"locations"}},
		{"an argument", "void *f(void *p) { if (*(int *)p == 3) reach_error(); return 0; } int main(void) { " +
			"pthread_t t; int l = 2; pthread_create(&t, 0, f, &l); l = 3; pthread_join(t, 0); }", true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			auto := lowered(t, head+c.text, 3, 64)
			all, err := runs(t, auto, 2000)
			require.NoError(t, err)
			require.Equal(t, c.wrong, all.Performs(cfa.ErrorAction))
			product, err := sequential.Product(t.Context(), auto)
			require.NoError(t, err)
			require.Empty(t, product.Check())
			inProduct, err := runs(t, product, 2000)
			require.NoError(t, err)
			require.Equal(t, all.Actions, inProduct.Actions)
			require.Equal(t, all.Results, inProduct.Results)
			require.Equal(t, c.proved, proofs(t, auto, c.wrong))
		})
	}
}

// proofs are the abstractions that have no error, among at most some hundred states.
func proofs(t *testing.T, auto *cfa.CFA, wrong bool) (proved []string) {
	t.Helper()
	for name, makes := range abstractions() {
		made, err := makes(t.Context(), auto)
		require.NoError(t, err)
		require.Empty(t, made.Check())
		all, err := runs(t, made, 300)
		if wrong {
			require.NoError(t, err)
		}
		if err == nil && !all.Performs(cfa.ErrorAction) {
			proved = append(proved, name)
		}
	}
	slices.Sort(proved)
	return proved
}

// An abstraction of threads in any number has the errors of two.
// Where its states have no end it may still show nothing.
func TestErrorsOfAnyNumber(t *testing.T) {
	for _, c := range []struct {
		name, f string
		wrong   bool
		proved  []string
	}{
		{"one", "if (x == 0) reach_error();", true, nil},
		{"none", "if (x == 1) reach_error();", false, []string{"locations", "modular", "moves"}},
		{"two meet", "x = 1; x = 0; if (x) reach_error();", true, nil},
		{"two do not meet", "__VERIFIER_atomic_begin(); x = 1; x = 0; __VERIFIER_atomic_end(); if (x) reach_error();",
			false, []string{"locations", "modular", "moves"}},
		{"what is kept", "int l = x; x = 1; if (l == 1) reach_error();", true, nil},
		{"the same constant", "int l = x; x = 1; if (l == 2) reach_error();", false,
			[]string{"locations", "modular", "moves"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := head + "int x; void *f(void *p) { " + c.f + " return 0; }" + few
			all, err := runs(t, lowered(t, text, 2, 64), 4000)
			require.NoError(t, err)
			require.Equal(t, c.wrong, all.Performs(cfa.ErrorAction))
			require.Equal(t, c.proved, proofs(t, lowered(t, text, lower.AnyThreads, 64), c.wrong))
		})
	}
}

// Threads that know who they are, or give away an address of their own, are no copies.
func TestThreadsThatAreNoCopies(t *testing.T) {
	for _, c := range []struct {
		name, text string
		apart      bool
	}{
		{"nothing of their own", "int x; void *f(void *p) { x = 1; return 0; }", false},
		{"an address kept", "int *q; void *f(void *p) { int l; int *r = &l; *r = 1; return 0; }", false},
		{"an address given away", "int *q; void *f(void *p) { int l; q = &l; return 0; }", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			auto := lowered(t, head+c.text+many, lower.AnyThreads, 64)
			for name, makes := range abstractions() {
				_, err := makes(t.Context(), auto)
				if c.apart {
					require.ErrorIs(t, err, sequential.ErrIdentity, name)
				} else {
					require.NoError(t, err, name)
				}
			}
		})
	}
}

// The product of who waits for whom comes to an error where some interleaving comes to a deadlock, and only there;
// that for whole runs performs what the threads do, and who moves is one who can.
func TestWaiting(t *testing.T) {
	const locks = "pthread_mutex_t m, n; int x; void *f(void *p) { "
	for _, c := range []struct {
		name, text string
		stuck      bool
	}{
		{"nobody", locks + "x = 1; return 0; }" + one + "return x; }", false},
		{"two orders", locks + "pthread_mutex_lock(&m); pthread_mutex_lock(&n); return 0; }" + one +
			"pthread_mutex_lock(&n); pthread_mutex_lock(&m); return 3; }", true},
		{"one order", locks + "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); " +
			"pthread_mutex_unlock(&m); return 0; }" + one + "pthread_mutex_lock(&m); pthread_mutex_lock(&n); " +
			"x = 1; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); pthread_join(t, 0); return x; }", false},
		{"a lock that is kept", locks + "pthread_mutex_lock(&m); return 0; }" + one + "pthread_mutex_lock(&m); }", true},
		{"joined with its lock", locks + "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }" + one +
			"pthread_mutex_lock(&m); pthread_join(t, 0); }", true},
		{"joined without", locks + "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }" + one +
			"pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_join(t, 0); }", false},
		{"two at once", locks + "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; } " +
			"void *g(void *p) { pthread_mutex_lock(&m); if (x) pthread_mutex_lock(&n); pthread_mutex_unlock(&m); " +
			"return 0; }" + two + "pthread_join(t, 0); pthread_join(u, 0); pthread_mutex_lock(&n); }", true},
		{"a loop", locks + "for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); } return 0; }" +
			one + "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			auto := lowered(t, head+c.text, 3, 64)
			all, err := runs(t, auto, 4000)
			require.NoError(t, err)
			require.Equal(t, c.stuck, all.Deadlock)
			stuck, err := sequential.Standing(t.Context(), auto)
			require.NoError(t, err)
			require.Empty(t, stuck.Check())
			found, err := runs(t, stuck, 4000)
			require.NoError(t, err)
			require.Equal(t, c.stuck, found.Performs(cfa.ErrorAction))

			whole, err := sequential.WholeRuns(t.Context(), auto, nil)
			require.NoError(t, err)
			require.Empty(t, whole.Check())
			found, err = runs(t, whole, 4000)
			require.NoError(t, err)
			require.Equal(t, all.Actions, found.Actions)
			require.Equal(t, all.Results, found.Results)
			for l, mover := range whole.Joint.Of {
				if mover >= 0 {
					require.NotZero(t, whole.Joint.Ready[l]&(1<<mover), "%d %v", l, whole.Locs[l])
				}
			}
		})
	}
}

// An array within a range has no error, and where a store leaves the range there is one; what it begins with counts.
func TestArraysInRanges(t *testing.T) {
	for _, c := range []struct {
		name, array, f string
		low, high      int64
		wrong          bool
	}{
		{"kept", "int a[8]", "a[i] = 2;", 0, 2, false},
		{"left above", "int a[8]", "a[i] = 3;", 0, 2, true},
		{"left below", "int a[8]", "a[i] = -1;", 0, 2, true},
		{"read within", "int a[8]", "if (a[i] > 2) reach_error();", 0, 2, false},
		{"read at its end", "int a[8]", "if (a[i] > 1) reach_error();", 0, 2, true},
		{"copied", "int a[8]", "a[i] = a[nondet() & 3];", 0, 2, false},
		{"added to", "int a[8]", "a[i] = a[nondet() & 3] + 1;", 0, 2, true},
		{"negative", "int a[8]", "a[i] = -2; if (a[i] < -2) reach_error();", -2, 0, false},
		{"part of it", "int a[8]", "((char *)a)[i] = 1;", 0, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			auto := lowered(t, head+"int nondet(void); "+c.array+"; void *f(void *p) { int i = nondet() & 3; "+c.f+
				" return 0; }"+one+" int j = nondet() & 3; return a[j]; }", 3, 2)
			ranges := sequential.RangesOf(auto)
			require.Len(t, ranges, 1)
			ranges[0].Signed, ranges[0].Low, ranges[0].High = true, c.low, c.high
			in, err := sequential.InRanges(auto, ranges)
			require.NoError(t, err)
			require.Empty(t, in.Check())
			all, err := runs(t, in, 4000)
			require.NoError(t, err)
			require.Equal(t, c.wrong, all.Performs(cfa.ErrorAction))
			for _, other := range []sequential.Range{
				{First: ranges[0].First, Last: ranges[0].Last, Size: 3, Signed: true, High: 2},
				{First: ranges[0].First + 1, Last: ranges[0].Last, Size: 4, Signed: true, High: 2},
				{First: ranges[0].First, Last: ranges[0].Last, Size: 4, Signed: true, Low: 1, High: 2},
			} {
				_, err := sequential.InRanges(auto, []sequential.Range{other})
				require.ErrorIs(t, err, sequential.ErrRange, "%v", other)
			}
		})
	}
}
