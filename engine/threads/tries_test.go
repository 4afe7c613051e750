package threads_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/threads"
	"magus/internal/sample"
)

// A try is a call that may fail, or a plain one that makes others fail. Where it succeeds its thread adds a weight
// to its result. A try that holds something gives it back in a step of its own.
type try struct {
	text string // %d is the weight
	// on are the states behind the call, with what the thread adds: 1 where it has succeeded. None: it waits.
	on func(s tryState, thread int8) []tried
	// back gives back what is held; nil where nothing is.
	back func(s *tryState)
}

type tried struct {
	s       tryState
	success int
}

// A tryState is what two threads share, and where they are.
type tryState struct {
	mutex, plain int8 // which thread holds it, 1 or 2; 0: nobody
	writer       int8
	readers      int8
	count        int8 // of the semaphore
	value        int8 // of the atomic variable
	at           [2]int8
	held         [2]bool // what the call at at has taken
	result       [2]int16
}

// taken is a state in which a call has succeeded, or has failed.
func taken(s tryState) tried { return tried{s, 1} }
func not(s tryState) tried   { return tried{s, 0} }

func tryMutex(s tryState, t int8) []tried {
	if s.mutex != 0 {
		return []tried{not(s)}
	}
	s.mutex = t + 1
	return []tried{taken(s)}
}

func lockMutex(s tryState, t int8) []tried {
	if s.mutex != 0 {
		return nil
	}
	return tryMutex(s, t)
}

// tryPlain is mtx_trylock, which may fail for no reason.
func tryPlain(s tryState, t int8) []tried {
	all := []tried{not(s)}
	if s.plain == 0 {
		s.plain = t + 1
		all = append(all, taken(s))
	}
	return all
}

func tryRead(s tryState, _ int8) []tried {
	if s.writer != 0 {
		return []tried{not(s)}
	}
	s.readers++
	return []tried{taken(s)}
}

func tryWrite(s tryState, t int8) []tried {
	if s.writer != 0 || s.readers > 0 {
		return []tried{not(s)}
	}
	s.writer = t + 1
	return []tried{taken(s)}
}

func tryCount(s tryState, _ int8) []tried {
	if s.count == 0 {
		return []tried{not(s)}
	}
	s.count--
	return []tried{taken(s)}
}

func post(s tryState, _ int8) []tried {
	s.count++
	return []tried{taken(s)}
}

// exchange is a compare-and-swap of two values; a weak one may fail although they are equal.
func exchange(old, with int8, weak bool) func(tryState, int8) []tried {
	return func(s tryState, _ int8) []tried {
		var all []tried
		if weak || s.value != old {
			all = append(all, not(s))
		}
		if s.value == old {
			s.value = with
			all = append(all, taken(s))
		}
		return all
	}
}

var tries = []try{
	{"if (!pthread_mutex_trylock(&m)) { r += %d; pthread_mutex_unlock(&m); }", tryMutex, func(s *tryState) { s.mutex = 0 }},
	{"pthread_mutex_lock(&m); r += %d; pthread_mutex_unlock(&m);", lockMutex, func(s *tryState) { s.mutex = 0 }},
	{"if (!pthread_mutex_timedlock(&m, &ts)) { r += %d; pthread_mutex_unlock(&m); }", tryMutex,
		func(s *tryState) { s.mutex = 0 }},
	{"if (mtx_trylock(&p) == thrd_success) { r += %d; mtx_unlock(&p); }", tryPlain, func(s *tryState) { s.plain = 0 }},
	{"if (!pthread_rwlock_tryrdlock(&w)) { r += %d; pthread_rwlock_unlock(&w); }", tryRead,
		func(s *tryState) { s.readers-- }},
	{"if (!pthread_rwlock_trywrlock(&w)) { r += %d; pthread_rwlock_unlock(&w); }", tryWrite,
		func(s *tryState) { s.writer = 0 }},
	{"if (!sem_trywait(&s)) r += %d;", tryCount, nil},
	{"if (!sem_timedwait(&s, &ts)) r += %d;", tryCount, nil},
	{"sem_post(&s); r += %d;", post, nil},
	{"{ int e = 0; if (atomic_compare_exchange_weak(&a, &e, 1)) r += %d; }", exchange(0, 1, true), nil},
	{"{ int e = 1; if (atomic_compare_exchange_weak_explicit(&a, &e, 2, 5, 5)) r += %d; }", exchange(1, 2, true), nil},
	{"{ int e = 0; if (__atomic_compare_exchange_n(&b, &e, 2, 1, 5, 5)) r += %d; }", exchange(0, 2, true), nil},
	{"{ int e = 1; if (atomic_compare_exchange_strong(&a, &e, 0)) r += %d; }", exchange(1, 0, false), nil},
	{"if (__sync_bool_compare_and_swap(&b, 0, 1)) r += %d;", exchange(0, 1, false), nil},
}

