package threaded

// Steps of the search that take long are put off for some runs.
//
// Idea: an error that one run in a thousand comes to is found in a moment, where the search has to
// multiply and divide unknown numbers for it. So a step that has looked at its context often is
// ended, runs are made for about as long, and it is taken again with twice the patience: what its
// solver has learnt is kept. Where it was seen that more threads are created, those have turns too
// that look for a proof for any number (product.go). Besides, another search goes on for as long, in
// which reads of few variables see what was written at first: its proof is one as well. It is counted
// how often steps look, not how long that takes, so the same happens each time.
//
// Source: ours. Cost: at most as much for runs and for the other search as for the search, and a step
// that is ended loses its place, not its clauses.

import (
	"cmp"
	"context"
	"errors"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/engine/cegar"
	"magus/engine/threads"
	"magus/evidence/verdict"
)

// firstPatience is how often a step looks at its context before runs are made, and runsForLook is how
// many statements these have for each look.
const (
	firstPatience = 1 << 13
	runsForLook   = 1 << 7
)

var errImpatient = errors.New("the step takes long")

// An allowance is a context that ends when it was looked at often.
type allowance struct {
	context.Context
	left   int
	cancel context.CancelCauseFunc
}

func (a *allowance) Err() error {
	if a.left--; a.left < 0 {
		a.cancel(errImpatient)
	}
	return a.Context.Err()
}

// searches takes the next step of the search. It has ended the session if the event of the loop is not nil.
func (s *Session) searches(ctx context.Context) (e threads.Event, ended cegar.Event, err error) {
	defer func() { s.asks = e.Kind == threads.Unrolled || e.Kind == threads.NoError }()
	if !s.asks || s.claim.Question != component.NoError || s.opt.MemoryModel != cfa.SC {
		e, err = s.search.Step(ctx)
		return e, nil, err
	}
	for s.patience = cmp.Or(s.patience, firstPatience); ; s.patience *= 2 {
		late := false
		if e, late, err = s.patiently(ctx, s.search); !late {
			return e, nil, err
		}
		if s.went.creates {
			if shown, err := s.prove(ctx, false); err != nil {
				return e, nil, err
			} else if shown {
				return e, s.end(verdict.Conforms, verdict.Reason{}), nil
			}
		}
		if e, err = s.slices(ctx); err != nil || s.search == s.sliced {
			return e, nil, err
		}
		if s.prober == nil {
			s.prober = interp.NewProber(interp.New(s.auto), 0)
		}
		if ended, err = s.runs(ctx, s.auto, s.limit, s.prober, 0, s.patience*runsForLook); ended != nil || err != nil {
			return e, ended, err
		}
	}
}

// patiently takes a step of a search; late says that it has taken too long, and can be taken again.
func (s *Session) patiently(ctx context.Context, search *threads.Search) (e threads.Event, late bool, err error) {
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	e, err = search.Step(&allowance{limited, s.patience, cancel})
	late = err != nil && ctx.Err() == nil && errors.Is(context.Cause(limited), errImpatient)
	return e, late, err
}

// slices goes on with a search that slices, unless that was asked for, and makes it the session's if
// it has a proof. The error is none of patience.
func (s *Session) slices(ctx context.Context) (e threads.Event, err error) {
	if s.opt.Slice {
		return e, nil
	}
	if s.sliced == nil {
		o := s.searching()
		o.Slice = true
		s.sliced = threads.New(s.auto, o)
	}
	for late := false; ; {
		if _, done := s.sliced.Done(); done {
			return e, nil
		}
		if e, late, err = s.patiently(ctx, s.sliced); late {
			return e, nil
		}
		if out, done := s.sliced.Done(); err == nil && done && out.Answer == threads.Safe {
			s.search = s.sliced
		}
		if err != nil || s.search == s.sliced {
			return e, err
		}
	}
}
