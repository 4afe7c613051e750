package repl

import (
	"context"
	"errors"

	"magus"
	"magus/app/draw"
	"magus/engine/cegar"
	"magus/evidence/verdict"
)

// Who waits for whom in a deadlock that was found, of components and of threads.

// toEnd performs the steps that are left of a search, or as many as there is time for. The error is ctx's.
func toEnd(ctx, limited context.Context, s search) error {
	for s.Next() != cegar.Finished {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.Step(limited)
	}
	return nil
}

// notFound is why there is nothing to draw of a run.
func notFound(o *magus.Outcome, what string) error {
	switch {
	case o != nil && o.Verdict == verdict.Unknown:
		return &UndecidedError{o.Reason}
	case o != nil && o.Verdict == verdict.Conforms:
		return errors.New("the claim conforms; " + what)
	}
	return errors.New(what)
}

// An UndecidedError says that nothing can be drawn since a search has ended as unknown.
type UndecidedError struct{ Reason magus.Reason }

func (e *UndecidedError) Error() string {
	return "the check has ended as unknown, there is no run to draw: " + e.Reason.String()
}

// outcome is that of the search or of the session; nil before its end.
func (c *call) outcome(ctx context.Context) (*magus.Outcome, error) {
	v, err := c.view()
	if err != nil {
		return nil, err
	}
	s, err := c.threadSession(ctx)
	if err != nil || s == nil {
		return v.Outcome, err
	}
	return s.Outcome(), nil
}

// lasso draws what comes again and again in the run that was found, and what comes before.
func (c *call) lasso(ctx context.Context) (*draw.Picture, error) {
	o, err := c.outcome(ctx)
	if err != nil {
		return nil, err
	}
	if o == nil || o.Run == nil || o.Run.Round == nil {
		return nil, notFound(o, "no run was found that is wrong as a whole; "+
			"run looks for one where progress, assert, --property terminates or no-livelock, "+
			"or --relation failures-divergences asks for it")
	}
	return draw.Lasso(o.Run), nil
}

// waits draws who waits for whom.
func (c *call) waits(ctx context.Context) (*draw.Picture, error) {
	o, err := c.outcome(ctx)
	if err != nil {
		return nil, err
	}
	if o == nil || o.Run == nil || o.Run.Standing == nil {
		return nil, notFound(o, "no deadlock was found; a check with --property no-deadlock looks for one")
	}
	return draw.Waits(draw.Waiting(o.Run)), nil
}

// noComposition is why a search has no composition to draw.
func (c *call) noComposition(s search) error {
	if s == nil {
		return nil
	}
	if _, ok := ofThreads(s); ok {
		return errors.New("a search of threads builds no composition; cfa is the program of all threads")
	}
	return errors.New("a search of whole runs keeps no composition; lasso is the run that was found")
}
