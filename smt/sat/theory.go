package sat

// A theory beside the clauses: what else literals mean.
//
// Idea: when unit propagation has nothing left to do, the theory is told which of its literals have
// become true since, in their order; it answers with clauses that it knows to hold and that are false,
// or leave one literal. They become learned clauses, after going back to the level at which they say
// something. Before a model is believed the theory is asked once more. Forgetting such a clause is no harm:
// the theory finds it again.
//
// Source: Nieuwenhuis, Oliveras, Tinelli, "Solving SAT and SAT modulo theories" (2006), section 3. A
// proof log does not know where the clauses come from: a solver has one or the other.

import (
	"cmp"
	"context"
	"slices"
)

// A Theory knows clauses about some variables.
//
// Laws: the clauses that it gives follow from the theory and hold literals over its variables only. Told
// literals are undone in the opposite order.
type Theory interface {
	// Assigned is told literals that have become true.
	Assigned(ctx context.Context, lits []Lit) (clauses [][]Lit, err error)
	// Undo takes back all but the first n literals that were told.
	Undo(n int)
	// Final gives a clause that is false where what was told is impossible; all of the
	// theory's variables have values.
	Final(ctx context.Context) (clauses [][]Lit, err error)
}

type theoryState struct {
	theory    Theory
	watched   []bool  // by variable
	positions []int32 // on the trail, of what was told
	head      int     // what is before it on the trail was looked at
	news      []Lit
}

// SetTheory attaches a theory over some variables, which are decided before others at first, and true: what
// they mean is more than what gates do. The caller has them in the cone of each call of
// SolveCone. It is called before the first Solve, and not together with a proof.
func (s *Solver) SetTheory(t Theory, watched []Var) {
	if s.proof != nil {
		panic("sat: a theory and a proof")
	}
	s.theory.theory, s.theory.watched = t, make([]bool, len(s.level))
	for _, v := range watched {
		s.theory.watched[v] = true
		s.order.act[v]++
		s.phase[v] = false
	}
}

// tellTheory tells what is new on the trail, and reports whether the theory had something to say.
func (s *Solver) tellTheory(ctx context.Context) (bool, error) {
	t := &s.theory
	if t.theory == nil {
		return false, nil
	}
	t.news = t.news[:0]
	for ; t.head < len(s.trail); t.head++ {
		if v := s.trail[t.head].Var(); int(v) < len(t.watched) && t.watched[v] {
			t.positions = append(t.positions, int32(t.head))
			t.news = append(t.news, s.trail[t.head])
		}
	}
	if len(t.news) == 0 {
		return false, nil
	}
	clauses, err := t.theory.Assigned(ctx, t.news)
	return s.lemmas(clauses), err
}

// askTheory asks whether the present assignment is possible.
func (s *Solver) askTheory(ctx context.Context) (bool, error) {
	if s.theory.theory == nil {
		return false, nil
	}
	clauses, err := s.theory.theory.Final(ctx)
	return s.lemmas(clauses), err
}

// undoTheory takes back what stood on the trail from a place on.
func (s *Solver) undoTheory(start int) {
	t := &s.theory
	n := len(t.positions)
	for n > 0 && int(t.positions[n-1]) >= start {
		n--
	}
	if n < len(t.positions) {
		t.positions = t.positions[:n]
		t.theory.Undo(n)
	}
	t.head = min(t.head, start)
}

// lemmas learns clauses, and reports whether there are any.
func (s *Solver) lemmas(clauses [][]Lit) bool {
	for _, c := range clauses {
		if !s.ok {
			break
		}
		s.lemma(slices.Clone(c))
	}
	return len(clauses) > 0
}

// lemma learns a clause and makes of it what it says now. The literals that are watched are true, or
// unassigned, or have been false for the shortest time.
func (s *Solver) lemma(lits []Lit) {
	slices.SortFunc(lits, func(a, b Lit) int {
		return cmp.Or(cmp.Compare(s.watchOrder(b), s.watchOrder(a)), cmp.Compare(a, b))
	})
	lits = slices.Compact(lits)
	if len(lits) < 2 {
		s.backtrack(0)
		switch {
		case len(lits) == 0 || s.value[lits[0]] == isFalse:
			s.ok = false
		case s.value[lits[0]] == unassigned:
			s.enqueue(lits[0], crefNone)
		}
		return
	}
	c := s.mem.alloc(lits, true, s.countLevelsOfAssigned(lits))
	s.mem.setActivity(c, s.claInc)
	s.learned = append(s.learned, c)
	s.attach(c)
	if s.value[lits[1]] != isFalse || s.value[lits[0]] == isTrue {
		return
	}
	first, second := s.level[lits[0].Var()], s.level[lits[1].Var()]
	if s.value[lits[0]] == isFalse && first == second {
		if first == 0 {
			s.ok = false
			return
		}
		s.backtrack(int(first))
		s.learn(c)
		return
	}
	s.backtrack(int(second))
	s.enqueue(lits[0], c)
}

// watchOrder orders literals: true, unassigned, then false ones by level.
func (s *Solver) watchOrder(l Lit) int {
	switch s.value[l] {
	case isTrue:
		return len(s.starts) + 2
	case unassigned:
		return len(s.starts) + 1
	}
	return int(s.level[l.Var()])
}

// countLevelsOfAssigned is [Solver.countLevels] where some literals may be unassigned.
func (s *Solver) countLevelsOfAssigned(lits []Lit) int {
	a := &s.scratch
	a.stamp++
	n := 1
	for _, l := range lits {
		if s.value[l] == unassigned {
			continue
		}
		if lv := s.level[l.Var()]; a.levels[lv] != a.stamp {
			a.levels[lv] = a.stamp
			n++
		}
	}
	return n
}
