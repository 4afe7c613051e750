package sequential

// Thread-modular abstraction: an automaton of one thread for a program with any number of them.
//
// Idea: one thread is observed, and before each of its steps that others may notice, others make any
// number of steps. What another thread is like then is found out by executing it from its beginning,
// where all that it reads of shared variables is any value and all that it writes to them is left
// out, up to the step that it makes. So that step is made with all values of its own that it may
// have, and then it is forgotten. The automaton chooses which thread is observed, so its errors
// include those of the program: of the first error of a run, the thread that comes to it is observed,
// and what the others have done before is steps of theirs.
//
// Of a call that creates any number of threads the automaton has two copies (lower.AnyThreads). Where
// these are the same but for the names of their own variables, once they have forgotten their numbers
// (symmetry.go), no copy can tell itself from another, and has no address of its own that it could
// give away: then one of them is observed, and the other one stands for all the rest. Otherwise there
// is no such automaton.
//
// Source: Owicki, Gries (1976); Flanagan, Qadeer, "Thread-modular model checking" (2003), whose
// environment is computed by iteration. Here the loop that abstracts and refines has predicates on
// both threads' variables, and finds what the environment is as it goes. What it cannot prove rests
// on where several threads are at once: so it wants locks to be sections (threads/reduction).
//
// Cost: the steps of each thread, times the locations of all others.

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// ErrIdentity says that threads are no copies of each other: they know who they are, or there are
// calls of routines without a body.
var ErrIdentity = errors.New("copies of a thread can be told apart")

