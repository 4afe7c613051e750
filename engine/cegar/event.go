package cegar

import (
	"fmt"
	"slices"

	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/phrase"
)

// An Event says what one phase did. The set of types is closed.
type Event interface {
	Phase() Phase
	String() string // one line
}

type (
	// DataAbstracted: predicate abstraction is up to date.
	DataAbstracted struct {
		Iteration int
		Rebuilt   []int // components whose MP was built anew
		States    []int // states of every MP_i
		// GaveUp is the number of states beyond which one of them is not built before the
		// bounded search has had a share; 0 if all are built.
		GaveUp int
		PutOff bool // one of them takes long, and the others have a share first
	}
	// EventsAbstracted: action-guided abstraction is up to date.
	EventsAbstracted struct {
		Rebuilt []int
		Blocks  []int // blocks of every MA_i
	}
	// Verified: the composition was checked against the specification.
	Verified struct {
		Holds  bool
		States int      // product states explored
		Trace  []string // the counterexample's visible trace, if any
		Copies []string // who takes part in it, where components run in several copies
	}
	// ValidatedMP: the trace was looked for in every MP_i.
	ValidatedMP struct {
		Spurious  bool
		Component int              // the first component that does not have it
		Copy      int              // which of its copies, from 1; 0 if one runs only
		Also      []component.Copy // the other components that do not have it
		Besides   []component.Copy // other components that do not have other counterexamples of the same search
	}
	// ValidatedC: the paths were checked against the components.
	ValidatedC struct {
		Spurious  bool
		Component int
		Copy      int           // of the component, as in ValidatedMP
		Length    int           // steps of the path
		Core      int           // conditions in the unsatisfiable core
		Also      []RefutedPath // those of other components
		Besides   []RefutedPath // those of others, on other counterexamples of the same search
		// Cut says that all can take their paths, and that a component comes to where
		// its recursion is not followed.
		Cut bool
		// Body says that all can take their paths, which rest on what the body of this
		// routine writes, called by its abstraction; "" if not.
		Body string
		// Unknown says that all can take their paths, which rest on memory without variables.
		Unknown bool
	}
	// EventsRefined: a partition was split.
	EventsRefined struct {
		Component int
		Splits    []Split
		Blocks    int             // afterwards
		Also      []EventsRefined // other components, in the same iteration
	}
	// DataRefined: predicates were chosen.
	DataRefined struct {
		Component  int
		Predicates []string // all of the component's, as C
		Added      []string
		Dropped    []string
		Candidates int
		Tests      int           // elimination tests
		Paths      int           // spurious paths so far
		Stuck      bool          // no set eliminates all of them: the predicates are those before
		PutOff     bool          // it takes long, and the others have a share first: the predicates are those before
		Also       []DataRefined // other components, in the same iteration
	}
	// RecursionFollowed: the components were made anew.
	RecursionFollowed struct {
		Depth     int    // to which recursion is followed now
		Cycle     string // the calls that asked for it
		Locations []int  // of every component
	}
	// BodyInlined: the components were made anew.
	BodyInlined struct {
		Routine   string // whose body stands for it now, not its abstraction
		Locations []int  // of every component
	}
	// Unrolled: the bounded search had a share, and goes on later.
	Unrolled struct {
		Depth       int  // to which all runs are searched, in loops closed
		Ended       bool // all runs are searched
		Found       bool // a violation, but it depends on a value that is not modelled
		Accelerated bool // and was found with many rounds of a loop as one step
		// Body is the routine whose body gives that value, or "".
		Body string
	}
	// Summarised: the summaries had a share.
	Summarised struct {
		Contexts, States, Iterations int
		Contracts                    int  // conditions of the contracts that are the proof; 0 if these are none
		Over                         bool // they do not go on
		Why                          string
	}
	// Induced: the induction had a share, and goes on later.
	Induced struct {
		Over bool // it has no further share
	}
	// Ended: the session has its outcome.
	Ended struct{ Outcome *verdict.Outcome }
)

// A RefutedPath is a path that a component cannot take.
type RefutedPath struct {
	Component int
	Copy      int // of the component, as in ValidatedMP
	Length    int // steps
	Core      int // conditions in the unsatisfiable core
}

// All are the refinements of all components, one by one.
func (e EventsRefined) All() []EventsRefined {
	also := e.Also
	e.Also = nil
	return append([]EventsRefined{e}, also...)
}

// All are the refinements of all components, one by one.
func (e DataRefined) All() []DataRefined {
	also := e.Also
	e.Also = nil
	return append([]DataRefined{e}, also...)
}

// All are the refuted paths, one by one.
func (e ValidatedC) All() []RefutedPath {
	return slices.Concat([]RefutedPath{{e.Component, e.Copy, e.Length, e.Core}}, e.Also, e.Besides)
}

// besides tells how many components there are besides the first.
func besides(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", and one component more"
	}
	return fmt.Sprintf(", and %d components more", n)
}

// A Split of a block: its members were told apart by what they do under an
// action.
type Split struct {
	Block  int
	Action string
	Into   []int // the parts; the first keeps the block's number
}

// Phase is AbstractData.
func (DataAbstracted) Phase() Phase { return AbstractData }

