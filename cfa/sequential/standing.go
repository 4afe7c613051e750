package sequential

// The product of the threads in which it is an error that all stand: for deadlocks where loops have
// no bound.
//
// Idea: of the automaton that is left of what matters for who waits (slice.go) the product is made,
// and a state has besides the places of the threads what is known of the values of variables: those
// of locks, semaphores and conditions, and of counters and flags that decide about waiting, are
// constants in most programs. What is known is put into terms, so that most branches are none.
// Variables with more than mostValues values, and then those with the most if the product is too
// large, are not followed: their statements stay, and what they say is found out by the methods for
// one thread. Where all threads that have not ended are at joins or before sections that may wait,
// a row of these sections up to where each waits leads to an error.
//
// Deadlocks are states in which nothing goes on, so it suffices to make what nobody else can tell
// at once, as in the product; creation, the end of a thread and a join behind that are such steps
// here. A thread that stands at an assumption or an invalid pointer is in no deadlock, so runs with
// one need not be there.
//
// Source: Godefroid: Partial-order methods (1996), for deadlocks; Clarke, Emerson (1981). Cost: the
// states of what is followed.

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/internal/bitset"
	"magus/internal/graph"
	"magus/smt/expr"
)

// ErrStanding says that a section may change something before it waits.
var ErrStanding = errors.New("a section changes what others see, or goes round, before it waits")

// mostValues bounds the values of a variable that is followed, mostStanding the locations of a product,
// mostPlaces the places and values of which these are, and mostProducts the products that are made in vain,
// since they are too large.
const (
	mostValues   = 300
	mostStanding = 60_000
	mostPlaces   = 24 * mostStanding
	mostProducts = 2
)

// large reports whether the product has too many locations.
func (p *standing) large() bool {
	return len(p.Locs) > mostStanding || len(p.Locs)*(len(p.c.Threads)+len(p.vars)) > mostPlaces
}

// mostSteps bounds what is executed of a section before a location is made for the rest.
const mostSteps = 1 << 12

// Standing has an error where all threads of an automaton stand, and no other. The error is
// ErrLargeProduct, ErrStanding, or ctx's.
func Standing(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	left, err := sliced(ctx, c)
	if err != nil {
		return nil, err
	}
	if changesBeforeWaiting(left) {
		return nil, ErrStanding
	}
	dropped := map[*expr.Expr]bool{}
	for large := 0; large <= mostProducts; {
		p, err := newStanding(ctx, left, dropped, nil)
		if err != nil {
			return nil, err
		}
		again, err := p.build(ctx)
		if err != nil {
			return nil, err
		}
		if !again {
			return p.finish(c), nil
		}
		if p.large() {
			large++
		}
	}
	return nil, ErrLargeProduct
}

// changesBeforeWaiting reports whether a section does something that others notice before it waits.
func changesBeforeWaiting(c *cfa.CFA) bool {
	shared := map[*expr.Expr]bool{}
	for _, v := range c.Shared() {
		shared[v] = true
	}
	for _, inside := range sections(c) {
		waits := slices.ContainsFunc(inside, func(l cfa.Loc) bool { return isWaiting(c.Locs[l].Stmt) })
		if waits && slices.ContainsFunc(inside, func(l cfa.Loc) bool {
			return changes(c.Locs[l].Stmt, shared) && mayWait(c, l)
		}) {
			return true
		}
	}
	return false
}

// changes reports whether a statement changes what others see, or may.
func changes(s cfa.Stmt, shared map[*expr.Expr]bool) bool {
	switch s := s.(type) {
	case cfa.Call:
		return true
	case cfa.Assign:
		return shared[s.LHS] || s.Memory != nil && s.Memory.Kind != cfa.Read
	}
	return false
}

func isWaiting(s cfa.Stmt) bool {
	h, ok := s.(cfa.Halt)
	return ok && h.Reason == cfa.Waiting && !h.Ends
}

