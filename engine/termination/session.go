package termination

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/evidence/coverage"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
	"magus/smt/solver"
)

// Options say how calls and memory are modelled, and who decides.
type Options struct {
	Modelling cfa.Modelling
	Solver    string
	// RefuseVacuous has a proof be unknown about which there are doubts.
	RefuseVacuous bool
}

// How deep recursion is followed where nobody says it.
const (
	mostDepth     = 64
	mostLocations = 20_000
)

// A Session works on one claim, whose question is whether all runs end.
type Session struct {
	claim   *component.Claim
	opt     Options
	depth   int // to which recursion is followed
	asked   *question
	todo    []stage // that come next
	found   *lasso  // the run that does not end
	unshown string  // why there is no certificate of a proof
	solvers []solver.Full
	besides []cfa.Warning // what is assumed of procedures that call themselves
	outcome *verdict.Outcome
}

// A stage looks for an answer. It returns what it says of that; "" where there was nothing to do for it.
type stage func(context.Context) (string, error)

// A question is the claim's component, with recursion followed to some depth.
type question struct {
	comp     *component.Component
	system   *component.System
	graph    *component.Graph
	relation *relation
	prover   *prover
	ranking  *ranking
	unrolled *certificate.Unrolled // a proof by itself; nil of others
	cutOff   *step                 // by which a run may come to where it is cut off; nil if none does
}

// A Worked event says what a stage did.
type Worked struct{ What string }

// Phase implements [cegar.Event].
func (Worked) Phase() cegar.Phase { return cegar.Induct }

// String is one line.
func (w Worked) String() string { return w.What }

// New begins the check of a claim that asks whether all runs end; nil for other claims. An error means that the
// input is wrong, or that ctx ended.
func New(ctx context.Context, c *component.Claim, opt Options) (*Session, error) {
	if c.Question != component.Terminates {
		return nil, nil
	}
	s := &Session{claim: c, opt: opt, depth: opt.Modelling.Recursion}
	return s, s.ask(ctx)
}

// ask makes the component, and begins with the first stage.
func (s *Session) ask(ctx context.Context) error {
	q, err := s.lower(ctx, s.claim, s.depth)
	var unsupported *cfa.UnsupportedError
	if errors.As(err, &unsupported) {
		why, _ := verdict.Of(err)
		s.end(verdict.Unknown, why)
		return nil
	}
	if err != nil {
		return err
	}
	s.asked = q
	s.todo = []stage{s.rank, s.goRound, s.recur, s.together, s.execute, s.callItself, s.unroll, s.deepen}
	return nil
}

// lower makes the component of a claim with a depth of recursion.
func (s *Session) lower(ctx context.Context, c *component.Claim, depth int) (*question, error) {
	low := component.Options{Modelling: s.opt.Modelling}
	low.Recursion = depth
	auto, err := c.Lower(ctx, 0, low)
	if err != nil {
		return nil, err
	}
	if err := auto.NotSequential(); err != nil {
		return nil, err
	}
	sv, err := cegar.OpenSolver(auto.Pool, s.opt.Solver)
	if err != nil {
		return nil, err
	}
	s.solvers = append(s.solvers, sv)
	q := &question{prover: newProver(sv)}
	spec, err := c.Spec(ctx, lts.NewActions())
	if err != nil {
		return nil, err
	}
	if q.comp, err = c.Bind(ctx, 0, auto, spec, sv); err != nil {
		return nil, err
	}
	if q.system, err = c.NewSystem(ctx, spec, []*component.Component{q.comp}); err != nil {
		return nil, err
	}
	q.graph = component.NewGraph(q.comp)
	return q, nil
}

// Next is the phase that the next Step performs.
func (s *Session) Next() cegar.Phase {
	if s.outcome != nil {
		return cegar.Finished
	}
	return cegar.Induct
}

// Step performs one stage. Once it has returned Ended it returns the same Ended again.
func (s *Session) Step(ctx context.Context) cegar.Event {
	for s.outcome == nil {
		next := s.todo[0]
		s.todo = s.todo[1:]
		s.asked.prover.begin()
		what, err := next(ctx)
		switch {
		case err != nil:
			s.stop(ctx, err)
		case s.outcome == nil && len(s.todo) == 0:
			s.end(verdict.Unknown, s.undecided())
		case s.outcome == nil && what != "":
			return Worked{what}
		}
	}
	return cegar.Ended{Outcome: s.outcome}
}

// rank looks for ranking functions of all loops.
func (s *Session) rank(ctx context.Context) (string, error) {
	q := s.asked
	if err := q.rank(ctx, []lts.Action{q.comp.Cut, q.comp.Skip}, nil); err != nil {
		return "", err
	}
	if len(q.ranking.left) == 0 && q.cutOff == nil {
		s.proved(ctx)
	}
	return fmt.Sprintf("%d ranking functions of %d heads of loops", len(q.ranking.ranks), len(q.relation.heads)), nil
}

