package threaded

// What the compiled program needs to do the violation: the order of accesses, and the values that it asks for.
//
// Idea: an object that several threads access, one of them writing, has slots in the schedule. An object is a
// whole variable, with its elements and members: the compiled program accesses it where the automaton
// accesses one of them. The library itself makes the accesses of the models of its functions.

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/source"
	"magus/component"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/internal/pattern"
	"magus/smt/expr"
)

// Inputs are what makes the compiled program do the violation; nil if there is none.
func (s *Session) Inputs() *witness.Inputs {
	if s.outcome == nil || s.outcome.Verdict != verdict.Violates {
		return nil
	}
	p, lower := s.claim.Program, s.claim.Lowering
	in := &witness.Inputs{Claim: s.claim.Name, Functions: p.Functions(), Variables: p.Variables(),
		Labels: lower.ErrorLabels,
		Errors: append([]string{"__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail"},
			lower.ErrorFunctions...)}
	switch {
	case s.opt.Threads.MemoryModel != cfa.SC:
		in.Refused = fmt.Sprintf("nothing makes a machine behave as --memory-model %v allows",
			s.opt.Threads.MemoryModel)
	case s.claim.BegunTogether():
		in.Refused = "no procedure of the sources begins the components"
	case s.claim.Question == component.NoError && len(lower.ErrorLabels) > 0:
		in.Refused = "the error is a label"
	default:
		o := ordering{s: s, in: in, first: slices.IndexFunc(s.run.Steps, func(st interp.ThreadRunStep) bool {
			return s.spawns(&st) >= 0
		})}
		in.Refused = o.write()
	}
	return in
}

// spawns is the thread that a step creates, or -1.
func (s *Session) spawns(st *interp.ThreadRunStep) int {
	if sp, ok := s.auto.Locs[st.Loc].Stmt.(cfa.Spawn); ok {
		return sp.Thread
	}
	return -1
}

// ordering writes a schedule of a run.
type ordering struct {
	s     *Session
	in    *witness.Inputs
	first int // the step that creates the first thread
	steps []interp.ThreadRunStep
	vars  map[*expr.Expr]*cfa.Var
	// allocated are the allocations of malloc and calloc; allocatedAt is where any memory is allocated.
	allocated   []allocation
	allocatedAt map[cfa.Pos]bool
}

// An allocation is memory that a thread allocates; the name is empty if it fails.
type allocation struct {
	thread int
	name   string
}

// An object is a variable as it is declared, or allocated memory, which has no place. Of a local one
// there is one for each call of its function.
type object struct {
	name  string
	pos   cfa.Pos
	frame int // -1 of others
}

// local reports whether an object is known within a function only.
func (o *ordering) local(at object) bool {
	return slices.ContainsFunc(o.s.auto.Vars, func(v cfa.Var) bool {
		here, ok := o.object(v.Expr)
		return ok && here == at && (v.Kind == cfa.Local || v.Kind == cfa.Global && v.Proc != "")
	})
}

// write fills in what the threads do, and returns why that cannot be forced; "" if it can.
func (o *ordering) write() string {
	s := o.s
	o.steps, o.vars = s.run.Steps, map[*expr.Expr]*cfa.Var{}
	if i := slices.IndexFunc(o.steps, func(st interp.ThreadRunStep) bool {
		a, ok := st.Event.(interp.Acted)
		return ok && a.Action == cfa.ErrorAction
	}); i >= 0 {
		o.steps = o.steps[:i+1]
	}
	for i := range s.auto.Vars {
		o.vars[s.auto.Vars[i].Expr] = &s.auto.Vars[i]
	}
	plan := &witness.Schedule{Ends: make([]bool, max(1, len(s.auto.Threads)))}
	for _, t := range s.auto.Threads {
		o.in.Components = append(o.in.Components, witness.ComponentInputs{Name: t.Name, Trace: []string{}})
	}
	if len(s.auto.Params) > 0 {
		o.parameters(s.auto.Params[0])
	}
	o.allocations()
	cells, why := o.cells()
	if why != "" {
		return why
	}
	for _, c := range cells {
		plan.Cells, plan.Local = append(plan.Cells, c.name), append(plan.Local, o.local(c))
	}
	for _, a := range o.allocated {
		cell := slices.Index(cells, object{name: a.name, frame: -1})
		plan.Allocations = append(plan.Allocations, witness.Allocated{Thread: a.thread, Cell: cell, Fails: a.name == ""})
	}
	for k, c := range cells {
		if plan.Local[k] && c.frame < 0 {
			plan.Homes = append(plan.Homes, witness.Home{Thread: -1, Cell: k, Name: c.name, Pos: c.pos})
		}
	}
	for i := range o.steps[:min(len(o.steps), s.last)] {
		o.declared(i, plan, cells)
		o.step(i, plan, cells)
	}
	o.in.Schedule = plan
	return o.end(plan, cells)
}

