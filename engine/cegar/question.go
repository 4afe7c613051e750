package cegar

import (
	"context"

	"magus/component"
	"magus/lts"
	"magus/predabs"
)

// A question is what the phases work on: the claim's components, with recursion followed to some depth and
// the bodies of some routines instead of their abstractions. It is not changed once it is asked; what
// the phases change of its components is in their modelState. What can be said of it whatever the phases
// have done is said by its methods.
type question struct {
	claim     *component.Claim
	opt       Options // that it was asked with
	actions   *lts.Actions
	low       modelling         // how its components were lowered
	depth     int               // to which recursion is followed
	inlined   []string          // routines that are not called by their abstractions, in order
	locations int               // of all automata
	spec      *lts.LTS          // with the components' returns observed, once all are bound
	system    *component.System // nil if the components could not be bound
	comps     []*model
	sameShape [][]int // of each component: the others of its shape
	audit     *audit  // nil without Options.Check
	layers    *layers
}

// A modelling says how components are lowered: also to which depth recursion is followed, and which routines
// are inlined.
type modelling = component.Options

// ask lowers every component, binds it to the specification as the files have it, and puts them together.
// With an error the question has the components before the one at fault.
func (s *task) ask(ctx context.Context, low modelling) (*question, error) {
	q := &question{claim: s.claim, opt: s.opt, actions: s.actions, low: low, depth: low.Recursion, inlined: low.Inlined,
		layers: &layers{}}
	spec, err := s.claim.Spec(ctx, s.actions)
	if err != nil {
		return q, err
	}
	if err := q.checkCopies(); err != nil {
		return q, err
	}
	q.spec = spec
	follows, err := s.claim.FollowsTraces(ctx, spec)
	if err != nil {
		return q, err
	}
	var bound []*component.Component
	for i := range s.claim.Procedures {
		c, err := s.bind(ctx, i, spec, low, !follows)
		if err != nil {
			return q, err
		}
		q.comps, bound = append(q.comps, c), append(bound, c.Component)
		q.locations += len(c.CFA.Locs)
	}
	q.sameShape = sameShape(q.comps)
	if q.system, err = s.claim.NewSystem(ctx, spec, bound); err != nil {
		return q, err
	}
	q.spec = q.system.Spec
	if s.opt.Check {
		q.audit = newAudit(q.comps)
	}
	return q, nil
}

// bind lowers and binds component i. branches says that it matters where the component decides: then what is
// any value is told apart where it is chosen, and not where it is asked about.
func (s *task) bind(ctx context.Context, i int, spec *lts.LTS, opt component.Options, branches bool) (*model, error) {
	auto, err := s.claim.Lower(ctx, i, opt)
	if err != nil {
		return nil, err
	}
	c := &model{asked: map[predabs.Path]predabs.Feasibility{}}
	c.stale = true
	if c.solver, err = s.solver(auto.Pool, s.claim.Procedures[i]); err != nil {
		return nil, err
	}
	s.solvers = append(s.solvers, c.solver)
	if c.weigh, err = s.opt.weigh(); err != nil {
		return nil, err
	}
	if c.strategy, err = s.opt.strategy(s.opt.Strategy); err != nil {
		return nil, err
	}
	if c.Component, err = s.claim.Bind(ctx, i, auto, spec, c.solver); err != nil {
		return nil, err
	}
	c.abs, err = predabs.New(ctx, c.Component, c.solver, predabs.Options{
		Bound: s.opt.MaxPredicates, Global: s.opt.GlobalPredicates || branches,
		LargeBlocks: s.opt.LargeBlocks.on(len(auto.Locs) > fewLocations)})
	if err == nil && len(s.claim.Procedures) > 1 {
		c.places = placesIn(c.abs.Graph)
	}
	return c, err
}
