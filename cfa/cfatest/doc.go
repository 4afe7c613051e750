// Package cfatest writes random C programs with memory: structures, unions,
// bit-fields, arrays, pointers to all of these, allocated memory and function
// pointers. Tests compare what the automaton of such a program does with what
// the program does that a compiler makes of it.
//
//	text, entry := cfatest.Program(0, seed, 8)
//
// The text needs [Prelude] in front, and [Nondet] unless what it declares is a
// macro. What such a program does is defined, given
// two's complement that wraps around, and no aliasing by type: pointers are
// NULL, which is tested for, or lead to objects that live at least as long;
// nothing is read that has not been written; subscripts are within bounds;
// calls stand alone, so that no order is open.
//
// What a program observes it tells by calls of out(long long). Pointers are
// compared and subtracted, but their values are not told.
//
// [Recursive] writes programs whose functions call each other and themselves, [Numbers]
// those that only compute, [Variadic] those that pass variable arguments.
// [NewAgain] writes those in which addresses, or handles of threads, come again, with all that they may compute.
// [Faulty] writes programs that have at most one memory error instead, which
// the sanitizers of GCC report.
//
// [Threads] writes programs with threads, [Synchronised] such with all means to synchronise, and
// [Litmus] litmus tests of memory models: whole texts that need nothing in front.
//
// Left out: what the generator of the interpreter's own tests covers
// (conversions, all operators, jumps).
package cfatest