// tryPrograms are two threads that try; all exchanges of a program are of one variable.
type tryProgram struct {
	count int8
	calls [2][]int
}

func randomTries(r *rand.Rand) tryProgram {
	p := tryProgram{count: int8(r.IntN(2))}
	for t := range p.calls {
		for range 1 + r.IntN(2) {
			p.calls[t] = append(p.calls[t], r.IntN(len(tries)))
		}
	}
	return p
}

// weight is what the i-th call of a thread adds.
func weight(i int8) int16 { return int16(1) << i }

// next are the states behind a step of a thread.
func (p tryProgram) next(s tryState, t int) []tryState {
	i := s.at[t]
	call := tries[p.calls[t][i]]
	if s.held[t] {
		call.back(&s)
		s.held[t], s.at[t] = false, i+1
		return []tryState{s}
	}
	var all []tryState
	for _, to := range call.on(s, int8(t)) {
		next := to.s
		next.result[t] += int16(to.success) * weight(i)
		if next.held[t] = to.success == 1 && call.back != nil; !next.held[t] {
			next.at[t]++
		}
		all = append(all, next)
	}
	return all
}

// ends are the results and the values that the program may end with: all interleavings, and all failures.
func (p tryProgram) ends() []tryState {
	seen := map[tryState]bool{}
	ends := map[tryState]bool{}
	for work := []tryState{{count: p.count}}; len(work) > 0; {
		s := work[len(work)-1]
		if work = work[:len(work)-1]; seen[s] {
			continue
		}
		seen[s] = true
		done := true
		for t := range 2 {
			if int(s.at[t]) < len(p.calls[t]) {
				done = false
				work = append(work, p.next(s, t)...)
			}
		}
		if done {
			ends[tryState{count: s.count, value: s.value, result: s.result}] = true
		}
	}
	all := make([]tryState, 0, len(ends))
	for s := range ends {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b tryState) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return all
}

// text is the program, which comes to an error where it ends so.
func (p tryProgram) text(end tryState) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <threads.h>\n"+
		"#include <time.h>\nextern void reach_error(void);\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; "+
		"pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER; sem_t s; mtx_t p; int b; struct timespec ts; int r0, r1;\n"+
		"#define a (*(_Atomic int *)&b)\n")
	bodies := [2]string{}
	for t, calls := range p.calls {
		for i, c := range calls {
			bodies[t] += " " + fmt.Sprintf(tries[c].text, weight(int8(i)))
		}
	}
	fmt.Fprintf(&b, "void *f(void *x) { int r = 0;%s r0 = r; return 0; }\nint main(void) { pthread_t t; int r = 0; "+
		"sem_init(&s, 0, %d); mtx_init(&p, mtx_timed); pthread_create(&t, 0, f, 0);%s r1 = r; pthread_join(t, 0);\n"+
		"\tint left = 0; while (!sem_trywait(&s)) left++;\n"+
		"\tif (r0 == %d && r1 == %d && b == %d && left == %d) reach_error(); return 0; }\n",
		bodies[0], p.count, bodies[1], end.result[0], end.result[1], end.value, end.count)
	return b.String()
}

// TestRandomTries compares what programs can end with whose calls may fail, because another thread was first or for no
// reason at all, with all interleavings and all failures.
func TestRandomTries(t *testing.T) {
	counts := map[threads.Answer]int{}
	for seed := range sample.Seeds(1, sample.Count(12)) {
		r := rand.New(rand.NewPCG(seed, 83))
		p := randomTries(r)
		ends := p.ends()
		end, want := tryState{count: int8(r.IntN(2)), value: int8(r.IntN(3)), result: [2]int16{int16(r.IntN(4)),
			int16(r.IntN(4))}}, threads.Safe
		if len(ends) > 0 && r.IntN(2) == 0 {
			end = ends[r.IntN(len(ends))]
		}
		if slices.Contains(ends, end) {
			want = threads.Unsafe
		}
		text := p.text(end)
		out, err := threads.Run(context.Background(), automaton(t, text), threads.Options{Unwind: 6})
		require.NoError(t, err, text)
		require.Equal(t, want, out.Answer, "seed %d\n%s", seed, text)
		counts[out.Answer]++
	}
	t.Log(counts)
	if sample.Whole() {
		require.Positive(t, counts[threads.Safe])
		require.Positive(t, counts[threads.Unsafe])
	}
}
