// Package lts represents labelled transition systems (LTSs) and decides weak trace containment.
//
// An LTS is a finite set of states, one of them initial, with transitions that carry actions
// (papers/003, section 3). Actions are interned in an [Actions] table that all LTSs of one
// verification share; τ is [Tau] and belongs to no alphabet. An [LTS] is immutable and made by a
// [Builder]. The alphabet may hold actions that no transition has: such an action can never happen,
// and composition blocks it in every other component.
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
// allowed, Fails only with a run that shows it, and Unknown with a reason otherwise. [Compose] builds
// the composition.
//
// What the package leaves out: how an LTS comes about from a program (cfa, predabs), smaller
// abstractions of one (actionref), and the language that specifications are written in (specs).
package lts
