package engine

import (
	"context"

	"magus/param"
	"magus/param/linear"
)

// Idea: the sets of configurations from which a bad one can be reached in the abstract system are
// computed backwards, breadth first, until there are no new ones or an initial configuration is among
// them. A set that lies within one that is known is left out, whether that has been expanded or not.
// Source: Abdulla et al., Constrained Monotonic Abstraction, algorithm 1.
// Deviations: the paper compares with the sets that wait only; here all that were found count. A set that
// turns out to lie within a later one is not expanded. Sets are conjunctions, so the union on the right
// of an inclusion is tried one by one.
// Cost: each new set is compared with those that the index leaves; what an earlier search has computed
// is not computed again.

// A node is a set of configurations from which a bad one can be reached.
type node[S any] struct {
	*derived[S]
	next    int         // the node that via leads to; -1 for bad ones
	via     *param.Case // nil for bad ones
	covered bool        // lies within another node
}

// A search is one iteration: a backward search with a fixed order.
type search[S any] struct {
	*history[S]
	zones    []linear.Atom
	nodes    []node[S]
	index    index
	done     int // nodes that have been expanded
	made     int // sets that were computed or kept
	kept     int // those that were kept
	reaching int // the node that has an initial configuration, or -1
}

// newSearch is the search after the others of a history, whose zones were fewer.
func newSearch[S any](h *history[S], zones []linear.Atom) *search[S] {
	h.begin()
	s := &search[S]{history: h, zones: zones, reaching: -1}
	for _, d := range h.roots {
		s.add(d, -1, nil)
	}
	return s
}

// finished reports whether nothing is left to do.
func (s *search[S]) finished() bool { return s.reaching >= 0 || s.done == len(s.nodes) }

// run expands nodes until work sets have been computed, the search is finished, or the context ends; a
// node whose expansion that interrupts is expanded again.
func (s *search[S]) run(ctx context.Context, work int) {
	for end := s.made + work; s.made < end && !s.finished(); s.done++ {
		if !s.nodes[s.done].covered {
			s.expand(ctx, s.done)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

func (s *search[S]) expand(ctx context.Context, at int) {
	d := s.nodes[at].derived
	for i := range s.sys.Cases {
		s.made++
		parts, kept := s.before(ctx, d, i, s.zones)
		if kept {
			s.kept++
		}
		for _, p := range parts {
			if s.add(p, at, &s.sys.Cases[i]); s.reaching >= 0 {
				return
			}
		}
	}
}

// add keeps a set unless it lies within another one.
func (s *search[S]) add(d *derived[S], next int, via *param.Case) {
	if d.within != nil && d.within.search == s.searches {
		return
	}
	inside := s.index.below(&d.shape, func(i int) bool { return s.dom.includes(s.nodes[i].set, d.set) })
	if inside >= 0 {
		d.within = s.nodes[inside].derived
		return
	}
	s.index.above(&d.shape, func(i int) bool {
		o := &s.nodes[i]
		if o.within != d && !s.dom.includes(d.set, o.set) {
			return false
		}
		o.covered, o.within, o.search = true, d, 0
		return true
	})
	d.search = s.searches
	s.index.insert(&d.shape, len(s.nodes))
	s.nodes = append(s.nodes, node[S]{derived: d, next: next, via: via})
	if s.meets(d) >= 0 {
		s.reaching = len(s.nodes) - 1
	}
}

// live are the cubes of the nodes that lie within no other.
func (s *search[S]) live() []param.Cube {
	var cubes []param.Cube
	for i := range s.nodes {
		if n := &s.nodes[i]; !n.covered {
			cubes = append(cubes, param.Cube{Control: n.control, Atoms: s.dom.atoms(n.set)})
		}
	}
	return cubes
}

// A path leads from an initial cube to a bad one in the abstract system.
type path[S any] struct {
	start    int // of sys.Init
	cases    []*param.Case
	sets     []S      // before each case, and at the end
	controls []uint64 // likewise
}

// counterexample is the path from the initial configuration that was found.
func (s *search[S]) counterexample() path[S] {
	p := path[S]{start: s.nodes[s.reaching].start}
	for i := s.reaching; i >= 0; i = s.nodes[i].next {
		n := &s.nodes[i]
		p.sets, p.controls = append(p.sets, n.set), append(p.controls, n.control)
		if n.via != nil {
			p.cases = append(p.cases, n.via)
		}
	}
	return p
}
