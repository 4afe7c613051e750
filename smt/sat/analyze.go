package sat

// Conflict analysis: the first unique implication point, and the assumptions
// behind a failed one.
//
// Idea: resolve the conflicting clause with reasons, latest first, until one
// literal of the current level is left; its negation is what the earlier
// levels should have implied. The clause is then minimised: a literal goes if
// its reasons lead to other literals of the clause or to level 0 only.
//
// Source: Marques-Silva, Sakallah (GRASP, 1999); Eén, Sörensson (MiniSat,
// 2003; recursive minimisation 2005); LBD: Audemard, Simon (Glucose, 2009).
// Cost: linear in the clauses resolved.

type analysis struct {
	seen    []uint8 // by variable
	toClear []Var   // variables with seen != 0
	learnt  []Lit
	stack   []Lit
	levels  []uint32 // by level: stamp for counting levels
	stamp   uint32
}

const (
	seenSource  = 1 + iota // in the clause, or resolved away
	seenRemoved            // implied by the clause: minimised or may be
	seenFailed             // known not to be implied
)

func (a *analysis) grow() { a.seen = append(a.seen, 0) }

// ensureLevels makes room for n levels.
func (a *analysis) ensureLevels(n int) {
	if n > len(a.levels) {
		a.levels = append(a.levels, make([]uint32, n-len(a.levels))...)
	}
}

func (a *analysis) mark(v Var, as uint8) {
	if a.seen[v] == 0 {
		a.toClear = append(a.toClear, v)
	}
	a.seen[v] = as
}

func (a *analysis) clear() {
	for _, v := range a.toClear {
		a.seen[v] = 0
	}
	a.toClear = a.toClear[:0]
}

// analyze derives a clause from a conflict above level 0. Its first literal
// is the one to be implied at the returned level, its second one of that
// level.
func (s *Solver) analyze(conflict cref) (learnt []Lit, level, lbd int) {
	a := &s.scratch
	a.learnt = append(a.learnt[:0], litUndef)
	current := int32(len(s.starts))
	open, p, index := 0, litUndef, len(s.trail)-1
	for c := conflict; ; {
		s.used(c)
		for _, w := range s.mem.lits(c) {
			q := Lit(w)
			v := q.Var()
			if q == p || a.seen[v] != 0 || s.level[v] == 0 {
				continue
			}
			a.mark(v, seenSource)
			s.bumpVar(v)
			if s.level[v] == current {
				open++
			} else {
				a.learnt = append(a.learnt, q)
			}
		}
		for a.seen[s.trail[index].Var()] == 0 {
			index--
		}
		p = s.trail[index]
		index--
		if open--; open == 0 {
			break
		}
		c = s.reason[p.Var()]
	}
	a.learnt[0] = p.Not()
	s.minimize()
	a.clear()
	return a.learnt, s.secondLevel(a.learnt), s.countLevels(a.learnt)
}

// used bumps a learned clause that took part in a conflict.
func (s *Solver) used(c cref) {
	if !s.mem.learned(c) {
		return
	}
	s.bumpClause(c)
	if s.mem.lbd(c) > 2 {
		lbd := 0
		a := &s.scratch
		a.stamp++
		for _, w := range s.mem.lits(c) {
			if l := s.level[Lit(w).Var()]; l > 0 && a.levels[l] != a.stamp {
				a.levels[l] = a.stamp
				lbd++
			}
		}
		if lbd < s.mem.lbd(c) {
			s.mem.setLBD(c, lbd)
		}
	}
}

// secondLevel moves a literal of the highest level but the first's to the
// second place and returns that level.
func (s *Solver) secondLevel(lits []Lit) int {
	if len(lits) == 1 {
		return 0
	}
	best := 1
	for i := 2; i < len(lits); i++ {
		if s.level[lits[i].Var()] > s.level[lits[best].Var()] {
			best = i
		}
	}
	lits[1], lits[best] = lits[best], lits[1]
	return int(s.level[lits[1].Var()])
}