// end adds what the run comes to, and returns why that cannot be shown.
func (o *ordering) end(plan *witness.Schedule, cells []object) string {
	if o.s.outcome.Run.Must != nil {
		return "what threads refuse cannot be shown by one run of the compiled program"
	}
	if o.s.claim.Monitors() != nil {
		return o.performs(plan)
	}
	if o.s.claim.Question == component.NoError {
		last := &o.in.Components[o.steps[len(o.steps)-1].Thread]
		last.Trace = append(last.Trace, cfa.ErrorAction)
		return ""
	}
	if i := slices.IndexFunc(plan.Slots, func(t witness.Slot) bool {
		return t.Call != "" && !slices.Contains(slotted, t.Call)
	}); i >= 0 {
		return fmt.Sprintf("%v: what %s waits for cannot be forced", plan.Slots[i].Pos, plan.Slots[i].Call)
	}
	if o.s.claim.Question == component.NoDeadlock {
		plan.Stand = o.s.plan.Blocked
		for _, t := range plan.Stand {
			o.in.Components[t].Trace = append(o.in.Components[t].Trace, "deadlock")
			at, _ := o.s.run.End.At(t)
			if call := o.s.routine(o.s.auto.Locs[at].Frame); call != "" && !slices.Contains(slotted, call) {
				return fmt.Sprintf("what %s waits for cannot be forced", call)
			}
			if o.unsignalled(t) {
				plan.Unsignalled = append(plan.Unsignalled, t)
			}
		}
		return ""
	}
	for _, i := range o.s.plan.Race {
		o.in.Components[o.steps[i].Thread].Trace = append(o.in.Components[o.steps[i].Thread].Trace, "race")
	}
	return o.race(plan, cells)
}

// race adds two accesses of one object, of which one writes, and behind how many others of its section each comes.
func (o *ordering) race(plan *witness.Schedule, cells []object) string {
	var before, found [2][]witness.Slot
	for k, race := range o.s.plan.Race {
		for i := o.s.plan.Next; i <= race; i++ {
			if o.steps[i].Thread != o.steps[race].Thread {
				continue
			}
			o.accesses(i, func(at object, write bool) {
				t := witness.Slot{Thread: o.steps[i].Thread, Cell: slices.Index(cells, at), Write: write, Pos: o.steps[i].Pos}
				switch {
				case t.Cell >= 0 && i == race:
					found[k] = append(found[k], t)
				case t.Cell >= 0:
					before[k] = append(before[k], t)
				}
			})
		}
	}
	for _, a := range found[0] {
		for _, b := range found[1] {
			if a.Cell == b.Cell && (a.Write || b.Write) {
				plan.Race = slices.Concat(before[0], []witness.Slot{a}, before[1], []witness.Slot{b})
				return ""
			}
		}
	}
	return "the library makes one of the accesses"
}

// slotted are the functions whose calls have slots where a deadlock or a data race is shown.
var slotted = []string{"pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock",
	"pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_tryrdlock",
	"pthread_rwlock_trywrlock", "pthread_rwlock_unlock", "pthread_spin_lock", "pthread_spin_trylock",
	"pthread_spin_unlock", "sem_wait", "sem_trywait", "sem_post", "pthread_cond_wait", "pthread_cond_signal",
	"pthread_cond_broadcast", "pthread_join"}

