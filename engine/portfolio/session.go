package portfolio

import (
	"context"
	"slices"
	"strings"
)

// A State is what has come of a method so far.
type State string

// The states. Only open methods get shares.
const (
	Open     State = "goes on"
	Failed   State = "gave up"
	Answered State = "answered"
)

// A Row is what one method of a session was given, and what came of it.
type Row struct {
	Name    string
	Shares  int    // how many it was given
	Granted Effort // in them
	Used    Effort // of it, or above
	State   State
	Why     error // that it has given up
}

// Result is what came of the method, in a word or a sentence.
func (r Row) Result() string {
	switch {
	case r.State == Failed:
		return string(r.State) + ": " + r.Why.Error()
	case r.Shares == 0:
		return "had no share"
	}
	return string(r.State)
}

// A Step is what one step of a session did: a method and what it made of its share.
type Step[O any] struct {
	Method string
	Share  Effort
	Event  Event[O]
}

// String is the step in a line.
func (s Step[O]) String() string {
	if _, over := s.Event.(GaveUp[O]); over {
		return s.Method + " " + s.Event.String()
	}
	return s.Method + ": " + s.Event.String()
}

// A Session gives shares of effort to methods by a rule, until one of them has the answer or all have given up.
// It is used by one goroutine at a time. It is a [Method] itself.
type Session[O any] struct {
	name    string
	rule    Rule
	methods []Method[O]
	progress[O]
}

// A progress is what the steps of a session change of it.
type progress[O any] struct {
	rows  []Row
	share *share   // in progress; nil if there is none
	last  *Step[O] // nil before the end
}

// A share in progress is of a method that has paused.
type share struct {
	method  int
	granted Effort
	left    Effort
}

// New is a session of some methods, whose names differ.
func New[O any](name string, rule Rule, methods ...Method[O]) *Session[O] {
	s := &Session[O]{name: name, rule: rule, methods: slices.Clone(methods)}
	for _, m := range methods {
		s.rows = append(s.rows, Row{Name: m.Name(), State: Open})
	}
	return s
}

// Name implements [Method].
func (s *Session[O]) Name() string { return s.name }

// Rows say of each method what it was given and what came of it, in the order of the list. They are the
// caller's.
func (s *Session[O]) Rows() []Row { return slices.Clone(s.rows) }

// Step gives the next method its share. Once it has returned Ended it returns that again. When all methods have
// given up it returns GaveUp in the session's name, with an [Exhausted].
func (s *Session[O]) Step(ctx context.Context) Step[O] { return s.step(ctx, Unlimited) }

// Advance implements [Method]: it gives methods shares until about as much is used up.
func (s *Session[O]) Advance(ctx context.Context, share Effort) Event[O] {
	used := Effort(0)
	for {
		step := s.step(ctx, share-used)
		used += step.Event.Spent()
		switch e := step.Event.(type) {
		case Ended[O]:
			return Ended[O]{used, e.Outcome}
		case GaveUp[O]:
			if s.open() == 0 {
				return GaveUp[O]{used, s.exhausted()}
			}
		}
		if used >= share || ctx.Err() != nil || step.Share == 0 {
			return Worked[O]{used, step}
		}
	}
}

// step is Step with shares of at most so much.
func (s *Session[O]) step(ctx context.Context, most Effort) Step[O] {
	switch {
	case s.last != nil || s.open() == 0:
		return s.over()
	case s.share != nil:
		return s.goOn(ctx)
	}
	if at, share, ok := s.rule.Next(s.Rows()); ok {
		return s.Give(ctx, at, min(share, most))
	}
	return Step[O]{s.name, 0, Worked[O]{0, nothingDue{}}}
}

// nothingDue is what a session does while its rule has no share for anybody.
type nothingDue struct{}

func (nothingDue) String() string { return "no method is due" }

// over is the step of a session that is at its end.
func (s *Session[O]) over() Step[O] {
	if s.last == nil {
		return Step[O]{s.name, 0, GaveUp[O]{0, s.exhausted()}}
	}
	return *s.last
}

