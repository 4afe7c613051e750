// Package minimize finds the smallest set of candidates that eliminates every
// spurious counterexample seen so far: section 6.3 of Chaki, Clarke, Groce,
// Ouaknine, Strichman and Yorav, "Efficient Verification of Sequential and
// Concurrent C Programs" (Formal Methods in System Design 25, 2004).
//
// Candidates and counterexamples ("paths") are numbers. What they stand for is
// the business of the caller, who answers one question, [Problem.Eliminates]:
// does this set of candidates eliminate that path? The package knows nothing of
// predicates, programs or transition systems, and it looks for no new
// candidates: where even all of them together do not eliminate a path, the
// answer is a [NotEliminableError] that names the path.
//
// Four strategies answer the same question at different prices:
//
//   - [Minimizer], the default: implicit hitting sets by dualisation. A proven
//     minimum from few elimination tests.
//   - [Enumerate], the paper's own: all eliminating sets by increasing size
//     within the bounds MAXSUB and MAXELM, then a pseudo-Boolean optimum over
//     formula σ (equation 1).
//   - [Greedy], the paper's figure 10: remove one candidate at a time in random
//     order. Irredundant, not minimal.
//   - [None]: add what a path needs, never remove anything.
//
// Minimizer and an untruncated Enumerate return the same set: among the sets of
// least cost the lexicographically first, that is the one that contains the
// lowest candidate in which two such sets differ. It depends on the problem
// alone, not on hints, on what was asked before or on the solver's mood.
//
// # Example
//
// Example 5 of the paper: CE1 is eliminated by {p1,p3,p5} or {p2,p5}, and CE2
// by {p2,p3} or {p4}. With p1 to p5 as candidates 0 to 4,
//
//	r, err := minimize.NewMinimizer(minimize.Options{}).Minimize(ctx, problem)
//	// r.Set = {1,2,4}, that is {p2,p3,p5}; r.Proven = true
//
// The paper names {p2,p4,p5}, which costs as much and comes later.
//
// # Trust
//
// Every set that is returned has been tested against every path, so a fault of
// the pseudo-Boolean solver can cost minimality but not soundness. The solver is
// used by a protocol that avoids its known faults (gophersat.go) and each of its
// models is checked; when it does not deliver within its budget the answer is an
// error that wraps [ErrBudget], with an unproven set beside it.
package minimize