// countLevels is the number of different levels of assigned literals (the
// clause's LBD).
func (s *Solver) countLevels(lits []Lit) int {
	a := &s.scratch
	a.stamp++
	n := 0
	for _, l := range lits {
		if lv := s.level[l.Var()]; a.levels[lv] != a.stamp {
			a.levels[lv] = a.stamp
			n++
		}
	}
	return n
}

// minimize drops literals from the learnt clause that the others imply.
func (s *Solver) minimize() {
	a := &s.scratch
	j := 1
	for i := 1; i < len(a.learnt); i++ {
		l := a.learnt[i]
		if s.reason[l.Var()] == crefNone || !s.redundant(l) {
			a.learnt[j] = l
			j++
		}
	}
	a.learnt = a.learnt[:j]
}

// redundant reports whether l is implied by other literals of the clause
// being learned. It walks the reasons depth first with a stack of its own:
// an entry is a literal whose reason is being checked, and all entries on
// the way to a failure have failed.
func (s *Solver) redundant(l Lit) bool {
	a := &s.scratch
	a.stack = append(a.stack[:0], l)
	for len(a.stack) > 0 {
		p := a.stack[len(a.stack)-1]
		next, failed := s.unexplained(p)
		switch {
		case failed:
			for _, q := range a.stack {
				if a.seen[q.Var()] != seenSource {
					a.mark(q.Var(), seenFailed)
				}
			}
			return false
		case next != litUndef:
			a.stack = append(a.stack, next)
		default:
			if a.seen[p.Var()] != seenSource {
				a.mark(p.Var(), seenRemoved)
			}
			a.stack = a.stack[:len(a.stack)-1]
		}
	}
	return true
}

// unexplained finds a literal in p's reason whose own reason is still to be
// checked, or reports that one can have none.
func (s *Solver) unexplained(p Lit) (next Lit, failed bool) {
	a := &s.scratch
	for _, w := range s.mem.lits(s.reason[p.Var()]) {
		q := Lit(w)
		v := q.Var()
		if v == p.Var() || s.level[v] == 0 {
			continue
		}
		switch a.seen[v] {
		case seenSource, seenRemoved:
		case seenFailed:
			return litUndef, true
		default:
			if s.reason[v] == crefNone {
				return litUndef, true
			}
			return q, false
		}
	}
	return litUndef, false
}

// analyzeFinal collects in core the assumptions that make the assumption p
// false, p included.
func (s *Solver) analyzeFinal(p Lit) {
	a := &s.scratch
	s.core = append(s.core[:0], p)
	if len(s.starts) == 0 || s.level[p.Var()] == 0 {
		return
	}
	a.mark(p.Var(), seenSource)
	for i := len(s.trail) - 1; i >= int(s.starts[0]); i-- {
		v := s.trail[i].Var()
		if a.seen[v] == 0 {
			continue
		}
		if s.reason[v] == crefNone {
			// A decision; below the first free one all are assumptions.
			if s.trail[i] != p {
				s.core = append(s.core, s.trail[i])
			}
			continue
		}
		for _, w := range s.mem.lits(s.reason[v]) {
			if u := Lit(w).Var(); u != v && s.level[u] > 0 {
				a.mark(u, seenSource)
			}
		}
	}
	a.clear()
}

func (s *Solver) bumpVar(v Var) {
	if s.order.act[v] += s.varInc; s.order.act[v] > 1e100 {
		for i := range s.order.act {
			s.order.act[i] *= 1e-100
		}
		s.varInc *= 1e-100
	}
	s.order.grown(v)
}

func (s *Solver) bumpClause(c cref) {
	f := s.mem.activity(c) + s.claInc
	s.mem.setActivity(c, f)
	if f > 1e20 {
		for _, d := range s.learned {
			s.mem.setActivity(d, s.mem.activity(d)*1e-20)
		}
		s.claInc *= 1e-20
	}
}
