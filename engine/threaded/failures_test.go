package threaded

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/evidence/verdict"
)

// TestFailures: what may fail is tried both ways, and what may not fail does not.
func TestFailures(t *testing.T) {
	const head = "#include <pthread.h>\n#include <threads.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <errno.h>\n#include <stdlib.h>\n" +
		"extern void reach_error(void); pthread_t h; thrd_t c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t w; sem_t s; atomic_int x; mtx_t l; struct timespec end; int e;\n" +
		"void *f(void *a) { x = 1; return 0; } int g(void *a) { return 0; } void *locks(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; } void *posts(void *a) { sem_post(&s); return 0; }\n"
	for name, may := range map[string]bool{
		"if (pthread_create(&h, 0, f, 0)) reach_error();":                                                                            true,
		"int r = pthread_create(&h, 0, f, 0); if (r != 0 && r != EAGAIN) reach_error();":                                             false,
		"if (pthread_create(&h, 0, f, 0)) { if (x) reach_error(); return 0; } pthread_join(h, 0); if (!x) reach_error();":            false,
		"if (pthread_create(&h, 0, f, 0) && !x) reach_error();":                                                                      true,
		"pthread_create(&h, 0, f, 0); pthread_join(h, 0); if (!x) reach_error();":                                                    false,
		"if (thrd_create(&c, g, 0) == thrd_nomem) reach_error();":                                                                    true,
		"if (thrd_create(&c, g, 0) == thrd_error) reach_error();":                                                                    true,
		"int r = thrd_create(&c, g, 0); if (r != thrd_success && r != thrd_error && r != thrd_nomem) reach_error();":                 false,
		"pthread_create(&h, 0, locks, 0); if (pthread_mutex_trylock(&m) == EBUSY) reach_error();":                                    true,
		"pthread_create(&h, 0, f, 0); if (pthread_mutex_trylock(&m)) reach_error();":                                                 false,
		"pthread_create(&h, 0, locks, 0); if (pthread_mutex_timedlock(&m, &end) == ETIMEDOUT) reach_error();":                        true,
		"sem_init(&s, 0, 0); pthread_create(&h, 0, posts, 0); if (sem_trywait(&s)) reach_error();":                                   true,
		"sem_init(&s, 0, 1); pthread_create(&h, 0, posts, 0); if (sem_trywait(&s)) reach_error();":                                   false,
		"sem_init(&s, 0, 0); pthread_create(&h, 0, posts, 0); if (sem_timedwait(&s, &end)) reach_error();":                           true,
		"pthread_create(&h, 0, f, 0); pthread_mutex_lock(&m); if (pthread_cond_timedwait(&w, &m, &end) == ETIMEDOUT) reach_error();": true,
		"if (mtx_init(&l, mtx_plain)) return 0; pthread_create(&h, 0, f, 0); if (mtx_trylock(&l) == thrd_busy) reach_error();":       true,
		"pthread_create(&h, 0, locks, 0); if (!atomic_compare_exchange_weak(&x, &e, 1)) reach_error();":                              true,
		"pthread_create(&h, 0, locks, 0); if (!atomic_compare_exchange_strong(&x, &e, 1)) reach_error();":                            false,
	} {
		want := map[bool]verdict.Verdict{true: verdict.Violates, false: verdict.Conforms}[may]
		got, _ := verdictUnder(t, claim(t, head+"int main(void) { "+name+" return 0; }"), cfa.SC)
		require.Equal(t, want, got, name)
	}
}
