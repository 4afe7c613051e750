package cegar

// Components of one shape.
//
// Idea: where components are copies of one procedure, with names of their own (component.Shape), a path
// that one of them cannot take is one that none of them can take. So it is among the spurious paths of
// all of them at once, and the predicates of each are chosen to exclude it: an
// iteration for a shape, and not for each component.
//
// Components that differ in constants too (`want > 7` for `want > 3`) have the paths of each other, but may be able
// to take them. So each is asked, and one that could take several of them, one after the other, is asked no more.
//
// A copy's path is kept only if its predicates do not exclude it already.
//
// Cost: a question to the decision procedure and an elimination test for each copy and path.

import (
	"context"
	"slices"

	"magus/component"
)

// fruitless is how many paths in a row a component can take before no more are offered to it.
const fruitless = 8

// sameShape lists for each component the others of its shape.
func sameShape(comps []*model) [][]int {
	of := map[component.Shape][]int{}
	shapes := make([]component.Shape, len(comps))
	for i, c := range comps {
		if len(comps) > 1 {
			shapes[i] = c.abs.Graph.Shape()
		}
		of[shapes[i]] = append(of[shapes[i]], i)
	}
	all := make([][]int, len(comps))
	for i := range comps {
		for _, j := range of[shapes[i]] {
			if j != i {
				all[i] = append(all[i], j)
			}
		}
	}
	return all
}

// refutedParts are the parts of the counterexample that were noted.
func (s *state) refutedParts() []otherPart {
	var parts []otherPart
	for _, k := range s.lacking {
		parts = append(parts, otherPart{s.cex.copies[k], visible(s.paths[k]), s.taken[k]})
	}
	return parts
}

// offer gives paths that were noted to the components of the same shapes, and has those that do not
// exclude them refined as well.
func (s *state) offer(ctx context.Context, parts []otherPart) error {
	if s.opt.Alone {
		return nil
	}
	offered := map[int][][]int32{}
	var to []int
	for _, p := range parts {
		i := p.copied.Component
		for _, j := range s.sameShape[i] {
			if offered[j] == nil {
				to = append(to, j)
			}
			offered[j] = append(offered[j], s.comps[i].abs.Steps(p.taken.path))
		}
	}
	err := s.each(to, func(j int, c *model) error {
		for _, steps := range offered[j] {
			if err := c.take(ctx, steps); err != nil {
				return err
			}
		}
		return nil
	})
	for _, j := range to {
		if c := s.comps[j]; len(c.spurious) > c.settled && !slices.Contains(s.refine, j) {
			s.refine = append(s.refine, j)
		}
	}
	return err
}

// take notes a path that another component of the same shape cannot take, unless it is known or excluded.
func (c *model) take(ctx context.Context, steps []int32) error {
	if c.fruitless >= fruitless {
		return nil
	}
	p, err := c.abs.Keep(steps)
	if err != nil || c.known(p) >= 0 {
		return err
	}
	t, err := c.ask(ctx, p)
	if err != nil {
		return err
	}
	if t.feasible.Feasible {
		c.fruitless++
		return nil
	}
	c.fruitless = 0
	excluded, err := c.abs.Eliminates(ctx, p, c.set)
	if err == nil && !excluded {
		c.spurious = append(c.spurious, spuriousPath{p, t.feasible.Core, t.feasible.First, c.set})
	}
	return err
}