// mayWait reports whether control comes from a location in a section to where that waits.
func mayWait(c *cfa.CFA, from cfa.Loc) bool {
	return slices.ContainsFunc(within(c, from), func(l cfa.Loc) bool { return isWaiting(c.Locs[l].Stmt) })
}

// waitsForEver is where a thread is that waits outside of sections.
const waitsForEver = stands - 1

// A standing is such a product while it is made.
type standing struct {
	Interleaving
	c       *cfa.CFA           // what matters
	index   map[*expr.Expr]int // of variables that are followed
	vars    []*expr.Expr
	dropped map[*expr.Expr]bool
	common  []bool // by variable that is followed: several threads access it
	live    []bitset.Set[int]
	rests   []bool // by location: threads interleave there
	waiting []bool // by location: a section begins that may wait
	values  []map[*expr.Expr]bool
	work    []moment
	entry   cfa.Loc
	wrong   cfa.Loc // where all stand; -1 before it is needed
	over    cfa.Loc // where a run ends; -1 before it is needed
	cut     string
	cuts    bool
	err     error
}

// A moment says where the threads are, which one is in a section, and which values are known.
type moment struct {
	at     []cfa.Loc
	within int // -1: none
	known  []*expr.Expr
	loc    cfa.Loc
}

func newStanding(ctx context.Context, c *cfa.CFA, dropped map[*expr.Expr]bool, watched []*expr.Expr) (
	*standing, error) {
	p := &standing{
		Interleaving: NewInterleaving(Scheduler(c.Pool)), c: c, dropped: dropped,
		index: map[*expr.Expr]int{}, rests: make([]bool, len(c.Locs)),
		waiting: make([]bool, len(c.Locs)), wrong: -1, over: -1,
		cut: cmp.Or(c.Cut, cfa.CutPrefix+"1}"),
	}
	uses, err := c.Uses(ctx)
	if err != nil {
		return nil, err
	}
	live, err := uses.Live(ctx)
	if err != nil {
		return nil, err
	}
	of, users := c.ThreadOf(), make([]map[int32]bool, len(c.Vars))
	for l := range c.Locs {
		for _, v := range append(slices.Clone(uses.Read[l]), uses.Written[l]...) {
			if users[v] == nil {
				users[v] = map[int32]bool{}
			}
			users[v][of[l]] = true
		}
	}
	for i, v := range c.Vars {
		if users[i] != nil && !dropped[v.Expr] && v.Expr.Type().Width <= 64 {
			p.index[v.Expr] = len(p.vars)
			p.vars, p.common = append(p.vars, v.Expr), append(p.common, len(users[i]) > 1)
			p.values = append(p.values, map[*expr.Expr]bool{})
		}
	}
	p.live = make([]bitset.Set[int], len(c.Locs))
	for l := range live {
		p.live[l] = bitset.New[int](len(p.vars))
		for v := range live[l].All() {
			if n, ok := p.index[c.Vars[v].Expr]; ok {
				p.live[l].Add(n)
			}
		}
	}
	p.places(watched)
	return p, nil
}

// places says where threads interleave, and where they may wait. They interleave where watched variables change.
func (p *standing) places(watched []*expr.Expr) {
	c, shared := p.c, map[*expr.Expr]bool{}
	for _, v := range c.Shared() {
		shared[v] = true
	}
	for l := range c.Locs {
		switch s := c.Locs[l].Stmt.(type) {
		case cfa.Atomic:
			p.rests[l], p.waiting[l] = true, s.Begin && mayWait(c, c.Locs[l].Succ[0])
		case cfa.Assign, cfa.Branch:
			a, ok := s.(cfa.Assign)
			read, written := c.Accesses(cfa.Loc(l))
			p.rests[l] = ok && a.Memory != nil || slices.ContainsFunc(append(slices.Clone(read), written...),
				func(v *expr.Expr) bool { return shared[v] }) ||
				slices.ContainsFunc(written, func(v *expr.Expr) bool { return slices.Contains(watched, v) })
		case cfa.Call, cfa.Return, cfa.Act:
			p.rests[l] = true
		case cfa.Halt:
			p.rests[l] = s.Ends
		}
	}
	for l, head := range Heads(c, func(l cfa.Loc) bool { return p.rests[l] }) {
		p.rests[l] = p.rests[l] || head
	}
}

