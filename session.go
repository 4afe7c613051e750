package magus

// A session: the two-level loop as a machine that performs one phase a step.
//
// Idea and source: paper section 4, figure 1. Abstract every component by
// predicates (MP_i) and by actions (MA_i), check MA_1 ‖ … ‖ MA_n ⊑ Spec,
// project a counterexample on each component, look for it in MP_i and then in
// C_i, and refine in one component the level that was too coarse.
//
// Deviations: level two works on the weak visible traces of MP_i, so that
// chains of τ cost nothing (package actionref); when MP_i changes, MA_i starts
// from the initial partition again and is refined at once by the traces that
// were refuted before; level two can be left out, MP_i then stands for MA_i
// (the paper's PredOnly). A violation is replayed by a concrete interpreter.
//
// Cost: see the packages; the loop itself keeps one model per component.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/actionref"
	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/internal/expr"
	"magus/internal/solver"
	"magus/internal/solver/bitblast"
	"magus/internal/solver/checked"
	"magus/internal/solver/embedded"
	"magus/internal/solver/record"
	"magus/internal/solver/smtlib"
	"magus/lts"
	"magus/minimize"
	"magus/predabs"
)

// A Session works on one claim.
type Session struct {
	claim   *Claim
	opt     Options
	actions *lts.Actions
	spec    *lts.LTS          // with the components' returns observed, once all are bound
	system  *component.System // nil if the components could not be lowered
	comps   []*part
	two     bool   // level two is on
	audit   *audit // nil without Options.Check
	state
}

// state is what the phases of a session change, but for the components. What
// its fields lead to is never changed, only replaced or appended to.
type state struct {
	phase      Phase
	rebuilt    []int
	trace      []lts.Action        // the counterexample, all visible actions
	cex        *lts.Counterexample // as found
	paths      [][]lts.Edge        // per component, in MP_i
	refine     int                 // the component to refine
	proved     bool                // the claim holds with the sets in best; smaller ones are looked for
	reducing   bool                // the next refinement is to look for them
	turns      int                 // of the loop before the first proof
	bestStates int                 // product states of the best proof
	bestParts  *lts.Reduction      // compositional of the best proof
	stats      Stats
	replayed   *interp.ProgramRun // the violation
	outcome    *Outcome

	compositional *lts.Reduction // how the last check made the components smaller; nil if it did not
}

// part is one component with its two levels.
type part struct {
	*component.Component
	solver solver.Full
	abs    *predabs.Abstraction
	weigh  bool                                 // a candidate costs what it takes, not 1
	asked  map[predabs.Path]predabs.Feasibility // of the paths that were ever validated
	levels
}

// levels is what the phases change of a component, as state is of a session.
type levels struct {
	strategy minimize.Strategy
	kept     bool           // the strategy belongs to a snapshot as well
	set      []int          // chosen candidates
	loose    bool           // some were dropped by hand: paths that were eliminated may come back
	best     level          // with which the claim was proved
	paths    []predabs.Path // spurious paths so far
	cores    [][]int        // their unsatisfiable cores
	under    [][]int        // the sets that were chosen when they were found
	mp       *predabs.MP
	stale    bool                   // mp is not that of set
	ma       *actionref.Abstraction // nil if level two is off
	traces   [][]lts.Action         // refuted at level two
	splits   []Split                // of the partition, the last refinement's
	path     predabs.Path           // that was validated last
	feasible predabs.Feasibility    // and whether the component can take it
}

