package threaded

// Automata of one thread in place of the threads, for loops that go on and calls that go on to create threads.
//
// Idea: where executions go on in loops, unrolling them has no end. From the second bound on the loop
// that abstracts and refines has turns, with the product of the threads in place of a program with
// one thread, and with its thread-modular abstraction, which alone has any number of threads. A proof
// of either is the claim's. What it takes for a violation is left to the search, which replays it.
// With a limit for loops there is no turn: then the search has an end.
//
// Cost: turns grow as the bounds do, so that neither waits for the other for long.

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/cfa/events"
	"magus/cfa/lower"
	"magus/cfa/sequential"
	"magus/component"
	"magus/engine/cegar"
	"magus/engine/threads/regions"
	"magus/evidence/verdict"
)

// firstBound is the bound from which on the product has turns, turnSteps how many steps these have
// for each round of a loop, and lastSteps how many there are where no bound is left.
const (
	firstBound = 4
	turnSteps  = 6
	lastSteps  = 1000
)

// firstSteps is how many steps an induction alone has in its first turn, and nextSteps in each one
// after that: two are twice the effort of all before. Where arrays are known by ranges it has
// rangeSteps first, since otherwise all their elements become variables; where moves of threads are
// counted countSteps, since with more threads the search takes many times as long, and where it is
// counted how many are where placeSteps, which are quickly done; and over the product of the threads
// productSteps, which comes late.
const (
	firstSteps   = 8
	nextSteps    = 4
	rangeSteps   = 16
	countSteps   = 18
	placeSteps   = 14
	productSteps = 22
)

// A prover looks for a proof with an automaton of one thread.
type prover struct {
	whole      string // as certificates have it
	sequential func(context.Context, *cfa.CFA) (*cfa.CFA, error)
	engine     cegar.Engine
	first      int                // steps of an induction alone in its first turn, if not firstSteps
	ranges     []sequential.Range // of the arrays of which no more is known
	session    *cegar.Session
	copies     int  // of the threads of one call, as the session has them
	elements   int  // of arrays
	over       bool // there is no such automaton, or nothing comes of it
	shown      bool // the session has shown the claim
}

// Product makes one automaton of a program's threads, if it can.
func Product(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	if len(c.Threads) == 0 {
		return c, nil
	}
	c, err := regions.Merge(ctx, c)
	if err != nil {
		return nil, err
	}
	return sequential.Product(ctx, c)
}

// Modular makes one automaton of a program's threads, of which any number may be created.
func Modular(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	if len(c.Threads) == 0 {
		return c, nil
	}
	c, err := regions.Merge(ctx, c)
	if err != nil {
		return nil, err
	}
	return sequential.Modular(ctx, c)
}

// CountedMoves makes one automaton of a program's threads, which counts how often they have moved.
func CountedMoves(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	return counted(ctx, c, sequential.Moves)
}

// CountedPlaces makes one automaton of a program's threads, which counts how many of them are where.
func CountedPlaces(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	return counted(ctx, c, sequential.Locations)
}

func counted(ctx context.Context, c *cfa.CFA, tally sequential.Counter) (*cfa.CFA, error) {
	if len(c.Threads) == 0 {
		return c, nil
	}
	c, err := regions.Merge(ctx, c)
	if err != nil {
		return nil, err
	}
	return sequential.CounterAbstraction(ctx, c, tally)
}

// An onward says where executions went on.
type onward struct {
	bound          int
	loops, creates bool // through loops; to create threads
	others         bool // to what no automaton of one thread has
}

// onward is where executions go on.
func (s *Session) onward(bound int, cuts []events.Cut) onward {
	o := onward{bound: bound}
	for _, c := range cuts {
		switch c.Kind {
		case events.LoopCut:
			o.loops, o.creates = true, o.creates || s.auto.Creates(c.Head)
		case events.ThreadCut:
			o.creates = true
		default:
			o.others = true
		}
	}
	return o
}

// mayBeFew reports whether there may be only a few more threads than are told apart at first: a loop
// that creates them without end was cut as well.
func (s *Session) mayBeFew() bool {
	return s.went.creates && !s.went.loops && s.limit <= 2*lower.DefaultThreadLimit
}