// build makes the product; again says that it has to be made once more, with less that is followed.
func (p *standing) build(ctx context.Context) (again bool, err error) {
	start := make([]cfa.Loc, len(p.c.Threads))
	for t := range start {
		start[t] = notBegun
	}
	start[0] = p.c.Entry
	p.entry = p.to(moment{at: start, within: -1, known: make([]*expr.Expr, len(p.vars))})
	for len(p.work) > 0 {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if p.err != nil {
			return false, p.err
		}
		if p.drop() {
			return true, nil
		}
		if p.large() {
			return false, ErrLargeProduct
		}
		s := p.work[0]
		p.work = p.work[1:]
		p.expand(s)
	}
	return false, p.err
}

// drop follows less if that is too much.
func (p *standing) drop() (dropped bool) {
	most := 1
	for i, values := range p.values {
		if len(values) > mostValues {
			p.dropped[p.vars[i]], dropped = true, true
		}
		most = max(most, len(values))
	}
	if dropped || !p.large() || most == 1 {
		return dropped
	}
	at := slices.IndexFunc(p.values, func(v map[*expr.Expr]bool) bool { return len(v) == most })
	p.dropped[p.vars[at]] = true
	return true
}

// to is the location of a moment, once what nobody can tell is done.
func (p *standing) to(s moment) cfa.Loc {
	s, blocked := p.advance(s)
	if blocked {
		return p.end()
	}
	return p.at(s)
}

// at is the location of a moment.
func (p *standing) at(s moment) cfa.Loc {
	p.forget(&s)
	state := append([]cfa.Loc{cfa.Loc(s.within)}, s.at...)
	for i, v := range s.known {
		id := cfa.Loc(-1)
		if v != nil {
			id = cfa.Loc(v.ID())
			p.values[i][v] = true
		}
		state = append(state, id)
	}
	l, isNew := p.At(state...)
	if isNew {
		s.loc = l
		p.work = append(p.work, s)
	}
	return l
}

// forget drops the values that nobody reads.
func (p *standing) forget(s *moment) {
	s.known = slices.Clone(s.known)
	for i, v := range s.known {
		reads := func(l cfa.Loc) bool { return l >= 0 && p.live[l].Has(i) }
		if v != nil && !p.common[i] && !slices.ContainsFunc(s.at, reads) {
			s.known[i] = nil
		}
	}
}

// end is where a run ends that comes to no deadlock.
func (p *standing) end() cfa.Loc {
	if p.over < 0 {
		p.over = p.whole(cfa.Halt{Reason: "no deadlock", Ends: true})
	}
	return p.over
}

// deadlock is where all stand.
func (p *standing) deadlock() cfa.Loc {
	if p.wrong < 0 {
		p.wrong = p.whole(cfa.Act{Action: cfa.ErrorAction})
		p.Locs[p.wrong].Succ = []cfa.Loc{p.end()}
	}
	return p.wrong
}

// whole is a location of all threads.
func (p *standing) whole(s cfa.Stmt) cfa.Loc {
	return p.Emit(cfa.Location{Stmt: s, Pos: p.c.Locs[p.c.Entry].Pos}, -1)
}

// moved is a moment in which a thread is elsewhere.
func (s moment) moved(t int, to cfa.Loc) moment {
	s.at = slices.Clone(s.at)
	s.at[t] = to
	return s
}

