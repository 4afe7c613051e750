package magus_test

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/component"
	"magus/internal/graph"
	"magus/internal/sample"
	"magus/specs"
)

// A deed is one step of a thread: kind "act", "lock", "unlock", "set", "await", "post", "wait", "any" (a choice
// where to go on), "goto", "join", "tire" (wait for ever in a certain round) or "end".
type deed struct {
	kind, name string
	value, to  int
}

// A doer is a thread: its text, and its deeds.
type doer struct {
	text  strings.Builder
	deeds []deed
}

func (d *doer) add(text string, s deed) {
	d.text.WriteString("\t" + text + "\n")
	d.deeds = append(d.deeds, s)
}

// block adds some statements, with locks that are free.
func (d *doer) block(rnd *rand.Rand, acts, locks []string, depth int) {
	for range 1 + rnd.Intn(3) {
		flag, value, act := []string{"f", "g"}[rnd.Intn(2)], rnd.Intn(2), acts[rnd.Intn(len(acts))]
		switch kind := rnd.Intn(10); {
		case kind < 2 && depth < 2 && len(locks) > 0:
			k := rnd.Intn(len(locks))
			d.add("pthread_mutex_lock(&"+locks[k]+");", deed{kind: "lock", name: locks[k]})
			d.block(rnd, acts, slices.Delete(slices.Clone(locks), k, k+1), depth+1)
			d.add("pthread_mutex_unlock(&"+locks[k]+");", deed{kind: "unlock", name: locks[k]})
		case kind == 2:
			d.add(fmt.Sprintf("%s = %d;", flag, value), deed{kind: "set", name: flag, value: value})
		case kind == 3:
			d.add(fmt.Sprintf("while (%s != %d) ;", flag, value), deed{kind: "await", name: flag, value: value})
		case kind == 4:
			d.add("sem_post(&s);", deed{kind: "post"})
		case kind == 5:
			d.add("sem_wait(&s);", deed{kind: "wait"})
		case kind == 6 && depth < 2:
			at := len(d.deeds)
			d.add("if (any()) {", deed{kind: "any"})
			d.block(rnd, acts, locks, depth+1)
			d.deeds[at].to = len(d.deeds)
			d.text.WriteString("\t}\n")
		default:
			d.add(`__MAGUS_ACTION__("`+act+`");`, deed{kind: "act", name: act})
		}
	}
}

// randomDoer is a thread, main if number is 0.
func randomDoer(rnd *rand.Rand, number, threads int) *doer {
	d := &doer{}
	acts := []string{"a", "b", "c"}
	rnd.Shuffle(3, func(i, j int) { acts[i], acts[j] = acts[j], acts[i] })
	loops := rnd.Intn(5) < 3
	if loops {
		d.text.WriteString("\tfor (;;) {\n")
	}
	d.block(rnd, acts[:2], []string{"m", "k"}[:1+rnd.Intn(2)], 0)
	if loops {
		d.add("}", deed{kind: "goto"})
	}
	for i := 1; i < threads && number == 0 && !loops; i++ {
		d.add(fmt.Sprintf("pthread_join(t%d, 0);", i), deed{kind: "join", value: i})
	}
	d.deeds = append(d.deeds, deed{kind: "end"})
	return d
}

// tires has a thread that goes round for ever wait in one of the rounds.
func (d *doer) tires(number, round int) {
	back := slices.IndexFunc(d.deeds, func(s deed) bool { return s.kind == "goto" })
	if back < 0 {
		return
	}
	d.deeds = slices.Insert(d.deeds, back, deed{kind: "tire", value: round})
	text := strings.TrimSuffix(d.text.String(), "\t}\n")
	d.text.Reset()
	fmt.Fprintf(&d.text, "%s\tif (++round%d == %d) sem_wait(&never);\n\t}\n", text, number, round)
}

// A doing is where all threads are, who has the locks (-1: nobody), the semaphore, and the flags; over is the end of
// the process.
type doing struct {
	at    [3]int // -1: ended
	locks [2]int
	sem   int
	flags [2]int
	over  bool
	round [3]int // of threads that tire
}

func (d doing) moved(t, to int) doing { d.at[t] = to; return d }

// A done is a step.
type done struct {
	to     int
	action string
	by     int
}

