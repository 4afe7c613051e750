package threaded

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// spoilt is a program with a part that a fault replaces.
type spoilt struct{ text, good, bad string }

func (s spoilt) faulty() string { return strings.Replace(s.text, s.good, s.bad, 1) }

// synchronised are programs that never get stuck, and what to replace by what so that they do.
var synchronised = map[string]spoilt{
	"a buffer with two conditions": {`#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t notfull = PTHREAD_COND_INITIALIZER, notempty = PTHREAD_COND_INITIALIZER;
static int count;
static void *producer(void *u) {
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		while (count == 1) pthread_cond_wait(&notfull, &m);
		count++;
		pthread_cond_signal(&notempty);
		pthread_mutex_unlock(&m);
	}
	return u;
}
static void *consumer(void *u) {
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		while (count == 0) pthread_cond_wait(&notempty, &m);
		count--;
		pthread_cond_signal(&notfull);
		pthread_mutex_unlock(&m);
	}
	return u;
}
int main(void) {
	pthread_t p, c;
	pthread_create(&p, 0, producer, 0);
	pthread_create(&c, 0, consumer, 0);
	pthread_join(p, 0);
	pthread_join(c, 0);
	return 0;
}
`,
		`pthread_cond_signal(&notfull);`, ``},
	"a barrier of the library": {`#include <pthread.h>
static pthread_barrier_t b;
static void *w(void *u) { for (int i = 0; i < 2; i++) pthread_barrier_wait(&b); return u; }
int main(void) {
	pthread_t t[3];
	pthread_barrier_init(&b, 0, 3);
	for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
	for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
	return 0;
}
`,
		`&b, 0, 3`, `&b, 0, 2`},
	"a barrier made of a condition": {`#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int there;
static void *w(void *u) {
	pthread_mutex_lock(&m);
	if (++there == 2) pthread_cond_broadcast(&all);
	while (there < 2) pthread_cond_wait(&all, &m);
	pthread_mutex_unlock(&m);
	return u;
}
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, w, 0);
	pthread_create(&b, 0, w, 0);
	pthread_join(a, 0); pthread_join(b, 0);
	return 0;
}
`,
		`there < 2`, `there < 3`},
	"producer and consumer with semaphores": {`#include <pthread.h>
#include <semaphore.h>
static sem_t empty, full; static int slot;
static void *prod(void *u) { for (int i = 0; i < 3; i++) { sem_wait(&empty); slot = i; sem_post(&full); } return u; }
static void *cons(void *u) { for (int i = 0; i < 3; i++) { sem_wait(&full); slot = 0; sem_post(&empty); } return u; }
int main(void) {
	pthread_t p, c;
	sem_init(&empty, 0, 1); sem_init(&full, 0, 0);
	pthread_create(&p, 0, prod, 0); pthread_create(&c, 0, cons, 0);
	pthread_join(p, 0); pthread_join(c, 0);
	return 0;
}
`,
		`slot = 0; sem_post(&empty);`, `slot = 0;`},
	"workers with jobs": {`#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 3;
static void *w(void *u) {
	for (;;) {
		pthread_mutex_lock(&m);
		if (jobs == 0) { pthread_mutex_unlock(&m); return u; }
		jobs--;
		pthread_mutex_unlock(&m);
	}
}
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);
	pthread_join(a, 0); pthread_join(b, 0);
	return 0;
}
`,
		`{ pthread_mutex_unlock(&m); return u; }`, `return u;`},
	"a signal behind the mutex": {`#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *w(void *u) { pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return u; }
int main(void) { pthread_t a; pthread_create(&a, 0, w, 0); pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m); pthread_cond_signal(&c); pthread_join(a, 0); return 0; }
`,
		`while (!ready) pthread_cond_wait(&c, &m);`,
		`if (!__atomic_load_n(&ready, 5)) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); }`},
	"conditions of C11": {`#include <pthread.h>
#include <threads.h>
static mtx_t m; static cnd_t c; static int go;
static int w(void *u) { mtx_lock(&m); while (!go) cnd_wait(&c, &m); mtx_unlock(&m); return 0; }
int main(void) {
	thrd_t a, b;
	mtx_init(&m, mtx_plain); cnd_init(&c);
	thrd_create(&a, w, 0); thrd_create(&b, w, 0);
	mtx_lock(&m); go = 1; cnd_broadcast(&c); mtx_unlock(&m);
	thrd_join(a, 0); thrd_join(b, 0);
	return 0;
}
`,
		`broadcast`, `signal`},
}

// TestSynchronised: programs that synchronise their threads as books say never get stuck, and do with a fault.
func TestSynchronised(t *testing.T) {
	sample.Long(t)
	for name, c := range synchronised {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, c.text, c.good)
			for text, want := range map[string]verdict.Verdict{c.text: verdict.Conforms,
				c.faulty(): verdict.Violates} {
				claim := *claim(t, text)
				claim.Question = component.NoDeadlock
				got, s := verdictUnder(t, &claim, cfa.SC)
				require.Equal(t, want, got, "%v\n%s", s.outcome.Reason, text)
			}
		})
	}
}
