package cegar

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"magus/cfa"
	"magus/cfa/cells"
	"magus/component"
	"magus/minimize"
)

// Options steer a session. The zero value is the default.
type Options struct {
	cfa.Modelling // of the claim's components
	Loop
	Inlined []string // routines with bodies that are not called by their abstractions
	// Product, if it is not nil, makes of the automaton of several threads one that is looked at like that
	// of one thread.
	Product func(context.Context, *cfa.CFA) (*cfa.CFA, error)
	Threads int // threads of one call in the automaton that Product is given
	// Deadlocks says that Product has an error where all threads stand.
	Deadlocks bool
	// Cells, if it is not "", has one arbitrary element of each large array followed, in place of Product.
	Cells cells.Choice
	// lowered is what lowering the claim has found, for sessions within one about the same claim.
	lowered *component.Lowered
}

// A Loop says how the two-level loop and the methods beside it work. The zero value is the default.
type Loop struct {
	ActionAbstraction Switch // level two: Auto uses it where components are composed
	// level one has states where large blocks begin only: Auto where a component has many control
	// points
	LargeBlocks Switch
	Strategy    string // predicate minimisation: "exact" (default), "greedy", "enumerate", "none"
	// bounds of "enumerate" on sets examined and found for a path; 0: DefaultMaxSub, DefaultMaxElm,
	// negative: no bound
	MaxSub, MaxElm int
	Seed           int64 // of the orders of "greedy"
	// of a candidate: "one" (default), or "wp", the (location, predicate) pairs that it takes
	Cost string
	// iterations spent on smaller sets once the claim is proved; 0: DefaultReduceIterations, negative: no
	// bound
	ReduceIterations int
	Compositional    bool        // make the components' abstractions smaller before they are composed
	Search           SearchOrder // of products
	AllOrders        bool        // search all orders of steps that do not depend on each other
	Alone            bool        // what is found about a component is not tried in others of its shape
	Engine           Engine      // what decides
	Calls            Calls       // inlined, or to bodies that stand once
	FirstShare       int64       // of the loop, before the bounded search has its first share; 0: 2^18
	SearchFirst      int64       // effort of the bounded search before anything else has a share
	Bound            int         // of BoundedEngine: how many loops a run closes at most; 0: no bound
	// edges of a violation that is written out with all rounds of all loops; 0: 2^19, negative: any,
	// and none is longer than that
	Written          int
	BreadthPairs     int    // searched breadth first with AutoOrder; 0: 8192
	Solver           string // "embedded" (default), "z3", "cvc5"
	MaxIterations    int    // 0: no bound
	MaxStates        int    // of one MP_i or one product; 0: no bound
	MaxPredicates    int    // predicates inferred from one candidate at one location; 0: 32
	GlobalPredicates bool   // track predicates also in states that know nothing of them
	Sequential       bool   // abstract and validate components one after the other
	RefuseVacuous    bool   // a proof that there are doubts about, see verdict.Doubt, is unknown
	Check            bool   // look over the loop's shoulder after every phase; see audit.go
	SecondSolver     string // with Check: asked about unsatisfiable cores; "" is the embedded bit-blaster
	// Queries, if not nil, gives the writer that the queries about a component
	// are written to, as SMT-LIB 2.
	Queries func(component string) io.Writer
}

// Bounds of the paper's strategy where none are given: sets examined and
// eliminating sets collected for each path.
const (
	DefaultMaxSub = 1000
	DefaultMaxElm = 20
)

// A Switch is on, off, or left to the tool.
type Switch int

// Auto is the zero value.
const (
	Auto Switch = iota
	On
	Off
)

// on reports whether the switch is on, where Auto says so.
func (s Switch) on(auto bool) bool { return s == On || s == Auto && auto }

// fewLocations is the number of control locations up to which level one has states at all of them, as the
// paper has it: such an abstraction is small anyway, and one that is looked at.
const fewLocations = 250

// modelling says how calls and memory are modelled, with recursion followed to a
// depth and some abstracted routines inlined.
func (o Options) modelling(depth int, inlined []string) component.Options {
	m := o.Modelling
	m.Recursion = depth
	product, recorded := o.Product, false
	switch o.Cells {
	case "":
	case cells.Allocation:
		m.AnyAllocation = true
	case cells.Every:
		recorded = true
	case cells.Object:
		m.HeapLimit = -1
		fallthrough
	default:
		product, recorded = cellsOf(o.Cells), true
	}
	return component.Options{Modelling: m, Inlined: inlined, Threads: o.Threads, Deadlocks: o.Deadlocks,
		Product: product, Recorded: recorded, Mirrored: o.Cells == cells.Every, Lowered: o.lowered}
}

// strategy is a new strategy of minimisation, of the given name.
func (o Options) strategy(name string) (minimize.Strategy, error) {
	switch name {
	case "", "exact":
		return minimize.NewMinimizer(minimize.Options{}), nil
	case "greedy":
		return minimize.Greedy(o.Seed), nil
	case "enumerate":
		return minimize.Enumerate(cmp.Or(o.MaxSub, DefaultMaxSub), cmp.Or(o.MaxElm, DefaultMaxElm), minimize.Options{}), nil
	case "none":
		return minimize.None(), nil
	}
	return nil, &component.InputError{Msg: fmt.Sprintf("no strategy %q; there are exact, greedy, enumerate, none", name)}
}

// weigh reports whether candidates cost what they take.
func (o Options) weigh() (bool, error) {
	switch o.Cost {
	case "", "one":
		return false, nil
	case "wp":
		return true, nil
	}
	return false, &component.InputError{Msg: fmt.Sprintf("no cost %q of a predicate; there are one, wp", o.Cost)}
}
