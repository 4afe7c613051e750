package threaded

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/cfatest"
	"magus/cfa/source"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/harness"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/internal/sample"
)

// inputs are those of a program's violation; nil if it has none.
func inputs(t *testing.T, c *component.Claim) *witness.Inputs {
	t.Helper()
	s, err := New(context.Background(), c, Options{Threads: Threads{Unwind: 3}})
	require.NoError(t, err)
	if s == nil {
		return nil
	}
	defer s.Close()
	for s.Next() != cegar.Finished {
		s.Step(context.Background())
	}
	if s.outcome.Verdict != verdict.Violates {
		require.Nil(t, s.Inputs())
		return nil
	}
	return s.Inputs()
}

// compiled compiles the program that replays a violation.
func compiled(t *testing.T, text string, in *witness.Inputs) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "h.c")
	require.NoError(t, os.WriteFile(file, harness.Write(in, []source.Source{{Name: "a.c", Text: []byte(text)}},
		harness.Settings{}), 0o666))
	out, err := exec.Command("gcc", "-w", "-fsanitize=thread", "-c", "-o", filepath.Join(dir, "h.o"),
		file).CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, text)
	out, err = exec.Command("gcc", "-pthread", "-o", filepath.Join(dir, "h"), filepath.Join(dir, "h.o")).CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, text)
	return filepath.Join(dir, "h")
}

// runs is the exit status of a program, and what it prints.
func runs(t *testing.T, exe string) (int, string) {
	t.Helper()
	out, err := exec.Command(exe).Output()
	var exit *exec.ExitError
	require.True(t, err == nil || errors.As(err, &exit), "%v", err)
	if exit == nil {
		return 0, string(out)
	}
	return exit.ExitCode(), string(out)
}

const scheduled = `#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
`

