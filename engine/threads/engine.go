package threads

// The passive loop: unroll, look for an error, look for what is cut, deepen.
//
// Idea: for bounds 1, 2, 4, … an execution with an error is a violation: a thread that waits or comes to a
// cut stands still, so nothing is assumed. If there is no error and no execution comes to a cut, all
// executions were looked at. Otherwise the loops that are cut get the next bound.
//
// Where an error rests on a value that is not modelled, the caller says at which location (Doubt). Then an
// error is looked for that does not, and from then on the absence of errors says nothing.
//
// Source: Yin et al. (2017), figure 1, around which bounds grow.

import (
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/cfa/events"
	"magus/smt/expr"
)

// Options say how to search.
type Options struct {
	Order  Order // ByTheory if empty
	Unwind int   // the greatest bound; 0: no limit
	Goal   Goal
	Model  cfa.MemoryModel // of Errors
	Slice  bool            // look at few variables at first
	Likely bool            // assume at first that reads see what they see in random runs
	Record bool            // keep the clauses of the order, for Reasons
}

// A Goal is what is looked for.
type Goal uint8

// The goals. A race is two conflicting accesses that come next in two threads; a deadlock is that no
// thread goes on and one waits for a lock or another thread.
const (
	Errors Goal = iota
	Races
	Deadlocks
)

// An Answer is what is known.
type Answer int

// The verdicts.
const (
	Unknown Answer = iota
	Safe           // no execution has an error, whatever the bounds
	Unsafe         // Schedule leads to an error
)

// A Result is the answer to the question whether a program with threads comes to an error.
type Result struct {
	Answer   Answer
	Bound    int // of loops, as far as was searched
	Schedule *Schedule
	Cuts     []events.Cut // where executions go on, if nothing is known
	Large    bool         // the program is too large at the next bound
	Stats    Stats
}

// A Search looks for errors of one automaton. It is used by one goroutine at a time.
type Search struct {
	c       *cfa.CFA
	opts    Options
	bounds  events.Bounds
	depth   int // the greatest bound of a loop
	p       *events.Program
	decide  decider
	formula *formula // what it decides
	likely  likelies
	out     Result
	stage   stage
	doubts  []cfa.Loc // locations that errors must not come by, but where what is assigned is exact
}

type stage int

const (
	unroll stage = iota
	findError
	findCuts
	finished
)

// An Event says what a step has done.
type Event struct {
	Kind  EventKind
	Bound int
	Stats Stats
}

// An EventKind is a kind of step.
type EventKind int

// The kinds of events.
const (
	Unrolled EventKind = iota
	ErrorFound
	NoError // within the bound
	Ended   // no execution goes on
	Deeper  // some do
	TooLarge
)

// New is a search of an automaton with threads.
func New(c *cfa.CFA, o Options) *Search {
	b := events.Bounds{All: 1, Loops: map[cfa.Loc]int{}, Races: o.Goal == Races,
		Deadlocks: o.Goal == Deadlocks, Model: o.Model}
	return &Search{c: c, opts: o, bounds: b, depth: 1}
}

// Done reports whether the search has come to its end, and with which outcome.
func (s *Search) Done() (Result, bool) { return s.out, s.stage == finished }

// Result is what is known so far.
func (s *Search) Result() Result { return s.out }

// Step does the next step. The error is ctx's, or an UnsupportedError; the step can be taken again.
func (s *Search) Step(ctx context.Context) (Event, error) {
	kind, err := Unrolled, error(nil)
	switch s.stage {
	case unroll:
		kind, err = s.unroll(ctx)
	case findError:
		kind, err = s.findError(ctx)
	case findCuts:
		kind, err = s.findCuts(ctx)
	default:
		return Event{}, errors.New("threads: a step after the end")
	}
	return Event{kind, s.depth, s.out.Stats}, err
}

// Doubt goes on behind an Unsafe outcome that is not believed, for it rests on what is assigned at a location: errors
// that come there do not count any longer, but where what is assigned is exact. It reports whether that is new.
func (s *Search) Doubt(at cfa.Loc) bool {
	if s.out.Answer != Unsafe || slices.Contains(s.doubts, at) {
		return false
	}
	s.doubts = append(s.doubts, at)
	s.out.Answer, s.out.Schedule, s.stage = Unknown, nil, findError
	return true
}

// undoubted is the condition that no execution comes by a doubted location, or that what is assigned there is exact.
func (s *Search) undoubted() *expr.Expr {
	p := s.c.Pool
	all := p.True()
	for i := range s.p.Steps {
		st := &s.p.Steps[i]
		if !slices.Contains(s.doubts, st.Loc) {
			continue
		}
		fine := p.Not(st.Guard.Term())
		if st.Exact != nil {
			fine = p.Lor(fine, st.Exact)
		}
		all = p.Land(all, fine)
	}
	return all
}

