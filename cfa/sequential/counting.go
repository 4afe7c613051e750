package sequential

// Counting threads: an automaton of one thread for a program with any number of them, which knows how many are where.
//
// Idea: the main thread is followed as it is. The others are alike, but for where they are and what
// they have kept of their own; so of them it is counted how often one has moved from a place to the
// next, or how many are where (counters.go). A place is where others may notice the next step, or the
// head of a loop that has no such place; from one to the next a thread moves at once. Of each
// variable that a thread keeps at a place it is known between which values it lies in all the threads
// that are there; who moves on has one of these. Where no thread is, the first one that comes begins
// anew. So a lock that counts its readers, or a sum that each of n threads adds something to, has a
// proof, where the thread-modular abstraction (modular.go) has forgotten how many the others are.
// What that one knows better is how variables of one thread belong together.
//
// Threads of which any number is created must be alike (symmetry.go), and their numbers are forgotten.
//
// EXACT but for the variables that threads keep: counters are numbers modulo 2³², so it is assumed
// that fewer threads are at one place at one time. Joining waits for as many ends as there were joins
// before, since a thread may be joined once.
//
// Source: German, Sistla, "Reasoning about Systems with Many Processes" (1992), for counters; that
// they count moves and not threads is as in Farzan, Kincaid, Podelski, "Proofs That Count" (2014):
// moves bound each other one by one. Deviations: no vector addition system is decided, but the
// automaton is given to the loop and to induction; intervals for what threads keep.
//
// Cost: the places of the main thread, times the locations of all others.

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// mostMoves bounds what can be chosen at one location.
const mostMoves = 250

