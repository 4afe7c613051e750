package threaded

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCounted: what one thread has counted bounds what another one does, which an induction finds alone.
func TestCounted(t *testing.T) {
	const head = `#include <pthread.h>
extern void reach_error(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int top;
void *g(void *p) { for (int i = 0; i < 300; i++) { __VERIFIER_atomic_begin(); if (top > 0) { top--; if (top < 0) reach_error(); } __VERIFIER_atomic_end(); } return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); }
`
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for text, proved := range map[string]bool{
		"if (top == 300) reach_error(); top++;": true,
		"if (top == 299) reach_error(); top++;": false,
		"top++; if (top > 300) reach_error();":  true,
		"top++; if (top == 300) reach_error();": false,
	} {
		f := "void *f(void *p);\n" + head + "void *f(void *p) { for (int i = 0; i < 300; i++) { " +
			"__VERIFIER_atomic_begin(); " + text + " __VERIFIER_atomic_end(); } return 0; }"
		require.Equal(t, proved, shows(t, f, Product, 22), text)
	}
}
