package lts

import (
	"fmt"
	"strings"
)

// Relation is an equivalence or a preorder on LTSs. Van Glabbeek's "The linear time - branching time
// spectrum" (I and II) defines them all; a preorder relates the left LTS to the right one.
//
// In the strong relations τ is an action like any other. The weak, branching ones and weak
// traces abstract from it. An ERROR state is told from others: it counts as a state that can do one
// more visible action, which no other state has. Alphabets play no part, only transitions do.
type Relation int

// The relations.
const (
	StrongBisim              Relation = iota // strong bisimulation equivalence
	BranchingBisim                           // branching bisimulation equivalence, divergence-blind
	DivergenceBranchingBisim                 // divergence-preserving branching bisimulation equivalence
	WeakBisim                                // weak bisimulation equivalence (observation equivalence)
	TraceEq                                  // the same traces, τ included
	WeakTraceEq                              // the same weak traces
	TraceIncl                                // every trace of left is one of right, τ included
	WeakTraceIncl                            // every weak trace of left is one of right
	Simulation                               // right simulates left step by step
	WeakSimulation                           // right simulates left's steps by weak steps
	// StableFailures: left's weak traces are right's, and it refuses nothing that right must offer
	StableFailures
	// FailuresDivergences: besides, left diverges only where right does, which may do everything from there on
	FailuresDivergences
)

var relationNames = [...]string{
	StrongBisim:              "strong-bisim",
	BranchingBisim:           "branching-bisim",
	DivergenceBranchingBisim: "dp-branching-bisim",
	WeakBisim:                "weak-bisim",
	TraceEq:                  "trace",
	WeakTraceEq:              "weak-trace",
	TraceIncl:                "trace-containment",
	WeakTraceIncl:            "weak-trace-containment",
	Simulation:               "simulation",
	WeakSimulation:           "weak-simulation",
	StableFailures:           "failures",
	FailuresDivergences:      "failures-divergences",
}

// Relations returns all relations, in the order of their constants.
func Relations() []Relation {
	all := make([]Relation, len(relationNames))
	for i := range all {
		all[i] = Relation(i)
	}
	return all
}

// String returns the name that [ParseRelation] reads.
func (r Relation) String() string {
	if r < 0 || int(r) >= len(relationNames) {
		return fmt.Sprintf("Relation(%d)", int(r))
	}
	return relationNames[r]
}

// ParseRelation returns the relation of that name. The error lists the names.
func ParseRelation(name string) (Relation, error) {
	for r, n := range relationNames {
		if n == name {
			return Relation(r), nil
		}
	}
	return 0, fmt.Errorf("unknown relation %q, expected one of %s", name, strings.Join(relationNames[:], ", "))
}

// IsPreorder says whether r need not be symmetric.
func (r Relation) IsPreorder() bool {
	return r == TraceIncl || r == WeakTraceIncl || r == Simulation || r == WeakSimulation || r == StableFailures ||
		r == FailuresDivergences
}

// isBisimulation says whether r is decided by refining a partition.
func (r Relation) isBisimulation() bool { return r <= WeakBisim }
