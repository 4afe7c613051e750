package cfa

// Building an automaton: locations are appended, and the open ends of those
// written so far are joined with the location that comes next.
//
//	yes, no := b.Branch(cond, pos)   // if (cond)
//	b.Continue(yes)                  //
//	b.Assign(x, one, pos)            //     x = 1;
//	end := b.Ends()                  // else
//	b.Continue(no)                   //
//	b.Assign(x, two, pos)            //     x = 2;
//	b.Join(end)                      // both go on with what comes next
//
// Code without open ends before it is dead: it may be written, and Build drops
// it. Labels and heads of loops are Gotos, which Build removes as well.
//
// A builder stops at a fault, or where it is interrupted: what is written
// afterwards is dropped. Who builds something large asks Err now and then.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"magus/smt/expr"
)

// MaxLocations bounds an automaton while it is built, unless [Builder.Limit] does.
const MaxLocations = 2_000_000

// ErrorAction is the action of error functions, error labels and failing
// assertions.
const ErrorAction = "error"

// CutPrefix begins the names of the actions that components perform where
// recursion is not followed any further. No action of a program has such a name.
const CutPrefix = "recursion{"

// WritesPrefix begins the names of the actions that a component performs where its procedure writes what it is claimed
// not to. No action of a program has such a name.
const WritesPrefix = "writes{"

// StandsPrefix begins the names of the actions by which a component says where it stands still. No action of a program
// has such a name.
const StandsPrefix = "stands{"

// A Hole is an open end: a successor of a location that is not known yet.
type Hole struct {
	loc  Loc
	slot int
}

// Ends are open ends, which one location is to continue.
type Ends []Hole

// Draft is embedded by statements of other packages that stand in an automaton
// only while it is built, such as accesses to memory. An automaton with one is
// not finished: see [CFA.Check].
type Draft struct{}

func (Draft) stmt() {}

// unsupported stands where something is not modelled.
type unsupported struct {
	Draft
	err error
}

// String is "unsupported".
func (unsupported) String() string { return "unsupported" }

// A Builder builds one automaton.
type Builder struct {
	variables
	// ErrorsEnd says that what is an error ends the component and performs no action.
	ErrorsEnd bool
	known     bool // conditions are what is known of values that are not modelled

	locs   []Location
	open   Ends // what the next location continues; none: dead code
	row    Loc  // from here on control has taken one way only, to all locations since
	frames []Frame
	frame  int // the current one

	warnings []Warning
	warned   map[string]bool

	outOfLine *outOfLine // nil: everything is of the automaton
	limit     int        // of locations; 0: MaxLocations
	beyond    Loc        // what stands for those beyond the limit; 0: none was needed
	sight     sighting
	// refusal is the action that is performed where something is not modelled; "": that
	// is an error.
	refusal string

	mu  sync.Mutex
	err error
}

// variables are those of an automaton that is built, and names that are taken.
type variables struct {
	Pool  *expr.Pool // of the automaton's terms
	vars  []Var
	index map[*expr.Expr]int // into vars
	names map[string]bool
	count map[string]int // numbers given to variables of one name
}

// NewBuilder begins an automaton with terms in pool.
func NewBuilder(pool *expr.Pool) *Builder {
	v := variables{Pool: pool, index: map[*expr.Expr]int{}, names: map[string]bool{}, count: map[string]int{}}
	return &Builder{variables: v, warned: map[string]bool{},
		sight: sighting{numbers: map[Pos]int32{}, current: -1, cut: cut{at: -1}}}
}

// Limit bounds the locations; 0 stands for MaxLocations.
func (b *Builder) Limit(locations int) { b.limit = locations }

// Stop stops building with an error. The first one counts.
func (b *Builder) Stop(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
}

// StopWith stops building when ctx ends, until release is called.
func (b *Builder) StopWith(ctx context.Context) (release func() bool) {
	return context.AfterFunc(ctx, func() { b.Stop(ctx.Err()) })
}

