package interp

// Runs of a program with threads by priorities.
//
// Idea: each thread gets a random priority when it begins, and of those that can make a step the one of the highest
// priority does. At a few random moments the running thread falls below all others. An error that needs few changes of
// threads is found so with a probability that does not depend on how long the run is, where random turns hardly find it.
//
// Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding
// Bugs" (2010). Deviation: a thread that only goes round in a loop would keep others from running, so after many
// steps of its own it falls too. In every other run the process does not end while some thread goes on.
// The first runs are those that come to mind first.
//
// Cost: as in threads_walk.go.

import (
	"context"
	"math/rand"

	"magus/cfa"
	"magus/internal/expr"
)

// mostTurn bounds the steps of a thread before another one has its turn.
const mostTurn = 5_000

// firstRuns are those whose priorities are not drawn.
const firstRuns = 3

// A Prober makes such runs of one automaton. It is used by one goroutine at a time.
type Prober struct {
	m      *Machine
	w      *walker
	length int // of the longest run so far: moments are drawn from it
	runs   int
}

// NewProber makes runs that are the same for the same seed.
func NewProber(m *Machine, seed int64) *Prober {
	return &Prober{m: m, w: &walker{m: m, rnd: rand.New(rand.NewSource(seed)), pool: m.constants()}, length: 1}
}

// Run makes a run of at most most statements in which the running thread falls back changes times. It returns how many
// statements it has made, and if it performs an action the script that ends with it. The error is ctx's.
func (p *Prober) Run(ctx context.Context, most, changes int, action string) (int, *ThreadScript, error) {
	s := p.m.InitialThreads(nil).clone()
	r := &priorities{ThreadState: &s, stuck: make([]bool, len(s.at)), last: -1}
	r.rank, r.late = p.ranks(len(s.at))
	for i := 0; i < changes && p.runs > firstRuns; i++ {
		r.changes = append(r.changes, p.w.rnd.Intn(p.length))
	}
	script := &ThreadScript{}
	for len(script.Steps) < most && !s.ended {
		if ctx.Err() != nil {
			return len(script.Steps), nil, context.Cause(ctx)
		}
		t := r.next()
		if t < 0 {
			break
		}
		next, made, acted := p.w.recorded(s, t, action)
		if made == nil {
			r.stuck[t] = true
			continue
		}
		script.Steps = append(script.Steps, made...)
		if acted {
			return len(script.Steps), script, nil
		}
		s = next
		r.made(t, len(made))
	}
	p.length = max(p.length, len(script.Steps))
	return len(script.Steps), nil, nil
}

// ranks are the priorities of threads, and whether the process ends only when nobody else goes on. In the first runs the threads
// run when all are created, the first one first or the last one first, or each as soon as it is created.
func (p *Prober) ranks(threads int) (rank []int, late bool) {
	p.runs++
	if p.runs <= firstRuns {
		for t := range threads {
			rank = append(rank, []int{threads - t, t, t}[p.runs-1])
		}
		rank[0] = []int{threads + 1, threads, -1}[p.runs-1]
		return rank, true
	}
	return p.w.rnd.Perm(threads), p.w.rnd.Intn(2) == 0
}

// priorities say whose turn it is.
type priorities struct {
	*ThreadState
	rank    []int  // by thread
	lowest  int    // of ranks so far
	stuck   []bool // by thread: its next section would wait
	late    bool   // the process ends only when nobody else goes on
	changes []int  // after so many statements
	n       int    // statements
	turn    int    // of these, those of the last thread without a change
	last    int
}

// next is the thread whose turn it is; -1 if none goes on.
func (r *priorities) next() int {
	best := -1
	for t := range r.at {
		if !r.stuck[t] && r.Waits(t) == "" && (best < 0 || r.before(t, best)) {
			best = t
		}
	}
	return best
}

// before reports whether t's turn comes before u's.
func (r *priorities) before(t, u int) bool {
	if ends := r.ends(t); r.late && ends != r.ends(u) {
		return !ends
	}
	return r.rank[t] > r.rank[u]
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

// made notes statements of a thread, which falls back if it is time for that.
func (r *priorities) made(t, n int) {
	clear(r.stuck)
	if t != r.last {
		r.turn, r.last = 0, t
	}
	r.turn += n
	falls := r.turn > mostTurn
	for _, c := range r.changes {
		falls = falls || r.n <= c && c < r.n+n
	}
	r.n += n
	if falls {
		r.lowest--
		r.rank[t], r.turn = r.lowest, 0
	}
}

// recorded is turn with what was chosen, and whether an action was performed, which ends it.
func (w *walker) recorded(s ThreadState, t int, action string) (ThreadState, []ThreadStep, bool) {
	if a, ok := w.m.locs[s.at[t]].stmt.(cfa.Atomic); ok && a.Begin {
		s = s.clone()
	}
	var made []ThreadStep
	for len(made) < mostSection {
		step := ThreadStep{Thread: t, Loc: s.at[t]}
		r := s.step(t, ChoiceFunc(func(_ cfa.Loc, v *expr.Expr) uint64 {
			val := cut(v.Type(), w.draw(v.Type()))
			step.Choices = append(step.Choices, Binding{v, val})
			return val
		}))
		made = append(made, step)
		if a, ok := r.Event.(Acted); ok && a.Action == action {
			return s, made, true
		}
		if s.within < 0 || s.ended {
			return s, made, false
		}
		if s.Waits(t) != "" {
			break
		}
	}
	return s, nil, false
}
