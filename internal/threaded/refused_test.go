package threaded

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/cegar"
	"magus/cfa"
	"magus/internal/verdict"
)

// decided is what a session says of a program.
func decided(t *testing.T, text string, opt cegar.Options) *verdict.Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	s, err := New(ctx, claim(t, text), opt)
	require.NoError(t, err)
	if s == nil { // no thread is ever created
		one, err := cegar.NewSession(ctx, claim(t, text), opt)
		require.NoError(t, err)
		defer one.Close()
		return one.Run(ctx, nil)
	}
	defer s.Close()
	for {
		if e, ok := s.Step(ctx).(cegar.Ended); ok {
			return e.Outcome
		}
	}
}

// TestRefused: what interrupts threads, copies them or knows them apart is unknown, with the place.
func TestRefused(t *testing.T) {
	const head = "#include <pthread.h>\n#include <signal.h>\n#include <unistd.h>\n#include <stdlib.h>\nextern void reach_error(void); pthread_t t; int x;\n"
	const f = "void *f(void *a) { x = 1; return 0; }\n"
	for _, c := range []struct{ name, text, line string }{
		{"cancellation", f + "int main(void) { pthread_create(&t, 0, f, 0);\npthread_cancel(t);\nreturn 0; }", "8"},
		{"cleanup handlers", "void h(void *p) { x = 2; }\nvoid *f(void *a) {\npthread_cleanup_push(h, 0);\nx = 1;\npthread_cleanup_pop(1);\nreturn 0; }\nint main(void) { pthread_create(&t, 0, f, 0); return 0; }", "8"},
		{"a signal for a thread", f + "int main(void) { pthread_create(&t, 0, f, 0);\npthread_kill(t, SIGINT);\nreturn 0; }", "8"},
		{"a signal handler", f + "void h(int s) { x = 2; }\nint main(void) { pthread_create(&t, 0, f, 0);\nsignal(SIGINT, h);\nreturn 0; }", "9"},
		{"fork", f + "int main(void) { pthread_create(&t, 0, f, 0);\nif (fork()) x = 2;\nreturn 0; }", "8"},
		{"thread-local storage", "__thread int y;\nvoid *f(void *a) {\ny = 1;\nif (y) x = 1; return 0; }\nint main(void) { pthread_create(&t, 0, f, 0); return 0; }", "8"},
		{"thread-specific keys", "pthread_key_t k;\n" + f + "int main(void) { pthread_create(&t, 0, f, 0);\npthread_setspecific(k, &x);\nreturn 0; }", "9"},
		{"a start routine without a body", "extern void *g(void *);\nint main(void) {\npthread_create(&t, 0, g, 0);\nreturn 0; }", "8"},
		{"an unknown start routine", "extern void *(*g)(void *);\nint main(void) {\npthread_create(&t, 0, g, 0);\nreturn 0; }", "8"},
		{"errno of a thread", "#include <errno.h>\nvoid *f(void *a) {\nerrno = 1;\nreturn 0; }\nint main(void) { pthread_create(&t, 0, f, 0); return 0; }", "8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, opt := range []cegar.Options{{}, {CheckPointers: true}} {
				out := decided(t, head+c.text, opt)
				require.Equal(t, verdict.Unknown, out.Verdict)
				require.Equal(t, "a.c:"+c.line, strings.Join(strings.Split(out.Reason.Place.String(), ":")[:2], ":"), out.Reason)
			}
		})
	}
}

// TestUndefined: what POSIX leaves undefined is told as an assumption, and an error where pointers are checked.
func TestUndefined(t *testing.T) {
	const head = "#include <pthread.h>\nextern void reach_error(void); pthread_t t, u; int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
	const f = "void *f(void *a) { x = 1; return 0; }\n"
	for _, c := range []struct{ name, text, told string }{
		{"joining of no thread", f + "int main(void) { pthread_create(&t, 0, f, 0); pthread_join(u, 0); return 0; }", "joining of what is no thread that was created"},
		{"unlocking what is not locked", f + "int main(void) { pthread_create(&t, 0, f, 0); pthread_mutex_unlock(&m); return 0; }", "mutex"},
		{"unlocking what another thread has locked", "void *f(void *a) { pthread_mutex_lock(&m); x = 1; return 0; }\nint main(void) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_mutex_unlock(&m); return 0; }", "mutex"},
		{"destroying what is locked", f + "int main(void) { pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); pthread_mutex_destroy(&m); return 0; }", "mutex"},
		{"waiting without the mutex", f + "int main(void) { pthread_create(&t, 0, f, 0); pthread_cond_wait(&c, &m); return 0; }", "mutex"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := decided(t, head+c.text, cegar.Options{})
			require.Equal(t, verdict.Conforms, out.Verdict, out.Reason)
			require.True(t, slices.ContainsFunc(out.Assumptions, func(w cfa.Warning) bool {
				return w.Kind == cfa.AboutThreads && strings.Contains(w.Text, c.told)
			}), out.Assumptions)
			require.Equal(t, verdict.Violates, decided(t, head+c.text, cegar.Options{CheckPointers: true}).Verdict)
		})
	}
}
