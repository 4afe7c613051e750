// Package summaries proves claims about components whose procedures stand once, by summaries of their calls.
//
// A [Search] explores abstract states (predicates as in package predabs, and a state of the specification), each
// procedure for itself: from one abstract state at its entry to those at its end. A call takes what is known of
// the callee's ends; what is known of the caller's own variables stays. So the work is by procedures and entry
// states, not by chains of calls, and recursion ends where no new state is found: a fixed point instead of a
// depth.
//
//	search, err := summaries.New(ctx, comp, solver, spec, summaries.Limits{})
//	answer, err := search.Go(ctx, effort)   // Proved, or GivenUp with the reason, or neither yet
//
// A run to a state that the specification does not allow is checked: at first with all calls that have returned
// taken for anything, and if the program can run so, with their bodies, one level after the other. Where it
// contradicts itself, predicates are chosen that exclude it, each where it is in scope. Where it does not the
// search gives up: it proves claims, and finds no violations.
//
// SOUND: all runs of the component are covered, whatever the predicates. What a procedure owns is what its text alone
// names (component.Procedures), so no call changes it but the procedure's own.
//
// Left out: violations, several components, threads, conditions that relate what is before a call with what is
// behind it other than by a parameter that keeps its value. Of proofs, [Search.Held] is what a certificate says, where
// the specification has one state only; of others there is none.
package summaries