// schedules are programs whose error asks for one order of the threads.
var schedules = map[string]string{
	"between the halves of a statement": `int x;
void *count(void *p) { x = x + 1; return 0; }
int main(void) {
	pthread_t t, u;
	pthread_create(&t, 0, count, 0);
	pthread_create(&u, 0, count, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	if (x != 2) reach_error();
	return 0;
}`,
	"values of each thread": `int x, n, a[4];
struct { int p, q; } s;
void *f(void *v) { int k = __VERIFIER_nondet_int(); if (k > 3) x = k; a[k & 3] = 1; s.q = 2; return 0; }
int main(void) {
	pthread_t t;
	n = __VERIFIER_nondet_int();
	pthread_create(&t, 0, f, 0);
	int i = n;
	if (x == 7 && n == 9 && a[i & 3] == 0 && s.q == 0) reach_error();
	return 0;
}`,
	"a destructor of a key": `int x;
pthread_key_t k;
void d(void *p) { x = x + 1; if (pthread_getspecific(k)) x = 5; }
void *f(void *p) { pthread_setspecific(k, p); return 0; }
int main(void) {
	pthread_t t, u;
	pthread_key_create(&k, d);
	pthread_create(&t, 0, f, &x);
	pthread_create(&u, 0, f, &x);
	pthread_join(t, 0);
	pthread_join(u, 0);
	if (x == 1) reach_error();
	return 0;
}`,
	"locks in an order": `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int last, first;
void *f(void *p) {
	pthread_mutex_lock(&m);
	last = (int)(long)p;
	if (!first) first = last;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void) {
	pthread_t t, u, v;
	pthread_create(&t, 0, f, (void *)1);
	pthread_create(&u, 0, f, (void *)2);
	pthread_create(&v, 0, f, (void *)3);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(v, 0);
	if (first == 3 && last == 1) reach_error();
	return 0;
}`,
	"before a thread does more": `int x;
void *f(void *p) { x = 1; x = 2; x = 3; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	if (x == 1 && x == 2) reach_error();
	return 0;
}`,
	"memory that threads allocate": `#include <stdlib.h>
struct node { int value; struct node *next; } *top;
void *push(void *v) {
	struct node *n = calloc(1, sizeof *n);
	if (!n) return 0;
	n->value = (int)(long)v;
	n->next = top;
	top = n;
	return 0;
}
int main(void) {
	pthread_t t, u;
	struct node *first = malloc(sizeof *first);
	if (!first) return 0;
	first->value = 7;
	first->next = 0;
	top = first;
	pthread_create(&t, 0, push, (void *)1);
	pthread_create(&u, 0, push, (void *)2);
	pthread_join(t, 0);
	pthread_join(u, 0);
	if (top->value == 1 && top->next == first && first->value == 7) reach_error();
	return 0;
}`,
	"memory that is not there": `#include <stdlib.h>
int *p;
void *f(void *q) { p = malloc(4); return 0; }
int main(void) { pthread_t t; p = (int *)1; pthread_create(&t, 0, f, 0); if (!p) reach_error(); return 0; }`,
	"local variables by their addresses": `struct s { int a, b; };
void *f(void *p) { struct s *q = p; q->a = q->a + 1; q->b = 2; return 0; }
void *g(void *p) {
	pthread_t t; char *text = ";", z1; int own = 3, *o = &own, z[2] = {1, 2}; /* ; */
	pthread_create(&t, 0, f, z);
	own = own + z[0];
	*o = own + 1;
	pthread_join(t, 0);
	if (z[0] == 2 && own == 5) reach_error();
	return 0;
}
int main(void) {
	pthread_t t;
	struct s x = {0, 1};
	pthread_create(&t, 0, f, &x);
	x.a = x.a + 1;
	pthread_join(t, 0);
	if (x.a == 1) g(0);
	return 0;
}`,
	"a local variable of each call": `int all;
void *f(void *p) { *(int *)p = *(int *)p + 1; return 0; }
void g(int n) {
	pthread_t t;
	int x = n;
	pthread_create(&t, 0, f, &x);
	x = x + 2;
	pthread_join(t, 0);
	all = all * 10 + x;
}
int main(void) { g(1); g(3); if (all == 36) reach_error(); return 0; }`,
	"a local variable of each thread": `int sum;
void *f(void *p) { *(int *)p = *(int *)p + 1; return 0; }
void *g(void *p) {
	pthread_t t;
	int x = 0;
	pthread_create(&t, 0, f, &x);
	x = x + 2;
	pthread_join(t, 0);
	sum = sum + x;
	return 0;
}
int main(void) {
	pthread_t t, u;
	pthread_create(&t, 0, g, 0);
	pthread_create(&u, 0, g, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	if (sum == 1) reach_error();
	return 0;
}`,
	"a local variable in a loop, and one that is not initialised": `int all;
void *f(void *p) { *(int *)p = *(int *)p + 1; return 0; }
int main(void) {
	for (int i = 0; i < 2; i++) {
		pthread_t t;
		int x;
		x = i;
		pthread_create(&t, 0, f, &x);
		x = x + 2;
		pthread_join(t, 0);
		all = all * 10 + x;
	}
	if (all == 14) reach_error();
	return 0;
}`,
	"where a local variable was": `int *at;
void *f(void *p) { *(int *)p = *(int *)p + 1; return 0; }
void one(void) { pthread_t t; int x = 0; pthread_create(&t, 0, f, &x); x = x + 2; pthread_join(t, 0); if (x == 3) at = 0; }
void two(void) { int y = 0, z = 5; int *p = &y, *q = &z; *p = 4; *q = *p; if (y == 4 && z == 4 && at) reach_error(); }
int main(void) { int k; at = &k; one(); two(); return 0; }`,
	"a static variable of a function": `int *p;
void *f(void *v) { static int x = 1; int y = x; x = y + 1; return (void *)(long)x; }
int main(void) {
	pthread_t t, u;
	void *r, *s;
	pthread_create(&t, 0, f, 0);
	pthread_create(&u, 0, f, 0);
	pthread_join(t, &r);
	pthread_join(u, &s);
	if (r == (void *)2 && s == (void *)2) reach_error();
	return 0;
}`,
	"threads of threads": `int x;
void *g(void *p) { x = x * 2; return 0; }
void *f(void *p) { pthread_t t; pthread_create(&t, 0, g, 0); x = x + 3; return 0; }
int main(void) {
	pthread_t t;
	x = 1;
	pthread_create(&t, 0, f, 0);
	if (x == 5) reach_error();
	return 0;
}`,
}

// TestSchedulesAreForced: the compiled program does the violation, each time that it runs.
func TestSchedulesAreForced(t *testing.T) {
	sample.Long(t)
	needGCC(t)
	for name, text := range schedules {
		t.Run(name, func(t *testing.T) {
			sample.Part(t, 3)
			text := scheduled + text
			in := inputs(t, claim(t, text))
			require.NotNil(t, in)
			require.Empty(t, in.Refused)
			exe := compiled(t, text, in)
			for range sample.Count(3) {
				status, out := runs(t, exe)
				require.Equal(t, 1, status, out)
			}
		})
	}
}

