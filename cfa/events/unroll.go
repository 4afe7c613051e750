package events

// Unrolling: from an automaton with threads to events.
//
// Idea: one thread after another, those that create before those that are created. A thread's instances
// (a location, and how often each loop around it has gone round) are taken in a weak topological
// order; each has the guard with which control comes there and terms for the local variables. Where ways
// meet, values are chosen by the guards. An access to a shared variable is an event.
//
//   - Conditions fold, so loops with constant bounds unroll fully: a round in which the condition of a
//     way out had another constant than in the round before is not counted. Other rounds are, and
//     where they come to the bound the thread goes no further: a cut.
//   - Behind a branch on a condition that chose values where ways met before, the chosen ones are known: how many threads
//     there are behind a creation that may fail.
//   - A loop that only waits is its last round (flow.go).
//   - As long as the main thread is alone, all variables are its own. What they hold when it creates
//     the first thread is one node that writes them all.
//   - A shared variable that one thread only writes while there are several has for this thread the value that it wrote last, or which the
//     variable had when the others were created: its reads are no events, and what they give folds. So it is where errors are looked
//     for under sequential consistency.
//   - A variable of one thread that the thread that creates it fills, such as its argument, is handed
//     over. That nobody touches it afterwards is found out while unrolling: if somebody does, it is
//     shared, and all begins anew.
//   - Where a thread begins, where it is created and where it is joined is a node: the order between threads.
//   - Who waits stands still: assumptions and joins guard what follows and are no conjuncts, for
//     another thread may go on.
//
// Source: Clarke, Kroening, Lerda, "A tool for checking ANSI-C programs" (2004), for guards and values;
// Yin et al. (2017), section 2, for events.
//
// Cost: linear in instances, times the variables that differ at joins.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/events/order"
	"magus/smt/expr"
	"magus/smt/symbolic"
)

// Bounds say how often loops go round.
type Bounds struct {
	All   int
	Loops map[cfa.Loc]int // of some heads, if it is more
	// Count says that rounds count which constants bound: for programs that are too large otherwise.
	Count bool
	// Races says that races are looked for.
	Races bool
	Model cfa.MemoryModel // errors only
	// Deadlocks says that deadlocks are looked for.
	Deadlocks bool
}

func (b Bounds) of(head cfa.Loc) int { return max(b.All, b.Loops[head]) }

// ErrLarge says that an unrolling is too large.
var ErrLarge = errors.New("the unrolled program is too large")

// maxSteps bounds the instances of an unrolling, maxNodes its nodes, and maxLinks the pairs of a read and a write.
const (
	maxSteps = 300_000
	maxNodes = 12_000
	maxLinks = 400_000
)

// Unroll gives the executions of an automaton with threads that stay within bounds. The error is ctx's,
// ErrLarge, or an UnsupportedError.
func Unroll(ctx context.Context, c *cfa.CFA, b Bounds) (*Program, error) {
	f, err := newFlow(ctx, c)
	if err != nil {
		return nil, err
	}
	shared := make([]bool, len(c.Vars))
	for _, v := range f.sharedVars() {
		shared[v] = true
	}
	handed := make([]int32, len(c.Vars))
	if b.Model == cfa.SC { // else a write waits for those before it, also of variables of one thread
		handed = f.handed(shared)
	}
	var owner []int32
	if !b.Races && !b.Deadlocks && b.Model == cfa.SC {
		owner = f.owners(shared)
	}
	for {
		u := newUnroller(c, f, b, shared, handed)
		u.owner = owner
		again, err := u.run(ctx)
		if err != nil || !again {
			return u.p, err
		}
	}
}

// handed are by variable the threads to which shared variables may be handed over; 0 where none is.
func (f *flow) handed(shared []bool) []int32 {
	handed := make([]int32, len(f.c.Vars))
	for v, by := range f.accessors() {
		if !shared[v] || len(by) != 2 {
			continue
		}
		for i, t := range by {
			if t > 0 && f.c.Threads[t].Parent == int(by[1-i]) {
				handed[v] = t
			}
		}
	}
	return handed
}

