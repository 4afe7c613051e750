package verdict

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/internal/phrase"
)

// A Run is a violation: an interleaved concrete run of the components, which
// the interpreter has replayed, whose visible trace the specification does not
// allow.
type Run struct {
	Trace []string // the visible actions in order, restricted to the specification's alphabet
	Full  []string // all visible actions in order
	// Allowed are the actions that the specification would have allowed instead of
	// the last one.
	Allowed []string
	// Spec are the states that the specification may be in when the last action comes.
	// Opposite says that it describes what must not happen: then they are the ERROR
	// states that are reached, and Allowed is empty.
	Spec     []SpecState
	Opposite bool
	// Components are the names of those that run: the claim's, and where several
	// copies of one run each of these.
	Components []string
	// Threads are, of a program with threads, the numbers by which the library's states name those that run.
	Threads []int
	Longer  bool        // found depth first: a shorter trace may violate as well
	Copied  bool        // who runs is told: some in several copies, or in any number, or several were looked at as one
	By      string      // the thread that performs the last action of Trace; "" if the components are no threads
	Steps   []RunStep   // in an order that respects the joint actions
	Inputs  [][]Initial // per component of the run, parameters and initial values that matter
	// Standing is where each of Components stands still at the end, if it is a deadlock or something is refused;
	// nil of others. Threads stand as well.
	Standing []Stand
	// Must are, where something is refused, sets of actions of which the specification wants all of one offered
	// after the trace, and Offered what is offered. Spec are its states then. Must is nil of others.
	Must    [][]string
	Offered []string
	// Choices are, where the specification cannot follow, the actions of which each is possible where they begin, and
	// Branches the runs of all branches but the first, which this is. Both are nil of others.
	Choices  []Choice
	Branches []*Run
	// Round is, where a whole run is the violation, what comes again and again; nil of others.
	Round *Round
}

// A Choice is an action that the components can perform, which the specification cannot follow in some states.
type Choice struct {
	Action string
	Run    int         // the first run that goes here: 0 for this one, n for branch n-1
	From   []SpecState // in each of these, each answer leads to one of To
	To     []SpecState // nil: there is no answer
	Then   []Choice    // in each of To one of these cannot be followed
}

// A Round is the part of a run that comes again and again: its steps from First on, those before are the stem.
type Round struct {
	First int
	// Times is how many of it the steps from First on are, all of which were executed: one that leads back, or two.
	// 0: nothing happens any more behind the stem.
	Times   int
	Actions []string // of one
	// Pos is where it begins, of a run that does not end. Set is what holds each time then: from each such state
	// there is a round that leads to another one. nil: the state is the same each time.
	Pos cfa.Pos
	Set []string
	// Parts are the components that go round, where the specification does not observe it; nil of others.
	Parts []RoundPart
}

// A RoundPart is a component that goes round.
type RoundPart struct {
	Component int
	Lines     []cfa.Pos // of a round, each once, without columns
}

// An Initial is the initial value of a parameter or global.
type Initial struct {
	Name  string
	Value string
	Pos   cfa.Pos
	Idle  bool // nothing that the run does depends on it
}

// String is the state's name with the place of its definition.
func (s SpecState) String() string {
	if !s.Pos.IsValid() {
		return s.Name
	}
	return fmt.Sprintf("%s (%v)", s.Name, s.Pos)
}

// StatesShown is how many states of a specification are named at once.
const StatesShown = 4

// Forbidden says of the last action of a trace in which states the specification
// does not allow it, or, if it describes what must not happen, that the action leads
// to them.
func Forbidden(action string, states []SpecState, opposite bool) string {
	var all, places []string
	for _, s := range states {
		all, places = append(all, s.String()), append(places, s.Pos.String())
	}
	switch {
	case opposite:
		return action + " leads to " + phrase.Or(all, StatesShown)
	case !slices.ContainsFunc(states, func(s SpecState) bool { return s.Pos.IsValid() }): // nobody wrote it
		return action
	case !slices.ContainsFunc(states, func(s SpecState) bool { return !s.Ended }):
		return action + ": the specification ended at " + phrase.Or(places, StatesShown)
	}
	return action + " in " + phrase.Or(all, StatesShown)
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
	// Branch is what the condition of the source's statement turned out to be, if the
	// step decides it: "true" or "false".
	Branch string
	// Others are what the other components do that take part in the action.
	Others []OtherStep
	// Spec are the states that the specification may be in after the step, if it
	// observes its action. Forbidden says that this is the action it does not allow.
	Spec      []SpecState
	Forbidden bool
	// Rounds are many unwindings of a loop, executed but not written out, in place of a statement; nil for a statement.
	Rounds *Rounds
}

// Rounds are unwindings of a loop that are one step of a run. All of them were executed; the step's values
// are those at their end.
type Rounds struct {
	Times uint64
	Steps uint64    // that all of them execute
	Lines []cfa.Pos // of one unwinding, each once, without columns
}

// String is the number of unwindings and of steps.
func (t *Rounds) String() string {
	return fmt.Sprintf("%d more rounds of the loop, %d steps", t.Times, t.Steps)
}

// An OtherStep is the part that a component has in a joint action besides the first.
type OtherStep struct {
	Component int
	Pos       cfa.Pos
	Proc      string
	Text      string
}

// A SpecState is a state of the specification, as its text calls it.
type SpecState struct {
	Name  string
	Pos   cfa.Pos // of its definition; invalid if nothing defines it
	Ended bool    // it is STOP: the specification does nothing any more
}

// A Value is a variable with the value it got. Chosen marks values that are
// nondeterministic choices, with their source ("__VERIFIER_nondet_int"). The
// value of a return has the name $0.
type Value struct {
	Name   string
	Value  string
	Chosen string
	Idle   bool // nothing that the run does depends on it
	// Writer is which thread wrote the value that was read, and where, if it was another one.
	Writer string
	// Before is the value before, "" if it had none in this run. Named is the value by
	// the enumerators of the source, "" if they have no name for it, BeforeNamed that
	// before.
	Before             string
	Named, BeforeNamed string
	// Made says that the variable is none of the source's.
	Made bool
	// Shared says that all threads have the variable, whoever changes it.
	Shared bool
	// State says it in words instead: what happened to a condition.
	State string
}
