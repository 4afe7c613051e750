// Package magus decides whether a C program built from sequential components,
// which run side by side and talk by blocking message passing, conforms to a
// specification given as a labelled transition system.
//
// A [Project] holds the parsed sources. Its [Claim]s are what can be checked:
// a procedure against one of its abstractions, a program against one of its
// specifications, or the built-in property that `error` never happens. [Check]
// answers a claim of any kind with an [Outcome]: conforms, violates, or unknown with
// a [Reason]. [NewSession] begins what Check does, to be stepped by hand.
//
//	project, err := magus.Load(ctx, magus.Input{C: …, Specs: …})
//	claims, err := project.Claims(magus.Selection{})
//	outcome, err := magus.Check(ctx, claims[0], magus.Options{}, nil)
//
// The engine behind it is the two-level counterexample-guided abstraction
// refinement of package cegar, or, for programs with threads, the search of package
// threaded.
//
// SOUND: a claim conforms only if the composition of the abstractions, each of
// which has all traces of its component, is contained in the specification. A
// violation is reported only after the concrete interpreter has replayed it.
// What the answer relies on beyond that is in [Outcome.Assumptions].
//
// The package does no I/O and reads no clock; budgets of time are the
// context's.
package magus
