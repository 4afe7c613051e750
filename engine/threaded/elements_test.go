package threaded

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/evidence/verdict"
)

// Where an error depends on an access by a pointer that is calculated as a number, and so may be to any of
// many places, these are told apart, as the elements of arrays are.
func TestManyPlaces(t *testing.T) {
	const text = `#include <pthread.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int a[20], b[20]; pthread_t t, u; pthread_mutex_t m; int done;
void *f(void *p)
{
	pthread_mutex_lock(&m);
	for (int i = 0; i < 20; i++) {
		unsigned long at = (unsigned long)a + 4ul * i;
		int v = __VERIFIER_nondet_int();
		*(int *)at = v;
		at = (unsigned long)b + 4ul * i;
		*(int *)at = v;
	}
	done = 1;
	pthread_mutex_unlock(&m);
	return 0;
}
void *g(void *p)
{
	pthread_mutex_lock(&m);
	if (done)
		for (int i = 0; i < 20; i++) {
			unsigned long at = (unsigned long)a + 4ul * i, to = (unsigned long)b + 4ul * i;
			if (*(int *)at != *(int *)to)
				reach_error();
		}
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); return 0; }
`
	out := decided(t, text, Options{})
	require.Equal(t, verdict.Conforms, out.Verdict, out.Reason)
}

// A lock in memory whose size a local variable says is one that is modelled.
func TestLockOfCalculatedSize(t *testing.T) {
	const text = `#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
pthread_mutex_t *m; int x; pthread_t t;
void *f(void *p)
{
	pthread_mutex_lock(m);
	if (x == %d)
		reach_error();
	pthread_mutex_unlock(m);
	return 0;
}
int main(void)
{
	unsigned long size;
	size = sizeof(pthread_mutex_t);
	m = malloc(size);
	pthread_mutex_init(m, 0);
	pthread_create(&t, 0, f, 0);
	pthread_mutex_lock(m);
	x = 1;
	x = 2;
	pthread_mutex_unlock(m);
	return 0;
}
`
	require.Equal(t, verdict.Conforms, decided(t, fmt.Sprintf(text, 1), Options{}).Verdict)
	require.Equal(t, verdict.Violates, decided(t, fmt.Sprintf(text, 2), Options{}).Verdict)
}

// TestRunsShowNoModels: a run shows what the program has, and nothing of the library's models, whose
// variables begin as well.
func TestRunsShowNoModels(t *testing.T) {
	for name, text := range map[string]string{
		"keys": `#include <pthread.h>
extern void reach_error(void);
pthread_key_t k; int x; pthread_t t;
void d(void *p) { if (x == 1) reach_error(); }
void *f(void *p) { x = 1; pthread_setspecific(k, p); return 0; }
int main(void) { pthread_key_create(&k, d); pthread_create(&t, 0, f, &x); pthread_join(t, 0); return 0; }`,
		"the end of the process": `#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
int x; pthread_t t;
void d(void) { if (x == 1) reach_error(); }
void *f(void *p) { x = 1; return 0; }
int main(void) { atexit(d); pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }`,
	} {
		out := decided(t, text, Options{})
		require.Equal(t, verdict.Violates, out.Verdict, name)
		shown := map[string]bool{}
		for _, st := range out.Run.Steps {
			require.False(t, isModel(st.Pos), "%s: %v %s", name, st.Pos, st.Text)
			for _, v := range st.Values {
				require.NotContains(t, v.Name, "libc_", name)
				shown[v.Name] = true
			}
		}
		require.True(t, shown["x"], name)
	}
}

// TestPointersToOwnVariables: where a pointer may lead to a thread-local variable, it is told that it is not
// used when the thread has ended.
func TestPointersToOwnVariables(t *testing.T) {
	for text, told := range map[string]bool{"x = own;": false, "q = &own;": true} {
		out := decided(t, badHead+"_Thread_local int own; int *q;\n"+within(text), Options{})
		require.Equal(t, verdict.Conforms, out.Verdict)
		require.Equal(t, told, slices.ContainsFunc(out.Assumptions, func(w cfa.Warning) bool {
			return w.Text == "pointers to own are not used when the thread has ended whose it is"
		}), text)
	}
}
