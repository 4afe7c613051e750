package events

// Unrolling one thread: its instances in a weak topological order, and what each statement does.

import (
	"container/heap"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/events/order"
	"magus/smt/expr"
	"magus/smt/symbolic"
)

// An arrival is how control comes to an instance.
type arrival struct {
	guard   *Guard
	env     symbolic.Env
	alone   bool // no other thread has been created
	section *section
	cells   cells // what the section wrote
}

// An instance is a location with the round of each loop around it.
type instance struct {
	arrival
	loc      cfa.Loc
	at       *ordered
	rounds   []int32 // by head of at
	key      []int32 // its rank among instances
	arrivals []arrival
	step     int // index into Program.Steps
}

// A strand is a thread that is unrolled.
type strand struct {
	u      *unroller
	thread int
	order  map[cfa.Loc]*ordered
	queue  queue
	at     map[string]*instance
	spin   map[cfa.Loc]bool
	open   map[string]int          // by instance of a head: rounds that count
	free   map[string]bool         // by instance of a head: this round does not count
	folded map[string][]*expr.Expr // by instance of a branch: the values of its condition's variables
	node   order.Node              // of the present statement; -1: none yet
	seen   map[int]*expr.Expr      // by cell: what the present statement has read
}

func newStrand(ctx context.Context, u *unroller, t int) (*strand, error) {
	s := &strand{
		u: u, thread: t, order: weakOrder(u.c, u.c.Threads[t].Entry), at: map[string]*instance{}, spin: map[cfa.Loc]bool{},
		open: map[string]int{}, free: map[string]bool{}, folded: map[string][]*expr.Expr{},
	}
	shared := make([]bool, len(u.cell))
	for v, c := range u.cell {
		shared[v] = c >= 0
	}
	for l, p := range s.order {
		if n := len(p.heads); n > 0 && p.heads[n-1] == l {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			s.spin[l] = u.f.spins(l, s.order, shared)
		}
	}
	return s, nil
}

// name is the key of an instance in maps.
func name(loc cfa.Loc, rounds []int32) string {
	b := binary.LittleEndian.AppendUint32(nil, uint32(loc))
	for _, r := range rounds {
		b = binary.LittleEndian.AppendUint32(b, uint32(r))
	}
	return string(b)
}

// run executes all instances.
func (s *strand) run(ctx context.Context) error {
	for s.queue.Len() > 0 {
		in := heap.Pop(&s.queue).(*instance)
		if len(s.u.p.Steps)%64 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(s.u.p.Steps) > maxSteps {
			return ErrLarge
		}
		if err := s.meet(ctx, in); err != nil {
			return err
		}
		in.step = len(s.u.p.Steps)
		s.u.p.Steps = append(s.u.p.Steps, Step{Thread: s.thread, Loc: in.loc, Guard: in.guard, Node: -1})
		s.u.p.Threads[s.thread] = append(s.u.p.Threads[s.thread], in.step)
		s.node, s.seen = -1, nil
		if err := s.execute(in); err != nil {
			return err
		}
		if s.node >= 0 {
			s.u.p.Steps[in.step].Node = s.node
		}
		in.env, in.cells = nil, nil
	}
	return nil
}

// arrive comes to a location from an instance; nil: from nowhere.
func (s *strand) arrive(to cfa.Loc, from *instance, w arrival) {
	p := s.order[to]
	rounds := make([]int32, len(p.heads))
	if from != nil {
		for i := 0; i < len(rounds) && i < len(from.rounds) && p.heads[i] == from.at.heads[i]; i++ {
			rounds[i] = from.rounds[i]
		}
		if n := len(p.heads); n > 0 && p.heads[n-1] == to && n <= len(from.rounds) &&
			from.at.heads[n-1] == to && !s.goRound(to, rounds, w) {
			return
		}
	}
	// Ways in different sections do not meet before these end.
	id := int32(0)
	if w.section != nil {
		id = w.section.id
	}
	k := name(to, append(slices.Clip(rounds), id))
	in := s.at[k]
	if in == nil {
		in = &instance{loc: to, at: p, rounds: rounds}
		for i, h := range p.heads {
			in.key = append(in.key, s.order[h].rank, rounds[i])
		}
		in.key = append(in.key, p.rank, id)
		s.at[k] = in
		heap.Push(&s.queue, in)
	}
	in.arrivals = append(in.arrivals, w)
}