// learnt is a moment in which a variable has a value that is known, or not if v is nil.
func (s moment) learnt(i int, v *expr.Expr) moment {
	s.known = slices.Clone(s.known)
	s.known[i] = v
	return s
}

// put is a term with the values that are known.
func (p *standing) put(s moment, e *expr.Expr) *expr.Expr {
	if e == nil || e.IsConst() {
		return e
	}
	by := map[*expr.Expr]*expr.Expr{}
	for _, v := range expr.Vars(e) {
		if i, ok := p.index[v]; ok && s.known[i] != nil {
			by[v] = s.known[i]
		}
	}
	if len(by) == 0 {
		return e
	}
	return p.c.Pool.Subst(e, by)
}

// advance does what nobody can tell, and sections, as far as values are known. A thread is blocked
// that cannot come to the end of its section.
func (p *standing) advance(s moment) (_ moment, blocked bool) {
	for range mostSteps {
		t := p.turn(s)
		if t < 0 {
			return s, false
		}
		next, done, blocked := p.known(s, t)
		if blocked || !done {
			return s, blocked
		}
		s = next
	}
	return s, false
}

// turn is whose step is made at once; -1 for none.
func (p *standing) turn(s moment) int {
	if s.within >= 0 {
		return s.within
	}
	return slices.IndexFunc(s.at, func(l cfa.Loc) bool {
		if l < 0 {
			return false
		}
		if j, ok := p.c.Locs[l].Stmt.(cfa.Join); ok {
			return s.at[j.Thread] == hasEnded
		}
		return !p.rests[l]
	})
}

// known makes the step of a thread, if it changes nothing but what is known.
func (p *standing) known(s moment, t int) (next moment, done, blocked bool) {
	l := &p.c.Locs[s.at[t]]
	switch stmt := l.Stmt.(type) {
	case cfa.Goto, cfa.Join:
		return s.moved(t, l.Succ[0]), true, false
	case cfa.Atomic:
		s.within = -1
		return s.moved(t, l.Succ[0]), true, false
	case cfa.Spawn:
		return s.moved(t, l.Succ[0]).moved(stmt.Thread, l.Succ[1]), true, false
	case cfa.End:
		return s.moved(t, hasEnded), true, false
	case cfa.Branch:
		if c := p.put(s, stmt.Cond); c.IsTrue() {
			return s.moved(t, l.Succ[0]), true, false
		} else if c.IsFalse() {
			return s.moved(t, l.Succ[1]), true, false
		}
	case cfa.Assign:
		i, followed := p.index[stmt.LHS]
		if v := p.put(s, stmt.RHS); followed && v != nil && v.IsConst() && stmt.Memory == nil {
			return s.moved(t, l.Succ[0]).learnt(i, v), true, false
		}
	case cfa.Halt:
		switch {
		case stmt.Ends:
		case s.within >= 0:
			return s, false, true
		case stmt.Reason == cfa.Waiting:
			return s.moved(t, waitsForEver), true, false
		default:
			return s.moved(t, stands), true, false
		}
	}
	return s, false, false
}

// expand gives a moment's location what is done there.
func (p *standing) expand(s moment) {
	if t := p.turn(s); t >= 0 {
		p.step(s, t, s.loc)
		return
	}
	var ways []func(at cfa.Loc)
	for t, l := range s.at {
		if l < 0 {
			continue
		}
		switch a, ok := p.c.Locs[l].Stmt.(cfa.Atomic); {
		case ok && a.Begin:
			in := s.moved(t, p.c.Locs[l].Succ[0])
			in.within = t
			if next, blocked := p.advance(in); !blocked {
				ways = append(ways, func(at cfa.Loc) { p.lead(s, t, at, p.at(next)) })
			}
		case p.joins(l):
		default:
			ways = append(ways, func(at cfa.Loc) { p.step(s, t, at) })
		}
	}
	like := cfa.Location{Pos: p.c.Locs[p.c.Entry].Pos}
	if l := p.stuck(s, 0, -1, false, 0); l >= 0 {
		ways = append(ways, func(at cfa.Loc) {
			p.Locs[at] = cfa.Location{Stmt: cfa.Goto{}, Succ: []cfa.Loc{l}, Pos: like.Pos}
		})
	}
	if len(ways) == 0 {
		like.Stmt = cfa.Halt{Reason: "no thread goes on", Ends: true}
		p.Locs[s.loc] = like
		return
	}
	p.Choose(p.c.Pool, s.loc, len(ways), like, "the scheduler",
		func(i int, at cfa.Loc) { ways[i](at) })
}

