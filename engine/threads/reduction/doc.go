// Package reduction is Lipton reduction: what a thread does while it holds a lock becomes one step of it.
//
// [Merge] gives an automaton in which a region between the acquisition of a lock and its release is one atomic
// section, where no thread can tell the difference. The program
//
//	lock(&m); x = x + 1; y = x; unlock(&m);
//
// whose other threads access x and y with m held has one section then, and not four accesses and two sections.
//
// Locks need not be declared. A lock is a variable that is only ever made non-zero in a section that has found it
// to be 0, and otherwise written by the thread that made it so. The models of mutexes are such variables, and so are
// the locks that programs write with sections of their own.
//
// SOUNDNESS: the errors that runs come to, and the cuts, are those of the automaton given, under sequential
// consistency. Which states runs pass through is not the same: data races and deadlocks are looked for without.
//
// Left out: locks that a thread reads without taking them (attempts), read-write locks, and locks taken in a
// test of what an exchange gave.
package reduction
