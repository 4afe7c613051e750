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
// Cost: each new set is compared with all others of the same control part whose lower bounds are not
// above its own.

// A node is a set of configurations from which a bad one can be reached.
type node[S any] struct {
	control uint64
	set     S
	low     []int64
	sum     int64       // of low
	next    int         // the node that via leads to; -1 for bad ones
	via     *param.Case // nil for bad ones
	covered bool        // lies within another node
}

// An initial is an initial cube of the system.
type initial[S any] struct {
	cube    int // its number
	control uint64
	set     S
}

// A search is one iteration: a backward search with a fixed order.
type search[S any] struct {
	sys      *param.System
	dom      domain[S]
	zones    []linear.Atom
	initial  []initial[S]
	nodes    []node[S]
	done     int // nodes that have been expanded
	made     int // sets that were computed
	reaching int // the node that has an initial configuration, or -1
	start    int // and which initial cube
}

func newSearch[S any](sys *param.System, dom domain[S], property int, zones []linear.Atom) *search[S] {
	s := &search[S]{sys: sys, dom: dom, zones: zones, reaching: -1}
	for i, c := range sys.Init {
		if set, ok := dom.of(c.Atoms); ok {
			s.initial = append(s.initial, initial[S]{i, c.Control, set})
		}
	}
	for _, c := range sys.Bad[property] {
		if set, ok := dom.of(c.Atoms); ok {
			s.add(c.Control, set, -1, nil)
		}
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
	for i := range s.sys.Cases {
		c := &s.sys.Cases[i]
		s.made++
		control, ok := s.sys.Before(c, s.nodes[at].control)
		if !ok {
			continue
		}
		before, ok := s.dom.before(c, s.nodes[at].set)
		if !ok {
			continue
		}
		for _, part := range closure(ctx, s.dom, s.zones, before) {
			if s.add(control, part, at, c); s.reaching >= 0 {
				return
			}
		}
	}
}

// add keeps a set unless it lies within another one.
func (s *search[S]) add(control uint64, set S, next int, via *param.Case) {
	n := node[S]{control: control, set: set, low: s.dom.least(set), next: next, via: via}
	for _, k := range n.low {
		n.sum += k
	}
	for i := range s.nodes {
		if o := &s.nodes[i]; !o.covered && s.within(&n, o) {
			return
		}
	}
	for i := range s.nodes {
		if o := &s.nodes[i]; !o.covered && s.within(o, &n) {
			o.covered = true
		}
	}
	s.nodes = append(s.nodes, n)
	for _, c := range s.initial {
		if !s.sys.Possible(c.control & control) {
			continue
		}
		if _, ok := s.dom.with(c.set, s.dom.atoms(set)...); ok {
			s.reaching, s.start = len(s.nodes)-1, c.cube
			return
		}
	}
}

// within reports whether a lies within b.
func (s *search[S]) within(a, b *node[S]) bool {
	if a.control&^b.control != 0 || b.sum > a.sum {
		return false
	}
	for i, k := range b.low {
		if k > a.low[i] {
			return false
		}
	}
	return s.dom.includes(b.set, a.set)
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
	p := path[S]{start: s.start}
	for i := s.reaching; i >= 0; i = s.nodes[i].next {
		n := &s.nodes[i]
		p.sets, p.controls = append(p.sets, n.set), append(p.controls, n.control)
		if n.via != nil {
			p.cases = append(p.cases, n.via)
		}
	}
	return p
}
