package interp_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/lower"
)

// TestWaitingInSections: a section that comes to where it waits costs what it has executed, and is tried again only
// when others may see something new, or if it has chosen something. So a run of few statements comes to an error of
// the one thread that goes on beside many that wait, unless these have to be asked again all the time.
func TestWaitingInSections(t *testing.T) {
	for choice, found := range map[string]bool{"0": true, "__VERIFIER_nondet_int() & 0": false} {
		m := interp.New(lowerThreads(t, `#include <pthread.h>
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int x;
void __VERIFIER_assume(int);
void __VERIFIER_atomic_take(void) { int c = `+choice+`; __VERIFIER_assume(x + c > 0); x = 0; }
void *waits(void *p) { __VERIFIER_atomic_take(); return 0; }
int main(void) {
	pthread_t t;
	for (int i = 0; i < 20; i++) pthread_create(&t, 0, waits, 0);
	for (int i = 0; i < 200; i++) ;
	reach_error();
}`, lower.Options{Threads: 30}))
		p := interp.NewProber(m, 1)
		var script *interp.ThreadScript
		n := 0
		for range 3 { // in the third one the main thread comes last
			var err error
			n, script, err = p.Run(context.Background(), 2_000, 0, cfa.ErrorAction)
			require.NoError(t, err)
		}
		require.Equal(t, found, script != nil, choice)
		require.LessOrEqual(t, n, 2_100)
	}
}
