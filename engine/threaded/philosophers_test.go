package threaded

// Many threads that could wait for each other.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/evidence/verdict"
)

// philosophers are threads that each take two neighbouring mutexes once: the last one in the order of the others, or as
// its neighbours do.
func philosophers(n int, broken bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#include <pthread.h>\nstatic pthread_mutex_t f[%d];\n", n)
	for i := range n {
		first, second := i, (i+1)%n
		if i == n-1 && !broken {
			first, second = second, first
		}
		fmt.Fprintf(&b, "static void *p%d(void *u) { pthread_mutex_lock(&f[%d]); pthread_mutex_lock(&f[%d]); "+
			"pthread_mutex_unlock(&f[%d]); pthread_mutex_unlock(&f[%d]); return u; }\n", i, first, second, second, first)
	}
	fmt.Fprintf(&b, "int main(void) { pthread_t t[%d];\n", n)
	for _, do := range []string{"mutex_init(&f[%d], 0)", "create(&t[%d], 0, p%[1]d, 0)", "join(t[%d], 0)"} {
		for i := range n {
			fmt.Fprintf(&b, "\tpthread_"+do+";\n", i)
		}
	}
	b.WriteString("\treturn 0; }\n")
	return b.String()
}

// TestManyPhilosophers: the product of who waits for whom is too large, and the search does not wait for it.
func TestManyPhilosophers(t *testing.T) {
	for broken, want := range map[bool]verdict.Verdict{false: verdict.Conforms, true: verdict.Violates} {
		n := 24
		if testing.Short() {
			n = 8
		}
		c := claim(t, philosophers(n, broken))
		c.Question = component.NoDeadlock
		s, err := New(t.Context(), c, Options{})
		require.NoError(t, err)
		for s.Outcome() == nil {
			s.Step(t.Context())
		}
		require.Equal(t, want, s.Outcome().Verdict)
		s.Close()
	}
}
