package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/param"
)

// Domain says which constraints a search works on.
type Domain uint8

// The domains.
const (
	Auto   Domain = iota // whatever fits, in turns
	DBM                  // difference bounds only
	Linear               // linear inequalities only
)

// Options are the choices of a check. The zero value is the default.
type Options struct {
	Domain Domain
	// CMA leaves out all methods but constrained monotonic abstraction.
	CMA bool
	// MaxSets ends the check as unknown when the methods have computed more sets and configurations; 0 is
	// no limit.
	MaxSets int
}

// A method looks for an answer in turns.
type method interface {
	name() string
	// turn does about as much as work says: sets or configurations that are computed.
	turn(ctx context.Context, work int) Event
}

// A Session is the check of one property, step by step. Equal sessions take equal steps.
type Session struct {
	sys      *param.System
	property int
	opt      Options
	methods  []method
	next     int // whose turn it is
	work     int
	used     int
	gaveUp   []string
	outcome  *Result
}

// firstWork is the length of a turn in the first round; rounds grow by half.
const firstWork = 500

// New begins the check of a property, by its number in the model.
func New(sys *param.System, property int, opt Options) (*Session, error) {
	s := &Session{sys: sys, property: property, opt: opt, work: firstWork}
	if !opt.CMA {
		s.methods = append(s.methods, newExplicit(sys, property))
		if exact := s.exact(); len(exact) > 0 && opt.Domain == Auto {
			s.methods = append(s.methods, exact...)
			return s, nil
		}
	}
	dom, fits := boundsFor(sys)
	if opt.Domain == DBM && !fits {
		return nil, fmt.Errorf("this model has conditions or updates that are no difference bounds; use --domain linear")
	}
	if fits && opt.Domain != Linear {
		s.methods = append(s.methods, newCMA("dbm", sys, dom, property))
	}
	if opt.Domain != DBM {
		s.methods = append(s.methods, newCMA("linear", sys, inequalitiesFor(sys), property))
	}
	return s, nil
}

// exact are the methods for systems where the plain order is exact. They need no more control than
// what the model declares.
func (s *Session) exact() []method {
	sys := s.sys
	if sys.Plain != nil {
		sys = sys.Plain
	}
	if !covers(sys, s.property) {
		return nil
	}
	ms := []method{newCover(sys, s.property)}
	if l, ok := limitsFor(sys, s.property); ok {
		ms = append(ms, l)
	}
	return ms
}

// Step gives the next method its turn, and returns what it did. After Ended it returns Ended again.
func (s *Session) Step(ctx context.Context) Event {
	if s.outcome == nil && ctx.Err() != nil {
		return s.end(&Result{Reason: context.Cause(ctx).Error()})
	}
	return s.proceed(ctx)
}

// Advance is Step with a turn that computes about as many sets as are given, at least one. The session goes
// on after the context has ended.
func (s *Session) Advance(ctx context.Context, sets int) Event {
	before := s.work
	s.work = max(sets, 1)
	defer func() { s.work = before }()
	return s.proceed(ctx)
}

func (s *Session) proceed(ctx context.Context) Event {
	switch {
	case s.outcome != nil:
		return Ended{s.outcome}
	case len(s.methods) == 0:
		return s.end(&Result{Reason: strings.Join(s.gaveUp, "; ")})
	case s.opt.MaxSets > 0 && s.used >= s.opt.MaxSets:
		return s.end(&Result{Reason: fmt.Sprintf("more than %d sets were computed", s.opt.MaxSets), Sets: s.used})
	}
	return s.turn(ctx)
}

// turn gives the next method its turn.
func (s *Session) turn(ctx context.Context) Event {
	work := s.work
	if s.opt.MaxSets > 0 {
		work = min(work, s.opt.MaxSets-s.used)
	}
	s.used += work
	at := s.next
	event := s.methods[at].turn(ctx, work)
	s.next++
	switch e := event.(type) {
	case Ended:
		return s.end(s.confirm(e.Result))
	case GaveUp:
		if ctx.Err() != nil { // who is interrupted has not given up
			event = Worked{Method: e.Method}
			break
		}
		s.gaveUp = append(s.gaveUp, e.String())
		s.methods = slices.Delete(s.methods, at, at+1)
		s.next--
	}
	if s.next >= len(s.methods) {
		s.next, s.work = 0, s.work+s.work/2
	}
	return event
}

func (s *Session) end(o *Result) Event {
	s.outcome = o
	return Ended{o}
}

// confirm replays a run with the model's own interpreter.
func (s *Session) confirm(o *Result) *Result {
	if o.Answer != Unsafe {
		return o
	}
	m := s.sys.Model
	configs, err := m.Replay(*o.Run)
	if err == nil && !m.Holds(m.Bad[s.property].Formula, configs[len(configs)-1]) {
		err = fmt.Errorf("the run does not end in a bad configuration")
	}
	if err != nil {
		return &Result{Reason: fmt.Sprintf("internal error: the run that was found is none: %v", err),
			Method: o.Method, Sets: o.Sets}
	}
	return o
}

// Check steps to the end.
func (s *Session) Check(ctx context.Context) *Result {
	for {
		if e, ok := s.Step(ctx).(Ended); ok {
			return e.Result
		}
	}
}

// Methods names the methods that a session of the property would use.
func Methods(sys *param.System, property int, opt Options) ([]string, error) {
	s, err := New(sys, property, opt)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range s.methods {
		names = append(names, m.name())
	}
	return names, nil
}
