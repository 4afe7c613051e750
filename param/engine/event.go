package engine

import (
	"fmt"

	"magus/engine/portfolio"
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
	// Methods are what each method was given and what came of it, in the order in which they work.
	Methods []portfolio.Row
}

// String is the answer.
func (r *Result) String() string { return r.Answer.String() }

// An Iteration is a backward search that ended, and what was learnt from its counterexample.
type Iteration struct {
	Sets, Kept int           // computed, and left at the end
	Path       []int         // rules of the counterexample; none in the last iteration of a proof
	Cubes      []param.Cube  // before each step of the counterexample, and at its end
	Step       int           // the step that cannot be taken, counting from 0
	Zones      []linear.Atom // the safety zones that were added
}

// What a method has done with a share, if it goes on.
type (
	// Searched is how far a search is.
	Searched struct {
		Iteration int // from 1; 0 if the method has none
		Sets      int // computed so far in this iteration
		Waiting   int
	}
	// Refined is the end of an iteration with a counterexample that no run follows.
	Refined struct {
		Iteration Iteration
		names     func(int) string
	}
)

func (e Searched) String() string {
	if e.Iteration > 0 {
		return fmt.Sprintf("iteration %d, %d sets, %d wait", e.Iteration, e.Sets, e.Waiting)
	}
	return fmt.Sprintf("%d, %d wait", e.Sets, e.Waiting)
}

func (e Refined) String() string {
	text := fmt.Sprintf("counterexample of %d steps; step %d cannot be taken",
		len(e.Iteration.Path), e.Iteration.Step+1)
	for _, z := range e.Iteration.Zones {
		text += "; zone " + z.Format(e.names)
	}
	return text
}
