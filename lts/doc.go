// Package lts represents labelled transition systems (LTSs), decides weak trace containment and other
// equivalences and preorders, and makes quotients.
//
// An LTS is a finite set of states, one of them initial, with transitions that carry actions (Chaki et al.,
// "Efficient Verification of Sequential and Concurrent C Programs" (2004), section 3). Actions are interned
// in an [Actions] table that all LTSs of one verification share; τ is [Tau] and belongs to no alphabet. An
// [LTS] is immutable and made by a [Builder]. The alphabet may hold actions that no transition has: such an
// action can never happen, and composition blocks it in every other component.
//
// The language of an LTS is its set of weak traces: the visible actions along the runs from the
// initial state. Languages are prefix-closed; there are no accepting states, no divergence and no
// refusals.
//
//	table := lts.NewActions()
//	lock, unlock := table.Intern("lock"), table.Intern("unlock")
//	b := lts.NewBuilder(table)
//	free, held := b.AddState("Free"), b.AddState("Held")
//	b.AddEdge(free, lock, held)
//	b.AddEdge(held, unlock, free)
//	spec := b.Build()                     //  Free ──lock──▶ Held ──unlock──▶ Free
//
//	result, err := lts.Contains(ctx, []*lts.LTS{client, server}, spec, lts.Limits{})
//	if result.Verdict == lts.Fails {
//		fmt.Println(lts.FormatTrace(table, result.Counterexample.Trace()))
//	}
//
// [Contains] composes the components on the fly and is exact: it answers Holds only if every trace is
// allowed, Fails only with a run that shows it, and Unknown with a reason otherwise. [ContainsStrong]
// observes τ too. [Compose] builds the composition, [NewComposition] explores one that is only written, in less memory,
// and [ComposeReduced] builds a smaller LTS with its weak traces, by making the operands smaller first.
// [Limits] has the budgets, the order of the search, how sets of spec states are compared, and whether
// Contains looks at operands made smaller.
//
// [Compare] decides a [Relation] between two LTSs: bisimulations (strong, branching, divergence-preserving
// branching, weak), traces and weak traces as equivalence or containment, simulation and weak
// simulation, failures without and with divergences. If it does not hold there is a trace or an explanation
// step by step. [Partition] gives the classes of a bisimulation and [Minimize] the quotient:
//
//	c, err := lts.Compare(ctx, left, right, lts.BranchingBisim, lts.Limits{})
//	if !c.Holds {
//		fmt.Println(strings.Join(c.Explanation, "\n"))
//	}
//	small, err := lts.Minimize(ctx, left, lts.StrongBisim, lts.Limits{})
//
// What a composition refuses is no part of its traces. LTSs that say by actions where they stand still ([Standing]) are
// asked by [DeadlockFree] whether they wait for each other for ever, and by [Failures] whether they refuse nothing that
// a specification must offer (stable failures).
//
// Memory: an LTS takes 8 bytes a transition and 4 a state; a Builder 12 a transition, up to twice
// that while it grows. Strong bisimulation adds 8 bytes a transition, 12 a state and 8 an element of
// the distinct signatures of one round, or, if it takes many rounds, 44 to 90 bytes a transition and
// 36 to 56 a state; branching bisimulation adds the same, and 20 a transition for a copy without
// τ cycles while that is built; weak bisimulation works on the quotient of that, in 8 bytes a transition and
// 30 a state. A program that read an LTS of 0.5 to 2 million transitions and minimised
// it took 40 to 90 bytes a transition in all, by the families random, ring, interleaving and buffers.
//
// ERROR states are told from others by every relation. What is not polynomial or not linear in space is
// written at each: composition, the trace relations and determinisation have no bound but the context
// and the [Limits] they are given, simulation answers with a [LimitError] rather than store more than
// a few GiB.
//
// What the package leaves out: how an LTS comes about from a program (cfa, predabs), smaller
// abstractions of one (actionref), and the language that specifications are written in (specs).
package lts
