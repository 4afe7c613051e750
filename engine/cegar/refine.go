package cegar

// The phases that refine what was too coarse.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/engine/portfolio"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/minimize"
)

// refineEvents excludes the parts of the trace that components do not have from their MA_i (figure 9).
func (s *loop) refineEvents(ctx context.Context) (Event, result, error) {
	events := make([]EventsRefined, len(s.comps))
	traces := map[int][]lts.Action{}
	for _, k := range s.lacking {
		traces[s.cex.copies[k].Component] = s.cex.visible(k)
	}
	for _, p := range s.otherParts {
		traces[p.copied.Component] = p.trace
	}
	err := s.each(s.refine, func(i int, c *model) error {
		trace := traces[i]
		ma, splits, err := c.ma.Refine(ctx, trace)
		if err != nil {
			return err
		}
		c.ma, c.traces = ma, append(c.traces, trace)
		c.splits = c.named(splits)
		events[i] = EventsRefined{Component: i, Splits: c.splits, Blocks: ma.NumBlocks()}
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	var e EventsRefined
	s.stats.ActionIterations++
	for n, i := range s.refine {
		s.stats.Splits += len(events[i].Splits)
		if n == 0 {
			e = events[i]
		} else {
			e.Also = append(e.Also, events[i])
		}
	}
	return e, done, nil
}

// refineData chooses candidates that eliminate all spurious paths of the
// components to refine, or, once the claim is proved, as few as possible.
func (s *loop) refineData(ctx context.Context) (Event, result, error) {
	switch {
	case s.apart != nil:
		return s.track(ctx)
	case s.proved:
		return s.reduce(ctx)
	case s.waiting() && s.stuck == nil:
		return s.chooseOrPutOff(ctx)
	}
	return s.chooseData(ctx)
}

// chooseData chooses candidates that eliminate all spurious paths of the components to refine.
func (s *loop) chooseData(ctx context.Context) (Event, result, error) {
	chosen := make([]choice, len(s.comps))
	err := s.each(s.refine, func(i int, c *model) (err error) {
		chosen[i], err = c.choose(ctx)
		return err
	})
	for _, i := range s.refine {
		s.stats.Minimization.Add(minimization(chosen[i].stats))
	}
	if err != nil {
		return nil, "", err
	}
	var all []DataRefined
	for _, i := range s.refine {
		c := s.comps[i]
		if chosen[i].stuck {
			continue
		}
		all = append(all, s.adopt(i, chosen[i].Result))
		s.works(pathEffort * portfolio.Effort(len(c.spurious)))
		if slices.ContainsFunc(c.set, func(i int) bool { return c.abs.Candidates[i].Multiplies() }) {
			s.works(hardEffort)
		}
	}
	if all == nil {
		i := s.first()
		c := s.comps[i]
		return s.giveUp(s.noPredicates(c), DataRefined{Component: i, Predicates: c.without(c.set, nil),
			Candidates: len(c.abs.Candidates), Tests: chosen[i].Stats.Tests, Paths: len(c.spurious), Stuck: true})
	}
	for _, i := range s.refine {
		if c := s.comps[i]; chosen[i].stuck { // the others exclude the counterexample
			c.spurious = slices.Clip(c.spurious[:c.settled])
		}
	}
	s.stats.PredicateIterations++
	e := all[0]
	e.Also = all[1:]
	if s.waiting() && s.share <= 0 {
		return e, yields, nil
	}
	return e, done, nil
}

// A choice is a set of candidates for a component, or that there is none.
type choice struct {
	minimize.Result
	stuck bool           // no set eliminates all paths
	stats minimize.Stats // of all attempts
}

// choose looks for a set that eliminates the component's spurious paths, with more candidates if
// there is none.
func (c *model) choose(ctx context.Context) (choice, error) {
	c.own()
	x, err := c.attempt(ctx)
	var none *minimize.NotEliminableError
	if errors.As(err, &none) {
		if c.abs.Discover(c.spurious[none.Path].path, c.contradiction(none.Path)) > 0 {
			before := x.stats
			x, err = c.attempt(ctx)
			x.stats.Add(before)
		}
	}
	if errors.As(err, &none) {
		x.stuck = true
		return x, nil
	}
	if errors.Is(err, minimize.ErrBudget) {
		err = nil
	}
	return x, err
}

// contradiction are the positions of a spurious path from which predicates are discovered: those of its core, unless
// an earlier path contradicts itself in the same edges. Then each round of a loop would be refuted for itself, by what
// the loop comes to at last; the first condition that is false says what goes wrong before.
func (c *model) contradiction(path int) []int {
	p := c.spurious[path]
	if p.first == nil || slices.Equal(p.first, p.core) {
		return p.core
	}
	edges := func(q spuriousPath) (all []int32) {
		program := c.abs.Graph.Program(c.abs.Steps(q.path))
		for _, at := range q.core {
			all = append(all, program[at])
		}
		return all
	}
	own := edges(p)
	if slices.ContainsFunc(c.spurious[:path], func(q spuriousPath) bool { return slices.Equal(edges(q), own) }) {
		return p.first
	}
	return p.core
}

// attempt asks the strategy for a set. The exact strategy goes on with small
// sets that are no minimum until one suffices; see reduce.
func (c *model) attempt(ctx context.Context) (x choice, err error) {
	if m, ok := c.strategy.(*minimize.Minimizer); ok {
		x.Result, err = m.Extend(ctx, elimination{c}, minimize.SetOf(c.set...))
	} else {
		x.Result, err = c.strategy.Minimize(ctx, elimination{c})
	}
	x.stats = x.Stats
	return x, err
}

// adopt makes r the component's set and says what changed.
func (s *question) adopt(i int, r minimize.Result) DataRefined {
	c := s.comps[i]
	e := DataRefined{Component: i, Candidates: len(c.abs.Candidates), Tests: r.Stats.Tests, Paths: len(c.spurious)}
	before := c.set
	c.set = c.abs.Widest(minimize.SetOf(slices.Concat(r.Set.Elements(), c.kept)...).Elements())
	c.stale, c.excluded = true, len(c.spurious)
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

// giveUp leaves it to the others to make a last effort, where the loop is at its end, or ends with unknown.
func (s *loop) giveUp(why verdict.Reason, e Event) (Event, result, error) {
	if s.stuck == nil && s.waiting() {
		s.stuck = &why
		return e, stuck, nil
	}
	return s.end(verdict.Unknown, why), atEnd, nil
}

// noPredicates says that no predicates exclude the path found last.
func (s *question) noPredicates(c *model) verdict.Reason {
	why := verdict.Reason{Kind: verdict.NoPredicates,
		Text: fmt.Sprintf("no predicates were found that exclude a spurious path of %s", c.Name)}
	last := c.spurious[len(c.spurious)-1]
	if n := len(last.core); n > 0 {
		path := c.abs.Graph.Program(c.abs.Steps(last.path))
		if loc := c.program().Edges[path[last.core[n-1]]].Loc; loc >= 0 {
			why.Place = c.CFA.Locs[loc].Pos
		}
	}
	return why
}

// elimination is a component's minimisation problem.
type elimination struct{ c *model }

func (p elimination) NumCandidates() int { return len(p.c.abs.Candidates) }
func (p elimination) NumPaths() int      { return len(p.c.spurious) }

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
		if !slices.Contains(p.c.spurious[path].set, i) {
			hint = append(hint, i)
		}
	}
	return hint
}

// Relevant is a law of package minimize: only these have a part in it. If the
// decision procedure fails, all may.
func (p elimination) Relevant(ctx context.Context, path int) minimize.Set {
	cands, err := p.c.abs.Relevant(ctx, p.c.spurious[path].path)
	if err != nil {
		return minimize.Full(p.NumCandidates())
	}
	return minimize.SetOf(cands...)
}

func (p elimination) Eliminates(ctx context.Context, path int, set minimize.Set) (bool, error) {
	return p.c.abs.Eliminates(ctx, p.c.spurious[path].path, set.Elements())
}

// minimization is what the outcome tells of a minimization's cost.
func minimization(m minimize.Stats) verdict.Minimization {
	return verdict.Minimization{Tests: m.Tests, Subsets: m.Subsets, Largest: m.Largest, Clauses: m.Clauses,
		LargestGood: m.LargestGood}
}
