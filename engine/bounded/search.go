package bounded

// The search for violations, deeper and deeper.
//
// Idea: after each layer the solver is asked whether a run leaves the specification there. Behind layers
// 1, 2, 4, … it is asked whether a run goes on; if none does, all runs are searched. Effort is counted in
// what the solver did, not in time, so that what is found for an effort is always the same.
//
// Cost: a query for each layer in which something forbidden may be performed.

import (
	"context"
	"errors"
	"slices"

	"magus/component"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

// errSpent says that the effort is used up.
var errSpent = errors.New("the effort is used up")

// A Search looks for violations of one component. It is used by one goroutine at a time.
type Search struct {
	u     *unrolling
	stage stage
	path  []int32
	// Rounds are left out of a path that would be longer than the limit.
	repeats     []component.Repeat
	limit       uint64
	ended       bool    // no run is left out
	cut         bool    // but those that are cut off
	accelerated *Search // with many rounds of a loop as one edge, for violations only; nil if there are no such loops
}

// A stage is what comes next in a layer.
type stage int

const (
	sweep  stage = iota // unroll it
	leave               // ask whether a run leaves the specification in it
	goOn                // ask whether a run goes on behind it
	cutOff              // none does: ask whether one was cut off
)

// An Answer is what is known after some effort.
type Answer struct {
	Depth int     // layers that are searched: all runs that close fewer loops
	Path  []int32 // edges of the graph from Init, the last of which leaves the specification; nil if none was found
	// Repeats are rounds of loops that Path leaves out.
	Repeats     []component.Repeat
	Ended       bool // no run goes on behind these layers
	Cut         bool // some are cut off within them; else all runs are searched
	Accelerated bool // the path was found with many rounds of a loop as one edge
}

// New is a search for runs of the graph's component that spec does not allow, which is
// deterministic and without τ. The component's cut, which spec does not allow, is no
// violation.
func New(ctx context.Context, g *component.Graph, spec *lts.LTS) (*Search, error) {
	f, err := newFlow(ctx, g)
	if err != nil {
		return nil, err
	}
	s := &Search{u: fromInit(f, spec), limit: maxWritten}
	accelerations, err := f.accelerations(ctx, spec)
	if err != nil {
		return nil, err
	}
	if len(accelerations) > 0 {
		s.accelerated = &Search{u: fromInit(f, spec), limit: maxWritten}
		s.accelerated.u.accelerations = accelerations
	}
	return s, nil
}

// Written sets how many edges a path has at most that has all rounds of all loops; it is 2¹⁹ if nobody does. If it
// is negative, no path leaves out any.
func (s *Search) Written(edges int) {
	if s.accelerated == nil {
		return
	}
	if edges >= 0 {
		s.accelerated.limit = uint64(edges)
		return
	}
	for _, all := range s.accelerated.u.accelerations {
		for _, l := range all {
			l.folds, l.most = false, min(l.most, maxWritten/uint64(len(l.cycle)))
		}
	}
}

// Without is a search for runs that take none of the barred edges. That it finds none says nothing
// about the component.
func Without(ctx context.Context, g *component.Graph, spec *lts.LTS,
	barred func(*component.Edge) bool) (*Search, error) {
	s, err := New(ctx, g, spec)
	if err == nil {
		s.u.barred, s.accelerated = barred, nil
	}
	return s, err
}

// fromInit is an unrolling of runs from the beginning.
func fromInit(f *flow, spec *lts.LTS) *unrolling {
	u := newUnrolling(f, spec)
	u.start(component.Init, spec.Init(), u.always())
	return u
}

// Order are the nodes in the order that layers are made in: an edge that goes back
// leads to the next layer.
func (s *Search) Order() []component.Node { return s.u.order }

// Depth is to how many closed loops all runs were searched so far.
func (s *Search) Depth() int { return s.u.depth }

// Taken says of each edge whether a run may take it within the layers: where the effort,
// beyond what was made before, does not suffice to find out, it may. The error is ctx's.
func (s *Search) Taken(ctx context.Context, effort int64) ([]bool, error) {
	taken := make([]bool, len(s.u.taken))
	return taken, s.u.findTaken(ctx, effort, taken)
}

// findTaken notes which edges may be taken, of those of which it is not known.
func (u *unrolling) findTaken(ctx context.Context, effort int64, taken []bool) error {
	most := u.effort() + effort
	allowed := allowance{ctx, func() bool { return u.effort() < most }}
	for id, conds := range u.taken {
		if taken[id] || len(conds) == 0 {
			continue
		}
		r, err := u.solver.Check(allowed, u.holds(u.some(conds)))
		switch {
		case errors.Is(err, errSpent):
			taken[id] = true
		case err != nil:
			return err
		case r == solver.Sat: // one run answers for all its edges
			model := expr.NewValuation(u.solver.Value)
			for k, conds := range u.taken {
				taken[k] = taken[k] || slices.ContainsFunc(conds, func(c *expr.Expr) bool { return model.Of(c) != 0 })
			}
		}
	}
	return nil
}

// some is 1 where one of some conditions is.
func (u *unrolling) some(conds []*expr.Expr) *expr.Expr {
	some := u.pool.Const(bitType, 0)
	for _, c := range conds {
		some = u.pool.Or(some, c)
	}
	return some
}

// Deepen goes on until it finds a violation or has made an effort, in all since the search
// began: a unit is a propagation of the solver, some 0.2 µs. It does not go beyond a depth
// if that is not 0; otherwise a part of the effort is made with accelerations. The error is ctx's.
func (s *Search) Deepen(ctx context.Context, effort int64, depth int) (Answer, error) {
	a, err := s.deepen(ctx, effort, depth)
	if err != nil || a.Path != nil || a.Ended || s.accelerated == nil || depth != 0 {
		return a, err
	}
	far, err := s.accelerated.deepen(ctx, effort/acceleratedPart, 0)
	a.Path, a.Repeats, a.Accelerated = far.Path, far.Repeats, far.Path != nil
	return a, err
}

// acceleratedPart is the part of the effort that is made with accelerations besides.
const acceleratedPart = 4

func (s *Search) deepen(ctx context.Context, effort int64, depth int) (Answer, error) {
	more := func() bool { return s.u.effort() < effort }
	for s.path == nil && !s.ended && more() && s.goesOn(depth) {
		err := s.next(ctx, more)
		if errors.Is(err, errSpent) {
			break
		}
		if err != nil {
			return Answer{}, err
		}
	}
	return Answer{Depth: s.u.depth, Path: s.path, Repeats: s.repeats, Ended: s.ended, Cut: s.cut}, nil
}

// goesOn reports whether there is something to do that does not go beyond a depth; 0 is no bound.
func (s *Search) goesOn(depth int) bool { return depth == 0 || s.u.depth < depth || s.stage >= goOn }

// next does what comes next, or fails and has not done it.
func (s *Search) next(ctx context.Context, more func() bool) error {
	switch s.stage {
	case sweep:
		if err := s.u.sweep(ctx, more); err != nil {
			return err
		}
		s.stage = leave
	case leave:
		found, err := s.possible(ctx, more, s.u.hits)
		if err != nil {
			return err
		}
		if found {
			err := s.take(ctx)
			s.ended = s.path == nil // no accelerations lead to another one
			return err
		}
		goes := s.u.deeper()
		s.stage = sweep
		if !goes {
			s.stage = cutOff
		} else if s.u.depth&(s.u.depth-1) == 0 { // 1, 2, 4, …: the question gets dearer
			s.stage = goOn
		}
	case goOn:
		goes, err := s.possible(ctx, more, s.u.arrivals())
		if err != nil {
			return err
		}
		s.stage = sweep
		if !goes {
			s.stage = cutOff
		}
	case cutOff:
		var err error
		if s.cut, err = s.possible(ctx, more, s.u.cuts); err != nil {
			return err
		}
		s.ended = true
	}
	return nil
}

// possible asks whether a run comes by one of some arrivals.
func (s *Search) possible(ctx context.Context, more func() bool, arrivals []arrival) (bool, error) {
	if len(arrivals) == 0 {
		return false, nil
	}
	r, err := s.u.solver.Check(allowance{ctx, more}, s.u.holds(s.u.some(conditions(arrivals))))
	return r == solver.Sat, err
}

// An allowance is a context that ends with the effort.
type allowance struct {
	context.Context
	more func() bool
}

func (a allowance) Err() error {
	if err := a.Context.Err(); err != nil {
		return context.Cause(a.Context)
	}
	if !a.more() {
		return errSpent
	}
	return nil
}
