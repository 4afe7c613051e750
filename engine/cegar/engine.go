package cegar

// Which methods decide a claim.

import (
	"slices"

	"magus/engine/bounded"
)

// An Engine is a choice of the methods that decide a claim.
type Engine int

// AutoEngine is the zero value. The loop has a part in the others where recursion is cut off or a body is
// needed, but for those with one method of induction alone.
const (
	AutoEngine             Engine = iota // the loop, and all others, which share effort with it
	LoopEngine                           // the loop alone
	BoundedEngine                        // the bounded search
	InductionEngine                      // the induction with all its means, which shares effort with the bounded search
	KInductionEngine                     // k-induction alone
	PropertyDirectedEngine               // property-directed reachability alone
	IntervalsEngine                      // bounds of variables alone
	SummariesEngine                      // summaries of procedures alone
	ContractsEngine                      // contracts of procedures alone
	CellsEngine                          // proofs about one element of each array, or one object, alone
	ExecutionEngine                      // the only run of a program without inputs, alone
)

// The methods of each engine.
type methods struct {
	name      string // as people pick it
	sentence  string
	loop      bool
	search    bool
	induction bool
	cells     bool
	means     bounded.Means // of the induction
	summaries bool          // where calls are not inlined, or recursion is not followed
	contracts bool          // there, where procedures call themselves; alone, also where they do not
	execution bool
}

func (e Engine) methods() methods {
	return [...]methods{
		AutoEngine: {name: "auto", sentence: "the loop with the others", loop: true, search: true, induction: true,
			cells: true, summaries: true, contracts: true, execution: true},
		LoopEngine:      {name: "loop", sentence: "the loop", loop: true},
		BoundedEngine:   {name: "bounded", sentence: "the bounded search", search: true},
		InductionEngine: {name: "kinduction", sentence: "the induction", search: true, induction: true},
		KInductionEngine: {name: "kinduction-alone", sentence: "k-induction alone", induction: true,
			means: bounded.KInduction},
		PropertyDirectedEngine: {name: "pdr", sentence: "property-directed reachability alone", induction: true,
			means: bounded.PropertyDirected},
		IntervalsEngine: {name: "intervals", sentence: "bounds of variables alone", induction: true,
			means: bounded.Intervals},
		SummariesEngine: {name: "summaries", sentence: "summaries of procedures", summaries: true},
		ContractsEngine: {name: "contracts", sentence: "contracts of procedures", contracts: true},
		CellsEngine:     {name: "cells", sentence: "one element of each array", cells: true},
		ExecutionEngine: {name: "execution", sentence: "the only run", execution: true},
	}[e]
}

// bodies reports whether bodies stand once for an engine, whatever is asked for besides.
func (e Engine) bodies() bool { return e == SummariesEngine || e == ContractsEngine }

// String is the engine called in a sentence.
func (e Engine) String() string { return e.methods().sentence }

// Name is what people pick the engine by.
func (e Engine) Name() string { return e.methods().name }

// EngineNames are the names of all engines, in their order.
func EngineNames() []string {
	var names []string
	for e := AutoEngine; e <= ExecutionEngine; e++ {
		names = append(names, e.Name())
	}
	return names
}

// EngineOf is the engine of a name; AutoEngine where there is none of that name.
func EngineOf(name string) Engine { return Engine(max(0, slices.Index(EngineNames(), name))) }

// first is the method with which a claim is begun.
func (m methods) first() int {
	switch {
	case m.loop:
		return loopMethod
	case m.search:
		return searchMethod
	case m.induction:
		return inductionMethod
	case m.cells:
		return cellsMethod
	case m.execution:
		return executionMethod
	}
	return summariesMethod
}
