// Package skeleton proposes a specification for C that has none: a start for somebody to go on
// from.
//
//	s := skeleton.Of(program)
//	s.Text("lock.c", "lock.spec") // the text of lock.spec
//
// The events are the functions that the program calls and neither defines nor has from the C
// library, and the actions that it performs by name. Each function that nothing in the program
// calls is claimed to do no more than any of the events that it leads to, in any order: that
// holds of every program, so that the first check says conforms, and what is forbidden is taken
// out by hand.
//
// Left out: guards on arguments, what procedures write, programs of several components. Which
// orders the program keeps is not found out.
package skeleton
