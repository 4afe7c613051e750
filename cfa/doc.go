// Package cfa turns C into control-flow automata, the form in which magus
// verifies components (paper section 5.1).
//
// [Parse] reads translation units into a [Program]: preprocessing, parsing and
// type checking by modernc.org/cc/v4, with ABI tables, predefined macros and a
// dozen standard headers of our own, so that no compiler and no C library need
// be installed. [Program.Lower] makes the automaton of one component: one
// procedure with everything it calls inlined. A [CFA] is a list of locations,
// each with a statement without hidden side effects and its successors:
//
//	int main(void)                   0: i = 0 -> 1
//	{                                1: if (i < n) -> 2 else 4
//		int i = 0;               2: x = lib(i) -> 3
//		while (i < n && !x)      …
//			x = lib(i++);
//
// [CFA.String] prints it so; [CFA.Dot] draws it; [CFA.Check] lists violated
// invariants. Terms are those of package expr: widths and signedness of the
// data model, arithmetic that wraps around, C's conversions written out.
//
// # What a location means
//
//   - Conditions of branches are atoms: && || ! and ?: are control flow where
//     they are conditions, terms where they are values without side effects.
//   - Operands and arguments are evaluated from left to right. Where C leaves
//     the order open, this is one of the orders; the others are not explored.
//   - Any value is an [Assign] without a right side, with where it comes from:
//     the nondeterministic functions of verifiers, an uninitialised variable
//     (each time its declaration is passed, or jumped over), division by
//     zero, a shift by the width or more, a function that nobody defines.
//   - A [Call] stands where a procedure abstraction is given. All other calls
//     are intrinsics, inlined bodies, or unknown: any result, any value in the
//     variables whose address was given to a routine without a body before.
//   - An [Act] named "error" stands for a failing assertion, a call of
//     reach_error or __VERIFIER_error, or an error label that the caller names.
//   - Positions are those of the files as they are: line directives are
//     ignored, but for what a preprocessor wrote, where they are followed.
//   - A _Bool is a number of one bit, an enumeration an int, or an unsigned
//     int if no constant of it is negative, as GCC has it.
//
// # Memory
//
// Whatever has an address is a block at a constant address (block.go). Its
// scalar parts are cells, each an ordinary variable: s.f, a[2],
// malloc@12:5#1.next. A scalar whose address nobody takes is a variable and
// nothing else. An access of one cell is an access of its variable; every other
// access is a sequence of branches over the cells that it may mean, on the
// index or on the pointer, found by package pointsto:
//
//	p->f = 1;                        0: if (p == 94489280512U) -> 1 else 2
//	                                 1: a.f = 1 -> 5
//	                                 2: if (p == 94489284608U) -> 3 else 4
//	                                 3: b.f = 1 -> 5
//	                                 4: halt // invalid pointer
//
// Calls through pointers are branches over functions, each inlined. Arrays of
// more than [LowerOptions.ArrayLimit] elements and allocations beyond
// [LowerOptions.HeapLimit] are summarised: loads give any value, marked by
// Assign.Approx.
//
// # What is left out
//
// SOUNDNESS: what the automaton does not model is never treated as if it did
// nothing. It is refused with an [UnsupportedError] if control can reach it
// (recursion, inline assembly, computed goto, variable-length arrays, variable
// arguments, threads, __int128), or it is any value, marked by Assign.Approx
// (floating point, summarised memory, memory that is not modelled), so that a
// violation that rests on it is not believed. Assumptions that are made are in
// CFA.Warnings: volatile variables behave as ordinary ones, unknown functions
// have no effect but on what they can reach from their arguments, pointers that
// are dereferenced are valid, pointers from outside point to objects of their
// own, and undefined behaviour other than named here does not happen.
//
// Errors of the input are [Errors] with file:line:col; a fault of the library
// or of this package is an [InternalError], never a panic.
package cfa
