// Package actionref is level two of the abstraction: it aggregates the states of an LTS by the visible
// actions they can perform, and refines the aggregation until a given trace is excluded (Chaki et al.,
// "Efficient Verification of Sequential and Concurrent C Programs" (2004), sections 7 and 8).
//
// An [Abstraction] is a partition of states of a concrete LTS (the paper's MP) into blocks, with the
// quotient LTS (MA) whose states are the blocks: B -a-> C if s τ* a t for some s in B and t in C. The
// quotient is an existential abstraction, so L(concrete) ⊆ L(quotient) ALWAYS holds, for every partition.
// The initial partition, [Weak], puts states with the same enabled actions together; [Abstraction.Refine]
// splits blocks along abstract paths until the quotient no longer has a spurious trace; it never joins
// blocks. Refining on, one arrives at the bisimulation quotient of the weak moves at the latest.
//
//	m:         0 -a-> 1 -b-> 2,   0 -c-> 3 -τ-> 4 -b-> 5,   5 -d-> 5
//	quotient:  {0} -a,c-> {1,3} -b-> {2},   {1,3} -b-> {5} -d-> {5}
//
//	a b d is a trace of this quotient but not of m. Refine splits {1,3} by b into {1} and {3}, and
//	then no abstract path accepts a b d.
//
// A state such as 4, which only τ enters, is in no block, and the quotient has no τ: a trace of the loop
// is visible, and how far a state is from its next visible action is nothing to split blocks by. The
// paper, where τ is an action like any other, is the special case of an LTS without τ. The moves s τ* a t
// are never listed; see moves.go.
//
// Left out: which trace to exclude and for which component (theorem 1 lets the loop do it component by
// component), and carrying a partition over to another concrete LTS: when the predicates change, the
// partition starts anew from [Weak].
package actionref
