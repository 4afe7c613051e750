// Package harness writes a C program that replays a violation.
//
// [Write] takes what the violation's run was given from outside
// ([witness.Inputs]) and the sources, and makes one file of them: the program's
// own text, and around it functions that give it the same values in the same
// order and compare what it does with the counterexample. It is compiled by
// itself, or together with the program's files: whatever the program defines
// has another name in it, and it runs before main. Its exit status:
//
//	1  the program performed the actions of the counterexample
//	2  it did something else
//	3  it did something else, as it was to be expected: the comment at the
//	   beginning says which value cannot be given to compiled code
//
// The text of the program is changed in few places, each of which is listed in
// that comment: a variable that is not initialised gets the value that it has
// in the run, a function that the specification describes does that instead
// of what its body says, an error label is reported.
//
// SOUNDNESS: status 1 is evidence that does not rest on magus. The compiled
// program performed the actions; a value that was not needed, or could not be
// given, does not matter then.
//
// Components share no memory. Each of them does its part of the run in a
// process of its own, in the order of the counterexample; that they can do
// their parts together follows from that and from who takes part in which
// action.
//
// Where a run ends because all stand still, each of them goes on behind its part until it comes to where it
// does: it asks for an action that it waits for, or for a routine in which it waits, has ended, or has not gone on for
// two seconds where it waits for ever. What it does instead is something else.
//
// In a deadlock the processes run at once (together.go): who comes to an action waits until all that take
// part in it have come, and the process that began them looks whether all stand still and none of what they
// wait for is offered by all. They are processes and not threads, for each component, and each copy of one,
// has its own variables of file scope, and so has the library in it. Of a refusal they run one after the
// other: there, somebody may go on.
//
// Threads are made to access shared memory, and to perform actions, in the order of the run (threads.go).
//
// Left out: what is not GNU C on a POSIX system. Types or macros of different
// units that have one name and are not the same clash, for the file is one
// unit.
package harness
