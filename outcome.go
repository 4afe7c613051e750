package magus

import (
	"magus/cfa"
	"magus/minimize"
)

// A Verdict is the answer to a claim.
type Verdict int

// Unknown is the zero verdict: nothing was decided.
const (
	Unknown Verdict = iota
	Conforms
	Violates
)

// String is the verdict in the words of the command line.
func (v Verdict) String() string { return [...]string{"unknown", "conforms", "violates"}[v] }

// An Outcome is a verdict with its evidence and its price.
type Outcome struct {
	Claim   string
	Verdict Verdict
	// Reason says why a verdict is unknown; Pos is the place, if there is one.
	Reason string
	Pos    cfa.Pos
	// Run shows a violation.
	Run *Run
	// Components describe the final abstractions, in the claim's order.
	Components []ComponentResult
	// Smallest says that the components' predicates are proven to be a smallest
	// set of candidates, or the cheapest by [Options].Cost, that excludes the
	// spurious paths seen. Candidates are
	// those of the program, the specification and the paths; one stands for all
	// comparisons of a term with constants, or of two terms with each other. Only the exact
	// strategy proves it, and only if that takes not too many turns.
	Smallest bool
	// Assumptions are what the verdict relies on and the tool does not check,
	// in source order, each once.
	Assumptions []cfa.Warning
	Stats       Stats
}

// A ComponentResult is the final abstraction of one component.
type ComponentResult struct {
	Name string
	// Predicates are the chosen members of the candidate set (the paper's P),
	// as C, with the place of one branch or statement each comes from.
	Predicates []Predicate
	// Expressions is |⋃ P_s|; Groups counts them with mutually exclusive ones
	// taken together (the paper's "predicates").
	Expressions, Groups int
	Locations           int // control locations of the CFA
	MPStates            int // reachable states of MP_i
	MAStates            int // blocks of MA_i; 0 where level two was off
	ReducedStates       int // states that were composed instead in the last check; 0 without Options.Reduce
}

// A Predicate is a chosen candidate: everything that is asked about one term,
// or about two terms that are compared.
type Predicate struct {
	Text       string   // its conditions, shortened if there are many
	Conditions []string // all of them
	Pos        cfa.Pos
	Origin     string // "branch", "guard", "return", "given", "path"
}

// Stats are the figures of the paper's tables and where the work went.
type Stats struct {
	Iterations          int            // turns of the loop
	PredicateIterations int            // turns that refined predicates
	ActionIterations    int            // turns that refined a partition of actions
	Splits              int            // blocks split in all
	ProductStates       int            // states explored by the last check
	MaxProductStates    int            // most states explored by one check
	Parts               int            // LTSs that the last check composed, after reduction; 0 without Options.Reduce
	Candidates          int            // candidate predicates in all
	Minimization        minimize.Stats // what choosing predicates has cost in all
	Paths               int            // paths examined
	PathBytes           int            // that their steps take
	SolverQueries       int
}

// A Run is a violation: an interleaved concrete run of the components, which
// the interpreter has replayed, whose visible trace the specification does not
// allow.
type Run struct {
	Trace []string // the visible actions in order, restricted to the specification's alphabet
	Full  []string // all visible actions in order
	// Why says how the trace leaves the specification: which actions it
	// would have allowed instead of the last one.
	Allowed []string
	Steps   []RunStep   // in an order that respects the joint actions
	Inputs  [][]Initial // per component, parameters and initial values that matter
}

// An Initial is the initial value of a parameter or global.
type Initial struct {
	Name  string
	Value string
	Pos   cfa.Pos
	Idle  bool // nothing that the run does depends on it
}

// A RunStep is one statement executed by one component, or several components
// joining in one action.
type RunStep struct {
	Component int     // who moves; the first one of a joint action
	Joins     []int   // everybody taking part, for a visible action
	Pos       cfa.Pos // where
	Proc      string  // the procedure
	Text      string  // the statement, as C
	Action    string  // "" for an internal step
	Values    []Value // variables that got a value
}

// A Value is a variable with the value it got. Chosen marks values that are
// nondeterministic choices, with their source ("__VERIFIER_nondet_int"). The
// value of a return has the name $0.
type Value struct {
	Name   string
	Value  string
	Chosen string
	Idle   bool // nothing that the run does depends on it
}
