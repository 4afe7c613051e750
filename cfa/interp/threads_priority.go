package interp

// Runs of a program with threads by priorities.
//
// Idea: each thread gets a random priority when it begins, and of those that can make a step the one
// of the highest priority does. At a few random moments the running thread falls below all others. An
// error that needs few changes of threads is found so with a probability that does not depend on how
// long the run is, where random schedules hardly find it.
//
// Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs" (2010). Deviation: a thread that only goes round in a loop would keep
// others from running, so after many steps of its own it falls too. In every other run the process
// does not end while some thread goes on. The first runs are those that come to mind first. In some
// runs threads alternate: who has written what others see falls back; all threads are created
// before, and the main one comes last. Values that grow by each other grow most so.
//
// Cost: as in threads_walk.go; a section that waits in the middle costs what it has executed. One that has chosen
// nothing is tried again when others may see something new.

import (
	"context"
	"math/rand"
	"slices"

	"magus/cfa"
	"magus/internal/graph"
	"magus/smt/expr"
)

// mostSlice bounds the steps of a thread before another one goes on.
const mostSlice = 5_000

// eagerOf says that one in so many later runs is eager: such runs are long.
const eagerOf = 16

// FirstRuns are those whose priorities are not drawn.
const FirstRuns = 5

// A Prober makes such runs of one automaton. It is used by one goroutine at a time.
type Prober struct {
	m      *Machine
	w      *walker
	length int // of the longest run so far: moments are drawn from it
	runs   int
	// By location: whether a thread may come to create another, whether it goes round a loop that does, and whether
	// what is written there others see.
	creates, rounds, writes []bool
}

// NewProber makes runs that are the same for the same seed.
func NewProber(m *Machine, seed int64) *Prober {
	p := &Prober{m: m, w: &walker{m: m, rnd: rand.New(rand.NewSource(seed)), pool: m.constants()}, length: 1,
		writes: make([]bool, len(m.locs))}
	shared := map[*expr.Expr]bool{}
	for _, v := range m.cfa.Shared() {
		shared[v] = true
	}
	for l := range m.locs {
		_, written := m.cfa.Accesses(cfa.Loc(l))
		p.writes[l] = slices.ContainsFunc(written, func(v *expr.Expr) bool { return shared[v] })
	}
	p.creates, p.rounds = m.creating(), m.creatingAgain()
	return p
}

// creating says by location whether a thread may come to create another one.
func (m *Machine) creating() []bool {
	var spawns []int
	for l := range m.locs {
		if _, ok := m.locs[l].stmt.(cfa.Spawn); ok {
			spawns = append(spawns, l)
		}
	}
	return graph.Reachable(graph.Reverse(m.cfa.ThreadGraph()), spawns...)
}

// creatingAgain says by location whether a thread goes round a loop there in which it creates another one.
func (m *Machine) creatingAgain() []bool {
	g := m.cfa.ThreadGraph()
	components := graph.SCC(g)
	onCycle, creates := components.OnCycle(g), make([]bool, components.Count)
	for l := range m.locs {
		if _, spawns := m.locs[l].stmt.(cfa.Spawn); spawns && onCycle[l] {
			creates[components.Of[l]] = true
		}
	}
	again := make([]bool, len(m.locs))
	for l := range again {
		again[l] = creates[components.Of[l]]
	}
	return again
}

// Run makes a run of at most most statements in which the running thread falls back changes times. It returns how
// many statements it has executed, also in sections that then had to wait, and if it performs an action the script
// that ends with it. The error is ctx's.
func (p *Prober) Run(ctx context.Context, most, changes int, action string) (int, *ThreadScript, error) {
	s := p.m.InitialThreads(nil).clone()
	r := &priorities{ThreadState: &s, p: p, stuck: make([]bool, len(s.at)), blocked: make([]bool, len(s.at)),
		last: -1}
	r.choose(len(s.at))
	r.look()
	for i := 0; i < changes && p.runs > FirstRuns; i++ {
		r.changes = append(r.changes, p.w.rnd.Intn(p.length))
	}
	script := &ThreadScript{}
	for r.n+r.vain < most && !s.ended {
		if ctx.Err() != nil {
			return r.n + r.vain, nil, context.Cause(ctx)
		}
		t := r.next()
		if t < 0 {
			break
		}
		p.w.insists = r.eager && p.rounds[s.at[t]]
		next, made, end := p.w.recorded(s, t, action)
		if end == waits {
			r.waits(t, made)
			continue
		}
		script.Steps = append(script.Steps, made...)
		if end == performs {
			return len(script.Steps) + r.vain, script, nil
		}
		s = next
		r.made(t, made)
	}
	p.length = max(p.length, len(script.Steps))
	return r.n + r.vain, nil, nil
}

// choose gives threads priorities, and says whether the process ends only when nobody else goes on,
// and whether threads alternate. In the first runs the threads run when all are created, the first
// one first or the last one first, or each as soon as it is created; then they alternate.
func (r *priorities) choose(threads int) {
	p := r.p
	p.runs++
	if p.runs > FirstRuns {
		r.rank, r.late, r.alternate = p.w.rnd.Perm(threads), p.w.rnd.Intn(2) == 0, p.w.rnd.Intn(4) == 0
		r.eager = p.runs%eagerOf == 0
		return
	}
	for t := range threads {
		r.rank = append(r.rank, []int{threads - t, t, t, threads - t, t}[p.runs-1])
	}
	r.rank[0] = []int{threads + 1, threads, -1, 0, 0}[p.runs-1]
	r.late, r.alternate, r.eager = true, p.runs > 3, p.runs == 1 || p.runs > 3
}