// call is the function of the library by which a thread waits or wakes others with a step; "" if there is none.
func (o *ordering) call(st *interp.ThreadRunStep) string {
	switch stmt := o.s.auto.Locs[st.Loc].Stmt.(type) {
	case cfa.Join:
		return "pthread_join"
	case cfa.Atomic:
		if !stmt.Begin {
			return o.s.routine(st.Frame)
		}
	}
	return ""
}

// routine is the function of the library that the program calls, for what is in a frame; "" for the program's own.
func (q *question) routine(frame int) string {
	if !q.ofModel(frame) {
		return ""
	}
	for range q.auto.Frames {
		if !isModel(q.auto.Frames[frame].Call) {
			break
		}
		frame = q.auto.Frames[frame].Parent
	}
	return q.auto.Frames[frame].Proc
}

// step adds what a step does to a plan.
func (o *ordering) step(i int, plan *witness.Schedule, cells []object) {
	st := &o.steps[i]
	if t := o.s.spawns(st); t >= 0 {
		plan.Created = append(plan.Created, [2]int{st.Thread, t})
	}
	if _, ok := o.s.auto.Locs[st.Loc].Stmt.(cfa.End); ok {
		plan.Ends[st.Thread] = true
	}
	if st.Chosen != "" {
		c, value, called := &o.in.Components[st.Thread], given(st), o.function(st.Chosen)
		if value != 0 && st.Chosen != witness.Allocation && !called && !o.wakes(st) {
			c.Missing = append(c.Missing, cfa.Warning{Pos: st.Pos,
				Text: fmt.Sprintf("%s is %s: %d", st.Changed[0].Var.Name(), st.Chosen, value)})
		}
		c.Choices = append(c.Choices, witness.Choice{Name: st.Chosen, Called: called, Pos: st.Pos, Value: value})
	}
	if call := o.call(st); call != "" && o.s.claim.Question != component.NoError && !o.onlyLooks(i, call) {
		pos, _ := o.s.libraryCall(st.Pos, st.Frame)
		plan.Slots = append(plan.Slots, witness.Slot{Thread: st.Thread, Call: call, Pos: pos})
	}
	o.acts(i, plan)
	o.accesses(i, func(at object, write bool) {
		if k := slices.Index(cells, at); k >= 0 {
			plan.Slots = append(plan.Slots, witness.Slot{Thread: st.Thread, Cell: k, Write: write, Pos: st.Pos})
		}
	})
}

// declared adds what a step writes to local variables with slots, perhaps at their declarations.
func (o *ordering) declared(i int, plan *witness.Schedule, cells []object) {
	st := &o.steps[i]
	for _, b := range st.Changed {
		at, ok := o.object(b.Var)
		if k := slices.Index(cells, at); ok && k >= 0 && at.frame >= 0 {
			plan.Homes = append(plan.Homes, witness.Home{Thread: st.Thread, Cell: k, Name: at.name,
				Part: b.Var.Name(), Pos: at.pos, At: st.Pos})
		}
	}
}

// parameters notes that the program is started in another way than by its name alone.
func (o *ordering) parameters(argc *expr.Expr) {
	for _, b := range o.s.script.Init {
		if main := &o.in.Components[0]; b.Var == argc && b.Value != 1 {
			main.Missing = append(main.Missing,
				cfa.Warning{Pos: o.vars[argc].Pos,
					Text: fmt.Sprintf("main is given %d words of a command line", argc.Type().Sext(b.Value))})
		}
	}
}

// allocations finds what the threads allocate by malloc and calloc.
func (o *ordering) allocations() {
	o.allocatedAt = map[cfa.Pos]bool{}
	for i := range o.steps {
		st := &o.steps[i]
		if st.Chosen != witness.Allocation || isModel(st.Pos) || o.s.ofModel(st.Frame) {
			continue
		}
		o.allocatedAt[st.Pos] = true
		name := ""
		if given(st) != 0 {
			name = o.made(i)
		}
		if name == "" || reMalloc().MatchString(name) {
			o.allocated = append(o.allocated, allocation{st.Thread, name})
		}
	}
}

var reMalloc = pattern.New(`^(__builtin_)?(malloc|calloc)@`)

