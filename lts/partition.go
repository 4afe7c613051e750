package lts

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// Partition returns the classes of m's states under r, which must be a bisimulation equivalence: by
// state the number of its class, and how many classes there are. Classes are numbered in the order
// of their least states. Unreachable states are included. The error says that r is no bisimulation
// or that ctx ended.
func Partition(ctx context.Context, m *LTS, r Relation) (classes []int32, count int, err error) {
	if !r.isBisimulation() {
		return nil, 0, fmt.Errorf("lts: %v is not a bisimulation, it does not partition states", r)
	}
	k := newMarks(m)
	blocks, count, err := partition(ctx, k, withoutErrors(k, m), r)
	if err != nil {
		return nil, 0, err
	}
	return inOrder(blocks, count), count, nil
}

// inOrder renumbers blocks in the order of their least states.
func inOrder(blocks []uint32, count int) []int32 {
	number := make([]int32, count)
	classes := make([]int32, len(blocks))
	used := int32(0)
	for s, b := range blocks {
		if number[b] == 0 {
			used++
			number[b] = used
		}
		classes[s] = number[b] - 1
	}
	return classes
}

// partition returns the classes under a bisimulation of an LTS whose ERROR states are encoded.
func partition(ctx context.Context, k marks, m *LTS, r Relation) ([]uint32, int, error) {
	if r == StrongBisim {
		return classes(ctx, m, StrongBisim)
	}
	c := NewTauComponents(m)
	small := contract(k, m, c, r == DivergenceBranchingBisim)
	blocks, count, err := classes(ctx, small, BranchingBisim)
	if err != nil {
		return nil, 0, err
	}
	if r == WeakBisim {
		blocks, count, err = weakPartition(ctx, small, blocks, count)
		if err != nil {
			return nil, 0, err
		}
	}
	result := make([]uint32, m.NumStates())
	for s := range result {
		result[s] = blocks[c.Of[s]]
	}
	return result, count, nil
}

// classes returns the classes under strong or branching bisimulation; for the latter, m has no τ
// cycles. It refines signatures as long as that takes time in O(m log n), which nearly always suffices and
// is several times as fast, and begins again with the algorithm that never needs more.
func classes(ctx context.Context, m *LTS, r Relation) ([]uint32, int, error) {
	s := newRefinement(m, r)
	s.budget = 2 * (m.NumStates() + m.NumEdges()) * bits.Len(uint(m.NumStates()))
	err := s.run(ctx)
	if !errors.Is(err, errTooManyElements) {
		return s.blocks, s.count, err
	}
	b, err := bunchPartition(ctx, m, r == BranchingBisim)
	if err != nil {
		return nil, 0, err
	}
	return b.of, b.count(), nil
}

// weakPartition returns the classes under weak bisimulation of m, which has no τ cycle and the given
// classes under branching bisimulation. The latter is the finer relation, so it suffices to split
// the quotient. If that has no τ either, there is nothing to do.
func weakPartition(ctx context.Context, m *LTS, blocks []uint32, count int) ([]uint32, int, error) {
	q := quotient(m, blocks, count, false)
	if !slices.ContainsFunc(q.edges, func(e Edge) bool { return e.Action == Tau }) {
		return blocks, count, nil
	}
	weak, err := weakSplit(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	result := make([]uint32, len(blocks))
	for s, b := range blocks {
		result[s] = weak.of[b]
	}
	return result, weak.count(), nil
}

// quotient returns the LTS of m's classes, with all transitions of their members, without τ inside
// a class unless that is asked for. m's ERROR states and names are not looked at.
func quotient(m *LTS, blocks []uint32, count int, innerTau bool) *LTS {
	b := NewBuilder(m.actions)
	b.AddStates(count)
	b.SetInit(blocks[m.init])
	for s := range State(m.NumStates()) {
		for _, e := range m.Out(s) {
			if innerTau || e.Action != Tau || blocks[s] != blocks[e.To] {
				b.AddEdge(blocks[s], e.Action, blocks[e.To])
			}
		}
	}
	return b.Build()
}
