package cegar

// The bounded search as a method of a session.
//
// Idea: between two iterations of the loop, or where an abstraction grows large, the component's runs are
// unrolled for a share (package bounded). What is found there is a path of the component like one that the
// abstractions led to, and is executed like it. If nothing is found the loop goes on where it was; but where
// all runs have ended, and none is cut off, the claim is proved.
//
// Source: package bounded has those of the search. Cost: its share; see rule.go.

import (
	"context"
	"errors"

	"magus/component"
	"magus/engine/bounded"
	"magus/engine/portfolio"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/predabs"
)

// What the loop did, in the unit of package bounded's effort and as far as it does not depend
// on what is remembered, and when the bounded search has its shares.
const (
	pathEffort  = 1 << 15 // of a choice of predicates, for each spurious path
	hardEffort  = 1 << 18 // if one of the predicates multiplies or divides
	stateEffort = 16      // for each abstract state
	coverEffort = 1 << 22 // to find out what a proof is about
	firstStates = 1 << 12 // of an abstraction, beyond which it has a share first
	statesGrow  = 4       // then sixteen times as many
	maxGivenUp  = 2       // abstractions that are given up for a share
	// the same where elements of arrays are followed: then twice as many, and the others have twice the effort
	memoryGivenUp = 6
	maxUnrolled   = 1 << 31 // control points times variables of a component that is unrolled: a bit for each are 256 MiB
)

// askable reports whether the methods besides the loop can be asked: about one component, which is not
// too large for them unless they are the engine that was asked for.
func (s *question) askable() bool {
	m := s.opt.Engine.methods()
	if s.claim.AsksStanding() || s.asksSimulation() || s.asksDivergence() {
		return false
	}
	others := m.search || m.induction || m.cells || m.execution
	return others && len(s.comps) == 1 && s.system.Single() && !s.spec.HasError() && (!m.loop || s.comps[0].unrollable())
}

// unrollable reports whether a component is small enough to be unrolled beside the loop: which
// variables matter is known for each control point, and so are their values where ways meet.
func (c *model) unrollable() bool {
	g := c.abs.Graph
	return g.NumNodes()*len(g.Comp.CFA.Vars) <= maxUnrolled
}

// affordable is the largest abstraction that is built before the bounded search has
// another share; 0 for no bound.
func (s *loop) affordable() int {
	most := s.maxStates(s.opt)
	last, grows := maxGivenUp, statesGrow
	if s.cells {
		last, grows = memoryGivenUp, 1
	}
	if !s.waiting() || s.givenUp >= last {
		return most
	}
	if few := firstStates << (grows * s.givenUp); most == 0 || few < most {
		return few
	}
	return most
}

// putsOff reports whether an abstraction was given up so that the bounded search has a
// share first.
func (s *loop) putsOff(err error) bool {
	var states *predabs.ErrStates
	return errors.As(err, &states) && states.Max != s.maxStates(s.opt)
}

// searching is the bounded search as a method of a session.
type searching struct {
	*task
	at portfolio.Effort // that it was granted
}

// Name implements [portfolio.Method].
func (s *searching) Name() string { return bounded.SearchMethod }

// Rewind implements [portfolio.Rewinder].
func (s *searching) Rewind(granted portfolio.Effort) { s.at = granted }

// Advance implements [portfolio.Method].
func (s *searching) Advance(ctx context.Context, share portfolio.Effort) methodEvent {
	e, r, used, err := s.unroll(ctx, s.at+share)
	if err == nil {
		s.at += share
	}
	if r == stuck || r == needsBody {
		return gaveUp{Used: used, Why: &givenUp{e, &bounded.NoViolation{}}}
	}
	return s.eventOf(ctx, used, e, r, err)
}

// unroll has the search go on until it was granted so much in all.
func (s *searching) unroll(ctx context.Context, granted portfolio.Effort) (Event, result, portfolio.Effort, error) {
	search, err := s.boundedSearch(ctx)
	if err != nil {
		return nil, "", 0, err
	}
	did, err := search.upTo(ctx, granted)
	if err != nil {
		return nil, "", 0, err
	}
	e, r, err := s.learnt(ctx, found(did.event))
	return e, r, portfolio.Effort(did.made[0]), err
}