// prove gives automata of one thread turns where executions went on, and reports whether one of them
// has shown the claim. After the last bound there is nothing else to do.
func (s *Session) prove(ctx context.Context, last bool) (bool, error) {
	if s.opt.Unwind > 0 || s.claim.Question != component.NoError || s.opt.MemoryModel != cfa.SC {
		return false, nil
	}
	w := s.went
	if w.others || !w.creates && (!w.loops || w.bound < firstBound) {
		return false, nil
	}
	steps := turnSteps * max(w.bound, firstBound)
	if last {
		steps = lastSteps
	}
	if !w.creates {
		if s.confined.session != nil {
			if shown, err := s.turn(ctx, &s.confined, s.limit, nextSteps); shown || err != nil {
				return shown, err
			}
		}
		if shown, err := s.turns(ctx, &s.productInduction, &s.product, s.limit, steps); shown || err != nil {
			return shown, err
		}
	}
	if s.opt.Threads > 0 || s.opt.CheckPointers || s.opt.CheckLeaks {
		return false, nil // what is joined twice, or lost, is that of one copy
	}
	for _, p := range []*prover{&s.modularInduction, &s.placesInduction, &s.movesInduction} {
		if shown, err := s.turn(ctx, p, lower.AnyThreads, p.due()); shown || err != nil {
			return shown, err
		}
	}
	for _, p := range []*prover{&s.modular, &s.moves} {
		if shown, err := s.turn(ctx, p, lower.AnyThreads, steps); shown || err != nil {
			return shown, err
		}
	}
	return false, nil
}

// turns lets an induction make some steps, then all that the loop has.
func (s *Session) turns(ctx context.Context, induction, loop *prover, copies, steps int) (bool, error) {
	if shown, err := s.turn(ctx, induction, copies, induction.due()); shown || err != nil {
		return shown, err
	}
	return s.turn(ctx, loop, copies, steps)
}

// due is how many steps an induction has in its next turn.
func (p *prover) due() int {
	if p.session == nil {
		return cmp.Or(p.first, firstSteps)
	}
	return nextSteps
}

// countedAssumptions are what a proof by counting threads rests on besides.
func (s *Session) countedAssumptions() []cfa.Warning {
	var most string
	switch {
	case s.placesInduction.shown:
		most = "fewer than 2^24 threads are at one place of the program at the same time, and fewer than 2^32 have ended and were not joined"
	case s.moves.shown, s.movesInduction.shown:
		most = "fewer than 2^32 threads are at one place of the program at the same time, or have ended and were not joined"
	default:
		return nil
	}
	all := []cfa.Warning{{Pos: s.auto.Threads[1].Site, Kind: cfa.AboutThreads, Text: most}}
	if i := slices.IndexFunc(s.auto.Locs, func(l cfa.Location) bool {
		_, joins := l.Stmt.(cfa.Join)
		return joins
	}); i >= 0 {
		all = append(all, cfa.Warning{Pos: s.auto.Locs[i].Pos, Kind: cfa.AboutThreads, Text: "no thread is joined twice"})
	}
	return all
}

// tooMuch reports whether there is no automaton of one thread, for no fault of the program or of this tool.
func tooMuch(err error) bool {
	return errors.Is(err, sequential.ErrLargeProduct) || errors.Is(err, sequential.ErrIdentity) ||
		errors.Is(err, sequential.ErrRange)
}

// turn lets a prover make some steps.
func (s *Session) turn(ctx context.Context, p *prover, copies, steps int) (bool, error) {
	if p.over {
		return false, nil
	}
	if p.session == nil {
		o := s.opt
		o.Threads, o.Recursion, o.ArrayLimit, o.Product, o.Engine = copies, s.recursion, s.elements, p.sequential, p.engine
		o.Written = -1 // its violations are not looked at
		session, err := cegar.NewSession(ctx, s.claim, o)
		if p.over = err != nil; p.over {
			if tooMuch(err) {
				err = nil
			}
			return false, err
		}
		p.session, p.copies, p.elements = session, max(copies, 0), s.elements
	}
	for range steps {
		switch e := p.session.Step(ctx).(type) {
		case cegar.Ended:
			p.over = true
			p.shown = e.Outcome.Verdict == verdict.Conforms
			return p.shown, context.Cause(ctx)
		}
	}
	return false, nil
}
