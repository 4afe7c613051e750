package actionref

import (
	"context"
	"slices"

	"magus/lts"
)

// Idea: Split as in Chaki et al., "Efficient Verification of Sequential and Concurrent C Programs" (2004),
// section 8: members of block u are told apart by their abstract a-successors, that is by the set of blocks
// that their weak a-moves lead to, in the partition before the split. One part keeps the number u, the others
// get new numbers; all other blocks keep theirs. Only transitions with u as source or target are recomputed.
//
// Cost of a split: a sweep for every 64 of the a-successors of u, of the transitions of u, and of the
// pairs of a part of u and an action that leads to it; and the abstract transitions of the blocks that
// lead to u. (Splits are few, since a counterexample asks for each.)

// SplitInfo tells what one split did.
type SplitInfo struct {
	Block  int        // the block that was split; one part keeps its number
	Action lts.Action // the action its members were told apart by
	Into   []int      // all parts, Block first, then the new blocks in ascending order
}

// Split returns the refinement of a in which the members of block b are told apart by their abstract
// successors under the visible action act. If there is nothing to tell apart it returns a itself. The
// error is that of a ctx that ended; then the abstraction is a itself.
func (a *Abstraction) Split(ctx context.Context, b int, act lts.Action) (*Abstraction, error) {
	p := a.partition.clone()
	parts, err := (&splitter{newSweeper(a.moves), &p}).split(ctx, int32(b), act)
	if err != nil || len(parts) < 2 {
		return a, err
	}
	return freeze(a.concrete, a.moves, p), nil
}

// splitter splits blocks of a partition in place.
type splitter struct {
	*sweeper
	partition *partition
}

// split splits block u by action a and returns the parts, u first; a single part means no change. After
// an error the partition is of no use.
func (s *splitter) split(ctx context.Context, u int32, a lts.Action) ([]int32, error) {
	p := s.partition
	parts := []int32{u}
	groups, err := s.groups(ctx, u, a)
	if err != nil || groups.count < 2 {
		return parts, err
	}
	old := p.members[u]
	p.members[u] = nil
	for range groups.count - 1 {
		parts = append(parts, int32(len(p.members)))
		p.members = append(p.members, nil)
		p.out = append(p.out, nil)
	}
	for i, k := range old {
		part := parts[groups.group[i]]
		p.blockOf[k] = part
		p.members[part] = append(p.members[part], k)
	}
	return parts, s.redirect(ctx, u, parts)
}

// groups tells the members of u apart by their abstract a-successors.
func (s *splitter) groups(ctx context.Context, u int32, a lts.Action) (*grouping, error) {
	members := s.partition.members[u]
	groups := newGrouping(len(members))
	for pairs := range slices.Chunk(lts.EdgesBy(s.partition.out[u], a), batch) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.blocks(pairs, s.partition.members)
		groups.refine(members, s.mask)
	}
	return groups, nil
}

// redirect computes the transitions of the parts of u, and those that lead from other blocks to them
// instead of u.
func (s *splitter) redirect(ctx context.Context, u int32, parts []int32) error {
	p := s.partition
	elsewhere := withoutTarget(p.out[u], u)
	for _, part := range parts {
		p.out[part] = nil
	}
	if err := s.transitionsOf(ctx, parts, elsewhere, p, p.out); err != nil {
		return err
	}
	sources := slices.Clone(parts)
	for b, out := range p.out {
		if slices.ContainsFunc(out, func(e lts.Edge) bool { return e.To == lts.State(u) }) {
			sources = append(sources, int32(b))
			p.out[b] = withoutTarget(out, u)
		}
	}
	if err := s.transitionsOf(ctx, sources, p.pairsInto(s.moves, parts), p, p.out); err != nil {
		return err
	}
	for _, b := range sources {
		slices.SortFunc(p.out[b], lts.Edge.Compare)
	}
	return nil
}

// withoutTarget returns a copy of the transitions that do not lead to block u.
func withoutTarget(out []lts.Edge, u int32) []lts.Edge {
	return slices.DeleteFunc(slices.Clone(out), func(e lts.Edge) bool { return e.To == lts.State(u) })
}
