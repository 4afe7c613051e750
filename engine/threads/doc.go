// Package threads decides whether a program with POSIX threads can come to an error, under sequential
// consistency, TSO or PSO.
//
// A [Search] unrolls the automaton of the program to events (package cfa/events): accesses to shared
// variables with the conditions under which they happen. A formula says which write each read may see. Whether
// the accesses have one order is decided beside it (package cfa/events/order), by one of three deciders: a theory
// in the SAT solver (theory.go), clauses that models ask for (refine.go), or clocks in the formula (full.go),
// which are the oracle. Slicing (slice.go) and likely links (underapproximation.go) go around any of them.
//
//	s := threads.New(automaton, threads.Options{})
//	for {
//		e, err := s.Step(ctx)   // Unrolled, NoError, Deeper, …
//		if out, done := s.Done(); done {
//			fmt.Println(out.Answer)
//		}
//	}
//
// SOUNDNESS: the answer is Safe only if no execution is cut. An error is a [Schedule], which the caller
// replays before it believes it.
//
// Source: Yin, Dong, Liu, Wang, "Scheduling Constraint Based Abstraction Refinement for Multi-Threaded
// Program Verification" (2017).
//
// Data races and deadlocks are looked for in the same way ([Options].Goal): package events has the
// conditions.
//
// Under weaker memory models ([Options].Model) other threads see a write later than it is made.
//
// Proofs about loops without a bound, and about any number of threads, are by sequentialisation
// (package cfa/sequential), not here.
//
// Left out: the memory models of C11 and of hardware weaker than PSO.
package threads
