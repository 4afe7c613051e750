package cfa

// Threads.
//
// An automaton with threads has one part for each copy of a start routine, as it has
// one for each inlined call: a [Spawn] leads to it besides going on. All parts share
// the variables; there is one store. [CFA.Threads] lists the parts, the main procedure
// first; it is empty where the program is sequential, and nobody who does not know
// threads may read an automaton where it is not.
//
//	0: x = 0 -> 1
//	1: spawn t1@4:2#1 -> 2, 4       4: x#1 = x -> 5
//	2: join t1@4:2#1 -> 3           5: x = x#1 + 1 -> 6
//	3: return x                     6: end
//
// What a run is: threads take turns, one statement at a time (sequential
// consistency). It is made of these rules.
//
//   - The main thread begins at the entry; another one where its Spawn leads to, once
//     that is executed. A run executes the Spawn of each copy at most once.
//   - A thread has ended at an [End]. Join waits for that, and then only goes on.
//   - Return, and a [Halt] that Ends, end all threads: nothing comes after them. Any
//     other Halt is a thread that waits for ever: an assumption that does not hold, an
//     invalid pointer, a cut. The others go on.
//   - An [Atomic] section is executed in one piece, once it can be executed to its end:
//     a thread that would wait within one waits where it begins, and has done nothing
//     of it. That is how locks wait: a section that assumes that the lock is free. A
//     run may stop in a section only at an action, or where the process ends.
//   - A thread may wait for ever anywhere else too: all claims are of safety.
//
// Sections do not nest and do not contain Spawn or Join: a Begin is outside of all
// sections, an End within one, on each way that control may take.
//
// One statement outside of sections makes at most one access to what another thread
// may touch ([CFA.Shared]): what is read goes into a variable of the thread first.
//
// A call of pthread_create has as many copies as were asked for; where it would need one
// more it performs [ThreadLimit] and waits. So does a run that is cut by CFA.Cut.

import (
	"fmt"
	"slices"

	"magus/smt/expr"
)

// ThreadLimit is the action that is performed where more threads would be created than
// the automaton has copies for.
const ThreadLimit = "threads{more}"

// Waiting is the reason of a Halt in a section that waits: where the library says that a thread goes
// on when others have done something.
const Waiting = "__magus_wait"

// WakesUp is what is chosen where a thread begins to wait for a condition: whether it will wake up without a signal.
const WakesUp = "waking up without a signal"

type (
	// Spawn lets a copy of a thread begin. Two successors: where this thread goes on,
	// and where the new one begins.
	Spawn struct {
		Thread int // index into CFA.Threads
		Name   string
	}
	// Join waits until a thread has ended. One successor.
	Join struct {
		Thread int
		Name   string
	}
	// Atomic begins a section that is executed in one piece, or ends it. One successor.
	Atomic struct {
		Begin bool
		// Plain says of a beginning that the section is one access of the program, which no operation makes
		// atomic: to cells that overlap, or to several that make up a value.
		Plain bool
		// Access says that it is one access, of an operation that is atomic: no fence in memory models that know such.
		Access bool
		// Release says of the beginning of such an access that others see it, and what its thread writes later, behind
		// what the thread has written before.
		Release bool
		// Monitors says that the section is a step of a monitor, at once for all, and no access of the program: in memory
		// models it comes behind the reads before it and before what is behind it, and waits for no write. In it are
		// accesses to the monitor's variables only.
		Monitors bool
	}
	// End ends a thread. No successor.
	End struct{}
)

func (Spawn) stmt()  {}
func (Join) stmt()   {}
func (Atomic) stmt() {}
func (End) stmt()    {}

// String is "spawn t".
func (s Spawn) String() string { return "spawn " + s.Name }

// String is "join t".
func (s Join) String() string { return "join " + s.Name }

// String is "atomic {" or "}".
func (s Atomic) String() string {
	if s.Begin {
		return "atomic {"
	}
	return "}"
}

// String is "end".
func (End) String() string { return "end" }

// A Thread is one copy of a start routine, created by one call.
type Thread struct {
	Name string // "main", "worker@40:3#2"
	Proc string // the start routine
	// Entry is where it begins; -1 if control never comes to where it is created.
	Entry Loc
	// Parent is the thread that creates it, and Spawn where; -1 for the main thread,
	// and where control never comes there.
	Parent int
	Spawn  Loc
	Site   Pos // the call that creates it
	Copy   int // the number among the copies of one call, from 1; 0 for the main thread
}

// Shown is what a copy is called.
func Shown(proc string, site Pos, copy int) string {
	return fmt.Sprintf("%s@%d:%d#%d", proc, site.Line, site.Col, copy)
}

// SetThreads gives a finished automaton its threads, the main one first, which is alone where
// control comes to no creation that is known; where they are created is read off the locations.
func (c *CFA) SetThreads(threads []Thread) {
	c.Threads = slices.Clone(threads)
	for i := range c.Threads {
		t := &c.Threads[i]
		t.Entry, t.Parent, t.Spawn = -1, -1, -1
	}
	c.Threads[0].Entry = c.Entry
	for i := range c.Locs {
		if s, ok := c.Locs[i].Stmt.(Spawn); ok {
			c.Threads[s.Thread].Entry, c.Threads[s.Thread].Spawn = c.Locs[i].Succ[1], Loc(i)
		}
	}
	of := c.ThreadOf()
	for i := range c.Threads {
		if t := &c.Threads[i]; t.Spawn >= 0 {
			t.Parent = int(of[t.Spawn])
		}
	}
}

