package sat

import (
	"cmp"
	"slices"
)

// Forgetting learned clauses, and compacting the store.
//
// Idea: learned clauses slow propagation down; every few thousand conflicts
// the half that has served least goes. Clauses over at most two levels stay.
// Source: Audemard, Simon (Glucose, 2009). Cost: O(n log n) in learned
// clauses, and linear in the store when it is compacted.

const (
	firstReduction = 2000 // conflicts
	reductionStep  = 300  // more between each two
	keepLBD        = 2
)

type reduceState struct {
	first, step int64 // as the constants; tests forget more often

	next  int64 // number of conflicts at which to reduce
	count int64
	swept int // length of the level-0 trail at the last sweep
	units int // number of its literals told to the proof as clauses
}

// maybeReduce is called at level 0.
func (s *Solver) maybeReduce() {
	if s.Stats.Conflicts >= s.reduce.next {
		s.reduce.count++
		s.reduce.next = s.Stats.Conflicts + s.reduce.first + s.reduce.step*s.reduce.count
		s.Stats.Reductions++
		s.logUnits()
		s.forget()
		s.detach()
	}
	if len(s.trail) > s.reduce.swept && 2*(len(s.trail)-s.reduce.swept) > 100+s.reduce.swept {
		s.reduce.swept = len(s.trail)
		s.logUnits()
		s.clauses = s.sweep(s.clauses)
		s.learned = s.sweep(s.learned)
		s.detach()
	}
	if s.mem.wasted > 1000 && s.mem.wasted*4 > len(s.mem.mem) {
		s.compact()
	}
}

// logUnits tells the proof what holds at level 0, for the clauses that imply
// it may be deleted.
func (s *Solver) logUnits() {
	for ; s.proof != nil && s.reduce.units < len(s.trail); s.reduce.units++ {
		s.proof.Add(s.trail[s.reduce.units : s.reduce.units+1])
	}
}

// forget drops the less useful half of the learned clauses.
func (s *Solver) forget() {
	slices.SortFunc(s.learned, func(a, b cref) int {
		return cmp.Or(cmp.Compare(s.mem.lbd(b), s.mem.lbd(a)),
			cmp.Compare(s.mem.activity(a), s.mem.activity(b)), cmp.Compare(a, b))
	})
	half, kept := len(s.learned)/2, s.learned[:0]
	for i, c := range s.learned {
		if i < half && s.mem.lbd(c) > keepLBD && s.mem.size(c) > 2 {
			s.remove(c)
		} else {
			kept = append(kept, c)
		}
	}
	s.learned = kept
}

// sweep drops the clauses that hold at level 0.
func (s *Solver) sweep(cs []cref) []cref {
	kept := cs[:0]
	for _, c := range cs {
		if slices.ContainsFunc(s.mem.lits(c), func(l uint32) bool { return s.value[l] == isTrue }) {
			s.remove(c)
		} else {
			kept = append(kept, c)
		}
	}
	return kept
}

// remove deletes c at level 0, where no clause is needed as a reason. Its
// watches go with the next detach.
func (s *Solver) remove(c cref) {
	if s.proof != nil {
		s.proof.Delete(s.mem.copyLits(nil, c))
	}
	s.mem.free(c)
}

// detach takes deleted clauses out of the watch lists.
func (s *Solver) detach() {
	for i, ws := range s.watches {
		s.watches[i] = slices.DeleteFunc(ws, func(w watch) bool { return s.mem.deleted(w.ref &^ binaryMark) })
	}
}

// compact moves the live clauses to a new store and rebuilds the watches. It
// is called at level 0.
func (s *Solver) compact() {
	fresh := arena{mem: make([]uint32, 0, len(s.mem.mem)-s.mem.wasted)}
	for i := range s.watches {
		s.watches[i] = s.watches[i][:0]
	}
	for _, l := range s.trail {
		s.reason[l.Var()] = crefNone
	}
	for _, list := range [2][]cref{s.clauses, s.learned} {
		for i, c := range list {
			list[i] = s.mem.move(c, &fresh)
		}
	}
	s.mem = fresh
	for _, list := range [2][]cref{s.clauses, s.learned} {
		for _, c := range list {
			s.attach(c)
		}
	}
}
