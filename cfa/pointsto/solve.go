package pointsto

// The least solution of a system of inclusions.
//
// Idea: inclusions between two nodes are edges of a graph; targets flow along
// them. A load or a store becomes an edge for each cell that its pointer is
// found to point to, so the graph grows while targets flow. Only what is new in
// a node is passed on (difference propagation), and nodes are visited in
// topological order of the graph, wave after wave. Nodes on a cycle have equal
// solutions and are made one (cycle.go).
//
// Source: L. Andersen, "Program Analysis and Specialization for the C
// Programming Language", thesis, Copenhagen 1994, chapter 4; F. Pereira, D.
// Berlin, "Wave Propagation and Deep Propagation for Pointer Analysis", CGO
// 2009. Deviations: cycles are looked for not in every wave but when the
// propagation since the last time has cost as much as looking; loads and stores
// are not a phase of their own but happen in the node's visit (the edges that they
// find wait for the end of the wave, when many have fallen into one node);
// offsets (target.go).
//
// Rejected: lazy cycle detection (Hardekopf, Lin, PLDI 2007), which searches
// from single edges, many of them in vain, where one pass finds all cycles at
// the same price; solving with the naive fixpoint, which is the oracle of the
// tests.
//
// Cost: cubic in nodes and targets in the worst case; on what programs look like
// near n·s, n the inclusions and s the size of the sets (see the benchmark).

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"magus/internal/bitset"
	"magus/internal/graph"
)

// A Target is what a pointer may point to: an object with the offsets
// Offset … Last. The two are equal, unless offsets are not told apart
// ([Problem.Merge]). In objects without offsets both are 0.
type Target struct {
	Object       Object
	Offset, Last uint64
}

// A Solution is the least solution of a problem.
type Solution struct {
	domain domain
	of     []Node // the node whose targets a node has
	sets   []set
	listed [][]Target // of the nodes that were asked for
	order  []uint32   // the numbers of targets, by object and offset
	rank   []uint32   // where each is in that order
}

// Targets lists what a node may point to, by object and offset. Pointers
// outside of their object are no targets, or [Unknown] if it has surroundings.
// The end of an object, right behind its last byte, is a target. The list is
// kept for the next time: it must not be changed.
func (s *Solution) Targets(n Node) []Target {
	n = s.of[n]
	if s.listed[n] == nil {
		s.listed[n] = s.list(n)
	}
	return s.listed[n]
}

func (s *Solution) list(n Node) []Target {
	unknown, count := false, 0
	s.rankTargets()
	ranks := bitset.New[int32](len(s.rank))
	for x := range s.sets[n].all() {
		ranks.Add(int32(s.rank[x]))
		count++
	}
	targets := make([]Target, 0, count)
	for r := range ranks.All() {
		p := s.domain.all[s.order[r]]
		o := &s.domain.objects[p.object]
		unknown = unknown || p.beside(o) || p.object == Unknown
		if p.inside(o) && p.object != Unknown {
			targets = append(targets, Target{p.object, uint64(p.first), uint64(p.last)})
		}
	}
	if unknown {
		targets = slices.Insert(targets, 0, Target{Object: Unknown})
	}
	return targets
}

// rankTargets brings the targets into the order of lists, once for all of them.
func (s *Solution) rankTargets() {
	if len(s.rank) == len(s.domain.all) {
		return
	}
	s.order, s.rank = make([]uint32, len(s.domain.all)), make([]uint32, len(s.domain.all))
	for x := range s.order {
		s.order[x] = uint32(x)
	}
	slices.SortFunc(s.order, func(x, y uint32) int {
		a, b := &s.domain.all[x], &s.domain.all[y]
		return cmp.Or(cmp.Compare(a.object, b.object), cmp.Compare(a.first, b.first))
	})
	for r, x := range s.order {
		s.rank[x] = uint32(r)
	}
}