func (s *Search) unroll(ctx context.Context) (EventKind, error) {
	p, err := events.Unroll(ctx, s.c, s.bounds)
	if errors.Is(err, events.ErrLarge) && !s.bounds.Count {
		s.bounds.Count = true // errors may lie in the first rounds
		return TooLarge, nil
	}
	if errors.Is(err, events.ErrLarge) {
		s.out.Large, s.stage = true, finished
		return TooLarge, nil
	}
	if err != nil {
		return Unrolled, err
	}
	s.p = p
	if s.opts.Likely && s.likely == nil {
		if s.likely, err = observe(ctx, s.c); err != nil {
			return Unrolled, err
		}
	}
	if s.decide, s.formula, err = newDecider(ctx, p, s.opts, s.likely, &s.out.Stats); err != nil {
		return Unrolled, err
	}
	s.stage = findError
	return Unrolled, nil
}

// newDecider is what options ask for.
func newDecider(ctx context.Context, p *events.Program, o Options, seen likelies,
	stats *Stats) (d decider, f *formula, err error) {
	var keep []*expr.Expr
	if o.Slice {
		keep = sliceLiterals(p)
	}
	if f, err = newFormula(ctx, p, keep, stats); err != nil {
		return nil, nil, err
	}
	f.record = o.Record
	switch o.Order {
	case Full:
		d, err = newFull(ctx, f)
	case Refined:
		d, err = newRefine(ctx, f)
	default:
		d, err = newTheory(ctx, f)
	}
	if err != nil {
		return nil, nil, err
	}
	if o.Likely {
		d = newLikely(d, f, seen)
	}
	if o.Slice {
		d = newSliced(d, f)
	}
	return d, f, nil
}

// some is the condition that one of some outcomes takes place.
func (s *Search) some(list []events.Target) *expr.Expr {
	terms := make([]*expr.Expr, len(list))
	for i, o := range list {
		terms[i] = o.Guard.Term()
	}
	return s.c.Pool.Lor(terms...)
}

// goal is the condition of what is looked for.
func (s *Search) goal() *expr.Expr {
	switch s.opts.Goal {
	case Races:
		var list []events.Target
		for _, r := range s.p.Races {
			if !r.Doubtful {
				list = append(list, r.Target)
			}
		}
		return s.some(list)
	case Deadlocks:
		return s.p.Stuck
	}
	return s.some(s.p.Errors)
}

// cuts are where an execution may arrive behind which nothing is known.
func (s *Search) cuts() []events.Target {
	cuts := slices.Clone(s.p.Cuts)
	for _, r := range s.p.Races {
		if r.Doubtful {
			o := r.Target
			o.Cut = events.Cut{Kind: events.MemoryCut, Head: s.p.Steps[o.Step].Loc}
			cuts = append(cuts, o)
		}
	}
	return cuts
}

func (s *Search) findError(ctx context.Context) (EventKind, error) {
	found, linear, err := s.decide.decide(ctx, s.c.Pool.Land(s.goal(), s.undoubted()))
	if err != nil {
		return NoError, err
	}
	s.out.Bound = s.depth
	if found {
		s.out.Answer, s.stage = Unsafe, finished
		s.out.Schedule = schedule(s.c, s.p, s.opts.Goal, linear, s.decide.value)
		return ErrorFound, nil
	}
	s.stage = findCuts
	return NoError, nil
}

// findCuts asks which cuts are reached: one model after another, until no other cut is.
func (s *Search) findCuts(ctx context.Context) (EventKind, error) {
	left := s.cuts()
	var reached []events.Cut
	for len(left) > 0 {
		found, _, err := s.decide.decide(ctx, s.some(left))
		if err != nil {
			return Deeper, err
		}
		if !found {
			break
		}
		model := expr.NewValuation(s.decide.value)
		met := map[events.Cut]bool{}
		for _, o := range left {
			if model.Of(o.Guard.Term()) != 0 && !met[o.Cut] {
				met[o.Cut] = true
				reached = append(reached, o.Cut)
			}
		}
		left = slices.DeleteFunc(left, func(o events.Target) bool { return met[o.Cut] })
	}
	if len(reached) == 0 {
		s.stage, s.out.Cuts = finished, nil
		if len(s.doubts) == 0 {
			s.out.Answer = Safe
		}
		return Ended, nil
	}
	s.out.Cuts = reached
	s.deepen(reached)
	return Deeper, nil
}

// deepen gives loops that go on the next bound.
func (s *Search) deepen(reached []events.Cut) {
	goes := false
	for _, c := range reached {
		if c.Kind == events.LoopCut {
			goes = true
			s.bounds.Loops[c.Head] = 2 * max(1, s.bounds.Loops[c.Head])
			s.depth = max(s.depth, s.bounds.Loops[c.Head])
		}
	}
	s.stage = unroll
	if !goes || s.opts.Unwind > 0 && s.depth > s.opts.Unwind {
		s.stage = finished
	}
}

// Run steps until the end.
func Run(ctx context.Context, c *cfa.CFA, o Options) (Result, error) {
	s := New(c, o)
	for s.stage != finished {
		if _, err := s.Step(ctx); err != nil {
			return s.out, err
		}
	}
	return s.out, nil
}