// An unroller unrolls an automaton once.
type unroller struct {
	c      *cfa.CFA
	f      *flow
	pool   *expr.Pool
	bounds Bounds
	p      *Program
	vars   []*expr.Expr
	cell   []int // by variable: its cell; -1 where it is not shared
	handed []int32
	owner  []int32 // by variable: the thread that knows what it holds, for no other writes it; nil where that is not used
	again  bool    // a variable was not handed over but shared

	guards []*Guard // by node
	spawns [][]spawn
	joins  []join
	ended  []*expr.Expr // by thread: it has; nil if nobody asked
	ends   [][]*Guard   // by thread
	first  []order.Node // by thread: where it begins, or -1
	last   []order.Node
	serial int

	sections int32
	accesses []access // for races
	waits    []wait   // for deadlocks
}

// A spawn is a place where a thread is created.
type spawn struct {
	guard *Guard
	env   symbolic.Env
	node  order.Node
}

// A join is a place where a thread has waited for the end of another.
type join struct {
	thread, joined int
	guard          *Guard
	node           order.Node
}

func newUnroller(c *cfa.CFA, f *flow, b Bounds, shared []bool, handed []int32) *unroller {
	n := len(c.Threads)
	u := &unroller{
		c: c, f: f, pool: c.Pool, bounds: b, p: &Program{Pool: c.Pool, Threads: make([][]int, n),
			Model: b.Model}, handed: handed, cell: make([]int, len(c.Vars)),
		spawns: make([][]spawn, n), ended: make([]*expr.Expr, n), ends: make([][]*Guard,
			n), last: make([]order.Node, n), first: make([]order.Node, n),
	}
	for v := range u.cell {
		u.vars, u.cell[v] = append(u.vars, c.Vars[v].Expr), -1
		if shared[v] && handed[v] == 0 {
			u.cell[v] = len(u.p.Cells)
			u.p.Cells = append(u.p.Cells, c.Vars[v].Expr)
		}
	}
	for t := range u.last {
		u.first[t], u.last[t] = -1, -1
	}
	return u
}

// owned reports whether some thread knows what a variable holds.
func (u *unroller) owned(v int) bool { return u.owner != nil && u.owner[v] >= 0 }

// run unrolls all threads, and reports whether all has to begin anew.
func (u *unroller) run(ctx context.Context) (again bool, err error) {
	done := make([]bool, len(u.c.Threads))
	for {
		next := slices.IndexFunc(u.c.Threads, func(t cfa.Thread) bool {
			return t.Entry >= 0 && !done[u.number(t)] && (t.Parent < 0 || done[t.Parent])
		})
		if next < 0 {
			break
		}
		done[next] = true
		if err := u.thread(ctx, next); err != nil {
			return false, err
		}
	}
	if u.again {
		return true, nil
	}
	if err := u.tooLarge(); err != nil {
		return false, err
	}
	if u.bounds.Deadlocks {
		if err := u.deadlocks(ctx); err != nil {
			return false, err
		}
	}
	u.finish()
	if u.bounds.Races {
		return false, u.races(ctx)
	}
	return false, nil
}

// number is the index of a thread.
func (u *unroller) number(t cfa.Thread) int {
	if t.Parent < 0 {
		return 0
	}
	return u.c.Locs[t.Spawn].Stmt.(cfa.Spawn).Thread
}

// thread unrolls a thread from where it is created.
func (u *unroller) thread(ctx context.Context, t int) error {
	s, err := newStrand(ctx, u, t)
	if err != nil {
		return err
	}
	start := arrival{guard: Always(u.pool), env: symbolic.New(len(u.c.Vars)), alone: true}
	if t > 0 {
		if len(u.spawns[t]) == 0 {
			return nil
		}
		start = u.created(t)
	}
	u.first[t] = u.newNode(t, start.guard, Before)
	s.arrive(u.c.Threads[t].Entry, nil, start)
	err = s.run(ctx)
	if u.weak() {
		u.newNode(t, start.guard, Before) // at its end everybody sees what it has written
	}
	return err
}

