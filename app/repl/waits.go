package repl

import (
	"context"
	"errors"

	"magus/app/draw"
	"magus/engine/cegar"
	"magus/engine/threaded"
)

// Who waits for whom in a deadlock that was found, of components and of threads.

// toEnd performs the steps that are left of a search of threads. The error is that of a context that has ended.
func toEnd(ctx context.Context, s *threaded.Session) error {
	for s.Next() != cegar.Finished {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.Step(ctx)
	}
	return nil
}

// waits draws who waits for whom.
func (c *call) waits(ctx context.Context) (*draw.Picture, error) {
	v, err := c.view()
	if err != nil {
		return nil, err
	}
	s, err := c.threadSession(ctx)
	if err != nil {
		return nil, err
	}
	o := v.Outcome
	if s != nil {
		o = s.Outcome()
	}
	if o == nil || o.Run == nil || o.Run.Standing == nil {
		return nil, errors.New("no deadlock was found; a check with --property no-deadlock looks for one")
	}
	return draw.Waits(draw.Waiting(o.Run)), nil
}