// CounterAbstraction is the automaton that counts an automaton's threads: without errors and cuts
// that are reached there are none. It has more runs. The error is ErrIdentity, ErrLargeProduct or
// ctx's.
func CounterAbstraction(ctx context.Context, c *cfa.CFA, counted Counter) (*cfa.CFA, error) {
	k := &counting{counted: counted,
		modular: modular{product: product{c: c, Interleaving: NewInterleaving(Scheduler(c.Pool)),
			cut: cmp.Or(c.Cut, cfa.CutPrefix+"1}")}, in: c.InSection()},
		met: map[situation]cfa.Loc{}, moves: map[move]*expr.Expr{}, at: map[spot]*expr.Expr{},
		into: map[spot][]move{}, outOf: map[spot][]move{}, bounds: map[kept][2]*expr.Expr{}}
	if len(c.Locs) > mostProduct {
		return nil, ErrLargeProduct
	}
	if err := k.classify(); err != nil {
		return nil, err
	}
	k.after, k.creator, k.heads = k.c.InParallel(), k.creators(), make([]bool, len(c.Locs))
	k.heads = Heads(c, k.rests)
	if err := k.keeps(ctx); err != nil {
		return nil, err
	}
	if err := k.trails(ctx); err != nil {
		return nil, err
	}
	k.begin()
	for len(k.open) > 0 {
		if len(k.Locs) > mostProduct {
			return nil, ErrLargeProduct
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s := k.open[len(k.open)-1]
		k.open = k.open[:len(k.open)-1]
		if !k.expand(s) {
			return nil, ErrLargeProduct
		}
	}
	k.contract()
	out := *c
	out.Entry = 0
	k.finish(&out)
	out.Vars = append(out.Vars, k.vars...)
	return &out, nil
}

// A spot is where threads of one class may be: at a location, or hasEnded.
type spot struct {
	class int
	at    cfa.Loc
}

// A move is from one spot to another; from notBegun where the thread is created, to stands where it waits for ever.
type move struct {
	class    int
	from, to cfa.Loc
}

// A kept is a variable that threads keep at a spot.
type kept struct {
	spot
	kept *expr.Expr
}

// A situation is a location of the automaton.
type situation struct {
	main  cfa.Loc // where the main thread is
	asked bool    // others have moved
	class int     // of a thread that moves; -1: none
	start cfa.Loc // where it has begun to
	opens bool    // it has not come to what others may notice
	at    cfa.Loc // where it is
}

type counting struct {
	modular
	creator      []bool         // by location: its thread may create others
	after, heads []bool         // by location: there may be another thread; a loop closes that has no other place
	live         [][]*expr.Expr // by location: what its thread has of its own, and reads before it writes it
	counted      Counter
	moves        map[move]*expr.Expr // how often each was made
	at           map[spot]*expr.Expr // how many threads are there
	counters     []*expr.Expr
	order        []move
	into, outOf  map[spot][]move
	prompt       []bool       // by class: only the main thread creates them, and their first move is made with that
	joins        []*expr.Expr // by class of many: how often one was joined; nil where none is
	bounds       map[kept][2]*expr.Expr
	vars         []cfa.Var // counters and bounds
	met          map[situation]cfa.Loc
	open         []situation
}

// typical is the thread that stands for a class.
func (k *counting) typical(class int) int { return k.classes[class][len(k.classes[class])-1] }

// home is where threads of a class are at first.
func (k *counting) home(class int) cfa.Loc {
	entry := k.c.Threads[k.typical(class)].Entry
	if at, settled := k.stops(entry); settled {
		return at
	}
	return entry
}

// classOf is the class of a thread; -1 for the main thread.
func (k *counting) classOf(thread int) int {
	return slices.IndexFunc(k.classes, func(c []int) bool { return thread > 0 && slices.Contains(c, thread) })
}

// rests reports whether threads interleave at a location.
func (k *counting) rests(l cfa.Loc) bool {
	if k.in[l] {
		return false
	}
	switch s := k.c.Locs[l].Stmt.(type) {
	case cfa.Join, cfa.Return:
		return true
	case cfa.Halt:
		return s.Ends
	}
	return k.heads[l] || k.noticed(l)
}

// straight is the location where threads interleave to which a straight line of assignments leads.
func (k *counting) straight(l cfa.Loc) (cfa.Loc, bool) {
	for range k.c.Locs {
		if k.rests(l) {
			return l, true
		}
		switch k.c.Locs[l].Stmt.(type) {
		case cfa.Assign, cfa.Goto:
			l = k.c.Next(l)[0]
		default:
			return l, false
		}
	}
	return l, false
}

// settles says where a thread is that comes to a location behind another one, if it is there until
// its next move. It stops at once behind what others notice, if it need not keep more then: what it
// has read says more than what it makes of that.
func (k *counting) settles(behind, l cfa.Loc) (cfa.Loc, bool) {
	if behind >= 0 && !k.in[l] && (k.in[behind] || k.rests(behind)) {
		if to, ok := k.straight(l); ok && len(k.live[l]) <= len(k.live[to]) {
			return l, true
		}
	}
	return k.stops(l)
}

// stops says where a thread is that comes to a location, if it cannot go on without interleaving.
func (k *counting) stops(l cfa.Loc) (cfa.Loc, bool) {
	switch s := k.c.Locs[l].Stmt.(type) {
	case cfa.End:
		return hasEnded, true
	case cfa.Halt:
		if !s.Ends && !k.in[l] {
			return stands, true
		}
	}
	return l, k.rests(l)
}

// final reports whether the claim is violated, or something is not looked at, behind a location.
func (k *counting) final(l cfa.Loc) bool {
	a, performs := k.c.Locs[l].Stmt.(cfa.Act)
	return performs && (a.Action == cfa.ErrorAction || a.Action == cfa.ThreadLimit || a.Action == k.cut)
}

// idle reports whether a move only leads a thread to where it waits for ever, and changes nothing,
// nor creates a thread: it may as well stay.
func (k *counting) idle(from, to cfa.Loc) bool {
	if to != stands || from < 0 || k.creator[from] {
		return false
	}
	at, ok := k.straight(from)
	return ok && !k.effect[at]
}

// creators are the locations of threads that may create others.
func (k *counting) creators() []bool {
	of, may := k.c.ThreadOf(), map[int32]bool{}
	for l := range k.c.Locs {
		if _, ok := k.c.Locs[l].Stmt.(cfa.Spawn); ok {
			may[of[l]] = true
		}
	}
	all := make([]bool, len(of))
	for l, t := range of {
		all[l] = may[t]
	}
	return all
}

// keeps finds what threads keep at each location. The error is ctx's.
func (k *counting) keeps(ctx context.Context) error {
	uses, err := k.c.Uses(ctx)
	if err != nil {
		return err
	}
	live, err := uses.Live(ctx)
	if err != nil {
		return err
	}
	k.live = make([][]*expr.Expr, len(k.c.Locs))
	for l, t := range k.c.ThreadOf() {
		for i := range live[l].All() {
			if u, ok := k.user[k.c.Vars[i].Expr]; ok && u == int(t) {
				k.live[l] = append(k.live[l], k.c.Vars[i].Expr)
			}
		}
		slices.SortFunc(k.live[l], func(a, b *expr.Expr) int { return cmp.Compare(a.Name(), b.Name()) })
	}
	return nil
}

// trails finds the moves of each class. The error is ctx's.
func (k *counting) trails(ctx context.Context) error {
	k.joins, k.prompt = make([]*expr.Expr, len(k.classes)), make([]bool, len(k.classes))
	for class, threads := range k.classes {
		k.prompt[class] = !slices.ContainsFunc(threads, func(t int) bool { return k.c.Threads[t].Parent != 0 })
	}
	for class := range k.classes {
		thread := k.typical(class)
		if thread == 0 {
			continue
		}
		entry := k.c.Threads[thread].Entry
		first := []cfa.Loc{k.home(class)}
		if k.prompt[class] {
			first = k.ahead(notBegun, entry)
		}
		met := map[cfa.Loc]bool{}
		var work []cfa.Loc
		lead := func(from cfa.Loc, next []cfa.Loc) {
			for _, to := range next {
				k.moved(move{class, from, to})
				if to >= 0 && !met[to] {
					met[to] = true
					work = append(work, to)
				}
			}
		}
		for lead(notBegun, first); len(work) > 0; {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			from := work[0]
			work = work[1:]
			lead(from, k.ahead(from, from))
		}
	}
	for _, l := range k.c.Locs {
		if j, ok := l.Stmt.(cfa.Join); ok {
			if class := k.classOf(j.Thread); class >= 0 && len(k.classes[class]) > 1 && k.joins[class] == nil {
				k.joins[class] = k.counter("__magus_joins_%d", class)
			}
		}
	}
	return nil
}

// ahead is where a thread can be after its next move, which begins at a location.
func (k *counting) ahead(from, begin cfa.Loc) (all []cfa.Loc) {
	s := situation{start: from, opens: from >= 0, at: begin}
	if to, settled := k.stops(begin); from < 0 && settled {
		return []cfa.Loc{to}
	}
	met := map[situation]bool{s: true}
	for work := []situation{s}; len(work) > 0; {
		s := work[0]
		work = work[1:]
		if k.final(s.at) {
			continue
		}
		for _, n := range k.c.Next(s.at) {
			next, to, settled := k.onto(s, n)
			switch {
			case !settled && !met[next]:
				met[next] = true
				work = append(work, next)
			case settled && !k.idle(from, to) && !slices.Contains(all, to):
				all = append(all, to)
			}
		}
	}
	return all
}

// onto is where a thread comes to from where it is, or has settled.
func (k *counting) onto(s situation, l cfa.Loc) (next situation, to cfa.Loc, settled bool) {
	_, creates := k.c.Locs[s.at].Stmt.(cfa.Spawn)
	if s.opens && !creates && !k.rests(s.at) && !k.in[s.at] { // whom it has created may be next
		if to, ends := k.stops(l); !ends || to >= 0 { // the move has not been made
			s.at = l
			return s, 0, false
		}
	}
	to, settled = k.settles(s.at, l)
	s.at, s.opens = l, false
	return s, to, settled
}

// variable is a new one.
func (k *counting) variable(name string, t expr.Type) *expr.Expr {
	v := k.c.Pool.Var(name, t)
	k.vars = append(k.vars, cfa.Var{Expr: v, Name: name, Kind: cfa.Temp, Frame: 0})
	return v
}

// begin is where the automaton begins: nothing is counted yet, and nothing lies between bounds.
func (k *counting) begin() {
	here, zero := k.Emit(cfa.Location{}, -1), k.c.Pool.Const(countType, 0)
	for _, n := range k.counters {
		here = k.assign(here, k.c.Entry, n, zero)
	}
	for _, at := range k.spots() {
		for _, x := range k.live[at.at] {
			if k.bounded(at, x) {
				b, most := k.bound(kept{at, x}), expr.Type{Width: x.Type().Width}.Mask()
				if x.Type().Signed {
					most >>= 1
				}
				here = k.assign(here, k.c.Entry, b[0], k.c.Pool.Const(x.Type(), most))
				here = k.assign(here, k.c.Entry, b[1], k.c.Pool.Const(x.Type(), most+1))
			}
		}
	}
	k.goTo(here, k.c.Entry, k.situation(situation{main: k.c.Entry, class: -1}))
}

// assign is an assignment, and gives the location behind it.
func (k *counting) assign(here, like cfa.Loc, x, term *expr.Expr) cfa.Loc {
	k.Locs[here] = k.located(cfa.Assign{LHS: x, RHS: term}, like)
	return k.Follow(here)
}

// unless ends the run where a condition holds, which is no choice that there is, and gives the location behind it.
func (k *counting) unless(here, like cfa.Loc, cond *expr.Expr) cfa.Loc {
	k.Locs[here] = k.located(cfa.Branch{Cond: cond}, like)
	k.Locs[here].Succ = append(k.Locs[here].Succ, k.nowhere(like))
	return k.Follow(here)
}

// situation is the location of a situation.
func (k *counting) situation(s situation) cfa.Loc {
	if l, ok := k.met[s]; ok {
		return l
	}
	l := k.Emit(cfa.Location{}, -1)
	k.met[s] = l
	k.open = append(k.open, s)
	return l
}

// expand gives a situation's location what is done there; false if there is too much to choose from.
func (k *counting) expand(s situation) bool {
	here := k.met[s]
	switch {
	case s.class >= 0:
		k.does(-1, s.at, here, func(to cfa.Loc) cfa.Loc { return k.onward(s, to) })
	case s.main < 0 || !s.asked && k.after[s.main] && k.rests(s.main):
		return k.ask(s, here)
	default:
		k.goesOn(s, here)
	}
	return true
}

// goesOn is the main thread's next step.
func (k *counting) goesOn(s situation, here cfa.Loc) {
	next := func(to cfa.Loc) cfa.Loc { return k.situation(situation{main: to, class: -1}) }
	switch to, settled := k.stops(s.main); {
	case settled && to < 0 && !k.after[s.main]: // and there is nobody else
		k.goTo(here, s.main, k.nowhere(s.main))
	case settled && to < 0:
		k.goTo(here, s.main, next(to))
	default:
		k.does(s.main, s.main, here, next)
	}
}

// onward is where a thread goes on with its move, or has made it.
func (k *counting) onward(s situation, to cfa.Loc) cfa.Loc {
	next, spot, settled := k.onto(s, to)
	switch {
	case !settled:
		return k.situation(next)
	case k.idle(s.start, spot):
		return k.nowhere(s.at)
	}
	return k.arrive(move{s.class, s.start, spot}, s.at, s.main)
}

// nowhere is where a run ends that need not be looked at.
func (k *counting) nowhere(like cfa.Loc) cfa.Loc {
	return k.Emit(k.located(cfa.Halt{Reason: "no thread makes this step", Ends: true}, like), -1)
}

// spots are those from which threads go on.
func (k *counting) spots() (all []spot) {
	for _, m := range k.order {
		if at := (spot{m.class, m.to}); m.to >= 0 && !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	return all
}

// ask lets one of the others move, or the main thread go on.
func (k *counting) ask(s situation, here cfa.Loc) bool {
	like, spots := max(s.main, 0), k.spots()
	if len(spots) >= mostMoves {
		return false
	}
	branches := k.choose(k.few(here, like, spots), 1+len(spots), like)
	if s.main >= 0 {
		k.goTo(branches[0], like, k.situation(situation{main: s.main, asked: true, class: -1}))
	} else {
		k.Locs[branches[0]] = k.located(cfa.Halt{Reason: "the main thread has ended", Ends: true}, like)
	}
	for i, at := range spots {
		k.leave(branches[i+1], at, s.main)
	}
	return true
}

// leave lets a thread go on that is at a spot.
func (k *counting) leave(here cfa.Loc, at spot, main cfa.Loc) {
	here = k.unless(here, at.at, k.empty(at))
	pool := k.c.Pool
	for _, x := range k.live[at.at] {
		k.Locs[here] = k.located(cfa.Assign{LHS: x, Nondet: "a thread's own"}, at.at)
		here = k.Follow(here)
		if k.bounded(at, x) {
			b := k.bound(kept{at, x})
			here = k.unless(here, at.at, pool.Lor(pool.Lt(x, b[0]), pool.Lt(b[1], x)))
		}
	}
	k.goTo(here, at.at, k.situation(situation{main: main, class: at.class, start: at.at, opens: true, at: at.at}))
}

// bounded reports whether it is known between which values a variable lies at a spot. Where threads
// begin they may have any.
func (k *counting) bounded(at spot, x *expr.Expr) bool {
	return !x.Type().IsBool() && !x.Type().IsFloat() && (k.prompt[at.class] || at.at != k.home(at.class))
}

func (k *counting) bound(at kept) [2]*expr.Expr {
	b, ok := k.bounds[at]
	if !ok {
		name := fmt.Sprintf("%d_%d_%s", at.class, at.at, at.kept.Name())
		b = [2]*expr.Expr{k.variable("__magus_least_"+name, at.kept.Type()), k.variable("__magus_most_"+name, at.kept.Type())}
		k.bounds[at] = b
	}
	return b
}

// arrive is where a thread has made a move.
func (k *counting) arrive(m move, like, main cfa.Loc) cfa.Loc {
	first := k.Emit(cfa.Location{}, -1)
	here := first
	pool := k.c.Pool
	if to := (spot{m.class, m.to}); m.to >= 0 {
		for _, x := range k.live[m.to] {
			if !k.bounded(to, x) {
				continue
			}
			b, alone := k.bound(kept{to, x}), k.empty(to)
			here = k.assign(here, like, b[0], pool.Ite(pool.Lor(alone, pool.Lt(x, b[0])), x, b[0]))
			here = k.assign(here, like, b[1], pool.Ite(pool.Lor(alone, pool.Lt(b[1], x)), x, b[1]))
		}
	}
	here = k.made(m, here, like)
	k.goTo(here, like, k.situation(situation{main: main, class: -1}))
	return first
}

// creates is the creation of a thread, by the main thread if that is somewhere.
func (k *counting) creates(class int, l, here, main cfa.Loc, view func(cfa.Loc) cfa.Loc) {
	next := k.c.Next(l)[0]
	if !k.prompt[class] {
		k.goTo(k.made(move{class, notBegun, k.home(class)}, here, l), l, view(next))
		return
	}
	entry := k.c.Threads[k.typical(class)].Entry
	for _, x := range k.live[entry] {
		k.Locs[here] = k.located(cfa.Assign{LHS: x, Nondet: "a thread's own"}, entry)
		here = k.Follow(here)
	}
	begun := situation{main: next, class: class, start: notBegun, at: entry}
	if at, settled := k.stops(entry); settled {
		k.goTo(here, l, k.arrive(move{class, notBegun, at}, entry, next))
		return
	}
	k.goTo(here, l, k.situation(begun))
}

// does is the statement of a thread at a location; main is where the main thread is, if it is that one.
func (k *counting) does(main, l, here cfa.Loc, view func(cfa.Loc) cfa.Loc) {
	switch stmt := k.c.Locs[l].Stmt.(type) {
	case cfa.Spawn:
		k.creates(k.classOf(stmt.Thread), l, here, main, view)
	case cfa.Join:
		if joined := k.classOf(stmt.Thread); joined >= 0 {
			ends := k.ended(joined)
			if counter := k.joins[joined]; counter != nil {
				here = k.plus(k.unless(here, l, k.c.Pool.Eq(ends, counter)), l, counter, 1)
			} else {
				here = k.unless(here, l, k.c.Pool.Eq(ends, k.c.Pool.Const(countType, 0)))
			}
		}
		k.goTo(here, l, view(k.c.Next(l)[0]))
	default:
		k.Of[here] = int(l)
		if k.final(l) {
			view = func(cfa.Loc) cfa.Loc { return k.nowhere(l) }
		}
		k.step(l, here, k.opaque, view)
	}
}
