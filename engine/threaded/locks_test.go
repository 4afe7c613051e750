package threaded

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// lockArray is a program with an array of locks: how each is initialised, which two a thread takes, of which
// kind they are.
func lockArray(locks int, begin, pair, kind string) string {
	return fmt.Sprintf(`#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
struct row { int n; pthread_mutex_t m; } row[%[1]d];
pthread_mutexattr_t kind;
static void both(int i, int j) {
	pthread_mutex_lock(&row[i].m); pthread_mutex_lock(&row[j].m);
	pthread_mutex_unlock(&row[j].m); pthread_mutex_unlock(&row[i].m);
}
void *f(void *p) { int i = (int)(long)p; both(%[3]s); return 0; }
int main(void) {
	pthread_t t;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, %[4]s);
	%[2]s
	int i = __VERIFIER_nondet_int();
	if (i < 0 || i > %[1]d - 2) return 0;
	pthread_create(&t, 0, f, (void *)(long)i);
	f((void *)0L);
	pthread_join(t, 0);
	return 0;
}`, locks, begin, pair, kind)
}

// TestLocksByIndex: locks of an array that is not longer than the limit are told apart, at whatever index they are
// initialised and locked, with their kinds. What the checker of certificates says agrees.
func TestLocksByIndex(t *testing.T) {
	sample.Long(t)
	const byIndex = "for (int k = 0; k < sizeof row / sizeof *row; k++) pthread_mutex_init(&row[k].m, &kind);"
	const byPointer = "for (struct row *p = row; p < row + sizeof row / sizeof *row; " +
		"p++) pthread_mutex_init(&p->m, &kind);"
	for name, c := range map[string]struct {
		begin, pair, kind string
		want              verdict.Verdict
	}{
		"upwards":             {byIndex, "i, i + 1", "PTHREAD_MUTEX_NORMAL", verdict.Conforms},
		"by a pointer":        {byPointer, "i, i + 1", "PTHREAD_MUTEX_NORMAL", verdict.Conforms},
		"against each other":  {byIndex, "i, 1 - i", "PTHREAD_MUTEX_NORMAL", verdict.Violates},
		"twice":               {byIndex, "i, i", "PTHREAD_MUTEX_NORMAL", verdict.Violates},
		"twice, recursive":    {byIndex, "i, i", "PTHREAD_MUTEX_RECURSIVE", verdict.Conforms},
		"twice, and checked":  {byIndex, "i, i", "PTHREAD_MUTEX_ERRORCHECK", verdict.Conforms},
		"recursive by others": {byPointer, "i, 1 - i", "PTHREAD_MUTEX_RECURSIVE", verdict.Violates},
	} {
		text := lockArray(6, c.begin, c.pair, c.kind)
		if strings.Contains(c.pair, "1 - i") {
			text = strings.Replace(text, "i > 6 - 2", "i > 1", 1)
		}
		claim := claim(t, text)
		claim.Question = component.NoDeadlock
		s, err := New(t.Context(), claim, Options{})
		require.NoError(t, err, name)
		for s.Outcome() == nil {
			s.Step(t.Context())
		}
		require.Equal(t, c.want, s.Outcome().Verdict, "%s: %v", name, s.Outcome().Reason)
		if c.want == verdict.Violates {
			require.True(t, s.Outcome().Confirmation.Checked, name)
		} else {
			cert, err := s.Certificate(t.Context())
			require.NoError(t, err, name)
			require.False(t, refuses(t, claim, Options{}, cert), name)
		}
		s.Close()
	}
}

// TestDeadlocksRestOnWhatIsModelled: a deadlock that is there only if memory that is not modelled holds a lock is none.
func TestDeadlocksRestOnWhatIsModelled(t *testing.T) {
	sample.Long(t)
	for name, begin := range map[string]string{
		"an array beyond the limit": "static pthread_mutex_t m[12]; " +
			"for (int k = 0; k < 12; k++) pthread_mutex_init(&m[k], 0); int i = __VERIFIER_nondet_int(); " +
			"if (i < 0 || i >= 12) return 0;",
		"memory of any size": "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 3) return 0; " +
			"pthread_mutex_t *m = malloc(n * sizeof *m); if (!m) return 0; " +
			"for (int k = 0; k < n; k++) pthread_mutex_init(&m[k], 0); int i = n - 1;",
	} {
		c := claim(t, `#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void *f(void *p) { pthread_mutex_lock(p); pthread_mutex_unlock(p); return 0; }
int main(void) { `+begin+` pthread_t t; pthread_create(&t, 0, f, &m[i]); f(&m[i]); pthread_join(t, 0); return 0; }`)
		c.Question = component.NoDeadlock
		s, err := New(t.Context(), c, Options{Modelling: cfa.Modelling{ArrayLimit: 8}})
		require.NoError(t, err, name)
		for s.Outcome() == nil {
			s.Step(t.Context())
		}
		require.Equal(t, verdict.Unknown, s.Outcome().Verdict, name)
		require.Equal(t, verdict.NotModelled, s.Outcome().Reason.Kind, "%s: %v", name, s.Outcome().Reason)
		s.Close()
	}
}

// TestShortExecutionsFirst: an error behind four unwindings is found before a proof for loops without an end
// is looked for.
func TestShortExecutionsFirst(t *testing.T) {
	c := claim(t, `#include <pthread.h>
extern void reach_error(void);
int x, y;
void *f(void *p) { while (y < 3) { int a, b; a = y; y = a + 1; a = x; b = y; x = a + b; } return 0; }
void *g(void *p) { int t, a, b; while (y < 3) { } t = y; a = x; b = y; y = a + b; if (y != t + x) reach_error(); return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0); return 0; }`)
	s, err := New(t.Context(), c, Options{})
	require.NoError(t, err)
	defer s.Close()
	for s.Outcome() == nil {
		s.Step(t.Context())
	}
	require.Equal(t, verdict.Violates, s.Outcome().Verdict)
	for _, m := range s.Outcome().Methods {
		require.True(t, m.Shares == 0 || m.Method == "search" || m.Method == "runs" || m.Method == "slice", m.Method)
	}
}

// TestShortProofsFirst: a proof for any number of threads that an induction comes to in its second share is found
// before a loop has any, of which one step may take longer.
func TestShortProofsFirst(t *testing.T) {
	sample.Long(t)
	c := claim(t, `#include <pthread.h>
extern void reach_error(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
int x, m;
void *w(void *a) { __VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = -1; __VERIFIER_atomic_end();
	x = 1; x = 0; __VERIFIER_atomic_begin(); m = 0; __VERIFIER_atomic_end(); return 0; }
void *r(void *a) { __VERIFIER_atomic_begin(); __VERIFIER_assume(m >= 0); m++; __VERIFIER_atomic_end();
	if (x) reach_error(); __VERIFIER_atomic_begin(); m--; __VERIFIER_atomic_end(); return 0; }
int main(void) { pthread_t t; while (__VERIFIER_nondet_int())
	if (__VERIFIER_nondet_int()) pthread_create(&t, 0, w, 0); else pthread_create(&t, 0, r, 0); return 0; }`)
	s, err := New(t.Context(), c, Options{})
	require.NoError(t, err)
	defer s.Close()
	for s.Outcome() == nil {
		s.Step(t.Context())
	}
	require.Equal(t, verdict.Conforms, s.Outcome().Verdict)
	for _, m := range s.Outcome().Methods {
		require.True(t, m.Shares == 0 || !strings.HasSuffix(m.Method, "-auto"), m.Method)
	}
}
