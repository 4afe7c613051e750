package sat

// Unit propagation with two watched literals.
//
// Idea: a clause is looked at only when one of two chosen literals becomes
// false. Each watch carries a second literal of the clause, the blocker; if
// it is true the clause is not read. Clauses of two literals are never read.
//
// Cones: above level 0 a literal whose variable is outside the query's cone
// is not assigned even when a clause implies it. Such a clause defines a gate
// that the query does not depend on; leaving it alone keeps the cost of a
// query independent of how many gates other queries have built. The watch
// invariant still holds where it matters: a clause with an unassigned literal
// outside the cone cannot become contradictory during this call, and between
// calls only level 0 is assigned, where nothing is skipped.
//
// Source: Moskewicz et al., Chaff (DAC 2001); blockers: Chu, Harwood, Stuckey
// (2008). Cost: no allocation but the growth of watch lists.

// enqueue makes l true because of clause c.
func (s *Solver) enqueue(l Lit, c cref) {
	s.value[l], s.value[l^1] = isTrue, isFalse
	v := l.Var()
	s.level[v] = int32(len(s.starts))
	s.reason[v] = c
	s.trail = append(s.trail, l)
}

// propagate assigns what follows from the trail and returns a clause that has
// become contradictory, or crefNone.
func (s *Solver) propagate() cref {
	for s.qhead < len(s.trail) {
		p := s.trail[s.qhead].Not()
		s.qhead++
		s.Stats.Propagations++
		if c := s.visit(p); c != crefNone {
			s.qhead = len(s.trail)
			return c
		}
	}
	return crefNone
}

// skips reports whether l is outside the query's cone and not to be assigned.
func (s *Solver) skips(l Lit) bool {
	return s.cone[l.Var()] != s.query && len(s.starts) > 0
}

// visit looks at the clauses in which p, now false, is watched.
func (s *Solver) visit(p Lit) cref {
	ws := s.watches[p]
	conflict := crefNone
	i, j := 0, 0
	for i < len(ws) && conflict == crefNone {
		w := ws[i]
		i++
		if s.value[w.blocker] != isTrue {
			c := w.ref &^ binaryMark
			if c == w.ref { // not binary
				first, moved := s.rewatch(c, p)
				if moved {
					continue
				}
				w.blocker = first
			}
			if !s.imply(w.blocker, c) {
				conflict = c
			}
		}
		ws[j] = w
		j++
	}
	if i > j {
		j += copy(ws[j:], ws[i:])
		s.watches[p] = ws[:j]
	}
	return conflict
}

// imply makes l true because of c, whose other literals are false; it reports
// false if l is false too.
func (s *Solver) imply(l Lit, c cref) bool {
	switch s.value[l] {
	case isFalse:
		return false
	case unassigned:
		if !s.skips(l) {
			s.enqueue(l, c)
		}
	}
	return true
}

// rewatch puts p second in clause c and, unless the first literal is true,
// looks for another literal to watch in p's place. It returns the first
// literal and whether the watch moved away from p.
func (s *Solver) rewatch(c cref, p Lit) (first Lit, moved bool) {
	lits := s.mem.lits(c)
	if Lit(lits[0]) == p {
		lits[0], lits[1] = lits[1], lits[0]
	}
	first = Lit(lits[0])
	if s.value[first] == isTrue {
		return first, false
	}
	for k := 2; k < len(lits); k++ {
		l := Lit(lits[k])
		if s.value[l] != isFalse {
			lits[1], lits[k] = lits[k], lits[1]
			s.watches[l] = append(s.watches[l], watch{c, first})
			return first, true
		}
	}
	return first, false
}

// backtrack undoes all levels above the given one.
func (s *Solver) backtrack(level int) {
	if len(s.starts) <= level {
		return
	}
	start := int(s.starts[level])
	for i := len(s.trail) - 1; i >= start; i-- {
		l := s.trail[i]
		v := l.Var()
		s.value[l], s.value[l^1] = unassigned, unassigned
		s.phase[v] = l.Neg()
		s.order.push(v)
	}
	s.trail = s.trail[:start]
	s.starts = s.starts[:level]
	s.qhead = start
	s.undoTheory(start)
}
