// Package magus decides whether a C program built from sequential components,
// which run side by side and talk by blocking message passing, conforms to a
// specification given as a labelled transition system.
//
// It is the two-level counterexample-guided abstraction refinement of
//
//	Chaki, Clarke, Groce, Ouaknine, Strichman, Yorav: Efficient Verification
//	of Sequential and Concurrent C Programs, FMSD 25 (2004), figure 1.
//
// A [Project] holds the parsed sources. Its [Claim]s are what can be checked:
// a procedure against one of its abstractions, a program against one of its
// specifications, or the built-in property that `error` never happens. A
// [Session] works on one claim; [Session.Step] performs exactly one phase of
// the loop and returns an [Event] that says what happened; [Session.Run] is a
// for-loop around it. The end is an [Outcome]: conforms, violates, or unknown
// with a reason.
//
//	project, err := magus.Load(ctx, magus.Input{C: …, Specs: …})
//	claims, err := project.Claims(magus.Selection{})
//	session, err := magus.NewSession(ctx, claims[0], magus.Options{})
//	outcome := session.Run(ctx, func(e magus.Event) { fmt.Println(e) })
//
// SOUND: a claim conforms only if the composition of the abstractions, each of
// which has all traces of its component, is contained in the specification. A
// violation is reported only after the concrete interpreter has replayed it.
// What the answer relies on beyond that is in [Outcome.Assumptions].
//
// The package does no I/O and reads no clock; budgets of time are the
// context's.
package magus