// made is the memory whose address a thread gets behind a step.
func (o *ordering) made(i int) string {
	for _, st := range o.steps[i+1:] {
		if st.Thread != o.steps[i].Thread || len(st.Changed) != 1 {
			continue
		}
		for _, x := range o.s.auto.Objects {
			if x.Base == st.Changed[0].Value && strings.Contains(x.Name, "@") {
				return x.Name
			}
		}
	}
	return "?"
}

// given is the value that a step chooses.
func given(st *interp.ThreadRunStep) uint64 {
	if len(st.Changed) == 0 {
		return 0
	}
	return st.Changed[0].Value
}

// function reports whether a value is what a function without a body returns.
func (o *ordering) function(source string) bool {
	switch source {
	case "uninitialised", "argument", "initialiser", "float", witness.Allocation:
		return false
	}
	for _, f := range o.in.Functions {
		if f.Name == source {
			return !f.Body.IsValid()
		}
	}
	return reName().MatchString(source)
}

// reAllocated finds names of allocated memory, such as *malloc@13:7#1+0.
var reAllocated = pattern.New(`^\*?(\w+@\d+:\d+#\d+)`)

var reName = pattern.New(`^[A-Za-z_]\w*$`)

// accesses calls f for the objects that a step of the program itself accesses, once there are several
// threads: what it reads, then what it writes.
func (o *ordering) accesses(i int, f func(at object, write bool)) {
	st := &o.steps[i]
	if o.first < 0 || i < o.first || isModel(st.Pos) || o.s.ofModel(st.Frame) {
		return
	}
	read, written := o.s.auto.Accesses(st.Loc)
	// begins reports whether an access is that which gives allocated memory what it holds at first.
	begins := func(at object) bool { return o.allocatedAt[st.Pos] && !at.pos.IsValid() }
	met := map[object]bool{}
	for _, v := range read {
		if at, ok := o.object(v); ok && !met[at] && !begins(at) {
			met[at] = true
			f(at, false)
		}
	}
	for _, v := range written {
		if at, ok := o.object(v); ok && !begins(at) {
			f(at, true)
		}
	}
}

// object is what a variable of the program is a part of.
func (o *ordering) object(v *expr.Expr) (object, bool) {
	x := o.vars[v]
	if x == nil || x.Kind == cfa.Param || isModel(x.Pos) || x.Kind == cfa.Temp && !reAllocated().MatchString(x.Name) {
		return object{}, false
	}
	if x.Kind == cfa.Temp {
		return object{name: reAllocated().FindStringSubmatch(x.Name)[1], frame: -1}, true
	}
	name := x.Name
	if i := strings.IndexAny(name, ".[#"); i > 0 {
		name = name[:i]
	}
	return object{name, x.Pos, x.Frame}, true
}

// cells are the objects that the run accesses and that several threads may, one of them writing,
// whether or not they come to that in the run: what a thread does behind its part of the run must not
// be seen. It is said why the program cannot name one of them; "" if it can.
func (o *ordering) cells() ([]object, string) {
	shared := map[object]bool{}
	for _, v := range o.s.auto.Shared() {
		if at, ok := o.object(v); ok {
			shared[at] = true
		}
	}
	var cells []object
	for i := range o.steps {
		o.accesses(i, func(at object, write bool) {
			if shared[at] && !slices.Contains(cells, at) {
				cells = append(cells, at)
			}
		})
	}
	for _, at := range cells {
		if slices.ContainsFunc(o.allocated, func(a allocation) bool { return a.name == at.name }) {
			continue
		}
		global := slices.ContainsFunc(o.s.auto.Vars, func(v cfa.Var) bool {
			return v.Kind == cfa.Global && v.Proc == "" && v.Frame < 0 && v.Pos == at.pos && strings.HasPrefix(v.Name, at.name)
		})
		if o.local(at) {
			continue
		}
		if !global || !slices.ContainsFunc(o.in.Variables, func(v source.Variable) bool { return v.Name == at.name }) {
			return nil, fmt.Sprintf("%v: several threads access %s, which has no name in the whole file", at.pos, at.name)
		}
	}
	return cells, ""
}
