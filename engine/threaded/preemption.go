package threaded

// Preemption of steps of the search that take long.
//
// Idea: random runs find an error that one run in a thousand comes to in a moment, where the search has to
// multiply and divide unknown numbers for it. So a step that has looked at its context often is preempted.
// The other methods have shares that are about as long: the search that slices, random runs, and, where
// more threads are created than are told apart or a proof of loops without an end waits, the pairs
// (sequentialisation.go). Then the step is taken again with twice the share; its solver keeps what it
// has learnt. The looks are counted, not the time, so the same happens in each check.
//
// Source: ours. Cost: at most as much for runs and for the other search as for the search. A preempted
// step begins anew, but with all its clauses.

import (
	"cmp"
	"context"

	"magus/engine/cegar"
	"magus/engine/portfolio"
	"magus/engine/threads"
)

// firstShare is how often a step looks at its context before runs are made, and runsForLook is how
// many statements these have for each look.
const (
	firstShare  = 1 << 13
	runsForLook = 1 << 7
)

// preemptible reports whether the next step of the search may be put off.
func (s *Session) preemptible() bool { return s.asks && s.plain() || s.provesStanding() }

// searchStep takes the next step of the search, however long that takes. The session has what was found then.
func (s *Session) searchStep(ctx context.Context) (event, error) {
	if !s.preemptible() {
		return s.give(ctx, threads.SearchMethod, portfolio.Unlimited)
	}
	for s.share = cmp.Or(s.share, firstShare); ; s.share *= 2 {
		e, err := s.give(ctx, threads.SearchMethod, s.share)
		if _, late := e.(worked); !late || err != nil {
			return e, err
		}
		if err := s.proveMeanwhile(ctx); err != nil || s.found != nil {
			return e, err
		}
		if err := s.sliceStep(ctx); err != nil || s.found != nil {
			return e, err
		}
		if _, err := s.give(ctx, RunsMethod, s.share*runsForLook); err != nil || s.found != nil {
			return e, err
		}
	}
}

// proveMeanwhile gives shares to proofs that wait for the search.
func (s *Session) proveMeanwhile(ctx context.Context) error {
	switch {
	case s.provesStanding():
		return s.proveStanding(ctx, false)
	case s.frontier.creates || s.waits():
		return s.prove(ctx, false)
	}
	return nil
}

// sliceStep goes on with the search that slices, until a step takes long.
func (s *Session) sliceStep(ctx context.Context) error {
	for {
		e, err := s.give(ctx, threads.SliceMethod, s.share)
		if _, goesOn := e.(paused); !goesOn || err != nil || s.found != nil {
			return err
		}
	}
}

// waits reports whether a proof of threads that are told apart waits: none was looked for, since the search
// was cheap, or a pair has put off a step that took long.
func (s *Session) waits() bool {
	if s.frontier.loops && !s.hadShare(pairName(productOf, cegar.InductionEngine)) {
		return true
	}
	for i, row := range s.portfolio.Rows() {
		if p, ok := s.methods[i].(*pair); ok && row.State == portfolio.Open && p.patience > firstStep {
			return true
		}
	}
	return false
}
