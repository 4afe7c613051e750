package repl

import (
	"context"
	"errors"
	"strings"

	"magus"
	"magus/app/draw"
	"magus/app/report"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/graph"
	"magus/internal/phrase"
)

// What is drawn of a run that was found: what each component or thread does, and who waits for whom in a deadlock.

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
	if c.unspecified {
		return nil, errUnspecified
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

// lanes draws the run that was found with a lane for each component or thread.
func (c *call) lanes(ctx context.Context) (*graph.Drawing, error) {
	o, err := c.outcome(ctx)
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, errors.New("no run was found so far; run looks for one that violates the claim")
	}
	if o.Run == nil {
		return nil, notFound(o, "there is no run to draw")
	}
	x := report.NewClaim(o, nil, 0, c.host.Engine).Counterexample
	if len(x.Steps) == 0 {
		return nil, errors.New("the run has no steps; trace says what is wrong")
	}
	return drawLanes(x.ByLane()), nil
}

// drawLanes is the drawing of a run by who does what.
func drawLanes(l *report.Lanes) *graph.Drawing {
	title := "the run"
	if l.Left > 0 {
		title += ", without its first " + phrase.Plural(l.Left, "event")
	}
	d := graph.NewDrawing(title)
	d.Lanes(l.Names...)
	for _, e := range l.Events {
		d.Node(graph.Node{Label: strings.Join(e.Text, "\n"), Shape: "box", Lane: e.Lane, Highlight: e.Bad})
	}
	for _, a := range l.Arrows {
		why := a.Why
		if a.Again {
			why = ""
		}
		d.Edge(graph.Edge{From: a.From, To: a.To, Label: why,
			Dashed: a.Order || a.Together, Highlight: a.Waits})
	}
	return d
}
