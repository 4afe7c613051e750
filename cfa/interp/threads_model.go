package interp

// Memory models: writes that others do not see yet.
//
// Idea: what a thread writes to a shared variable outside of sections stands in a buffer of its own;
// it reads from there first; as long as there is no other thread that makes no difference. At any
// time a write of it may become visible to all: the oldest one under total store order, the oldest
// one of any variable under partial store order, where a release has what is written later wait until the buffer has
// nothing from before it. Fences wait until the buffer is empty. What is
// written to memory without variables all see at once, which is one of the things that may happen,
// unless a write before it is not seen yet under total store order: what is read then is not
// believed.
//
// Source: Sewell et al., "x86-TSO" (2010); SPARC's manual, version 8, for PSO. Cost: that of the buffer, for each step.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// fences reports whether a statement waits until all see what its thread has written.
func (m *Machine) fences(stmt cfa.Stmt) bool {
	switch stmt := stmt.(type) {
	case cfa.Spawn, cfa.Join, cfa.End:
		return true
	case cfa.Atomic:
		return stmt.Begin && !stmt.Access && !stmt.Monitors
	}
	return false
}

// A lateWrite is one that others do not see yet, with its taint. One by which a variable may also
// keep its value (1 + its location) is none as long as what it would be written over is the same
// value.
type lateWrite struct {
	Binding
	taint, keeps int32
	closed       bool // what stands behind it waits until it, and all before it, is seen
}

// release has what a thread writes from now on wait for what stands in its buffer.
func (s *ThreadState) release(thread int) {
	if n := len(s.late[thread]); n > 0 && s.store.m.model == cfa.PSO {
		s.late[thread] = slices.Clone(s.late[thread])
		s.late[thread][n-1].closed = true
	}
}

// show makes a write in the store.
func (s *ThreadState) show(w lateWrite) {
	i := s.store.m.index[w.Var]
	switch {
	case w.keeps == 0:
		s.store.set(i, w.Value, w.taint)
	case s.store.vals[i] != w.Value:
		s.store.set(i, w.Value, w.keeps)
	}
}

// act executes a statement with what its thread sees.
func (s *ThreadState) act(thread int, ch Choices) StepResult {
	m := s.store.m
	alone := !slices.ContainsFunc(s.status[1:], func(x Status) bool { return x != NotBegun })
	if m.model == cfa.SC || s.within == thread || alone {
		return s.store.step(ch)
	}
	all := map[int32]lateWrite{} // what all see
	note := func(v *expr.Expr) {
		i := m.index[v]
		if _, ok := all[i]; !ok {
			all[i] = s.seen(i)
		}
	}
	for _, b := range s.late[thread] {
		note(b.Var)
		s.show(b)
	}
	a, assigns := m.locs[s.store.loc].stmt.(cfa.Assign)
	written := assigns && m.shared[a.LHS]
	if written {
		note(a.LHS)
	}
	at := s.store.loc
	s.store.late = m.model == cfa.TSO && len(s.late[thread]) > 0
	r := s.store.step(ch)
	s.store.late = false
	if written {
		w := s.seen(m.index[a.LHS])
		if a.Keeps && len(r.Changed) == 0 {
			w.keeps = int32(at) + 1
		}
		s.late[thread] = append(slices.Clip(s.late[thread]), w)
	}
	for _, b := range all {
		s.show(b)
	}
	return r
}

// seen is a variable as it is in the store.
func (s *ThreadState) seen(i int32) lateWrite {
	w := lateWrite{Binding: Binding{s.store.m.vars[i], s.store.vals[i]}}
	if s.store.taint != nil {
		w.taint = s.store.taint[i]
	}
	return w
}

// Commits are the variables of which a write of a thread may become visible to all now.
func (s ThreadState) Commits(thread int) []*expr.Expr {
	if s.ended || s.within >= 0 {
		return nil
	}
	var vars []*expr.Expr
	for _, b := range s.late[thread] {
		if !slices.Contains(vars, b.Var) {
			vars = append(vars, b.Var)
		}
		if s.store.m.model == cfa.TSO || b.closed {
			break
		}
	}
	return vars
}

// commit makes the oldest write of a variable by a thread visible to all.
func (s *ThreadState) commit(thread int, v *expr.Expr) {
	i := slices.IndexFunc(s.late[thread], func(b lateWrite) bool { return b.Var == v })
	s.show(s.late[thread][i])
	closed := s.late[thread][i].closed
	s.late[thread] = slices.Delete(slices.Clone(s.late[thread]), i, i+1)
	if closed && i > 0 {
		s.late[thread][i-1].closed = true
	}
}
