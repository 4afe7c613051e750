package events_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/source"
	"magus/internal/sample"
)

// The oracle: two threads over x and y, with a local variable each and two locks, executed step by step in
// all orders. It knows nothing of events, of automata or of C: a thread is a list of steps, which have a text
// for the program that is checked.

type kind int

const (
	read     kind = iota // t = v
	write                // v = n
	copied               // v = t + n
	ifEqual              // if (t == n) v = n + 1
	acquire              // of lock v
	released             // of lock v
)

type step struct {
	kind kind
	v, n int
}

func (s step) c() string {
	v, lock := [2]string{"x", "y"}[s.v], [2]string{"m", "k"}[s.v]
	return [...]string{"t = " + v + ";", fmt.Sprintf("%s = %d;", v, s.n), fmt.Sprintf("%s = t + %d;", v, s.n),
		fmt.Sprintf("if (t == %d) %s = %d;", s.n, v, s.n+1), "pthread_mutex_lock(&" + lock + ");",
		"pthread_mutex_unlock(&" + lock + ");"}[s.kind]
}

// A buffered write is not seen by the other thread yet.
type buffered struct{ v, n int }

type state struct {
	at, local [2]int
	shared    [2]int
	owner     [2]int // of the locks: thread + 1, or 0
	late      [2][4]buffered
	waiting   [2]int // how many of late
}

type oracle struct {
	threads [2][]step
	model   cfa.MemoryModel
	seen    map[state]bool
	// What it finds:
	ends             map[[2]int]bool // values of x and y at the end
	race, impassable bool
}

func explore(threads [2][]step, model cfa.MemoryModel) *oracle {
	o := &oracle{threads: threads, model: model, seen: map[state]bool{}, ends: map[[2]int]bool{}}
	work := []state{{}}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if o.seen[s] {
			continue
		}
		o.seen[s] = true
		next := o.next(s)
		if len(next) == 0 {
			if s.at[0] == len(threads[0]) && s.at[1] == len(threads[1]) {
				o.ends[s.shared] = true
			} else {
				o.impassable = true
			}
		}
		o.race = o.race || o.races(s)
		work = append(work, next...)
	}
	return o
}

// value is what a thread sees of a variable.
func (s *state) value(t, v int) int {
	for i := s.waiting[t] - 1; i >= 0; i-- {
		if s.late[t][i].v == v {
			return s.late[t][i].n
		}
	}
	return s.shared[v]
}

func (o *oracle) store(s *state, t, v, n int) {
	if o.model == cfa.SC {
		s.shared[v] = n
		return
	}
	s.late[t][s.waiting[t]] = buffered{v, n}
	s.waiting[t]++
}

func (o *oracle) next(s state) (all []state) {
	for t := range 2 {
		for i := range s.waiting[t] { // the oldest write of the thread, or of a variable, is seen
			first := true
			for _, b := range s.late[t][:i] {
				first = first && o.model == cfa.PSO && b.v != s.late[t][i].v
			}
			if first {
				n := s
				n.shared[n.late[t][i].v] = n.late[t][i].n
				copy(n.late[t][i:], n.late[t][i+1:])
				n.waiting[t]--
				n.late[t][n.waiting[t]] = buffered{}
				all = append(all, n)
			}
		}
		if s.at[t] == len(o.threads[t]) {
			continue
		}
		st, n := o.threads[t][s.at[t]], s
		n.at[t]++
		switch st.kind {
		case read:
			n.local[t] = s.value(t, st.v)
		case write:
			o.store(&n, t, st.v, st.n)
		case copied:
			o.store(&n, t, st.v, s.local[t]+st.n)
		case ifEqual:
			if s.local[t] == st.n {
				o.store(&n, t, st.v, st.n+1)
			}
		case acquire:
			if s.owner[st.v] != 0 || s.waiting[t] > 0 {
				continue
			}
			n.owner[st.v] = t + 1
		case released:
			if s.waiting[t] > 0 {
				continue
			}
			n.owner[st.v] = 0
		}
		all = append(all, n)
	}
	return all
}

