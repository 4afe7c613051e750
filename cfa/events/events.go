package events

import (
	"magus/cfa"
	"magus/cfa/events/order"
	"magus/smt/expr"
)

// An Event is an access to a shared cell.
type Event struct {
	Thread int
	Node   order.Node
	Cell   int // index into Program.Cells
	Write  bool
	Guard  *Guard     // it happens
	Value  *expr.Expr // written; of a read a variable of its own
}

// An Edge says that one node comes before another, in executions in which When holds; nil: always.
type Edge struct {
	From, To order.Node
	When     *Guard
}

// A Target is a place where a run may arrive: an error, or the end of what is unrolled.
type Target struct {
	Guard *Guard
	Step  int        // index into Program.Steps
	Node  order.Node // of the section that it is in; -1 if there is none, or without accesses
	Cut   Cut        // of an outcome that is none of the program
}

// A Cut says what is left out of an unrolling.
type Cut struct {
	Kind CutKind
	Head cfa.Loc // of a loop; else the place
}

// A Race is a state in which two threads come to conflicting accesses next: Target says when that is so, and which
// access is made first; that is a section if one of them is.
type Race struct {
	Target
	Cell  int // index into Program.Cells
	Other int // the step of the other access
	// Start and OtherStart are the first steps of these, where they are sections.
	Start, OtherStart int
	// Doubtful says that one of them stands for what is not modelled.
	Doubtful bool
}

// A Blocked says where a thread waits for ever: Step is the first that it does not execute, and When the
// condition.
type Blocked struct {
	Thread, Step int
	When         *expr.Expr
}

// A CutKind says why something is left out.
type CutKind uint8

// The kinds of cuts.
const (
	NoCut     CutKind = iota
	LoopCut           // a loop goes on
	ThreadCut         // more threads are created
	OtherCut          // a recursive call, or what is not modelled
	MemoryCut         // an access to memory that is not modelled, where races are looked for
)

// A Step is one statement of one thread with what leads to it. The steps of a thread are in an
// order of execution: those whose guards hold are its run.
type Step struct {
	Thread int
	Loc    cfa.Loc
	Guard  *Guard
	Node   order.Node // with which its accesses happen; -1 without
	// Choices are the values that nothing computes, as variables, by what they are given to.
	Choice *expr.Expr
	// Exact is when the choice is what the program computes, of one that is not modelled; or nil.
	Exact *expr.Expr
}

// Before is the place of what was written while there was one thread, and of what accesses nothing.
const Before cfa.Loc = -1

// A Program is a set of executions as events: what two threads may do to each other, with the
// conditions under which it happens.
//
// Invariant: nodes of one thread are numbered in an order in which it executes them.
type Program struct {
	Pool   *expr.Pool
	Cells  []*expr.Expr // the shared ones
	Nodes  int
	Thread []int     // by node
	Locs   []cfa.Loc // by node: where its accesses are, or where their section begins
	Model  cfa.MemoryModel
	kinds  []kind // by node
	Events []Event
	Edges  []Edge
	// Holds are conditions that every execution has, besides those of links.
	Holds  []*expr.Expr
	Errors []Target
	Cuts   []Target
	// Races are pairs of accesses that may come next in their threads at the same time, if Bounds.Races asks for them.
	Races []Race
	// Deadlocks are the ways in which a thread may stand for ever, if Bounds.Deadlocks asks for them;
	// Stuck is the condition that one does, and all others too, or have ended.
	Deadlocks []Blocked
	Stuck     *expr.Expr
	Steps     []Step
	// Threads are by number the indices of their steps; none if the thread is never created.
	Threads [][]int
}

// node is a new node of a thread, behind all that it has.
func (p *Program) node(thread int, at cfa.Loc) order.Node {
	p.Thread, p.Locs, p.kinds = append(p.Thread, thread), append(p.Locs, at), append(p.kinds, kind{})
	p.Nodes++
	return order.Node(p.Nodes - 1)
}
