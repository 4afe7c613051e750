// Package predabs is level one of the two-level abstraction: from a
// control-flow automaton and a set of predicates to the labelled transition
// system MP (Chaki et al., "Efficient Verification of Sequential and Concurrent
// C Programs" (2004), sections 5 and 6).
//
// [New] takes a component with its control graph (package component) and collects
// the candidates from which predicates are chosen: the conditions of branches,
// guards and returns, and those that the specification gives. For any set of
// candidates, [Abstraction.Build] computes MP; [Abstraction.Feasible] decides
// a path of MP bit by bit; [Abstraction.Eliminates] tells whether a set of
// candidates excludes a spurious path; [Abstraction.Discover] takes new
// candidates from one.
//
// With the paper's figure 2,
//
//	int x, y = 8;
//	if (x == 0) { do_a(); if (y < 10) return 0; else return 1; }
//	else        { do_b(); if (y > 5)  return 2; else return 3; }
//
// the candidates are x == 0, y < 10 and y < 6. MP of no candidate has a path
// to return 1; MP of {y < 10, y < 6} has not, for y = 8 makes the weakest
// preconditions of both constant.
//
// SOUND: every run of the component has its counterpart in MP(P), whatever P.
// MP is not PRECISE: it may have more runs, which refinement excludes one by
// one.
//
// Left out: choosing the set (package minimize), lumping states by actions
// (package actionref), comparing with a specification (package lts).
package predabs