// Err is why building has stopped, or nil.
func (b *Builder) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// Emit appends a location that continues all open ends. Its own ends are open
// then, but for those of a Branch, for which there is [Builder.Branch], and the
// second of a Spawn, for which there is [Builder.Spawn].
func (b *Builder) Emit(s Stmt, pos Pos) Loc {
	if a, ok := s.(Assign); ok && a.LHS.Op() == expr.XPair {
		return b.emitWords(a, pos)
	}
	if limit := cmp.Or(b.limit, MaxLocations); len(b.locs) > limit {
		b.Stop(&UnsupportedError{pos, fmt.Sprintf("more than %d control locations once all calls are inlined",
			limit), "give an abstraction for a procedure that is called often", true})
		return b.beyondLimit(pos)
	}
	n := Loc(len(b.locs))
	succ := []Loc{-1}
	switch s.(type) {
	case Branch, Spawn:
		succ = []Loc{-1, -1}
	}
	b.locs = append(b.locs, Location{Stmt: s, Succ: succ, Pos: pos, Frame: b.frame})
	b.sight.marks = append(b.sight.marks, b.sight.current)
	if b.Dead() && n > 0 && b.sight.points == nil && !b.sight.blind {
		b.sight.dead = append(b.sight.dead, deadEnd{int32(n), b.sight.cut})
	}
	if len(b.open) != 1 || b.open[0].loc != n-1 || len(b.locs[n-1].Succ) != 1 {
		b.row = n
	}
	b.Patch(b.open, n)
	b.open = Ends{{n, 0}}
	return n
}

// beyondLimit is a location that stands for all that are too many. Nothing comes of the automaton any more, but what
// builds it may go on for a while, and joins ends of any kind.
func (b *Builder) beyondLimit(pos Pos) Loc {
	if b.beyond == 0 {
		b.beyond = Loc(len(b.locs))
		b.locs = append(b.locs, Location{Stmt: Halt{Reason: "too many"}, Succ: []Loc{-1, -1}, Pos: pos, Frame: b.frame})
		b.sight.marks = append(b.sight.marks, b.sight.current)
	}
	return b.beyond
}

// emitWords is an assignment of a number of two words. Where its high word reads the low one of the variable, it is
// kept first. The location is that of the last assignment.
func (b *Builder) emitWords(a Assign, pos Pos) Loc {
	high, low := a.LHS.Words()
	if a.RHS == nil {
		a.LHS = low
		b.Emit(a, pos)
		a.LHS = high
		return b.Emit(a, pos)
	}
	newHigh, newLow := a.RHS.Words()
	if slices.Contains(expr.Vars(newHigh), low) {
		kept := b.Temp("word", newHigh.Type(), pos)
		b.Assign(kept, newHigh, pos)
		newHigh = kept
	}
	b.Assign(low, newLow, pos)
	return b.Emit(Assign{LHS: high, RHS: newHigh}, pos)
}

// Meet is a location for several ways, also such as later code takes.
func (b *Builder) Meet(pos Pos) Loc {
	n := b.Emit(Goto{}, pos)
	b.row = n
	return n
}

// Row are the locations, one after the other, that control comes by on any way here, as far as they
// follow each other; none where several ways meet.
func (b *Builder) Row() []Location {
	if n := Loc(len(b.locs)); len(b.open) != 1 || b.open[0].loc != n-1 || len(b.locs[n-1].Succ) != 1 {
		return nil
	}
	return b.locs[b.row:]
}

// Patch joins open ends with a location.
func (b *Builder) Patch(ends Ends, to Loc) {
	for _, h := range ends {
		b.locs[h.loc].Succ[h.slot] = to
	}
}

// Ends are the ends that the next location continues.
func (b *Builder) Ends() Ends { return b.open }

// Dead reports whether control does not come here.
func (b *Builder) Dead() bool { return len(b.open) == 0 }

// Continue makes these the ends that the next location continues.
func (b *Builder) Continue(ends Ends) { b.open = ends }

// Join lets the next location continue these ends too.
func (b *Builder) Join(ends Ends) { b.open = append(b.open, ends...) }