// Next are the successors of a location in its own thread.
func (c *CFA) Next(l Loc) []Loc {
	if _, ok := c.Locs[l].Stmt.(Spawn); ok {
		return c.Locs[l].Succ[:1]
	}
	return c.Locs[l].Succ
}

// ThreadOf says by location which thread it belongs to; all are the main thread's
// where there are no others.
func (c *CFA) ThreadOf() []int32 {
	of := make([]int32, len(c.Locs))
	for k, t := range c.Threads {
		if t.Entry >= 0 && k > 0 {
			c.flow(t.Entry, func(l Loc) bool {
				met := of[l] == int32(k)
				of[l] = int32(k)
				return !met
			})
		}
	}
	return of
}

// flow calls f for the locations of a thread from one on, as long as it says so.
func (c *CFA) flow(from Loc, f func(Loc) bool) {
	for work := []Loc{from}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if f(at) {
			work = append(work, c.Next(at)...)
		}
	}
}

// Creates reports whether control can come from a location back to it and create a thread on the way.
func (c *CFA) Creates(from Loc) bool {
	reached := func(from Loc) []bool {
		met := make([]bool, len(c.Locs))
		for _, n := range c.Next(from) {
			c.flow(n, func(l Loc) bool {
				first := !met[l]
				met[l] = true
				return first
			})
		}
		return met
	}
	round := reached(from)
	for l, met := range round {
		if _, ok := c.Locs[l].Stmt.(Spawn); ok && met && (Loc(l) == from || reached(Loc(l))[from]) {
			return true
		}
	}
	return false
}

// InSection says by location whether control is within an atomic section before its
// statement: a Begin is not, an End is.
func (c *CFA) InSection() []bool {
	in := make([]bool, len(c.Locs))
	seen := make([]bool, len(c.Locs))
	for _, t := range c.Threads {
		if t.Entry < 0 {
			continue
		}
		c.flow(t.Entry, func(l Loc) bool {
			if seen[l] {
				return false
			}
			seen[l] = true
			after := in[l]
			if s, ok := c.Locs[l].Stmt.(Atomic); ok {
				after = s.Begin
			}
			for _, n := range c.Next(l) {
				in[n] = in[n] || after
			}
			return true
		})
	}
	return in
}

// Accesses are the variables that a location reads, each once, and those that it writes.
func (c *CFA) Accesses(l Loc) (read, written []*expr.Expr) {
	switch s := c.Locs[l].Stmt.(type) {
	case Assign:
		terms := reads(s, nil)
		if s.Memory != nil {
			terms = append(terms, present(s.Memory.Addr, s.Memory.Length)...)
		}
		return expr.Vars(terms...), []*expr.Expr{s.LHS}
	case Call:
		written = slices.Clone(s.Clobbers)
		if s.LHS != nil {
			written = append(written, s.LHS)
		}
		return expr.Vars(s.Reads()...), written
	default:
		return expr.Vars(reads(s, nil)...), nil
	}
}

func present(terms ...*expr.Expr) []*expr.Expr {
	return slices.DeleteFunc(terms, func(t *expr.Expr) bool { return t == nil })
}

// Shared are the variables that two threads access, one of them writing, in the
// order of CFA.Vars. It does not look at whether both may run at once.
func (c *CFA) Shared() []*expr.Expr {
	const none, several = -1, -2
	type use struct{ by, writer int32 }
	uses := map[*expr.Expr]*use{}
	at := func(v *expr.Expr) *use {
		if uses[v] == nil {
			uses[v] = &use{none, none}
		}
		return uses[v]
	}
	join := func(old *int32, t int32) {
		switch *old {
		case none:
			*old = t
		case t:
		default:
			*old = several
		}
	}
	for l, t := range c.ThreadOf() {
		read, written := c.Accesses(Loc(l))
		for _, v := range read {
			join(&at(v).by, t)
		}
		for _, v := range written {
			join(&at(v).by, t)
			join(&at(v).writer, t)
		}
	}
	var shared []*expr.Expr
	for _, v := range c.Vars {
		if u := uses[v.Expr]; u != nil && u.by == several && u.writer != none {
			shared = append(shared, v.Expr)
		}
	}
	return shared
}

// NotSequential is why an automaton with threads is refused by what knows none; nil for
// one without.
func (c *CFA) NotSequential() error {
	if len(c.Threads) == 0 {
		return nil
	}
	if len(c.Threads) == 1 {
		return Unsupported(c.Locs[c.Entry].Pos, "creation of a thread in "+c.Name, "this way of checking looks at one thread")
	}
	t := c.Threads[1]
	return Unsupported(t.Site, "creation of a thread ("+t.Proc+")", "this way of checking looks at one thread")
}
