package actionref

import (
	"context"
	"math/bits"

	"magus/lts"
)

// Idea: W(k), the pairs of an action and a block that node k has a weak move to, follows from the visible
// transitions of k and the sets of its τ successors, in one pass over the nodes in ascending order. The
// sets are not stored. A sweep asks for up to 64 pairs and computes one word a node; the pairs that are
// in question are few (one split changes only those of one block), and what is wanted is mostly the
// union over the members of a block.
//
// Cost of a sweep: linear in nodes and τ steps, plus the transitions into the blocks of the pairs.

// batch is how many pairs one sweep asks for.
const batch = 64

// sweeper performs sweeps over the weak moves.
type sweeper struct {
	moves *weakMoves
	mask  []uint64 // by node
}

func newSweeper(w *weakMoves) *sweeper { return &sweeper{w, make([]uint64, w.count)} }

// blocks sets bit i of mask[k] iff node k has a weak move with the action of pair i into its block.
func (s *sweeper) blocks(pairs []lts.Edge, members [][]int32) {
	clear(s.mask)
	for i, pair := range pairs {
		for _, k := range members[pair.To] {
			for _, from := range lts.EdgesBy(s.moves.into.at(k), pair.Action) {
				s.mask[from.To] |= 1 << i
			}
		}
	}
	s.propagate()
}

// actions sets bit i of mask[k] iff node k has a weak move with action i of the list, which is sorted.
func (s *sweeper) actions(list []lts.Action) {
	bit := make([]uint64, list[len(list)-1]+1)
	for i, a := range list {
		bit[a] = 1 << i
	}
	clear(s.mask)
	for k := range int32(s.moves.count) {
		for _, e := range s.moves.out.at(k) {
			if int(e.Action) < len(bit) {
				s.mask[k] |= bit[e.Action]
			}
		}
	}
	s.propagate()
}

// propagate adds to each mask those of the nodes that τ leads to.
func (s *sweeper) propagate() {
	tau := &s.moves.tau
	start := tau.offsets[0]
	for k, stop := range tau.offsets[1:] {
		mask := s.mask[k]
		for _, j := range tau.items[start:stop] {
			mask |= s.mask[j]
		}
		s.mask[k], start = mask, stop
	}
}

// transitionsOf appends to out[b], for each of the given blocks, those of the pairs that a member has a
// weak move to, in the order in which they are given.
func (s *sweeper) transitionsOf(ctx context.Context, blocks []int32, pairs []lts.Edge, p *partition,
	out [][]lts.Edge) error {
	for len(pairs) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(batch, len(pairs))
		s.blocks(pairs[:n], p.members)
		for _, b := range blocks {
			union := uint64(0)
			for _, k := range p.members[b] {
				union |= s.mask[k]
			}
			for ; union != 0; union &= union - 1 {
				out[b] = append(out[b], pairs[bits.TrailingZeros64(union)])
			}
		}
		pairs = pairs[n:]
	}
	return nil
}

// grouping tells nodes apart by what several sweeps say of them.
type grouping struct {
	group  []int32 // by index in the list of nodes
	count  int
	number map[signature]int32
}

type signature struct {
	group int32
	mask  uint64
}

func newGrouping(n int) *grouping {
	return &grouping{make([]int32, n), min(1, n), map[signature]int32{}}
}

// refine splits the groups by mask. Groups are numbered in the order of their first node.
func (g *grouping) refine(nodes []int32, mask []uint64) {
	clear(g.number)
	for i, k := range nodes {
		key := signature{g.group[i], mask[k]}
		n, ok := g.number[key]
		if !ok {
			n = int32(len(g.number))
			g.number[key] = n
		}
		g.group[i] = n
	}
	g.count = len(g.number)
}