// Solve computes the least solution. The only error is that ctx is done.
func (g *Problem) Solve(ctx context.Context) (*Solution, error) {
	s := newSolver(g)
	for {
		if s.work >= s.due {
			s.condense()
		}
		if err := s.settle(ctx); err != nil {
			return nil, err
		}
		if err := s.wave(ctx); err != nil {
			return nil, err
		}
		if s.quiet() {
			return s.solution(), nil
		}
	}
}

// A vertex is a node of the constraint graph.
type vertex struct {
	targets set
	fresh   set   // the targets that have not been passed on
	copies  set   // the nodes that have all targets of this one
	uses    []use // what else is to be done with each target
	world   bool  // it has all targets of World (world.go)
}

// A use is an inclusion that hangs on a node.
type use struct {
	op    operation // shift, anywhere, indexed, load, store
	other Node
	delta int64
}

type solver struct {
	domain   domain
	vertices []vertex
	parent   graph.Classes[Node] // of nodes that were made one; a node that stands for itself is its own
	order    []Node              // the nodes in the order of a wave
	rank     []int32             // the index of each in order
	dirty    bitset.Set[int32]   // the ranks of nodes that have fresh targets
	edges    [][2]Node           // found in this wave
	work     int                 // spent on propagation since cycles were looked for
	due      int                 // work after which cycles are looked for again
	now      set                 // what the node that is visited passes on
	moved    set                 // the same after arithmetic
	added    set                 // what is new of it to a node
	rest     set                 // what of now is not in World
}

func newSolver(g *Problem) *solver {
	s := &solver{
		domain:   domain{objects: slices.Clone(g.objects), number: map[targetKey]uint32{}},
		vertices: make([]vertex, g.nodes),
		parent:   graph.NewClasses[Node](g.nodes),
		rank:     make([]int32, g.nodes),
		dirty:    bitset.New[int32](g.nodes),
	}
	for i := range s.domain.objects {
		o := &s.domain.objects[i]
		o.cells = slices.Clone(o.cells)
		slices.SortFunc(o.cells, func(a, b cell) int {
			return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.node, b.node))
		})
	}
	for _, c := range g.constraints {
		s.enter(c)
	}
	return s
}

// enter puts an inclusion into the graph.
func (s *solver) enter(c constraint) {
	switch c.op {
	case addressOf:
		v := &s.vertices[c.dst]
		if x := s.domain.numberOf(c.object, c.delta); v.targets.add(x) {
			v.fresh.add(x)
		}
	case copyOf:
		s.vertices[c.src].copies.add(uint32(c.dst))
	case store:
		s.vertices[c.dst].uses = append(s.vertices[c.dst].uses, use{store, c.src, 0})
	default:
		s.vertices[c.src].uses = append(s.vertices[c.src].uses, use{c.op, c.dst, c.delta})
	}
}

// wave visits each node with fresh targets, in order. Nodes that get
// more after their visit are left behind.
func (s *solver) wave(ctx context.Context) error {
	for i := range s.dirty {
		for s.dirty[i] != 0 {
			low := bits.TrailingZeros64(s.dirty[i])
			s.dirty[i] &^= 1 << low
			if err := s.visit(ctx, s.order[i<<6|low]); err != nil {
				return err
			}
		}
	}
	return nil
}

// quiet reports whether nothing is left to be done.
func (s *solver) quiet() bool {
	return len(s.edges) == 0 && s.dirty.Empty()
}

// visit passes the fresh targets of a node on. One node may have very many: the
// context is looked at on the way.
func (s *solver) visit(ctx context.Context, n Node) error {
	v := &s.vertices[n]
	s.now, v.fresh = v.fresh, s.now
	v.fresh.clear()
	for i, u := range v.uses {
		if err := s.apply(ctx, n, u, i > 0 && s.movesAlso(u, v.uses[i-1])); err != nil {
			return err
		}
	}
	for m := range v.copies.all() {
		s.give(Node(m), &s.now)
	}
	return ctx.Err()
}

// movesAlso reports whether two uses of a node move the same targets in the same way.
func (s *solver) movesAlso(u, before use) bool {
	world := s.find(World)
	return u.op == before.op && u.delta == before.delta && (s.find(u.other) == world) == (s.find(before.other) == world)
}

