package threaded

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/engine/threads"
	"magus/evidence/verdict"
)

// TestFailures: what may fail is tried both ways, and what may not fail does not.
func TestFailures(t *testing.T) {
	const head = "#include <pthread.h>\n#include <threads.h>\n#include <semaphore.h>\n" +
		"#include <stdatomic.h>\n#include <errno.h>\n#include <stdlib.h>\n" +
		"extern void reach_error(void); pthread_t h; thrd_t c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; " +
		"pthread_cond_t w; sem_t s; atomic_int x; mtx_t l; struct timespec end; int e;\n" +
		"void *f(void *a) { x = 1; return 0; } int g(void *a) { return 0; } void *locks(void *a) { " +
		"pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; } void *posts(void *a) { sem_post(&s); return 0; }\n"
	for name, may := range map[string]bool{
		"if (pthread_create(&h, 0, f, 0)) " +
			"reach_error();": true,
		"int r = pthread_create(&h, 0, f, 0); " +
			"if (r != 0 && r != EAGAIN) reach_error();": false,
		"if (pthread_create(&h, 0, f, 0)) { if (x) reach_error(); return 0; } pthread_join(h, 0); " +
			"if (!x) reach_error();": false,
		"if (pthread_create(&h, 0, f, 0) && !x) " +
			"reach_error();": true,
		"pthread_create(&h, 0, f, 0); pthread_join(h, 0); " +
			"if (!x) reach_error();": false,
		"if (thrd_create(&c, g, 0) == thrd_nomem) " +
			"reach_error();": true,
		"if (thrd_create(&c, g, 0) == thrd_error) " +
			"reach_error();": true,
		"int r = thrd_create(&c, g, 0); if (r != thrd_success && r != thrd_error && r != thrd_nomem) " +
			"reach_error();": false,
		"pthread_create(&h, 0, locks, 0); " +
			"if (pthread_mutex_trylock(&m) == EBUSY) reach_error();": true,
		"pthread_create(&h, 0, f, 0); " +
			"if (pthread_mutex_trylock(&m)) reach_error();": false,
		"pthread_create(&h, 0, locks, 0); if (pthread_mutex_timedlock(&m, &end) == ETIMEDOUT) " +
			"reach_error();": true,
		"sem_init(&s, 0, 0); pthread_create(&h, 0, posts, 0); " +
			"if (sem_trywait(&s)) reach_error();": true,
		"sem_init(&s, 0, 1); pthread_create(&h, 0, posts, 0); " +
			"if (sem_trywait(&s)) reach_error();": false,
		"sem_init(&s, 0, 0); pthread_create(&h, 0, posts, 0); " +
			"if (sem_timedwait(&s, &end)) reach_error();": true,
		"pthread_create(&h, 0, f, 0); pthread_mutex_lock(&m); " +
			"if (pthread_cond_timedwait(&w, &m, &end) == ETIMEDOUT) reach_error();": true,
		"if (mtx_init(&l, mtx_plain)) return 0; pthread_create(&h, 0, f, 0); " +
			"if (mtx_trylock(&l) == thrd_busy) reach_error();": true,
		"pthread_create(&h, 0, locks, 0); if (!atomic_compare_exchange_weak(&x, &e, 1)) " +
			"reach_error();": true,
		"pthread_create(&h, 0, locks, 0); if (!atomic_compare_exchange_strong(&x, &e, 1)) " +
			"reach_error();": false,
	} {
		want := map[bool]verdict.Verdict{true: verdict.Violates, false: verdict.Conforms}[may]
		got, _ := verdictUnder(t, claim(t, head+"int main(void) { "+name+" return 0; }"), cfa.SC)
		require.Equal(t, want, got, name)
	}
}

// TestFailingCreationsInLoops: an error that lies behind the second round of loops that create threads is looked for
// before others take their time.
func TestFailingCreationsInLoops(t *testing.T) {
	loop := "for (int i = 0; i < n; i++) if (pthread_create(&h[i], 0, %s, 0)) exit(1);"
	text := "#include <pthread.h>\n#include <stdlib.h>\nextern void reach_error(void); " +
		"extern int __VERIFIER_nondet_int(void); int a, b, k;\n" +
		"void *sets(void *p) { a = 1; b = -1; return 0; }\nvoid *checks(void *p) { " +
		"if (a == 1 && b != -1 && k == 123456) reach_error(); return 0; }\n" +
		"int main(void) { pthread_t h[9]; k = __VERIFIER_nondet_int(); int n = __VERIFIER_nondet_int(); " +
		fmt.Sprintf(loop, "sets") + fmt.Sprintf(loop, "checks") + " return 0; }"
	got, s := verdictUnder(t, claim(t, text), cfa.SC)
	require.Equal(t, verdict.Violates, got)
	for _, share := range s.outcome.Methods {
		require.Equal(t, share.Method == threads.SearchMethod, share.Shares > 0, share)
	}
}

// TestChosenTwice: behind a branch on what was chosen before, what that made different is known, so a loop
// with that many rounds unrolls fully.
func TestChosenTwice(t *testing.T) {
	text := "#include <pthread.h>\nextern void reach_error(void); extern int __VERIFIER_nondet_int(void); int a;\n" +
		"void *f(void *p) { a = 1; return 0; }\nint main(void) { pthread_t h; pthread_create(&h, 0, f, 0);\n" +
		"int c = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), n; if (c) n = 3; else n = m; " +
		"if (c) for (int i = 0; i < n; i++) if (a > 1) reach_error(); return 0; }"
	_, s := verdictUnder(t, claim(t, text), cfa.SC)
	search := threads.New(s.auto, threads.Options{Unwind: 1})
	out, done := search.Done()
	for ; !done; out, done = search.Done() {
		_, err := search.Step(context.Background())
		require.NoError(t, err)
	}
	require.Equal(t, threads.Safe, out.Answer)
}