// goRound begins the next round of a loop, if it may, in the rounds of its head.
func (s *strand) goRound(head cfa.Loc, rounds []int32, w arrival) bool {
	if s.spin[head] {
		return false
	}
	before := name(head, rounds)
	open := s.open[before]
	if s.u.bounds.Count || !s.free[before] {
		open++
	}
	if open >= s.u.bounds.of(head) {
		s.u.p.Cuts = append(s.u.p.Cuts, Target{Guard: w.guard, Step: len(s.u.p.Steps) - 1, Cut: Cut{LoopCut, head}})
		return false
	}
	rounds[len(rounds)-1]++
	s.open[name(head, rounds)] = open
	return true
}

// meet merges the arrivals at an instance: first those under opposite guards, then the rest. The error is
// ctx's.
func (s *strand) meet(ctx context.Context, in *instance) error {
	arrivals := in.arrivals
	alone := !slices.ContainsFunc(arrivals, func(w arrival) bool { return !w.alone })
	for i := range arrivals {
		if arrivals[i].alone && !alone {
			s.publish(&arrivals[i])
		}
	}
	for merged := true; merged; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		arrivals, merged = s.mergeOpposite(in, arrivals)
	}
	in.arrival = arrivals[0]
	for _, w := range arrivals[1:] {
		in.cells = s.mergeCells(w.guard.Term(), w, in.arrival)
		in.env = s.u.mergeEnvs(w.guard.Term(), w.env, in.env, s.u.f.live[in.loc])
		in.guard = in.guard.Or(s.u.pool, w.guard)
	}
	in.arrivals = nil
	return nil
}

func (s *strand) mergeOpposite(in *instance, arrivals []arrival) ([]arrival, bool) {
	for i, a := range arrivals {
		for j, b := range arrivals[:i] {
			if !opposite(s.u.pool, a.guard, b.guard) {
				continue
			}
			m := b
			m.guard = a.guard.Parent
			m.env = s.u.mergeEnvs(a.guard.last, a.env, b.env, s.u.f.live[in.loc])
			m.cells = s.mergeCells(a.guard.last, a, b)
			arrivals[j] = m
			return slices.Delete(arrivals, i, i+1), true
		}
	}
	return arrivals, false
}

// publish makes what the shared variables hold at an arrival events: from now on there are other threads.
func (s *strand) publish(w *arrival) {
	w.alone = false
	n := order.Node(-1)
	for v, cell := range s.u.cell {
		if cell >= 0 {
			if n < 0 {
				n = s.u.newNode(s.thread, w.guard, Before)
			}
			s.u.write(s.thread, n, cell, w.guard, s.u.orSelf(v, w.env.Get(v)))
			if !s.u.owned(v) {
				w.env = w.env.With([]int{v}, []*expr.Expr{nil})
			}
		}
	}
}

