package magus

import (
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/evidence/verdict"
	"magus/specs"
)

// What a check answers.
type (
	// An Outcome is a verdict with its evidence and its price.
	Outcome = verdict.Outcome
	// A Verdict is the answer to a claim.
	Verdict = verdict.Verdict
	// A Reason says why a verdict is unknown.
	Reason = verdict.Reason
	// A Kind says of what kind a Reason is.
	Kind = verdict.Kind
	// A Run is a violation that the interpreter has replayed.
	Run = verdict.Run
)

// The verdicts.
const (
	Unknown  = verdict.Unknown
	Conforms = verdict.Conforms
	Violates = verdict.Violates
)

// The kinds of reasons; the empty one is of a verdict that is not unknown.
const (
	Unsupported  = verdict.Unsupported  // the sources use something that is not modelled
	NotModelled  = verdict.NotModelled  // a counterexample depends on a value that is not modelled
	SharedError  = verdict.SharedError  // components wait for each other's error
	Recursion    = verdict.Recursion    // goes deeper than is followed
	Depth        = verdict.Depth        // runs were searched to a depth that was asked for
	NoProgress   = verdict.NoProgress   // what was refuted came back
	NoPredicates = verdict.NoPredicates // none were found that exclude a spurious path
	NoProof      = verdict.NoProof      // the method that was asked for finds none
	Time         = verdict.Time         // the budget of time is used up
	Memory       = verdict.Memory       // the budget of memory is used up
	States       = verdict.States       // the budget of states is used up
	Iterations   = verdict.Iterations   // the budget of iterations is used up
	Interrupted  = verdict.Interrupted  // somebody has stopped the check
	Solver       = verdict.Solver       // the decision procedure gives no answer
	Vacuous      = verdict.Vacuous      // a proof is refused, since there are doubts what it is about
	Refused      = verdict.Refused      // what was found does not stand its check
	Fault        = verdict.Fault        // of this tool
)

// Undecided is the reason of an unknown verdict that an error stands for: the
// sources use what is not modelled, or ctx ended. ok is false if the error is a
// mistake in the input or a fault.
func Undecided(ctx context.Context, err error) (why Reason, ok bool) {
	if why, ok := verdict.Of(err); ok {
		return why, true
	}
	var inSpec specs.ErrorList
	switch {
	case errors.As(err, &inSpec) && !slices.ContainsFunc(inSpec, func(e *specs.Error) bool { return !e.NotModelled }):
		return Reason{Kind: verdict.Unsupported, Text: inSpec[0].Message, Place: cfa.Pos(inSpec[0].Pos)}, true
	case ctx.Err() != nil:
		return verdict.Stopped(ctx), true
	}
	return Reason{}, false
}
