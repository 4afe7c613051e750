package certificate

// Weaker memory models, on a run.
//
// Idea: what a thread writes to a variable that several threads access stands in a buffer of its own,
// while there are other threads and it is in no section. The thread reads from there first. A move of
// its own says that others see the oldest write; under partial store order, the oldest one of a
// variable. Fences are made when the buffer is empty. Memory without variables has no buffer: that
// others see a write at once is one of the things that may happen, unless one before it must be seen
// first; what is read then is taken for not modelled.
//
// Source: Sewell et al., "x86-TSO" (2010); SPARC's manual, version 8, for PSO. Written from
// docs/threads.md and not from cfa/interp. Cost: that of the buffer, for each move.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A delayed write is one that others do not see yet.
type delayed struct {
	to   *expr.Expr
	bits uint64
	// tainted says that the value is not modelled. unsure says that perhaps there is no such write:
	// then the value is modelled only where the variable has it anyway.
	tainted, unsure bool
	// last says that a release came behind it: what was written later is seen when this, and all before it, is.
	last bool
}

// releases has what a thread writes later wait for what it has written.
func (s *interleaving) releases(thread int) {
	if n := len(s.late[thread]); n > 0 {
		s.late[thread][n-1].last = true
	}
}

// show makes a write in the variables as they are.
func (x *execution) show(w delayed) {
	if w.unsure && x.values[w.to] == w.bits {
		return
	}
	x.values[w.to], x.tainted[w.to] = w.bits, w.tainted || w.unsure
}

// weak reports whether a thread's next move is one whose writes others see later.
func (s *interleaving) weak(thread int) bool {
	return s.sub.Model != cfa.SC && s.within != thread && slices.Contains(s.begun[1:], true)
}

// fence reports whether a statement is made when others see all that its thread has written.
func fence(stmt cfa.Stmt) bool {
	switch stmt := stmt.(type) {
	case cfa.Spawn, cfa.Join, cfa.End:
		return true
	case cfa.Atomic:
		return stmt.Begin && !stmt.Access && !stmt.Monitors
	}
	return false
}

// later makes a statement with what its thread sees.
func (s *interleaving) later(thread int, m *Move) (*step, error) {
	x, at := s.x, s.at[thread]
	all := map[*expr.Expr]delayed{} // as others see them
	keep := func(v *expr.Expr) {
		if _, ok := all[v]; !ok {
			all[v] = delayed{to: v, bits: x.values[v], tainted: x.tainted[v]}
		}
	}
	for _, w := range s.late[thread] {
		keep(w.to)
		x.show(w)
	}
	a, assigns := s.sub.CFA.Locs[at.Loc].Stmt.(cfa.Assign)
	writes := assigns && s.shared[a.LHS]
	var was uint64
	if writes {
		keep(a.LHS)
		was = x.values[a.LHS]
	}
	x.unseen = s.sub.Model == cfa.TSO && len(s.late[thread]) > 0
	made, err := x.move(at, m)
	x.unseen = false
	if err != nil {
		return nil, err
	}
	if writes {
		w := delayed{to: a.LHS, bits: x.values[a.LHS], tainted: x.tainted[a.LHS], unsure: made.keeps &&
			x.values[a.LHS] == was}
		s.late[thread] = append(s.late[thread], w)
	}
	for _, w := range all {
		x.show(w)
	}
	return made, nil
}

// seen makes a write of a thread visible to all.
func (s *interleaving) seen(thread int, m *Move) error {
	switch {
	case s.sub.Model == cfa.SC:
		return refuted(m.line, "others see at once what a thread writes")
	case thread < 0 || thread >= len(s.late):
		return refuted(m.line, "there is no thread %d", thread)
	case s.over || s.within >= 0:
		return refuted(m.line, "nobody sees a write when the process has ended, or in a section")
	}
	i := slices.IndexFunc(s.late[thread], func(w delayed) bool { return w.to.Name() == m.Seen })
	if i < 0 || i > 0 && s.sub.Model == cfa.TSO {
		return refuted(m.line, "thread %d has no write of %s that others see next", thread, m.Seen)
	}
	if slices.ContainsFunc(s.late[thread][:i], func(w delayed) bool { return w.last }) {
		return refuted(m.line, "thread %d has written before a release what others do not see yet", thread)
	}
	s.x.show(s.late[thread][i])
	if i > 0 && s.late[thread][i].last {
		s.late[thread][i-1].last = true
	}
	s.late[thread] = slices.Delete(s.late[thread], i, i+1)
	return nil
}