// Cut leaves no open end: what follows is dead.
func (b *Builder) Cut() { b.open = nil }

// Assign writes v = t.
func (b *Builder) Assign(v, t *expr.Expr, pos Pos) { b.Emit(Assign{LHS: v, RHS: t}, pos) }

// Any is a new temporary that holds any value from here on.
func (b *Builder) Any(t expr.Type, source, approx string, pos Pos) *expr.Expr {
	v := b.Temp(source, t, pos)
	b.Emit(Assign{LHS: v, Nondet: source, Approx: approx}, pos)
	return v
}

// Branch tests a condition, split into atoms, and gives the ends where it holds
// and where it does not. None of them is open.
func (b *Builder) Branch(c *expr.Expr, pos Pos) (yes, no Ends) {
	switch c.Op() {
	case expr.Const:
		yes, b.open = b.open, nil
		if c.IsFalse() {
			return nil, yes
		}
		return yes, nil
	case expr.Not:
		no, yes = b.Branch(c.Args()[0], pos)
		return yes, no
	case expr.Land:
		for _, a := range c.Args() {
			t, f := b.Branch(a, pos)
			no = append(no, f...)
			b.open = t
		}
		yes, b.open = b.open, nil
		return yes, no
	case expr.Lor:
		for _, a := range c.Args() {
			t, f := b.Branch(a, pos)
			yes = append(yes, t...)
			b.open = f
		}
		no, b.open = b.open, nil
		return yes, no
	}
	return b.Fork(Branch{Cond: c, Known: b.known}, pos)
}

// Known has all branches that do adds test what is known of values that are not modelled ([Branch.Known]).
func (b *Builder) Known(do func()) {
	before := b.known
	b.known = true
	do()
	b.known = before
}

// Decide notes that the condition of a statement of the source holds at some ends and
// does not at others.
func (b *Builder) Decide(yes, no Ends) {
	for _, h := range yes {
		b.decide(h, HoldsThere)
	}
	for _, h := range no {
		b.decide(h, FailsThere)
	}
}

// KeepDecisions gives the branch that was just written what another one, which it is
// written for, decides.
func (b *Builder) KeepDecisions(yes Ends, of Location) {
	for _, h := range yes {
		b.locs[h.loc].Decides = of.Decides
	}
}

func (b *Builder) decide(h Hole, d Decision) {
	l := &b.locs[h.loc]
	if _, ok := l.Stmt.(Branch); ok && h.slot < len(l.Decides) {
		l.Decides[h.slot] = d
	}
}

// Fork writes a branch as it is and gives its ends. None of them is open.
func (b *Builder) Fork(s Branch, pos Pos) (yes, no Ends) {
	at := b.Emit(s, pos)
	b.open = nil
	return Ends{{at, 0}}, Ends{{at, 1}}
}

// Spawn lets a thread begin and gives the end where it does.
func (b *Builder) Spawn(s Spawn, pos Pos) (begins Ends) { return Ends{{b.Emit(s, pos), 1}} }

// Finish ends a thread here.
func (b *Builder) Finish(pos Pos) {
	b.Emit(End{}, pos)
	b.open = nil
}

// Halt ends the component here, or with threads the thread.
func (b *Builder) Halt(reason string, pos Pos) { b.halt(Halt{Reason: reason}, pos) }

// HaltAll ends the component here, with all threads.
func (b *Builder) HaltAll(reason string, pos Pos) { b.halt(Halt{Reason: reason, Ends: true}, pos) }

func (b *Builder) halt(h Halt, pos Pos) {
	dead := b.Dead()
	at := b.Emit(h, pos)
	if !dead {
		b.sight.cut = cut{h.Blocker(pos), int32(at)}
	}
	b.open = nil
}

// Wait has the component wait here for ever, for what is no action.
func (b *Builder) Wait(reason string, pos Pos) { b.halt(Halt{Reason: reason, Waits: true}, pos) }

