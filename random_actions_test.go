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
	"magus/cfa"
	"magus/cfa/source"
	"magus/component"
	"magus/engine/cegar"
	"magus/internal/sample"
	"magus/specs"
)

// An actor is a thread by its statements, one step each, as C text and as what a brute search over all interleavings
// goes through. The shared variables are x, y and z, the mutexes m0 and m1, the semaphore s.
type actor []acts

// acts is one statement. Of jumps, to is where it goes, in statements.
type acts struct {
	// act, set, read, write, lock, unlock, wait, post, if, unless, choose, goto, begin, end, create, join, return, exit
	op    string
	name  string // an action
	v     int    // a variable, mutex or thread
	value int
	to    int
}

// An actorWriter writes the text and the statements of a thread at once.
type actorWriter struct {
	rnd     *rand.Rand
	actions []string
	text    strings.Builder
	does    actor
	within  bool // a section
	alone   bool // a component, without calls, semaphores and ends of the process
	apart   bool // no action is in a section or a routine
}

func (w *actorWriter) do(s acts, format string, args ...any) {
	w.does = append(w.does, s)
	fmt.Fprintf(&w.text, "\t"+format+"\n", args...)
}

func (w *actorWriter) act() {
	a := w.actions[w.rnd.Intn(len(w.actions))]
	w.do(acts{op: "act", name: a}, "__MAGUS_ACTION__(\"%s\");", a)
}

var actorVars = []string{"x", "y", "z"}

// some writes some statements.
func (w *actorWriter) some(n, depth int) {
	for range n {
		v, value := w.rnd.Intn(len(actorVars)), w.rnd.Intn(3)
		switch k := w.rnd.Intn(17); {
		case w.alone && (k == 15 || k == 9 || k == 12):
			w.act()
		case w.apart && (k == 15 || k == 10):
			w.act()
		case k == 15:
			w.do(acts{op: "either"}, "t = either();")
		case k < 5:
			w.act()
		case k < 7:
			w.do(acts{op: "set", v: v, value: value}, "%s = %d;", actorVars[v], value)
		case k == 7:
			w.do(acts{op: "read", v: v}, "t = %s;", actorVars[v])
			w.do(acts{op: "write", v: v}, "%s = (t + 1) %% 3;", actorVars[v])
		case k == 8 && !w.within && depth > 0:
			m := w.rnd.Intn(2)
			w.do(acts{op: "lock", v: m}, "pthread_mutex_lock(&m%d);", m)
			w.some(1+w.rnd.Intn(2), depth-1)
			w.do(acts{op: "unlock", v: m}, "pthread_mutex_unlock(&m%d);", m)
		case k == 9 && !w.within:
			if w.rnd.Intn(2) == 0 {
				w.do(acts{op: "wait"}, "sem_wait(&s);")
			} else {
				w.do(acts{op: "post"}, "sem_post(&s);")
			}
		case k == 10 && !w.within && depth > 0:
			w.within = true
			w.do(acts{op: "begin"}, "__VERIFIER_atomic_begin();")
			w.some(1+w.rnd.Intn(2), 0)
			w.do(acts{op: "end"}, "__VERIFIER_atomic_end();")
			w.within = false
		case k == 11 && !w.within && w.rnd.Intn(3) == 0:
			at := len(w.does)
			w.do(acts{op: "if", v: v, value: value, to: at + 2}, "while (%s != %d)", actorVars[v], value)
			w.do(acts{op: "goto", to: at}, "\t;")
		case k == 12 && !w.within && w.rnd.Intn(6) == 0:
			w.do(acts{op: "exit"}, "exit(0);")
		case depth > 0:
			w.branch(v, value, depth)
		}
	}
}

// branch writes a branch, on a variable or a choice.
func (w *actorWriter) branch(v, value, depth int) {
	at := len(w.does)
	if w.rnd.Intn(3) == 0 {
		w.do(acts{op: "choose"}, "if (__VERIFIER_nondet_int()) {")
	} else {
		w.do(acts{op: "unless", v: v, value: value}, "if (%s == %d) {", actorVars[v], value)
	}
	w.some(1+w.rnd.Intn(2), depth-1)
	if w.rnd.Intn(2) == 0 {
		w.does[at].to = len(w.does)
		w.text.WriteString("\t}\n")
		return
	}
	over := len(w.does)
	w.do(acts{op: "goto"}, "} else {")
	w.does[at].to = len(w.does)
	w.some(1+w.rnd.Intn(2), depth-1)
	w.does[over].to = len(w.does)
	w.text.WriteString("\t}\n")
}

// An acting program has the main thread first.
type acting struct {
	text    string
	threads []actor
	back    int // what main returns
}

