package threaded

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/cfatest"
	"magus/engine/cegar"
	"magus/engine/portfolio"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// said is the verdict of a session whose search has so much patience at first.
func said(t *testing.T, text string, share portfolio.Effort) (v verdict.Verdict, longer bool) {
	t.Helper()
	s, err := New(context.Background(), claim(t, text), Options{Threads: Threads{Unwind: 2}})
	require.NoError(t, err, text)
	if s == nil {
		return verdict.Unknown, false
	}
	defer s.Close()
	s.share = share
	for s.Next() != cegar.Finished {
		s.Step(context.Background())
	}
	return s.outcome.Verdict, s.share > share
}

// TestPreemption: steps of the search that are ended again and again, with runs and another search between
// them, come to the verdict of those that are not.
func TestPreemption(t *testing.T) {
	put, verdicts := 0, map[verdict.Verdict]int{}
	for seed := range uint64(sample.Count(24)) {
		text := cfatest.Threads(seed, false)
		want, _ := said(t, text, firstShare)
		got, longer := said(t, text, 1)
		require.Equal(t, want, got, "seed %d\n%s", seed, text)
		if verdicts[got]++; longer {
			put++
		}
	}
	t.Log(put, verdicts)
	if !sample.Whole() {
		return
	}
	require.Greater(t, put, 5)
	require.Positive(t, verdicts[verdict.Conforms])
	require.Positive(t, verdicts[verdict.Violates])
}

// TestRunsAreMadeMeanwhile: an error that random runs come to is not kept from them by a question that takes long.
func TestRunsAreMadeMeanwhile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const text = `#include <pthread.h>
extern void reach_error(void);
int x, y;
void *f(void *p) { for (int i = 0; i < 6; i++) { y = y + 1; x = x + y; } return 0; }
void *g(void *p) {
	for (int i = 0; i < 6; i++) { y = y + 2; x = x - y; }
	for (int i = 0; i < 6; i++) { y = y * 2; x = x / 3; if (y >= 9) y = 1; if (x == 0) x = 9; }
	for (int i = 0; i < 6; i++) { y = y / 3; if (y == 0) y = 9; }
	return 0;
}
int main(void) {
	pthread_t t, u;
	pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);
	pthread_join(t, 0); pthread_join(u, 0);
	if (x + y < 0) reach_error();
}`
	s, err := New(context.Background(), claim(t, text), Options{})
	require.NoError(t, err)
	defer s.Close()
	for s.Next() != cegar.Finished {
		s.Step(context.Background())
	}
	require.Equal(t, verdict.Violates, s.outcome.Verdict)
	require.LessOrEqual(t, s.share, portfolio.Effort(16*firstShare), "some of the first runs find it")
}