// learnt is what follows from what the search knows.
func (s *searching) learnt(ctx context.Context, a bounded.Answer) (_ Event, _ result, err error) {
	s.unrolled = a.Depth
	e := Unrolled{Depth: a.Depth, Ended: a.Ended, Found: a.Path != nil, Accelerated: a.Accelerated}
	switch {
	case a.Path != nil:
		return s.confirm(ctx, a, e)
	case !a.Ended:
		return e, yields, nil
	case a.Cut:
		return e, stuck, nil
	}
	if s.covered, err = s.layers.search.Taken(ctx, coverEffort); err != nil {
		return nil, "", err
	}
	s.searched, s.bounded = a.Depth, true
	s.withoutPredicates()
	return s.conforms(notLooked), atEnd, nil
}

// found is what the bounded search knows after a share.
func found(e portfolio.Event[bounded.Finding]) bounded.Answer {
	switch e := e.(type) {
	case portfolio.Ended[bounded.Finding]:
		return e.Outcome.Answer
	case portfolio.GaveUp[bounded.Finding]:
		var none *bounded.NoViolation
		if errors.As(e.Why, &none) {
			return none.Answer
		}
	case portfolio.Worked[bounded.Finding]:
		a, _ := e.What.(bounded.Answer)
		return a
	}
	return bounded.Answer{}
}

// certifyRuns writes out that all runs were searched.
func (s certifying) certifyRuns(c *Certificate) {
	c.Unrolled = &certificate.Unrolled{Layers: s.searched, Order: s.points(s.layers.search.Order())}
}

// points are control points of the only component in the words of a certificate.
func (s *question) points(nodes []component.Node) []certificate.Node {
	var points []certificate.Node
	for _, n := range nodes {
		points = append(points, s.comps[0].point(n))
	}
	return points
}

// confirm executes a path. If the run rests on a value that is not modelled, another one is
// looked for, the loop goes on alone, or a body is looked at.
func (s *searching) confirm(ctx context.Context, a bounded.Answer, e Unrolled) (Event, result, error) {
	c := s.comps[0]
	f, err := c.abs.FeasibleProgram(ctx, a.Path, a.Repeats)
	if err != nil {
		return nil, "", err
	}
	if !f.Feasible {
		return nil, "", verdict.Because(verdict.Fault,
			"the bounded search found a path that the component cannot take, which is a fault of this tool")
	}
	before := s.state
	s.take(a.Path, f)
	v, err := s.execute(ctx)
	why, undecided := verdict.Of(err)
	switch {
	case err == nil:
		s.bounded, s.accelerated = true, e.Accelerated
		return s.violates(v, len(observedBy(s.spec, s.trace)) > 1), atEnd, nil
	case !undecided || ctx.Err() != nil:
		return nil, "", err
	case s.needsBody(err) != "":
		s.state = before
		s.unseen = s.needsBody(err)
		e.Body = s.unseen
		return e, needsBody, nil
	case why.Kind == verdict.Fault:
		return s.end(verdict.Unknown, why), atEnd, nil
	}
	s.state = before
	v, err = s.alternative(ctx, err)
	switch {
	case err == nil:
		s.bounded = true
		return s.violates(v, len(observedBy(s.spec, s.trace)) > 1), atEnd, nil
	case ctx.Err() != nil:
		return nil, "", err
	}
	return e, stuck, nil
}

// take makes a path of the only component, in the program's edges, the counterexample.
func (s *state) take(path []int32, f predabs.Feasibility) {
	s.cex = &cex{Counterexample: &lts.Counterexample{}, copies: s.system.Written(s.system.Copies)}
	s.status, s.against, s.trace, s.paths, s.taken = Open, s.spec, nil, nil, []taken{{feasible: f}}
	for _, id := range path {
		a := s.comps[0].program().Edges[id].Action
		s.cex.Steps = append(s.cex.Steps, lts.Step{Action: a, Moves: []lts.Move{{}}})
		if a != lts.Tau {
			s.trace = append(s.trace, a)
		}
	}
}
