package cfa

import "magus/smt/expr"

// A Message is what an action carries: a number, or the members of a structure. Who sends it gives the values; who
// receives it goes on with assignments of any values to what Gets, in their order, so that an automaton alone has all
// runs that it has with whatever others send.
//
//	0: send a(x) -> 1                      0: receive a -> 1
//	                                       1: v = ? // a -> 2
//
// Each component of a [Joint] takes the value that is sent instead.
type Message struct {
	Channel string // as the source has it
	Sends   bool
	Parts   []Carried
}

// A Carried is a number that an action carries.
type Carried struct {
	Path  string     // of a member, .seq or .head[2].kind; "" where the message is one number
	Type  expr.Type  // where it is sent, or as it is received
	Value *expr.Expr // that is sent; nil where it is received
	Gets  *expr.Expr // the variable that what is received goes to; nil: nobody looks at it, or it is sent
}

// A Joint is what one automaton for several components that exchange messages with values was made of. Each
// is a frame of its own below frame 0, with what it calls below it; the order is that of Parts.
type Joint struct {
	Parts []JointPart
	// Threads says that the parts are threads of one program, and not components.
	Threads bool
	// Of says by location whose statement it is: the index of a part; -1 where it is of none, or of several.
	Of []int
	// Exchanges are the locations of messages, and of actions that several perform at once, by location.
	Exchanges map[Loc]Exchange
	// Deadlocks are the locations where all wait for ever, or say what they offer, with what each part does there.
	Deadlocks map[Loc][]JointStand
	// Offered are, at such a location where others than the parts may go on, the actions that are offered.
	Offered map[Loc][]string
	// Opens are the locations that only lead to an exchange: they choose what comes next, or look at the value.
	Opens map[Loc]bool
	// Ready says by location which parts can go on there, as bits, where that is asked: by a step of their own,
	// or by an action at which all who take part in it are.
	Ready []uint64
}

// Assumes reports whether an assumption may fail somewhere in an automaton of several components, and where. What a
// component does alone is done at once there: a run in which it never comes to its assumption is not among those
// of the automaton. That matters where no component has to go on.
func (c *CFA) Assumes() (at Pos, is bool) {
	if c.Joint == nil {
		return at, false
	}
	for _, l := range c.Locs {
		if h, ok := l.Stmt.(Halt); ok && !h.Ends && !h.Waits {
			return l.Pos, true
		}
	}
	return at, false
}

// MostReady is how many parts Ready can tell apart.
const MostReady = 64

// Movers are the parts whose statement a location has, as bits.
func (j *Joint) Movers(l Loc) (set uint64) {
	if j.Of[l] >= 0 {
		set = 1 << j.Of[l]
	}
	for _, i := range j.Exchanges[l].Parts {
		set |= 1 << i
	}
	return set
}

// PartOf is the part that a frame belongs to; -1 for none.
func (j *Joint) PartOf(frame int) int {
	part := -1
	for i, p := range j.Parts {
		if p.Frame <= frame {
			part = i
		}
	}
	return part
}

// A JointStand is where a part stands still.
type JointStand struct {
	Ended   bool
	At      bool   // Pos, Frame and Action are known: it waits for others
	Action  string // as the source has it
	Message *Message
	Without []int // parts that take part and are elsewhere
	Pos     Pos
	Frame   int
}

// A JointPart is a component of a joint automaton.
type JointPart struct {
	Name    string
	Frame   int
	Globals []*expr.Expr
}

// An Exchange is an action that parts perform together.
type Exchange struct {
	Action string       // as the source has it
	Values []*expr.Expr // the variables that hold what it carries; nil for nothing
	Paths  []string     // by Values: the member; "" for one number
	Parts  []int        // who takes part, who sends first
	// Channel is that of a message, which the first Senders of Parts send.
	Channel string
	Senders int
	Pos     []Pos // by Parts: where
	Frames  []int
	Texts   []string
}