func (p *standing) joins(l cfa.Loc) bool {
	_, ok := p.c.Locs[l].Stmt.(cfa.Join)
	return ok
}

// lead is a step of a thread that only leads on.
func (p *standing) lead(s moment, t int, here, to cfa.Loc) {
	l := p.c.Locs[s.at[t]]
	l.Stmt, l.Succ, l.Decides = cfa.Goto{}, []cfa.Loc{to}, [2]cfa.Decision{}
	p.Locs[here] = l
}

// step makes the step of a thread at a location, in which not all values are known.
func (p *standing) step(s moment, t int, here cfa.Loc) {
	from := s.at[t]
	l := p.c.Locs[from]
	p.Of[here] = int(from)
	if next, done, _ := p.known(s, t); done { // a head of a loop
		p.lead(s, t, here, p.to(next))
		return
	}
	succ := l.Succ
	l.Succ, l.Decides = nil, [2]cfa.Decision{}
	switch stmt := l.Stmt.(type) {
	case cfa.Halt:
		l.Stmt = cfa.Halt{Reason: stmt.Reason, Ends: true}
	case cfa.Branch:
		p.branch(s, t, here, l, succ)
		return
	case cfa.Assign:
		p.assign(s, t, here, l, succ[0])
		return
	case cfa.Act:
		l.Stmt, p.cuts = cfa.Act{Action: p.cut}, true
		l.Succ = []cfa.Loc{p.to(s.moved(t, succ[0]))}
	case cfa.Call:
		l.Stmt = p.call(s, stmt)
		s = s.moved(t, succ[0])
		for _, v := range append(slices.Clone(stmt.Clobbers), stmt.LHS) {
			if i, ok := p.index[v]; ok {
				s = s.learnt(i, nil)
			}
		}
		l.Succ = []cfa.Loc{p.to(s)}
	}
	p.Locs[here] = l
}

// call is one with the values that are known.
func (p *standing) call(s moment, c cfa.Call) cfa.Call {
	c.Args, c.Named = slices.Clone(c.Args), slices.Clone(c.Named)
	for i, a := range c.Args {
		c.Args[i] = p.put(s, a)
	}
	for i, n := range c.Named {
		c.Named[i].Value = p.put(s, n.Value)
	}
	return c
}

// branch leads on both ways, and knows on each what the condition says of a variable.
func (p *standing) branch(s moment, t int, here cfa.Loc, l cfa.Location, succ []cfa.Loc) {
	cond := p.put(s, l.Stmt.(cfa.Branch).Cond)
	l.Stmt = cfa.Branch{Cond: cond}
	holds, fails := s.moved(t, succ[0]), s.moved(t, succ[1])
	if i, v := p.equation(cond); v != nil {
		holds = holds.learnt(i, v)
	} else if i, v := p.equation(p.c.Pool.Not(cond)); v != nil {
		fails = fails.learnt(i, v)
	}
	l.Succ = []cfa.Loc{p.to(holds), p.to(fails)}
	p.Locs[here] = l
}

// equation is a variable that is followed and the value that a condition gives it; nil if it gives
// none.
func (p *standing) equation(cond *expr.Expr) (int, *expr.Expr) {
	if cond.Op() != expr.Eq {
		return 0, nil
	}
	a, b := cond.Args()[0], cond.Args()[1]
	if a.IsConst() {
		a, b = b, a
	}
	i, ok := p.index[a]
	if !ok || !b.IsConst() {
		return 0, nil
	}
	return i, b
}

