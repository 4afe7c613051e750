package cfa

import (
	"fmt"
	"slices"

	"magus/smt/expr"
)

// A Pos is a place in a source file; Line and Col count from 1.
type Pos struct {
	File      string
	Line, Col int
}

// String is file:line:col.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// A Loc is a control location, an index into [CFA.Locs].
type Loc int32

// A Stmt is the statement that labels a location. The set is closed: Assign,
// Branch, Goto, Call, Act, Return, Halt (the paper's section 5: assignment, branch,
// goto, call-site, return; Act is a call-site of an intrinsic, Halt the end
// of a component that does not return), and Spawn, Join, Atomic, End of automata with
// threads (thread.go).
type Stmt interface {
	stmt()
	String() string
}

type (
	// Assign gives LHS the value of RHS, or any value where RHS is nil. One
	// successor.
	Assign struct {
		LHS *expr.Expr // a variable
		RHS *expr.Expr // of LHS's type; nil: any value
		// Nondet names the source of any value: "__VERIFIER_nondet_int",
		// "uninitialised", the name of an unknown function, …
		Nondet string
		// Approx says why the true value is not modelled ("floating point").
		// A violation that depends on such a value is not believed.
		Approx string
		// Keeps says that the true value may also be the one before: of a routine
		// without a body that may reach the variable, and may leave it alone.
		Keeps bool
		// Body is the routine that gives the value, if it has a body that is not looked at
		// here: what the true value is can be found out by inlining it. Approx says so.
		Body string
		// Memory is what the assignment does to memory without variables, or nil.
		Memory *Access
		// Exact is what one run knows of the true value, or nil.
		Exact *Exact
	}
	// Branch goes to Succ[0] if Cond holds, to Succ[1] if not.
	Branch struct {
		Cond *expr.Expr
		// Known says that the condition is what is known of a value that is not modelled: it goes the same
		// way for the true value, so that a run does not rest on the one that it has.
		Known bool
	}
	// Goto goes to its one successor and does nothing.
	Goto struct{}
	// Call is a call-site of a routine given by a procedure abstraction. One
	// successor.
	Call struct {
		Callee string
		Args   []*expr.Expr // the arguments, converted to the declared parameter types
		LHS    *expr.Expr   // a variable that takes the result, or nil
		Ret    expr.Type    // the declared result type; Bool stands for void
		// Clobbers are the variables that the call may change besides LHS:
		// each gets any value.
		Clobbers []*expr.Expr
		// Named are the values, at the call, of what the abstraction names besides the arguments.
		Named []Named
		// Framed says that the abstraction tells what the call writes, and statements behind it do: nothing else
		// does it write.
		Framed bool
	}
	// Act performs a visible action. One successor.
	Act struct {
		Action string
		Reason string // of a skip: the cycle of calls
		// Message is what the action carries; nil for nothing.
		Message *Message
	}
	// Return ends the component with a value, or without one if Value is nil.
	// No successor.
	Return struct{ Value *expr.Expr }
	// Halt ends the component without a return: exit, abort, an assumption
	// that does not hold. No successor.
	Halt struct {
		Reason string
		// Ends says that all threads end here; otherwise only this one goes no further.
		Ends bool
		// Waits says that the component waits here for ever, for what is no action: a semaphore, a mutex.
		Waits bool
	}
)

func (Assign) stmt() {}
func (Branch) stmt() {}
func (Goto) stmt()   {}
func (Call) stmt()   {}
func (Act) stmt()    {}
func (Return) stmt() {}
func (Halt) stmt()   {}

// A Named is the value of an expression of a specification at a call: of "&d->m1", "$1->state", "limit".
type Named struct {
	Path  string
	Value *expr.Expr // nil where there is none
	Why   string     // then
}

// Reads are the terms that a call reads: its arguments, and what its abstraction names.
func (s Call) Reads() []*expr.Expr {
	all := slices.Clone(s.Args)
	for _, n := range s.Named {
		if n.Value != nil {
			all = append(all, n.Value)
		}
	}
	return all
}

// A Location is a control point with its statement.
type Location struct {
	Stmt  Stmt
	Succ  []Loc
	Pos   Pos
	Frame int // index into CFA.Frames: the procedure instance it belongs to
	// Decides says of the successors of a branch what they make of the condition of
	// the source's statement, which may take several branches.
	Decides [2]Decision
}

// A Decision is what the condition of a statement turns out to be.
type Decision uint8

// The decisions. Undecided is the zero value: another branch decides, or there is no
// statement with a condition.
const (
	Undecided Decision = iota
	HoldsThere
	FailsThere
)

