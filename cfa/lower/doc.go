// Package lower turns C into control-flow automata: from the typed syntax of
// package source to a [cfa.CFA], memory being that of package memory.
//
// [Lower] makes the automaton of one component: one procedure with everything it
// calls inlined.
//
//	program, err := source.Parse(ctx, sources, source.Options{})
//	auto, err := lower.Lower(ctx, program, "main", expr.NewPool(), lower.Options{InitGlobals: true})
//
//	int f(int x) { return x + 1; }   0: y = 3 -> 1
//	int main(void)                   1: if (y < 3) -> 4 else 2
//	{                                2: f::x = y -> 3
//		int y = 3;               3: y = f::x + 1 -> 4
//		if (y > 2)               4: return y
//			y = f(y);
//		return y;
//	}
//
// Where an expression has effects they are written out, in the order from left to
// right; the value is a term (rvalue.go). An lvalue is a variable, or an address
// whose access is left to package memory (lvalue.go). A call is an
// abstraction's, an intrinsic's, an inlined body or unknown, in this order
// (call.go, intrinsic.go, library.go, indirect.go).
//
// # What is left out
//
// SOUNDNESS: what is not modelled is never treated as if it did nothing. It is
// refused with a [cfa.UnsupportedError] if control can reach it: recursion, inline
// assembly, computed goto, variable-length arrays, threads,
// __int128. Or it is any value, marked by Assign.Approx: floating point, what a
// library function computes.
//
// Operands and arguments are evaluated from left to right. Where C leaves the
// order open, this is one of the orders; the others are not explored. A _Bool is a
// number of one bit, an enumeration an int, or an unsigned int if no constant
// of it is negative, as GCC has it.
//
// Assumptions that are made are in CFA.Warnings: volatile variables behave as
// ordinary ones, unknown functions have no effect but on what they can reach from
// their arguments, and undefined behaviour other than named in package cfa
// does not happen.
package lower