// A world has all states of some threads.
type world struct {
	threads []*doer
	index   map[doing]int
	states  []doing
	steps   [][]done
	able    []uint
}

// explore finds all states; nil if they are too many.
func explore(threads []*doer, sem int) *world {
	w := &world{threads: threads, index: map[doing]int{}}
	w.meet(doing{locks: [2]int{-1, -1}, sem: sem})
	for i := 0; i < len(w.states); i++ {
		if len(w.states) > 4000 || w.states[i].sem > 5 {
			return nil
		}
		for t := range threads {
			for _, next := range w.next(w.states[i], t) {
				action := ""
				if s := threads[t].deeds[w.states[i].at[t]]; s.kind == "act" {
					action = s.name
				}
				w.steps[i] = append(w.steps[i], done{w.meet(next), action, t})
				w.able[i] |= 1 << t
			}
		}
	}
	return w
}

// text is the program, with a semaphore of a value.
func (w *world) text(sem int) string {
	c := "#include <pthread.h>\n#include <semaphore.h>\nvoid __MAGUS_ACTION__(const char *);\nint any(void);\n" +
		"static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;\nstatic sem_t s, never;\n" +
		"static int f, g, round0, round1, round2;\n"
	begin := fmt.Sprintf("\tpthread_t t1, t2;\n\tsem_init(&s, 0, %d);\n", sem)
	for i, d := range w.threads[1:] {
		c += fmt.Sprintf("static void *w%d(void *p) {\n%s\treturn p;\n}\n", i+1, &d.text)
		begin += fmt.Sprintf("\tpthread_create(&t%d, 0, w%d, 0);\n", i+1, i+1)
	}
	return c + "int main(void) {\n" + begin + w.threads[0].text.String() + "\treturn 0;\n}\n"
}

func (w *world) meet(d doing) int {
	i, ok := w.index[d]
	if !ok {
		i = len(w.states)
		w.index[d] = i
		w.states, w.steps, w.able = append(w.states, d), append(w.steps, nil), append(w.able, 0)
	}
	return i
}

// next are the states behind a step of a thread.
func (w *world) next(d doing, t int) []doing {
	if d.over || d.at[t] < 0 {
		return nil
	}
	s := w.threads[t].deeds[d.at[t]]
	on := d.moved(t, d.at[t]+1)
	lock, flag := slices.Index([]string{"m", "k"}, s.name), slices.Index([]string{"f", "g"}, s.name)
	switch s.kind {
	case "lock":
		if d.locks[lock] >= 0 {
			return nil
		}
		on.locks[lock] = t
	case "unlock":
		on.locks[lock] = -1
	case "set":
		on.flags[flag] = s.value
	case "await":
		if d.flags[flag] != s.value {
			on = d
		}
	case "post":
		on.sem++
	case "wait":
		if on.sem--; d.sem == 0 {
			return nil
		}
	case "any":
		return []doing{on, d.moved(t, s.to)}
	case "tire":
		if d.round[t] == s.value {
			return nil
		}
		if on.round[t]++; on.round[t] == s.value {
			on.at[t] = d.at[t]
		}
	case "goto":
		on = d.moved(t, 0)
	case "join":
		if d.at[s.value] >= 0 {
			return nil
		}
	case "end":
		on = d.moved(t, -1)
		on.over = t == 0
	}
	return []doing{on}
}

// goesRound reports whether some fair run stays among states for ever, by steps that are kept.
func (w *world) goesRound(among []int, keep func(done) bool, fair component.Fairness) bool {
	in := map[int]int{}
	for k, n := range among {
		in[n] = k
	}
	scc := graph.SCC(graph.Func{Nodes: len(among), Succ: func(k int, yield func(int)) {
		for _, s := range w.steps[among[k]] {
			if to, ok := in[s.to]; ok && keep(s) {
				yield(to)
			}
		}
	}})
	for c, part := range scc.Members() {
		moved, always, some := uint(0), ^uint(0), uint(0)
		for _, k := range part {
			always, some = always&w.able[among[k]], some|w.able[among[k]]
			for _, s := range w.steps[among[k]] {
				if to, ok := in[s.to]; ok && keep(s) && int(scc.Of[to]) == c {
					moved |= 1 << s.by
				}
			}
		}
		var rest []int
		for _, k := range part {
			if w.able[among[k]]&(some&^moved) == 0 {
				rest = append(rest, among[k])
			}
		}
		switch {
		case moved == 0, fair == component.WeakFairness && always&^moved != 0:
		case fair != component.StrongFairness, len(rest) == len(part):
			return true
		case w.goesRound(rest, keep, fair):
			return true
		}
	}
	return false
}