// blockings are programs with a deadlock or a data race.
var blockings = map[string]struct {
	question component.Question
	text     string
	says     string
}{
	"locks in two orders": {component.NoDeadlock,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0; }
void *g(void *p) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }`, "main waits in pthread_join\n"},
	"a lock of the only thread": {component.NoDeadlock, `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }`, "main waits in pthread_mutex_lock\n"},
	"a lock that a thread keeps in one order": {component.NoDeadlock, `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *p) { pthread_mutex_lock(&m); if (x == 1) return 0; x = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
	pthread_t t, u;
	pthread_create(&t, 0, f, 0);
	pthread_create(&u, 0, f, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_mutex_lock(&m);
	return 0;
}`, "main waits in pthread_mutex_lock\n"},
	"a semaphore and a condition": {component.NoDeadlock, `#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; sem_t s; int x;
void *f(void *p) { pthread_mutex_lock(&m); if (!x) pthread_cond_wait(&c, &m); if (x == 2) sem_wait(&s); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m); pthread_exit(0); }`, "waits in sem_wait\n"},
	"a thread that ends itself with a lock": {component.NoDeadlock,
		`pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_spinlock_t s;
void *f(void *p) { pthread_rwlock_rdlock(&l); if (pthread_spin_trylock(&s)) pthread_exit(0); pthread_spin_unlock(&s); pthread_rwlock_unlock(&l); return 0; }
int main(void) { pthread_t t; pthread_spin_init(&s, 0); pthread_create(&t, 0, f, 0); pthread_spin_lock(&s); pthread_rwlock_wrlock(&l); return 0; }`, "main waits in pthread_rwlock_wrlock\n"},
	"a signal that nobody sends": {component.NoDeadlock,
		synchronised["a buffer with two conditions"].faulty(), "waits in pthread_cond_wait\n"},
	"a signal instead of a broadcast": {component.NoDeadlock,
		`pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int go;
void *f(void *p) { pthread_mutex_lock(&m); while (!go) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
int main(void) {
	pthread_t t, u;
	pthread_create(&t, 0, f, 0);
	pthread_create(&u, 0, f, 0);
	pthread_mutex_lock(&m);
	go = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}`, "waits in pthread_cond_wait\n"},
	"a signal that comes too early": {component.NoDeadlock, `static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *w(void *u) { pthread_mutex_lock(&m); while (!__atomic_load_n(&ready, 5)) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return u; }
int main(void) { pthread_t a; pthread_create(&a, 0, w, 0); __atomic_store_n(&ready, 1, 5); pthread_cond_signal(&c); pthread_join(a, 0); return 0; }
`, "waits in pthread_cond_wait\n"},
	"two writes": {component.NoRace, `int x, y;
void *f(void *p) { if (__atomic_load_n(&y, 5) == 0) x = 1; return 0; }
int main(void) { pthread_t t; y = 1; pthread_create(&t, 0, f, 0); __atomic_store_n(&y, 0, 5); x = 2; return 0; }`,
		"main writes x next\n"},
	"a lock that is given back too early": {component.NoRace, `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, turn;
void *f(void *p) { pthread_mutex_lock(&m); int mine = turn++; pthread_mutex_unlock(&m); if (mine == 1) x = x + 1; else { pthread_mutex_lock(&m); x = x + 2; pthread_mutex_unlock(&m); } return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, 0); pthread_join(u, 0); return x; }`, " x next\n"},
	"an operation against an access": {component.NoRace, `int x;
void *f(void *p) { int y = 0; __atomic_fetch_add(&x, 1, 5); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; return 0; }`, "main writes x next\n"},
	"local variables": {component.NoRace, `void *f(void *p) { *(int *)p = 1; return 0; }