// Phase is AbstractEvents.
func (EventsAbstracted) Phase() Phase { return AbstractEvents }

// Phase is Verify.
func (Verified) Phase() Phase { return Verify }

// Phase is ValidateMP.
func (ValidatedMP) Phase() Phase { return ValidateMP }

// Phase is ValidateC.
func (ValidatedC) Phase() Phase { return ValidateC }

// Phase is RefineEvents.
func (EventsRefined) Phase() Phase { return RefineEvents }

// Phase is RefineData.
func (DataRefined) Phase() Phase { return RefineData }

// Phase is FollowRecursion.
func (RecursionFollowed) Phase() Phase { return FollowRecursion }

// Phase is InlineBody.
func (BodyInlined) Phase() Phase { return InlineBody }

// Phase is Unroll.
func (Unrolled) Phase() Phase { return Unroll }

// Phase is Summarise.
func (Summarised) Phase() Phase { return Summarise }

// Phase is Induct.
func (Induced) Phase() Phase { return Induct }

// Phase is Finished.
func (Ended) Phase() Phase { return Finished }

func (e DataAbstracted) String() string {
	if e.PutOff {
		return fmt.Sprintf("iteration %d: predicate abstraction takes long, and is put off", e.Iteration)
	}
	if e.GaveUp > 0 {
		return fmt.Sprintf("iteration %d: predicate abstraction has more than %d states", e.Iteration, e.GaveUp)
	}
	return fmt.Sprintf("iteration %d: predicate abstraction, states %v", e.Iteration, e.States)
}

func (e EventsAbstracted) String() string {
	return fmt.Sprintf("action abstraction, blocks %v", e.Blocks)
}

func (e Verified) String() string {
	if e.Holds {
		return fmt.Sprintf("contained in the specification (%s)", phrase.Plural(e.States, "product state"))
	}
	return fmt.Sprintf("counterexample of %s (%s)", phrase.Plural(len(e.Trace), "action"),
		phrase.Plural(e.States, "product state"))
}

func (e ValidatedMP) String() string {
	if e.Spurious {
		return fmt.Sprintf("component %d does not have the trace at level one%s", e.Component+1,
			besides(len(e.Also)+len(e.Besides)))
	}
	return "every component has the trace at level one"
}

func (e ValidatedC) String() string {
	if e.Spurious {
		return fmt.Sprintf(
			"component %d cannot take its path of %d steps (%d conditions contradict each other)%s", e.Component+
				1, e.Length, e.Core, besides(len(e.Also)+len(e.Besides)))
	}
	if e.Cut {
		return fmt.Sprintf("component %d calls itself deeper than is followed", e.Component+1)
	}
	if e.Unknown {
		return "every component can take its path, which depends on memory that is not modelled"
	}
	if e.Body != "" {
		return fmt.Sprintf("every component can take its path, which depends on what the body of %s writes", e.Body)
	}
	return "every component can take its path"
}

func (e EventsRefined) String() string {
	return fmt.Sprintf("component %d: %d blocks split, now %d%s", e.Component+1, len(e.Splits), e.Blocks,
		besides(len(e.Also)))
}

func (e DataRefined) String() string {
	if e.PutOff {
		return fmt.Sprintf("component %d: choosing predicates against %d paths takes long, and is put off",
			e.Component+1, e.Paths)
	}
	if e.Stuck {
		return fmt.Sprintf("component %d: no set of %d candidates eliminates %d paths (%d tests)", e.Component+
			1, e.Candidates, e.Paths, e.Tests)
	}
	return fmt.Sprintf("component %d: %d predicates of %d candidates eliminate %d paths (%d tests)%s",
		e.Component+1, len(e.Predicates), e.Candidates, e.Paths, e.Tests, besides(len(e.Also)))
}

func (e RecursionFollowed) String() string {
	return fmt.Sprintf("recursion is followed to depth %d: %s (%v locations)", e.Depth, e.Cycle, e.Locations)
}

func (e BodyInlined) String() string {
	return fmt.Sprintf("the body of %s stands in the place of its abstraction (%v locations)", e.Routine, e.Locations)
}

func (e Unrolled) String() string {
	switch {
	case e.Body != "":
		return fmt.Sprintf("unrolled to depth %d: a violation that depends on what the body of %s writes", e.Depth, e.Body)
	case e.Found:
		return fmt.Sprintf("unrolled to depth %d: a violation that depends on a value that is not modelled", e.Depth)
	case e.Ended:
		return fmt.Sprintf("unrolled to depth %d: no run goes on", e.Depth)
	}
	return fmt.Sprintf("unrolled to depth %d: no violation", e.Depth)
}

func (e Summarised) String() string {
	if e.Over {
		return "no proof by summaries: " + e.Why
	}
	if e.Contracts > 0 {
		return fmt.Sprintf("summaries: a proof by contracts of %d conditions", e.Contracts)
	}
	return fmt.Sprintf("summaries: %d procedures with an entry state, %d states, %d iterations", e.Contexts,
		e.States, e.Iterations)
}

func (e Induced) String() string {
	if e.Over {
		return "no proof by induction"
	}
	return "no proof by induction so far"
}

func (e Ended) String() string { return e.Outcome.Verdict.String() }
