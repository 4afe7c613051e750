package verdict

import (
	"context"
	"errors"
	"fmt"

	"magus/cfa"
)

// A Kind says of what kind the reason of an unknown verdict is.
type Kind string

// The kinds. None is the zero value: no reason, for there is an answer.
const (
	None         Kind = ""
	Unsupported  Kind = "unsupported"   // the sources use something that is not modelled
	NotModelled  Kind = "not-modelled"  // a counterexample depends on a value that is not modelled
	SharedError  Kind = "shared-error"  // components wait for each other's error
	Recursion    Kind = "recursion"     // goes deeper than is followed
	Depth        Kind = "depth"         // runs were searched to a depth that was asked for
	NoProgress   Kind = "no-progress"   // what was refuted came back
	NoPredicates Kind = "no-predicates" // none were found that exclude a spurious path
	NoProof      Kind = "no-proof"      // the method that was asked for finds none
	Time         Kind = "time"          // the budget of time is used up
	Memory       Kind = "memory"        // the budget of memory is used up
	States       Kind = "states"        // the budget of states is used up
	Iterations   Kind = "iterations"    // the budget of iterations is used up
	Interrupted  Kind = "interrupted"   // somebody has stopped the check
	Solver       Kind = "solver"        // the decision procedure gives no answer
	Vacuous      Kind = "vacuous"       // a proof is refused, since there are doubts what it is about
	Refused      Kind = "refused"       // what was found does not stand its check
	Fault        Kind = "fault"         // of this tool
)

// Limit reports whether a check that has such a reason had an answer with more time, memory or steps, perhaps.
func (k Kind) Limit() bool {
	switch k {
	case Time, Memory, States, Iterations, Interrupted:
		return true
	}
	return false
}

// A Reason says why a verdict is unknown.
type Reason struct {
	Kind  Kind
	Text  string  // one line, without the place
	Place cfa.Pos // if there is one
}

// String is the text behind its place.
func (r Reason) String() string {
	if r.Place.IsValid() {
		return fmt.Sprintf("%v: %s", r.Place, r.Text)
	}
	return r.Text
}

// Error makes a reason usable as the cause of a context, and as an error.
func (r *Reason) Error() string { return r.String() }

// Because is an error that carries a reason.
func Because(kind Kind, format string, args ...any) error {
	return &Reason{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// Of is the reason that an error carries, if it carries one.
func Of(err error) (Reason, bool) {
	var r *Reason
	var unsupported *cfa.UnsupportedError
	switch {
	case errors.As(err, &r):
		return *r, true
	case errors.As(err, &unsupported):
		bare := *unsupported
		bare.Pos = cfa.Pos{}
		return Reason{Unsupported, bare.Error(), unsupported.Pos}, true
	}
	return Reason{}, false
}

// Stopped is the reason why ctx ended: that of its cause.
func Stopped(ctx context.Context) Reason {
	cause := context.Cause(ctx)
	if r, ok := Of(cause); ok {
		return r
	}
	kind := Interrupted
	if errors.Is(cause, context.DeadlineExceeded) {
		kind = Time
	}
	return Reason{Kind: kind, Text: cause.Error()}
}
