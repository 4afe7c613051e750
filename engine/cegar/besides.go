package cegar

// Other counterexamples of the same search.
//
// Idea: a search that has found a counterexample goes on for a while (lts.Limits.Others). What it finds besides is
// refuted in the same iteration, if it is refuted at the same level and by components that are not refined
// yet: one that is may not have it any more. So the iterations do not grow with the number of components that
// have to be refined one by one. Nothing of this shows in what a violation is: only the first counterexample
// is ever replayed.
//
// Source: ours. Cost: a part of a counterexample costs a walk through an abstraction, and a question to the
// decision procedure unless it was asked before; at most so many are looked at.

import (
	"context"
	"slices"

	"magus/component"
	"magus/lts"
)

// partsBesides is how many parts of other counterexamples are looked at in an iteration.
const partsBesides = 1 << 12

// An otherPart is a part of another counterexample that its component does not have.
type otherPart struct {
	copied component.Copy
	trace  []lts.Action
	taken  taken // the path with the trace that it cannot take, if it has the trace at level one
}

// refining reports whether a component is refined because of the counterexample, or of one of the others.
func (x *examined) refining(comp int) bool { return slices.Contains(x.refine, comp) }

// eachBesides calls look for the other counterexamples, with the parts in which something happens, and adds what it
// returns to the parts that components lack, unless one of these components is to be refined already.
func (s *task) eachBesides(look func(x *cex, parts []int, paths [][]lts.Edge) ([]otherPart, error)) error {
	left := partsBesides
	for _, x := range s.cex.others {
		paths := x.Paths(len(x.copies))
		var parts []int
		for k, path := range paths {
			if len(path) > 0 {
				parts = append(parts, k)
			}
		}
		if left -= len(parts); left < 0 {
			return nil
		}
		lack, err := look(x, parts, paths)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(lack, func(p otherPart) bool { return s.refining(p.copied.Component) }) {
			continue
		}
		for _, p := range lack {
			if !s.refining(p.copied.Component) { // else it is refined by another part of the same
				s.otherParts, s.refine = append(s.otherParts, p), append(s.refine, p.copied.Component)
			}
		}
	}
	return nil
}

// projectBesides has components refined that lack other counterexamples at level one.
func (s *task) projectBesides() {
	s.otherParts = nil
	_ = s.eachBesides(func(x *cex, parts []int, paths [][]lts.Edge) (lack []otherPart, err error) {
		for _, k := range parts {
			copied, trace := x.copies[k], visible(paths[k])
			if _, has := lts.Member(s.comps[copied.Component].mp.LTS, trace); !has {
				lack = append(lack, otherPart{copied: copied, trace: trace})
			}
		}
		return lack, nil
	})
}

// takeBesides has components refined that cannot take their parts of other counterexamples.
func (s *task) takeBesides(ctx context.Context) error {
	s.otherParts = nil
	return s.eachBesides(func(x *cex, parts []int, paths [][]lts.Edge) (lack []otherPart, err error) {
		for _, k := range parts {
			copied, path, has := x.copies[k], paths[k], true
			c := s.comps[copied.Component]
			if s.twoLevels {
				path, has = lts.Member(c.mp.LTS, visible(path))
			}
			if !has {
				return nil, nil
			}
			t, err := c.validate(ctx, path)
			if err != nil {
				return nil, err
			}
			if t.feasible.Feasible {
				continue
			}
			if s.refining(copied.Component) || c.known(t.path) >= 0 {
				return nil, nil
			}
			lack = append(lack, otherPart{copied, visible(path), t})
		}
		return lack, nil
	})
}

// learn has others refined too than the components that lack the counterexample: those that are like them, and those
// that lack other counterexamples, which it returns.
func (s *task) learn(ctx context.Context) (besides []RefutedPath, err error) {
	first := s.refutedParts()
	if err = s.offer(ctx, first); err == nil {
		err = s.takeBesides(ctx)
	}
	if err != nil {
		return nil, err
	}
	besides = s.noteBesides()
	if err = s.offer(ctx, s.otherParts); err == nil {
		err = s.offerAlike(ctx, append(first, s.otherParts...))
	}
	return besides, err
}

// noteBesides keeps the paths of other counterexamples that components cannot take.
func (s *state) noteBesides() (refuted []RefutedPath) {
	for _, p := range s.otherParts {
		c := s.comps[p.copied.Component]
		refuted = append(refuted, c.refuted(p.copied, p.taken))
		f := p.taken.feasible
		c.spurious = append(c.spurious, spuriousPath{p.taken.path, f.Core, f.First, c.set})
	}
	return refuted
}

// refuted says how long a path is that the component cannot take, and why.
func (c *model) refuted(copied component.Copy, t taken) RefutedPath {
	return RefutedPath{copied.Component, copied.Number, len(c.abs.Graph.Program(c.abs.Steps(t.path))),
		len(t.feasible.Core)}
}