// NewSession lowers the claim's components and binds the specification to
// them. C that is not modelled is no error: the session's first Step ends it
// with the verdict unknown and the place. An error means that the input is
// wrong (a guard with a name that nothing defines, say), or that ctx ended.
func NewSession(ctx context.Context, c *Claim, opt Options) (*Session, error) {
	s := &Session{claim: c, opt: opt, actions: lts.NewActions()}
	s.two = opt.ActionAbstraction == On || opt.ActionAbstraction == Auto && len(c.Procedures) > 1
	err := s.prepare(ctx)
	var unsupported *cfa.UnsupportedError
	if errors.As(err, &unsupported) {
		s.end(Unknown, unsupported.Error())
		s.outcome.Pos = unsupported.Pos
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// prepare binds every component to the specification as the files have it, and
// puts them together.
func (s *Session) prepare(ctx context.Context) error {
	spec, err := s.claim.Spec(s.actions)
	if err != nil {
		return err
	}
	s.spec = spec
	var bound []*component.Component
	for i := range s.claim.Procedures {
		c, err := s.component(ctx, i, spec)
		if err != nil {
			return err
		}
		s.comps, bound = append(s.comps, c), append(bound, c.Component)
	}
	s.system = component.NewSystem(spec, bound)
	s.spec = s.system.Spec
	if s.opt.Check {
		s.audit = newAudit(s)
	}
	return nil
}

// component lowers and binds component i.
func (s *Session) component(ctx context.Context, i int, spec *lts.LTS) (*part, error) {
	auto, err := s.claim.Lower(ctx, i, s.opt.modelling())
	if err != nil {
		return nil, err
	}
	c := &part{asked: map[predabs.Path]predabs.Feasibility{}}
	c.stale = true
	if c.solver, err = s.solver(auto.Pool, s.claim.Procedures[i]); err != nil {
		return nil, err
	}
	if c.weigh, err = s.opt.weigh(); err != nil {
		return nil, err
	}
	if c.strategy, err = s.opt.strategy(s.opt.Strategy); err != nil {
		return nil, err
	}
	if c.Component, err = s.claim.Bind(ctx, i, auto, spec, c.solver); err != nil {
		return nil, err
	}
	c.abs = predabs.New(c.Component, c.solver, predabs.Options{Bound: s.opt.MaxPredicates, Global: s.opt.GlobalPredicates})
	return c, nil
}

// modelling says how calls and memory are modelled.
func (o Options) modelling() component.Options {
	return component.Options{StrictCalls: o.StrictCalls, CheckPointers: o.CheckPointers, ArrayLimit: o.ArrayLimit, HeapLimit: o.HeapLimit}
}

// solver opens the decision procedure for a component, with what the options
// put around it.
func (s *Session) solver(p *expr.Pool, component string) (solver.Full, error) {
	sv, err := openSolver(p, s.opt.Solver)
	if err == nil && s.opt.Check {
		var second solver.Solver = bitblast.New(p)
		if s.opt.SecondSolver != "" {
			second, err = openSolver(p, s.opt.SecondSolver)
		}
		if err == nil {
			sv = checked.New(sv, second)
		}
	}
	if err == nil && s.opt.Queries != nil {
		sv = record.New(sv, s.opt.Queries(component))
	}
	return sv, err
}

func openSolver(p *expr.Pool, name string) (solver.Full, error) {
	switch name {
	case "", "embedded":
		return embedded.New(p), nil
	case "z3", "cvc5":
		return smtlib.New(p, smtlib.Config{Kind: name})
	}
	return nil, &InputError{Msg: fmt.Sprintf("no solver %q; there are embedded, z3, cvc5", name)}
}

// strategy is a new strategy of minimisation, of the given name.
func (o Options) strategy(name string) (minimize.Strategy, error) {
	switch name {
	case "", "exact":
		return minimize.NewMinimizer(minimize.Options{}), nil
	case "greedy":
		return minimize.Greedy(o.Seed), nil
	case "enumerate":
		return minimize.Enumerate(cmp.Or(o.MaxSub, DefaultMaxSub), cmp.Or(o.MaxElm, DefaultMaxElm), minimize.Options{}), nil
	case "none":
		return minimize.None(), nil
	}
	return nil, &InputError{Msg: fmt.Sprintf("no strategy %q; there are exact, greedy, enumerate, none", name)}
}

// weigh reports whether candidates cost what they take.
func (o Options) weigh() (bool, error) {
	switch o.Cost {
	case "", "one":
		return false, nil
	case "wp":
		return true, nil
	}
	return false, &InputError{Msg: fmt.Sprintf("no cost %q of a predicate; there are one, wp", o.Cost)}
}

// Close frees the decision procedures. The session is not used afterwards.
func (s *Session) Close() {
	for _, c := range s.comps {
		_ = c.solver.Close() // nothing is lost with a solver
	}
}

// Next is the phase that the next Step performs.
func (s *Session) Next() Phase { return s.phase }

// Run steps until the end. observe, if not nil, sees every event.
func (s *Session) Run(ctx context.Context, observe func(Event)) *Outcome {
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
// unknown, with the context's cause as its reason; see [Session.Try] for a step
// that can be taken again.
func (s *Session) Step(ctx context.Context) Event {
	e, err := s.attempt(ctx)
	if err != nil {
		return s.stop(err.Error())
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
	e, err := s.perform(ctx)
	if err == nil {
		err = s.audit.after(ctx, s, before, e)
	}
	switch {
	case err == nil:
		return e, nil
	case isFault(err):
		return s.end(Unknown, err.Error()), nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return s.stop(err.Error()), nil
}

func (s *Session) perform(ctx context.Context) (Event, error) {
	switch s.phase {
	case AbstractData:
		return s.abstractData(ctx)
	case AbstractEvents:
		return s.abstractEvents(ctx)
	case Verify:
		return s.verify(ctx)
	case ValidateMP:
		return s.validateMP()
	case ValidateC:
		return s.validateC(ctx)
	case RefineEvents:
		return s.refineEvents(ctx)
	case RefineData:
		return s.refineData(ctx)
	}
	panic(fmt.Sprintf("magus: phase %d", s.phase))
}

// stop ends early: with the verdict if there is one, for then only the size of
// the sets was left to improve.
func (s *Session) stop(reason string) Event {
	if s.proved {
		return s.conforms()
	}
	return s.end(Unknown, reason)
}

// end finishes the session.
func (s *Session) end(v Verdict, reason string) Event {
	s.phase = Finished
	s.outcome = &Outcome{Claim: s.claim.Name, Verdict: v, Reason: reason}
	s.describe()
	return Ended{s.outcome}
}

// describe fills in the outcome's figures.
func (s *Session) describe() {
	o := s.outcome
	o.Stats = s.stats
	if s.compositional != nil {
		o.Stats.Parts = len(s.compositional.Operands)
	}
	for i, c := range s.comps {
		r := ComponentResult{Name: c.Name, Locations: len(c.CFA.Locs)}
		for _, i := range c.set {
			cand := c.abs.Candidates[i]
			r.Predicates = append(r.Predicates, Predicate{cand.String(), cand.Conditions(), cand.Pos, cand.Origin})
		}
		es := c.abs.Expressions(c.set)
		r.Expressions, r.Groups = len(es), predabs.Groups(es)
		if c.mp != nil {
			r.MPStates = c.mp.LTS.NumStates()
		}
		if c.ma != nil {
			r.MAStates = c.ma.NumBlocks()
		}
		if s.compositional != nil {
			r.ReducedStates = s.compositional.After[i]
		}
		o.Components = append(o.Components, r)
		o.Stats.Candidates += len(c.abs.Candidates)
		o.Stats.SolverQueries += c.abs.Queries
		paths, bytes := c.abs.PathMemory()
		o.Stats.Paths, o.Stats.PathBytes = o.Stats.Paths+paths, o.Stats.PathBytes+bytes
		o.Assumptions = append(o.Assumptions, c.assumptions()...)
	}
	for _, proc := range s.claim.Procedures[len(s.comps):] { // lowering ended early
		o.Components = append(o.Components, ComponentResult{Name: proc})
	}
	slices.SortStableFunc(o.Assumptions, func(a, b cfa.Warning) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Text, b.Text))
	})
	o.Assumptions = slices.Compact(o.Assumptions)
	for _, a := range s.claim.Assumed {
		o.Assumptions = append(o.Assumptions, cfa.Warning{Text: fmt.Sprintf("%s starts where %v (assumed by hand)", s.claim.Procedures[a.Component], a.Cond)})
	}
}

// sharedErrors are the components whose alphabets have the action error, if they
// are several, the specification observes it, and one of them may perform it as
// far as its abstraction tells. It is shared like any other action: they wait for
// each other with it, so that a proof says nothing of what one does alone.
func (s *Session) sharedErrors() []string {
	action, _ := s.actions.Lookup("error")
	var names []string
	performed := false
	for _, c := range s.comps {
		if slices.Contains(c.mp.LTS.Alphabet(), action) {
			names = append(names, c.Name)
			performed = performed || mayPerform(c.mp.LTS, action)
		}
	}
	if len(names) < 2 || !performed || !slices.Contains(s.spec.Alphabet(), action) {
		return nil
	}
	return names
}

// mayPerform reports whether some state has a transition with the action.
func mayPerform(m *lts.LTS, a lts.Action) bool {
	for st := range lts.State(m.NumStates()) {
		if len(m.OutBy(st, a)) > 0 {
			return true
		}
	}
	return false
}

// assumptions are what the lowering assumed and the abstractions of routines.
func (c *part) assumptions() []cfa.Warning {
	ws := slices.Clone(c.CFA.Warnings)
	for _, r := range c.Routines {
		text := r.Name + " is assumed to do what its abstraction says and to change nothing else"
		if r.HasBody {
			text = r.Name + " is assumed to do what its abstraction says, which is a claim of its own"
		}
		ws = append(ws, cfa.Warning{Pos: r.Pos, Text: text})
	}
	return ws
}
