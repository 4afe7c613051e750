// Package cegar is the two-level counterexample-guided abstraction refinement
// of
//
//	Chaki, Clarke, Groce, Ouaknine, Strichman, Yorav: Efficient Verification of
//	Sequential and Concurrent C Programs, FMSD 25 (2004), figure 1.
//
// A [Session] works on one claim. The loop is one of the methods among which it shares effort, beside the
// bounded search and the induction (package portfolio; the rule is in rule.go). [Session.Step] performs exactly
// one phase of the loop, or gives another method a share, and returns an [Event] that says what happened;
// [Session.Run] is a for-loop around it. Which phase follows which is one table, in loop.go:
//
//	abstract data → abstract events → verify ─ contained ──────→ refine data, or the end
//	      ↑                ↑            └ counterexample → validate MP ─ spurious → refine events → verify
//	      └── refine data ←─ spurious ─ validate C ←─ genuine ─┘
//	                                        └ every component can take it → the end
//
//	session, err := cegar.NewSession(ctx, claim, cegar.Options{})
//	outcome := session.Run(ctx, func(e cegar.Event) { fmt.Println(e) })
//
// Between two phases people may look at a session ([Session.View]), go back
// ([Session.Snapshot]), and do what a refinement would have done
// ([Session.AddPredicates], [Session.Split], …).
//
// SOUND: a claim conforms only if the composition of the abstractions, each of
// which has all traces of its component, is contained in the specification. A
// violation is reported only after the concrete interpreter has replayed it
// (package witness).
//
// A component may run in several copies, or in any number (composition.go). It has
// one model all the same.
//
// Left out: what a claim is and what its calls mean (package component), the two
// abstractions (predabs, actionref), containment (lts), the choice of predicates
// (minimize). The package does no I/O and reads no clock; budgets of time are the
// context's.
package cegar
