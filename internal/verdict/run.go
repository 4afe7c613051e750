package verdict

import "magus/cfa"

// A Run is a violation: an interleaved concrete run of the components, which
// the interpreter has replayed, whose visible trace the specification does not
// allow.
type Run struct {
	Trace []string // the visible actions in order, restricted to the specification's alphabet
	Full  []string // all visible actions in order
	// Allowed are the actions that the specification would have allowed instead of
	// the last one.
	Allowed []string
	// Components are the names of those that run: the claim's, and where several
	// copies of one run each of these.
	Components []string
	Longer     bool        // found depth first: a shorter trace may violate as well
	Copied     bool        // some run in several copies, or in any number
	Steps      []RunStep   // in an order that respects the joint actions
	Inputs     [][]Initial // per component of the run, parameters and initial values that matter
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