// Modular is the thread-modular abstraction of an automaton: without errors and cuts that are reached
// there are none. It has more runs. The error is ErrIdentity, ErrLargeProduct or ctx's.
func Modular(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	m := &modular{product: product{c: c, Interleaving: NewInterleaving(Scheduler(c.Pool)),
		cut: cmp.Or(c.Cut, cfa.CutPrefix+"1}")},
		in: c.InSection(), seen: map[view]cfa.Loc{}}
	if len(c.Locs) > mostProduct {
		return nil, ErrLargeProduct
	}
	if err := m.classify(); err != nil {
		return nil, err
	}
	out := *c
	m.view(view{seen: -1, at: c.Entry, other: -1})
	for len(m.todo) > 0 {
		if len(m.Locs) > mostProduct {
			return nil, ErrLargeProduct
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		v := m.todo[len(m.todo)-1]
		m.todo = m.todo[:len(m.todo)-1]
		m.expand(v)
	}
	m.contract()
	out.Entry = 0
	m.finish(&out)
	return &out, nil
}

// contract drops what does nothing but lead elsewhere. The entry stays the first location.
func (m *modular) contract() {
	end := func(l cfa.Loc) cfa.Loc {
		for steps := 0; steps < len(m.Locs); steps++ {
			if _, leads := m.Locs[l].Stmt.(cfa.Goto); !leads {
				break
			}
			l = m.Locs[l].Succ[0]
		}
		return l
	}
	index := make([]cfa.Loc, len(m.Locs))
	order := []cfa.Loc{0}
	locs, of := []cfa.Location{}, []int{}
	for i := 0; i < len(order); i++ {
		loc := m.Locs[order[i]]
		loc.Succ = slices.Clone(loc.Succ)
		for k, n := range loc.Succ {
			n = end(n)
			if index[n] == 0 && n != 0 {
				index[n] = cfa.Loc(len(order))
				order = append(order, n)
			}
			loc.Succ[k] = index[n]
		}
		locs, of = append(locs, loc), append(of, m.Of[order[i]])
	}
	m.Locs, m.Of = locs, of
}

type modular struct {
	product
	in      []bool              // by location: in a section
	classes [][]int             // threads of one call with one start routine: many if there are two
	user    map[*expr.Expr]int  // the thread that accesses it; negative: several
	own     [][]*expr.Expr      // by thread: what only it accesses, and writes, and may have read before
	shared  map[*expr.Expr]bool // what others may change, or may see changed
	opaque  map[*expr.Expr]bool // what belongs to one copy and is seen by others: any value
	blind   []bool              // by location: what is done there depends on which copy it is
	effect  []bool              // by location: the statement, or the section that begins there, writes what is shared
	leads   []bool              // by location: control may come to such a one
	seen    map[view]cfa.Loc
	todo    []view
}

// A view is a location of the abstraction.
type view struct {
	seen    int     // the thread that is observed; -1: there is only the main thread
	at      cfa.Loc // where it is
	asked   bool    // the others have made their steps
	begun   cfa.Loc // where the main thread has created another one
	other   int     // another thread that is about to make a step; -1: none
	otherAt cfa.Loc
	acts    bool // it makes it
}

// view is the location of a view.
func (m *modular) view(v view) cfa.Loc {
	if l, ok := m.seen[v]; ok {
		return l
	}
	l := m.Emit(cfa.Location{}, -1)
	m.seen[v] = l
	m.todo = append(m.todo, v)
	return l
}

// expand gives a view's location what is done there.
func (m *modular) expand(v view) {
	here := m.seen[v]
	switch _, spawns := m.c.Locs[v.at].Stmt.(cfa.Spawn); {
	case v.other >= 0:
		m.another(v, here)
	case v.seen < 0 && spawns:
		m.begin(v, here)
	case !v.asked && v.seen >= 0 && m.noticed(v.at):
		m.ask(v, here)
	default:
		m.Of[here] = int(v.at)
		m.step(v.at, here, m.opaque, func(to cfa.Loc) cfa.Loc {
			v.at, v.asked = to, false
			return m.view(v)
		})
	}
}

// begin chooses who is observed, where the main thread creates another one for the first time.
func (m *modular) begin(v view, here cfa.Loc) {
	v.begun = v.at
	branches := m.choose(here, len(m.classes), v.at)
	for k, class := range m.classes {
		w := v
		if w.seen = class[0]; w.seen > 0 {
			w.at = m.c.Threads[w.seen].Entry
		}
		m.goTo(branches[k], v.at, m.view(w))
	}
}

// ask lets others make a step, or the observed thread go on.
func (m *modular) ask(v view, here cfa.Loc) {
	others := m.others(v.seen)
	branches := m.choose(here, 1+len(others), v.at)
	w := v
	w.asked = true
	m.goTo(branches[0], v.at, m.view(w))
	for i, t := range others {
		branch := branches[i+1]
		for _, x := range m.own[t] {
			m.Locs[branch] = m.located(cfa.Assign{LHS: x, Nondet: "another thread's"}, v.at)
			branch = m.Follow(branch)
		}
		w := v
		if w.other, w.otherAt = t, m.c.Threads[t].Entry; t == 0 {
			w.otherAt = v.begun
		}
		m.goTo(branch, v.at, m.view(w))
	}
}

// others are threads that stand for all but the observed one, as far as they change anything.
func (m *modular) others(seen int) []int {
	var others []int
	for _, class := range m.classes {
		t := class[len(class)-1]
		if t != seen && m.leads[m.c.Threads[t].Entry] {
			others = append(others, t)
		}
	}
	return others
}

// another executes another thread: up to its step it sees and changes nothing that is shared.
func (m *modular) another(v view, here cfa.Loc) {
	l := v.otherAt
	if v.acts {
		m.quiet(l, here, m.opaque, func(to cfa.Loc) cfa.Loc {
			if v.otherAt = to; !m.in[to] {
				return m.view(view{seen: v.seen, at: v.at, begun: v.begun, other: -1})
			}
			return m.view(v)
		})
		return
	}
	if m.effect[l] && !m.in[l] {
		branches := m.choose(here, 2, l)
		w := v
		w.acts = true
		m.goTo(branches[0], l, m.view(w))
		here = branches[1]
	}
	m.quiet(l, here, m.shared, func(to cfa.Loc) cfa.Loc {
		v.otherAt = to
		return m.view(v)
	})
}

// quiet is a step of another thread. Its errors and cuts are those of an observed one.
func (m *modular) quiet(l, here cfa.Loc, blind map[*expr.Expr]bool, view func(cfa.Loc) cfa.Loc) {
	_, performs := m.c.Locs[l].Stmt.(cfa.Act)
	if performs || !m.leads[l] && !m.in[l] {
		m.Locs[here] = m.located(cfa.Halt{Reason: "another thread makes no step", Ends: true}, l)
		return
	}
	m.step(l, here, blind, view)
}

// step is a statement of a thread for which some variables have any value, and are not written.
func (m *modular) step(l, here cfa.Loc, blind map[*expr.Expr]bool, view func(cfa.Loc) cfa.Loc) {
	loc := m.c.Locs[l]
	read, written := m.c.Accesses(l)
	isBlind := func(x *expr.Expr) bool { return blind[x] || m.opaque[x] }
	blinded := m.blind[l] || slices.ContainsFunc(read, isBlind)
	switch stmt := loc.Stmt.(type) {
	case cfa.Assign:
		switch {
		case slices.ContainsFunc(written, isBlind):
			loc.Stmt = cfa.Goto{}
		case blinded:
			loc.Stmt = cfa.Assign{LHS: stmt.LHS, Nondet: "another thread's"}
		}
	case cfa.Branch:
		if blinded {
			branches := m.choose(here, 2, l)
			m.goTo(branches[0], l, view(loc.Succ[0]))
			m.goTo(branches[1], l, view(loc.Succ[1]))
			return
		}
	case cfa.Spawn, cfa.Join, cfa.Atomic:
		loc.Stmt = cfa.Goto{}
	case cfa.Return, cfa.End:
		loc.Stmt = cfa.Halt{Reason: "the thread has ended", Ends: true}
	case cfa.Act:
		if stmt.Action == cfa.ThreadLimit {
			loc.Stmt = cfa.Act{Action: m.cut}
		}
		m.cuts = m.cuts || loc.Stmt.(cfa.Act).Action == m.cut
	}
	loc.Succ = nil
	for _, n := range m.c.Next(l) {
		loc.Succ = append(loc.Succ, view(n))
	}
	m.Locs[here] = loc
}

// noticed reports whether it matters at a location what others have done.
func (m *modular) noticed(l cfa.Loc) bool {
	if m.in[l] {
		return false
	}
	if _, ok := m.c.Locs[l].Stmt.(cfa.Atomic); ok {
		return true
	}
	read, written := m.c.Accesses(l)
	return slices.ContainsFunc(append(read, written...), func(x *expr.Expr) bool { return m.shared[x] })
}

// choose branches at a location in a number of branches, and gives where they begin.
func (m *modular) choose(here cfa.Loc, n int, like cfa.Loc) []cfa.Loc {
	var branches []cfa.Loc
	m.Choose(m.c.Pool, here, n, m.located(nil, like), "the scheduler", func(_ int, at cfa.Loc) {
		branches = append(branches, at)
	})
	return branches
}

// located is a statement at the place of another one.
func (m *modular) located(s cfa.Stmt, like cfa.Loc) cfa.Location {
	return cfa.Location{Stmt: s, Pos: m.c.Locs[like].Pos, Frame: m.c.Locs[like].Frame}
}

func (m *modular) goTo(here, like, to cfa.Loc) {
	m.Locs[here] = m.located(cfa.Goto{}, like)
	m.Locs[here].Succ = []cfa.Loc{to}
}
