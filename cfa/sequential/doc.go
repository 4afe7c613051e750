// Package sequential makes one automaton of one thread out of an automaton with many: what the engines for one
// thread prove of it holds of the threads.
//
//	product, err := sequential.Product(ctx, automaton)      // interleaves threads that are told apart
//	modular, err := sequential.Modular(ctx, automaton)      // observes one thread of any number
//	counted, err := sequential.CounterAbstraction(ctx, automaton, sequential.Moves)
//	stuck, err := sequential.Standing(ctx, automaton)       // has an error where all threads stand
//	whole, err := sequential.WholeRuns(ctx, automaton)      // says who can go on where
//	ranged, err := sequential.InRanges(automaton, sequential.RangesOf(automaton))
//
// For example, two threads that both add 1 to x have a product in which a variable chooses who makes the next step; its
// locations are the pairs of where the two are.
//
// SOUND: each automaton has all runs of the threads, as far as they perform actions and errors; that of
// Standing, as far as they come to a deadlock. The product has no more; the others have more, so a violation there may
// be none of the program.
//
// The package knows automata only. It leaves out who looks at them, and weaker memory models than sequential
// consistency.
package sequential
