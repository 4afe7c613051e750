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
}

func (e Engine) methods() methods {
	return [...]methods{
		AutoEngine:       {"auto", "the loop with the others", true, true, true, true, bounded.All, true},
		LoopEngine:       {"loop", "the loop", true, false, false, false, bounded.All, false},
		BoundedEngine:    {"bounded", "the bounded search", false, true, false, false, bounded.All, false},
		InductionEngine:  {"kinduction", "the induction", false, true, true, false, bounded.All, false},
		KInductionEngine: {"kinduction-alone", "k-induction alone", false, false, true, false, bounded.KInduction, false},
		PropertyDirectedEngine: {"pdr", "property-directed reachability alone", false, false, true, false,
			bounded.PropertyDirected, false},
		IntervalsEngine: {"intervals", "bounds of variables alone", false, false, true, false, bounded.Intervals, false},
		SummariesEngine: {"summaries", "summaries of procedures", false, false, false, false, bounded.All, true},
	}[e]
}

// String is the engine called in a sentence.
func (e Engine) String() string { return e.methods().sentence }

// Name is what people pick the engine by.
func (e Engine) Name() string { return e.methods().name }

// EngineNames are the names of all engines, in their order.
func EngineNames() []string {
	var names []string
	for e := AutoEngine; e <= SummariesEngine; e++ {
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
	}
	return summariesMethod
}