// priorities say who goes on.
type priorities struct {
	*ThreadState
	p         *Prober
	rank      []int  // by thread
	lowest    int    // of ranks so far
	running   []int  // the threads that have begun and not ended, in their order
	stuck     []bool // by thread: its next section would wait
	blocked   []bool // by thread: it waits until others may see something new
	late      bool   // the process ends only when nobody else goes on
	alternate bool   // who has written what others see falls back
	eager     bool   // what is chosen in a loop that creates threads is 1, so that it goes on where that says so
	changes   []int  // after so many statements
	n         int    // statements
	vain      int    // statements of sections that had to wait
	slice     int    // of these, those of the last thread without a change
	last      int
}

// look notes the threads that have begun and not ended: of hundreds that may be created few are alive at once.
func (r *priorities) look() {
	r.running = r.running[:0]
	for t, status := range r.status {
		if status == Runs {
			r.running = append(r.running, t)
		}
	}
}

// next is the thread that goes on; -1 if none goes on.
func (r *priorities) next() int {
	best := -1
	for _, t := range r.running {
		if !r.stuck[t] && !r.blocked[t] && r.Waits(t) == "" && (best < 0 || r.before(t, best)) {
			best = t
		}
	}
	return best
}

// before reports whether t goes on before u.
func (r *priorities) before(t, u int) bool {
	if ends := r.ends(t); r.late && ends != r.ends(u) {
		return !ends
	}
	if a, b := r.group(t), r.group(u); r.alternate && a != b {
		return a < b
	}
	return r.rank[t] > r.rank[u]
}

// group is 0 for a thread that creates others, and 2 for the main one when it creates no more.
func (r *priorities) group(t int) int {
	switch {
	case r.p.creates[r.at[t]]:
		return 0
	case t == 0:
		return 2
	}
	return 1
}

// ends reports whether a thread's next statement ends the process.
func (r *priorities) ends(t int) bool {
	switch stmt := r.store.m.locs[r.at[t]].stmt.(type) {
	case cfa.Return:
		return true
	case cfa.Halt:
		return stmt.Ends
	}
	return false
}

// begins reports whether a thread may begin or end with a step.
func (r *priorities) begins(s ThreadStep) bool {
	switch r.store.m.locs[s.Loc].stmt.(type) {
	case cfa.Spawn, cfa.End:
		return true
	}
	return false
}

// waits notes that the section of a thread comes to where it waits. What it does next is the same until others may see
// something new, if it has chosen nothing and all see what is written at once.
func (r *priorities) waits(t int, steps []ThreadStep) {
	r.vain += max(len(steps), 1)
	r.stuck[t] = true
	chosen := slices.ContainsFunc(steps, func(s ThreadStep) bool { return len(s.Choices) > 0 })
	r.blocked[t] = r.p.m.model == cfa.SC && !chosen
}

// shows reports whether others may see something new after a step.
func (r *priorities) shows(s ThreadStep) bool {
	a, _ := r.store.m.locs[s.Loc].stmt.(cfa.Assign)
	return r.p.writes[s.Loc] || r.begins(s) || a.Memory != nil
}

// made notes statements of a thread, which falls back if it is time for that.
func (r *priorities) made(t int, steps []ThreadStep) {
	n := len(steps)
	clear(r.stuck)
	if slices.ContainsFunc(steps, r.shows) {
		clear(r.blocked)
	}
	if t != r.last {
		r.slice, r.last = 0, t
	}
	r.slice += n
	if slices.ContainsFunc(steps, r.begins) {
		r.look()
	}
	falls := r.slice > mostSlice || r.alternate && slices.ContainsFunc(steps, func(s ThreadStep) bool {
		return r.p.writes[s.Loc]
	})
	for _, c := range r.changes {
		falls = falls || r.n <= c && c < r.n+n
	}
	r.n += n
	if falls {
		r.lowest--
		r.rank[t], r.slice = r.lowest, 0
	}
}

// A sectionEnd is how a section ends.
type sectionEnd int

const (
	goesOn   sectionEnd = iota
	performs            // the action
	waits               // in the middle: it has not begun
)

// recorded is a section with what was chosen, and how it ends. What the state before it has may be used again unless it
// waits: nobody keeps it.
func (w *walker) recorded(s ThreadState, t int, action string) (ThreadState, []ThreadStep, sectionEnd) {
	before, copied := s, false
	if a, ok := w.m.locs[s.at[t]].stmt.(cfa.Atomic); ok && a.Begin {
		s, copied = s.cloneIn(w.spare), true
		w.spare = ThreadState{}
	}
	next, made, end := w.section(s, t, action)
	switch {
	case copied && end == waits:
		w.spare = s
	case copied:
		w.spare = before
	}
	return next, made, end
}

// section makes the steps of one.
func (w *walker) section(s ThreadState, t int, action string) (ThreadState, []ThreadStep, sectionEnd) {
	var made []ThreadStep
	for len(made) < mostSection {
		step := ThreadStep{Thread: t, Loc: s.at[t]}
		r := s.step(t, ChoiceFunc(func(_ cfa.Loc, v *expr.Expr) uint64 {
			val := cut(v.Type(), w.draw(v.Type()))
			if w.insists {
				val = 1
			}
			step.Choices = append(step.Choices, Binding{v, val})
			return val
		}))
		made = append(made, step)
		if a, ok := r.Event.(Acted); ok && a.Action == action {
			return s, made, performs
		}
		if s.within < 0 || s.ended {
			return s, made, goesOn
		}
		if s.Waits(t) != "" {
			break
		}
	}
	return s, made, waits
}
