package cegar

// A session: the loop as a machine that performs one phase a step.
//
// Idea and source: Chaki et al., Efficient Verification of Sequential and
// Concurrent C Programs, FMSD 25 (2004), section 4, figure 1. Abstract every
// component by predicates (MP_i) and by actions (MA_i), check MA_1 ‖ … ‖ MA_n ⊑
// Spec, project a counterexample on each component, look for it in MP_i and then
// in C_i, and refine in one component the level that was too coarse.
//
// Deviations: level two works on the weak visible traces of MP_i, so that
// chains of τ cost nothing (package actionref); when MP_i changes, MA_i starts
// from the initial partition again and is refined at once by the traces that
// were refuted before; level two can be left out, MP_i then stands for MA_i
// (the paper's PredOnly). A violation is replayed by a concrete interpreter.
//
// Cost: see the packages; the loop itself keeps one model per component.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/engine/bounded"
	"magus/engine/portfolio"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
	"magus/predabs"
	"magus/smt/solver"
)

// A Session works on one claim: it shares effort among the methods that may decide it.
type Session struct {
	*task
	portfolio *portfolio.Session[*verdict.Outcome]
}

// A task is a claim, and all that the methods of a session know of it.
type task struct {
	claim     *component.Claim
	opt       Options
	actions   *lts.Actions
	twoLevels bool          // level two is on
	solvers   []solver.Full // of all components that were made
	earlier   earlier       // what an earlier session left
	summaries *summarised
	state
}

// state is what the methods of a session change, but for the components. What
// its fields lead to is never changed, only replaced or appended to. Its methods
// say what is known at one moment, and do the parts of phases that need no more.
type state struct {
	*question
	phase    Phase // that comes next
	rounds         // of shares
	examined       // the counterexample found last
	recursion
	inlining
	smaller
	layered
	made     portfolio.Effort   // by the loop, in the unit of package bounded
	givenUp  int                // abstractions that were given up so that the others have a share
	rebuilt  []int              // components whose MP was built last
	stuck    *verdict.Reason    // why the loop is at its end; nil if it is not
	stats    verdict.Stats      // but for what the components count
	checked  composition        // of the last check
	violated *witness.Violation // the counterexample, replayed
	outcome  *verdict.Outcome   // nil before the end
	within   *Session           // has the proof, about one element of each array; nil if there is none
	// confirmation is that of the first proof; nil before it
	confirmation *verdict.Confirmation
}

// layered is what the methods over the layers of a component have found.
type layered struct {
	bounded     bool            // the bounded search decided
	accelerated bool            // with many rounds of a loop as one step
	unrolled    int             // layers that it has searched
	searched    int             // layers in which all runs end: the claim's proof; 0 if there is none
	summary     *summaryProof   // the claim's; nil if there is none
	steps       int64           // steps of the only run, which is the claim's proof; 0 if it is not
	unrun       string          // why the only run has not answered; "" if it has, or was not asked
	tooFar      bool            // that is an error which is too far away to be told
	covered     []bool          // edges of the control graph that a run takes within them
	induced     *bounded.Proof  // the claim's; nil if there is none
	by          bounded.Means   // of the induction, that have found it
	means       [numMeans]means // shares of the induction's
}

// NewSession lowers the claim's components and binds the specification to
// them. C that is not modelled is no error: the session's first Step ends it
// with the verdict unknown and the position. An error means that the input is
// wrong (a guard with a name that nothing defines, say), or that ctx ended.
func NewSession(ctx context.Context, c *component.Claim, opt Options) (*Session, error) {
	t, err := newTask(ctx, c, opt)
	if err != nil {
		return nil, err
	}
	s := &Session{t, portfolio.New(opt.Engine.Name(), portfolio.Rule(current{t}), t.methods()...)}
	if s.outcome != nil {
		s.finish()
	}
	return s, nil
}

