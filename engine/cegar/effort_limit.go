package cegar

// Choices of predicates, and abstractions, that take long.
//
// Idea: one question about arithmetic can be harder than a whole proof by other means. So where
// others wait for shares, a choice of predicates may take as much effort as the loop has made so far,
// and an abstraction, which has many questions, sixteen times as much; then it is put off, the others have
// their shares, and it may take twice as much. What was found out before it was put off is remembered where
// it is true at any time, as after any phase that was interrupted.
//
// Effort is counted by the decision procedure, if that is the one in the house, and so does not depend on
// the machine.
//
// Source: the portfolios of verifiers share time like that; that the shares are counted is ours. Cost: at
// most twice the effort of what is not put off.

import (
	"context"
	"errors"

	"magus/smt/solver"
)

// How much more effort than the loop so far an abstraction may take; and where elements of arrays are followed, of
// which abstractions know little.
const (
	buildPart       = 16
	memoryBuildPart = 2
)

// errTakesLong is why a choice of predicates, or an abstraction, is put off.
var errTakesLong = errors.New("the others have a share first")

// An effortLimit is a context that ends when a counter has made an effort.
type effortLimit struct {
	context.Context
	around context.Context
	of     solver.Counter
	most   int64
	end    context.CancelCauseFunc
}

// limitEffort gives up a context after so much further effort of what counts it.
func limitEffort(ctx context.Context, of solver.Counter, effort int64) *effortLimit {
	inner, end := context.WithCancelCause(ctx)
	return &effortLimit{inner, ctx, of, of.Effort() + effort, end}
}

// Err is not nil once the context has ended.
func (i *effortLimit) Err() error {
	switch {
	case i.of.Effort() > i.most:
		i.end(errTakesLong)
	case i.around.Err() != nil:
		i.end(context.Cause(i.around))
	}
	return i.Context.Err()
}

// exceeded reports whether the context ended for its effort, and not because the one around it has.
func (i *effortLimit) exceeded() bool { return errors.Is(context.Cause(i.Context), errTakesLong) }

// chooseOrPutOff is chooseData, but puts it off if it takes longer than the loop before.
func (s *loop) chooseOrPutOff(ctx context.Context) (Event, result, error) {
	of, counts := s.comps[s.first()].solver.(solver.Counter)
	if !counts {
		return s.chooseData(ctx)
	}
	limited := limitEffort(ctx, of, int64(max(s.firstShare, s.effort)))
	defer limited.end(nil)
	before := s.moment()
	e, r, err := s.chooseData(limited)
	if !limited.exceeded() {
		return e, r, err
	}
	s.back(before)
	s.putOff()
	c := s.comps[s.first()]
	return DataRefined{Component: s.first(), Predicates: c.without(c.set, nil),
		Candidates: len(c.abs.Candidates), Paths: len(c.spurious), PutOff: true}, yields, nil
}

// putOff lets the others have their shares, and what was put off take twice as much afterwards.
func (s *loop) putOff() { s.effort = 2 * max(s.firstShare, s.effort) }
