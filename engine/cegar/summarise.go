package cegar

// Proofs by summaries as a method of a session.
//
// Idea: calls are inlined, which is exact and mostly small. Where it is not, the bodies of procedures stand once
// (package lower): then all methods work on that automaton, and summaries (package summaries) have their share
// first. Where procedures call themselves, the others go on with recursion inlined to a depth, and summaries
// have shares after them: a proof that is found soon has a certificate.
//
// Source: package summaries has that of the method. Cost: its share; an automaton of its own where there is
// recursion.

import (
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/engine/contracts"
	"magus/engine/portfolio"
	"magus/engine/summaries"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

// Calls says what becomes of calls.
type Calls int

// CallsAuto is the zero value.
const (
	CallsAuto      Calls = iota // inlined, unless that is large; with recursion also by summaries
	CallsInline                 // inlined, recursion to a depth
	CallsSummaries              // to bodies that stand once
)

// CallsNames are the names of the ways in their order.
func CallsNames() []string { return []string{"auto", "inline", "summaries"} }

// CallsOf is the way of a name; CallsAuto where there is none of that name.
func CallsOf(name string) Calls { return Calls(max(0, slices.Index(CallsNames(), name))) }

// manyLocations is the number of control locations beyond which calls are not inlined without need.
const manyLocations = 50_000

// summarised is what is known of summaries.
type summarised struct {
	question *question // of an automaton for summaries only; nil if there is none yet
	search   *summaries.Search
	err      error // why there is none
	// of a component that calls itself; nil where there is none
	contracts   *contracts.Search
	noContracts string     // why there are none
	conditions  int        // of the contracts that are a proof
	tried, went bodyShares // of contracts, and of summaries
	known       map[portfolio.Effort]summaries.Answer
	at          portfolio.Effort
	last        summaries.Answer
}

// bodyShares are what one of the two had.
type bodyShares struct {
	shares  int
	used    portfolio.Effort
	givenUp error
}

// A summaryProof is a proof by summaries about the component of a question.
type summaryProof struct {
	question  *question
	search    *summaries.Search
	contracts *contracts.Search // that have proved it; nil if summaries have
}

// begin asks the first question: calls are inlined, or lead to bodies that stand once. An automaton of these in
// which a procedure calls itself is for summaries only. Where calls cannot be inlined besides, the question has
// no components.
func (t *task) begin(ctx context.Context) (*question, error) {
	low := t.opt.modelling(t.opt.Recursion, t.opt.Inlined)
	joined, err := t.claim.Joined(ctx, low, func(p *expr.Pool) (solver.Full, error) { return OpenSolver(p, t.opt.Solver) })
	if err != nil {
		return &question{claim: t.claim, opt: t.opt, actions: t.actions, low: low, layers: &layers{}}, err
	}
	t.claim = joined
	first := t.opt.SharedBodies || t.calls() == CallsSummaries
	if !t.mayShare() {
		return t.ask(ctx, low)
	}
	if !first {
		low.MaxLocations = manyLocations
		q, err := t.ask(ctx, low)
		var refused *cfa.UnsupportedError
		if q.low.MaxLocations = 0; !errors.As(err, &refused) || !refused.TooLarge {
			return q, err
		}
		low.MaxLocations = 0
	}
	once, err := t.ask(ctx, t.opt.once(t.opt.Inlined))
	switch {
	case err != nil && !isUnsupported(err):
		return once, err
	case err == nil && !once.comps[0].CFA.Recursive():
		return once, nil
	case err == nil:
		t.summaries.question = once
	}
	q, err := t.ask(ctx, low)
	if t.summaries.question != nil && isUnsupported(err) && len(q.comps) == 0 && t.summarises() &&
		!q.spec.HasError() {
		return q, nil
	}
	return q, err
}

// once are the options of an automaton in which bodies stand once.
func (o Options) once(inlined []string) modelling {
	m := o.modelling(0, inlined)
	m.SharedBodies = true
	return m
}

// calls is what becomes of calls.
func (t *task) calls() Calls {
	if t.opt.Engine.bodies() {
		return CallsSummaries
	}
	return t.opt.Calls
}

// mayShare reports whether bodies may stand once: in one component that nobody else looks at, and where memory
// need not be told apart by calls.
func (t *task) mayShare() bool {
	c, low := t.claim, &t.claim.Lowering
	single := len(c.Procedures) == 1 && !c.IsJoint() && c.CopiesOf(0) == 1 && t.opt.Product == nil && t.opt.Threads == 0
	return single && t.calls() != CallsInline && !c.AsksStanding() && c.Relation != component.Simulation &&
		low.Observer == nil && low.Frame == nil &&
		!t.opt.CheckPointers && !t.opt.CheckLeaks
}

func isUnsupported(err error) bool {
	var refused *cfa.UnsupportedError
	return errors.As(err, &refused)
}

// summarising are the summaries as a method of a session.
type summarising struct {
	*task
	at portfolio.Effort // that it was granted
}

// Name implements [portfolio.Method].
func (s *summarising) Name() string { return SummariesMethod }

// The names of the method, and of what comes before it.
const (
	SummariesMethod = "summaries"
	ContractsMethod = "contracts"
)

// Rewind implements [portfolio.Rewinder].
func (s *summarising) Rewind(granted portfolio.Effort) { s.at = granted }

// Advance implements [portfolio.Method].
func (s *summarising) Advance(ctx context.Context, share portfolio.Effort) methodEvent {
	before := s.summaries.effort()
	a, err := s.summarise(ctx, s.at+share)
	used := portfolio.Effort(s.summaries.effort() - before)
	why, known := verdict.Of(err)
	switch {
	case err != nil && ctx.Err() == nil && known:
		return gaveUp{Used: used, Why: &givenUp{Summarised{Over: true, Why: why.Text}, err}}
	case err != nil:
		return s.eventOf(ctx, used, nil, "", err)
	}
	if s.at > portfolio.Unlimited-share {
		share = portfolio.Unlimited - s.at
	}
	s.at += share
	switch e := (Summarised{Contexts: a.Contexts, States: a.States, Iterations: a.Iterations,
		Contracts: s.summaries.conditions}); {
	case a.Proved:
		s.summary = &summaryProof{question: s.question, search: s.summaries.search}
		if s.summaries.conditions > 0 {
			s.summary.contracts = s.summaries.contracts
		}
		if !s.low.SharedBodies {
			s.summary.question = s.summaries.question
		}
		s.covered = s.summaries.taken()
		if len(s.comps) == 0 {
			e := s.end(verdict.Conforms, verdict.Reason{})
			s.reach().examine(s.outcome)
			return s.eventOf(ctx, used, e, atEnd, nil)
		}
		s.withoutPredicates()
		return s.eventOf(ctx, used, s.conforms(notLooked), atEnd, nil)
	case a.GivenUp != nil:
		e.Over, e.Why = true, a.GivenUp.Error()
		return gaveUp{Used: used, Why: &givenUp{e, a.GivenUp}}
	default:
		return s.eventOf(ctx, used, e, yields, nil)
	}
}

// why is why they have given up.
func (s *summarised) why() string {
	switch {
	case s.err != nil:
		return s.err.Error()
	case s.last.GivenUp != nil:
		return s.last.GivenUp.Error()
	}
	return "the effort is spent"
}

// taken are the edges that the proof takes for possible.
func (s *summarised) taken() []bool {
	if s.last.Proved && s.conditions > 0 {
		return s.contracts.Taken()
	}
	return s.search.Taken()
}

func (s *summarised) effort() int64 {
	if s.search == nil {
		return 0
	}
	effort := s.search.Effort()
	if s.contracts != nil {
		effort += s.contracts.Made()
	}
	return effort
}

// summarise has the search go on until it was given so much in all.
func (t *task) summarise(ctx context.Context, effort portfolio.Effort) (summaries.Answer, error) {
	s := t.summaries
	if a, known := s.known[effort]; known {
		return a, nil
	}
	if s.search == nil && s.err == nil {
		search, err := t.newSummaries(ctx)
		if ctx.Err() != nil {
			return summaries.Answer{}, context.Cause(ctx)
		}
		s.search, s.err = search, err
		if err == nil {
			s.contracts, err = t.newContracts(ctx)
			if err != nil {
				return summaries.Answer{}, err
			}
		}
	}
	if s.err != nil || effort <= s.at && s.known != nil {
		return s.last, s.err
	}
	a, over, err := summaries.Answer{}, false, error(nil)
	if by := t.opt.Engine.methods(); by.summaries && s.known == nil {
		a, err = s.explore(ctx, s.search.Effort()+earlySummaries)
	}
	if err == nil && !a.Proved {
		a, over, err = s.contract(ctx, int64(effort))
	}
	if err == nil && over && t.opt.Engine.methods().summaries {
		a, err = s.explore(ctx, int64(effort))
	}
	if err != nil {
		return a, err
	}
	if s.known == nil {
		s.known = map[portfolio.Effort]summaries.Answer{}
	}
	s.known[effort], s.at, s.last = a, effort, a
	return a, nil
}

// newSummaries is the search over an automaton in which bodies stand once: the question's, or one of its own.
func (t *task) newSummaries(ctx context.Context) (*summaries.Search, error) {
	q := t.question
	if !q.low.SharedBodies {
		if t.summaries.question == nil {
			once, err := t.ask(ctx, t.opt.once(q.inlined))
			if err != nil {
				return nil, err
			}
			t.summaries.question = once
		}
		q = t.summaries.question
	}
	spec, err := lts.Determinize(ctx, q.system.Followed, lts.Limits{})
	if err != nil {
		return nil, err
	}
	return summaries.New(ctx, q.comps[0].Component, q.comps[0].solver, spec,
		summaries.Limits{Iterations: t.opt.MaxIterations, States: t.opt.MaxStates})
}

// contract has contracts go on, and reports whether they have come to an end without a proof: then summaries go on.
// Both count what the decision procedure does.
func (s *summarised) contract(ctx context.Context, effort int64) (_ summaries.Answer, over bool, err error) {
	if s.contracts == nil {
		return summaries.Answer{GivenUp: &summaries.Failure{Why: s.noContracts}}, true, nil
	}
	before := s.effort()
	a, err := s.contracts.Go(ctx, effort)
	s.tried.add(s.effort()-before, a.GivenUp)
	if a.Proved {
		s.conditions = max(1, a.Conditions)
	}
	return summaries.Answer{Proved: a.Proved, Procedures: a.Procedures, GivenUp: a.GivenUp}, a.GivenUp != nil, err
}

// earlySummaries is what summaries have before contracts, which may take a hundred times as much.
const earlySummaries = 1 << 16

// explore has summaries go on.
func (s *summarised) explore(ctx context.Context, effort int64) (summaries.Answer, error) {
	before := s.effort()
	a, err := s.search.Go(ctx, effort)
	s.went.add(s.effort()-before, a.GivenUp)
	return a, err
}

// add notes a share, if anything was done with it.
func (h *bodyShares) add(made int64, givenUp error) {
	if h.givenUp == nil {
		h.shares, h.used, h.givenUp = h.shares+1, h.used+portfolio.Effort(made), givenUp
	}
}

// newContracts is a search for contracts over the automaton of the summaries; nil if that is none for it.
func (t *task) newContracts(ctx context.Context) (*contracts.Search, error) {
	q := t.question
	if !q.low.SharedBodies {
		q = t.summaries.question
	}
	alone := t.opt.Engine == ContractsEngine
	if !t.opt.Engine.methods().contracts || !alone && !q.comps[0].CFA.Recursive() {
		return nil, nil
	}
	spec, err := lts.Determinize(ctx, q.system.Followed, lts.Limits{})
	if err != nil {
		return nil, err
	}
	search, err := contracts.New(ctx, q.comps[0].Component, q.comps[0].solver, spec)
	var none *contracts.Failure
	if errors.As(err, &none) {
		t.summaries.noContracts = none.Why
		return nil, nil
	}
	return search, err
}

// errNoCertificate is why there is none.
var errNoCertificate = errors.New("a proof by summaries has no certificate where the specification has more than one state")

// summarisable reports whether summaries may have shares beside the others from the beginning, or alone.
func (t *task) summarisable() (beside, alone bool) {
	if !t.mayProve() {
		return false, false
	}
	return t.low.SharedBodies || t.summaries.question != nil, t.opt.Engine.bodies() || len(t.comps) == 0
}

// summarises reports whether summaries or contracts have a part.
func (t *task) summarises() bool {
	m := t.opt.Engine.methods()
	return m.summaries || m.contracts
}

// mayProve reports whether summaries are asked for, and may be a proof.
func (t *task) mayProve() bool {
	return t.summarises() && t.mayShare() && !t.spec.HasError()
}