// A Frame is one inlined instance of a procedure. Frame 0 is the component's
// own procedure.
type Frame struct {
	Proc   string
	Parent int // the calling frame; -1 for frame 0
	Call   Pos // the call
}

// An Exact says of any value that stands for one that is not modelled when it is one
// that the program computes: where When holds before, it is that of Value, or any if
// there is none. Abstractions need not look at it.
type Exact struct{ When, Value *expr.Expr }

// A VarKind says where a variable comes from.
type VarKind int

// The kinds of variables.
const (
	Global VarKind = iota
	Param
	Local
	Temp // made by the lowering; not in the source
)

// A Var describes a variable of the component.
type Var struct {
	Expr  *expr.Expr
	Name  string // in the source
	Kind  VarKind
	Frame int // the instance it belongs to; -1 for globals
	// Proc is the procedure of a static local, which is a global of that
	// scope; else empty.
	Proc string
	Pos  Pos // its declaration
}

// A Performed is what a body performs: an action, or a call of a routine that has an
// abstraction only, with its place.
type Performed struct {
	Action, Routine string
	Pos             Pos
}

// An Unset names globals that a procedure would have set, had it been called.
type Unset struct {
	Setter  string
	Pos     Pos // of the setter
	Globals []string
}

// A Refused is a location at which the component ends since what stands there is not
// modelled.
type Refused struct {
	At  Loc
	Why *UnsupportedError
}

// A CFA is the control-flow automaton of one component: one procedure with
// everything it calls inlined. It is immutable once built.
type CFA struct {
	Name   string // of the component's procedure
	Pool   *expr.Pool
	Locs   []Location
	Entry  Loc
	Params []*expr.Expr // the procedure's own parameters
	// Called are what some of these were when the procedure was called, by their numbers from 0; nil for the others.
	Called []*expr.Expr
	Ret    expr.Type // the result type; Bool stands for void
	// Vars are the variables; of those of one instance and name, outer
	// declarations come before inner ones. At entry each has any value.
	Vars   []Var
	Frames []Frame
	// Actions are what the text performs by intrinsics other than errors, and
	// Routines what it calls that has an abstraction, whether control comes
	// there or not.
	Actions, Routines []string
	// Cut is the action with which the component ends at recursive calls that are not
	// followed, and at what is not modelled: the automaton has all runs of the program
	// but those. "" if there are none.
	Cut string
	// Skip is the action that the component performs where a recursive call is not followed
	// that does nothing but compute: it goes on with any value as the result. So the automaton
	// has more runs there than the program. "" if there are none.
	Skip string
	// Silent says that nothing in the whole program performs an action or an error, so
	// that what is cut off does not either.
	Silent bool
	// Refused are the locations of Cut that are not modelled.
	Refused []Refused
	// Bodies are what the bodies of called routines perform, where they have one
	// besides their abstraction.
	Bodies map[string][]Performed
	// PointsTo says what the pointers among Vars may point to, if
	// it was asked for.
	PointsTo []Pointer
	// Warnings are assumptions made and things not modelled, each with its
	// place, in source order.
	Warnings []Warning
	// Errors says that the text calls an error function or has an error label,
	// whether control comes there or not.
	Errors bool
	// Bodied are the procedures whose bodies stand once, if there are any: see [Modelling.SharedBodies].
	Bodied []Body
	// Unset are globals that start as C initialises them, by the procedures that
	// set them and are no part of the automaton.
	Unset []Unset
	// Joint says what was put together to make the automaton; nil for one component.
	Joint *Joint
	// MissingLabels are the error labels asked for that the procedure and what
	// it calls do not have.
	MissingLabels []string
	// Unrecorded is where memory without variables may get any value though no Access says so: what a
	// routine without a body may reach, and what some statement gives any value. A violation may rest on
	// what was there before; a proof must not.
	Unrecorded []Area
	// Renames says that no address becomes a number and no use of an invalid pointer is an error, so that objects without
	// variables may have other addresses. It is told of automata for proofs only.
	Renames bool
	// AllocatesBeyond says that it may allocate more objects than are told apart, of which it is asked whether they are
	// lost or used once they are freed.
	AllocatesBeyond bool
	// Objects are the pieces of memory with an address, by address.
	Objects []Object
	// Threads are the threads, the main one first, with their copies (thread.go); none
	// in a sequential automaton.
	Threads []Thread
	// Sight is what lowering saw of the sources, where the automaton ends up to be
	// only a part of it.
	Sight Sight
}
