package cegar

// An alternative to a violation that rests on a value that is not modelled.
//
// Idea: that one run rests on such a value says nothing of the others. Often another one comes to the same
// by a pointer that leads to what its type says, or does not ask what nobody knows. So runs are looked for
// (package bounded) in which code that is not modelled changes nothing; that do not take the assignment
// where the value comes from; and, if that finds none, that do not come to the decision which rests on it.
// Each one found that rests on something else is barred as well.
//
// Only violations come of it: that none is found says nothing, for runs are left out.
//
// Source: ours. Cost: a few searches, each for a part of the loop's effort and at least for
// that of its first share.

import (
	"context"
	"errors"

	"magus/cfa"
	"magus/component"
	"magus/engine/bounded"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
)

// maxBarred is the number of assignments, and then of decisions, that are barred.
const maxBarred = 6

// alternative is a violation that rests on nothing unknown, or the error because of which it is
// looked for: the counterexample is as it was then.
func (s *task) alternative(ctx context.Context, because error) (*witness.Violation, error) {
	var first *witness.UnknownError
	if !errors.As(because, &first) {
		return nil, because
	}
	last := first
	if s.keeps(first.From) {
		v, next, err := s.without(ctx, nil)
		if v != nil || err != nil {
			return v, err
		}
		if last = next; last == nil {
			return nil, because
		}
	}
	for _, source := range []func(*witness.UnknownError) cfa.Loc{
		func(e *witness.UnknownError) cfa.Loc { return e.From },
		func(e *witness.UnknownError) cfa.Loc { return e.Decision },
	} {
		barred := map[cfa.Loc]bool{}
		for last := last; last != nil && len(barred) < maxBarred; {
			barred[source(last)] = true
			v, next, err := s.without(ctx, barred)
			if v != nil || err != nil {
				return v, err
			}
			last = next
		}
	}
	return nil, because
}

// keeps reports whether the true value of what a location assigns may be the one before.
func (s *question) keeps(l cfa.Loc) bool {
	a, ok := s.comps[0].CFA.Locs[l].Stmt.(cfa.Assign)
	return ok && a.Keeps
}

// without is a violation that comes to none of some locations, and in which code that is not modelled
// changes nothing; nil if none is found. If the one found rests on something unknown, that is next, and the
// counterexample is as it was before.
func (s *task) without(ctx context.Context,
	barred map[cfa.Loc]bool) (v *witness.Violation, next *witness.UnknownError, err error) {
	before := s.state
	v, err = s.firstWithout(ctx, barred)
	switch {
	case err == nil && v != nil:
		return v, nil, nil
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	}
	s.state = before
	if _, undecided := verdict.Of(err); err == nil || undecided {
		errors.As(err, &next)
		return nil, next, nil
	}
	return nil, nil, err
}

// firstWithout executes the first run that the bounded search finds, as [Session.without] has them.
func (s *state) firstWithout(ctx context.Context, barred map[cfa.Loc]bool) (*witness.Violation, error) {
	spec, err := lts.Determinize(ctx, s.system.Followed, lts.Limits{})
	if err != nil {
		return nil, err
	}
	c := s.comps[0]
	search, err := bounded.Without(ctx, c.program().Preserving(), spec, func(e *component.Edge) bool {
		return e.Loc >= 0 && barred[e.Loc]
	})
	if err != nil {
		return nil, err
	}
	a, err := search.Deepen(ctx, int64(max(firstEffort, s.effort/searchPart)), s.opt.Bound)
	if err != nil || a.Path == nil {
		return nil, err
	}
	f, err := c.abs.FeasibleProgram(ctx, a.Path, nil)
	if err != nil {
		return nil, err
	}
	if !f.Feasible {
		return nil, verdict.Because(verdict.Fault,
			"the bounded search found a path that the component cannot take, which is a fault of this tool")
	}
	s.take(a.Path, f)
	return s.execute(ctx)
}
