package liveness

import (
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/coverage"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
	"magus/lts/ltl"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/specs"
)

// Limits where the options give none.
const (
	firstStates = 4000    // of a component, before values are given up
	lastStates  = 40000   // of a component
	allStates   = 1 << 19 // of the composition, and of the search
	mostRefined = 12      // how often predicates are added
)

// A Session works on one claim about whole runs. A step is one round: the components are unfolded and
// composed, a run is looked for, and executed, or excluded.
type Session struct {
	claim   *component.Claim
	opt     cegar.Options
	system  *component.System
	comps   []*component.Component
	graphs  []*component.Graph
	solvers []solver.Full
	asked   *asked
	not     *ltl.Automaton // of the negation; nil if there is no formula
	preds   [][]*expr.Expr // by component, besides the conditions of its control graph
	loose   []map[*expr.Expr]bool
	round   int
	states  []int
	found   *witness.Violation
	lasso   *wholeRun // that violates
	// of a proof:
	graphsAtEnd []*behaviour // by component
	lessened    []lessened
	outcome     *verdict.Outcome
}

// New lowers the components of a claim and binds them. C that is not modelled is no error: the outcome is unknown then.
// An error means that the input is wrong, or that ctx ended.
func New(ctx context.Context, c *component.Claim, opt cegar.Options) (*Session, error) {
	s := &Session{claim: c, opt: opt}
	err := s.bind(ctx)
	var unsupported *cfa.UnsupportedError
	if errors.As(err, &unsupported) {
		r, _ := verdict.Of(err)
		s.end(verdict.Unknown, r)
		return s, nil
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// bind prepares the components and what is asked.
func (s *Session) bind(ctx context.Context) error {
	joined, err := s.claim.Joined(ctx, component.Options{Modelling: s.opt.Modelling}, func(p *expr.Pool) (solver.Full, error) {
		return cegar.OpenSolver(p, s.opt.Solver)
	})
	if err != nil {
		return err
	}
	s.claim = joined
	actions := lts.NewActions()
	spec, err := s.claim.Spec(ctx, actions)
	if err != nil {
		return err
	}
	var autos []*cfa.CFA
	for i := range s.claim.Procedures {
		auto, err := s.claim.Lower(ctx, i, s.lowering())
		if err != nil {
			return err
		}
		sv, err := cegar.OpenSolver(auto.Pool, s.opt.Solver)
		if err != nil {
			return err
		}
		s.solvers = append(s.solvers, sv)
		comp, err := s.claim.Bind(ctx, i, auto, spec, sv)
		if err != nil {
			return err
		}
		autos, s.comps, s.graphs = append(autos, auto), append(s.comps, comp), append(s.graphs, component.NewGraph(comp))
		s.preds, s.loose = append(s.preds, nil), append(s.loose, map[*expr.Expr]bool{})
	}
	if s.system, err = s.claim.NewSystem(ctx, spec, s.comps); err != nil {
		return err
	}
	if s.asked, err = ask(s.claim, autos, actions); err != nil {
		return err
	}
	s.asked.hidden = map[lts.Action]bool{}
	for _, g := range s.graphs {
		for _, a := range g.Alphabet() {
			s.asked.hidden[a] = s.claim.Live.Hides(actions.Name(a))
		}
	}
	if s.claim.Question == component.Live {
		if s.not, err = s.asked.pool.Automaton(s.asked.pool.Not(s.asked.formula)); err != nil {
			return &component.InputError{Pos: s.claim.Pos, Msg: err.Error()}
		}
	}
	return nil
}

// Next is the phase that the next Step performs.
func (s *Session) Next() cegar.Phase {
	if s.outcome != nil {
		return cegar.Finished
	}
	return cegar.AbstractData
}

// Step performs one round.
func (s *Session) Step(ctx context.Context) cegar.Event {
	if s.outcome != nil {
		return cegar.Ended{Outcome: s.outcome}
	}
	s.round++
	more, err := s.attempt(ctx)
	why, ok := verdict.Of(err)
	switch {
	case err == nil && more:
		return cegar.DataAbstracted{Iteration: s.round, States: s.states}
	case err == nil:
	case ok:
		s.end(verdict.Unknown, why)
	case ctx.Err() != nil:
		s.end(verdict.Unknown, verdict.Stopped(ctx))
	default:
		s.end(verdict.Unknown, verdict.Reason{Kind: verdict.Solver, Text: err.Error()})
	}
	return cegar.Ended{Outcome: s.outcome}
}

// attempt is one round. It reports whether there is another one.
func (s *Session) attempt(ctx context.Context) (more bool, err error) {
	if s.system.AnyNumber() {
		return false, verdict.Because(verdict.NoProof, "what is asked of whole runs is not decided for any number of copies")
	}
	graphs, more, err := s.unfold(ctx)
	if err != nil || more {
		return more, err
	}
	t := &trial{Session: s, ctx: ctx, behaviours: graphs}
	return t.decide()
}

// unfold makes the graph of each component; more says that values of one are given up first.
func (s *Session) unfold(ctx context.Context) (all []*behaviour, more bool, err error) {
	s.states = nil
	for i, g := range s.graphs {
		most := firstStates
		if len(s.loose[i]) >= 3 {
			most = lastStates
		}
		b, err := unfold(ctx, g, s.solvers[i], s.asked.conds[i], s.preds[i], s.loose[i], s.guide(), s.limit(most))
		var many *manyStates
		if errors.As(err, &many) {
			if many.v == nil || most == lastStates && len(s.loose[i]) > 8 {
				return nil, false, verdict.Because(verdict.States, "%v", many)
			}
			s.loose[i][many.v] = true
			s.states = append(s.states, many.most)
			return nil, true, nil
		}
		if err != nil {
			return nil, false, err
		}
		all, s.states = append(all, b), append(s.states, len(b.states))
	}
	return all, false, nil
}

// guide says where it is not worth to go on, where one process runs alone.
func (s *Session) guide() *guide {
	own := uint64(0)
	for n := range s.asked.conds[0] {
		own |= 1 << n
	}
	if len(s.comps) != 1 || s.system.Copies[0] != 1 || s.claim.Live.Fairness == component.ChoiceFairness {
		own = 0
	}
	return newGuide(s.not, own)
}

// limit is a number of states, or that of the options if that is less.
func (s *Session) limit(most int) int {
	if n := s.opt.MaxStates; n > 0 {
		return min(n, most)
	}
	return most
}

// end finishes the session.
func (s *Session) end(v verdict.Verdict, why verdict.Reason) {
	s.outcome = &verdict.Outcome{Claim: s.claim.Name, Verdict: v, Reason: why, Components: s.claim.Names()}
	if len(s.comps) == len(s.claim.Procedures) {
		s.outcome.Assumptions = cegar.Assumptions(s.claim, s.comps)
	}
	if s.asked != nil {
		s.outcome.Doubts = s.asked.doubts(s.performs)
	}
	for _, comp := range s.comps {
		if v == verdict.Conforms {
			s.outcome.Doubts = append(s.outcome.Doubts, coverage.Unset(comp.CFA)...)
		}
	}
	if s.opt.RefuseVacuous {
		coverage.Refuse(s.outcome)
	}
	if s.found != nil && v == verdict.Violates {
		s.outcome.Run = s.found.Report()
	}
}

// performs reports whether a component performs an action.
func (s *Session) performs(name string) bool {
	return slices.ContainsFunc(s.graphs, func(g *component.Graph) bool {
		return slices.Contains(g.Comp.Actions.Names(g.Alphabet()), name)
	})
}

// Outcome is the verdict; nil before the end.
func (s *Session) Outcome() *verdict.Outcome { return s.outcome }

// Inputs are what makes the compiled program go round as the violation does; nil if there is none.
func (s *Session) Inputs() *witness.Inputs {
	if s.outcome == nil || s.outcome.Verdict != verdict.Violates {
		return nil
	}
	return s.found.Inputs(s.claim)
}

// Close frees the decision procedures.
func (s *Session) Close() {
	for _, sv := range s.solvers {
		_ = sv.Close() // nothing is lost with a solver
	}
}

// processes are the copies that run, as machines.
func (s *Session) processes(graphs []*behaviour, fine bool) ([]process, [][]lts.Action, error) {
	var machines []*machine
	var alphabets [][]lts.Action
	for i, b := range graphs {
		machines = append(machines, folded(b, fine))
		alphabet := slices.DeleteFunc(s.graphs[i].Alphabet(), s.graphs[i].Comp.IsCut)
		alphabets = append(alphabets, alphabet)
	}
	var all []process
	for _, c := range s.system.Written(s.numbers()) {
		all = append(all, process{machines[c.Component], c})
	}
	if len(all) > mostProcesses {
		return nil, nil, verdict.Because(verdict.States, "more than %d copies run", mostProcesses)
	}
	return all, alphabets, nil
}

// numbers are those of the copies.
func (s *Session) numbers() []int {
	all := slices.Clone(s.system.Copies)
	for i, n := range all {
		if n == specs.AnyNumber {
			all[i] = 1
		}
	}
	return all
}
