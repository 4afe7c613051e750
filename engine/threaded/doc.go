// Package threaded represents the check of a program with threads as a session like that of the
// two-level loop: steps, events, an outcome.
//
// [New] lowers the claim with threads. If control can create any, the session searches them (package
// threads); else there is none, and the claim is one for the loop.
//
//	s, err := threaded.New(ctx, claim, options)
//	if s != nil {
//		for {
//			event := s.Step(ctx) // a Searched event, and cegar.Ended at last
//		}
//	}
//
// A session is a portfolio: the search (search.go), one that slices, random runs (runs.go), and pairs of a
// sequentialisation and a prover (sequentialisation.go). Whose share is next stands in schedule.go. One of them alone is
// what Options.ThreadMethod asks for.
//
// Recursion is followed deeper, and more threads of one call are told apart, where an execution comes to the
// end of what is. An error is believed after the interpreter has replayed its schedule.
//
// Proofs for loops without a bound are looked for by automata of one thread, large arrays by the range of their
// elements (ranges.go).
//
// Left out: specifications about threads, and components side by side that create some.
package threaded
