package pointsto

// Nodes on a cycle of copies have the same targets; they are made one.
//
// Idea: strongly connected components of the graph of copies by Tarjan's
// algorithm; each becomes its least node, by union-find. The components come in
// topological order, which is the order of the next waves. On the way each
// node's lists are written anew, without what has become a repetition.
//
// A node that was made of several must still pass on what not every one of
// them had passed on: the edges of each have seen only what that one had.
//
// Cost: linear in nodes and edges, but for the merging of sets; as done when as
// much has been spent on propagation, it doubles the cost at most.

import (
	"cmp"
	"slices"

	"magus/internal/graph"
)

// condense makes the nodes of each cycle one and orders the rest.
func (s *solver) condense() {
	components := graph.SCC(graph.Func{Nodes: len(s.vertices), Succ: func(n int, yield func(int)) {
		for m := range s.vertices[n].copies.all() {
			yield(int(s.find(Node(m))))
		}
	}})
	head := make([]Node, components.Count)
	s.order = make([]Node, components.Count)
	for i := range head {
		head[i] = -1
	}
	for n, k := range components.Of {
		switch {
		case s.parent[n] != Node(n): // made one with another before
		case head[k] < 0:
			head[k] = Node(n)
		default:
			s.unite(head[k], Node(n))
		}
	}
	clear(s.dirty)
	edges := 0
	for k, n := range head {
		r := int32(components.Count - 1 - k)
		if n < 0 {
			continue
		}
		s.order[r], s.rank[n] = n, r
		edges += s.tidy(n)
		if !s.vertices[n].fresh.empty() {
			s.dirty.Add(r)
		}
	}
	s.spread()
	s.work, s.due = 0, len(s.vertices)+edges
}

// find is the node that n has become.
func (s *solver) find(n Node) Node { return s.parent.Find(n) }

// unite makes b a part of a.
func (s *solver) unite(a, b Node) {
	v, w := &s.vertices[a], &s.vertices[b]
	s.parent[b] = a
	var passed, other, done set
	passed.minus(&v.targets, &v.fresh)
	other.minus(&w.targets, &w.fresh)
	done.both(&passed, &other)
	v.targets.join(&w.targets)
	v.fresh.minus(&v.targets, &done)
	v.copies.join(&w.copies)
	v.uses = append(v.uses, w.uses...)
	*w = vertex{}
}

// tidy writes the lists of a node anew, uses that move targets alike next to each other, and
// returns the number of its edges.
func (s *solver) tidy(n Node) int {
	v := &s.vertices[n]
	var copies set
	edges := 0
	for m := range v.copies.all() {
		if m := s.find(Node(m)); m != n && copies.add(uint32(m)) {
			edges++
		}
	}
	v.copies = copies
	for i := range v.uses {
		v.uses[i].other = s.find(v.uses[i].other)
	}
	slices.SortFunc(v.uses, func(a, b use) int {
		return cmp.Or(cmp.Compare(a.op, b.op), cmp.Compare(a.delta, b.delta), cmp.Compare(a.other, b.other))
	})
	v.uses = slices.Compact(v.uses)
	return edges + len(v.uses)
}
