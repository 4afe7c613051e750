package magus

// The phases of the loop; see session.go.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"magus/actionref"
	"magus/lts"
	"magus/minimize"
)

// each calls f for the given components, side by side unless the options say
// otherwise, and returns the error of the first in order. A panic in f is
// raised again in the caller's goroutine.
func (s *Session) each(indices []int, f func(c *part) error) error {
	errs := make([]error, len(indices))
	faults := make([]any, len(indices))
	var wg sync.WaitGroup
	for k, i := range indices {
		if s.opt.Sequential {
			errs[k] = f(s.comps[i])
			continue
		}
		wg.Go(func() {
			defer func() { faults[k] = recover() }()
			errs[k] = f(s.comps[i])
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
func (s *Session) abstractData(ctx context.Context) (Event, error) {
	s.rebuilt, s.paths = nil, nil
	for i, c := range s.comps {
		if c.stale {
			s.rebuilt = append(s.rebuilt, i)
		}
	}
	err := s.each(s.rebuilt, func(c *part) error {
		mp, err := c.abs.Build(ctx, c.set, s.opt.MaxStates)
		if err == nil {
			c.mp, c.stale = mp, false
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	e := DataAbstracted{Iteration: s.stats.Iterations + 1, Rebuilt: s.rebuilt}
	for _, c := range s.comps {
		e.States = append(e.States, c.mp.LTS.NumStates())
	}
	s.phase = Verify
	if s.two {
		s.phase = AbstractEvents
	}
	return e, nil
}

// abstractEvents makes the partition of the rebuilt components.
func (s *Session) abstractEvents(ctx context.Context) (Event, error) {
	err := s.each(s.rebuilt, func(c *part) error { return c.partition(ctx) })
	if err != nil {
		return nil, err
	}
	e := EventsAbstracted{Rebuilt: s.rebuilt}
	for _, c := range s.comps {
		e.Blocks = append(e.Blocks, c.ma.NumBlocks())
	}
	s.phase = Verify
	return e, nil
}

// partition starts from states with the same enabled actions and excludes the
// traces that level two has refuted before and that MP still does not have.
func (c *part) partition(ctx context.Context) error {
	ma, err := actionref.Weak(ctx, c.mp.LTS)
	if err != nil {
		return err
	}
	for _, t := range c.traces {
		ma, _, err = ma.Refine(ctx, t)
		if err != nil && !errors.Is(err, actionref.ErrConcreteTrace) {
			return err
		}
	}
	c.ma, c.splits = ma, nil
	return nil
}

// verify checks the composition of the abstractions against the specification.
func (s *Session) verify(ctx context.Context) (Event, error) {
	s.stats.Iterations++
	lim := lts.Limits{MaxStates: s.opt.MaxStates, Reduce: s.opt.Reduce}
	if s.opt.DepthFirst {
		lim.Order = lts.DepthFirst
	}
	r, err := lts.Contains(ctx, s.implementation(), s.spec, lim)
	if err != nil {
		return nil, err
	}
	s.stats.ProductStates, s.compositional = r.States, r.Reduction
	s.stats.MaxProductStates = max(s.stats.MaxProductStates, r.States)
	switch r.Verdict {
	case lts.Holds:
		return s.holds(r.States), nil
	case lts.Unknown:
		return s.stop(r.Reason), nil
	}
	if s.proved && s.exhausted() {
		return s.conforms(), nil
	}
	if n := s.opt.MaxIterations; n > 0 && s.stats.Iterations >= n {
		return s.stop(fmt.Sprintf("not decided after %d iterations", n)), nil
	}
	s.cex, s.trace = r.Counterexample, r.Counterexample.Trace()
	s.phase = ValidateMP
	return Verified{States: r.States, Trace: s.actions.Names(s.trace)}, nil
}

// validateMP looks for the trace in every MP_i. Without level two it is there.
func (s *Session) validateMP() (Event, error) {
	s.paths = make([][]lts.Edge, len(s.comps))
	for i, c := range s.comps {
		if !s.two {
			s.paths[i] = s.cex.Path(i)
			continue
		}
		path, has := lts.Member(c.mp.LTS, lts.Project(s.trace, c.mp.LTS.Alphabet()))
		if !has {
			s.refine, s.phase = i, RefineEvents
			return ValidatedMP{Spurious: true, Component: i}, nil
		}
		s.paths[i] = path
	}
	s.phase = ValidateC
	return ValidatedMP{}, nil
}

// refineEvents excludes the trace from one MA_i (figure 9).
func (s *Session) refineEvents(ctx context.Context) (Event, error) {
	c := s.comps[s.refine]
	trace := lts.Project(s.trace, c.mp.LTS.Alphabet())
	ma, splits, err := c.ma.Refine(ctx, trace)
	if err != nil {
		return nil, err
	}
	c.ma, c.traces = ma, append(c.traces, trace)
	c.splits = c.named(splits)
	s.stats.ActionIterations++
	s.stats.Splits += len(splits)
	s.phase = Verify
	return EventsRefined{s.refine, c.splits, ma.NumBlocks()}, nil
}

// named gives the actions of splits their names.
func (c *part) named(splits []actionref.SplitInfo) []Split {
	named := make([]Split, len(splits))
	for i, split := range splits {
		named[i] = Split{split.Block, c.Actions.Name(split.Action), split.Into}
	}
	return named
}

// validateC asks whether each component can take its path.
func (s *Session) validateC(ctx context.Context) (Event, error) {
	all := make([]int, len(s.comps))
	for i := range all {
		all[i] = i
	}
	index := map[*part]int{}
	for i, c := range s.comps {
		index[c] = i
	}
	err := s.each(all, func(c *part) error { return c.validate(ctx, s.paths[index[c]]) })
	if err != nil {
		return nil, err
	}
	for i, c := range s.comps {
		if c.feasible.Feasible {
			continue
		}
		seen := slices.Contains(c.paths, c.path)
		if seen && !c.loose {
			return s.end(Unknown, fmt.Sprintf("no progress: a path of %s that was eliminated came back", c.Name)), nil
		}
		if !seen {
			c.paths, c.cores = append(c.paths, c.path), append(c.cores, c.feasible.Core)
			c.under = append(c.under, c.set)
		}
		s.refine, s.phase = i, RefineData
		return ValidatedC{true, i, len(c.abs.Steps(c.path)), len(c.feasible.Core)}, nil
	}
	return s.violation(ctx)
}

// validate decides whether the component can take a path of MP. The answer is
// kept, so that the same path always has the same one, with the same core and
// model, whatever the decision procedure was asked in between.
func (c *part) validate(ctx context.Context, path []lts.Edge) error {
	edges, err := c.mp.Edges(ctx, path)
	if err != nil {
		return err
	}
	p, err := c.abs.Keep(edges)
	if err != nil {
		return err
	}
	f, known := c.asked[p]
	if !known {
		if f, err = c.abs.Feasible(ctx, p); err != nil {
			return err
		}
		c.asked[p] = f
	}
	c.path, c.feasible = p, f
	return nil
}

// refineData chooses candidates that eliminate all spurious paths of one
// component, or, once the claim is proved, as few as possible.
func (s *Session) refineData(ctx context.Context) (Event, error) {
	if s.proved {
		for _, c := range s.comps {
			c.own()
		}
		return s.reduce(ctx)
	}
	c := s.comps[s.refine]
	c.own()
	r, err := s.choose(ctx, c)
	var stuck *minimize.NotEliminableError
	if errors.As(err, &stuck) {
		if c.abs.Discover(c.paths[stuck.Path], c.cores[stuck.Path]) > 0 {
			r, err = s.choose(ctx, c)
		}
		if errors.As(err, &stuck) {
			return s.noPredicates(c), nil
		}
	}
	if err != nil && !errors.Is(err, minimize.ErrBudget) {
		return nil, err
	}
	s.stats.PredicateIterations++
	s.phase = AbstractData
	return s.adopt(s.refine, r), nil
}

// choose asks the strategy for a set. The exact strategy goes on with small
// sets that are no minimum until one suffices; see reduce.
func (s *Session) choose(ctx context.Context, c *part) (r minimize.Result, err error) {
	if m, ok := c.strategy.(*minimize.Minimizer); ok {
		r, err = m.Extend(ctx, elimination{ctx, c}, minimize.SetOf(c.set...))
	} else {
		r, err = c.strategy.Minimize(ctx, elimination{ctx, c})
	}
	s.stats.Minimization.Add(r.Stats)
	return r, err
}

// adopt makes r the component's set and says what changed.
func (s *Session) adopt(i int, r minimize.Result) DataRefined {
	c := s.comps[i]
	e := DataRefined{Component: i, Candidates: len(c.abs.Candidates), Tests: r.Stats.Tests, Paths: len(c.paths)}
	before := c.set
	c.set, c.stale, c.loose = c.abs.Widest(r.Set.Elements()), true, false
	for _, i := range c.set {
		text := c.abs.Candidates[i].String()
		e.Predicates = append(e.Predicates, text)
		if !slices.Contains(before, i) {
			e.Added = append(e.Added, text)
		}
	}
	for _, i := range before {
		if !slices.Contains(c.set, i) {
			e.Dropped = append(e.Dropped, c.abs.Candidates[i].String())
		}
	}
	return e
}

// noPredicates ends with unknown: no predicates exclude the path.
func (s *Session) noPredicates(c *part) Event {
	e := s.end(Unknown, fmt.Sprintf("no predicates were found that exclude a spurious path of %s", c.Name))
	if l := c.cores[len(c.cores)-1]; len(l) > 0 {
		path := c.abs.Steps(c.paths[len(c.paths)-1])
		if loc := c.abs.Graph.Edges[path[l[len(l)-1]]].Loc; loc >= 0 {
			s.outcome.Pos = c.CFA.Locs[loc].Pos
		}
	}
	return e
}

// elimination is a component's minimisation problem.
type elimination struct {
	ctx context.Context
	c   *part
}

func (p elimination) NumCandidates() int { return len(p.c.abs.Candidates) }
func (p elimination) NumPaths() int      { return len(p.c.paths) }

// Cost of a candidate is 1, or what the abstraction pays for it.
func (p elimination) Cost(candidate int) int {
	if p.c.weigh {
		return max(1, p.c.abs.Weight(candidate))
	}
	return 1
}

// Hint puts the candidates first that were not chosen when the path was found:
// those that were do not eliminate it together.
func (p elimination) Hint(path int) []int {
	var hint []int
	for i := range p.c.abs.Candidates {
		if !slices.Contains(p.c.under[path], i) {
			hint = append(hint, i)
		}
	}
	return hint
}

// Relevant is a law of package minimize: only these have a part in it. If the
// decision procedure fails, all may.
func (p elimination) Relevant(path int) minimize.Set {
	cands, err := p.c.abs.Relevant(p.ctx, p.c.paths[path])
	if err != nil {
		return minimize.Full(p.NumCandidates())
	}
	return minimize.SetOf(cands...)
}

func (p elimination) Eliminates(ctx context.Context, path int, set minimize.Set) (bool, error) {
	return p.c.abs.Eliminates(ctx, p.c.paths[path], set.Elements())
}
