package certificate

import (
	"fmt"

	"magus/cfa"
	"magus/component"
	"magus/lts/cert"
	"magus/smt/expr"
	"magus/smt/solver"
)

// A Document is what a check leaves behind: what was asked, and a certificate
// for each claim.
type Document struct {
	Question     []Fact
	Certificates []*Certificate

	line int
}

// A Fact is a part of the question that a certificate answers: a file with the
// digest of its content, or a setting that gives the program its meaning. Names
// are different.
type Fact struct {
	Name, Value string

	line int
}

// Answers returns a *RefutedError with the first fact that was another one when
// the document was written than the question at hand has it.
func (d *Document) Answers(question []Fact) error {
	asked := map[string]string{}
	for _, f := range question {
		asked[f.Name] = f.Value
	}
	for _, f := range d.Question {
		switch now, ok := asked[f.Name]; {
		case !ok:
			return refuted(f.line, "it answers another question: %s was %s, of which nothing is said now", f.Name, f.Value)
		case now != f.Value:
			return refuted(f.line, "it answers another question: %s was %s, now it is %s", f.Name, f.Value, now)
		}
		delete(asked, f.Name)
	}
	for _, f := range question {
		if _, left := asked[f.Name]; left {
			return refuted(d.line, "it answers another question: nothing was said of %s, now it is %s", f.Name, f.Value)
		}
	}
	return nil
}

// A Certificate shows the verdict of one claim.
type Certificate struct {
	Claim   string
	Verdict string // "conforms" or "violates"; "unknown" certifies nothing
	// Parts show in place of all below what the claim is made of, each a claim of its own; see [Certificate.InParts].
	Parts []*Certificate
	// Recursion is the depth to which recursion is followed.
	Recursion int
	// Inlined are routines that are not called by their abstractions.
	Inlined []string
	// Cells says how the indices of elements are chosen in the automaton that this is about, in which one
	// arbitrary element of each array is a variable; "" if it is about the program's own.
	Cells string
	// Once says that the bodies of procedures stand once, see [cfa.Body], and calls are not inlined.
	Once bool
	// Components are the abstractions with which the claim was proved.
	Components []Component
	// Containment certifies that the composition of the components' models is
	// contained in the specification.
	Containment *cert.Certificate
	// Deadlock says that the models are those of a claim about deadlocks: whoever checks it looks at the tuples of their
	// states.
	Deadlock bool
	// Told says, of any number of copies, how many are told apart at each state of each model, so that there is
	// no deadlock.
	Told [][]int
	// Simulation certifies in place of containment that the specification can follow each step of the models.
	Simulation *Simulation
	// Sets certify the same where components run in several copies.
	Sets *Sets
	// Unrolled shows in place of all these that the runs of the only component end.
	Unrolled *Unrolled
	// Executed shows the same where there is one run only.
	Executed *Executed
	// Induction shows by induction, with the terms of the only component, that its runs stay
	// within the specification.
	Induction *Induction
	// Contracts show the same, procedure by procedure, with the terms of the only component.
	Contracts *Contracts
	// Ranking shows, with the induction, that all its runs end.
	Ranking *Ranking
	// Ends are the ranks with which what is not observed ends, where it is shown that nothing diverges.
	Ends []Lessening
	// Live shows, with the components, what happens at last.
	Live *Liveness
	// Threads says of a program with threads how it is modelled, and shows what components do not.
	Threads *Threads
	// Runs are the components' parts of a violation, or those of their copies, and
	// Trace its visible actions in order. By says of each action which runs take
	// part, where components run in several copies.
	Runs  []Run
	Trace []string
	By    [][]int
	// Order says, where the claim speaks of variables, which run makes its next move, one after the other; of an action,
	// one of those that take part.
	Order []int
	// Branches are those of a tree, each with as many of the runs as there are copies; nil of others. Round says
	// where what goes on for ever begins; nil of others.
	Branches []Branch
	Round    *Lasso

	line, containmentLine, traceLine int
}

// A Component is the abstraction of one component.
type Component struct {
	Name string
	// Terms are the predicates and what they are made of, operands first.
	Terms []Term
	// Atoms are the predicates, as indices of terms.
	Atoms []int
	// Blocks is the number of blocks of level two, 0 if it is off: then the
	// component's model is its abstract states themselves.
	Blocks int
	// Through are control points without states: a step may lead through them.
	Through []Node
	// States are the reachable abstract states, the initial one first.
	States []State

	line, atomsLine int
}

// A Term is an operator with its type and the indices of its operands, which
// come before it. Name is a variable's, Value a constant's.
type Term struct {
	Op    expr.Op
	Type  expr.Type
	Args  []int
	Name  string
	Value uint64

	line int
}

// A State is an abstract state.
type State struct {
	At    Node
	Holds string // by atom: 1 holds, 0 does not hold, - not said
	Block int    // -1 if it is in none: only τ leads to it
	Edges []Edge

	line int
}

// An Edge is an abstract transition; Action is empty for τ.
type Edge struct {
	Action string
	To     int
}

// A Node is a control point: the start and the end of a component, a location
// of its automaton, or a state of the abstraction of a routine that it calls.
type Node struct {
	Kind          NodeKind
	Loc           int // a location
	Choice, State int // of a routine's abstractions, and its state
}

// A NodeKind says what a control point is.
type NodeKind int

// The kinds of control points.
const (
	Start NodeKind = iota
	Location
	Inside // a routine called at Loc
	End
)

// String is "start", "L5", "L5/0.2" or "end".
func (n Node) String() string {
	switch n.Kind {
	case Start:
		return "start"
	case Location:
		return fmt.Sprintf("L%d", n.Loc)
	case Inside:
		return fmt.Sprintf("L%d/%d.%d", n.Loc, n.Choice, n.State)
	}
	return "end"
}

// A Run is what one component does in a violation.
type Run struct {
	Name  string
	Init  []Value // initial values that are not 0, in the variables' order
	Moves []Move

	line, initLine int
}

// A Move goes to a control point with an action, empty for τ, after which the variables that it
// changes have the given values. Or it is many rounds of a loop from a control point back to it: the
// moves of one, which set what they choose, and how many.
type Move struct {
	To     Node
	Action string
	Set    []Value
	Round  []Move
	Times  uint64
	// Seen is the variable of which others see a write now that a thread has made before, under a
	// weaker memory model; "" of statements, which have all else.
	Seen string

	line int
}

// A Value is a variable's bit pattern.
type Value struct {
	Var  string
	Bits uint64
}

// A Subject is what a certificate is checked against: the system that the claim
// is about.
type Subject struct {
	*component.System
	// Claim says what is asked of whole runs; nil for other claims.
	Claim   *component.Claim
	Solvers []solver.Solver // one for the terms of each component
	// Inlined are for each component automata in which bodies stand of routines
	// that it calls by their abstractions. What they assign, the calls must change.
	Inlined [][]*cfa.CFA
}

// A RefutedError says why a certificate does not show what it claims.
type RefutedError struct {
	Line   int // of its file; 0 if it was not read from one
	Reason string
}

func (e *RefutedError) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

func refuted(line int, format string, args ...any) error {
	return &RefutedError{line, fmt.Sprintf(format, args...)}
}
