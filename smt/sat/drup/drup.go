package drup

import (
	"fmt"
	"slices"

	"magus/smt/sat"
)

type kind uint8

const (
	input kind = iota
	derived
	deleted
)

type step struct {
	kind kind
	lits []sat.Lit // sorted, without repetition
}

// A Log is a sequence of input clauses, derived clauses and deletions.
type Log struct{ steps []step }

var _ sat.Proof = (*Log)(nil)

func (l *Log) note(k kind, lits []sat.Lit) {
	c := slices.Clone(lits)
	slices.Sort(c)
	l.steps = append(l.steps, step{k, slices.Compact(c)})
}

// Input notes a clause that is given.
func (l *Log) Input(lits []sat.Lit) { l.note(input, lits) }

// Add notes a clause that is to follow from the earlier ones.
func (l *Log) Add(lits []sat.Lit) { l.note(derived, lits) }

// Delete notes that a clause is not used any more.
func (l *Log) Delete(lits []sat.Lit) { l.note(deleted, lits) }

// Proves reports whether some derived clause consists of literals of lits
// only; a proof that passes Check then proves their disjunction.
func (l *Log) Proves(lits []sat.Lit) bool {
	return slices.ContainsFunc(l.steps, func(s step) bool {
		return s.kind == derived && !slices.ContainsFunc(s.lits, func(x sat.Lit) bool { return !slices.Contains(lits, x) })
	})
}

// Check reports the first derived clause that does not follow, or deletion of
// a clause that is not there.
func (l *Log) Check() error {
	var clauses [][]sat.Lit
	for i, s := range l.steps {
		if s.kind == deleted {
			at := slices.IndexFunc(clauses, func(c []sat.Lit) bool { return slices.Equal(c, s.lits) })
			if at < 0 {
				return fmt.Errorf("step %d deletes %v, which is not there", i, s.lits)
			}
			clauses = slices.Delete(clauses, at, at+1)
			continue
		}
		if s.kind == derived && !follows(clauses, s.lits) {
			return fmt.Errorf("step %d: %v does not follow by unit propagation", i, s.lits)
		}
		clauses = append(clauses, s.lits)
	}
	return nil
}

// follows assumes that every literal of c is false and propagates units until
// a clause has no literal left.
func follows(clauses [][]sat.Lit, c []sat.Lit) bool {
	isFalse := map[sat.Lit]bool{}
	for _, l := range c {
		isFalse[l] = true
	}
	for _, l := range c {
		if isFalse[l.Not()] {
			return true // c always holds
		}
	}
	for changed := true; changed; {
		changed = false
		for _, d := range clauses {
			unit, open := rest(d, isFalse)
			if open == 0 {
				return true
			}
			if open == 1 {
				isFalse[unit.Not()] = true
				changed = true
			}
		}
	}
	return false
}

// rest counts the literals of c that are not false and returns the last; a
// clause with a true literal counts as two.
func rest(c []sat.Lit, isFalse map[sat.Lit]bool) (unit sat.Lit, open int) {
	for _, l := range c {
		if isFalse[l.Not()] {
			return l, 2
		}
		if !isFalse[l] {
			unit, open = l, open+1
		}
	}
	return unit, open
}
