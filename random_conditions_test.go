package magus_test

// Differential: whether threads wait for ever for conditions, against all schedules of small random programs.
//
// The search of schedules is written here, with the conditions of POSIX: a signal wakes one of those that
// wait, a broadcast all of them, and each may wake up without. It shares nothing with the models of the
// library.

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/internal/sample"
)

// A waitOp is a statement of the search.
type waitOp struct {
	op    string // lock, unlock, set, add, signal, broadcast, wait, wake, unless, goto, create, join, down, up
	v, to int
}

// A waitWriter writes the text and the statements of a thread at once.
type waitWriter struct {
	rnd  *rand.Rand
	goes bool // in loops without an end
	text strings.Builder
	does []waitOp
}

func (w *waitWriter) do(s waitOp, format string, args ...any) {
	w.does = append(w.does, s)
	fmt.Fprintf(&w.text, "\t"+format+"\n", args...)
}

// some writes some statements; held says that the thread has the mutex m0.
func (w *waitWriter) some(n int, held bool) {
	for range n {
		c := w.rnd.Intn(2)
		switch k := w.rnd.Intn(10); {
		case k < 4 && w.goes && w.rnd.Intn(2) == 0:
			if w.rnd.Intn(2) == 0 {
				w.do(waitOp{op: "up", v: c}, "sem_post(&s%d);", c)
			} else {
				w.do(waitOp{op: "down", v: c}, "sem_wait(&s%d);", c)
			}
		case k < 2 && held && w.rnd.Intn(2) == 0:
			w.do(waitOp{op: "add"}, "x = (x + 1) %% 3;")
		case k < 2:
			v := w.rnd.Intn(3)
			w.do(waitOp{op: "set", v: v}, "x = %d;", v)
		case k == 2:
			w.do(waitOp{op: "signal", v: c}, "pthread_cond_signal(&c%d);", c)
		case k == 3:
			w.do(waitOp{op: "broadcast", v: c}, "pthread_cond_broadcast(&c%d);", c)
		case k < 8 && held:
			w.wait(c, w.rnd.Intn(3), w.rnd.Intn(3) > 0, w.rnd.Intn(5) == 0)
		case !held && k < 9:
			w.do(waitOp{op: "lock", v: 0}, "pthread_mutex_lock(&m0);")
			w.some(1+w.rnd.Intn(3), true)
			w.do(waitOp{op: "unlock", v: 0}, "pthread_mutex_unlock(&m0);")
		case held && k == 9 && w.rnd.Intn(2) == 0:
			w.do(waitOp{op: "lock", v: 1}, "pthread_mutex_lock(&m1);")
			w.do(waitOp{op: "unlock", v: 1}, "pthread_mutex_unlock(&m1);")
		}
	}
}

// wait writes a wait for a condition, until x has a value.
func (w *waitWriter) wait(c, v int, loop, timed bool) {
	call := fmt.Sprintf("pthread_cond_wait(&c%d, &m0);", c)
	if timed {
		call = fmt.Sprintf("pthread_cond_timedwait(&c%d, &m0, &end);", c)
	}
	word := "if"
	if loop {
		word = "while"
	}
	at := len(w.does)
	fmt.Fprintf(&w.text, "\t%s (x != %d) %s\n", word, v, call)
	wake := waitOp{op: "wake", v: c}
	if timed {
		wake.to = 1
	}
	w.does = append(w.does, waitOp{op: "unless", v: v}, waitOp{op: "wait", v: c}, wake, waitOp{op: "lock", v: 0})
	if loop {
		w.does = append(w.does, waitOp{op: "goto", to: at})
	}
	w.does[at].to = len(w.does)
}

// randomWaiting is a program: its text and its threads, of which the first one is main.
func randomWaiting(rnd *rand.Rand, goes bool) (text string, threads [][]waitOp) {
	var b strings.Builder
	b.WriteString("#include <pthread.h>\n#include <semaphore.h>\nstatic volatile int x;\nstatic struct timespec end;\n" +
		"static sem_t s0, s1;\n" +
		"static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;\n" +
		"static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER, c1 = PTHREAD_COND_INITIALIZER;\n")
	workers := 1 + rnd.Intn(2)
	threads = append(threads, nil)
	for i := range workers {
		w := &waitWriter{rnd: rnd, goes: goes}
		again := goes && rnd.Intn(4) > 0
		if again {
			w.text.WriteString("\tfor (;;) {\n")
		}
		w.some(1+rnd.Intn(3), false)
		if again {
			w.do(waitOp{op: "goto"}, "}")
		}
		fmt.Fprintf(&b, "static void *w%d(void *p) {\n%s\treturn p;\n}\n", i+1, w.text.String())
		threads = append(threads, w.does)
	}
	w := &waitWriter{rnd: rnd, goes: goes}
	w.text.WriteString("\tpthread_t h1, h2;\n")
	if goes {
		for s := range 2 {
			n := rnd.Intn(3)
			fmt.Fprintf(&w.text, "\tsem_init(&s%d, 0, %d);\n", s, n)
			for range n {
				w.does = append(w.does, waitOp{op: "up", v: s})
			}
		}
	}
	for i := range workers {
		w.do(waitOp{op: "create", v: i + 1}, "pthread_create(&h%d, 0, w%d, 0);", i+1, i+1)
	}
	w.some(rnd.Intn(3), false)
	for i := range workers {
		w.do(waitOp{op: "join", v: i + 1}, "pthread_join(h%d, 0);", i+1)
	}
	fmt.Fprintf(&b, "int main(void) {\n%s\treturn 0;\n}\n", w.text.String())
	threads[0] = w.does
	return b.String(), threads
}

