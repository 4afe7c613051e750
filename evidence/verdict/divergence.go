package verdict

import "magus/cfa"

// A Divergence says how a check did not come to an end: what each iteration of the two-level loop
// does once more, how deep the bounded search has looked, and what may help.
type Divergence struct {
	Phase     string // the one that was not finished, or gave no answer
	Iteration int    // of the loop
	Component string // that was refined last; "" if none was
	// Loops are those of the program that the refuted paths run through more often from
	// iteration to iteration.
	Loops []Unrolled
	// Path is the last refuted path, Failed the conditions on it that contradict each
	// other.
	Path   []PathPart
	Steps  int // of the path
	Failed []FailedCondition
	// Growing are families of predicates, one more with each iteration.
	Growing []Family
	// Depth is to how many closed loops the bounded search has looked at all runs, 0 if it had
	// no share of the effort; Heads are where the loops of its component begin.
	Depth  int
	Heads  []cfa.Pos
	Advice []Advice
}

// An Unrolled loop of the program.
type Unrolled struct {
	Pos    cfa.Pos // of its head
	Proc   string  // that it stands in
	Rounds []int   // how often the last refuted paths run through it, in their order
}

// A PathPart is lines that a path runs through, as often as Times says.
type PathPart struct {
	File  string
	Lines []int
	Times int
}

// A FailedCondition is one that a path needs and that cannot hold there.
type FailedCondition struct {
	Text string
	Pos  cfa.Pos
}

// A Family is predicates that differ in one number.
type Family struct{ Members []string }

// An Advice is what may help.
type Advice struct {
	Kind AdviceKind
	Text string
}

// An AdviceKind says what it is about.
type AdviceKind string

// The kinds of advice.
const (
	AdvisePredicate   AdviceKind = "predicate"   // name one in the specification
	AdviseAbstraction AdviceKind = "abstraction" // describe a procedure instead of looking into it
	AdviseSearch      AdviceKind = "search"      // look for violations deep before broad
	AdviseBudget      AdviceKind = "budget"      // a greater one
	AdviseEngine      AdviceKind = "engine"      // have another one decide
	AdviseLook        AdviceKind = "look"        // step through the check
)