func randomActing(rnd *rand.Rand, actions []string) acting {
	return randomActingOf(rnd, actions, false)
}

// randomActingOf is a random program, without actions in sections and routines if they are to be apart.
func randomActingOf(rnd *rand.Rand, actions []string, apart bool) acting {
	var p acting
	var b strings.Builder
	b.WriteString("#include <pthread.h>\n#include <semaphore.h>\n" + waiterHeader + "void exit(int);\n" +
		"void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n" +
		"int either(void);\nstatic int x, y, z;\nstatic pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, " +
		"m1 = PTHREAD_MUTEX_INITIALIZER;\n" +
		"static sem_t s;\n")
	p.threads = append(p.threads, nil)
	workers := 1 + rnd.Intn(2)
	for i := range workers {
		w := &actorWriter{rnd: rnd, actions: actions, apart: apart}
		w.some(2+rnd.Intn(3), 2)
		w.does = append(w.does, acts{op: "return"})
		fmt.Fprintf(&b, "static void *w%d(void *p) {\n\tint t = 0;\n%s\treturn p;\n}\n", i+1, w.text.String())
		p.threads = append(p.threads, w.does)
	}
	w := &actorWriter{rnd: rnd, actions: actions, apart: apart}
	w.text.WriteString("\tpthread_t h1, h2;\n\tint t = 0;\n\tsem_init(&s, 0, 0);\n")
	if rnd.Intn(3) == 0 {
		w.some(1, 1)
	}
	for i := range workers {
		w.do(acts{op: "create", v: i + 1}, "pthread_create(&h%d, 0, w%d, 0);", i+1, i+1)
		if rnd.Intn(3) == 0 {
			w.some(1, 1)
		}
	}
	w.some(rnd.Intn(3), 1)
	if rnd.Intn(3) > 0 {
		for i := range workers {
			w.do(acts{op: "join", v: i + 1}, "pthread_join(h%d, 0);", i+1)
		}
		w.some(rnd.Intn(2), 1)
	}
	p.back = rnd.Intn(2)
	w.does = append(w.does, acts{op: "exit", value: 1})
	fmt.Fprintf(&b, "int main(void) {\n%s\treturn %d;\n}\n", w.text.String(), p.back)
	p.threads[0], p.text = w.does, b.String()
	return p
}

// creates reports whether control can come to where main creates a thread.
func (a actor) creates() bool {
	end := slices.IndexFunc(a, func(s acts) bool { return s.op == "exit" })
	return slices.ContainsFunc(a[:end], func(s acts) bool { return s.op == "create" })
}

// An instant is a state of the brute search.
type instant struct {
	at, tmp  []int // by thread; at -1: it has not begun, -2: it has ended
	vars     [3]int
	holds    [2]int // by mutex: its thread, or -1
	sem      int
	within   int // the thread in a section, or -1
	late     [][][2]int
	known    []int // states of the specification
	returned bool
}

func (m instant) clone() instant {
	m.at, m.tmp, m.late = slices.Clone(m.at), slices.Clone(m.tmp), slices.Clone(m.late)
	return m
}

// An interleaver makes all interleavings.
type interleaver struct {
	p        acting
	spec     spec
	observed []string
	back     bool // the return of 0 is observed, as the action ret
	model    cfa.MemoryModel
	broken   bool // something forbidden is performed
	stuck    bool // there is a deadlock
	refused  bool // the specification is not offered enough where all stand
	large    bool
}

func (e *interleaver) run() {
	first := instant{at: make([]int, len(e.p.threads)), tmp: make([]int, len(e.p.threads)), holds: [2]int{-1, -1},
		within: -1, late: make([][][2]int, len(e.p.threads)), known: []int{0}}
	for i := range first.at[1:] {
		first.at[i+1] = -1
	}
	todo, seen := []instant{first}, map[string]bool{}
	for len(todo) > 0 {
		m := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		goes, waits := false, false
		meet := func(next instant) {
			goes = true
			if k := fmt.Sprint(next); !seen[k] {
				seen[k] = true
				todo = append(todo, next)
			}
		}
		for t := range e.p.threads {
			e.seen(m, t, meet)
			waits = e.step(m, t, meet) || waits
		}
		e.refused = e.refused || e.refuses(m)
		if !goes && waits && !m.returned && m.within < 0 {
			e.stuck = true
		}
		if e.large = len(seen) > 60_000; e.large {
			return
		}
	}
}

// seen has others see a write of a thread.
func (e *interleaver) seen(m instant, t int, meet func(instant)) {
	if m.returned || m.within >= 0 {
		return
	}
	met := map[int]bool{}
	for i, w := range m.late[t] {
		if met[w[0]] {
			continue
		}
		met[w[0]] = true
		next := m.clone()
		next.vars[w[0]] = w[1]
		next.late[t] = slices.Delete(slices.Clone(m.late[t]), i, i+1)
		meet(next)
		if e.model == cfa.TSO {
			return
		}
	}
}

