package sat

import (
	"slices"
)

// A Proof is told about every clause that a solver derives and drops. Each
// added clause follows from the clauses added to the solver and the proof's
// earlier ones by unit propagation (RUP). The slices must not be kept.
type Proof interface {
	Add(lits []Lit)
	Delete(lits []Lit)
}

// A watch is an entry in the list of clauses to look at when a literal
// becomes false.
type watch struct {
	ref     cref // with binaryMark for clauses of two literals
	blocker Lit  // another literal of the clause: if true, nothing is to do
}

// Stats counts work since the solver was made.
type Stats struct {
	Solves, Decisions, Propagations, Conflicts, Restarts, Reductions int64
}

// A Solver holds clauses and decides them. It is used by one goroutine at a
// time.
//
// Invariants between calls: the trail holds level 0 only and is propagated
// completely; of each clause without a true literal at level 0 the first two
// literals are unassigned and watched; the first literal of the clause that
// is the reason of a literal may be anywhere in it.
type Solver struct {
	ok      bool // false: the clauses alone are contradictory
	mem     arena
	clauses []cref // problem clauses
	learned []cref
	watches [][]watch // by literal: the clauses in which it is watched

	value  []lbool // by literal
	level  []int32 // by variable, of assigned ones
	reason []cref  // by variable, of assigned ones
	phase  []bool  // by variable: true if it was last false
	trail  []Lit
	starts []int32 // trail length at the start of each level
	qhead  int

	order  varHeap
	varInc float64
	claInc float32

	cone  []uint32 // by variable: number of the last SolveCone that had it in its cone
	query uint32   // number of the current call
	all   []Var    // every variable

	assumptions []Lit
	core        []Lit
	model       []bool   // by variable
	modelOf     []uint32 // by variable: the call that gave it a model value

	scratch analysis
	restart restartState
	reduce  reduceState
	proof   Proof
	theory  theoryState
	Stats   Stats
	addBuf  []Lit
}

// New is a solver without variables or clauses.
func New() *Solver {
	s := &Solver{ok: true, varInc: 1, claInc: 1}
	s.reduce.first, s.reduce.step, s.reduce.next = firstReduction, reductionStep, firstReduction
	return s
}

// SetProof attaches a proof log; it is called before the first clause.
func (s *Solver) SetProof(p Proof) { s.proof = p }

// NewVar adds a variable.
func (s *Solver) NewVar() Var {
	v := Var(len(s.level))
	s.watches = append(s.watches, nil, nil)
	s.value = append(s.value, unassigned, unassigned)
	s.level = append(s.level, 0)
	s.reason = append(s.reason, crefNone)
	s.phase = append(s.phase, true)
	s.cone = append(s.cone, 0)
	s.all = append(s.all, v)
	s.model = append(s.model, false)
	s.modelOf = append(s.modelOf, 0)
	s.order.grow()
	s.scratch.grow()
	return v
}

// AddClause adds a disjunction for good. It reports false if the clauses are
// now known to be contradictory. Literals may repeat.
func (s *Solver) AddClause(lits ...Lit) bool {
	if !s.ok {
		return false
	}
	out, trivial := s.normalize(lits)
	if trivial {
		return true
	}
	if len(out) < len(lits) && s.proof != nil {
		s.proof.Add(out)
	}
	switch len(out) {
	case 0:
		s.ok = false
	case 1:
		s.enqueue(out[0], crefNone)
		s.ok = s.propagate() == crefNone
		if !s.ok && s.proof != nil {
			s.proof.Add(nil)
		}
	default:
		c := s.mem.alloc(out, false, 0)
		s.clauses = append(s.clauses, c)
		s.attach(c)
	}
	return s.ok
}

// normalize sorts lits, drops repeated ones and those false at level 0, and
// reports whether the clause always holds.
func (s *Solver) normalize(lits []Lit) (out []Lit, trivial bool) {
	s.addBuf = append(s.addBuf[:0], lits...)
	if len(lits) > 3 {
		slices.Sort(s.addBuf)
	} else {
		insertionSort(s.addBuf)
	}
	out = s.addBuf[:0]
	for _, l := range s.addBuf {
		if s.value[l] == isTrue || len(out) > 0 && out[len(out)-1] == l.Not() {
			return nil, true
		}
		if s.value[l] == isFalse || len(out) > 0 && out[len(out)-1] == l {
			continue
		}
		out = append(out, l)
	}
	return out, false
}

func insertionSort(a []Lit) {
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && a[j] < a[j-1]; j-- {
			a[j], a[j-1] = a[j-1], a[j]
		}
	}
}

// attach watches the first two literals of c.
func (s *Solver) attach(c cref) {
	lits := s.mem.lits(c)
	a, b, ref := Lit(lits[0]), Lit(lits[1]), c
	if len(lits) == 2 {
		ref |= binaryMark
	}
	s.watches[a] = append(s.watches[a], watch{ref, b})
	s.watches[b] = append(s.watches[b], watch{ref, a})
}

// Size is the number of variables, and of the clauses that were added and are not units.
func (s *Solver) Size() (vars, clauses int) { return len(s.level), len(s.clauses) }

// Value is v's value in the model of the last Solve, which answered Sat. A
// variable outside that call's cone is false.
func (s *Solver) Value(v Var) bool { return s.modelOf[v] == s.query && s.model[v] }

// InModel reports whether the last Solve gave v a value.
func (s *Solver) InModel(v Var) bool { return s.modelOf[v] == s.query }

// Core are assumptions of the last Solve, which answered Unsat, that together
// contradict the clauses. The slice is overwritten by the next Solve.
func (s *Solver) Core() []Lit { return s.core }
