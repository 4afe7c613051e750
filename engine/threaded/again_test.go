package threaded

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/cfatest"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// TestAgain: addresses and handles that come again, and exchanges that fail for no reason, in programs with
// threads. The verdict is certified.
func TestAgain(t *testing.T) {
	const head = `#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
void *nothing(void *p) { return 0; }
`
	for name, c := range map[string]struct{ verdict, text string }{
		"handle of a joined thread": {"violates", `int main(void) { pthread_t h, k; pthread_create(&h, 0, nothing, 0);
	pthread_join(h, 0); pthread_create(&k, 0, nothing, 0); if (pthread_equal(h, k)) reach_error(); pthread_join(k, 0); }`},
		"handles of two threads": {"conforms", `int main(void) { pthread_t h, k; pthread_create(&h, 0, nothing, 0);
	pthread_create(&k, 0, nothing, 0); if (pthread_equal(h, k) || h == pthread_self()) reach_error();
	pthread_join(h, 0); pthread_join(k, 0); }`},
		"handles that are joined rightly": {"conforms", `int x;
void *f(void *p) { x++; return 0; }
int main(void) { pthread_t h, k; pthread_create(&h, 0, f, 0); pthread_join(h, 0); pthread_create(&k, 0, f, 0);
	pthread_join(k, 0); if (x != 2) reach_error(); if (h == k && x != 2) reach_error(); }`},
		"memory that another thread frees": {"violates", `int *p, *q;
void *f(void *a) { free(p); q = malloc(4); return 0; }
int main(void) { pthread_t h; p = malloc(4); if (!p) return 0; pthread_create(&h, 0, f, 0);
	pthread_join(h, 0); if (q && p == q) reach_error(); }`},
		"memory that two threads allocate": {"conforms", `int *q, *r;
void *f(void *a) { q = malloc(4); return 0; }
int main(void) { pthread_t h; int *p = malloc(4); if (!p) return 0; free(p); pthread_create(&h, 0, f, 0);
	r = malloc(4); pthread_join(h, 0); if (r && q == r) reach_error(); }`},
		"a weak exchange": {"violates", `int x;
void *f(void *a) { int e = 0; __atomic_compare_exchange_n(&x, &e, 1, 1, 5, 0); return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, f, 0); pthread_join(h, 0); if (!x) reach_error(); }`},
	} {
		t.Run(name, func(t *testing.T) {
			question := claim(t, head+c.text)
			cert := certified(t, question, Options{})
			require.NotNil(t, cert)
			require.Equal(t, c.verdict, cert.Verdict)
			require.False(t, refuses(t, question, Options{}, cert))
		})
	}
}

// TestHandlesThatAreLookedAt: however a program looks at handles, that of a joined thread may come again.
func TestHandlesThatAreLookedAt(t *testing.T) {
	const head = `#include <pthread.h>
#include <string.h>
extern void reach_error(void);
void *f(void *p) { return 0; }
static int same(unsigned long a, unsigned long b) { return a == b; }
static unsigned long number(pthread_t a) { return a; }
union both { pthread_t t; unsigned long n; };
struct thread { pthread_t id; };
typedef pthread_t name;
`
	for i, c := range []struct{ declares, first, second, equal string }{
		{"pthread_t h, k;", "h", "k", "h - k == 0"},
		{"name h, k;", "h", "k", "h == k"},
		{"unsigned long h, k;", "h", "k", "h == k"},
		{"pthread_t h, k;", "h", "k", "same(h, k)"},
		{"pthread_t h, k;", "h", "k", "number(h) == number(k)"},
		{"pthread_t h, k;", "h", "k", "!memcmp(&h, &k, sizeof h)"},
		{"struct thread h, k;", "h.id", "k.id", "!memcmp(&h, &k, sizeof h)"},
		{"union both h, k;", "h.t", "k.t", "h.n == k.n"},
		{"pthread_t h, k; unsigned long a[2];", "h", "k", "(a[0] = h) == (a[1] = k)"},
		{"pthread_t h, k;", "h", "k", "({ unsigned long a[2] = {h, k}; a[0] == a[1]; })"},
	} {
		if sample.LeftOut(i, 3) {
			continue
		}
		text := head + "int main(void) { " + c.declares + " pthread_create(&" + c.first +
			", 0, f, 0); pthread_join(" + c.first +
			", 0);\n\tpthread_create(&" + c.second + ", 0, f, 0); if (" + c.equal + ") reach_error(); pthread_join(" +
			c.second + ", 0); }"
		cert := certified(t, claim(t, text), Options{})
		require.NotNil(t, cert, c.equal)
		require.Equal(t, "violates", cert.Verdict, c.equal)
	}
}

// TestHandlesThatComeAgain: random programs that join threads and create others, and compare handles, against all
// handles that these may have. What is computed with some never conforms, what is computed with none is never violated.
func TestHandlesThatComeAgain(t *testing.T) {
	decided := 0
	for i := range sample.Count(6) {
		a := cfatest.NewAgain(sample.Seed(1)+uint64(i), true)
		for _, number := range append(slices.Clone(a.Fitting), a.Other()) {
			text, wrong := a.Claim(number), verdict.Conforms
			if number == a.Other() {
				wrong = verdict.Violates
			}
			s, err := New(t.Context(), claim(t, text), Options{})
			require.NoError(t, err, text)
			require.NotNil(t, s, text)
			for s.Next() != cegar.Finished {
				s.Step(t.Context())
			}
			require.NotEqual(t, wrong, s.outcome.Verdict, text)
			if s.outcome.Verdict != verdict.Unknown {
				decided++
			}
			s.Close()
		}
	}
	t.Logf("%d decided", decided)
	if !sample.Whole() {
		return
	}
	require.Positive(t, decided)
}
