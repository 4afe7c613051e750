// Package threaded represents the check of a program with threads as a session like that of the
// two-level loop: steps, events, an outcome.
//
// [New] lowers the claim with threads. If control can create any, there is a session; else the claim is one
// for the loop.
//
//	s, err := threaded.New(ctx, claim, options)
//	if s != nil {
//		for {
//			event := s.Step(ctx) // a Searched event, and cegar.Ended at last
//		}
//	}
//
// A session is a portfolio of methods: the search of package threads (search.go), one that slices, random
// runs (runs.go), and pairs of a sequentialisation and a prover (sequentialisation.go). methods.go says which
// methods fit a question, schedule.go whose share is next, preemption.go when a step of the search waits for
// the others.
//
// Where an execution comes to the end of what is modelled, more is: recursion is followed deeper, more threads
// of one call are told apart (question.go). An error is believed after the interpreter has replayed its
// schedule (replay.go).
//
// Sequentialisations give proofs about loops without a bound; the ranges of their elements give proofs about
// large arrays (ranges.go). Certificates are written and checked in certify.go, and inputs.go makes a
// schedule for the compiled program.
//
// Left out: specifications about threads, and components side by side that create some.
package threaded
