package cegar

// The methods of a session, and what is told of them.
//
// Idea: the loop, the bounded search and the induction are methods of a portfolio, which work on one task
// and have shares by one rule (rule.go). What they do with a share is an [Event], whichever of them it is.
// The loop pauses after each phase, so that it can be looked at. Whoever comes to a verdict ends the
// session.
//
// Cost: none of its own.

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"magus/engine/bounded"
	"magus/engine/portfolio"
	"magus/evidence/verdict"
)

// The methods of a session, in the order of its rows.
const (
	loopMethod = iota
	searchMethod
	inductionMethod
	cellsMethod
	summariesMethod
	executionMethod
	nobody = -1
)

// What a method of this package does with a share. What it has worked is an [Event].
type (
	method      = portfolio.Method[*verdict.Outcome]
	methodEvent = portfolio.Event[*verdict.Outcome]
	worked      = portfolio.Worked[*verdict.Outcome]
	paused      = portfolio.Paused[*verdict.Outcome]
	gaveUp      = portfolio.GaveUp[*verdict.Outcome]
	ended       = portfolio.Ended[*verdict.Outcome]
)

// methods are those of a task.
func (t *task) methods() []method {
	return []method{loopMethod: &loop{task: t}, searchMethod: &searching{task: t}, inductionMethod: &inducing{task: t},
		cellsMethod: &cellProof{task: t}, summariesMethod: &summarising{task: t},
		executionMethod: &executing{task: t}}
}

// A givenUp is why a method has given up, and what it did before.
type givenUp struct {
	Event
	why error
}

func (g *givenUp) Error() string { return g.why.Error() }
func (g *givenUp) Unwrap() error { return g.why }

// eventOf is what a method of the portfolio tells of a step that came to a result. A step that fails ends
// the session, unless it was interrupted.
func (t *task) eventOf(ctx context.Context, used portfolio.Effort, e Event, r result, err error) methodEvent {
	switch {
	case err != nil && isFault(err):
		t.end(verdict.Unknown, reason(err))
	case err != nil && ctx.Err() != nil:
		return worked{Used: used}
	case err != nil:
		t.stop(reason(err))
	}
	switch {
	case t.outcome != nil:
		return ended{Used: used, Outcome: t.outcome}
	case r == yields:
		return worked{Used: used, What: e}
	}
	return paused{Used: used, What: e}
}

// told is the event that a method has told; nil if it was interrupted.
func told(e methodEvent) Event {
	var what any
	switch e := e.(type) {
	case worked:
		what = e.What
	case paused:
		what = e.What
	case gaveUp:
		var g *givenUp
		if errors.As(e.Why, &g) {
			return g.Event
		}
	}
	event, _ := what.(Event)
	return event
}

// means are shares of one of the two means of an induction.
type means struct {
	shares int
	used   int64
}

// The two means of an induction, of which an outcome tells as of two methods.
const (
	kinduction = iota
	propertyDirected
	numMeans
)

// had notes what effort the two means of an induction have made with a share.
func (t *task) had(made [numMeans]int64) {
	if t.opt.Engine.methods().means == bounded.PropertyDirected {
		made = [numMeans]int64{propertyDirected: made[0] + made[1]}
	}
	for i := range made {
		if made[i] > 0 {
			t.means[i].shares++
			t.means[i].used += made[i]
		}
	}
}

// methodRows are what the methods that may have shares had of them, as an outcome with a verdict tells it.
func (s *Session) methodRows(v verdict.Verdict) []verdict.Share {
	m, rows := s.opt.Engine.methods(), s.portfolio.Rows()
	single := len(s.comps) == 1
	inducing := single && m.induction
	decided := s.decidedBy(v)
	var all []verdict.Share
	add := func(row portfolio.Row, takes, decides bool, given error) {
		if !takes && row.Shares == 0 {
			return
		}
		row.State, row.Why = portfolio.Open, nil
		switch {
		case decides:
			row.State = portfolio.Answered
		case given != nil:
			row.State, row.Why = portfolio.Failed, given
		}
		result := row.Result()
		if row.Name == bounded.SearchMethod && s.unrolled > 0 && row.State == portfolio.Open {
			result = fmt.Sprintf("no violation above depth %d", s.unrolled)
		}
		all = append(all, verdict.Share{Method: row.Name, Shares: row.Shares, Effort: int64(row.Used),
			Result: strings.TrimSpace(result)})
	}
	add(rows[loopMethod], m.loop, decided == loopMethod, s.stuckFor())
	add(rows[searchMethod], single && m.search, decided == searchMethod, whyGivenUp(rows[searchMethod]))
	for i, had := range s.means {
		row := portfolio.Row{Name: meansOf(i, m.means).String(), Shares: had.shares, Used: portfolio.Effort(had.used)}
		takes := inducing && (m.means == bounded.All || (m.means == bounded.PropertyDirected) == (i == propertyDirected))
		add(row, takes, decided == inductionMethod && (s.by == bounded.PropertyDirected) == (i == propertyDirected),
			whyGivenUp(rows[inductionMethod]))
	}
	if row := rows[cellsMethod]; row.Used > 0 {
		add(row, true, decided == cellsMethod, whyGivenUp(row))
	}
	if row := rows[executionMethod]; row.Used > 0 {
		add(row, true, decided == executionMethod, whyGivenUp(row))
	}
	for _, row := range s.bodyRows(rows[summariesMethod]) {
		by := decided == summariesMethod && (s.summary.contracts != nil) == (row.Name == ContractsMethod)
		add(row, false, by, whyGivenUp(row))
	}
	return all
}

// bodyRows are what contracts and summaries had of the shares of those that look at bodies which stand once.
func (s *Session) bodyRows(row portfolio.Row) (rows []portfolio.Row) {
	of := func(name string, h bodyShares) {
		if h.shares == 0 {
			return
		}
		had := portfolio.Row{Name: name, Shares: h.shares, Used: h.used, State: portfolio.Open}
		if h.givenUp != nil {
			had.State, had.Why = portfolio.Failed, h.givenUp
		}
		rows = append(rows, had)
	}
	of(ContractsMethod, s.summaries.tried)
	if of(SummariesMethod, s.summaries.went); len(rows) == 0 {
		return []portfolio.Row{row}
	}
	return rows
}

// meansOf are the means of a row, where an induction has some alone.
func meansOf(row int, alone bounded.Means) bounded.Means {
	switch {
	case row == propertyDirected:
		return bounded.PropertyDirected
	case alone == bounded.Intervals:
		return bounded.Intervals
	}
	return bounded.KInduction
}

// stuckFor is why the loop is at its end; nil if it is not.
func (s *state) stuckFor() error {
	if s.stuck == nil {
		return nil
	}
	return s.stuck
}

// whyGivenUp is why a method has no further share; nil if it has.
func whyGivenUp(row portfolio.Row) error {
	if row.State != portfolio.Failed {
		return nil
	}
	var g *givenUp
	if errors.As(row.Why, &g) {
		return g.why
	}
	return row.Why
}

// decidedBy is the method that has found a verdict; nobody if it is unknown.
func (s *state) decidedBy(v verdict.Verdict) int {
	switch {
	case v == verdict.Unknown:
		return nobody
	case s.ran() > 0:
		return executionMethod
	case s.within != nil:
		return cellsMethod
	case s.summary != nil:
		return summariesMethod
	case s.induced != nil:
		return inductionMethod
	case s.bounded:
		return searchMethod
	}
	return loopMethod
}
