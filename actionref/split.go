package actionref

import (
	"slices"

	"magus/lts"
)

// Split as in section 8 of papers/003: members of block u are told apart by their abstract
// a-successors, that is by the set of blocks that a leads them to, in the partition before the split.
// One part keeps the number u, the others get new numbers; all other blocks keep theirs. Only
// transitions with u as source or target are recomputed.
//
// Cost of a split: the concrete transitions into and out of members of u, sorted, and the abstract
// transitions of the blocks that lead to u. (Hopcroft's trick of moving the smaller part only would
// need counters on abstract transitions; splits are few, since a counterexample asks for each.)

// SplitInfo tells what one split did.
type SplitInfo struct {
	Block  int        // the block that was split; one part keeps its number
	Action lts.Action // the action its members were told apart by
	Into   []int      // all parts, Block first, then the new blocks in ascending order
}

// Split returns the refinement of a in which the members of block b are told apart by their abstract
// successors under act. If there is nothing to tell apart it returns a itself.
func (a *Abstraction) Split(b int, act lts.Action) *Abstraction {
	p := a.parts.clone()
	if parts := newSplitter(a, &p).split(int32(b), act); len(parts) < 2 {
		return a
	}
	return freeze(a.concrete, a.into, p)
}

// splitter splits blocks of a partition in place.
type splitter struct {
	m       *lts.LTS
	into    *incoming
	parts   *partition
	scratch []lts.Edge
	targets []int32
}

func newSplitter(a *Abstraction, p *partition) *splitter {
	return &splitter{m: a.concrete, into: a.into, parts: p}
}

// split splits block u by action a and returns the parts, u first; a single part means no change.
func (s *splitter) split(u int32, a lts.Action) []int32 {
	group, count := s.groups(u, a)
	parts := []int32{u}
	if count < 2 {
		return parts
	}
	old := s.parts.members[u]
	s.parts.members[u] = nil
	for range count - 1 {
		parts = append(parts, int32(len(s.parts.members)))
		s.parts.members = append(s.parts.members, nil)
		s.parts.out = append(s.parts.out, nil)
	}
	for i, state := range old {
		part := parts[group[i]]
		s.parts.blockOf[state] = part
		s.parts.members[part] = append(s.parts.members[part], state)
	}
	for _, part := range parts {
		s.parts.out[part], s.scratch = s.parts.leaving(s.m, part, s.scratch)
	}
	s.redirect(u, parts, old)
	return parts
}

// groups numbers the members of u by their abstract a-successors, in order of first occurrence.
func (s *splitter) groups(u int32, a lts.Action) (group []int32, count int) {
	groups := newGrouping()
	members := s.parts.members[u]
	group = make([]int32, len(members))
	for i, state := range members {
		s.targets = s.targets[:0]
		for _, e := range s.m.OutBy(state, a) {
			s.targets = append(s.targets, s.parts.blockOf[e.To])
		}
		slices.Sort(s.targets)
		groups.key = groups.key[:0]
		for _, b := range slices.Compact(s.targets) {
			groups.put(b)
		}
		group[i] = groups.number()
	}
	return group, groups.count()
}

// sourceEdge is an abstract transition with its source.
type sourceEdge struct {
	from int32
	edge lts.Edge
}

// redirect recomputes the transitions that lead from other blocks to the parts of u, given the
// concrete states that belonged to it.
func (s *splitter) redirect(u int32, parts []int32, old []lts.State) {
	isPart := func(b int32) bool { _, found := slices.BinarySearch(parts, b); return found }
	var entering []sourceEdge
	for _, state := range old {
		to := lts.State(s.parts.blockOf[state])
		for _, e := range s.into.to(state) {
			if from := s.parts.blockOf[e.from]; !isPart(from) {
				entering = append(entering, sourceEdge{from, lts.Edge{Action: e.action, To: to}})
			}
		}
	}
	slices.SortFunc(entering, func(x, y sourceEdge) int {
		if x.from != y.from {
			return int(x.from - y.from)
		}
		return compareEdges(x.edge, y.edge)
	})
	entering = slices.Compact(entering)
	for len(entering) > 0 {
		from := entering[0].from
		s.scratch = s.scratch[:0]
		for _, e := range s.parts.out[from] {
			if e.To != lts.State(u) {
				s.scratch = append(s.scratch, e)
			}
		}
		for len(entering) > 0 && entering[0].from == from {
			s.scratch = append(s.scratch, entering[0].edge)
			entering = entering[1:]
		}
		s.parts.out[from] = sortedCopy(s.scratch)
	}
}
