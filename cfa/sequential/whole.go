package sequential

// The product of the threads for whole runs, which says at each location who can go on.
//
// Idea: as for deadlocks (standing.go) a location is where the threads are, with the values that are known of
// variables. But nothing is left out, each statement is made as it stands, and a thread is chosen only if it gets
// through the section that it is at. Whether it does has to be known of each place, so whatever decides about
// waiting has to have known values. A failing assumption ends the run at once, which counts as none then.
//
// What nobody else can tell is made at once, and so are creation, the end of a thread, and a join behind that: a
// run is one in which these are made later, with the same actions. Whether a thread can go on does not
// depend on them. While a section is made others count as before it.
//
// Source: Clarke, Emerson (1981); Peled: All from one, one for all (1993). Cost: the states of what is followed.

import (
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// ErrWaits says that it depends on values which are not known whether a thread waits.
var ErrWaits = errors.New("whether a thread waits depends on values that are not told apart")

// mostWhole is how many threads are told apart by bits of two words.
const mostWhole = 60

// WholeRuns is the product of the threads of an automaton with who can go on where, as [cfa.Joint] has it. All orders
// in which watched variables change are among its runs. An automaton without threads is its own product. The error is
// ErrLargeProduct, ErrWaits or ctx's.
func WholeRuns(ctx context.Context, c *cfa.CFA, watched []*expr.Expr) (*cfa.CFA, error) {
	if len(c.Threads) < 2 {
		return c, nil
	}
	if len(c.Threads) > mostWhole {
		return nil, ErrLargeProduct
	}
	dropped := map[*expr.Expr]bool{}
	for large := 0; large <= mostProducts; {
		s, err := newStanding(ctx, c, dropped, watched)
		if err != nil {
			return nil, err
		}
		w := &whole{standing: s, mover: map[cfa.Loc]int{}, ready: map[cfa.Loc]uint64{}, opens: map[cfa.Loc]bool{}}
		again, err := w.make(ctx)
		if err != nil {
			return nil, err
		}
		if !again {
			return w.result(), nil
		}
		if w.large() {
			large++
		}
	}
	return nil, ErrLargeProduct
}

// A whole is such a product while it is made.
type whole struct {
	*standing
	places []place
	mover  map[cfa.Loc]int // by location: the thread whose statement it is
	ready  map[cfa.Loc]uint64
	opens  map[cfa.Loc]bool // where it is chosen who goes on
}

// A place is a moment; within a section, with the threads that could go on before it.
type place struct {
	moment
	ready uint64
}

// make makes the product; again says that it has to be made once more, with less that is followed.
func (w *whole) make(ctx context.Context) (again bool, err error) {
	start := make([]cfa.Loc, len(w.c.Threads))
	for t := range start {
		start[t] = notBegun
	}
	start[0] = w.c.Entry
	w.entry = w.place(moment{at: start, within: -1, known: make([]*expr.Expr, len(w.vars))}, 0)
	for len(w.places) > 0 {
		switch {
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		case w.drop():
			return true, nil
		case w.large():
			return false, ErrLargeProduct
		}
		s := w.places[0]
		w.places = w.places[1:]
		first := cfa.Loc(len(w.Locs))
		w.expand(&s)
		w.note(s, first)
		if w.err != nil {
			return false, w.err
		}
	}
	return false, nil
}

// place is the location of a moment.
func (w *whole) place(s moment, ready uint64) cfa.Loc {
	if s.within < 0 {
		ready = 0
	}
	w.forget(&s)
	state := append([]cfa.Loc{cfa.Loc(s.within), cfa.Loc(ready & (1<<30 - 1)), cfa.Loc(ready >> 30)}, s.at...)
	for i, v := range s.known {
		id := cfa.Loc(-1)
		if v != nil {
			id = cfa.Loc(v.ID())
			w.values[i][v] = true
		}
		state = append(state, id)
	}
	l, isNew := w.At(state...)
	if isNew {
		s.loc = l
		w.places = append(w.places, place{s, ready})
	}
	return l
}

// note notes who can go on at a place, and at the locations from first on that were made for it and are no places.
func (w *whole) note(s place, first cfa.Loc) {
	w.ready[s.loc] = s.ready
	for l := first; int(l) < len(w.Locs); l++ {
		if _, noted := w.ready[l]; !noted {
			w.ready[l] = s.ready
		}
	}
}

// expand gives a place's location what is done there, and finds who can go on.
func (w *whole) expand(s *place) {
	if s.within >= 0 {
		w.take(*s, s.within, s.loc)
		return
	}
	var able []int
	for t := range s.at {
		if w.able(s.moment, t) {
			able, s.ready = append(able, t), s.ready|1<<t
		}
	}
	like := cfa.Location{Pos: w.c.Locs[w.c.Entry].Pos}
	switch t := w.turn(s.moment); {
	case t >= 0:
		w.take(*s, t, s.loc)
	case len(able) == 0:
		like.Stmt = cfa.Halt{Reason: "no thread goes on", Ends: true}
		w.Locs[s.loc] = like
	default:
		between := w.Choose(w.c.Pool, s.loc, len(able), like, "the scheduler", func(i int, at cfa.Loc) { w.take(*s, able[i], at) })
		for _, l := range between {
			w.opens[l] = true
		}
	}
}

// able reports whether a thread can go on at a moment at which none is in a section.
func (w *whole) able(s moment, t int) bool {
	at := s.at[t]
	if at < 0 {
		return false
	}
	l := &w.c.Locs[at]
	switch stmt := l.Stmt.(type) {
	case cfa.Join:
		return s.at[stmt.Thread] == hasEnded
	case cfa.Halt:
		return !isWaiting(stmt)
	case cfa.Atomic:
		if !stmt.Begin || !w.waiting[at] {
			return true
		}
		s = s.moved(t, l.Succ[0])
		s.within = t
		return w.enters(s, t)
	}
	return true
}

// enters reports whether a thread gets through the section that it is in.
func (w *whole) enters(s moment, t int) bool {
	for range mostSteps {
		if h, ends := w.c.Locs[s.at[t]].Stmt.(cfa.Halt); ends {
			return !isWaiting(h)
		}
		next, done, _ := w.known(s, t)
		switch {
		case !done && mayWait(w.c, s.at[t]):
			w.err = ErrWaits
			return true
		case !done || next.within < 0:
			return true
		}
		s = next
	}
	w.err = ErrWaits
	return true
}

// take makes the step of a thread at a location.
func (w *whole) take(s place, t int, here cfa.Loc) {
	from := s.at[t]
	l := w.c.Locs[from]
	succ := l.Succ
	l.Succ = nil
	w.Of[here], w.mover[here] = int(from), t
	next := s.moment
	to := func(m moment, l cfa.Loc) cfa.Loc { return w.place(m.moved(t, l), s.ready) }
	switch stmt := l.Stmt.(type) {
	case cfa.Halt:
		if isWaiting(stmt) && s.within >= 0 {
			w.err = ErrWaits
		} else if isWaiting(stmt) {
			l.Stmt, l.Succ = cfa.Goto{}, []cfa.Loc{to(next, waitsForEver)}
		}
	case cfa.Return:
	case cfa.End:
		l.Stmt, l.Succ = cfa.Goto{}, []cfa.Loc{to(next, hasEnded)}
	case cfa.Spawn:
		l.Stmt, l.Succ = cfa.Goto{}, []cfa.Loc{to(next.moved(stmt.Thread, succ[1]), succ[0])}
	case cfa.Branch:
		w.fork(&l, s, t, succ)
	case cfa.Act:
		if stmt.Action == cfa.ThreadLimit {
			l.Stmt = cfa.Act{Action: w.cut}
		}
		w.cuts = w.cuts || l.Stmt.(cfa.Act).Action == w.cut
		l.Succ = []cfa.Loc{to(next, succ[0])}
	default:
		if a, is := stmt.(cfa.Assign); is && w.tellsApart(s, t, here, a, succ[0]) {
			return
		}
		next = w.behind(next, t, l.Stmt)
		if _, is := stmt.(cfa.Join); is {
			l.Stmt = cfa.Goto{}
		}
		if _, is := stmt.(cfa.Atomic); is {
			l.Stmt = cfa.Goto{}
		}
		l.Succ = []cfa.Loc{to(next, succ[0])}
	}
	w.Locs[here] = l
}

// tellsApart makes an assignment of one of few values that are followed, and then looks which one it was; it reports
// whether the assignment is such.
func (w *whole) tellsApart(s place, t int, here cfa.Loc, a cfa.Assign, next cfa.Loc) bool {
	i, followed := w.index[a.LHS]
	if !followed {
		return false
	}
	few := fewValues(w.c.Pool, w.assignment(s.moment, a))
	if len(few) == 0 {
		return false
	}
	l := w.c.Locs[s.at[t]]
	l.Succ, l.Decides = nil, [2]cfa.Decision{}
	w.Locs[here] = l
	for k, v := range few {
		at := w.Follow(here)
		w.mover[at], w.opens[at] = t, true
		to := w.place(s.moved(t, next).learnt(i, v), s.ready)
		if l.Stmt = (cfa.Branch{Cond: w.c.Pool.Eq(a.LHS, v)}); k == len(few)-1 {
			l.Stmt = cfa.Goto{}
		}
		l.Succ = []cfa.Loc{to}
		w.Locs[at] = l
		here = at
	}
	return true
}

// fork leads on both ways of a branch, or on the one that is known.
func (w *whole) fork(l *cfa.Location, s place, t int, succ []cfa.Loc) {
	holds, fails := s.moved(t, succ[0]), s.moved(t, succ[1])
	switch cond := w.put(s.moment, l.Stmt.(cfa.Branch).Cond); {
	case cond.IsTrue():
		l.Stmt, l.Succ = cfa.Goto{}, []cfa.Loc{w.place(holds, s.ready)}
	case cond.IsFalse():
		l.Stmt, l.Succ = cfa.Goto{}, []cfa.Loc{w.place(fails, s.ready)}
	default:
		if i, v := w.equation(cond); v != nil {
			holds = holds.learnt(i, v)
		} else if i, v := w.equation(w.c.Pool.Not(cond)); v != nil {
			fails = fails.learnt(i, v)
		}
		l.Succ = []cfa.Loc{w.place(holds, s.ready), w.place(fails, s.ready)}
	}
}

// behind is what is known behind a statement with one way on.
func (w *whole) behind(s moment, t int, stmt cfa.Stmt) moment {
	switch stmt := stmt.(type) {
	case cfa.Atomic:
		if s.within = -1; stmt.Begin {
			s.within = t
		}
	case cfa.Assign:
		i, followed := w.index[stmt.LHS]
		if !followed {
			break
		}
		if v := w.put(s, stmt.RHS); v != nil && v.IsConst() && stmt.Memory == nil {
			return s.learnt(i, v)
		}
		return s.learnt(i, nil)
	case cfa.Call:
		for _, v := range append(slices.Clone(stmt.Clobbers), stmt.LHS) {
			if i, ok := w.index[v]; ok {
				s = s.learnt(i, nil)
			}
		}
	}
	return s
}

// result is the automaton of one thread.
func (w *whole) result() *cfa.CFA {
	out := *w.c
	out.Entry, out.Locs, out.Threads = w.entry, w.Locs, nil
	if w.cuts {
		out.Cut = w.cut
	}
	out.Vars = append(slices.Clip(w.c.Vars), cfa.Var{Expr: w.Chooses, Name: "turn", Kind: cfa.Temp, Frame: 0})
	out.Refused, out.Sight = nil, cfa.Sight{}
	j := &cfa.Joint{Threads: true, Opens: w.opens}
	for i, t := range w.c.Threads {
		part := cfa.JointPart{Name: t.Name}
		if t.Entry >= 0 {
			part.Frame = w.c.Locs[t.Entry].Frame
		}
		for _, v := range w.c.Vars {
			if i == 0 && v.Kind == cfa.Global {
				part.Globals = append(part.Globals, v.Expr)
			}
		}
		j.Parts = append(j.Parts, part)
	}
	for l, from := range w.Of {
		mover, is := w.mover[cfa.Loc(l)]
		if !is {
			mover = -1
		}
		j.Of, j.Ready = append(j.Of, mover), append(j.Ready, w.ready[cfa.Loc(l)])
		for _, r := range w.c.Refused {
			if from == int(r.At) {
				out.Refused = append(out.Refused, cfa.Refused{At: cfa.Loc(l), Why: r.Why})
			}
		}
	}
	out.Joint = j
	return &out
}
