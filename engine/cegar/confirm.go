package cegar

// Verdicts are checked before they are told.
//
// Idea: package evidence/confirm has the rule. A proof is checked when it is found, before smaller sets of
// predicates are looked for: that search ends with its context, and its result changes nothing of the
// verdict.
//
// Cost: a tenth of that of the proof; that of executing a violation once more, unless that repeats more steps than a tenth of the search would take.

import (
	"context"
	"fmt"

	"magus/component"
	"magus/evidence/confirm"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/smt/solver"
)

// confirm has the verdict that an event tells, or is going to tell, checked. It is the event, or the end if
// the verdict is refused.
func (s *Session) confirm(ctx context.Context, e Event) Event {
	switch e := e.(type) {
	case Verified:
		if e.Holds && s.confirmation == nil {
			return s.check(ctx, e, verdict.Conforms)
		}
	case Ended:
		switch v := e.Outcome.Verdict; {
		case v == verdict.Conforms && s.summary != nil && !s.summary.certifiable():
			e.Outcome.Confirmation = verdict.Confirmation{Why: errNoCertificate.Error()}
		case v == verdict.Unknown, v == verdict.Violates && s.opt.Written < 0: // nobody is told of that
		case v == verdict.Conforms && s.confirmation != nil:
			e.Outcome.Confirmation = *s.confirmation
		default:
			return s.check(ctx, e, v)
		}
	}
	return e
}

// check has a verdict checked.
func (s *Session) check(ctx context.Context, e Event, v verdict.Verdict) Event {
	made := int64(0)
	for _, r := range s.portfolio.Rows() {
		made += int64(r.Used)
	}
	c, refused := confirm.Verdict(ctx, v, made, lookEffort, func(b *confirm.Budget) error {
		if err := b.Expect(s.leastCheck(v)); err != nil {
			return err
		}
		cert, err := certifying{&s.state}.certificate(b, v)
		if err != nil {
			return err
		}
		if n := cert.Repeated(); n > max(mostRepeated, stepsForEffort*uint64(made/confirm.Part)) {
			return b.Leave(fmt.Errorf("its run repeats %d steps, which would be executed once more", n))
		}
		sub, err := s.shownOf(b, func(c *component.Component) solver.Solver { return b.Solver(c.CFA.Pool) })
		if err != nil {
			return err
		}
		return cert.Check(b, sub)
	})
	switch {
	case refused != nil:
		s.end(verdict.Unknown, *refused)
		return s.finish()
	case s.outcome != nil:
		s.outcome.Confirmation = c
	}
	s.confirmation = &c
	return e
}

// leastCheck is an effort that the check of a verdict takes at least: of an abstraction, something for each
// of its states, and for each step of the component that is looked at there, of which blocks have many.
func (s *state) leastCheck(v verdict.Verdict) int64 {
	if v == verdict.Conforms && s.ran() > 0 {
		return statementCheck * s.ran()
	}
	if v != verdict.Conforms || s.searched > 0 || s.induced != nil || s.summary != nil {
		return 0
	}
	states, steps := 0, 0
	for _, c := range s.comps {
		states += c.mp.LTS.NumStates()
		for q := range lts.State(c.mp.LTS.NumStates()) {
			steps += len(c.abs.Graph.Out(c.mp.Node(q)))
		}
	}
	return max(stateCheck*int64(states), stepCheck*int64(steps))
}

// mostRepeated is how many steps in rounds of loops are always executed once more, which takes some milliseconds, and
// stepsForEffort how many are in the time of one unit of effort. That was measured: checkers make some 200 steps in a
// microsecond, proofs three propagations.
const (
	mostRepeated   = 1 << 18
	stepsForEffort = 60
)

// ran is how many statements the only run has, if it is the proof.
func (s *state) ran() int64 {
	if s.within != nil {
		return s.within.steps
	}
	return s.steps
}

// stateCheck is the effort of the check of an abstract state with one step, which is a question, stepCheck that of a
// step at least, and lookEffort that of what checkers do between two looks at their context.
const (
	stateCheck     = 300
	statementCheck = 1 // of the only run
	stepCheck      = 30
	lookEffort     = 30
)