// Error performs the action error, unless nobody asks for it, and ends the component.
func (b *Builder) Error(reason string, pos Pos) {
	if b.ErrorsEnd {
		b.HaltAll(reason, pos)
		return
	}
	b.Asked(reason, pos)
}

// Asked performs the action error, which is asked for though other errors are not, and ends the component.
func (b *Builder) Asked(reason string, pos Pos) {
	b.Emit(Act{Action: ErrorAction}, pos)
	b.HaltAll(reason, pos)
}

// Refuse makes Build end with an error, if control can reach the location that it
// writes. What follows is dead.
func (b *Builder) Refuse(err error, pos Pos) {
	at := b.Emit(unsupported{err: err}, pos)
	b.sight.cut = cut{Blocker{NeverOn, pos, "what is not modelled"}, int32(at)}
	b.open = nil
}

// CutRefused lets Build write an action, after which the component ends, instead of an
// error where control can reach what is not modelled.
func (b *Builder) CutRefused(action string) { b.refusal = action }

// Len is the number of locations so far.
func (b *Builder) Len() int { return len(b.locs) }

// At is a location as it stands.
func (b *Builder) At(n Loc) Location { return b.locs[n] }

// Since are the locations from n on.
func (b *Builder) Since(n Loc) []Location { return b.locs[n:] }

// Replace puts another statement at a location. It must have as many successors.
func (b *Builder) Replace(n Loc, s Stmt) { b.locs[n].Stmt = s }

// After puts a statement behind one that has one successor.
func (b *Builder) After(n Loc, s Stmt) {
	at := Loc(len(b.locs))
	b.locs = append(b.locs, Location{Stmt: s, Succ: b.locs[n].Succ, Pos: b.locs[n].Pos, Frame: b.locs[n].Frame})
	b.sight.marks = append(b.sight.marks, b.sight.marks[n])
	b.locs[n].Succ = []Loc{at}
}

// RefuseAt is Refuse for a location that stands already.
func (b *Builder) RefuseAt(n Loc, err error) { b.locs[n].Stmt = unsupported{err: err} }

// IsRefused is the error of [Builder.Refuse], if the statement is one of it.
func IsRefused(s Stmt) (error, bool) {
	u, ok := s.(unsupported)
	return u.err, ok
}

// Restart takes all locations away and gives them out: they are to be written anew,
// see [Builder.Rewrite]. entry is where control begins.
func (b *Builder) Restart(entry Loc) []Location {
	old := b.locs
	b.sight.keep(old, entry)
	b.locs, b.open, b.row = nil, nil, 0
	return old
}

// NewFrame opens an instance of a procedure, called from the current one, and
// enters it.
func (b *Builder) NewFrame(proc string, call Pos) int {
	f := Frame{Proc: proc, Parent: b.frame, Call: call}
	if len(b.frames) == 0 {
		f.Parent = -1
	}
	b.frames = append(b.frames, f)
	b.frame = len(b.frames) - 1
	return b.frame
}

// Enter makes an instance the one that what follows belongs to.
func (b *Builder) Enter(frame int) { b.frame = frame }

// Callers has for each instance the one that it was opened from; -1 for the first.
func (b *Builder) Callers() []int {
	callers := make([]int, len(b.frames))
	for i, f := range b.frames {
		callers[i] = f.Parent
	}
	return callers
}

// Frame is the current instance.
func (b *Builder) Frame() int { return b.frame }

// Assume notes an assumption once, where it is made first. Dead code
// makes none.
func (b *Builder) Assume(kind Kind, pos Pos, format string, args ...any) {
	if len(b.open) > 0 || len(b.locs) == 0 {
		b.Tell(kind, pos, format, args...)
	}
}

// Tell is Assume also where control does not come.
func (b *Builder) Tell(kind Kind, pos Pos, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if b.warned[text] {
		return
	}
	b.warned[text] = true
	b.warnings = append(b.warnings, Warning{pos, text, kind})
}

// outOfLine says what was there before code was written that is not of the automaton.
type outOfLine struct{ from, to, frames, vars int }

