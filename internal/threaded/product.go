package threaded

// The product of the threads as one automaton, for loops that go on.
//
// Idea: where executions go on in loops, unrolling them has no end. From the second bound on the loop that abstracts and refines has
// turns, with the product of the threads in place of a program with one thread. Its proof is the claim's. What it takes for a
// violation is left to the search, which replays it. With a limit for loops there is no turn: then the search has an end.
//
// Cost: turns grow as the bounds do, so that neither waits for the other for long.

import (
	"context"
	"errors"

	"magus/cegar"
	"magus/cfa"
	"magus/component"
	"magus/internal/verdict"
	"magus/threads"
	"magus/threads/events"
	"magus/threads/regions"
)

// firstBound is the bound from which on the product has turns, and turnSteps how many steps these have for each round of a loop.
const (
	firstBound = 4
	turnSteps  = 6
)

// A prover looks for a proof with the product.
type prover struct {
	session *cegar.Session
	over    bool // there is no product, or nothing comes of it
}

// Product makes one automaton of a program's threads, if it can.
func Product(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	if len(c.Threads) < 2 {
		return c, nil
	}
	c, err := regions.Merge(ctx, c)
	if err != nil {
		return nil, err
	}
	return threads.Product(ctx, c)
}

// prove gives the product a turn, and reports whether it has shown the claim.
func (s *Session) prove(ctx context.Context, bound int, cuts []events.Cut) (bool, error) {
	p := &s.prover
	if p.over || bound < firstBound || s.opt.Unwind > 0 || s.claim.Question != component.NoError || s.opt.MemoryModel != cfa.SC {
		return false, nil
	}
	for _, c := range cuts {
		if c.Kind != events.LoopCut {
			return false, nil
		}
	}
	if p.session == nil {
		o := s.opt
		o.Threads, o.Recursion, o.ArrayLimit, o.Product = s.limit, s.recursion, s.elements, Product
		session, err := cegar.NewSession(ctx, s.claim, o)
		if p.over = err != nil; p.over {
			if errors.Is(err, threads.ErrLargeProduct) {
				err = nil
			}
			return false, err
		}
		p.session = session
	}
	for range turnSteps * bound {
		switch e := p.session.Step(ctx).(type) {
		case cegar.Ended:
			p.over = true
			return e.Outcome.Verdict == verdict.Conforms, context.Cause(ctx)
		}
	}
	return false, nil
}
