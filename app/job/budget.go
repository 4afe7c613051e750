package job

import (
	"context"
	"time"

	"magus/app/report"
	"magus/evidence/verdict"
)

// A budget ends the context of a check; the session then ends with the verdict
// unknown, and the cause of the context is the reason it gives.
var (
	errTimeout     = verdict.Because(verdict.Time, "time-out")
	errInterrupted = verdict.Because(verdict.Interrupted, "interrupted")
)

// watchEvery is how often the memory in use is looked at.
const watchEvery = 25 * time.Millisecond

// Budget is a context that ends when its parent ends, when the time is up, or
// when more memory is in use than allowed. A limit of 0 is none.
func Budget(
	parent context.Context, h Host, timeout time.Duration, memory uint64,
) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))
	interrupt := func() { cancel(errInterrupted) }
	if parent.Err() != nil {
		interrupt()
	}
	stop := context.AfterFunc(parent, interrupt)
	watched := make(chan struct{})
	if memory > 0 {
		// The collector aims for less, so that what is then still in use is
		// needed.
		aim := memory - memory/8
		h.LimitMemory(aim)
		if h.Memory() > memory { // before any work, so that how fast that is does not matter
			cancel(tooMuch(memory))
		}
		go func() {
			defer close(watched)
			watchMemory(ctx, h, memory, aim, cancel)
		}()
	} else {
		close(watched)
	}
	timed, cancelTimed := ctx, context.CancelFunc(func() {})
	if timeout > 0 {
		timed, cancelTimed = context.WithTimeoutCause(ctx, timeout, errTimeout)
	}
	return timed, func() {
		stop()
		cancelTimed()
		cancel(nil)
		<-watched
	}
}

// Within is ctx with a limit of time, which may be over.
func Within(ctx context.Context, left time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, left, errTimeout)
}

func tooMuch(limit uint64) error {
	return verdict.Because(verdict.Memory, "more memory needed than the limit of %s", report.Bytes(limit))
}

// watchMemory cancels as soon as more memory is in use than allowed, or more is
// needed than the collector aims for: it would collect again and again, and for
// every byte that is allocated go through everything that there is.
func watchMemory(ctx context.Context, h Host, limit, aim uint64, cancel context.CancelCauseFunc) {
	ticks, stop := h.Ticks(watchEvery)
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			if h.Memory() > limit || h.Needed() > aim {
				cancel(tooMuch(limit))
				return
			}
		}
	}
}