// execute does what the statement of an instance does, and goes on.
func (s *strand) execute(in *instance) error {
	u := s.u
	loc := &u.c.Locs[in.loc]
	switch stmt := loc.Stmt.(type) {
	case cfa.Assign:
		s.assign(in, stmt)
	case cfa.Branch:
		s.branch(in, stmt)
		return nil
	case cfa.Goto:
	case cfa.Act:
		s.act(in, stmt)
	case cfa.Spawn:
		s.spawn(in, stmt)
	case cfa.Join:
		s.join(in, stmt)
	case cfa.Atomic:
		switch {
		case u.weak() && stmt.Access:
			if stmt.Release && u.p.Model == cfa.PSO && !in.alone {
				u.p.kinds[s.stmtNode(in)] = kind{barrier: true}
			}
		case u.weak() && stmt.Plain:
			u.p.Cuts = append(u.p.Cuts, Target{Guard: in.guard, Step: in.step, Node: -1, Cut: Cut{MemoryCut, in.loc}})
			return nil
		case stmt.Begin:
			in.section = u.newSection(in, stmt.Plain)
			if u.weak() && !in.alone {
				n := s.sectionNode(in.section)
				u.p.kinds[n] = kind{read: stmt.Monitors}
			}
		default:
			s.endSection(in)
			in.section, in.cells = nil, nil
		}
	case cfa.End:
		u.ends[s.thread] = append(u.ends[s.thread], in.guard)
		return nil
	case cfa.Halt:
		if u.bounds.Deadlocks && stmt.Reason == cfa.Waiting {
			w := wait{thread: s.thread, step: in.step, guard: in.guard, joined: -1}
			if in.section != nil {
				w.step, w.section = in.section.begin, in.section
			}
			u.waits = append(u.waits, w)
		}
		return nil
	case cfa.Return:
		return nil
	default:
		return cfa.Unsupported(loc.Pos, fmt.Sprintf("%v, in a program with threads", loc.Stmt), "")
	}
	s.arrive(loc.Succ[0], in, in.arrival)
	return nil
}

func (s *strand) assign(in *instance, a cfa.Assign) {
	u := s.u
	if a.Memory != nil && u.bounds.Races && !in.alone {
		u.p.Cuts = append(u.p.Cuts, Target{Guard: in.guard, Step: in.step, Node: -1, Cut: Cut{MemoryCut, in.loc}})
	}
	var value *expr.Expr
	if a.RHS != nil {
		value = s.value(in, a.RHS)
	} else {
		value = u.fresh(a.LHS.Name(), a.LHS.Type())
		step := &u.p.Steps[in.step]
		if x := a.Exact; x != nil && x.Value != nil {
			step.Exact = s.value(in, x.When)
			value = u.pool.Ite(step.Exact, s.value(in, x.Value), value)
		}
		step.Choice = value
	}
	v := u.f.index[a.LHS]
	s.touch(v)
	cell := u.cell[v]
	if s.owns(v) {
		in.env = in.env.With([]int{v}, []*expr.Expr{value})
	}
	switch {
	case cell < 0 || in.alone:
		in.env = in.env.With([]int{v}, []*expr.Expr{value})
	case in.section != nil:
		s.note(in, cell, true)
		s.sectionNode(in.section)
		in.cells = in.cells.with(cell, value)
	default:
		s.note(in, cell, true)
		u.write(s.thread, s.stmtNode(in), cell, in.guard, value)
		u.p.plain(s.node, true, cell)
	}
}

// stmtNode is the node of the present statement.
func (s *strand) stmtNode(in *instance) order.Node {
	if s.node < 0 {
		s.node = s.u.newNode(s.thread, in.guard, in.loc)
	}
	return s.node
}

// touch looks whether a variable that was handed over is accessed by the thread that did.
func (s *strand) touch(v int) {
	if t := s.u.handed[v]; t > 0 && int(t) != s.thread && len(s.u.spawns[t]) > 0 {
		s.u.handed[v] = 0
		s.u.again = true
	}
}

// owns reports whether the thread knows what a variable holds, for it alone writes it.
func (s *strand) owns(v int) bool { return s.u.owned(v) && int(s.u.owner[v]) == s.thread }

// value rewrites a term over what variables hold.
func (s *strand) value(in *instance, t *expr.Expr) *expr.Expr {
	if t.IsConst() {
		return t
	}
	by := map[*expr.Expr]*expr.Expr{}
	for _, x := range expr.Vars(t) {
		v, ok := s.u.f.index[x]
		if !ok {
			continue
		}
		s.touch(v)
		if y := s.variable(in, v); y != nil {
			by[x] = y
		}
	}
	if len(by) == 0 {
		return t
	}
	return s.u.pool.Subst(t, by)
}