// newTask is a claim about which nothing is known. It is at its end if C is not modelled.
func newTask(ctx context.Context, c *component.Claim, opt Options) (*task, error) {
	if opt.lowered == nil {
		opt.lowered = &component.Lowered{}
	}
	t := &task{claim: c, opt: opt, actions: lts.NewActions(), summaries: &summarised{}}
	if c.Question == component.NoRace {
		return nil, &component.InputError{Pos: c.Pos, Msg: string(c.Question) +
			" is a question about threads, which this way of checking knows none of"}
	}
	several := len(c.Procedures) > 1 || slices.ContainsFunc(c.Copies, func(n int) bool { return n != 1 })
	t.twoLevels = opt.ActionAbstraction == On || opt.ActionAbstraction == Auto && several
	q, err := t.begin(ctx)
	t.question = q
	var unsupported *cfa.UnsupportedError
	if errors.As(err, &unsupported) {
		r, _ := verdict.Of(err)
		t.end(verdict.Unknown, r)
		return t, nil
	}
	if err != nil {
		return nil, err
	}
	if c.AsksRuns() {
		t.end(verdict.Unknown, verdict.Reason{Kind: verdict.NoProof,
			Text: "it is asked of whole runs, which this way of checking does not look at"})
		return t, nil
	}
	t.twoLevels = t.twoLevels && !t.asksSimulation()
	beside, alone := t.summarisable()
	t.rounds = newRounds(opt, t.askable(), t.followable(), t.executable(), beside, alone)
	switch {
	case t.due == summariesMethod && !beside && !alone:
		return nil, &component.InputError{Pos: c.Pos, Msg: opt.Engine.String() +
			" are of claims about traces of one component, where neither pointers nor leaks are checked"}
	case t.opt.Engine == CellsEngine && !t.cells:
		t.end(verdict.Unknown, verdict.Reason{Kind: verdict.NoProof, Text: "a proof about " + opt.Engine.String() +
			" is of claims about errors in one component that reads memory without variables, or whose leaks are " +
			"looked for where it allocates more than is told apart"})
		return t, nil
	case t.opt.Engine == ExecutionEngine && !t.executes:
		t.end(verdict.Unknown, verdict.Reason{Kind: verdict.NoProof, Text: "a proof by " + opt.Engine.String() +
			" is of claims about errors in one component"})
		return t, nil
	case t.due != loopMethod && t.due != summariesMethod && !t.others:
		return nil, &component.InputError{Pos: c.Pos, Msg: opt.Engine.String() +
			" is of claims about one component and a specification without ERROR"}
	}
	t.phase = t.phaseOf(t.due)
	return t, nil
}

// Close frees the decision procedures. The session is not used afterwards.
func (s *Session) Close() {
	for _, sv := range s.solvers {
		_ = sv.Close() // nothing is lost with a solver
	}
}

// Next is the phase that the next Step performs.
func (s *Session) Next() Phase { return s.phase }

// Run steps until the end. observe, if not nil, sees every event.
func (s *Session) Run(ctx context.Context, observe func(Event)) *verdict.Outcome {
	for {
		e := s.Step(ctx)
		if observe != nil {
			observe(e)
		}
		if end, ok := e.(Ended); ok {
			return end.Outcome
		}
	}
}

// Step performs one phase and says what happened. Once it has returned Ended
// it returns the same Ended again. A context that ends makes the outcome
// unknown, with the reason of the context's cause; see [Session.Try] for a step
// that can be taken again.
func (s *Session) Step(ctx context.Context) Event {
	e, err := s.attempt(ctx)
	if err != nil {
		s.stop(verdict.Stopped(ctx))
		return s.confirm(ctx, s.finish())
	}
	return e
}

