package lts

import (
	"context"
	"errors"
	"math"
)

// Idea: signature refinement. A state's signature is the set of what it can do, each action paired
// with the block of the partition it leads to; in every round the states of a block that have
// different signatures are put into different blocks, until no block splits. For branching
// bisimulation, inert τ transitions (those inside a block) are counted with the new signature of their
// target, or not at all where the target can do the same.
//
// Source: Blom, Orzan, "A distributed algorithm for strong bisimulation reduction of state spaces"
// (STTT 2005); Blom, van de Pol, "Distributed branching bisimulation minimization by inductive
// signatures" (PDMC 2009). τ cycles are contracted beforehand, so that signatures can be computed in one
// sweep over the states. Deviations: equal signatures are stored once. The largest part of a block that
// splits keeps the block's number, and only blocks that may have changed signatures are looked at again:
// those with a transition into a state whose block has a new number, and those that have one.
//
// Cost of a round: the transitions of the blocks that are looked at. There are at most as many rounds
// as classes, mostly few: O(m n) at worst, which is why there is a budget.

// maxElements bounds the elements of the signatures of one round, 8 bytes each.
const maxElements = 1 << 28

// errTooManyElements says that a refinement was given up.
var errTooManyElements = errors.New("lts: signatures take too much")

// element is an action, or ownBlock, with a block.
func element(a Action, block uint32) uint64 { return uint64(a)<<32 | uint64(block) }

// ownBlock stands in for an action in the element that says which block the state is in.
const ownBlock Action = math.MaxInt32

// inertStep stands in for an action in the element of an inert τ transition, with the target's set.
const inertStep = ownBlock - 1

// plainBranching is branching bisimulation by signatures that include those of inert successors in
// full (Blom, Orzan, "Distributed branching bisimulation reduction of state spaces", PDMC 2003). That
// can take more space, but the rounds have a meaning: states that part differ in an element.
const plainBranching Relation = -1

// refinement refines a partition of m's states. For branching bisimulation, every τ transition of m
// leads to a state of lower number.
type refinement struct {
	m      *LTS
	kind   Relation
	blocks []uint32 // by state; the blocks are numbered from 0 without gaps
	count  int
	parent []uint32 // by block: the one it was part of before the round it was made in
	born   []uint32 // by block: that round, counted from 1
	rounds uint32

	sets    *sets[uint64]
	next    []uint32 // by state: its set in this round
	buf     []uint64
	work    int
	checked int // how much of work was done when ctx was looked at
	budget  int // how much work may be done; 0 = no bound

	sources []State // the sources of the transitions into s are sources[starts[s]:starts[s+1]]
	starts  []uint32
	dirty   []bool   // by block: is it to be looked at
	size    []uint32 // by set: how many states have it
	block   []uint32 // by set: the block it becomes
	largest []uint32 // by block: its largest set + 1, or 0
	moved   []State  // the states whose block has a new number
}

func newRefinement(m *LTS, kind Relation) *refinement {
	n := m.NumStates()
	r := &refinement{m: m, kind: kind, blocks: make([]uint32, n), next: make([]uint32, n), count: 1,
		sets: newSets[uint64]()}
	r.parent, r.born, r.dirty = []uint32{0}, []uint32{0}, []bool{true}
	r.sources, r.starts = predecessors(m)
	return r
}

// run refines until the partition is stable.
func (r *refinement) run(ctx context.Context) error {
	for {
		split, err := r.round(ctx)
		if err != nil || !split {
			return err
		}
	}
}

// round refines once and says whether a block was split.
func (r *refinement) round(ctx context.Context) (bool, error) {
	r.sets.clear()
	r.rounds++
	r.work += r.m.NumStates() / 4 // for the sweep itself
	for s := range State(r.m.NumStates()) {
		if !r.dirty[r.blocks[s]] {
			continue
		}
		r.buf = append(r.buf[:0], element(ownBlock, r.blocks[s]))
		r.next[s] = r.signature(s)
		if err := r.interrupted(ctx); err != nil {
			return false, err
		}
	}
	split := r.renumber()
	return split, ctx.Err()
}

// interrupted returns why the refinement has to stop: ctx ended, or its budget or the space was used up.
func (r *refinement) interrupted(ctx context.Context) error {
	r.work += 1 + len(r.buf)
	if r.work-r.checked < contextInterval {
		return nil
	}
	r.checked = r.work
	if r.budget > 0 && r.work > r.budget || len(r.sets.flat) > maxElements {
		return errTooManyElements
	}
	return ctx.Err()
}

// renumber makes blocks of sets and finds out which blocks have to be looked at next.
func (r *refinement) renumber() (split bool) {
	old := r.count
	r.size = append(r.size[:0], make([]uint32, r.sets.count())...)
	r.block = append(r.block[:0], make([]uint32, r.sets.count())...)
	r.largest = append(r.largest[:0], make([]uint32, old)...)
	for s, b := range r.blocks {
		if r.dirty[b] {
			r.size[r.next[s]]++
		}
	}
	for k := range r.size {
		// The element with ownBlock is the last of a set.
		set := r.sets.at(uint32(k))
		b := uint32(set[len(set)-1])
		r.block[k] = b
		if l := r.largest[b]; l == 0 || r.size[k] > r.size[l-1] {
			r.largest[b] = uint32(k) + 1
		}
	}
	for k, b := range r.block {
		if r.largest[b] != uint32(k)+1 {
			r.block[k] = uint32(r.count)
			r.parent, r.born = append(r.parent, b), append(r.born, r.rounds)
			r.count++
		}
	}
	r.move()
	return r.count > old
}

// move gives states their new blocks and marks the blocks with transitions to states that moved.
func (r *refinement) move() {
	r.moved = r.moved[:0]
	for s, b := range r.blocks {
		if r.dirty[b] && r.block[r.next[s]] != b {
			r.blocks[s] = r.block[r.next[s]]
			r.moved = append(r.moved, State(s))
		}
	}
	r.dirty = append(r.dirty[:0], make([]bool, r.count)...)
	for _, s := range r.moved {
		r.dirty[r.blocks[s]] = true // its inert transitions may not be inert any more
		for _, p := range r.sources[r.starts[s]:r.starts[s+1]] {
			r.dirty[r.blocks[p]] = true
		}
	}
}

// signature returns the set of s; buf holds its own block.
//
// An inert transition counts with the set of its target, as inertStep. If the set of one of the
// targets, without the step to it, includes all else, s has that set: s and the target can do the
// same. Only the set that was made last can be it, because it includes steps to the others. States that
// are branching bisimilar have the same set, by induction along the τ transitions: all that can leave
// the class inertly next have the same elements, and what the others have is among these.
func (r *refinement) signature(s State) uint32 {
	inert, last := false, uint32(0)
	for _, e := range r.m.Out(s) {
		if r.kind == plainBranching && e.Action == Tau && r.blocks[e.To] == r.blocks[s] {
			r.buf = append(r.buf, r.sets.at(r.next[e.To])...)
		} else if r.kind == BranchingBisim && e.Action == Tau && r.blocks[e.To] == r.blocks[s] {
			k := r.next[e.To]
			r.buf = append(r.buf, element(inertStep, k))
			inert, last = true, max(last, k)
		} else {
			r.buf = append(r.buf, element(e.Action, r.blocks[e.To]))
		}
	}
	if inert && r.sets.includes(last, r.buf, element(inertStep, last)) {
		return last
	}
	return r.sets.intern(r.buf)
}
