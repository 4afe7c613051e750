// Package witness represents violations: from a path of an abstraction that
// every component can take to a run that the concrete interpreter has replayed,
// and what of that run matters.
//
// [Replay] executes a counterexample: for each component an execution along its
// control graph, with the values that the decision procedure found, and the
// visible actions of all together. Only a run that the interpreter confirms and
// whose trace the specification does not allow becomes a [Violation]; it has
// nothing to do with the abstraction any more. [Violation.Report] writes it for
// people, with the values that nothing depends on marked as idle (relevance.go);
// [Violation.Inputs] is what the compiled program has to be given to do the same.
//
// For
//
//	int n = __VERIFIER_nondet_int(); int m = n + 1; if (n > 3) lock();
//
// with the trace lock, the run has the steps n = 4 (chosen), m = 5 (idle),
// [n > 3] and the call; the inputs are one choice of the function
// __VERIFIER_nondet_int with the value 4.
//
// [Env] lets the interpreter execute a bound component: routines that are known
// by their abstraction do what the specification says, and returns are the
// actions that it observes.
//
// SOUND: a run that rests on a value that is not modelled is no violation.
//
// Left out: finding counterexamples (package lts) and deciding paths (package
// predabs).
package witness
