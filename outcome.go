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
	// A Run is a violation that the interpreter has replayed.
	Run = verdict.Run
)

// The verdicts.
const (
	Unknown  = verdict.Unknown
	Conforms = verdict.Conforms
	Violates = verdict.Violates
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
