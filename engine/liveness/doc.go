// Package liveness decides what is asked of whole runs: progress, formulas of linear temporal logic, livelocks.
//
// A component becomes a finite graph (unfold.go): states have the values of the variables that matter where they are
// known, and which of some predicates hold where they are not. Each transition says whether every state of
// the component that it stands for has it; where all do, the graph is exact. The graphs are composed
// (product.go), the composition is joined with the Büchi automaton of what is not asked (search.go), and
// strongly connected parts that are accepted and fair are looked for (fair.go). Of one of them a stem and a
// loop are made; the decision procedure finds values with which each component comes back to the state that
// it had before the loop, and the interpreter executes it (lasso.go).
//
// Whether a component can go on is asked twice. A run counts as fair in a violation only if it is so however far
// others are in what they compute silently, and with what components may do at most; in a proof all runs are left out
// only that are unfair with what they can do at least, where each silent step counts. Where the two differ
// the answer is unknown.
//
// Law: conforms only where there is no accepted fair part that was not excluded; violates only with an
// executed stem and loop.
//
// Source: Chaki, Clarke, Ouaknine, Sharygina, Sinha: State/event-based software model checking (IFM 2004);
// Giannakopoulou,
// Magee: Fluent model checking for event-based systems (FSE 2003). Deviations: values that are known are kept as
// they are, and predicates are for the rest only.
//
// Components that exchange values are one process, and fairness is about its parts (actors.go). So are the threads of a
// component (threads.go).
//
// Left out: components in any number of copies, recursion deeper than it is followed.
package liveness
