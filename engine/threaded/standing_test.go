package threaded

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/verdict"
)

// TestStands: who waits for what, who has it, and whether they wait for each other.
func TestStands(t *testing.T) {
	const head = "#include <semaphore.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, " +
		"n = PTHREAD_MUTEX_INITIALIZER; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\n" +
		"struct { int k; pthread_spinlock_t spin; } box; " +
		"pthread_mutex_t all[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}; " +
		"struct { struct { pthread_mutex_t m, n; } in; } two; sem_t s; pthread_barrier_t b; pthread_t t, u;\n"
	for name, c := range map[string]struct {
		f, g, main string
		objects    []string // by thread: main, f, g; "" has ended
		cycle      int      // how many wait for each other
	}{
		"two orders": {"pthread_mutex_lock(&m); pthread_mutex_lock(&n);",
			"pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
			"pthread_join(u, 0);", []string{"the end of g", "mutex n", "mutex m"}, 2},
		"two of an array": {"pthread_mutex_lock(&all[0]); pthread_mutex_lock(&all[1]);",
			"pthread_mutex_lock(&all[1]); pthread_mutex_lock(&all[0]);",
			"pthread_join(u, 0);", []string{"the end of g", "mutex all[1]", "mutex all[0]"}, 2},
		"two members": {"pthread_mutex_lock(&two.in.m); pthread_mutex_lock(&two.in.n);",
			"pthread_mutex_lock(&two.in.n); pthread_mutex_lock(&two.in.m);",
			"pthread_join(u, 0);", []string{"the end of g", "mutex two.in.n", "mutex two.in.m"}, 2},
		"twice": {"", "pthread_mutex_lock(&m); pthread_mutex_lock(&m);", "pthread_exit(0);",
			[]string{"", "", "mutex m"}, 1},
		"a semaphore": {"sem_wait(&s);", "", "pthread_join(t, 0);", []string{"the end of f", "semaphore s", ""}, 0},
		"a reader": {"pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); " +
			"sem_wait(&s); sem_post(&s); pthread_rwlock_unlock(&l);",
			"pthread_rwlock_wrlock(&l); sem_post(&s); pthread_rwlock_unlock(&l);",
			"pthread_join(u, 0);", []string{"the end of g", "semaphore s", "lock l"}, 0},
		"a spin lock": {"pthread_spin_lock(&box.spin);", "pthread_spin_lock(&box.spin);", "pthread_exit(0);", nil, 0},
		"joins": {"pthread_join(u, 0);", "sem_wait(&s);", "pthread_join(t, 0);",
			[]string{"the end of f", "the end of g", "semaphore s"}, 0},
		"for a barrier": {"pthread_barrier_wait(&b);", "", "pthread_join(t, 0);",
			[]string{"the end of f", "barrier b", ""}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			text := scheduled + head + "void *f(void *p) { " + c.f + " return 0; }\nvoid *g(void *p) { " + c.g +
				" return 0; }\n" +
				"int main(void) { sem_init(&s, 0, 0); pthread_barrier_init(&b, 0, 2); pthread_create(&u, 0, g, 0); " +
				"pthread_create(&t, 0, f, 0); " + c.main + " return 0; }\n"
			claim := *claim(t, text)
			claim.Question = component.NoDeadlock
			s, err := New(context.Background(), &claim, Options{Threads: Threads{Unwind: 3}})
			require.NoError(t, err)
			defer s.Close()
			for s.Next() != cegar.Finished {
				s.Step(context.Background())
			}
			require.Equal(t, verdict.Violates, s.outcome.Verdict)
			run := s.outcome.Run
			require.Len(t, run.Standing, len(run.Components))
			require.Len(t, run.Cycle(), c.cycle)
			for i, name := range run.Components {
				stand := run.Standing[i]
				require.Equal(t, stand.Object == "", stand.Ended)
				k := map[byte]int{'m': 0, 'f': 1, 'g': 2}[name[0]]
				if c.objects == nil {
					continue
				}
				want := c.objects[k]
				if len(want) > 11 && want[:11] == "the end of " {
					require.Contains(t, stand.Object, want)
					require.Len(t, stand.Holders, 1)
					continue
				}
				require.Equal(t, want, stand.Object)
			}
		})
	}
}

// TestWokenAlone: a run says that a thread that waited for a condition was sent no signal, and only then.
func TestWokenAlone(t *testing.T) {
	const wait, alone = "pthread_cond_wait(&c, &m)", "woken up without a signal to condition c"
	for name, c := range map[string]struct {
		other, wait string
		want        []string
	}{
		"no signal":      {"ready = 1;", wait, []string{alone}},
		"another signal": {"ready = 1; pthread_cond_signal(&d);", wait, []string{alone}},
		"a signal": {"pthread_mutex_lock(&m); pthread_cond_signal(&c); ready = 1; pthread_mutex_unlock(&m);", wait,
			nil},
		"or time is up": {"ready = 1;", "pthread_cond_timedwait(&c, &m, &until)", []string{alone + ", or its time is up"}},
		"to all": {"pthread_mutex_lock(&m); pthread_cond_broadcast(&c); ready = 1; pthread_mutex_unlock(&m);", wait,
			nil},
	} {
		t.Run(name, func(t *testing.T) {
			claim := *claim(t, scheduled+"pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int ready; pthread_t t;\n"+
				"pthread_cond_t c = PTHREAD_COND_INITIALIZER, d = PTHREAD_COND_INITIALIZER; struct timespec until;\n"+
				"void *f(void *p) { "+c.other+" return 0; }\nint main(void) { pthread_mutex_lock(&m); "+
				"pthread_create(&t, 0, f, 0); "+c.wait+"; if (ready) reach_error(); return 0; }\n")
			s, err := New(context.Background(), &claim, Options{Threads: Threads{Unwind: 3}})
			require.NoError(t, err)
			defer s.Close()
			for s.Next() != cegar.Finished {
				s.Step(context.Background())
			}
			require.Equal(t, verdict.Violates, s.outcome.Verdict)
			var said []string
			shared := false
			for _, st := range s.outcome.Run.Steps {
				for _, v := range st.Values {
					if v.State != "" {
						said = append(said, v.State)
					}
					shared = shared || v.Shared && v.Name == "ready"
					require.False(t, v.Shared && v.Name == "p")
				}
			}
			require.Equal(t, c.want, said)
			require.True(t, shared)
		})
	}
}
