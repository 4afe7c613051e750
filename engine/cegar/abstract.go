package cegar

// The phases that build the abstractions.

import (
	"context"
	"errors"
	"slices"
	"sync"

	"magus/engine/portfolio"
	"magus/predabs"
	"magus/smt/solver"
)

// each calls f for the given components, side by side unless the options say
// otherwise, and returns the error of the first in order. A panic in f is
// raised again in the caller's goroutine.
func (s *question) each(indices []int, f func(i int, c *model) error) error {
	errs := make([]error, len(indices))
	faults := make([]any, len(indices))
	var wg sync.WaitGroup
	for k, i := range indices {
		if s.opt.Sequential {
			errs[k] = f(i, s.comps[i])
			continue
		}
		wg.Go(func() {
			defer func() { faults[k] = recover() }()
			errs[k] = f(i, s.comps[i])
		})
	}
	wg.Wait()
	for _, fault := range faults {
		if fault != nil {
			panic(fault)
		}
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// abstractData builds MP_i of the components whose predicates changed.
func (s *loop) abstractData(ctx context.Context) (Event, result, error) {
	s.rebuilt, s.paths, s.taken = nil, nil, nil
	for i, c := range s.comps {
		if c.stale {
			s.rebuilt = append(s.rebuilt, i)
		}
	}
	err := s.each(s.rebuilt, func(_ int, c *model) error {
		mp, err := s.build(ctx, c)
		if err == nil {
			c.mp, c.ma, c.stale = mp, nil, false
		}
		return err
	})
	if s.putsOff(err) {
		e := DataAbstracted{Iteration: s.stats.Iterations + 1, Rebuilt: s.built(), GaveUp: s.affordable()}
		s.works(stateEffort * portfolio.Effort(e.GaveUp))
		s.givenUp++
		if s.cells {
			s.putOff()
		}
		return e, yields, nil
	}
	if errors.Is(err, errTakesLong) {
		s.putOff()
		return DataAbstracted{Iteration: s.stats.Iterations + 1, Rebuilt: s.built(), PutOff: true}, yields, nil
	}
	if err != nil {
		return nil, "", err
	}
	e := DataAbstracted{Iteration: s.stats.Iterations + 1, Rebuilt: s.rebuilt}
	for _, c := range s.comps {
		e.States = append(e.States, c.mp.LTS.NumStates())
	}
	for _, i := range s.rebuilt {
		s.works(stateEffort * portfolio.Effort(s.comps[i].mp.LTS.NumStates()))
	}
	if s.twoLevels {
		return e, twoLevels, nil
	}
	return e, oneLevel, nil
}

// built are the components whose MP was built although that of another was not.
func (s *loop) built() []int {
	return slices.DeleteFunc(slices.Clone(s.rebuilt), func(i int) bool { return s.comps[i].stale })
}

// build makes MP of a component. Where others wait for a share it gives up what takes much longer than the loop before.
func (s *loop) build(ctx context.Context, c *model) (*predabs.MP, error) {
	of, counts := c.solver.(solver.Counter)
	if !counts || !s.waiting() {
		return c.abs.Build(ctx, c.set, s.affordable())
	}
	part := int64(buildPart)
	if s.cells {
		part = memoryBuildPart
	}
	limited := limitEffort(ctx, of, part*int64(max(s.firstShare, s.effort)))
	defer limited.end(nil)
	mp, err := c.abs.Build(limited, c.set, s.affordable())
	if err != nil && limited.exceeded() {
		return nil, errTakesLong
	}
	return mp, err
}

// abstractEvents makes the partition of the components whose MP has none: those
// rebuilt last, and before if people acted in between.
func (s *loop) abstractEvents(ctx context.Context) (Event, result, error) {
	var bare []int
	for i, c := range s.comps {
		if c.ma == nil {
			bare = append(bare, i)
		}
	}
	err := s.each(bare, func(_ int, c *model) error { return c.partition(ctx) })
	if err != nil {
		return nil, "", err
	}
	e := EventsAbstracted{Rebuilt: bare}
	for _, c := range s.comps {
		e.Blocks = append(e.Blocks, c.ma.NumBlocks())
	}
	return e, done, nil
}