// access is the variable that a thread comes to, and whether it writes; -1 if it does not access any.
func (o *oracle) access(s state, t int) (v int, writes bool) {
	if s.at[t] == len(o.threads[t]) {
		return -1, false
	}
	switch st := o.threads[t][s.at[t]]; st.kind {
	case read:
		return st.v, false
	case write, copied:
		return st.v, true
	case ifEqual:
		if s.local[t] == st.n {
			return st.v, true
		}
	}
	return -1, false
}

func (o *oracle) races(s state) bool {
	a, first := o.access(s, 0)
	b, second := o.access(s, 1)
	return a >= 0 && a == b && (first || second)
}

// randomThread is a list of at most four accesses, some of them in sections of one or two locks.
func randomThread(r *rand.Rand) (all []step) {
	access := func() {
		all = append(all, step{[]kind{read, read, write, copied, ifEqual}[r.IntN(5)], r.IntN(2), r.IntN(3)})
	}
	for range 1 + r.IntN(2) {
		switch r.IntN(4) {
		case 0:
			m := r.IntN(2)
			all = append(all, step{kind: acquire, v: m})
			access()
			if r.IntN(2) == 0 {
				all = append(all, step{kind: acquire, v: 1 - m})
				access()
				all = append(all, step{kind: released, v: 1 - m})
			}
			all = append(all, step{kind: released, v: m})
		default:
			access()
			access()
		}
	}
	return all
}

func programOf(threads [2][]step, end string) string {
	var b strings.Builder
	b.WriteString("#include <pthread.h>\nvoid reach_error(void); pthread_mutex_t m, k; int x, y;\n")
	for i, name := range []string{"one", "two"} {
		fmt.Fprintf(&b, "void *%s(void *p) { int t = 0; ", name)
		for _, s := range threads[i] {
			b.WriteString(s.c() + " ")
		}
		b.WriteString("return 0; }\n")
	}
	b.WriteString("int main(void) { pthread_t s, t; pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0);\n" +
		"pthread_join(s, 0); pthread_join(t, 0); " + end + " return 0; }\n")
	return b.String()
}

func verdictOf(t *testing.T, text string, question magus.Property, model cfa.MemoryModel) string {
	t.Helper()
	project, err := magus.Load(context.Background(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(text)}}})
	require.NoError(t, err, text)
	claim, err := project.Property(question)
	require.NoError(t, err)
	opt := magus.Options{}
	opt.Threads.MemoryModel = model
	outcome, err := magus.Check(context.Background(), claim, opt, nil)
	require.NoError(t, err)
	return outcome.Verdict.String()
}

func words(holds bool) string { return map[bool]string{true: "conforms", false: "violates"}[holds] }

// Random threads come to those values, races and deadlocks that some order of their steps comes to, under
// each memory model.
func TestThreadsDoWhatTheirStepsDo(t *testing.T) {
	found := map[string]int{}
	for seed := range sample.Seeds(0, sample.Count(36)) {
		r := rand.New(rand.NewPCG(seed, 7))
		threads := [2][]step{randomThread(r), randomThread(r)}
		model := []cfa.MemoryModel{cfa.SC, cfa.TSO, cfa.PSO}[seed%3]
		o := explore(threads, model)
		for range 2 {
			x, y := r.IntN(4), r.IntN(4)
			text := programOf(threads, fmt.Sprintf("if (x == %d && y == %d) reach_error();", x, y))
			want := words(!o.ends[[2]int{x, y}])
			found[want]++
			require.Equal(t, want, verdictOf(t, text, magus.Property{}, model), "%v\n%s", model, text)
		}
		if model == cfa.SC {
			text := programOf(threads, "")
			found["race "+words(!o.race)]++
			require.Equal(t, words(!o.race), verdictOf(t, text, magus.Property{Question: magus.NoRace}, model), text)
			found["deadlock "+words(!o.impassable)]++
			require.Equal(t, words(!o.impassable), verdictOf(t, text, magus.Property{Question: magus.NoDeadlock}, model), text)
		}
	}
	if sample.Whole() {
		for _, what := range []string{"conforms", "violates", "race conforms", "race violates", "deadlock conforms"} {
			require.Positive(t, found[what], what)
		}
	}
	t.Log(found)
}
