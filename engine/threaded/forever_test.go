package threaded

// Deadlocks of threads in loops without an end.

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// A goesRound program has something in the place of PART.
type goesRound struct{ text, good, bad string }

// forEver are programs whose threads go round for ever: with what is in the place of each name a deadlock or none.
func forEver() map[string]goesRound {
	return map[string]goesRound{
		"two mutexes": {`#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER; int x;
void *f(void *p) { for (;;) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); x++; pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); } return 0; }
void *g(void *p) { for (;;) { PART x++; pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); } return 0; }
` + beginBoth("f", "g"),
			"pthread_mutex_lock(&a); pthread_mutex_lock(&b);", "pthread_mutex_lock(&b); pthread_mutex_lock(&a);"},
		"semaphores": {`#include <pthread.h>
#include <semaphore.h>
sem_t items, slots, m;
void *f(void *p) { for (;;) { sem_wait(&slots); sem_wait(&m); sem_post(&m); sem_post(&items); } return 0; }
void *g(void *p) { for (;;) { PART sem_post(&m); sem_post(&slots); } return 0; }
` + strings.Replace(beginBoth("f", "g"), "{", "{ sem_init(&items, 0, 0); sem_init(&slots, 0, 3); "+
			"sem_init(&m, 0, 1);", 1),
			"sem_wait(&items); sem_wait(&m);", "sem_wait(&m); sem_wait(&items);"},
		"a buffer": {`#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int n, in, buf[100];
void *f(void *p) { for (int i = 0;; i++) { pthread_mutex_lock(&m); while (n == 100) pthread_cond_wait(&c, &m); buf[in] = i; in = (in + 1) % 100; n++; PART pthread_mutex_unlock(&m); } return 0; }
void *g(void *p) { for (;;) { pthread_mutex_lock(&m); while (n == 0) pthread_cond_wait(&c, &m); n--; pthread_cond_signal(&c); pthread_mutex_unlock(&m); } return 0; }
` + beginBoth("f", "g"),
			"pthread_cond_signal(&c);", "if (n == 101) pthread_cond_signal(&c);"},
		"a barrier": {`#include <pthread.h>
pthread_barrier_t b;
void *f(void *p) { for (;;) pthread_barrier_wait(&b); return 0; }
void *g(void *p) { PART pthread_barrier_wait(&b); return 0; }
` + strings.Replace(beginBoth("f", "g"), "{", "{ pthread_barrier_init(&b, 0, 2);", 1),
			"for (;;)", ""},
		"data": {`#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER; unsigned n;
void *f(void *p) { for (;;) { pthread_mutex_lock(&a); PART n++; pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); } return 0; }
void *g(void *p) { for (;;) { pthread_mutex_lock(&a); int bad = n > 3000; pthread_mutex_unlock(&a); if (bad) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); } } return 0; }
` + beginBoth("f", "g"),
			"if (n > 1000) n = 0;", "if (n == 2) n = 3000;"},
	}
}

// TestOneThreadForEver: threads that stand alone, and one whose condition is taken to wake up at any time.
func TestOneThreadForEver(t *testing.T) {
	const head = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n; " +
		"pthread_cond_t c;\nint main(void) { for (;;) { pthread_mutex_lock(&m); "
	for text, want := range map[string]verdict.Verdict{
		"n++; pthread_mutex_unlock(&m); } }":                                   verdict.Conforms,
		"if (n++ == 5) pthread_mutex_lock(&m); pthread_mutex_unlock(&m); } }":  verdict.Violates,
		"if (n == 5) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); } }": verdict.Unknown,
	} {
		c := claim(t, head+text)
		c.Question = component.NoDeadlock
		s, err := New(t.Context(), c, Options{})
		require.NoError(t, err, text)
		for n := 0; s.Outcome() == nil && n < 40; n++ {
			s.Step(t.Context())
		}
		got := verdict.Unknown
		if s.Outcome() != nil {
			got = s.Outcome().Verdict
		}
		require.Equal(t, want, got, text)
		s.Close()
	}
}

// beginBoth is a main procedure that creates two threads and joins them.
func beginBoth(f, g string) string {
	return "int main(void) { pthread_t s, t; pthread_create(&s, 0, " + f + ", 0); pthread_create(&t, 0, " + g +
		", 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }"
}

// TestThreadsForEver: what has no deadlock is proved by the product of who waits for whom, with a certificate
// that shows nothing else, and what has one is not.
func TestThreadsForEver(t *testing.T) {
	sample.Long(t)
	for name, c := range forEver() {
		good := claim(t, strings.ReplaceAll(c.text, "PART", c.good))
		good.Question = component.NoDeadlock
		s, err := New(t.Context(), good, Options{})
		require.NoError(t, err, name)
		for s.Outcome() == nil {
			s.Step(t.Context())
		}
		require.Equal(t, verdict.Conforms, s.Outcome().Verdict, "%s: %v", name, s.Outcome().Reason)
		cert, err := s.Certificate(t.Context())
		require.NoError(t, err, name)
		s.Close()
		require.Equal(t, certificate.Standing, cert.Threads.Whole, name)
		require.False(t, refuses(t, good, Options{}, cert), name)

		bad := claim(t, strings.ReplaceAll(c.text, "PART", c.bad))
		bad.Question = component.NoDeadlock
		require.True(t, refuses(t, bad, Options{}, cert), name)
		of := *good
		of.Question = component.NoError
		require.True(t, refuses(t, &of, Options{}, cert), name)
		product := changed(cert, func(t *certificate.Threads) { t.Whole = certificate.Product })
		require.True(t, refuses(t, good, Options{}, product), name)
		require.Equal(t, verdict.Unknown, standingAlone(t, bad), name)
	}
}

// standingAlone is the verdict of the product of who waits for whom.
func standingAlone(t *testing.T, c *component.Claim) verdict.Verdict {
	s, err := New(t.Context(), c, Options{Threads: Threads{Method: "standing-kinduction"}})
	require.NoError(t, err)
	defer s.Close()
	for n := 0; s.Outcome() == nil && n < 20; n++ {
		s.Step(context.Background())
	}
	if s.Outcome() == nil {
		return verdict.Unknown
	}
	return s.Outcome().Verdict
}
