package bounded

// The search for violations, deeper and deeper.
//
// Idea: after each layer the solver is asked whether a run leaves the specification
// there. Effort is counted in what the solver did, not in time, so that what is found
// for an effort is always the same.
//
// Cost: a query for each layer in which something forbidden may be performed.

import (
	"context"
	"errors"
	"slices"

	"magus/component"
	"magus/internal/expr"
	"magus/internal/solver"
	"magus/lts"
)

// errSpent says that the effort is used up.
var errSpent = errors.New("the effort is used up")

// A Search looks for violations of one component. It is used by one goroutine at a time.
type Search struct {
	u     *unrolling
	path  []int32
	ended bool // no run is left out
}

// An Answer is what is known after some effort.
type Answer struct {
	Depth int     // layers that are searched: all runs that close fewer loops
	Path  []int32 // edges of the graph from Init, the last of which leaves the specification; nil if none was found
	Ended bool    // all runs are searched
}

// New is a search for runs of the graph's component that spec does not allow, which is
// deterministic and without τ.
func New(g *component.Graph, spec *lts.LTS) *Search { return &Search{u: newUnrolling(g, spec)} }

// Deepen goes on until it finds a violation or has made an effort, in all since the search
// began: a unit is a propagation of the solver, some 0.2 µs. It does not go beyond a depth
// if that is not 0. The error is ctx's.
func (s *Search) Deepen(ctx context.Context, effort int64, depth int) (Answer, error) {
	more := func() bool { return s.u.effort() < effort }
	for s.path == nil && !s.ended && more() && (depth == 0 || s.u.depth < depth) {
		err := s.layer(ctx, more)
		if errors.Is(err, errSpent) {
			break
		}
		if err != nil {
			return Answer{}, err
		}
	}
	return Answer{Depth: s.u.depth, Path: s.path, Ended: s.ended}, nil
}

// layer searches one layer and goes on to the next one.
func (s *Search) layer(ctx context.Context, more func() bool) error {
	if err := s.u.sweep(ctx, more); err != nil {
		return err
	}
	found, err := s.left(ctx, more)
	if err != nil || found {
		return err
	}
	s.ended = !s.u.deeper()
	return nil
}

// left asks whether a run leaves the specification in this layer.
func (s *Search) left(ctx context.Context, more func() bool) (bool, error) {
	if len(s.u.hits) == 0 {
		return false, nil
	}
	any := s.u.hits[0].cond.bit
	for _, h := range s.u.hits[1:] {
		any = s.u.pool.Or(any, h.cond.bit)
	}
	r, err := s.u.solver.Check(allowance{ctx, more}, s.u.holds(any))
	if r != solver.Sat {
		return false, err
	}
	s.path = s.u.found()
	return true, nil
}

// found is the path of the solver's model to what leaves the specification.
func (u *unrolling) found() []int32 {
	model := expr.NewValuation(u.solver.Value)
	holds := func(a arrival) bool { return model.Of(a.cond.bit) != 0 }
	var path []int32
	for at := u.hits[slices.IndexFunc(u.hits, holds)]; at.edge >= 0; {
		path = append(path, at.edge)
		at = at.from.in[slices.IndexFunc(at.from.in, holds)]
	}
	slices.Reverse(path)
	return path
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