// attempt performs one phase. The error is the cause with which ctx ended.
func (s *Session) attempt(ctx context.Context) (Event, error) {
	if s.phase == Finished {
		return Ended{s.outcome}, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	before := s.audit.before(s)
	e, err := s.advance(ctx)
	if err == nil {
		e = s.confirm(ctx, e)
		err = s.audit.after(ctx, s, before, e)
	}
	switch {
	case err == nil:
		return e, nil
	case isFault(err):
		s.end(verdict.Unknown, reason(err))
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	default:
		s.stop(reason(err))
	}
	return s.confirm(ctx, s.finish()), nil
}

// advance has the method whose share it is go on. The error is the cause with which ctx ended.
func (s *Session) advance(ctx context.Context) (Event, error) {
	method, performed := s.due, s.phase
	step := s.portfolio.Step(ctx)
	if s.outcome != nil {
		return s.finish(), nil
	}
	e := told(step.Event)
	if e == nil {
		return nil, context.Cause(ctx)
	}
	_, goesOn := step.Event.(paused)
	switch e := e.(type) {
	case RecursionFollowed:
		s.renew(goesOn)
		if s.beside = s.mayProve(); !s.low.SharedBodies && s.opt.Calls == CallsAuto {
			s.late = lateSummaries
		}
	case BodyInlined:
		s.renew(goesOn)
	case Unrolled:
		if e.Found { // the loop goes on alone, or looks at a body
			s.granted = s.effort
			s.begin()
			if s.phase = AbstractData; e.Body != "" {
				s.phase = InlineBody
			}
			return e, nil
		}
	case Executed:
		if e.Deeper && s.opt.Cells == "" {
			s.granted = s.effort
			s.begin()
			s.phase = FollowRecursion
			return e, nil
		}
	}
	atBound := s.opt.Bound > 0 && s.unrolled >= s.opt.Bound
	s.rounds = s.rounds.after(method, step.Event, s.portfolio.Rows(), atBound)
	if s.due == nobody {
		s.phase = performed
		s.end(verdict.Unknown, s.undecided())
		return s.finish(), nil
	}
	if !goesOn {
		s.phase = s.phaseOf(s.due)
	}
	return e, nil
}

// begin has the loop go on, whoever was due.
func (s *Session) begin() {
	s.due = loopMethod
	s.portfolio.Begin(loopMethod, s.share(s.portfolio.Rows()))
}

// renew has the others begin anew with another question. A share of the loop that goes on is as long as they
// now let it be.
func (s *Session) renew(goesOn bool) {
	s.others, s.cells, s.executes = s.askable(), s.followable(), s.executable()
	for i, m := range s.methods() {
		if i != loopMethod && i != summariesMethod {
			s.portfolio.Replace(i, m)
		}
	}
	if goesOn {
		s.begin()
	}
}

// phaseOf is the phase with which a share of a method begins.
func (s *state) phaseOf(method int) Phase {
	return [...]Phase{loopMethod: AbstractData, searchMethod: Unroll, inductionMethod: Induct, cellsMethod: Follow,
		summariesMethod: Summarise, executionMethod: Execute}[method]
}

// undecided is why no method goes on.
func (s *task) undecided() verdict.Reason {
	m := s.opt.Engine.methods()
	switch {
	case s.alone:
		by := SummariesMethod
		if s.opt.Engine == ContractsEngine {
			by = ContractsMethod
		}
		return verdict.Reason{Kind: verdict.NoProof, Text: "no proof by " + by + ": " + s.summaries.why()}
	case s.stuck != nil:
		return *s.stuck
	case m.search:
		return verdict.Reason{Kind: verdict.Depth,
			Text: fmt.Sprintf("no violation closes fewer than %d loops (--bound %d)", s.unrolled, s.opt.Bound)}
	}
	why := verdict.Reason{Kind: verdict.NoProof, Text: "no proof by " + m.sentence}
	if s.unrun != "" {
		why.Text += ": " + s.unrun
	}
	return why
}

// finish is the last event of a session. Its outcome tells of the methods.
func (s *Session) finish() Event {
	s.outcome.Methods = s.methodRows(s.outcome.Verdict)
	return Ended{s.outcome}
}

// reason is that for which a phase has failed.
func reason(err error) verdict.Reason {
	var states *predabs.ErrStates
	if r, ok := verdict.Of(err); ok {
		return r
	}
	switch {
	case isFault(err):
		return verdict.Reason{Kind: verdict.Fault, Text: err.Error()}
	case errors.As(err, &states):
		return verdict.Reason{Kind: verdict.States, Text: err.Error()}
	}
	return verdict.Reason{Kind: verdict.Solver, Text: err.Error()}
}

// stop ends early: with the verdict if there is one, for then only the size of
// the sets was left to improve.
func (s *task) stop(why verdict.Reason) Event {
	if s.proved {
		return s.conforms(why.Text)
	}
	why = s.followed(s.depth, why)
	return s.end(verdict.Unknown, why)
}

// end finishes the session.
func (s *task) end(v verdict.Verdict, why verdict.Reason) Event {
	if v == verdict.Unknown && s.tooFar && s.opt.Engine != ExecutionEngine {
		why.Text += " (the only run: " + s.unrun + ")"
	}
	var divergence *verdict.Divergence
	if v == verdict.Unknown && isDivergence(why.Kind) {
		divergence = s.Divergence(why.Kind)
	}
	s.phase = Finished
	s.status = s.status.atEnd(v == verdict.Conforms, v == verdict.Violates)
	s.outcome = &verdict.Outcome{Claim: s.claim.Name, Relation: string(s.claim.Relation), Verdict: v, Reason: why,
		Components:  s.claim.Procedures,
		Assumptions: s.assumptions(), Loop: s.described(), Doubts: s.names(), Divergence: divergence,
		ByTraces: s.question != nil && s.system != nil && s.system.ByTraces}
	return Ended{s.outcome}
}