// OutOfLine lets write add code that is looked at while the automaton is made, but is no
// part of it. Control does not come there. Its instances and what it assumes are not
// the automaton's, nor are variables that nothing else reads. It is to be called once.
func (b *Builder) OutOfLine(write func()) {
	b.outOfLine = &outOfLine{from: len(b.locs), frames: len(b.frames), vars: len(b.vars)}
	open, frame, warnings, warned := b.open, b.frame, b.warnings, maps.Clone(b.warned)
	b.open, b.sight.blind = nil, true
	write()
	b.outOfLine.to, b.sight.blind = len(b.locs), false
	b.open, b.frame, b.warnings, b.warned = open, frame, warnings, warned
}

// IsOutOfLine reports whether a location was written by [Builder.OutOfLine].
func (b *Builder) IsOutOfLine(at Loc) bool {
	return b.outOfLine != nil && b.outOfLine.from <= int(at) && int(at) < b.outOfLine.to
}

// IsOutOfLineFrame reports whether an instance was opened in [Builder.OutOfLine].
func (b *Builder) IsOutOfLineFrame(frame int) bool {
	return b.outOfLine != nil && frame >= b.outOfLine.frames
}

// prune drops the variables that came with the code out of line, or later, and that no
// statement reads.
func (b *Builder) prune() {
	if b.outOfLine == nil {
		return
	}
	b.frames = b.frames[:b.outOfLine.frames]
	unread := map[*expr.Expr]bool{}
	for _, v := range b.vars[b.outOfLine.vars:] {
		unread[v.Expr] = true
	}
	for changed := true; changed; {
		changed = false
		for _, loc := range b.locs {
			for _, t := range reads(loc.Stmt, unread) {
				for _, v := range expr.Vars(t) {
					changed = changed || unread[v]
					delete(unread, v)
				}
			}
		}
	}
	for i := range b.locs {
		switch s := b.locs[i].Stmt.(type) {
		case Assign:
			if unread[s.LHS] {
				b.locs[i].Stmt = Goto{}
			}
		case Call:
			s.Clobbers = slices.DeleteFunc(s.Clobbers, func(v *expr.Expr) bool { return unread[v] })
			b.locs[i].Stmt = s
			if s.LHS != nil {
				delete(unread, s.LHS)
			}
		}
	}
	b.vars = slices.DeleteFunc(b.vars, func(v Var) bool { return unread[v.Expr] })
	for i := range b.vars {
		if b.vars[i].Frame >= len(b.frames) { // memory that came from there, and is read elsewhere
			b.vars[i].Frame, b.vars[i].Kind = 0, Temp
		}
	}
}

// reads are the terms that a statement reads, but for assignments to variables
// that nothing reads.
func reads(s Stmt, unread map[*expr.Expr]bool) []*expr.Expr {
	switch s := s.(type) {
	case Assign:
		var terms []*expr.Expr
		if s.Memory != nil && s.Memory.Kind != Read {
			terms = append(terms, s.LHS) // what is written to memory without variables
		} else if unread[s.LHS] {
			return nil
		}
		if s.Memory != nil {
			terms = append(terms, s.Memory.Addr, s.Memory.Length)
		}
		terms = append(terms, s.RHS)
		if s.Exact != nil {
			terms = append(terms, s.Exact.When, s.Exact.Value)
		}
		return slices.DeleteFunc(terms, func(t *expr.Expr) bool { return t == nil })
	case Branch:
		return []*expr.Expr{s.Cond}
	case Call:
		return s.Reads()
	case Act:
		return s.sent()
	case Return:
		if s.Value != nil {
			return []*expr.Expr{s.Value}
		}
	}
	return nil
}

