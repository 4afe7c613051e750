package reduction

// From regions to sections.
//
// Idea: the locations where a thread holds a lock, with the sections that acquire one, make regions. A region becomes
// one section if no other thread can tell. An access to a variable that the same lock protects at all accesses is a
// both-mover: it commutes with what others do. So is a read of a variable that is written under that lock only. The
// acquisition of a lock is a right mover, the release a left mover, and any other access a non-mover. So a
// region may have right movers, then one non-mover, then left movers. From the non-mover or the first left
// mover on it must come to its end, since others see it: it must not wait or go round a loop then. A region begins
// by an acquisition, and ends where the thread holds no lock.
//
// A lock has to be one of which others cannot see that it is held, but by waiting.
//
// Source: Lipton, "Reduction: a method of proving properties of parallel programs" (1975); Flanagan, Qadeer, "A type
// and effect system for atomicity" (2003). Cost: linear in the automaton, after it is known who holds which lock.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// Merge is an automaton with regions as sections; c itself if there are none. c is not changed. The error is ctx's.
func Merge(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	if len(c.Threads) < 2 || !slices.ContainsFunc(c.Locs, func(l cfa.Location) bool {
		_, ok := l.Stmt.(cfa.Atomic)
		return ok
	}) ||
		slices.ContainsFunc(c.Locs, func(l cfa.Location) bool { _, ok := l.Stmt.(cfa.Call); return ok }) {
		return c, nil
	}
	f := &flow{c: c, concurrent: c.InParallel(), section: c.InSection(), noLock: map[*expr.Expr]bool{}}
	f.shared = f.sharedVars()
	if err := f.solve(ctx); err != nil {
		return nil, err
	}
	m := &merger{flow: f}
	m.findSections()
	m.findLocks()
	m.findMovers()
	return m.merge(), nil
}

// sharedVars are those of the automaton that are written while there are several threads.
func (f *flow) sharedVars() map[*expr.Expr]bool {
	shared := map[*expr.Expr]bool{}
	for _, v := range f.c.Shared() {
		shared[v] = true
	}
	written := map[*expr.Expr]bool{}
	for l := range f.c.Locs {
		if f.concurrent[l] {
			_, w := f.c.Accesses(cfa.Loc(l))
			for _, v := range w {
				written[v] = true
			}
		}
	}
	for v := range shared {
		if !written[v] {
			delete(shared, v)
		}
	}
	return shared
}

// A mover is how an action commutes with those of other threads, as Lipton has it.
type mover uint8

const (
	bothMover  mover = iota // with what comes before and after
	rightMover              // with what comes after
	leftMover               // with what comes before
	nonMover                // with nothing
)

type merger struct {
	*flow
	begin    []cfa.Loc                   // by location: the beginning of the section that it is in; -1
	within   map[cfa.Loc][]cfa.Loc       // by beginning: the locations of a section, ends included
	observed map[*expr.Expr]bool         // locks of which others see that they are held
	common   map[*expr.Expr][]*expr.Expr // by shared variable: locks held at all accesses
	wrote    map[*expr.Expr][]*expr.Expr // likewise, at all writes
	movers   []mover                     // by location
}

// next are the successors in the thread that control may go to.
func (m *merger) next(l cfa.Loc) []cfa.Loc {
	var next []cfa.Loc
	for i, s := range m.c.Next(l) {
		if m.at[l] != nil && m.step(l, i) != nil {
			next = append(next, s)
		}
	}
	return next
}

// holds reports whether a thread holds a lock at a location.
func (m *merger) holds(l cfa.Loc) bool { return m.at[l] != nil && len(m.at[l].held) > 0 }

func (m *merger) atomic(l cfa.Loc, begin bool) bool {
	a, ok := m.c.Locs[l].Stmt.(cfa.Atomic)
	return ok && a.Begin == begin
}

func (m *merger) findSections() {
	m.begin, m.within = make([]cfa.Loc, len(m.c.Locs)), map[cfa.Loc][]cfa.Loc{}
	for l := range m.begin {
		m.begin[l] = -1
	}
	for l := range m.c.Locs {
		if b := cfa.Loc(l); m.at[l] != nil && m.atomic(b, true) {
			for work := m.next(b); len(work) > 0; {
				at := work[len(work)-1]
				work = work[:len(work)-1]
				if m.begin[at] == b {
					continue
				}
				m.begin[at] = b
				m.within[b] = append(m.within[b], at)
				if !m.atomic(at, false) {
					work = append(work, m.next(at)...)
				}
			}
		}
	}
}

