package job

import (
	"context"
	"time"

	"magus/evidence/verdict"
)

// The time for smaller sets of predicates.
//
// Idea: once a claim is proved its verdict stands, and what follows serves the
// size of the sets that are shown. That may take as much as the proof took, and
// not more: processor time is counted, so that a busy machine changes little. The
// session's context ends when the time is up, and the session then keeps the
// verdict with the best sets so far.
//
// Cost: one look at the clock every 25 ms while smaller sets are looked for.

// leastReduceTime is always spent if it is needed.
const leastReduceTime = 200 * time.Millisecond

// errReduceTime ends the search for smaller sets.
var errReduceTime = verdict.Because(verdict.Time, "time")

// reducing is a context for the search for smaller sets after a proof that took
// some processor time, as work counts it. It ends when limit is used up, or if that
// is 0, as much as the proof took.
func reducing(parent context.Context, h Host, work func() time.Duration, proof, limit time.Duration) (context.Context,
	context.CancelFunc) {
	if limit == 0 {
		limit = max(proof, leastReduceTime)
	}
	ctx, cancel := context.WithCancelCause(parent)
	over := work() + limit
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		ticks, stop := h.Ticks(watchEvery)
		defer stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks:
				if work() > over {
					cancel(errReduceTime)
					return
				}
			}
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-watched
	}
}
