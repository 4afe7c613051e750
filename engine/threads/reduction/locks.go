package reduction

// Lock sets: which locks a thread holds at a location.
//
// Idea: constants are propagated over the automaton, with what branches say. If a section finds a variable to be 0
// and gives it another constant, its thread holds it from the section's end on, until it becomes 0 again.
// No other thread writes it then: this is believed of all variables at first. A variable that is written by a thread
// which does not hold it is no lock, and all begins anew without it. What is left is an invariant: it holds
// at the beginning, and each write keeps it.
//
// Source: Wegman, Zadeck, "Constant propagation with conditional branches" (1991); that locks are found so is ours.
//
// Only variables that sections read in branches or write are looked at, and those that they are computed from.
//
// Cost: a pass of constant propagation for each round in which variables turn out to be no locks; states are maps.

import (
	"context"
	"maps"

	"magus/cfa"
	"magus/internal/graph"
	"magus/smt/expr"
)

// A state is what is known at a location.
type state struct {
	vals  map[*expr.Expr]uint64     // constants; of shared variables only where nobody else can write them
	same  map[*expr.Expr]*expr.Expr // in a section: what holds the value that a shared variable has
	held  map[*expr.Expr]bool       // locks of this thread
	taken map[*expr.Expr]bool       // in a section: locks that were found free, or held, and written since
}

func newState() *state {
	return &state{map[*expr.Expr]uint64{}, map[*expr.Expr]*expr.Expr{}, map[*expr.Expr]bool{}, map[*expr.Expr]bool{}}
}

func (s *state) clone() *state {
	return &state{maps.Clone(s.vals), maps.Clone(s.same), maps.Clone(s.held), maps.Clone(s.taken)}
}

// meet keeps what s and t agree on, and reports whether s has changed.
func (s *state) meet(t *state) bool {
	n := len(s.vals) + len(s.same) + len(s.held) + len(s.taken)
	maps.DeleteFunc(s.held, func(v *expr.Expr, _ bool) bool { return !t.held[v] || s.vals[v] != t.vals[v] })
	maps.DeleteFunc(s.vals, func(v *expr.Expr, x uint64) bool { y, ok := t.vals[v]; return !ok || x != y })
	maps.DeleteFunc(s.same, func(v, of *expr.Expr) bool { return t.same[v] != of })
	maps.DeleteFunc(s.taken, func(v *expr.Expr, _ bool) bool { return !t.taken[v] })
	return n != len(s.vals)+len(s.same)+len(s.held)+len(s.taken)
}

// A flow is an automaton with what is known at its locations.
type flow struct {
	c          *cfa.CFA
	concurrent []bool
	shared     map[*expr.Expr]bool // written while there are several threads
	section    []bool
	noLock     map[*expr.Expr]bool
	tracked    map[*expr.Expr]bool // what sections decide by
	at         []*state            // nil: control does not come there
	changed    bool                // there is one lock less
}

// track finds what sections decide by: backward, over assignments.
func (f *flow) track() {
	f.tracked = map[*expr.Expr]bool{}
	from := map[*expr.Expr][]*expr.Expr{}
	var work []*expr.Expr
	for l := range f.c.Locs {
		read, _ := f.c.Accesses(cfa.Loc(l))
		switch stmt := f.c.Locs[l].Stmt.(type) {
		case cfa.Assign:
			from[stmt.LHS] = append(from[stmt.LHS], read...)
			if f.section[l] && f.shared[stmt.LHS] {
				work = append(work, stmt.LHS)
			}
		case cfa.Branch:
			if f.section[l] {
				work = append(work, read...)
			}
		}
	}
	for _, v := range graph.Closure(func(v *expr.Expr, yield func(*expr.Expr)) {
		for _, of := range from[v] {
			yield(of)
		}
	}, work...) {
		f.tracked[v] = true
	}
}

// solve finds what holds at each location. The error is ctx's.
func (f *flow) solve(ctx context.Context) error {
	f.track()
	for f.changed = true; f.changed; {
		f.changed = false
		at, _, err := graph.Forward(ctx, len(f.c.Locs), f, int(f.c.Entry), newState())
		if err != nil {
			return err
		}
		f.at = at
	}
	return nil
}

// Merge, Copy and Flow make f a graph.Problem. What is known shrinks at joins.
func (f *flow) Merge(x, y *state) (*state, bool) { return x, x.meet(y) }

func (f *flow) Copy(y *state) *state { return y }

func (f *flow) Flow(n int, x *state, yield func(int, *state)) {
	for branch, s := range f.c.Locs[n].Succ {
		if next := f.from(x, cfa.Loc(n), branch); next != nil {
			yield(int(s), next)
		}
	}
}

