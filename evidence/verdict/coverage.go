package verdict

import "magus/cfa"

// A Coverage is how much of a component a proof is about: of the statements in sight,
// those that the proof could not exclude.
type Coverage struct {
	Component  string
	Statements []Covered // in sight, those of one procedure in the order of its text
	Reached    int       // of them
	// Returns says that the component's procedure has an end that control may come to,
	// as far as its text tells; ReturnReached, that it is reached.
	Returns, ReturnReached bool
	// EndLost is what keeps every run from that end, where it is no loop of the
	// program.
	EndLost cfa.Blocker
	// Endless are calls of procedures that loop for ever, with something behind them.
	Endless []Endless
}

// An Endless is a call from which no run comes back.
type Endless struct {
	Callee string
	Pos    cfa.Pos
	Behind int // the statements behind it that are never reached for that
}

// A Covered is a statement in sight.
type Covered struct {
	Pos     cfa.Pos
	Proc    string
	Reached bool
	// Because is the first blocker on the way to a statement that is not reached.
	Because cfa.Blocker
	// Lost says that the blocker is a stop, and not only a condition of the program
	// that always has one value.
	Lost bool
}

// Lost counts the statements that are behind a stop.
func (c *Coverage) Lost() int {
	n := 0
	for _, st := range c.Statements {
		if st.Lost {
			n++
		}
	}
	return n
}

// A Doubt is why a proof may be about less than it seems.
type Doubt struct {
	Kind DoubtKind
	Text string // one line, without the place
	Pos  cfa.Pos
}

// A DoubtKind says of what kind a doubt is.
type DoubtKind string

// The kinds of doubts.
const (
	NoEnd      DoubtKind = "end"         // no run gets to the end of a component
	Little     DoubtKind = "little"      // most statements are behind a stop
	NeverBack  DoubtKind = "call"        // no run comes back from a call
	Invalid    DoubtKind = "pointer"     // no run passes the use of a pointer
	NoAction   DoubtKind = "action"      // the claim mentions an action that no component has
	Unobserved DoubtKind = "unobserved"  // the claim observes nothing that a component does
	NotSet     DoubtKind = "initialiser" // globals that a procedure which is never called would have set
)
