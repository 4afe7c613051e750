package threaded

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// decided is what a session says of a program.
func decided(t *testing.T, text string, opt Options) *verdict.Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // ends what hangs
	defer cancel()
	s, err := New(ctx, claim(t, text), opt)
	require.NoError(t, err)
	if s == nil { // no thread is ever created
		one, err := cegar.NewSession(ctx, claim(t, text), opt.prover(0, nil))
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

const (
	badHead = "#include <pthread.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <threads.h>\n" +
		"#include <unistd.h>\n" +
		"extern void reach_error(void); extern int any(void); int x; pthread_t t, u; thrd_t ct;\n" +
		"pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n; pthread_cond_t c = PTHREAD_COND_INITIALIZER; " +
		"pthread_rwlock_t l; pthread_spinlock_t sp; pthread_barrier_t b; mtx_t cm; cnd_t cc;\n"
	badRoutine = "void *f(void *a) { x = 1; return 0; }\n"
	badCreate  = "pthread_create(&t, 0, f, 0); "
)

// after is a program with what comes once a thread was created, before with what comes earlier, within with
// what the thread does.
func after(s string) string { return badRoutine + "int main(void) { " + badCreate + s + " return 0; }" }
func before(s string) string {
	return badRoutine + "int main(void) { " + s + " " + badCreate + "return 0; }"
}
func within(s string) string {
	return "void *f(void *a) { " + s + " return 0; }\nint main(void) { " + badCreate + "return 0; }"
}

// TestRefused: what interrupts threads, copies them or knows them apart is unknown, with the place, wherever
// it stands: the text in question is between two marks.
func TestRefused(t *testing.T) {
	for i, c := range []struct{ name, text string }{
		{"cancellation", after("@pthread_cancel(t);")},
		{"cancellation of the thread itself", within("@pthread_cancel(pthread_self()); x = 1;")},
		{"cancellation by a pointer", after("int (*g)(pthread_t) = pthread_cancel; @g(t);")},
		{"cancellation in a called function", "void stop(void) { @pthread_cancel(t); }\n" + after("stop();")},
		{"cleanup handlers", "void h(void *p) { x = 2; }\n" +
			within("@pthread_cleanup_push(h, 0); x = 1; pthread_cleanup_pop(1);")},
		{"cleanup handlers of the main thread", "void h(void *p) { x = 2; }\n" +
			after("@pthread_cleanup_push(h, 0); pthread_cleanup_pop(0);")},
		{"cleanup handlers before", "void h(void *p) { x = 2; }\n" +
			before("@pthread_cleanup_push(h, 0); pthread_cleanup_pop(0);")},
		{"a signal for a thread", after("@pthread_kill(t, SIGINT);")},
		{"a signal for the process", after("@raise(SIGINT);")},
		{"a signal before", before("if (any()) {} @kill(getpid(), SIGINT);")},
		{"a signal by time", after("@alarm(1);")},
		{"waiting for a signal", after("sigset_t s; int i; sigemptyset(&s); @sigwait(&s, &i);")},
		{"waiting for any signal", after("@pause();")},
		{"a signal handler", "void h(int s) { x = 2; }\n" + after("@signal(SIGINT, h);")},
		{"a signal handler before", "void h(int s) { x = 2; }\n" + before("@signal(SIGINT, h);")},
		{"a signal handler by a pointer", "void h(int s) { x = 2; }\n" +
			"void (*(*set)(int, void (*)(int)))(int) = signal;\n" + before("@set(SIGINT, h);")},
		{"a signal action", "void h(int s) { x = 2; }\n" +
			after("struct sigaction s; s.sa_handler = h; @sigaction(SIGINT, &s, 0);")},
		{"fork", after("if (@fork()) x = 2;")},
		{"fork before", before("if (@fork()) return 1;")},
		{"fork in a called function before", "void both(void) { @fork(); }\n" + before("both();")},
		{"fork in a thread", within("@fork(); x = 1;")},
		{"fork before a loop that creates",
			badRoutine + "int main(void) { @fork(); for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, 0); return 0; }"},
		{"vfork", after("@vfork();")},
		{"handlers of fork", after("@pthread_atfork(0, 0, 0);")},
		{"thread-local storage from elsewhere", "extern __thread int y;\n" + within("@y++;")},
		{"thread-local storage from elsewhere, before", "extern _Thread_local int y;\n" +
			before("@y = 3; if (y != 3) reach_error();")},
		{"thread-local storage from elsewhere, in a block", within("extern thread_local int y; @y++;")},
		{"more keys than there are", "pthread_key_t ks[9];\n" +
			before("for (int i = 0; i < 9; i++) @pthread_key_create(&ks[i], 0);")},
		{"more keys of C11 than there are", "tss_t k;\n" + within("while (any()) @tss_create(&k, 0);")},
		{"a destructor of a key that ends the thread", "pthread_key_t k; void d(void *p) { @pthread_exit(0); }\n" +
			within("pthread_key_create(&k, d); pthread_setspecific(k, &x);")},
		{"the end of main where something is called at the end of the process", "void h(void) { x = 2; }\n" +
			after("atexit(h); @pthread_exit(0);")},
		{"the end of main where a destructor is called at the end of the process",
			"__attribute__((destructor)) void h(void) { x = 2; }\n" + after("@pthread_exit(0);")},
		{"the end of main by C11 where something is called at the end of the process",
			"void h(void) { x = 2; }\n" + after("atexit(h); @thrd_exit(0);")},
		{"a start routine without a body", "extern void *g(void *);\nint main(void) { " +
			"@pthread_create(&t, 0, g, 0); return 0; }"},
		{"a start routine of C11 without a body",
			"extern int g(void *);\nint main(void) { @thrd_create(&ct, g, 0); return 0; }"},
		{"a start routine of the library",
			"int main(void) { @pthread_create(&t, 0, (void *(*)(void *))malloc, (void *)4); return 0; }"},
		{"an unknown start routine", "extern void *(*g)(void *);\n" +
			"int main(void) { @pthread_create(&t, 0, g, 0); return 0; }"},
		{"an unknown start routine as an argument", "extern void *(*get(void))(void *);\n" +
			"void start(void *(*g)(void *)) { @pthread_create(&t, 0, g, 0); }\nint main(void) { start(get()); return 0; }"},
		{"an unknown start routine beside a known one", "extern void *(*g)(void *);\n" +
			after("@pthread_create(&u, 0, g, 0);")},
		{"an unknown start routine behind a loop without an end", "extern void *(*g)(void *);\n" +
			"int main(void) { while (any()) {}; @pthread_create(&t, 0, g, 0); return 0; }"},
		{"errno of a thread", "#include <errno.h>\n" + within("@errno = 1;")},
	} {
		if sample.Thinned(i, 2) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			text := badHead + c.text
			mark := strings.Index(text, "@")
			place := fmt.Sprintf("a.c:%d:%d", 1+strings.Count(text[:mark], "\n"), mark-strings.LastIndex(text[:mark], "\n"))
			for _, opt := range []Options{{}, {Modelling: cfa.Modelling{CheckPointers: true}}} {
				out := decided(t, strings.Replace(text, "@", "", 1), opt)
				require.Equal(t, verdict.Unknown, out.Verdict)
				require.Equal(t, place, out.Reason.Place.String(), out.Reason)
			}
		})
	}
}