// value is what a thread reads.
func (m *instant) value(t, v int) int {
	for _, w := range slices.Backward(m.late[t]) {
		if w[0] == v {
			return w[1]
		}
	}
	return m.vars[v]
}

// store makes a write of a thread.
func (e *interleaver) store(m *instant, t, v, value int) {
	others := slices.ContainsFunc(m.at[1:], func(at int) bool { return at != -1 })
	if e.model == cfa.SC || m.within == t || !others {
		m.vars[v] = value
		return
	}
	m.late[t] = append(slices.Clone(m.late[t]), [2]int{v, value})
}

// step makes all steps of a thread, and reports whether it waits for others.
func (e *interleaver) step(m instant, t int, meet func(instant)) (waits bool) {
	if m.returned || m.at[t] < 0 || m.within >= 0 && m.within != t {
		return false
	}
	s := e.p.threads[t][m.at[t]]
	fence := []string{"lock", "unlock", "wait", "post", "begin", "create", "join"}
	if len(m.late[t]) > 0 && (slices.Contains(fence, s.op) || s.op == "return") {
		return false
	}
	next := m.clone()
	next.at[t]++
	switch s.op {
	case "act":
		if !e.performs(&next, s.name) {
			return false
		}
	case "set":
		e.store(&next, t, s.v, s.value)
	case "read":
		next.tmp[t] = m.value(t, s.v)
	case "write":
		e.store(&next, t, s.v, (m.tmp[t]+1)%3)
	case "lock":
		if m.holds[s.v] >= 0 {
			return true
		}
		next.holds[s.v] = t
	case "unlock":
		next.holds[s.v] = -1
	case "wait":
		if m.sem == 0 {
			return true
		}
		next.sem--
	case "post":
		next.sem++
	case "if":
		if m.value(t, s.v) == s.value {
			next.at[t] = s.to
		}
	case "unless":
		if m.value(t, s.v) != s.value {
			next.at[t] = s.to
		}
	case "choose":
		other := next.clone()
		other.at[t] = s.to
		meet(other)
	case "goto":
		next.at[t] = s.to
	case "either": // a, and then b or nothing, and 1; or nothing, and 2
		if m.tmp[t] >= 0 {
			none := next.clone()
			none.tmp[t] = 2
			meet(none)
			next.at[t], next.tmp[t] = m.at[t], -1
			if !e.performs(&next, "a") {
				return false
			}
			break
		}
		next.tmp[t] = 1
		if other := next.clone(); e.performs(&other, "b") {
			meet(other)
		}
	case "begin":
		next.within = t
	case "end":
		next.within = -1
	case "create":
		next.at[s.v] = 0
	case "join":
		if m.at[s.v] != -2 {
			return true
		}
	case "return":
		next.at[t] = -2
	case "exit":
		if e.back && s.value == 1 && (e.p.back != 0 || !e.performs(&next, "ret")) {
			e.broken = true
			return false
		}
		next.returned = true
	}
	meet(next)
	return false
}

// performs has the specification see an action, and reports whether it allows it.
func (e *interleaver) performs(m *instant, action string) bool {
	if !slices.Contains(e.observed, action) {
		return true
	}
	m.known = e.spec.after(m.known, action)
	bad := len(m.known) == 0
	if e.spec.asksOpposite() {
		bad = slices.Contains(m.known, wrongState)
	}
	e.broken = e.broken || bad
	return !bad
}

// wrongState is the state that is ERROR, in specifications that lead to it.
const wrongState = 9

// asksOpposite reports whether ERROR can be reached.
func (s spec) asksOpposite() bool {
	met := []int{0}
	for i := 0; i < len(met); i++ {
		for _, e := range s[met[i]] {
			if e.to == wrongState {
				return true
			}
			if !slices.Contains(met, e.to) {
				met = append(met, e.to)
			}
		}
	}
	return false
}

// actingSpec writes a specification; the action ret is the return of 0.
func actingSpec(s spec, observed []string) string {
	text := strings.ReplaceAll(s.text(observed), fmt.Sprintf("S%d", wrongState), "ERROR")
	for _, end := range []string{" ", ",", "\n"} {
		text = strings.ReplaceAll(text, " ret"+end, " return {$0 == 0}"+end)
	}
	return text + "Either = ( a -> After | return {$0 == 2} -> STOP ), After = ( b -> return {$0 == 1} " +
		"-> STOP | return {$0 == 1} -> STOP ).\n" +
		"procedure either { abstract { (1), Either }; }\nprogram main { specification s, {(1)}, S0; }\n"
}

