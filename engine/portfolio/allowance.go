package portfolio

// Steps that end when they take too much.
//
// Idea: how often a step looks at its context is counted, which does not depend on the machine. A context that was
// looked at more often than a share allows ends. Where a step counts what it does, that is added. A context that is
// derived from it counts on only if it asks it.
//
// Cost: an addition for each look.

import (
	"context"
	"errors"
	"sync/atomic"
)

var errShare = errors.New("the step takes more than its share")

// An Allowance is a context that counts how often it was looked at, and ends when that was more often than a share
// has it.
type Allowance struct {
	context.Context
	looks  atomic.Int64
	share  Effort
	weight Effort        // of a look
	counts func() Effort // what is done besides; nil: nothing
	before Effort        // it was this
	cancel context.CancelCauseFunc
}

// Allow is an allowance of so many looks. Its Close is to be called.
func Allow(ctx context.Context, share Effort) *Allowance {
	limited, cancel := context.WithCancelCause(ctx)
	return &Allowance{Context: limited, share: share, weight: 1, cancel: cancel}
}

// LookEffort is what a look counts for beside the effort of a decision procedure: between two looks so much is done
// that is not counted.
const LookEffort = 150

// AllowEffort is an allowance of an effort that something counts, and looks.
func AllowEffort(ctx context.Context, share Effort, counts func() Effort) *Allowance {
	a := Allow(ctx, share)
	a.weight, a.counts, a.before = LookEffort, counts, counts()
	return a
}

// Err implements [context.Context].
func (a *Allowance) Err() error {
	a.looks.Add(1)
	if a.Used() > a.share {
		a.cancel(errShare)
	}
	return a.Context.Err()
}

// Used is what was made: how often it was looked at, and what else counts.
func (a *Allowance) Used() Effort {
	used := a.weight * Effort(a.looks.Load())
	if a.counts != nil {
		used += a.counts() - a.before
	}
	return used
}

// Over reports whether it has ended for its share.
func (a *Allowance) Over() bool { return errors.Is(context.Cause(a.Context), errShare) }

// Close frees what it holds.
func (a *Allowance) Close() { a.cancel(nil) }
