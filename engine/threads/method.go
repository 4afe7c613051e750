package threads

// The search as a method of a portfolio.
//
// Idea: a step that looks at its context more often than its share allows is preempted, and can be taken again: the
// solver keeps what it has learnt.
//
// Cost: a preempted step begins anew, but with all its clauses.

import (
	"context"
	"fmt"

	"magus/engine/portfolio"
	"magus/internal/phrase"
)

// The names of searches.
const (
	SearchMethod = "search"
	SliceMethod  = "slice" // that looks at few variables at first
)

// What a search does with a share.
type (
	worked = portfolio.Worked[Result]
	paused = portfolio.Paused[Result]
	gaveUp = portfolio.GaveUp[Result]
	ended  = portfolio.Ended[Result]
)

// Unfinished is why a search gives up: executions go on, where its bounds end.
type Unfinished struct{ Result }

func (e *Unfinished) Error() string {
	return "executions go on behind the bounds of the search: " + phrase.Plural(e.Bound, "unwinding")
}

// String is the answer.
func (r Result) String() string { return [...]string{"unknown", "safe", "unsafe"}[r.Answer] }

// Name implements [portfolio.Method].
func (s *Search) Name() string {
	if s.opts.Slice {
		return SliceMethod
	}
	return SearchMethod
}

// Advance implements [portfolio.Method]: it takes a step.
func (s *Search) Advance(ctx context.Context, share portfolio.Effort) portfolio.Event[Result] {
	if s.stage == finished {
		return s.over(0)
	}
	e, used, late, err := s.StepWithin(ctx, share)
	switch {
	case late, err != nil && ctx.Err() != nil:
		return worked{Used: used}
	case err != nil:
		return gaveUp{Used: used, Why: err}
	case s.stage == finished:
		return s.over(used)
	}
	return paused{Used: used, What: e}
}

// over is the end of a search that is finished.
func (s *Search) over(used portfolio.Effort) portfolio.Event[Result] {
	if s.out.Answer == Unknown {
		return gaveUp{Used: used, Why: &Unfinished{s.out}}
	}
	return ended{Used: used, Outcome: s.out}
}

// StepWithin is Step within a share. Late says that the step takes more, and can be taken again; the error is then
// of no matter.
func (s *Search) StepWithin(ctx context.Context, share portfolio.Effort) (e Event, used portfolio.Effort,
	late bool, err error) {
	looks := portfolio.Allow(ctx, share)
	defer looks.Close()
	e, err = s.Step(looks)
	return e, max(looks.Used(), 1), err != nil && ctx.Err() == nil && looks.Over(), err
}

func (e Event) String() string {
	within := "loops unrolled " + phrase.Plural(e.Bound, "time")
	text := map[EventKind]string{
		Unrolled:   within,
		ErrorFound: within + ": an execution that violates",
		NoError:    within + ": no violation",
		Ended:      within + ": no execution goes on",
		Deeper:     "some executions go on: loops are unrolled " + phrase.Plural(e.Bound, "time"),
		TooLarge:   within + ": too large to be looked at whole",
	}[e.Kind]
	switch e.Kind {
	case ErrorFound, NoError, Ended:
		text += " (" + e.Effort() + ")"
	}
	return text
}

// Effort is what was done at this bound so far: models whose order was looked at, and the clauses that came of it.
func (e Event) Effort() string {
	s := e.Stats
	text := phrase.Plural(s.Rounds, "round") + ", " + phrase.Plural(s.Reasons, "reason")
	if s.Reasons > 0 {
		text += fmt.Sprintf(" of %.1f literals", float64(s.Literals)/float64(s.Reasons))
	}
	return text
}
