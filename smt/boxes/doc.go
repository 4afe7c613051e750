// Package boxes decides conjunctions with floating-point arithmetic by intervals: it
// narrows the intervals of variables, and splits them where that does not decide.
//
// A box has an interval for every variable. In it, every subterm has an interval,
// computed upward with the arithmetic of smt/softfloat, and, if the conditions are to
// hold, a narrower one, computed downward. A box in which a condition is false is
// closed; what remains is split. If all boxes are closed, the conditions contradict each
// other; if some point of a box, which is tried out, satisfies all, they do not.
//
//	r := boxes.Decide(ctx, conditions, 1000)
//
// It is quick where results are far from what is asked of them and there are few
// variables, which is what circuits of products are worst at; and it gives up
// (solver.Unknown) where boxes do not get closed.
//
// Source: branch and prune with hull consistency (Benhamou, Goualard, Granvilliers,
// Puget, "Revising hull and box consistency", ICLP 1999), for floating point Michel
// (2002) and Botella, Gotlieb, Michel, "Symbolic execution of floating-point
// computations" (STVR 2006). Deviations: all terms are computed anew in each box;
// integers have intervals where they are simple.
package boxes