// answers reports whether in all fair runs each p is followed by a q.
func (w *world) answers(p, q string, fair component.Fairness) bool {
	var pending []int
	met := map[int]bool{}
	meet := func(n int) {
		if !met[n] {
			met[n], pending = true, append(pending, n)
		}
	}
	for _, steps := range w.steps {
		for _, s := range steps {
			if s.action == p {
				meet(s.to)
			}
		}
	}
	keep := func(s done) bool { return s.action != q }
	for i := 0; i < len(pending); i++ {
		if len(w.steps[pending[i]]) == 0 {
			return false
		}
		for _, s := range w.steps[pending[i]] {
			if keep(s) {
				meet(s.to)
			}
		}
	}
	return !w.goesRound(pending, keep, fair)
}

// sets reports whether in all fair runs f has a value again and again.
func (w *world) sets(value int, fair component.Fairness) bool {
	var other []int
	for i, s := range w.states {
		if s.flags[0] != value {
			if len(w.steps[i]) == 0 {
				return false
			}
			other = append(other, i)
		}
	}
	return !w.goesRound(other, func(done) bool { return true }, fair)
}

// endless reports whether some run goes on for ever without an action.
func (w *world) endless(action string) bool {
	var all []int
	for i := range w.states {
		all = append(all, i)
	}
	return w.goesRound(all, func(s done) bool { return s.action != action }, component.NoFairness)
}

// What random threads do at last is as all their runs have it, by an explicit product with its strongly connected
// parts.
func TestRandomLivenessOfThreads(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	count, unknown := map[magus.Verdict]int{}, 0
	for n := range sample.Count(20) {
		number, sem := 2+rnd.Intn(2), rnd.Intn(3)
		var threads []*doer
		for i := range number {
			threads = append(threads, randomDoer(rnd, i, number))
		}
		w := explore(threads, sem)
		if w == nil {
			continue
		}
		p, q := []string{"a", "b", "c"}[rnd.Intn(3)], []string{"a", "b", "c"}[rnd.Intn(3)]
		fair := []component.Fairness{component.NoFairness, component.WeakFairness, component.StrongFairness}[rnd.Intn(3)]
		c := w.text(sem)
		value := rnd.Intn(2)
		text := fmt.Sprintf("assert A = [](%s -> <> %s)\nassert F = []<> f == %d\nS = ( tau -> STOP | %s -> S ).\n"+
			"program main { assert A; assert F; }\n"+
			"program main { relation failures-divergences; specification s, {(1)}, S; }\n",
			p, q, value, p)
		prog, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(text)}}})
		require.NoError(t, err, c)
		claims, err := prog.Claims(magus.Selection{Fairness: fair})
		require.NoError(t, err)
		require.Len(t, claims, 3)
		_, claims[0], err = claims[0].Halves(t.Context())
		require.NoError(t, err)
		for k, holds := range []bool{!w.endless(p), p == q || w.answers(p, q, fair), w.sets(value, fair)} {
			want := magus.Violates
			if holds {
				want = magus.Conforms
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			o, err := magus.Check(ctx, claims[k], magus.Options{}, nil)
			cancel()
			require.NoError(t, err, "program %d\n%s\n%s", n, c, text)
			if o.Verdict == magus.Unknown {
				unknown++
				t.Logf("program %d, %s: unknown: %v", n, o.Claim, o.Reason.Text)
				continue
			}
			count[want]++
			require.Equal(t, want, o.Verdict, "program %d, %s\n%s\n%s", n, o.Claim, c, text)
		}
	}
	t.Logf("%v, unknown %d", count, unknown)
	if !sample.Whole() {
		return
	}
	require.Greater(t, count[magus.Conforms], unknown)
	require.Greater(t, count[magus.Violates], unknown)
}
