package threaded

// Who waits for whom in a deadlock of threads.
//
// Idea: the models of the library's functions say by their parameter which object a thread waits for. Who has
// a lock is read off the run: it is the thread whose step gave the object its last value, for a lock that is
// not free has been changed by who holds it. Of read-write locks that several read, each reader is counted.
// Who will do nothing more has ended, or stands.
//
// Nothing rests on it but what people read: that nobody goes on was shown before.
//
// Cost: linear in the run, for each thread that waits.

import (
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/evidence/verdict"
	"magus/smt/expr"
)

// kinds are what functions of the library wait for, by their names.
var kinds = []struct{ call, kind string }{
	{"pthread_mutex_lock", "mutex"}, {"mtx_lock", "mutex"}, {"pthread_rwlock_rdlock", "lock"},
	{"pthread_rwlock_wrlock", "lock"},
	{"pthread_spin_lock", "spin lock"}, {"sem_wait", "semaphore"}, {"pthread_barrier_wait", "barrier"},
	{"pthread_cond_wait", "condition"}, {"cnd_wait", "condition"}, {"pthread_once", "the end of the function of"},
}

// stands is where each thread of a report stands, by its number there.
func (q *question) stands(run *interp.ThreadRun, number []int) []verdict.Stand {
	all := make([]verdict.Stand, len(slices.DeleteFunc(slices.Clone(number), func(n int) bool { return n == 0 })))
	for t, n := range number {
		if n == 0 {
			continue
		}
		s := &all[n-1]
		at, status := run.End.At(t)
		if s.Ended = status == interp.HasEnded; s.Ended {
			continue
		}
		loc := &q.auto.Locs[at]
		var frame int
		s.Pos, frame = q.libraryCall(loc.Pos, loc.Frame)
		s.Proc = q.auto.Frames[frame].Proc
		var holders []int
		if join, ok := loc.Stmt.(cfa.Join); ok {
			s.Object, holders = "the end of "+q.auto.Threads[join.Thread].Name, []int{join.Thread}
		} else {
			s.Object, holders = q.object(run, t, loc.Frame)
		}
		for _, h := range holders {
			if number[h] > 0 {
				s.Holders = append(s.Holders, number[h]-1)
			}
		}
	}
	return all
}

// object is what a thread waits for in a frame of a model, and who has it.
func (q *question) object(run *interp.ThreadRun, thread, frame int) (text string, holders []int) {
	call := q.routine(frame)
	i := slices.IndexFunc(kinds, func(k struct{ call, kind string }) bool { return k.call == call })
	if i < 0 {
		return call, nil
	}
	name := q.given(run, frame)
	text = strings.TrimSpace(kinds[i].kind + " " + name)
	switch kinds[i].kind {
	case "mutex", "spin lock":
		if last := q.lastChange(run, name); last >= 0 {
			holders = []int{run.Steps[last].Thread}
		}
	case "lock":
		holders = q.readers(run, name)
	}
	return text, holders
}

// given is the object whose address the call of the library that a frame is in was given first; "" if it is not known.
func (q *question) given(run *interp.ThreadRun, frame int) string {
	for q.auto.Frames[frame].Parent >= 0 && isModel(q.auto.Frames[frame].Call) {
		frame = q.auto.Frames[frame].Parent
	}
	for _, v := range q.auto.Vars {
		if v.Kind != cfa.Param || v.Frame != frame {
			continue
		}
		if value, ok := run.End.Value(v.Expr); ok {
			if name := q.innermost(value); name != "" {
				return name
			}
		}
	}
	return ""
}

// innermost is what begins at an address, as the program names it: the first element of an array of locks, not the
// array, and a lock, not what the library keeps in it. "" if the address is none of an object.
func (q *question) innermost(address uint64) string {
	o, offset, ok := q.auto.ObjectAt(address)
	if !ok {
		return ""
	}
	name, _ := o.NameAt(offset)
	for _, s := range o.Subobjects {
		if s.Offset == offset {
			name = o.Name + s.Path
			break
		}
	}
	name, _, _ = strings.Cut(name, ".__")
	return name
}

// parts are the variables that an object is made of.
func (q *question) parts(object string) map[*expr.Expr]bool {
	all := map[*expr.Expr]bool{}
	for _, v := range q.auto.Vars {
		rest, ok := strings.CutPrefix(v.Name, object)
		if ok && object != "" && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			all[v.Expr] = true
		}
	}
	return all
}

// wokenAlone says at which condition a thread has waited that gets its mutex back at a step, if nobody has sent a
// signal to it meanwhile; else "". Who does not know that this is allowed easily takes such a run for wrong.
func (q *question) wokenAlone(run *interp.ThreadRun, i int) string {
	st := &run.Steps[i]
	if len(st.Changed) == 0 || q.auto.Frames[st.Frame].Proc != "libc_mutex_pass" {
		return ""
	}
	from := -1 // where it has given the mutex away
	for k := i - 1; k >= 0 && from < 0; k-- {
		s := &run.Steps[k]
		if s.Frame == st.Frame && s.Thread == st.Thread && q.changeOne(s, st) {
			from = k
		}
	}
	if from < 0 {
		return ""
	}
	name := q.given(run, st.Frame)
	for k := from; k < i; k++ {
		switch s := &run.Steps[k]; q.routine(s.Frame) {
		case "pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast":
			if other := q.given(run, s.Frame); other == name || other == "" {
				return ""
			}
		}
	}
	if name == "" {
		return ""
	}
	how := "woken up without a signal to condition " + name
	if strings.HasSuffix(q.routine(st.Frame), "_timedwait") {
		how += ", or its time is up"
	}
	return how
}

// changeOne reports whether two steps change the same variable of the program.
func (q *question) changeOne(a, b *interp.ThreadRunStep) bool {
	return slices.ContainsFunc(a.Changed, func(x interp.Binding) bool {
		return q.ofProgram(x.Var) && slices.ContainsFunc(b.Changed, func(y interp.Binding) bool { return x.Var == y.Var })
	})
}

// changes reports whether a step changes one of some variables in a call of the library.
func (q *question) changes(st *interp.ThreadRunStep, parts map[*expr.Expr]bool) bool {
	return slices.ContainsFunc(st.Changed, func(b interp.Binding) bool { return parts[b.Var] }) &&
		q.routine(st.Frame) != ""
}

// lastChange is the last step of the run in which a call of the library changed an object; -1 if there is none.
func (q *question) lastChange(run *interp.ThreadRun, object string) int {
	parts := q.parts(object)
	for i := len(run.Steps) - 1; i >= 0; i-- {
		if q.changes(&run.Steps[i], parts) {
			return i
		}
	}
	return -1
}

// readers are the threads that have a read-write lock: those that have taken it more often than they gave it back.
func (q *question) readers(run *interp.ThreadRun, object string) (all []int) {
	held, parts := make([]int, len(q.auto.Threads)), q.parts(object)
	for i := range run.Steps {
		st := &run.Steps[i]
		if !q.changes(st, parts) {
			continue
		}
		switch call := q.routine(st.Frame); {
		case strings.HasSuffix(call, "unlock"):
			held[st.Thread]--
		case strings.HasSuffix(call, "lock"):
			held[st.Thread]++
		}
	}
	for t, n := range held {
		if n > 0 {
			all = append(all, t)
		}
	}
	return all
}