// weak reports whether others may see writes later.
func (u *unroller) weak() bool { return u.bounds.Model != cfa.SC }

// created is how a thread begins.
func (u *unroller) created(t int) arrival {
	first := u.spawns[t][0]
	w := arrival{guard: first.guard, env: first.env}
	for _, s := range u.spawns[t][1:] {
		w.env = u.mergeEnvs(s.guard.Term(), s.env, w.env, u.f.live[u.c.Threads[t].Entry])
		w.guard = w.guard.Or(u.pool, s.guard)
	}
	return w
}

// fresh is a new variable.
func (u *unroller) fresh(name string, t expr.Type) *expr.Expr {
	u.serial++
	return u.pool.Var(fmt.Sprintf("%s!%d", name, u.serial), t)
}

func (u *unroller) newNode(t int, g *Guard, at cfa.Loc) order.Node {
	n := u.p.node(t, at)
	u.guards = append(u.guards, g)
	u.last[t] = n
	return n
}

func (u *unroller) read(t int, n order.Node, cell int, g *Guard) *expr.Expr {
	v := u.p.Cells[cell]
	x := u.fresh("read "+v.Name(), v.Type())
	u.p.Events = append(u.p.Events, Event{Thread: t, Node: n, Cell: cell, Guard: g, Value: x})
	return x
}

func (u *unroller) write(t int, n order.Node, cell int, g *Guard, value *expr.Expr) {
	u.p.Events = append(u.p.Events, Event{Thread: t, Node: n, Cell: cell, Write: true, Guard: g, Value: value})
}

// finish adds what is known only when all threads are unrolled: their ends, and the order between
// threads.
func (u *unroller) finish() {
	for t, ended := range u.ended {
		if ended == nil {
			continue
		}
		bit := u.pool.Const(bitType, 0)
		for _, g := range u.ends[t] {
			bit = u.pool.Or(bit, g.bit)
		}
		u.p.Holds = append(u.p.Holds, u.pool.Eq(ended, truth(u.pool, bit)))
	}
	for t, list := range u.spawns {
		for _, s := range list {
			e := Edge{From: s.node, To: u.first[t]}
			if len(list) > 1 {
				e.When = s.guard
			}
			u.p.Edges = append(u.p.Edges, e)
		}
	}
	added := 0
	for _, j := range u.joins {
		if u.last[j.joined] < 0 { // never created
			continue
		}
		e := Edge{From: u.last[j.joined], To: j.node, When: j.guard}
		if u.always(j) {
			e.When = nil
		}
		added++
		u.p.Edges = append(u.p.Edges, e)
	}
	if _, ok := u.static().Sorted(); ok {
		return
	}
	// Threads that wait for each other's end: no execution has both joins.
	joins := u.p.Edges[len(u.p.Edges)-added:]
	for i := range joins {
		joins[i].When = u.guards[joins[i].To]
	}
}

// always reports whether whatever the thread does behind a join it does after the join.
func (u *unroller) always(j join) bool {
	for n := j.node; n <= u.last[j.thread]; n++ {
		if !u.guards[n].Implies(j.guard) {
			return false
		}
	}
	return true
}

// tooLarge is ErrLarge if there are too many events.
func (u *unroller) tooLarge() error {
	reads, writes := make([]int, len(u.p.Cells)), make([]int, len(u.p.Cells))
	for _, e := range u.p.Events {
		if e.Write {
			writes[e.Cell]++
		} else {
			reads[e.Cell]++
		}
	}
	links := 0
	for c := range reads {
		links += reads[c] * writes[c]
	}
	if u.p.Nodes > maxNodes || links > maxLinks {
		return ErrLarge
	}
	return nil
}
