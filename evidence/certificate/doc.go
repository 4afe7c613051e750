// Package certificate represents certificates: verdicts of the two-level loop
// that can be checked without trusting the loop.
//
// A [Certificate] of `conforms` holds for every component the abstraction with
// which the claim was proved: its reachable abstract states, each a control
// point with the truth values of predicates there and the block it belongs to,
// and the transitions between them; and for the composition the antichain that
// shows containment (package lts/cert). One of `violates` holds the components'
// concrete runs. [Certificate.Check] validates it against the claim's [Subject]:
//
//   - what calls write: where the automaton takes a routine by its abstraction, it
//     must let the call change each variable that the routine's body assigns where
//     that stands in the place of the call ([Subject].Inlined);
//   - level one: for every abstract state and every step of the component from
//     there, the decision procedure is asked for a concrete step that leads to
//     none of the states listed; there must be none. So the listed transitions
//     simulate the component, whatever computed them;
//   - level two: the blocks' transitions are made anew from those of the states;
//   - contracts: each path through a procedure is followed once, with what the contracts of those that it calls say
//     (contracts.go), in place of both levels;
//   - the composition of the blocks is contained in the specification, by the
//     antichain;
//   - of what happens at last, the composition of the states beside what a run that violates it still owes
//     (liveness.go), and the ranks with which loops are left;
//   - a run is executed statement by statement, and its trace must not be one
//     of the specification.
//
// What the checker shares with the loop is what states the question: the front
// end (package cfa), the binding of the specification's conditions to terms,
// and the terms with their decision procedure. It has its own steps, its own
// obligations and its own quotient. Its time is linear in the certificate but
// for the decision procedure's.
//
//	d, err := certificate.Read(ctx, file, "out.json")
//	err = d.Answers(question)                   // nil: it is about these files and settings
//	err = d.Certificates[0].Check(ctx, subject) // nil: the verdict is right
//
// The text form is JSON with one record on each line, so that a fault has a
// line: [Write] and [Read].
//
// Left out: certificates of unknown verdicts, for which there is nothing to
// certify, of progress under a condition that fair choice violates, and of the smallness of the sets of predicates.
package certificate