// Give gives a share to a method, by its number in the list, whoever is next by the rule. To a method that has
// ended or given up it gives nothing.
func (s *Session[O]) Give(ctx context.Context, method int, share Effort) Step[O] {
	row := s.rows[method]
	switch {
	case s.last != nil:
		return *s.last
	case row.State != Open:
		return Step[O]{row.Name, 0, GaveUp[O]{0, row.Why}}
	}
	s.grant(method, share)
	return s.goOn(ctx)
}

// Begin has the next step begin a share of a method, whoever is next by the rule. A method that has given up
// tries once more. If a share of the method is in progress it goes on, with so much left.
func (s *Session[O]) Begin(method int, share Effort) {
	row := &s.rows[method]
	row.State, row.Why = Open, nil
	if now := s.share; now != nil && now.method == method {
		row.Granted -= now.left
		row.Shares--
	}
	s.grant(method, share)
}

// grant begins a share.
func (s *Session[O]) grant(method int, granted Effort) {
	s.share = &share{method, granted, granted}
	s.rows[method].Shares++
	s.rows[method].Granted += granted
}

// goOn goes on with the share in progress.
func (s *Session[O]) goOn(ctx context.Context) Step[O] {
	now := *s.share
	row := &s.rows[now.method]
	event := s.methods[now.method].Advance(ctx, max(now.left, 1))
	if e, ok := event.(GaveUp[O]); ok && ctx.Err() != nil {
		event = Worked[O]{e.Used, nil} // who is interrupted has not given up
	}
	row.Used += event.Spent()
	step := Step[O]{row.Name, now.granted, event}
	s.share = nil
	switch e := event.(type) {
	case Paused[O]:
		if now.left != Unlimited {
			now.left -= e.Used
		}
		s.share = &now
	case GaveUp[O]:
		row.State, row.Why = Failed, e.Why
	case Ended[O]:
		row.State = Answered
		s.last = &Step[O]{row.Name, 0, Ended[O]{0, e.Outcome}}
	}
	return step
}

// Replace puts another method of the same name in the place of one. It is open, and what it is granted is counted
// from nothing.
func (s *Session[O]) Replace(method int, by Method[O]) {
	s.methods = slices.Clone(s.methods)
	s.methods[method] = by
	row := &s.rows[method]
	row.Granted, row.State, row.Why = 0, Open, nil
}

// A Mark is a session at one moment, but for what its methods hold. It is immutable.
type Mark[O any] struct {
	methods []Method[O]
	progress[O]
}

// Mark is the session as it is now.
func (s *Session[O]) Mark() Mark[O] {
	m := Mark[O]{s.methods, s.progress}
	m.rows = s.Rows()
	return m
}

// Return makes the session what it was at a mark. Its methods are put back if they are [Rewinder]s; whoever
// returns puts the others back.
func (s *Session[O]) Return(to Mark[O]) {
	s.methods, s.progress = to.methods, to.progress
	s.rows = slices.Clone(to.rows)
	for i, m := range s.methods {
		if r, ok := m.(Rewinder); ok {
			r.Rewind(s.begun(i))
		}
	}
}

// begun is what a method was granted, but for what is left of a share in progress.
func (s *Session[O]) begun(method int) Effort {
	if s.share != nil && s.share.method == method {
		return s.rows[method].Granted - s.share.left
	}
	return s.rows[method].Granted
}

// open is how many methods go on.
func (s *Session[O]) open() int {
	n := 0
	for _, r := range s.rows {
		if r.State == Open {
			n++
		}
	}
	return n
}

func (s *Session[O]) exhausted() error { return &Exhausted{s.Rows()} }

// Exhausted is why a session has no answer: all of its methods have given up.
type Exhausted struct{ Rows []Row }

func (e *Exhausted) Error() string {
	var all []string
	for _, r := range e.Rows {
		all = append(all, r.Name+" "+r.Result())
	}
	return strings.Join(all, "; ")
}

// Unwrap are the reasons of the methods.
func (e *Exhausted) Unwrap() []error {
	var all []error
	for _, r := range e.Rows {
		if r.Why != nil {
			all = append(all, r.Why)
		}
	}
	return all
}
