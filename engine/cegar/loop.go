package cegar

// The loop: its phases, and which of them follows which.
//
// Idea: the loop is a method of a portfolio that performs one phase and pauses. Between two iterations,
// where its share is used up, the others have theirs. While they wait for it, what takes long is put off.

import (
	"context"
	"fmt"

	"magus/engine/portfolio"
)

// A Phase is one step of a session: of the loop, or a share of another method.
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
	InlineBody                   // the components once more, with a body instead of an abstraction
	Unroll                       // the bounded search, for a while
	Induct                       // the induction, for a while
	Follow                       // a session about one element of each array, for a while
	Summarise                    // the summaries, for a while
	Execute                      // the only run, for a while
	Finished                     // the outcome is there
)

// String is the phase's name in progress lines and tables.
func (p Phase) String() string {
	return [...]string{"abstract data", "abstract events", "verify", "validate MP", "validate C",
		"refine events", "refine data", "follow recursion", "inline a body", "unroll", "induct",
		"follow an element", "summarise", "execute", "finished"}[p]
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
	yields         result = "yields"         // the share is at its end
	tooDeep        result = "too deep"       // every component has it, and one has come to where recursion is not followed
	// every component has it, and it rests on what an abstracted routine's body writes
	needsBody result = "needs body"
	stuck     result = "stuck"      // the loop is at its end
	atEnd     result = "at the end" // the outcome is there
)

// LoopMethod is the name of the loop.
const LoopMethod = "loop"

// loop is the two-level loop as a method.
type loop struct {
	*task
	share portfolio.Effort // that is left
}

// Name implements [portfolio.Method].
func (l *loop) Name() string { return LoopMethod }

// Advance implements [portfolio.Method]: it performs one phase.
func (l *loop) Advance(ctx context.Context, share portfolio.Effort) methodEvent {
	before := l.made
	l.share = share
	e, r, err := l.perform(ctx)
	used := l.made - before
	if r == stuck {
		return gaveUp{Used: used, Why: &givenUp{e, l.stuck}}
	}
	return l.eventOf(ctx, used, e, r, err)
}

// works counts an effort of the loop.
func (l *loop) works(effort portfolio.Effort) {
	l.made += effort
	l.share -= effort
}

// waiting reports whether others wait for a share.
func (l *loop) waiting() bool { return l.share < portfolio.Unlimited/2 && !l.proved }

// phases says of each phase of the loop what it does and what follows.
var phases = [...]struct {
	perform func(*loop, context.Context) (Event, result, error)
	next    map[result]Phase
}{
	AbstractData: {(*loop).abstractData, map[result]Phase{oneLevel: Verify, twoLevels: AbstractEvents,
		yields: AbstractData}},
	AbstractEvents: {(*loop).abstractEvents, map[result]Phase{done: Verify}},
	Verify: {(*loop).verify, map[result]Phase{contained: RefineData, counterexample: ValidateMP,
		atEnd: Finished}},
	ValidateMP: {(*loop).validateMP, map[result]Phase{spurious: RefineEvents, genuine: ValidateC}},
	ValidateC: {(*loop).validateC, map[result]Phase{spurious: RefineData, stuck: AbstractData,
		tooDeep: FollowRecursion, needsBody: InlineBody, atEnd: Finished}},
	RefineEvents: {(*loop).refineEvents, map[result]Phase{done: Verify}},
	RefineData: {(*loop).refineData, map[result]Phase{done: AbstractData, yields: AbstractData, stuck: AbstractData,
		atEnd: Finished}},
	FollowRecursion: {(*loop).followRecursion, map[result]Phase{done: AbstractData, yields: AbstractData,
		atEnd: Finished}},
	InlineBody: {(*loop).inlineBody, map[result]Phase{done: AbstractData, yields: AbstractData, atEnd: Finished}},
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
func (s *loop) perform(ctx context.Context) (Event, result, error) {
	now := s.phase
	if now >= Unroll { // shares of other methods were before
		now = AbstractData
	}
	e, r, err := phases[now].perform(s, ctx)
	if err != nil {
		return nil, "", err
	}
	next, ok := phases[now].next[r]
	if !ok {
		panic(fmt.Sprintf("cegar: nothing follows %v with the result %q", now, r))
	}
	s.phase = next
	s.status = s.status.after(now, r)
	return e, r, nil
}

// after goes on to the phase that follows an act. A loop that was at its end need not be
// any more.
func (s *Session) after(a act) {
	s.phase, s.reducing, s.stuck, s.elements = following[a], false, nil, false
	s.begin()
	if a == selectCounterexample {
		s.status = Open
	} else if s.status != "" {
		s.status = Past
	}
}