// TestUndefined: what POSIX leaves undefined is told as an assumption, and an error where pointers are
// checked; what is not undefined is no error.
func TestUndefined(t *testing.T) {
	const joining, detaching = "no joining of what is no thread that was created",
		"no detaching of what is no thread that was created"
	g := "int g(void *p) { return 0; }\n"
	for i, c := range []struct{ name, text, told string }{
		{"joining of no thread", after("pthread_join(u, 0);"), joining},
		{"joining of a number", after("pthread_t q = 77; pthread_join(q, 0);"), joining},
		{"joining of what was not set", after("pthread_t q; pthread_join(q, 0);"), joining},
		{"joining of an element that was not set", badRoutine + "pthread_t ts[2]; int main(void) { " +
			"pthread_create(&ts[0], 0, f, 0); pthread_join(ts[1], 0); return 0; }", joining},
		{"joining of no thread of C11", g + "int main(void) { thrd_t q = 0; thrd_create(&ct, g, 0); " +
			"thrd_join(q, 0); return 0; }", joining},
		{"joining of a calculated handle", after("pthread_join(t + 1, 0);"), joining},
		{"joining by a pointer", after("int (*j)(pthread_t, void **) = pthread_join; j(u, 0);"), joining},
		{"joining before", before("pthread_join(t, 0);"), joining},
		{"joining twice", after("pthread_join(t, 0); pthread_join(t, 0);"), ""},
		{"joining of a detached thread", after("pthread_detach(t); pthread_join(t, 0);"), ""},
		{"joining of a thread that detaches itself", "void *f(void *a) { pthread_detach(pthread_self()); " +
			"return 0; }\nint main(void) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }", ""},
		{"detaching of no thread", after("pthread_detach(u);"), detaching},
		{"detaching twice", after("pthread_detach(t); pthread_detach(t);"), ""},
		{"detaching of no thread of C11", g + "int main(void) { thrd_t q = 0; thrd_create(&ct, g, 0); " +
			"thrd_detach(q); return 0; }", detaching},
		{"unlocking what is not locked", after("pthread_mutex_unlock(&m);"), "a mutex is unlocked"},
		{"unlocking in a thread", within("pthread_mutex_unlock(&m);"), "a mutex is unlocked"},
		{"unlocking before", before("pthread_mutex_unlock(&m);"), "a mutex is unlocked"},
		{"unlocking in a called function", "void open(void) { pthread_mutex_unlock(&m); }\n" + after("open();"),
			"a mutex is unlocked"},
		{"unlocking twice", after("pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);"),
			"a mutex is unlocked"},
		{"unlocking another mutex", after("pthread_mutex_lock(&m); pthread_mutex_unlock(&n);"), "a mutex is unlocked"},
		{"unlocking through a pointer", after("pthread_mutex_t *q = &m; pthread_mutex_unlock(q);"), "a mutex is unlocked"},
		{"unlocking by a pointer", after("int (*o)(pthread_mutex_t *) = pthread_mutex_unlock; o(&m);"),
			"a mutex is unlocked"},
		{"unlocking after an attempt",
			after("pthread_mutex_trylock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);"), "a mutex is unlocked"},
		{"unlocking what another thread has locked", "void *f(void *a) { pthread_mutex_lock(&m); x = 1; " +
			"return 0; }\nint main(void) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); " +
			"pthread_mutex_unlock(&m); return 0; }", "a mutex is unlocked"},
		{"unlocking C11's mutex", after("mtx_init(&cm, mtx_plain); mtx_unlock(&cm);"), "a mutex is unlocked"},
		{"unlocking a read-write lock", after("pthread_rwlock_unlock(&l);"), "a read-write lock is unlocked"},
		{"unlocking a read-write lock of another thread", "void *f(void *a) { pthread_rwlock_wrlock(&l); " +
			"return 0; }\nint main(void) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); " +
			"pthread_rwlock_unlock(&l); return 0; }", "a read-write lock is unlocked"},
		{"unlocking a spin lock", after("pthread_spin_unlock(&sp);"), "a spin lock is unlocked"},
		{"unlocking a spin lock of another thread", "void *f(void *a) { pthread_spin_lock(&sp); return 0; }\n" +
			"int main(void) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_spin_unlock(&sp); return 0; }",
			"a spin lock is unlocked"},
		{"destroying what is locked", after("pthread_mutex_lock(&m); pthread_mutex_destroy(&m);"), "a mutex is destroyed"},
		{"destroying what is locked, before", before("pthread_mutex_lock(&m); pthread_mutex_destroy(&m);"),
			"a mutex is destroyed"},
		{"destroying by a pointer",
			after("int (*d)(pthread_mutex_t *) = pthread_mutex_destroy; pthread_mutex_lock(&m); d(&m);"),
			"a mutex is destroyed"},
		{"destroying what a thread has locked", "void *f(void *a) { pthread_mutex_lock(&m); return 0; }\n" +
			"int main(void) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_mutex_destroy(&m); return 0; }",
			"a mutex is destroyed"},
		{"destroying what a thread may have locked", "void *f(void *a) { pthread_mutex_lock(&m); x = 1; " +
			"pthread_mutex_unlock(&m); return 0; }\nint main(void) { pthread_create(&t, 0, f, 0); " +
			"pthread_mutex_destroy(&m); return 0; }", "a mutex is destroyed"},
		{"destroying C11's mutex", after("mtx_init(&cm, mtx_plain); mtx_lock(&cm); mtx_destroy(&cm);"),
			"a mutex is destroyed"},
		{"destroying C11's recursive mutex", after("mtx_init(&cm, mtx_recursive); mtx_lock(&cm); mtx_destroy(&cm);"),
			"a mutex is destroyed"},
		{"destroying a read-write lock", after("pthread_rwlock_rdlock(&l); pthread_rwlock_destroy(&l);"),
			"a read-write lock is destroyed"},
		{"destroying a spin lock", after("pthread_spin_lock(&sp); pthread_spin_destroy(&sp);"), "a spin lock is destroyed"},
		{"destroying a barrier", "void *f(void *a) { pthread_barrier_wait(&b); return 0; }\n" +
			"int main(void) { pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, f, 0); " +
			"pthread_barrier_destroy(&b); return 0; }", "a barrier is destroyed"},
		{"waiting without the mutex", after("pthread_cond_wait(&c, &m);"), "a condition is waited for"},
		{"waiting without the mutex in a thread", within("pthread_cond_wait(&c, &m);"), "a condition is waited for"},
		{"waiting with another mutex", after("pthread_mutex_lock(&m); pthread_cond_wait(&c, &n);"),
			"a condition is waited for"},
		{"waiting without C11's mutex", after("mtx_init(&cm, mtx_plain); cnd_wait(&cc, &cm);"), "a condition is waited for"},
		{"no start routine", "int main(void) { pthread_create(&t, 0, 0, 0); return 0; }",
			"pointers that are dereferenced are valid"},
	} {
		if sample.Thinned(i, 2) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			out := decided(t, badHead+c.text, Options{})
			require.Equal(t, verdict.Conforms, out.Verdict, out.Reason)
			require.True(t, slices.ContainsFunc(out.Assumptions,
				func(w cfa.Warning) bool { return strings.Contains(w.Text, c.told) }), out.Assumptions)
			require.Equal(t, verdict.Violates,
				decided(t, badHead+c.text, Options{Modelling: cfa.Modelling{CheckPointers: true}}).Verdict)
		})
	}
}