// Build finishes the automaton, which begins at start: what control cannot
// reach is dropped, and so are Gotos. The error is why building has stopped,
// or that of the first location that is not modelled. The builder is not to be
// used any more.
func (b *Builder) Build(start Loc) (*CFA, error) {
	if err := b.Err(); err != nil {
		return nil, err
	}
	b.prune()
	c := &CFA{Pool: b.Pool, Vars: b.vars, Frames: b.frames}
	if b.sight.points == nil {
		b.sight.keep(b.locs, start)
		for i := range b.locs {
			b.sight.marks = append(b.sight.marks, int32(i))
		}
	}
	var made []Loc
	c.Entry, c.Locs, made = compact(b.locs, start)
	made, err := b.cutRefused(c, made) // a context that ends now comes too late to stop the builder
	if err != nil {
		return nil, err
	}
	c.Sight = b.sight.sight(made)
	slices.SortStableFunc(b.warnings, func(a, b Warning) int { return comparePos(a.Pos, b.Pos) })
	c.Warnings = b.warnings
	return c, nil
}

// cutRefused ends the component at the locations that are not modelled, or gives the error
// of the first one. made are the numbers that the locations had.
func (b *Builder) cutRefused(c *CFA, made []Loc) ([]Loc, error) {
	for i := range c.Locs {
		u, ok := c.Locs[i].Stmt.(unsupported)
		if !ok {
			continue
		}
		why, ok := u.err.(*UnsupportedError)
		if !ok || b.refusal == "" {
			return nil, u.err
		}
		halt := Loc(len(c.Locs))
		loc := &c.Locs[i]
		loc.Stmt, loc.Succ = Act{Action: b.refusal}, []Loc{halt}
		c.Locs = append(c.Locs, Location{Stmt: Halt{Reason: "not modelled"}, Pos: loc.Pos, Frame: loc.Frame})
		c.Refused = append(c.Refused, Refused{At: Loc(i), Why: why})
		made = append(made, made[i])
	}
	return made, nil
}

// NewVar makes a variable. base is its name if nothing else has it, else alt, or
// alt with a number.
func (b *variables) NewVar(base, alt string, t expr.Type) *expr.Expr {
	for name := base; ; {
		if v := b.free(name, t); v != nil {
			return v
		}
		if n := b.count[alt] + 1; n == 1 {
			b.count[alt], name = n, alt
		} else {
			b.count[alt], name = n, fmt.Sprintf("%s#%d", alt, n)
		}
	}
}

// Temp makes a temporary named after what its value comes from, and lists it. Of a number of two words it is
// two.
func (b *Builder) Temp(source string, t expr.Type, pos Pos) *expr.Expr {
	if t.Width > 64 {
		high, low := expr.WordTypes(t)
		highName, lowName := expr.WordNames(t)
		return b.Pool.XPair(b.Temp(source+highName, high, pos), b.Temp(source+lowName, low, pos))
	}
	base := strings.ReplaceAll(source, " ", "_")
	var v *expr.Expr
	for v == nil {
		b.count[base]++
		v = b.free(fmt.Sprintf("%s#%d", base, b.count[base]), t)
	}
	b.List(Var{Expr: v, Name: source, Kind: Temp, Frame: b.frame, Pos: pos})
	return v
}

// free is a variable of that name, or nil where the name is taken: by this
// automaton, or with another type by another one of the same pool.
func (b *variables) free(name string, t expr.Type) *expr.Expr {
	if b.names[name] {
		return nil
	}
	b.names[name] = true
	v, ok := b.Pool.TryVar(name, t)
	if !ok {
		return nil
	}
	return v
}

// UniqueName takes a name, or that name with a number, for something that is no
// variable.
func (b *variables) UniqueName(name string) string {
	for base := name; b.names[name]; {
		b.count[base]++
		name = fmt.Sprintf("%s#%d", base, b.count[base]+1)
	}
	b.names[name] = true
	return name
}

// List adds a variable to those of the automaton.
func (b *variables) List(v Var) {
	b.index[v.Expr] = len(b.vars)
	b.vars = append(b.vars, v)
}

// Vars are the variables listed so far.
func (b *variables) Vars() []Var { return b.vars }

// Describe is the description of a listed variable.
func (b *variables) Describe(v *expr.Expr) Var { return b.vars[b.index[v]] }
