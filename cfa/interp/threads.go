package interp

// Execution of automata with threads.
//
// Idea: one store, one location for each thread. A step is one statement of one thread;
// who makes it chooses the thread. The rules are those of package cfa (thread.go): a
// thread in a section keeps the others from running, a join is possible when the other
// thread has ended, and a thread that halts stands still for ever.
//
// A section that control cannot come to the end of is one that has not begun. Here it may begin,
// and then nobody goes on: what is reached so is reached without beginning it as well, but for
// actions within it, which count.
//
// Source: ours. Cost: a step is a statement, and a copy of the state.

import (
	"cmp"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A Status is what has become of a thread.
type Status uint8

// What becomes of a thread.
const (
	NotBegun Status = iota
	Runs
	HasEnded
)

// A ThreadState is a store with a location for each thread. It is immutable.
type ThreadState struct {
	store  State
	at     []cfa.Loc
	status []Status
	within int // the thread that is in a section, or -1
	// late are by thread the writes that others do not see yet, oldest first. The store is what all see.
	late  [][]lateWrite
	ended bool
}

// InitialThreads is the state in which only the main thread has begun. values is as in
// [Machine.Initial].
func (m *Machine) InitialThreads(values func(v *expr.Expr) uint64) ThreadState {
	n := max(len(m.cfa.Threads), 1)
	s := ThreadState{store: m.Initial(values), at: make([]cfa.Loc, n), status: make([]Status, n), within: -1,
		late: make([][]lateWrite, n)}
	for i, t := range m.cfa.Threads {
		s.at[i] = t.Entry
	}
	s.at[0], s.status[0] = m.cfa.Entry, Runs
	return s
}

// Value is the bit pattern of a variable, false if the automaton has none such.
func (s ThreadState) Value(v *expr.Expr) (uint64, bool) { return s.store.Value(v) }

// At is where a thread is, and what has become of it.
func (s ThreadState) At(thread int) (cfa.Loc, Status) { return s.at[thread], s.status[thread] }

// Ended reports whether the process has ended.
func (s ThreadState) Ended() bool { return s.ended }

func (s ThreadState) clone() ThreadState {
	s.store, s.at, s.status, s.late = s.store.clone(), slices.Clone(s.at), slices.Clone(s.status), slices.Clone(s.late)
	return s
}

// cloneIn is clone with the room that a state has that is no longer used.
func (s ThreadState) cloneIn(old ThreadState) ThreadState {
	s.store.vals = append(old.store.vals[:0], s.store.vals...)
	s.store.taint = slices.Clone(s.store.taint)
	s.store.memory = slices.Clip(s.store.memory)
	s.at, s.status = append(old.at[:0], s.at...), append(old.status[:0], s.status...)
	s.late = append(old.late[:0], s.late...)
	return s
}

// Waits is why a thread cannot make a step, "" if it can.
func (s ThreadState) Waits(thread int) string {
	switch {
	case s.ended:
		return "the process has ended"
	case thread < 0 || thread >= len(s.at):
		return "there is no such thread"
	case s.status[thread] == NotBegun:
		return "the thread has not begun"
	case s.status[thread] == HasEnded:
		return "the thread has ended"
	case s.within >= 0 && s.within != thread:
		return fmt.Sprintf("%s is in an atomic section", s.store.m.cfa.Threads[s.within].Name)
	}
	stmt := s.store.m.locs[s.at[thread]].stmt
	if len(s.late[thread]) > 0 && s.store.m.fences(stmt) {
		return "others do not see yet what it has written"
	}
	switch stmt := stmt.(type) {
	case cfa.Join:
		if s.status[stmt.Thread] != HasEnded {
			return fmt.Sprintf("it waits for %s, which has not ended", stmt.Name)
		}
	case cfa.Halt:
		if !stmt.Ends {
			return "it goes no further: " + stmt.Reason
		}
	}
	return ""
}

// Deadlocked reports whether no thread goes on, the process has not ended, and some thread waits for a lock or for
// another thread.
func (m *Machine) Deadlocked(s ThreadState) bool {
	stands, _ := m.Standing(s)
	return stands
}

// Standing is [Machine.Deadlocked], with the first decision about it that depends on a value which is not modelled, or
// which a section chooses: what waits with one value may go on with another.
func (m *Machine) Standing(s ThreadState) (deadlock bool, rests *Taint) {
	waits := false
	for t, status := range s.status {
		if s.ended || s.within >= 0 {
			return false, nil
		}
		if status != Runs {
			continue
		}
		stands, tainted := m.stands(s, t)
		if rests == nil {
			rests = tainted
		}
		if !stands {
			return false, rests
		}
		waits = true
	}
	return waits, rests
}

// stands reports whether a thread waits for another one's end, or where a section begins that waits.
func (m *Machine) stands(s ThreadState, thread int) (bool, *Taint) {
	switch stmt := m.locs[s.at[thread]].stmt.(type) {
	case cfa.Join:
		return s.status[stmt.Thread] != HasEnded, nil
	case cfa.Halt:
		return stmt.Reason == cfa.Waiting, nil // of the only thread, which needs no sections
	case cfa.Atomic:
		if stmt.Begin {
			return m.waitsWithin(s.clone(), thread)
		}
	}
	return false, nil
}

// waitsWithin reports whether the section before which a thread is waits. It has a state of its own.
func (m *Machine) waitsWithin(s ThreadState, thread int) (waits bool, rests *Taint) {
	open := (*Taint)(nil) // what it chooses
	for seen := map[cfa.Loc]bool{}; !seen[s.at[thread]] && s.Waits(thread) == ""; {
		at := s.at[thread]
		seen[at] = true
		if a, ok := m.locs[at].stmt.(cfa.Assign); ok && a.RHS == nil && open == nil {
			pos := m.cfa.Locs[at].Pos
			open = &Taint{Reason: cmp.Or(a.Approx, "a value that is chosen where it would wait"), Pos: pos,
				From: at, Loc: at, At: pos}
			if a.Approx == "" {
				return false, open
			}
		}
		r := s.step(thread, ChoiceFunc(func(cfa.Loc, *expr.Expr) uint64 { return 0 }))
		if rests == nil {
			rests = r.Tainted
		}
		if s.within < 0 || s.ended {
			return false, cmp.Or(rests, open)
		}
	}
	h, ok := m.locs[s.at[thread]].stmt.(cfa.Halt)
	return ok && h.Reason == cfa.Waiting, rests
}

// StepThread makes a step of a thread that does not wait; Waits says so. A step of another
// one is a fault of the caller and panics.
func (m *Machine) StepThread(s ThreadState, thread int, ch Choices) (ThreadState, StepResult) {
	if why := s.Waits(thread); why != "" {
		panic("interp: a step of a thread that makes none: " + why)
	}
	next := s.clone()
	return next, next.step(thread, ch)
}

// step executes in place and leaves the result's Next empty.
func (s *ThreadState) step(thread int, ch Choices) StepResult {
	at := s.at[thread]
	p := &s.store.m.locs[at]
	s.store.loc = at
	switch stmt := p.stmt.(type) {
	case cfa.Spawn:
		if s.status[stmt.Thread] != NotBegun {
			panic("interp: a thread that begins twice: " + stmt.Name)
		}
		s.at[stmt.Thread], s.status[stmt.Thread] = p.succ[1], Runs
	case cfa.Join:
	case cfa.Atomic:
		s.within = -1
		if stmt.Begin && (!stmt.Access || s.store.m.model == cfa.SC) {
			s.within = thread
		}
		if stmt.Release {
			s.release(thread)
		}
	case cfa.End:
		s.status[thread] = HasEnded
		return StepResult{Event: Tau{}}
	default:
		r := s.act(thread, ch)
		s.at[thread], s.ended = s.store.loc, s.store.ended
		return r
	}
	s.at[thread] = p.succ[0]
	return StepResult{Event: Tau{}}
}
