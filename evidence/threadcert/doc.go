// Package threadcert represents proofs that no execution of a program with threads comes to an error, a data race or
// a deadlock, and checks them without the search that found them (package threads).
//
// A [Proof] says how often loops are unrolled, and has lemmas: facts about which accesses happen and which write a
// read sees that cannot hold together, for no order of the accesses has them all.
//
//	err := proof.Check(ctx, cert.Subject{CFA: automaton, Solver: s}) // nil: it is one
//
// [Proof.Check] unrolls the program once more, shows that each lemma is right, and asks the decision
// procedure whether some execution that respects the lemmas comes to what is looked for, or goes on
// behind the bounds. There must be none.
//
// What the checker shares with the search is what states the question: the automaton and its executions as events
// (package cfa/events, [events.Unroll]). Which writes a read may see, and what follows for the order, it finds
// out by itself.
//
// Left out: memory models other than sequential consistency.
package threadcert
