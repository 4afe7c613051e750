package threaded

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/cfatest"
	"magus/engine/threads"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// TestProbes: what runs find in random programs, the search does not call safe, and the checker of
// certificates executes it.
func TestProbes(t *testing.T) {
	found, missed := 0, 0
	for seed := first(); seed < first()+3*uint64(programs()); seed++ {
		c := claim(t, cfatest.Threads(seed, false))
		s, err := New(context.Background(), c, Options{})
		if err != nil || s == nil || s.outcome != nil {
			continue
		}
		out, err := threads.Run(context.Background(), s.auto, threads.Options{Unwind: 3})
		require.NoError(t, err)
		require.NoError(t, s.probe(context.Background(), threads.Event{Stats: threads.Stats{Events: leastEvents}}))
		if s.found == nil {
			if out.Answer == threads.Unsafe {
				missed++
			}
			s.Close()
			continue
		}
		found++
		s.conclude(t.Context())
		require.NotEqual(t, threads.Safe, out.Answer, "seed %d", seed)
		require.Equal(t, verdict.Violates, s.outcome.Verdict)
		cert, err := s.Certificate(context.Background())
		require.NoError(t, err)
		require.False(t, refuses(t, c, Options{}, cert), "seed %d", seed)
		s.Close()
	}
	t.Logf("%d errors found, %d missed", found, missed)
	if !sample.Whole() {
		return
	}
	require.Greater(t, found, missed)
}

// TestLastOfFifty: an error that asks for fifty threads, of which one comes last.
func TestLastOfFifty(t *testing.T) {
	c := claim(t, `#include <pthread.h>
extern void reach_error(void);
int x;
void *first(void *p) { if (x == 50) reach_error(); return 0; }
void *count(void *p) { int t = x; x = t + 1; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, first, 0);
	for (int i = 0; i < 50; i++) pthread_create(&t, 0, count, 0);
	return 0;
}`)
	cert := certified(t, c, Options{})
	require.NotNil(t, cert)
	require.Equal(t, "violates", cert.Verdict)
	require.False(t, refuses(t, c, Options{}, cert))
}

// TestByteOfThreads: an error that asks for as many threads as a byte counts, and one at a time suffices. Runs find it
// once they have the most threads.
func TestByteOfThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("makes an automaton of seventy threads; TestLastOfFifty has one of fifty")
	}
	c := claim(t, `#include <pthread.h>
extern void reach_error(void); extern int nondet(void);
struct { unsigned x : 6; } s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *count(void *p) { pthread_mutex_lock(&m); s.x++; if (!s.x) reach_error(); pthread_mutex_unlock(&m); return 0; }
int main(void) {
	pthread_t t;
	while (nondet()) pthread_create(&t, 0, count, 0);
	return 0;
}`)
	s, err := New(context.Background(), c, Options{})
	require.NoError(t, err)
	defer s.Close()
	for !s.creates {
		s.Step(context.Background())
	}
	for share := 2; s.found == nil && share <= 5; share++ {
		require.NoError(t, s.probe(context.Background(), threads.Event{Stats: threads.Stats{Events: leastEvents}}))
		require.True(t, s.found == nil || share > widens, "there are too few threads")
	}
	require.NotNil(t, s.found)
	s.conclude(context.Background())
	require.Equal(t, verdict.Violates, s.outcome.Verdict)
	cert, err := s.Certificate(context.Background())
	require.NoError(t, err)
	require.False(t, refuses(t, c, Options{}, cert))
}