// assign leaves an assignment as it is, with the values that are known, or tells apart the few
// values that it may give.
func (p *standing) assign(s moment, t int, here cfa.Loc, l cfa.Location, next cfa.Loc) {
	a := p.assignment(s, l.Stmt.(cfa.Assign))
	l.Stmt = a
	s = s.moved(t, next)
	if i, ok := p.index[a.LHS]; ok {
		if few := fewValues(p.c.Pool, a); len(few) > 0 {
			p.apart(s, here, l, i, few)
			return
		}
		s = s.learnt(i, nil)
	}
	l.Succ = []cfa.Loc{p.to(s)}
	p.Locs[here] = l
}

// assignment is one with the values that are known.
func (p *standing) assignment(s moment, a cfa.Assign) cfa.Assign {
	a.RHS, a.Exact = p.put(s, a.RHS), nil
	if a.Memory != nil {
		m := *a.Memory
		m.Addr, m.Length = p.put(s, m.Addr), p.put(s, m.Length)
		a.Memory = &m
	}
	return a
}

// mostApart is the largest mask that tells values apart.
const mostApart = 63

// fewValues are the values of a term that is masked by a small constant; none for others.
func fewValues(pool *expr.Pool, a cfa.Assign) (all []*expr.Expr) {
	if a.RHS == nil || a.Memory != nil || a.RHS.Op() != expr.And {
		return nil
	}
	for _, arg := range a.RHS.Args() {
		if !arg.IsConst() || arg.Value() > mostApart {
			continue
		}
		for v := uint64(0); v <= arg.Value(); v++ {
			if v&^arg.Value() == 0 {
				all = append(all, pool.Const(a.RHS.Type(), v))
			}
		}
		return all
	}
	return nil
}

// apart leads on with each of some values.
func (p *standing) apart(s moment, here cfa.Loc, l cfa.Location, i int, few []*expr.Expr) {
	term := l.Stmt.(cfa.Assign).RHS
	for _, v := range few[:len(few)-1] {
		l.Stmt = cfa.Branch{Cond: p.c.Pool.Eq(term, v)}
		l.Succ = []cfa.Loc{p.to(s.learnt(i, v))}
		p.Locs[here] = l
		here = p.Follow(here)
	}
	l.Stmt, l.Succ = cfa.Goto{}, []cfa.Loc{p.to(s.learnt(i, few[len(few)-1]))}
	p.Locs[here] = l
}

// stuck is where it is looked whether the threads from t on stand, t behind l in its section if l
// is not negative; some says that one before t does. Negative if they do not.
func (p *standing) stuck(s moment, t int, l cfa.Loc, some bool, depth int) cfa.Loc {
	if depth > mostSteps {
		p.err = ErrStanding
		return -1
	}
	if l >= 0 {
		return p.stuckWithin(s, t, l, depth+1)
	}
	for ; t < len(s.at); t++ {
		at := s.at[t]
		switch {
		case at == notBegun || at == hasEnded:
		case at == waitsForEver:
			some = true
		case at == stands:
			return -1
		case p.joins(at): // of one that has not ended
			some = true
		case p.waiting[at]:
			return p.stuck(s, t, p.c.Locs[at].Succ[0], true, depth+1)
		default:
			return -1
		}
	}
	if !some {
		return -1
	}
	return p.deadlock()
}

