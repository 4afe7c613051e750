package threaded

import (
	"context"

	"magus/cfa"
	"magus/engine/cegar"
)

// Options steer a session. The zero value is the default.
type Options struct {
	cfa.Modelling            // how the program is modelled
	Loop          cegar.Loop // of provers, which are loops about one automaton in place of the threads
	Threads       Threads    // of this package
}

// Threads says how a program with threads is searched and proved. The zero value is the default.
type Threads struct {
	Method        string // the one that works alone; "", AutoMethod: several
	Limit         int    // threads of one call that are told apart; 0: as many as it takes
	MemoryModel   cfa.MemoryModel
	Unwind        int    // how often loops go round at most; 0: as often as it takes
	Order         string // of accesses, how it is decided: "theory" (default), "refine", "full"
	Slice, Likely bool   // look at few variables at first; assume likely links at first
}

// prover are the options of a loop about the automaton that product makes of the threads, with so many of one call
// told apart.
func (o Options) prover(threads int, product func(context.Context, *cfa.CFA) (*cfa.CFA, error)) cegar.Options {
	return cegar.Options{Modelling: o.Modelling, Loop: o.Loop, Threads: threads, Product: product}
}