// variable is what a variable holds; nil for the variable itself.
func (s *strand) variable(in *instance, v int) *expr.Expr {
	cell := s.u.cell[v]
	switch {
	case cell < 0 || in.alone || s.owns(v):
		return in.env.Get(v)
	case in.section != nil:
		s.note(in, cell, false)
		if x := in.cells[cell]; x != nil {
			return x
		}
		return s.sectionRead(in.section, cell)
	}
	if s.seen[cell] == nil {
		s.note(in, cell, false)
		if s.seen == nil {
			s.seen = map[int]*expr.Expr{}
		}
		s.seen[cell] = s.u.read(s.thread, s.stmtNode(in), cell, in.guard)
		s.u.p.plain(s.node, false, cell)
	}
	return s.seen[cell]
}

func (s *strand) branch(in *instance, b cfa.Branch) {
	cond := s.value(in, b.Cond)
	succ := s.u.c.Locs[in.loc].Succ
	if cond.IsConst() {
		taken, other := succ[0], succ[1]
		if cond.IsFalse() {
			taken, other = other, taken
		}
		s.fold(in, b.Cond, other)
		s.arrive(taken, in, in.arrival)
		return
	}
	for i, c := range []*expr.Expr{cond, s.u.pool.Not(cond)} {
		w := in.arrival
		if w.guard = in.guard.And(s.u.pool, c); w.guard != nil {
			w.env = in.env.Given(c)
			s.arrive(succ[i], in, w)
		}
	}
}

// fold notes that a condition is constant. If the way that is not taken leaves loops, and the values
// are others than in the round before, the round of these loops does not count.
func (s *strand) fold(in *instance, cond *expr.Expr, other cfa.Loc) {
	var values []*expr.Expr
	for _, x := range expr.Vars(cond) {
		if v, ok := s.u.f.index[x]; ok {
			values = append(values, s.u.orSelf(v, in.env.Get(v)))
		}
	}
	s.folded[name(in.loc, in.rounds)] = values
	stays := 0 // loops that other is still in
	for heads := s.order[other].heads; stays < len(heads) && stays < len(in.at.heads) &&
		heads[stays] == in.at.heads[stays]; {
		stays++
	}
	for i := stays; i < len(in.rounds); i++ {
		progress := in.rounds[i] == 0
		if !progress {
			before := slices.Clone(in.rounds)
			before[i]--
			old, ok := s.folded[name(in.loc, before)]
			progress = !ok || !slices.Equal(old, values)
		}
		if progress {
			s.free[name(in.at.heads[i], in.rounds[:i+1])] = true
		}
	}
}

func (s *strand) act(in *instance, a cfa.Act) {
	o := Target{Guard: in.guard, Step: in.step, Node: -1}
	if in.section != nil {
		o.Node = in.section.node
	}
	switch a.Action {
	case cfa.ErrorAction:
		s.u.p.Errors = append(s.u.p.Errors, o)
		return
	case cfa.ThreadLimit:
		o.Cut = Cut{ThreadCut, in.loc}
	case s.u.c.Cut:
		o.Cut = Cut{OtherCut, in.loc}
	default:
		return
	}
	s.u.p.Cuts = append(s.u.p.Cuts, o)
}

func (s *strand) spawn(in *instance, sp cfa.Spawn) {
	if in.alone {
		s.publish(&in.arrival)
	}
	s.node = s.u.newNode(s.thread, in.guard, Before)
	s.u.spawns[sp.Thread] = append(s.u.spawns[sp.Thread], spawn{in.guard, in.env, s.node})
}

// join goes on where a thread has ended.
func (s *strand) join(in *instance, j cfa.Join) {
	u := s.u
	if u.ended[j.Thread] == nil {
		u.ended[j.Thread] = u.fresh("ended", expr.Bool)
	}
	if u.bounds.Deadlocks {
		u.waits = append(u.waits, wait{thread: s.thread, step: in.step, guard: in.guard, joined: j.Thread})
	}
	in.guard = in.guard.And(u.pool, u.ended[j.Thread])
	s.node = u.newNode(s.thread, in.guard, Before)
	u.joins = append(u.joins, join{s.thread, j.Thread, in.guard, s.node})
}

// A queue has instances in their order.
type queue []*instance

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return slices.Compare(q[i].key, q[j].key) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*instance)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
