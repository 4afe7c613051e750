// Package threads decides whether a program with POSIX threads can come to an error, under sequential
// consistency, TSO or PSO.
//
// A [Search] unrolls the automaton of the program to events (package cfa/events): accesses to shared
// variables with the conditions under which they happen. A formula says which write each read may see; that
// the accesses have one order is decided beside it (package cfa/events/order), in one of three ways: by a theory
// in the SAT solver, by clauses that models ask for, or by clocks in the formula, which is the oracle.
//
//	s := threads.New(automaton, threads.Options{})
//	for {
//		e, err := s.Step(ctx)   // Unrolled, NoError, Deeper, …
//		if out, done := s.Done(); done {
//			fmt.Println(out.Answer)
//		}
//	}
//
// SOUNDNESS: Safe is said only if no execution is cut. An error is a [Schedule], which the caller has
// replayed before it believes it.
//
// Source: Yin, Dong, Liu, Wang, "Scheduling Constraint Based Abstraction Refinement for Multi-Threaded
// Program Verification" (2017).
//
// Data races and deadlocks are looked for in the same way ([Options].Goal): events has the conditions.
//
// Under weaker memory models ([Options].Model) others see a write later than it is made.
//
// Loops that have no bound, and threads of which any number is created, have proofs by automata of
// one thread, which are made here for other engines: [Product], [Modular] and [Counted].
//
// Left out: the memory models of C11 and of hardware weaker than PSO.
package threads
