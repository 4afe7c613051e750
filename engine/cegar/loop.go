package cegar

// The loop: its phases, and which of them follows which.

import (
	"context"
	"fmt"
)

// A Phase is one step of the loop.
type Phase int

// The phases in their order within an iteration.
const (
	AbstractData    Phase = iota // predicate abstraction: MP_i of the components whose predicates changed
	AbstractEvents               // action-guided abstraction: MA_i of the same
	Verify                       // MA_1 ‖ … ‖ MA_n ⊑ Spec
	ValidateMP                   // the counterexample's projections against each MP_i
	ValidateC                    // its paths against each C_i
	RefineEvents                 // figure 9 in one component
	RefineData                   // new predicates in one component
	FollowRecursion              // the components once more, with recursion followed deeper
	InlineBody                   // the components once more, with a body in the place of an abstraction
	Unroll                       // the bounded search, for a while
	Induct                       // the induction, for a while
	Finished                     // the outcome is there
)

// String is the phase's name in progress lines and tables.
func (p Phase) String() string {
	return [...]string{"abstract data", "abstract events", "verify", "validate MP", "validate C",
		"refine events", "refine data", "follow recursion", "inline a body", "unroll", "induct", "finished"}[p]
}

// A result is what a phase came to, as far as it decides what follows.
type result string

const (
	done           result = "done"           // there is only one way on
	oneLevel       result = "one level"      // MP is built, and level two is off
	twoLevels      result = "two levels"     // MP is built
	contained      result = "contained"      // the claim is proved
	counterexample result = "counterexample" // a trace that the specification does not allow
	spurious       result = "spurious"       // a component does not have it
	genuine        result = "genuine"        // every component has it
	tooLarge       result = "too large"      // an abstraction, before the bounded search had another turn
	falsify        result = "falsify"        // the bounded search has a turn
	again          result = "again"          // the bounded search goes on
	induct         result = "induct"         // the induction has a turn
	tooDeep        result = "too deep"       // every component has it, and one has come to where recursion is not followed
	// every component has it, and it rests on what an abstracted routine's body writes
	needsBody result = "needs body"
	ended     result = "ended" // the outcome is there
)

// loop says of each phase what it does and what follows.
var loop = [...]struct {
	perform func(*Session, context.Context) (Event, result, error)
	next    map[result]Phase
}{
	AbstractData: {(*Session).abstractData, map[result]Phase{oneLevel: Verify, twoLevels: AbstractEvents,
		tooLarge: Unroll}},
	AbstractEvents: {(*Session).abstractEvents, map[result]Phase{done: Verify}},
	Verify: {(*Session).verify, map[result]Phase{contained: RefineData, counterexample: ValidateMP,
		ended: Finished}},
	ValidateMP: {(*Session).validateMP, map[result]Phase{spurious: RefineEvents, genuine: ValidateC}},
	ValidateC: {(*Session).validateC, map[result]Phase{spurious: RefineData, falsify: Unroll,
		tooDeep: FollowRecursion, needsBody: InlineBody, ended: Finished}},
	RefineEvents: {(*Session).refineEvents, map[result]Phase{done: Verify}},
	RefineData:   {(*Session).refineData, map[result]Phase{done: AbstractData, falsify: Unroll, ended: Finished}},

	Unroll: {(*Session).unroll, map[result]Phase{done: AbstractData, again: Unroll, induct: Induct,
		needsBody: InlineBody, ended: Finished}},
	Induct: {(*Session).induct, map[result]Phase{done: AbstractData, again: Unroll, induct: Induct,
		ended: Finished}},
	FollowRecursion: {(*Session).followRecursion, map[result]Phase{done: AbstractData, ended: Finished}},
	InlineBody:      {(*Session).inlineBody, map[result]Phase{done: AbstractData, falsify: Unroll, ended: Finished}},
}

// An act is what people do to a session between two phases.
type act string

const (
	changePredicates     act = "change predicates"
	splitBlock           act = "split a block"
	selectCounterexample act = "select a counterexample"
)

// following says which phase follows an act, whichever was to come.
var following = map[act]Phase{changePredicates: AbstractData, splitBlock: Verify, selectCounterexample: ValidateMP}

// perform performs the phase that is next and goes on to the one after it.
func (s *Session) perform(ctx context.Context) (Event, error) {
	now := s.phase
	if isLoop(now) {
		s.works(0)
	}
	e, r, err := loop[now].perform(s, ctx)
	if err != nil {
		return nil, err
	}
	next, ok := loop[now].next[r]
	if !ok {
		panic(fmt.Sprintf("cegar: nothing follows %v with the result %q", now, r))
	}
	s.phase = next
	s.standing = s.standing.after(now, r)
	return e, nil
}

// after goes on to the phase that follows an act. A loop that was at its end need not be
// any more.
func (s *Session) after(a act) {
	s.phase, s.reducing, s.stuck = following[a], false, nil
	if a == selectCounterexample {
		s.standing = Open
	} else if s.standing != "" {
		s.standing = Past
	}
}
