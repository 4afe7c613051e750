package cegar

// Another violation, in the place of one that rests on a value that is not modelled.
//
// Idea: that one run rests on such a value says nothing of the others. Often another one
// comes to the same by a pointer that leads to what its type says, or does not ask what nobody knows.
// So runs are looked for (package bounded) that do not take the assignment where the value comes
// from; and, if that finds none, that do not come to the decision which rests on it. Each
// one found that rests on something else is barred in its turn.
//
// Only violations come of it: that none is found says nothing, for runs are left out.
//
// Source: ours. Cost: a few searches, each for a part of the loop's effort and at least for
// that of its first turn.

import (
	"context"
	"errors"

	"magus/bounded"
	"magus/cfa"
	"magus/component"
	"magus/internal/verdict"
	"magus/lts"
	"magus/witness"
)

// maxInstead is the number of assignments, and then of decisions, that are barred.
const maxInstead = 6

// instead is a violation that rests on nothing unknown, or the error because of which it is
// looked for: the counterexample is as it was then.
func (s *Session) instead(ctx context.Context, because error) (*witness.Violation, error) {
	var first *witness.UnknownError
	if !errors.As(because, &first) || !s.falsifiable() {
		return nil, because
	}
	before := s.state
	for _, source := range []func(*witness.UnknownError) cfa.Loc{
		func(e *witness.UnknownError) cfa.Loc { return e.From },
		func(e *witness.UnknownError) cfa.Loc { return e.Decision },
	} {
		barred := map[cfa.Loc]bool{}
		for last := first; len(barred) < maxInstead; {
			barred[source(last)] = true
			v, err := s.without(ctx, barred)
			if err == nil && v != nil {
				return v, nil
			}
			s.state = before
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			last = nil
			if err == nil || !errors.As(err, &last) {
				if _, undecided := verdict.Of(err); err != nil && !undecided {
					return nil, err
				}
				break
			}
		}
	}
	return nil, because
}

// without is a violation that comes to none of some locations; nil if none is found.
func (s *Session) without(ctx context.Context, barred map[cfa.Loc]bool) (*witness.Violation, error) {
	spec, err := lts.Determinize(ctx, s.system.Followed, lts.Limits{})
	if err != nil {
		return nil, err
	}
	c := s.comps[0]
	search, err := bounded.Without(ctx, c.program(), spec, func(e *component.Edge) bool { return e.Loc >= 0 && barred[e.Loc] })
	if err != nil {
		return nil, err
	}
	a, err := search.Deepen(ctx, max(firstEffort, s.effort/boundedPart), s.opt.Bound)
	if err != nil || a.Path == nil {
		return nil, err
	}
	f, err := c.abs.FeasibleProgram(ctx, a.Path)
	if err != nil {
		return nil, err
	}
	if !f.Feasible {
		return nil, verdict.Because(verdict.Fault, "the bounded search found a path that the component cannot take, which is a fault of this tool")
	}
	s.take(a.Path, f)
	return s.execute(ctx)
}