// What random programs with threads do is forbidden just if some interleaving does it, under each memory
// model; and they wait for each other for ever just if some interleaving comes to that.
func TestRandomThreadActions(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	count := map[string]int{}
	for n := range sample.Count(60) {
		actions := []string{"a", "b", "c"}[:1+rnd.Intn(3)]
		p := randomActing(rnd, []string{"a", "b", "c"})
		observed, model := actions, []cfa.MemoryModel{cfa.SC, cfa.SC, cfa.TSO, cfa.PSO}[rnd.Intn(4)]
		back := rnd.Intn(4) == 0
		if back {
			observed = append(slices.Clone(actions), "ret")
		}
		s := randomSpec(rnd, observed)
		for i := range s { // most allow more
			for _, a := range observed {
				if rnd.Intn(3) > 0 {
					s[i] = append(s[i], specEdge{a, rnd.Intn(len(s))})
				}
			}
		}
		if rnd.Intn(5) == 0 && !back {
			i := rnd.Intn(len(s))
			s[i] = append(s[i], specEdge{observed[rnd.Intn(len(observed))], wrongState})
		}
		e := &interleaver{p: p, spec: s, observed: observed, back: back, model: model}
		if e.run(); e.large {
			count["large"]++
			continue
		}
		spec := actingSpec(s, observed)
		project, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(p.text)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(spec)}}})
		require.NoError(t, err)
		claims, err := project.Claims(magus.Selection{})
		require.NoError(t, err)
		require.Len(t, claims, 1)
		want := magus.Conforms
		if e.broken {
			want = magus.Violates
		}
		opt := magus.Options{Threads: magus.Threads{MemoryModel: model}}
		text := fmt.Sprintf("program %d, %v\n%s%s", n, model, p.text, spec)
		o, err := checkedAgain(t, claims[0], opt, n%5 == 0)
		require.NoError(t, err, text)
		decided(t, count, "", want, o, text)
		if model == cfa.SC && n%4 == 0 && p.threads[0].creates() { // one method alone, which need not come to an end
			opt.Threads.Method = actingMethods[n/4%len(actingMethods)]
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			o, err := magus.Check(ctx, claims[0], opt, nil)
			cancel()
			require.NoError(t, err, text)
			decided(t, count, opt.Threads.Method+" ", want, o, text)
		}
		if model != cfa.SC || e.broken { // behind what is forbidden it did not look
			continue
		}
		dead, err := project.Properties(magus.Property{Question: component.NoDeadlock})
		require.NoError(t, err)
		want = magus.Conforms
		if e.stuck {
			want = magus.Violates
		}
		o, err = checkedAgain(t, dead[0], magus.Options{}, n%5 == 0)
		require.NoError(t, err)
		decided(t, count, "deadlock ", want, o, fmt.Sprintf("deadlock of program %d\n%s", n, p.text))
	}
	t.Log(count)
	if sample.Whole() {
		require.Greater(t, count[magus.Conforms.String()], 10)
		require.Greater(t, count[magus.Violates.String()], 10)
		require.Positive(t, count["deadlock "+magus.Violates.String()])
		require.Less(t, count[magus.Unknown.String()], 6)
	}
}

// actingMethods are asked alone for some programs.
var actingMethods = []string{"product-auto", "product-pdr", "modular-auto", "moves-auto", "locations-auto",
	"slice", "runs"}

// decided counts a verdict, which must not be the wrong one.
func decided(t *testing.T, count map[string]int, of string, want magus.Verdict, o *magus.Outcome, program string) {
	t.Helper()
	if o.Verdict != magus.Unknown {
		require.Equal(t, want, o.Verdict, "%s", program)
	} else if of == "" && count["unknown"] < 3 {
		t.Logf("unknown: %v\n%s", o.Reason, program)
	}
	count[of+o.Verdict.String()]++
}

// checkedAgain checks a claim, and perhaps the certificate of its verdict.
func checkedAgain(t *testing.T, c *magus.Claim, opt magus.Options, certified bool) (*magus.Outcome, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // a deadlock of threads that go round has no proof
	defer cancel()
	s, err := magus.NewSession(ctx, c, opt)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for {
		end, ok := s.Step(ctx).(cegar.Ended)
		if !ok {
			continue
		}
		if certified && end.Outcome.Verdict != magus.Unknown {
			cert, err := s.Certificate(t.Context())
			if err != nil {
				return nil, err
			}
			if err := magus.Verify(t.Context(), c, opt, cert); err != nil {
				return nil, err
			}
		}
		return end.Outcome, nil
	}
}
