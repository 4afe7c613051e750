package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"magus/engine/portfolio"
	"magus/param"
)

// Domain says which constraints a search works on.
type Domain uint8

// The domains.
const (
	Auto   Domain = iota // whatever fits, in shares
	DBM                  // difference bounds only
	Linear               // linear inequalities only
)

// Options are the choices of a check. The zero value is the default.
type Options struct {
	Domain Domain
	// CMA leaves out all methods but constrained monotonic abstraction.
	CMA bool
	// Engine is the one method that works, of [Names]; "" or AutoMethod: those that fit.
	Engine string
	// MaxSets ends the check as unknown when the methods were given shares of more sets and configurations; 0 is
	// no limit.
	MaxSets int
}

// firstShare is the share of each method in the first round; rounds grow by half.
const firstShare = 500

// sessionName is how a session is called among methods.
const sessionName = "param"

// A limited rule gives no more than an effort in all.
type limited struct {
	portfolio.Rule
	most portfolio.Effort // 0: any
}

// Next implements [portfolio.Rule].
func (l limited) Next(rows []portfolio.Row) (int, portfolio.Effort, bool) {
	at, share, ok := l.Rule.Next(rows)
	if l.most == 0 || !ok {
		return at, share, ok
	}
	left := l.most
	for _, r := range rows {
		left -= r.Granted
	}
	return at, min(share, left), left > 0
}

// A Session is the check of one property by a portfolio of methods, which ends as well when nothing is left to
// do, or when its context has ended. Equal sessions take equal steps.
type Session struct {
	portfolio *portfolio.Session[*Result]
	rule      limited
	methods   []Method // as they are before runs are replayed
	gaveUp    []string
	outcome   *Result
}

// New begins the check of a property, by its number in the model.
func New(sys *param.System, property int, opt Options) (*Session, error) {
	names, err := chosen(sys, property, opt)
	if err != nil {
		return nil, err
	}
	s := &Session{rule: limited{portfolio.Rounds{First: firstShare, Times: 3, Per: 2}, portfolio.Effort(opt.MaxSets)}}
	var all []Method
	for _, name := range names {
		m, err := newMethod(name, sys, property)
		switch {
		case errors.Is(err, errNoLimits) && len(names) > 1:
			continue
		case err != nil && opt.Engine != "" && opt.Engine != AutoMethod:
			return nil, fmt.Errorf("engine %s does not fit: %w", opt.Engine, err)
		case err != nil:
			return nil, err
		}
		s.methods = append(s.methods, m)
		all = append(all, &replayed{Method: m, sys: sys, property: property})
	}
	s.portfolio = portfolio.New(sessionName, s.rule, all...)
	return s, nil
}

// Step gives the next method its share, and returns what it did. After Ended it returns Ended again.
func (s *Session) Step(ctx context.Context) Step {
	if s.outcome == nil && ctx.Err() != nil {
		return s.end(&Result{Reason: context.Cause(ctx).Error()})
	}
	return s.noted(s.portfolio.Step(ctx))
}

// Go gives the method that is next a share of so many sets, at least one. The session goes on after the
// context has ended.
func (s *Session) Go(ctx context.Context, sets int) Step {
	at, _, ok := s.rule.Next(s.portfolio.Rows())
	if s.outcome != nil || !ok {
		return s.noted(s.portfolio.Step(ctx))
	}
	return s.noted(s.portfolio.Give(ctx, at, portfolio.Effort(max(sets, 1))))
}

// noted is a step of the portfolio, or the end that it is.
func (s *Session) noted(step Step) Step {
	if s.outcome != nil {
		return s.over()
	}
	_, goes := step.Event.(worked)
	switch e := step.Event.(type) {
	case ended:
		return s.end(e.Outcome)
	case gaveUp:
		if step.Share == 0 {
			return s.end(&Result{Reason: strings.Join(s.gaveUp, "; ")})
		}
		s.gaveUp = append(s.gaveUp, step.String())
	}
	if goes && step.Share == 0 {
		return s.end(&Result{Reason: fmt.Sprintf("more than %d sets were computed", s.rule.most), Sets: int(s.rule.most)})
	}
	return step
}

func (s *Session) end(o *Result) Step {
	o.Methods = s.portfolio.Rows()
	s.outcome = o
	return s.over()
}

func (s *Session) over() Step { return Step{Method: sessionName, Event: ended{Outcome: s.outcome}} }

// Check steps to the end.
func (s *Session) Check(ctx context.Context) *Result {
	for {
		if o := Outcome(s.Step(ctx)); o != nil {
			return o
		}
	}
}

// Outcome is the result with which a step has ended a session; nil if it goes on.
func Outcome(step Step) *Result {
	if e, ok := step.Event.(ended); ok {
		return e.Outcome
	}
	return nil
}

// Done is what the method of a step has done, a [Searched] or a [Refined]; nil if it has given up or ended.
func Done(step Step) fmt.Stringer {
	if e, ok := step.Event.(worked); ok {
		return e.What
	}
	return nil
}

// Methods names the methods that a session of the property would use.
func Methods(sys *param.System, property int, opt Options) ([]string, error) {
	s, err := New(sys, property, opt)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range s.methods {
		names = append(names, m.Name())
	}
	return names, nil
}
