// Package events gives the executions of a program with threads, up to bounds for its loops, as events: reads
// and writes of shared variables with guards and values.
//
// [Unroll] makes a [Program] of an automaton with threads; [Encode] makes of it a formula that says which
// write each read may see, and the facts that package cfa/events/order needs to tell whether there is an
// order.
//
//	p, err := events.Unroll(ctx, automaton, events.Bounds{All: 2})
//	enc, err := events.Encode(ctx, p, solver, nil)
//	enc.Links // which reads may see which writes, and the condition that they do
//
// SOUNDNESS: each execution of the automaton that stays within the bounds is one of the program, and each
// that does not has one of Program.Cuts. Values that the automaton leaves open are any; memory without
// variables is any as well, so that an error found has to be replayed.
package events
