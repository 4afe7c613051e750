package interp

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// comes is what a thread accesses next: with one statement, or with a section that comes to its end.
type comes struct {
	read, written []*expr.Expr
	atomic        bool
}

// next is what a thread accesses next.
func (m *Machine) next(s ThreadState, thread int) (c comes) {
	if s.Waits(thread) != "" {
		return c
	}
	at := s.at[thread]
	a, ok := m.locs[at].stmt.(cfa.Atomic)
	if !ok {
		c.read, c.written = m.cfa.Accesses(at)
		return c
	}
	c.atomic = !a.Plain
	met := map[cfa.Loc]bool{}
	s = s.clone()
	mark, steps, most := s.clone(), 0, 1 // a state to come back to (Brent)
	for s.Waits(thread) == "" {
		if at := s.at[thread]; !met[at] {
			met[at] = true
			read, written := m.cfa.Accesses(at)
			c.read, c.written = append(c.read, read...), append(c.written, written...)
		}
		s.step(thread, ChoiceFunc(func(cfa.Loc, *expr.Expr) uint64 { return 0 }))
		if s.within < 0 {
			return c
		}
		if s.at[thread] == mark.at[thread] && slices.Equal(s.store.vals, mark.store.vals) {
			return comes{} // it goes round for ever
		}
		if steps++; steps == most {
			mark, steps, most = s.clone(), 0, 2*most
		}
	}
	return comes{} // it waits
}

// Races reports whether two threads come to conflicting accesses next, of which not both are atomic.
// A section that goes round for ever does not begin.
func (m *Machine) Races(s ThreadState) bool {
	if s.ended || s.within >= 0 {
		return false
	}
	all := make([]comes, len(s.at))
	for t := range all {
		all[t] = m.next(s, t)
		for _, other := range all[:t] {
			if !(all[t].atomic && other.atomic) && (meet(all[t].written, other.written) ||
				meet(all[t].written, other.read) || meet(all[t].read, other.written)) {
				return true
			}
		}
	}
	return false
}

func meet(a, b []*expr.Expr) bool {
	return slices.ContainsFunc(a, func(v *expr.Expr) bool { return slices.Contains(b, v) })
}