// apply does what a use of a node demands for the targets that are passed on. again says that the
// use before has moved them in the same way.
func (s *solver) apply(ctx context.Context, n Node, u use, again bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if u.op == load || u.op == store {
		s.connect(u)
		return nil
	}
	if !again {
		if err := s.displace(ctx, u, s.toMove(n, u)); err != nil {
			return err
		}
	}
	s.give(u.other, &s.moved)
	return nil
}

// connect enters the edges that a load or a store is, for the targets that are passed on.
func (s *solver) connect(u use) {
	for x := range s.now.all() {
		for _, c := range s.domain.all[x].cells {
			if u.op == load {
				s.edge(c.node, u.other)
			} else {
				s.edge(u.other, c.node)
			}
		}
	}
}

// displace makes moved what arithmetic makes of some targets.
func (s *solver) displace(ctx context.Context, u use, targets *set) error {
	switch u.op {
	case anywhere:
		return s.scatter(ctx, u.delta, targets, s.domain.anywhere)
	case indexed:
		return s.scatter(ctx, u.delta, targets, s.domain.indexed)
	}
	s.moved.clear()
	for x := range targets.all() {
		s.domain.shift(x, u.delta, s.move)
	}
	return nil
}

func (s *solver) move(x uint32) { s.moved.add(x) }

// scatter makes moved what the targets lead to with any multiple of stride. A
// target that another one leads to adds nothing.
func (s *solver) scatter(ctx context.Context, stride int64, targets *set,
	lead func(n uint32, stride int64, yield func(uint32))) error {
	s.moved.clear()
	for x := range targets.all() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !s.moved.has(x) || s.domain.period(s.domain.all[x], stride) != stride {
			lead(x, stride, s.move)
		}
	}
	return nil
}

// edge makes the targets of a ones of b, from the end of the wave on.
func (s *solver) edge(a, b Node) {
	a, b = s.find(a), s.find(b)
	s.work++
	if a != b && s.vertices[a].copies.add(uint32(b)) {
		s.edges = append(s.edges, [2]Node{a, b})
		s.work += len(s.vertices[a].targets.keys)
	}
}

// settle passes along the edges of the last wave what their tails had before.
// By now many of them may lie inside of one node.
func (s *solver) settle(ctx context.Context) error {
	for _, e := range s.edges {
		if err := ctx.Err(); err != nil {
			return err
		}
		if a, b := s.find(e[0]), s.find(e[1]); a != b {
			s.give(b, &s.vertices[a].targets)
		}
	}
	s.edges = s.edges[:0]
	return nil
}

// give adds targets to a node.
func (s *solver) give(n Node, targets *set) {
	n = s.find(n)
	v := &s.vertices[n]
	s.work += 1 + len(targets.keys)
	s.added.minus(targets, &v.targets)
	if s.added.empty() {
		return
	}
	v.targets.join(&s.added)
	v.fresh.join(&s.added)
	s.dirty.Add(s.rank[n])
}

// solution is what the nodes have now. Nodes with equal sets, most of which have all of
// World, are one: what is asked about one of them is known of the others.
func (s *solver) solution() *Solution {
	sol := &Solution{domain: s.domain, of: make([]Node, len(s.parent)), sets: make([]set, len(s.vertices)),
		listed: make([][]Target, len(s.vertices))}
	byHash := map[uint64][]Node{} // by hash
	for n := range s.parent {
		if s.find(Node(n)) == Node(n) {
			targets := &s.vertices[n].targets
			h := targets.hash()
			i := slices.IndexFunc(byHash[h], func(m Node) bool { return targets.equal(&s.vertices[m].targets) })
			if i < 0 {
				i = len(byHash[h])
				byHash[h] = append(byHash[h], Node(n))
				sol.sets[n] = *targets
			}
			sol.of[n] = byHash[h][i]
		}
	}
	for n := range s.parent {
		sol.of[n] = sol.of[s.find(Node(n))]
	}
	return sol
}
