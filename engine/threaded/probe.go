package threaded

// Runs that are made beside the search.
//
// Idea: an error that shows only when loops went round often, or many threads were created, lies far
// behind the bounds of the search, and a run may come to it at once. So where what is unrolled is
// large, some runs are made first, of threads by random priorities (interp.Prober). One with an error
// is replayed as any other, and believed only if it does not depend on what is not modelled. Where
// calls create more threads than the search tells apart, the runs have more. Where it is of middle
// size, the runs that come to mind first are made, once; and if a step of the search takes long, it
// is put off for some runs, ever longer (patience.go).
//
// Cost: statements in proportion to the events of the search, and to its effort.

import (
	"context"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/engine/cegar"
	"magus/engine/threads"
	"magus/evidence/verdict"
)

// Where what is unrolled has leastEvents, or calls create more threads than are told apart, runs have
// probed statements for each event, mostRun in one. In the latter case they have up to wideThreads of
// each call. With fewEvents there are the first runs only.
const (
	fewEvents   = 40
	leastEvents = 400
	probed      = 100
	mostRun     = 20_000
	mostChanges = 3
	wideThreads = 64
)

// probe looks for an error by runs. It has ended the session if the event is not nil. The error is ctx's.
func (s *Session) probe(ctx context.Context, e threads.Event) (cegar.Event, error) {
	few := e.Stats.Events < leastEvents && !s.creates
	if s.claim.Question != component.NoError || s.opt.MemoryModel != cfa.SC ||
		few && (s.probed || e.Stats.Events < fewEvents) {
		return nil, nil
	}
	s.probed = true
	auto, copies, err := s.wide(ctx)
	if err != nil {
		return nil, err
	}
	most := 0
	if few {
		most = interp.FirstRuns
	}
	return s.runs(ctx, auto, copies, interp.NewProber(interp.New(auto), int64(e.Bound)), most,
		probed*max(e.Stats.Events, leastEvents))
}

// runs makes some runs of an automaton, as many as statements are left and at most most if that is
// not 0. It has ended the session if the event is not nil. The error is ctx's.
func (s *Session) runs(ctx context.Context, auto *cfa.CFA, copies int, p *interp.Prober, most,
	left int) (cegar.Event, error) {
	for runs := 0; left > 0 && (most == 0 || runs < most); runs++ {
		n, script, err := p.Run(ctx, mostRun, runs%(mostChanges+1), cfa.ErrorAction)
		if err != nil {
			return nil, err
		}
		left -= max(n, 1)
		if script == nil {
			continue
		}
		run, err := interp.New(auto).ReplayThreads(ctx, *script)
		if err != nil {
			return nil, err
		}
		if run.Tainted == nil {
			s.auto, s.limit, s.script, s.run, s.last = auto, copies, *script, run, len(run.Steps)
			ended := s.end(verdict.Violates, verdict.Reason{})
			s.outcome.Run = s.report(run, &threads.Schedule{})
			return ended, nil
		}
	}
	return nil, nil
}

// wide is an automaton of the claim with many threads, if some call creates more than are told apart,
// with the number of these.
func (s *Session) wide(ctx context.Context) (*cfa.CFA, int, error) {
	if !s.creates || s.opt.Threads > 0 || s.limit >= wideThreads {
		return s.auto, s.limit, nil
	}
	if s.many == nil {
		auto, err := s.automaton(ctx, wideThreads)
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		if err != nil { // it may be too large with so many
			return s.auto, s.limit, nil
		}
		s.many = auto
	}
	return s.many, wideThreads, nil
}
