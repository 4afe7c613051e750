package lts

import (
	"context"
	"math"
	"slices"
)

// Idea: signature refinement. A state's signature is the set of what it can do, each action paired
// with the block of the partition it leads to; in every round the states of a block that have
// different signatures are put into different blocks, until no block splits. For branching
// bisimulation the signature of a state includes that of every state an inert τ transition (one
// inside the block) leads to; for weak bisimulation it consists of weak steps.
//
// Source: Blom, Orzan, "A distributed algorithm for strong bisimulation reduction of state spaces"
// (STTT 2005) and "Distributed branching bisimulation reduction of state spaces" (PDMC 2003).
// Deviation: τ cycles are contracted beforehand, so that signatures can be computed in one sweep over
// the states; equal signatures are stored once, and the number of a signature is the new block.
//
// Cost: O(m) signature elements a round for strong and branching bisimulation where inert paths add
// nothing new, and at most as many rounds as there are classes; in practice few.

// signatures numbers sets of elements in the order they are first seen.
type signatures struct {
	flat    []uint64 // set k is flat[offsets[k]:offsets[k+1]], ascending
	offsets []int
	slots   []uint32 // open addressing: set number + 1, or 0; at most two thirds in use
}

// element is an action, or ownBlock, with a block.
func element(a Action, block uint32) uint64 { return uint64(a)<<32 | uint64(block) }

// ownBlock stands in for an action in the element that says which block the state is in.
const ownBlock Action = math.MaxInt32

func newSignatures() *signatures {
	return &signatures{offsets: []int{0}, slots: make([]uint32, initialSlots)}
}

func (t *signatures) count() int { return len(t.offsets) - 1 }

func (t *signatures) at(k uint32) []uint64 { return t.flat[t.offsets[k]:t.offsets[k+1]] }

// clear forgets all sets and keeps the memory.
func (t *signatures) clear() {
	t.flat, t.offsets = t.flat[:0], t.offsets[:1]
	clear(t.slots)
}

// intern sorts set in place, drops repetitions, and returns the set's number.
func (t *signatures) intern(set []uint64) uint32 {
	slices.Sort(set)
	set = slices.Compact(set)
	mask := uint64(len(t.slots) - 1)
	i := hashElements(set) & mask
	for ; t.slots[i] != 0; i = (i + 1) & mask {
		if k := t.slots[i] - 1; slices.Equal(t.at(k), set) {
			return k
		}
	}
	k := uint32(t.count())
	t.flat = append(t.flat, set...)
	t.offsets = append(t.offsets, len(t.flat))
	t.slots[i] = k + 1
	if 3*t.count() > 2*len(t.slots) {
		t.grow()
	}
	return k
}

func (t *signatures) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	mask := uint64(len(t.slots) - 1)
	for k := range uint32(t.count()) {
		i := hashElements(t.at(k)) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = k + 1
	}
}

func hashElements(set []uint64) uint64 {
	h := uint64(len(set))
	for _, e := range set {
		h = mix(h ^ e)
	}
	return h
}

// refinement refines a partition of m's states. For branching and weak bisimulation, every τ
// transition of m leads to a state of lower number.
type refinement struct {
	m      *LTS
	kind   Relation
	blocks []uint32 // by state; the blocks are numbered from 0 without gaps
	count  int

	next  []uint32 // the blocks of the next round
	sets  *signatures
	taus  *signatures // for weak bisimulation: the sets of blocks that τ steps lead to
	weak  []uint32    // by state: its set in taus
	buf   []uint64
	steps int
}

func newRefinement(m *LTS, kind Relation) *refinement {
	n := m.NumStates()
	r := &refinement{m: m, kind: kind, blocks: make([]uint32, n), next: make([]uint32, n), count: 1, sets: newSignatures()}
	if kind == WeakBisim {
		r.taus, r.weak = newSignatures(), make([]uint32, n)
	}
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
	if r.kind == WeakBisim {
		r.tauSweep()
	}
	for s := range State(r.m.NumStates()) {
		if r.steps++; r.steps%contextInterval == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		r.buf = append(r.buf[:0], element(ownBlock, r.blocks[s]))
		switch r.kind {
		case StrongBisim:
			r.strong(s)
		case WeakBisim:
			r.weakly(s)
		default:
			r.branching(s)
		}
		r.next[s] = r.sets.intern(r.buf)
	}
	split := r.sets.count() > r.count
	r.count = r.sets.count()
	r.blocks, r.next = r.next, r.blocks
	return split, ctx.Err()
}

func (r *refinement) strong(s State) {
	for _, e := range r.m.Out(s) {
		r.buf = append(r.buf, element(e.Action, r.blocks[e.To]))
	}
}

func (r *refinement) branching(s State) {
	for _, e := range r.m.Out(s) {
		if e.Action == Tau && r.blocks[e.To] == r.blocks[s] {
			r.buf = append(r.buf, r.sets.at(r.next[e.To])...)
		} else {
			r.buf = append(r.buf, element(e.Action, r.blocks[e.To]))
		}
	}
}

// tauSweep computes for every state the blocks that τ steps lead to, the state's own among them.
func (r *refinement) tauSweep() {
	r.taus.clear()
	for s := range State(r.m.NumStates()) {
		r.buf = append(r.buf[:0], element(Tau, r.blocks[s]))
		for _, e := range r.m.OutBy(s, Tau) {
			r.buf = append(r.buf, r.taus.at(r.weak[e.To])...)
		}
		r.weak[s] = r.taus.intern(r.buf)
	}
}

func (r *refinement) weakly(s State) {
	r.buf = append(r.buf, r.taus.at(r.weak[s])...)
	for _, e := range r.m.Out(s) {
		if e.Action == Tau {
			for _, x := range r.sets.at(r.next[e.To]) {
				if x>>32 != uint64(ownBlock) {
					r.buf = append(r.buf, x)
				}
			}
			continue
		}
		for _, x := range r.taus.at(r.weak[e.To]) {
			r.buf = append(r.buf, element(e.Action, uint32(x)))
		}
	}
}