// after is what a thread holds behind a section, wherever it leaves it; nil if that is nothing, or not
// the same everywhere.
func (m *merger) after(b cfa.Loc) map[*expr.Expr]bool {
	var all map[*expr.Expr]bool
	for _, l := range m.within[b] {
		if !m.atomic(l, false) {
			continue
		}
		held := m.step(l, 0).held
		if all != nil && !equal(all, held) {
			return nil
		}
		all = held
	}
	return all
}

func equal(a, b map[*expr.Expr]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for v := range a {
		if !b[v] {
			return false
		}
	}
	return true
}

// findLocks finds the locks of which others see that they are held: who accesses one without taking or holding it.
func (m *merger) findLocks() {
	m.observed = map[*expr.Expr]bool{}
	m.accesses(func(l cfa.Loc, v *expr.Expr, _ bool) {
		if !m.at[l].held[v] && (m.begin[l] < 0 || !m.after(m.begin[l])[v]) {
			m.observed[v] = true
		}
	})
}

// accesses calls f for each access to a shared variable while there are several threads.
func (m *merger) accesses(f func(l cfa.Loc, v *expr.Expr, write bool)) {
	for l := range m.c.Locs {
		if m.at[l] == nil || !m.concurrent[l] {
			continue
		}
		read, written := m.c.Accesses(cfa.Loc(l))
		for i, list := range [2][]*expr.Expr{read, written} {
			for _, v := range list {
				if m.shared[v] {
					f(cfa.Loc(l), v, i == 1)
				}
			}
		}
	}
}

// findMovers says of each location how its accesses commute.
func (m *merger) findMovers() {
	m.common, m.wrote = map[*expr.Expr][]*expr.Expr{}, map[*expr.Expr][]*expr.Expr{}
	met, metWrite := map[*expr.Expr]bool{}, map[*expr.Expr]bool{}
	keep := func(of map[*expr.Expr][]*expr.Expr, met map[*expr.Expr]bool, l cfa.Loc, v *expr.Expr) {
		if !met[v] {
			met[v] = true
			for o := range m.at[l].held {
				of[v] = append(of[v], o)
			}
		}
		of[v] = slices.DeleteFunc(of[v], func(o *expr.Expr) bool { return !m.at[l].held[o] })
	}
	m.accesses(func(l cfa.Loc, v *expr.Expr, write bool) {
		keep(m.common, met, l, v)
		if write {
			keep(m.wrote, metWrite, l, v)
		}
	})
	m.movers = make([]mover, len(m.c.Locs))
	m.accesses(func(l cfa.Loc, v *expr.Expr, write bool) { m.movers[l] = m.worse(m.movers[l], m.moverOf(l, v, write)) })
	for b, list := range m.within {
		for _, l := range list {
			m.movers[b] = m.worse(m.movers[b], m.movers[l])
		}
		for _, l := range list {
			m.movers[l] = bothMover // the beginning stands for all
		}
	}
}

// worse is the kind of two actions that are done at once.
func (m *merger) worse(a, b mover) mover {
	switch {
	case a == bothMover || a == b:
		return b
	case b == bothMover:
		return a
	}
	return nonMover
}

func (m *merger) moverOf(l cfa.Loc, v *expr.Expr, write bool) mover {
	held := m.at[l].held
	holds := func(o *expr.Expr) bool { return held[o] }
	switch {
	case slices.ContainsFunc(m.common[v], holds) || !write && slices.ContainsFunc(m.wrote[v], holds):
		return bothMover
	case m.noLock[v] || m.observed[v]:
		return nonMover
	case !held[v]: // or it would be seen
		return rightMover
	case m.given(l, v):
		return leftMover
	}
	return bothMover
}

// given reports whether a lock is given back with the statement or section of a location.
func (m *merger) given(l cfa.Loc, v *expr.Expr) bool {
	if b := m.begin[l]; b >= 0 {
		return !m.after(b)[v]
	}
	return !m.step(l, 0).held[v]
}