// A waitState is a state of the search.
type waitState struct {
	at    [3]int // by thread; -1: it has not begun
	x     int
	owner [2]int     // of the mutexes: a thread from 1, or 0
	sem   [2]int     // values
	waits [2][3]bool // by condition and thread: it waits for a signal
}

// next are the states behind a step of a thread; waits says that there is none, or that it only may wake up by itself.
func (s waitState) next(t int, threads [][]waitOp) (all []waitState, waits bool) {
	if s.at[t] < 0 || s.at[t] == len(threads[t]) {
		return nil, false
	}
	op := threads[t][s.at[t]]
	n := s
	n.at[t]++
	switch op.op {
	case "lock":
		if s.owner[op.v] != 0 {
			return nil, true
		}
		n.owner[op.v] = t + 1
	case "unlock":
		n.owner[op.v] = 0
	case "set":
		n.x = op.v
	case "add":
		n.x = (s.x + 1) % 3
	case "up":
		n.sem[op.v]++
	case "down":
		if s.sem[op.v] == 0 {
			return nil, true
		}
		n.sem[op.v]--
	case "signal":
		for w, waiting := range s.waits[op.v] {
			if waiting {
				m := n
				m.waits[op.v][w] = false
				all = append(all, m)
			}
		}
		if all != nil {
			return all, false
		}
	case "broadcast":
		n.waits[op.v] = [3]bool{}
	case "wait":
		n.owner[0], n.waits[op.v][t] = 0, true
	case "wake":
		waits = s.waits[op.v][t] && op.to == 0
		n.waits[op.v][t] = false
	case "unless":
		if s.x == op.v {
			n.at[t] = op.to
		}
	case "goto":
		n.at[t] = op.to
	case "create":
		n.at[op.v] = 0
	case "join":
		if s.at[op.v] != len(threads[op.v]) {
			return nil, true
		}
	}
	return []waitState{n}, waits
}

// mostUp is the value of a semaphore up to which schedules are looked at.
const mostUp = 12

// waitsForEver reports whether some schedule comes to where no thread goes on but by waking up without a signal;
// known is not set where a semaphore may have any value.
func waitsForEver(threads [][]waitOp) (waiting, known bool) {
	first := waitState{at: [3]int{0, -1, -1}}
	seen, todo := map[waitState]bool{first: true}, []waitState{first}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.at[0] == len(threads[0]) {
			continue // the process has ended
		}
		stuck, blocked := true, false
		for t := range threads {
			all, waits := s.next(t, threads)
			stuck, blocked = stuck && (waits || all == nil), blocked || waits
			for _, n := range all {
				if !seen[n] {
					seen[n] = true
					todo = append(todo, n)
				}
			}
		}
		if stuck && blocked {
			return true, true
		}
		if max(s.sem[0], s.sem[1]) > mostUp {
			return false, false
		}
	}
	return false, true
}

// checkWaiting checks a program for deadlocks with a method.
func checkWaiting(t *testing.T, text, method string, within time.Duration) *magus.Outcome {
	project, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(text)}}})
	require.NoError(t, err)
	claim, err := project.Property(magus.Property{Question: magus.NoDeadlock})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	o, err := magus.Check(ctx, claim, magus.Options{Threads: magus.Threads{Method: method}}, nil)
	require.NoError(t, err, text)
	return o
}

// TestRandomConditions: what is said of programs with condition variables is so in all schedules, or in one.
func TestRandomConditions(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(3))))
	count := map[string]int{}
	for n := range sample.Count(30) {
		text, threads := randomWaiting(rnd, false)
		want := magus.Conforms
		if waits, _ := waitsForEver(threads); waits {
			want = magus.Violates
		}
		compareWaiting(t, n, text, want, checkWaiting(t, text, "", 10*time.Second), count)
	}
	t.Log(count)
	if !sample.Whole() {
		return
	}
	require.Positive(t, count["conforms"])
	require.Positive(t, count["violates"])
}

// compareWaiting compares a verdict with what is so.
func compareWaiting(t *testing.T, n int, text string, want magus.Verdict, o *magus.Outcome, count map[string]int) {
	if o.Verdict == magus.Unknown {
		count[fmt.Sprintf("unknown (%v)", want)]++
		t.Logf("program %d: %v\n%s", n, o.Reason, text)
		return
	}
	require.Equal(t, want, o.Verdict, "program %d\n%s", n, text)
	count[want.String()]++
}

// TestRandomWaitingForEver: threads that wait for mutexes, conditions and semaphores in loops without an end
// stand in some schedule, or in none. The product of who waits for whom alone proves most of what has no
// deadlock, and nothing else.
func TestRandomWaitingForEver(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(5))))
	count, alone := map[string]int{}, map[string]int{}
	for n := range sample.Count(20) {
		text, threads := randomWaiting(rnd, true)
		waits, known := waitsForEver(threads)
		if !known {
			continue
		}
		want := magus.Conforms
		if waits {
			want = magus.Violates
		}
		if want == magus.Conforms {
			compareWaiting(t, n, text, want, checkWaiting(t, text, "standing-auto", 5*time.Second), alone)
		} else {
			require.Equal(t, magus.Unknown, checkWaiting(t, text, "standing-auto", 5*time.Second).Verdict,
				"program %d\n%s", n, text)
		}
		compareWaiting(t, n, text, want, checkWaiting(t, text, "", 10*time.Second), count)
	}
	t.Log(count, alone)
	if !sample.Whole() {
		return
	}
	require.Positive(t, count["conforms"])
	require.Positive(t, count["violates"])
	require.Positive(t, alone["conforms"])
}