// stuckWithin goes on in a section.
func (p *standing) stuckWithin(s moment, t int, at cfa.Loc, depth int) cfa.Loc {
	l := p.c.Locs[at]
	emit := func(stmt cfa.Stmt, succ ...cfa.Loc) cfa.Loc {
		l.Stmt, l.Succ, l.Decides = stmt, succ, [2]cfa.Decision{}
		return p.Emit(l, int(at))
	}
	switch stmt := l.Stmt.(type) {
	case cfa.Halt:
		if isWaiting(stmt) {
			return p.stuck(s, t+1, -1, true, depth)
		}
		return -1
	case cfa.Goto:
		return p.stuck(s, t, l.Succ[0], true, depth)
	case cfa.Assign:
		i, followed := p.index[stmt.LHS]
		stmt = p.assignment(s, stmt)
		if v := stmt.RHS; followed && v != nil && v.IsConst() && stmt.Memory == nil {
			return p.stuck(s.learnt(i, v), t, l.Succ[0], true, depth)
		}
		if followed {
			s = s.learnt(i, nil)
		}
		if next := p.stuck(s, t, l.Succ[0], true, depth); next >= 0 {
			return emit(stmt, next)
		}
		return -1
	case cfa.Branch:
		cond := p.put(s, stmt.Cond)
		var to [2]cfa.Loc
		for i, never := range []bool{cond.IsFalse(), cond.IsTrue()} {
			if to[i] = -1; !never {
				to[i] = p.stuck(s, t, l.Succ[i], true, depth)
			}
		}
		switch {
		case to[0] < 0 && to[1] < 0:
			return -1
		case cond.IsTrue():
			return to[0]
		case cond.IsFalse():
			return to[1]
		}
		for i := range to {
			if to[i] < 0 {
				to[i] = p.end()
			}
		}
		return emit(cfa.Branch{Cond: cond}, to[0], to[1])
	case cfa.Atomic: // its end
		return -1
	}
	p.err = ErrStanding
	return -1
}

// finish makes an automaton of one thread of what leads to an error, or to what is left out.
func (p *standing) finish(c *cfa.CFA) *cfa.CFA {
	out := *c
	out.Entry, out.Threads = 0, nil
	if p.cuts {
		out.Cut = p.cut
	}
	turn := cfa.Var{Expr: p.Chooses, Name: "turn", Kind: cfa.Temp, Frame: 0}
	out.Vars = append(slices.Clip(c.Vars), turn)
	out.Refused, out.Sight, out.Silent, out.Errors = nil, cfa.Sight{}, false, true
	out.Locs = nil
	order, number := p.leading()
	for i, l := range order {
		at := p.Locs[l]
		at.Succ = slices.Clone(at.Succ)
		for k, to := range at.Succ {
			at.Succ[k] = number[to]
		}
		out.Locs = append(out.Locs, at)
		for _, r := range c.Refused {
			if p.Of[l] == int(r.At) {
				out.Refused = append(out.Refused, cfa.Refused{At: cfa.Loc(i), Why: r.Why})
			}
		}
	}
	return &out
}

// leading are the locations from which control comes to an error, or to what is left out, the entry
// first, and their numbers. All others have the number of the end.
func (p *standing) leading() (order, number []cfa.Loc) {
	end := p.end()
	g := graph.Func{Nodes: len(p.Locs), Succ: func(n int, yield func(int)) {
		for _, to := range p.Locs[n].Succ {
			yield(int(to))
		}
	}}
	var last []int
	for l := range p.Locs {
		if _, ok := p.Locs[l].Stmt.(cfa.Act); ok {
			last = append(last, l)
		}
	}
	leads := graph.Reachable(graph.Reverse(g), last...)
	past := func(l cfa.Loc) cfa.Loc {
		if leads[l] {
			return l
		}
		return end
	}
	order = graph.Closure(func(l cfa.Loc, yield func(cfa.Loc)) {
		for _, to := range p.Locs[l].Succ {
			yield(past(to))
		}
	}, past(p.entry))
	number = make([]cfa.Loc, len(p.Locs))
	for i, l := range order {
		number[l] = cfa.Loc(i)
	}
	for l := range number {
		number[l] = number[past(cfa.Loc(l))]
	}
	return order, number
}
