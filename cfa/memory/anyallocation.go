package memory

// One object of each call that allocates, given out at any time.
//
// Idea: a call of malloc that control can pass several times gives out one object that is told apart, whenever that
// object is not allocated, or else memory that is not modelled, as it likes. For each run of the program, each such
// call and each object that it gives out there is a run here in which this is the one told apart. So where no run
// loses the one that is told apart, or uses it once it is freed, none does so with any object, however many there are.
//
// Memory that is not modelled has other addresses than what is told apart. So an object never has the address of one
// that has ended and is not told apart, nor the other way round: where a program can tell, that is an assumption
// (reuse.go). It may have that of the one told apart, which is given out again. That a pointer which is computed from
// another one leads into the same object is assumed, as everywhere (C11 6.5.6p8).
//
// A rule may be about one pointer that is any one and never changes. Where a call gives out that address the object
// that is told apart is taken for it: it is given out each time that it may be. So others never have that address
// either.
//
// Source: one representative of an allocation site: Balakrishnan, Reps: Recency-Abstraction for Heap-Allocated Storage,
// SAS 2006. Deviation: it is any object and not the last one, so no two of them are ever joined.
//
// Cost: for each such call, a test for each object of the heap.

import (
	"magus/cfa"
	"magus/smt/expr"
)

// AllocatesBeyond reports whether more objects may be allocated than are told apart, of which it is asked whether they
// are lost or used once they are freed.
func (a *Analysis) AllocatesBeyond() bool { return a.beyond }

// asksLives reports whether nothing but the lives of objects is checked.
func (m *addressing) asksLives() bool {
	return (m.opt.CheckLeaks || m.opt.Uses) && !m.opt.CheckPointers && !m.opt.Threads && !m.opt.Recorded && !m.opt.Races
}

// givesAny reports whether a site that control can pass several times gives out one object at any time.
func (m *addressing) givesAny(s *Site) bool { return m.opt.AnyAllocation && s.Null && m.asksLives() }

// giveAny gives out the object that is told apart, if it is not allocated, and goes on where it is not given out.
func (r *resolution) giveAny(s Alloc, pos cfa.Pos) cfa.Ends {
	b := s.Site.objects[0]
	which := r.code.Any(boolean, "told apart", "", pos)
	is, other := r.code.Branch(r.pool.Land(r.pool.Truth(which), r.pool.Not(r.pool.Truth(b.live))), pos)
	r.code.Continue(is)
	r.give(s, b, pos)
	given := r.code.Ends()
	r.code.Continue(other)
	return given
}

// SetRigid says of a pointer that it is any one and never changes, and that nothing else in the automaton is so.
func (m *Model) SetRigid(v *expr.Expr) { m.rigid = v }

// amongHeap parts control where an address may lie in an object of the heap, or is the rigid pointer, from where it
// does not.
func (r *resolution) amongHeap(addr *expr.Expr, from cfa.Ends, pos cfa.Pos) (among, other cfa.Ends) {
	other = from
	if r.rigid != nil {
		r.code.Continue(other)
		among, other = r.code.Branch(r.pool.Eq(addr, r.rigid), pos)
	}
	for _, b := range r.objects {
		if b.live == nil || b.external {
			continue
		}
		r.code.Continue(other)
		var in cfa.Ends
		in, other = r.code.Branch(r.near(addr, b), pos)
		among = append(among, in...)
	}
	return among, other
}

// computed writes an assignment to a pointer. Where it is computed from another one control passes only if both lead
// to an object that is told apart, or none does: what is not told apart has any address, and any number may be added
// to it.
func (r *resolution) computed(s cfa.Assign, pos cfa.Pos, write func()) {
	var from *expr.Expr
	if len(r.anyOnes) > 0 && s.RHS != nil && r.pointers[s.LHS] {
		from = r.pointerIn(s.RHS)
	}
	if from == s.RHS {
		from = nil
	}
	if from != nil && from == s.LHS {
		from = r.code.Temp("before", from.Type(), pos)
		r.code.Assign(from, s.LHS, pos)
	}
	write()
	for _, b := range r.anyOnes {
		if from == nil || r.code.Dead() {
			return
		}
		is, isNot := r.code.Branch(r.near(s.LHS, b), pos)
		r.code.Continue(is)
		stays, came := r.code.Branch(r.near(from, b), pos)
		r.code.Continue(isNot)
		left, other := r.code.Branch(r.near(from, b), pos)
		r.code.Continue(append(came, left...))
		r.Invalid(pos)
		r.code.Continue(append(stays, other...))
	}
}
