// Package solver says what magus asks of a decision procedure for conditions
// over bit-vectors: one small interface, [Solver], and capabilities beside it,
// [Modeler] and [Corer]. The procedures are in the packages below: order
// (comparisons without arithmetic), bitblast (everything, by reduction to
// SAT), embedded (the two together, the default) and smtlib (an outside SMT
// solver as a child process).
//
// What is built on the interface alone is here: [Enumerate], the projected
// enumeration that predicate abstraction uses, and [MinimalCore].
//
// Left out: theories other than bit-vectors, optimisation, interpolation.
package solver
