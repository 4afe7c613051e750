// Package cfa holds control-flow automata, the form in which magus verifies
// components (Chaki, Clarke, Groce, Ouaknine, Strichman, Yorav: Efficient
// Verification of Sequential and Concurrent C Programs, section 5.1).
//
// A [CFA] is a list of locations, each with a statement without hidden side
// effects and its successors:
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
// A [Builder] makes automata, location by location. The way from C to an
// automaton is that of the packages below: cfa/source reads C into typed syntax,
// cfa/lower writes an automaton with accesses to memory, cfa/memory turns these
// into assignments and branches. This package knows no C and no memory.
//
//	program, err := source.Parse(ctx, sources, source.Options{})
//	auto, err := lower.Lower(ctx, program, "main", expr.NewPool(), lower.Options{})
//	fmt.Print(auto)
//
// # What a location means
//
//   - Conditions of branches are atoms: && || ! and ?: are control flow where
//     they are conditions, terms where they are values without side effects.
//   - Any value is an [Assign] without a right side, with where it comes from:
//     the nondeterministic functions of verifiers, an uninitialised variable
//     (each time its declaration is passed, or jumped over), division by
//     zero, a shift by the width or more, a function that nobody defines.
//   - A [Call] stands where a procedure abstraction is given. All other calls
//     are intrinsics, inlined bodies, or unknown: any result, any value in the
//     variables whose address was given to a routine without a body before.
//   - An [Act] named "error" stands for a failing assertion, a call of
//     reach_error or __VERIFIER_error, or an error label that the caller names.
//   - Positions are those of the files as they are.
//   - With threads ([CFA.Threads]) the automaton has a part for each of them, and the
//     rules of thread.go hold: who knows no threads refuses it.
//
// SOUNDNESS: what is not modelled is never treated as if it did nothing. It is
// refused with an [UnsupportedError] if control can reach it, or it is any value,
// marked by Assign.Approx, so that a violation that rests on it is not believed.
// Assumptions that are made are in CFA.Warnings.
//
// # Errors
//
// Errors of the input are [Errors] with file:line:col, valid C that is not
// modelled an [UnsupportedError]; a fault of the C library or of our own code
// is an [InternalError], never a panic. The packages below use the same types.
package cfa