// rank looks for ranking functions of all loops of a component, which is cut off where it performs some actions.
func (q *question) rank(ctx context.Context, cuts []lts.Action, marks map[component.Node]bool) error {
	var err error
	if q.relation, err = newRelation(ctx, q.graph, cuts, marks); err != nil {
		return err
	}
	if q.ranking, err = rankAll(ctx, q.relation, q.prover); err != nil {
		return err
	}
	q.cutOff, err = q.ranking.cutOff(ctx)
	return err
}

// proved ends the session with a proof, if it stands its check.
func (s *Session) proved(ctx context.Context) {
	confirmation, refused := s.confirm(ctx)
	if refused != nil {
		s.end(verdict.Unknown, *refused)
		return
	}
	s.end(verdict.Conforms, verdict.Reason{})
	s.outcome.Confirmation = confirmation
}

// provedUnshown ends the session with a proof that no certificate shows.
func (s *Session) provedUnshown(why string) {
	s.end(verdict.Conforms, verdict.Reason{})
	s.unshown, s.outcome.Confirmation.Why = why, why
}

// deepen follows recursion deeper, if a run may come to where it is cut off.
func (s *Session) deepen(ctx context.Context) (string, error) {
	q := s.asked
	if q.cutOff == nil || q.prover.spent || s.opt.Modelling.Recursion > 0 || s.refused() != nil ||
		s.depth >= mostDepth || len(q.comp.CFA.Locs) > mostLocations {
		return "", nil
	}
	s.depth = 2*s.depth + 1
	return fmt.Sprintf("recursion is followed to depth %d", s.depth), s.ask(ctx)
}

// refused is what is not modelled where a run may be cut off; nil if it is recursion.
func (s *Session) refused() *cfa.UnsupportedError {
	q := s.asked
	at := q.graph.Edges[q.cutOff.last].Loc
	if i := slices.IndexFunc(q.comp.CFA.Refused, func(r cfa.Refused) bool { return r.At == at }); i >= 0 {
		return q.comp.CFA.Refused[i].Why
	}
	return nil
}

// undecided is why there is no answer.
func (s *Session) undecided() verdict.Reason {
	q := s.asked
	if q.cutOff != nil {
		if why := s.refused(); why != nil {
			r, _ := verdict.Of(why)
			return r
		}
		at := q.graph.Edges[q.cutOff.last].Loc
		return verdict.Reason{Kind: verdict.Recursion, Place: q.comp.CFA.Locs[at].Pos,
			Text: fmt.Sprintf("recursion may go deeper than is followed (%d): %s", s.depth, q.comp.CFA.CycleAt(at))}
	}
	r := verdict.Reason{Kind: verdict.NoProof,
		Text: "nothing was found that gets smaller with each round of this loop, and no run that goes round for ever"}
	if q.prover.spent {
		r.Text += "; some questions were not decided, since they take more effort than they are given"
	}
	for _, m := range q.ranking.left {
		if l, ok := q.graph.Loc(m.to); ok {
			r.Place = q.comp.CFA.Locs[l].Pos
			break
		}
	}
	return r
}

// stop ends the session for an error.
func (s *Session) stop(ctx context.Context, err error) {
	why, ok := verdict.Of(err)
	switch {
	case ok:
	case ctx.Err() != nil:
		why = verdict.Stopped(ctx)
	default:
		why = verdict.Reason{Kind: verdict.Fault, Text: err.Error()}
	}
	s.end(verdict.Unknown, why)
}

// end is the outcome.
func (s *Session) end(v verdict.Verdict, why verdict.Reason) {
	s.outcome = &verdict.Outcome{Claim: s.claim.Name, Verdict: v, Reason: why, Components: s.claim.Procedures}
	if s.asked != nil {
		s.outcome.Assumptions = slices.Concat(s.asked.comp.CFA.Warnings, s.besides)
		if v == verdict.Conforms {
			s.outcome.Doubts = coverage.Unset(s.asked.comp.CFA)
		}
		if s.opt.RefuseVacuous {
			coverage.Refuse(s.outcome)
		}
	}
}

// violated ends the session with a run that does not end.
func (s *Session) violated(l *lasso) {
	s.found = l
	s.end(verdict.Violates, verdict.Reason{})
	s.outcome.Run = s.asked.report(l)
}

// Outcome is the verdict; nil before the end.
func (s *Session) Outcome() *verdict.Outcome { return s.outcome }

// Inputs are what makes the compiled program go round as the violation does; nil if there is none.
func (s *Session) Inputs() *witness.Inputs {
	if s.outcome == nil || s.outcome.Verdict != verdict.Violates {
		return nil
	}
	return s.asked.violation(s.found).Inputs(s.claim)
}

// Close frees what the session holds.
func (s *Session) Close() {
	for _, sv := range s.solvers {
		_ = sv.Close() // nothing is lost with a solver
	}
}
