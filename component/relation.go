package component

// What a claim says of the components and the specification.
//
// Simulation: where a specification simulates what it is when made deterministic, whatever has its traces is simulated
// by it, so containment of traces is asked instead, which more can answer.
//
// Failures and divergences: where the specification diverges, all is allowed from there on ([lts.Chaos]).
//
// Source: Roscoe, Understanding Concurrent Systems (2010), section 12.1 (failures, divergences). Cost: linear, but for
// making the specification deterministic, which is bounded.

import (
	"context"
	"errors"

	"magus/lts"
)

// A Relation is what a claim says of the components and the specification.
type Relation string

// The relations.
const (
	Traces   Relation = ""         // they do nothing that it does not allow
	Failures Relation = "failures" // besides, they refuse nothing that it must offer (stable failures)
	// Divergences: besides, they do not go on for ever without an action that it observes unless it does
	Divergences Relation = "failures-divergences"
	Simulation  Relation = "simulation" // it can follow each of their steps (weak simulation)
)

// ofFailures reports whether a relation is about what is refused.
func (r Relation) ofFailures() bool { return r == Failures || r == Divergences }

// AsksStanding reports whether it matters where components stand still. The product of components that exchange values
// says itself what it offers.
func (c *Claim) AsksStanding() bool {
	return c.Question == NoDeadlock || c.Relation.ofFailures() && c.joint == nil
}

// beyondTraces reports whether more matters than which traces there are.
func (c *Claim) beyondTraces() bool { return c.Question == NoDeadlock || c.Relation != Traces }

// AsksRuns reports whether the claim is about whole runs, and not about what each does up to some moment.
func (c *Claim) AsksRuns() bool { return c.asksEnd() }

// asksEnd reports whether it matters of a body whether it comes to its end: then its abstraction does not stand for it.
func (c *Claim) asksEnd() bool { return c.Question == Terminates || c.Live != nil }

// maxDeterministic bounds the states of a specification that is made deterministic.
const maxDeterministic = 1 << 12

// relate notes how the relation is decided. The error says that ctx ended.
func (s *System) relate(ctx context.Context) error {
	switch s.Relation {
	case Divergences:
		s.Spec, s.Divergent = lts.Chaos(s.Spec)
	case Simulation:
		follows, err := followsTraces(ctx, s.Spec)
		if err != nil {
			return err
		}
		if follows {
			s.Relation, s.ByTraces = Traces, true
		}
	}
	return nil
}

// FollowsTraces reports whether the claim is one of traces if it is about a specification: simulation is where that
// simulates all that has its traces, as far as a bound tells.
func (c *Claim) FollowsTraces(ctx context.Context, spec *lts.LTS) (bool, error) {
	if c.Relation != Simulation {
		return true, nil
	}
	return followsTraces(ctx, spec)
}

// followsTraces reports whether a specification simulates all that has its traces, as far as a bound tells.
func followsTraces(ctx context.Context, spec *lts.LTS) (bool, error) {
	d, err := lts.Determinize(ctx, spec, lts.Limits{MaxStates: maxDeterministic})
	var limit *lts.LimitError
	if errors.As(err, &limit) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	r, err := lts.SimulatedBy(ctx, []*lts.LTS{d}, spec, false, lts.Limits{MaxStates: 1 << 16})
	return r.Verdict == lts.Holds, err
}
