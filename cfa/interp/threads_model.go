package interp

// Memory models: writes that others do not see yet.
//
// Idea: what a thread writes to a shared variable outside of sections stands in a buffer of its own; it reads from there
// first; as long as there is no other thread that makes no difference. At any time a write of it may become visible to all: the oldest one under total store order, the oldest one of any
// variable under partial store order. Fences wait until the buffer is empty.
//
// Source: Sewell et al., "x86-TSO" (2010); SPARC's manual, version 8, for PSO. Cost: that of the buffer, for each step.

import (
	"slices"

	"magus/cfa"
	"magus/internal/expr"
)

// fences reports whether a statement waits until all see what its thread has written.
func (m *Machine) fences(stmt cfa.Stmt) bool {
	switch stmt := stmt.(type) {
	case cfa.Spawn, cfa.Join, cfa.End:
		return true
	case cfa.Atomic:
		return stmt.Begin && !stmt.Access
	}
	return false
}

// act executes a statement with what its thread sees.
func (s *ThreadState) act(thread int, ch Choices) StepResult {
	m := s.store.m
	alone := !slices.ContainsFunc(s.status[1:], func(x Status) bool { return x != NotBegun })
	if m.model == cfa.SC || s.within == thread || alone {
		return s.store.step(ch)
	}
	was := map[int32]uint64{} // what all see
	for _, b := range s.late[thread] {
		i := m.index[b.Var]
		if _, ok := was[i]; !ok {
			was[i] = s.store.vals[i]
		}
		s.store.vals[i] = b.Value
	}
	var written *expr.Expr
	if a, ok := m.locs[s.store.loc].stmt.(cfa.Assign); ok && m.shared[a.LHS] {
		written = a.LHS
		if i := m.index[written]; true {
			if _, ok := was[i]; !ok {
				was[i] = s.store.vals[i]
			}
		}
	}
	r := s.store.step(ch)
	if written != nil {
		s.late[thread] = append(slices.Clip(s.late[thread]), Binding{written, s.store.vals[m.index[written]]})
	}
	for i, v := range was {
		s.store.vals[i] = v
	}
	return r
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
		if s.store.m.model == cfa.TSO {
			break
		}
	}
	return vars
}

// commit makes the oldest write of a variable by a thread visible to all.
func (s *ThreadState) commit(thread int, v *expr.Expr) {
	i := slices.IndexFunc(s.late[thread], func(b Binding) bool { return b.Var == v })
	s.store.vals[s.store.m.index[v]] = s.late[thread][i].Value
	s.late[thread] = slices.Delete(slices.Clone(s.late[thread]), i, i+1)
}
