package threaded

// Conditions in the schedule of the compiled program.
//
// Idea: a thread that waits for a condition gives its mutex back in one slot and takes it in another one.
// Between them it may look whether it has a signal, which changes nothing. Who waits for ever has no signal:
// those that came were for others.
//
// Cost: linear in the run, for each wait.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/interp"
)

// wakes reports whether a step chooses who gets a signal, or whether a thread wakes up without one.
func (o *ordering) wakes(st *interp.ThreadRunStep) bool {
	return st.Chosen == cfa.WakesUp || o.s.routine(st.Frame) == "pthread_cond_signal"
}

// onlyLooks reports whether a section that ends with a step of a call is one in which a thread looks whether
// it has a signal.
func (o *ordering) onlyLooks(i int, call string) bool {
	if call != "pthread_cond_wait" {
		return false
	}
	for k := i; k >= 0; k-- {
		st := &o.steps[k]
		if st.Thread != o.steps[i].Thread {
			continue
		}
		if a, ok := o.s.auto.Locs[st.Loc].Stmt.(cfa.Atomic); ok && a.Begin {
			return true
		}
		if slices.ContainsFunc(st.Changed, func(b interp.Binding) bool { return slices.Contains(o.s.auto.Shared(), b.Var) }) {
			return false
		}
	}
	return true
}

// unsignalled reports whether a thread stands where it looks whether it has a signal.
func (o *ordering) unsignalled(thread int) bool {
	at, _ := o.s.run.End.At(thread)
	frame := o.s.auto.Locs[at].Frame
	if o.s.routine(frame) != "pthread_cond_wait" || o.s.auto.Frames[frame].Proc != "libc_mutex_await" {
		return false
	}
	for k := len(o.steps) - 1; k >= 0; k-- {
		a, ok := o.s.auto.Locs[o.steps[k].Loc].Stmt.(cfa.Atomic)
		if ok && !a.Begin && o.steps[k].Thread == thread {
			return !o.onlyLooks(k, "pthread_cond_wait")
		}
	}
	return false
}
