package engine

import (
	"fmt"

	"magus/param"
	"magus/param/linear"
)

// Answer is the answer for one property.
type Answer uint8

// The verdicts. Unsafe comes with a run that has been replayed, Safe with a certificate.
const (
	Unknown Answer = iota
	Safe
	Unsafe
)

// String is the verdict in lower case.
func (v Answer) String() string { return [...]string{"unknown", "safe", "unsafe"}[v] }

// A Result is a verdict with its evidence and what it took.
type Result struct {
	Answer     Answer
	Reason     string // why it is unknown
	Method     string // what decided it
	Iterations []Iteration
	Run        *param.Run   // if it is unsafe
	Proof      *param.Proof // if it is safe
	// Sets is how many sets or configurations the method that decided computed, in all its iterations.
	Sets int
}

// An Iteration is a backward search that ended, and what was learnt from its counterexample.
type Iteration struct {
	Sets, Kept int           // computed, and left at the end
	Path       []int         // rules of the counterexample; none in the last iteration of a proof
	Cubes      []param.Cube  // before each step of the counterexample, and at its end
	Step       int           // the step that cannot be taken, counting from 0
	Zones      []linear.Atom // the safety zones that were added
}

// An Event is what a step of a session did.
type Event interface {
	fmt.Stringer
	isEvent()
}

type (
	// Worked is a turn of a method that goes on.
	Worked struct {
		Method    string
		Iteration int // from 1; 0 if the method has none
		Sets      int // computed so far in this iteration
		Waiting   int
	}
	// Refined is the end of an iteration with a counterexample that no run follows.
	Refined struct {
		Method    string
		Iteration Iteration
		names     func(int) string
	}
	// GaveUp is the end of a method that has no answer.
	GaveUp struct{ Method, Reason string }
	// Ended is the end of the session.
	Ended struct{ Result *Result }
)

func (Worked) isEvent()  {}
func (Refined) isEvent() {}
func (GaveUp) isEvent()  {}
func (Ended) isEvent()   {}

func (e Worked) String() string {
	if e.Iteration > 0 {
		return fmt.Sprintf("%s: iteration %d, %d sets, %d wait", e.Method, e.Iteration, e.Sets, e.Waiting)
	}
	return fmt.Sprintf("%s: %d, %d wait", e.Method, e.Sets, e.Waiting)
}

func (e Refined) String() string {
	text := fmt.Sprintf("%s: counterexample of %d steps; step %d cannot be taken", e.Method,
		len(e.Iteration.Path), e.Iteration.Step+1)
	for _, z := range e.Iteration.Zones {
		text += "; zone " + z.Format(e.names)
	}
	return text
}

func (e GaveUp) String() string { return e.Method + " gave up: " + e.Reason }

func (e Ended) String() string { return e.Result.Answer.String() }
