package actionref

import (
	"context"
	"slices"

	"magus/lts"
)

// Abstraction is a partition of states of a concrete LTS together with its quotient. The states are
// those that a visible trace can end in without a τ behind it: the initial state and the reachable
// targets of visible transitions. It is immutable: Split and Refine return new abstractions, which
// share what did not change.
type Abstraction struct {
	concrete  *lts.LTS
	moves     *weakMoves
	partition partition
	quotient  *lts.LTS // invariant: the existential quotient of the weak moves, block b being state b
}

// partition is a partition of the nodes that stand for states of the partition, with the transitions
// between its blocks: states with the same weak moves are never told apart. The inner slices are never
// changed, only replaced, so that a shallow copy is a copy.
type partition struct {
	blockOf []int32      // by node; none for those that are in no block
	members [][]int32    // by block: its nodes, in the order of their first states, not empty
	out     [][]lts.Edge // by block: its transitions to blocks, sorted by (Action, To), no duplicates
}

func (p *partition) clone() partition {
	return partition{slices.Clone(p.blockOf), slices.Clone(p.members), slices.Clone(p.out)}
}

// Quotient returns the quotient LTS. Its state b is block b, its initial state the block of the
// concrete one's, its alphabet the concrete one's. It has b -a-> c iff s τ* a t for a member s of b and
// a member t of c, and no τ. A block is an ERROR state if τ leads from a member to one.
func (a *Abstraction) Quotient() *lts.LTS { return a.quotient }

// NumBlocks returns the number of blocks; they are numbered from 0.
func (a *Abstraction) NumBlocks() int { return len(a.partition.members) }

// Block returns the block that concrete state s belongs to, or -1 if s is none of the states that are
// partitioned.
func (a *Abstraction) Block(s lts.State) int {
	if !a.moves.kept[s] {
		return none
	}
	return int(a.partition.blockOf[a.moves.nodeOf[s]])
}

// Members returns the concrete states of block b in ascending order.
func (a *Abstraction) Members(b int) []lts.State {
	var members []lts.State
	for _, k := range a.partition.members[b] {
		members = append(members, a.moves.states.at(k)...)
	}
	slices.Sort(members)
	return members
}

// Weak returns the abstraction of the weak moves of m that puts two states into one block iff they have the
// same weakly enabled visible actions (Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 7: export(s) = export(t), for τ-free traces). The error is that of a ctx that
// ended. Cost: linear in m, times the pairs of an action and a block that it leads to divided by 64.
func Weak(ctx context.Context, m *lts.LTS) (*Abstraction, error) {
	moves, err := newWeakMoves(ctx, m)
	if err != nil {
		return nil, err
	}
	nodes := moves.keptNodes()
	s := newSweeper(moves)
	groups := newGrouping(len(nodes))
	for actions := range slices.Chunk(m.Alphabet(), batch) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.actions(actions)
		groups.refine(nodes, s.mask)
	}
	p, err := newPartition(ctx, s, nodes, groups)
	if err != nil {
		return nil, err
	}
	return freeze(m, moves, p), nil
}

// newPartition returns the partition of nodes into groups.
func newPartition(ctx context.Context, s *sweeper, nodes []int32, groups *grouping) (partition, error) {
	p := partition{make([]int32, s.moves.count), make([][]int32, groups.count), make([][]lts.Edge, groups.count)}
	for k := range p.blockOf {
		p.blockOf[k] = none
	}
	for i, k := range nodes {
		b := groups.group[i]
		p.blockOf[k] = b
		p.members[b] = append(p.members[b], k)
	}
	blocks := make([]int32, groups.count)
	for b := range blocks {
		blocks[b] = int32(b)
	}
	err := s.transitionsOf(ctx, blocks, p.pairsInto(s.moves, blocks), &p, p.out)
	return p, err
}

// pairsInto returns the pairs of one of the blocks and an action that leads to it, sorted.
func (p *partition) pairsInto(w *weakMoves, blocks []int32) []lts.Edge {
	var pairs []lts.Edge
	for _, b := range blocks {
		var seen []lts.Action
		for _, k := range p.members[b] {
			for _, e := range w.into.at(k) {
				if n := len(seen); n == 0 || seen[n-1] != e.Action {
					seen = append(seen, e.Action)
				}
			}
		}
		slices.Sort(seen)
		for _, a := range slices.Compact(seen) {
			pairs = append(pairs, lts.Edge{Action: a, To: lts.State(b)})
		}
	}
	slices.SortFunc(pairs, lts.Edge.Compare)
	return pairs
}

// freeze makes an abstraction of a partition that nobody changes any more.
func freeze(m *lts.LTS, w *weakMoves, p partition) *Abstraction {
	b := lts.NewBuilder(m.Actions())
	b.AddStates(len(p.members))
	b.SetInit(lts.State(p.blockOf[w.nodeOf[m.Init()]]))
	b.Alphabet(m.Alphabet()...)
	for from, out := range p.out {
		for _, e := range out {
			b.AddEdge(lts.State(from), e.Action, e.To)
		}
	}
	for block, members := range p.members {
		if slices.ContainsFunc(members, func(k int32) bool { return w.isError[k] }) {
			b.SetError(lts.State(block))
		}
	}
	return &Abstraction{m, w, p, b.Build()}
}
