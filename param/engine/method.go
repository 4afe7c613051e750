package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"magus/engine/portfolio"
	"magus/param"
)

// Method is what a portfolio knows of a way to an answer about one property. Effort is the sets and
// configurations that are computed, and for searches of points their comparisons too.
type Method = portfolio.Method[*Result]

// Step is what a step of a session did.
type Step = portfolio.Step[*Result]

// What methods do with a share.
type (
	event  = portfolio.Event[*Result]
	worked = portfolio.Worked[*Result]
	gaveUp = portfolio.GaveUp[*Result]
	ended  = portfolio.Ended[*Result]
)

// The methods, by the names that people pick them by.
const (
	forwardMethod = "forward"
	coverMethod   = "cover"
	limitsMethod  = "limits"
	dbmMethod     = "dbm"
	linearMethod  = "linear"
)

// AutoMethod is the name of whatever fits.
const AutoMethod = "auto"

// Names are what people pick from: all methods that fit, or one of them.
func Names() []string {
	return []string{AutoMethod, forwardMethod, coverMethod, limitsMethod, dbmMethod, linearMethod}
}

// Why a method does not fit a system.
var (
	errNotExact = errors.New("more processes cannot always do what fewer can here, so the plain order is not exact")
	errNoLimits = errors.New("initial configurations bound more than single names, or the plain order is not exact")
	errNoDBM    = errors.New("this model has conditions or updates that are no difference bounds; use --domain linear")
)

// NewMethod is one method about a property, by its name. The error says that there is none of that name,
// or why it does not fit the system.
func NewMethod(name string, sys *param.System, property int) (Method, error) {
	m, err := newMethod(name, sys, property)
	if err != nil {
		return nil, err
	}
	return &replayed{Method: m, sys: sys, property: property}, nil
}

func newMethod(name string, sys *param.System, property int) (Method, error) {
	switch name {
	case forwardMethod:
		return newExplicit(sys, property), nil
	case coverMethod:
		if plain := plainOf(sys); covers(plain, property) {
			return newCover(plain, property), nil
		}
		return nil, errNotExact
	case limitsMethod:
		if plain := plainOf(sys); covers(plain, property) {
			if l, ok := limitsFor(plain, property); ok {
				return l, nil
			}
		}
		return nil, errNoLimits
	case dbmMethod:
		if dom, fits := boundsFor(sys); fits {
			return newCMA(dbmMethod, sys, dom, property), nil
		}
		return nil, errNoDBM
	case linearMethod:
		return newCMA(linearMethod, sys, inequalitiesFor(sys), property), nil
	}
	return nil, fmt.Errorf("there is no method %s; there are %s", name, strings.Join(Names()[1:], ", "))
}

// plainOf is a system with no more control than what the model declares, which methods for exact orders need.
func plainOf(sys *param.System) *param.System {
	if sys.Plain != nil {
		return sys.Plain
	}
	return sys
}

// A replayed is a method whose runs the model's own interpreter has replayed. It keeps the laws of
// methods that have ended, or that are interrupted.
type replayed struct {
	Method
	sys      *param.System
	property int
	over     event // nil before the end
}

// Advance implements [Method].
func (r *replayed) Advance(ctx context.Context, share portfolio.Effort) event {
	if r.over != nil {
		return r.over
	}
	event := r.Method.Advance(ctx, share)
	switch e := event.(type) {
	case ended:
		e.Outcome = r.confirm(e.Outcome)
		r.over = ended{Outcome: e.Outcome}
		return e
	case gaveUp:
		if ctx.Err() != nil { // who is interrupted has not given up
			return worked{Used: e.Used}
		}
		r.over = gaveUp{Why: e.Why}
	}
	return event
}

// confirm replays a run.
func (r *replayed) confirm(o *Result) *Result {
	if o.Answer != Unsafe {
		return o
	}
	m := r.sys.Model
	configs, err := m.Replay(*o.Run)
	if err == nil && !m.Holds(m.Bad[r.property].Formula, configs[len(configs)-1]) {
		err = errors.New("the run does not end in a bad configuration")
	}
	if err != nil {
		return &Result{Reason: fmt.Sprintf("internal error: the run that was found is none: %v", err),
			Method: o.Method, Sets: o.Sets}
	}
	return o
}

// chosen are the names of the methods of a session. Which ones fit is no matter, but of the first choice:
// exact methods leave the others nothing to do.
func chosen(sys *param.System, property int, opt Options) ([]string, error) {
	if opt.Engine != "" && opt.Engine != AutoMethod {
		return []string{opt.Engine}, nil
	}
	var names []string
	if !opt.CMA {
		names = append(names, forwardMethod)
		if opt.Domain == Auto && covers(plainOf(sys), property) {
			return append(names, coverMethod, limitsMethod), nil
		}
	}
	_, fits := boundsFor(sys)
	if opt.Domain == DBM && !fits {
		return nil, errNoDBM
	}
	if fits && opt.Domain != Linear {
		names = append(names, dbmMethod)
	}
	if opt.Domain != DBM {
		names = append(names, linearMethod)
	}
	return slices.Clip(names), nil
}