int main(void) { int x = 0; pthread_t t; pthread_create(&t, 0, f, &x); return x; }`, "main reads x next\n"},
}

// TestDeadlocksAndRacesAreForced: the compiled program comes to where no thread goes on, or two threads are
// before their accesses, each time that it runs.
func TestDeadlocksAndRacesAreForced(t *testing.T) {
	sample.Long(t)
	needGCC(t)
	for name, c := range blockings {
		t.Run(name, func(t *testing.T) {
			sample.Part(t, 3)
			text := scheduled + c.text
			claim := *claim(t, text)
			claim.Question = c.question
			in := inputs(t, &claim)
			require.NotNil(t, in)
			require.Empty(t, in.Refused)
			exe := compiled(t, text, in)
			for range sample.Count(3) {
				status, out := runs(t, exe)
				require.Equal(t, 1, status, out)
				require.Contains(t, out, c.says)
				require.Contains(t, out, map[component.Question]string{component.NoDeadlock: "deadlock\nperformed\n",
					component.NoRace: "race\nperformed\n"}[c.question])
			}
		})
	}
}

// TestRandomDeadlocksAndRaces: deadlocks and data races of random programs happen when they are compiled, or
// it is said why they do not.
func TestRandomDeadlocksAndRaces(t *testing.T) {
	needGCC(t)
	performed, others, refused := map[component.Question]int{}, 0, 0
	for seed := first(); seed < first()+uint64(programs()); seed++ {
		text := cfatest.Lockers(seed)
		for _, question := range []component.Question{component.NoDeadlock, component.NoRace} {
			c := *claim(t, text)
			c.Question = question
			in := inputs(t, &c)
			if in == nil {
				continue
			}
			if in.Refused != "" {
				refused++
				continue
			}
			status, out := runs(t, compiled(t, text, in))
			require.Contains(t, []int{1, 2, 3}, status, "seed %d: %s\n%s", seed, out, text)
			if status == 1 {
				performed[question]++
			} else {
				t.Logf("seed %d: %s\n%s", seed, out, text)
				others++
			}
		}
	}
	t.Logf("%v performed, %d not, %d refused", performed, others, refused)
	if !sample.Whole() {
		return
	}
	require.Positive(t, performed[component.NoDeadlock])
	require.Greater(t, performed[component.NoRace], 9*others)
}

// TestRandomSchedules: violations of random programs happen when they are compiled, or it is said why they do not.
func TestRandomSchedules(t *testing.T) {
	needGCC(t)
	performed, others, refused := 0, 0, 0
	for seed := first(); seed < first()+uint64(programs()); seed++ {
		// A compiler reads x once in x == x, unless it is volatile.
		text := cfatest.Threads(seed, false)
		if seed%2 == 0 {
			text, _ = cfatest.Synchronised(seed, false)
		}
		text = strings.Replace(text, "int x, y, a[2];", "volatile int x, y, a[2];", 1)
		in := inputs(t, claim(t, text))
		if in == nil {
			continue
		}
		if in.Refused != "" {
			refused++
			continue
		}
		status, out := runs(t, compiled(t, text, in))
		require.Contains(t, []int{1, 2, 3}, status, "seed %d: %s\n%s", seed, out, text)
		if status == 1 {
			performed++
		} else {
			t.Logf("seed %d: %s", seed, out)
			others++
		}
	}
	t.Logf("%d performed, %d not, %d refused", performed, others, refused)
	if !sample.Whole() {
		return
	}
	require.Greater(t, performed, 9*others)
}

// TestNoSchedule: what a compiled program cannot be made to do is refused, with the reason.
func TestNoSchedule(t *testing.T) {
	for text, why := range map[string]string{
		`#include <stdlib.h>
int *p;
void *f(void *q) { *p = 1; return 0; }
int main(void) { pthread_t t; p = realloc(0, 4); *p = 0; pthread_create(&t, 0, f, 0); if (*p) reach_error(); return 0; }`: "which has no name in the whole file",
	} {
		in := inputs(t, claim(t, scheduled+text))
		require.NotNil(t, in, text)
		require.Contains(t, in.Refused, why)
	}
	for why, c := range map[string]struct {
		question component.Question
		text     string
	}{
		"what pthread_barrier_wait waits for cannot be forced": {component.NoDeadlock, `pthread_barrier_t b;
void *f(void *p) { return 0; }
int main(void) { pthread_barrier_init(&b, 0, 2); pthread_t t; pthread_create(&t, 0, f, 0); pthread_barrier_wait(&b); return 0; }`},
		"the library makes one of the accesses": {component.NoRace, `#include <string.h>
char x[4];
void *f(void *p) { strcpy(x, "ab"); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x[1] = 2; return 0; }`},
	} {
		claim := *claim(t, scheduled+c.text)
		claim.Question = c.question
		in := inputs(t, &claim)
		require.NotNil(t, in, why)
		require.Contains(t, in.Refused, why)
	}
}

func needGCC(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
}