// step is what holds behind a statement on one branch; nil if control does not go there.
func (f *flow) step(l cfa.Loc, branch int) *state { return f.from(f.at[l], l, branch) }

// from is what holds behind a statement on one branch if before holds before it. It is a state of its own.
func (f *flow) from(before *state, l cfa.Loc, branch int) *state {
	s := before.clone()
	switch stmt := f.c.Locs[l].Stmt.(type) {
	case cfa.Assign:
		f.assign(s, l, stmt)
	case cfa.Branch:
		if !f.branch(s, l, stmt.Cond, branch == 0) {
			return nil
		}
	case cfa.Spawn:
		f.forget(s)
		if branch == 1 {
			for v := range s.held {
				delete(s.vals, v)
			}
			clear(s.held)
		}
	case cfa.Atomic:
		if !stmt.Begin {
			f.leave(s)
		}
	}
	return s
}

// forget drops what others may change from now on.
func (f *flow) forget(s *state) {
	maps.DeleteFunc(s.vals, func(v *expr.Expr, _ uint64) bool { return f.shared[v] && !s.held[v] })
	clear(s.same)
	clear(s.taken)
}

// leave ends a section: what it took it holds.
func (f *flow) leave(s *state) {
	for v := range s.taken {
		if x, ok := s.vals[v]; ok && x != 0 {
			s.held[v] = true
		} else {
			delete(s.held, v)
		}
	}
	f.forget(s)
}

// value is a term with what is known.
func (f *flow) value(s *state, t *expr.Expr) *expr.Expr {
	by := map[*expr.Expr]*expr.Expr{}
	for _, v := range expr.Vars(t) {
		of := v
		if x, ok := s.same[v]; ok {
			of = x
		}
		if x, ok := s.vals[of]; ok {
			by[v] = f.c.Pool.Const(v.Type(), x)
		} else if of != v {
			by[v] = of
		}
	}
	if len(by) == 0 {
		return t
	}
	return f.c.Pool.Subst(t, by)
}

// private reports whether the present value of a variable is the thread's to know.
func (f *flow) private(s *state, l cfa.Loc, v *expr.Expr) bool {
	return !f.shared[v] || f.section[l] || s.held[v] || !f.concurrent[l]
}

func (f *flow) assign(s *state, l cfa.Loc, a cfa.Assign) {
	v := a.LHS
	if !f.tracked[v] {
		f.write(s, l, v, nil)
		return
	}
	var value *expr.Expr
	if a.RHS != nil {
		value = f.value(s, a.RHS)
	}
	f.write(s, l, v, value)
	for t, of := range s.same {
		if of == v && t != v {
			if x, ok := s.vals[v]; ok {
				s.vals[t] = x
			}
			delete(s.same, t)
		}
	}
	delete(s.same, v)
	delete(s.vals, v)
	switch {
	case value == nil:
	case value.IsConst() && f.private(s, l, v):
		s.vals[v] = value.Value()
	case f.section[l] && f.shared[value] && !f.shared[v] && value.Type() == v.Type():
		s.same[v] = value
	}
	if f.shared[v] && s.held[v] && !f.section[l] && s.vals[v] == 0 {
		delete(s.held, v)
		if f.concurrent[l] {
			delete(s.vals, v)
		}
	}
}

// write looks whether a shared variable is written as a lock is.
func (f *flow) write(s *state, l cfa.Loc, v, value *expr.Expr) {
	if !f.shared[v] || f.noLock[v] {
		return
	}
	if !f.tracked[v] {
		f.noLock[v] = true
		return
	}
	x, known := s.vals[v]
	switch {
	case s.held[v] || f.section[l] && (s.taken[v] || known && x == 0):
		if f.section[l] {
			s.taken[v] = true
		}
	case f.concurrent[l]:
		f.noLock[v], f.changed = true, true
	}
}

// branch notes what a condition says; false if control does not go that way.
func (f *flow) branch(s *state, l cfa.Loc, cond *expr.Expr, holds bool) bool {
	cond = f.value(s, cond)
	if !holds {
		cond = f.c.Pool.Not(cond)
	}
	if cond.IsFalse() {
		return false
	}
	for _, v := range expr.Vars(cond) {
		for _, x := range []uint64{0, 1} {
			if f.tracked[v] && cond == f.c.Pool.Eq(v, f.c.Pool.Const(v.Type(), x)) && f.private(s, l, v) {
				s.vals[v] = x
			}
		}
	}
	return true
}