// TestDefined: what POSIX and C define is no error where pointers are checked, however near to what they do not.
func TestDefined(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"unlocking and destroying", after("pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_destroy(&m);")},
		{"unlocking a mutex that checks",
			after("pthread_mutexattr_t a; pthread_mutexattr_init(&a); " +
				"pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&m, &a); " +
				"if (pthread_mutex_unlock(&m) == 0) reach_error();")},
		{"a recursive mutex", after("mtx_init(&cm, mtx_recursive); mtx_lock(&cm); mtx_lock(&cm); " +
			"mtx_unlock(&cm); mtx_unlock(&cm); mtx_destroy(&cm);")},
		{"a read-write lock", after("pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); " +
			"pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_wrlock(&l); " +
			"pthread_rwlock_unlock(&l); pthread_rwlock_destroy(&l);")},
		{"a spin lock", "void *f(void *a) { pthread_spin_lock(&sp); x++; pthread_spin_unlock(&sp); return 0; }\n" +
			"int main(void) { pthread_spin_init(&sp, 0); pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); " +
			"pthread_spin_destroy(&sp); if (x != 2) reach_error(); return 0; }"},
		{"a barrier", "void *f(void *a) { pthread_barrier_wait(&b); return 0; }\nint main(void) { " +
			"pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, f, 0); pthread_barrier_wait(&b); " +
			"pthread_join(t, 0); pthread_barrier_destroy(&b); return 0; }"},
		{"joining each", badRoutine + "int main(void) { pthread_create(&t, 0, f, 0); " +
			"pthread_create(&u, 0, f, 0); pthread_join(u, 0); pthread_join(t, 0); return 0; }"},
		{"detaching", after("pthread_detach(t); pthread_detach(pthread_self());")},
		{"ways that are not joined", badRoutine + "int main(void) { pthread_create(&t, 0, f, 0); " +
			"if (x) pthread_detach(t); else pthread_join(t, 0); return 0; }"},
		{"what cancels nothing",
			after("int old; pthread_setcancelstate(0, &old); pthread_setcanceltype(0, &old); pthread_testcancel();")},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := decided(t, badHead+c.text, Options{Modelling: cfa.Modelling{CheckPointers: true}})
			require.Equal(t, verdict.Conforms, out.Verdict, out.Reason)
		})
	}
}
