package lts

import (
	"cmp"
	"context"
	"slices"
)

// Idea: 64 splitters at once. A splitter may be any union of blocks: states that are weakly bisimilar can
// both do an action weakly to one of them, or neither can. So each block has a mask of 64 bits, drawn by its
// number, and what a state can do is, for each action, the union of the masks of the blocks that it can come
// to: a sweep over the τ transitions, the others, and the τ transitions again. Where the unions of two states
// differ, the states are not bisimilar; where they do not, nothing is known. Unions of all actions are
// hashed, so that they need no room.
//
// Sets that are large, and differ in little, are told apart best by bits that half of them have. So twenty bits are
// drawn with probabilities from 1 down to 2⁻¹⁹, one each, and the others with those that came nearest to that
// in the round before, among the states that are not alone.
//
// Source: ours; the sketches are those of Flajolet and Martin, "Probabilistic counting algorithms" (JCSS 1985).
// Cost of a round: the transitions, and those by τ once for each action. No more rounds are made than the splitters
// have taken.

// weakMasks are the masks of one round.
type weakMasks struct {
	order  []State // τ leads to earlier ones; nil if τ has cycles
	to     []uint64
	by     []uint64
	hashes []uint64
	edges  []weakEdges // by action: visible transitions
	rounds uint64
	best   int         // of the probabilities
	ones   [groups]int // by probability: states that are not alone and have the bit, for some action
	of     int         // all of them
}

// groups is the number of probabilities.
const groups = 20

type weakEdges struct{ from, to []State }

func newWeakMasks(m *LTS) *weakMasks {
	n := m.NumStates()
	k := &weakMasks{order: tauOrder(m), to: make([]uint64, n), by: make([]uint64, n), hashes: make([]uint64, n),
		edges: make([]weakEdges, lastAction(m)+1)}
	for s := range State(n) {
		for _, e := range m.Out(s) {
			if e.Action != Tau {
				x := &k.edges[e.Action]
				x.from, x.to = append(x.from, s), append(x.to, e.To)
			}
		}
	}
	return k
}

// tauOrder returns the states so that τ leads to earlier ones, or nil if it has cycles.
func tauOrder(m *LTS) []State {
	n := m.NumStates()
	order := make([]State, 0, n)
	left := make([]uint32, n) // τ transitions to states that are not in order
	for s := range State(n) {
		if left[s] = uint32(len(m.OutBy(s, Tau))); left[s] == 0 {
			order = append(order, s)
		}
	}
	into, starts := predecessorEdges(m)
	for i := 0; i < len(order); i++ {
		for _, e := range into[starts[order[i]]:starts[order[i]+1]] {
			if e.Action != Tau {
				continue
			}
			if left[e.To]--; left[e.To] == 0 {
				order = append(order, e.To)
			}
		}
	}
	if len(order) < n {
		return nil
	}
	return order
}

// maskOf draws a mask. Of its bits the first twenty have the probabilities from 1 on, the others the best one and its
// neighbours.
func (k *weakMasks) maskOf(block uint32) uint64 {
	mask, left := uint64(0), ^uint64(0)
	x := mix(uint64(block) + k.rounds<<32)
	for g := range groups {
		mask |= left & (1 << g)
		if near := g - k.best + 1; near >= 0 && near < 3 {
			mask |= left & (0x3FFF << (groups + 14*near))
		}
		x = mix(x + 1)
		left &= x
	}
	return mask
}

// round hashes what each state can do to the blocks.
func (k *weakMasks) round(m *LTS, blocks *blocks) {
	k.rounds++
	k.ones, k.of = [groups]int{}, 0
	masks := make([]uint64, blocks.count())
	for b := range masks {
		masks[b] = k.maskOf(uint32(b))
	}
	for s := range k.to {
		k.to[s] = masks[blocks.of[s]]
	}
	k.sweep(m, k.to)
	for s, mask := range k.to {
		k.hashes[s] = mix(mask)
	}
	for a, x := range k.edges {
		if len(x.from) == 0 {
			continue
		}
		clear(k.by)
		for i, s := range x.from {
			k.by[s] |= k.to[x.to[i]]
		}
		k.sweep(m, k.by)
		for s, mask := range k.by {
			k.hashes[s] = mix(k.hashes[s] ^ mix(mask+uint64(a)))
		}
		k.count(blocks)
	}
	for g := range groups {
		if abs(2*k.ones[g]-k.of) < abs(2*k.ones[k.best]-k.of) {
			k.best = g
		}
	}
}

// count counts which bits states have that are not alone.
func (k *weakMasks) count(blocks *blocks) {
	for s, mask := range k.by {
		if r := blocks.ranges[blocks.of[s]]; r.end-r.first == 1 || mask == 0 {
			continue
		}
		k.of++
		for g := range groups {
			k.ones[g] += int(mask >> g & 1)
		}
	}
}

func abs(n int) int { return max(n, -n) }

// sweep adds what τ leads to.
func (k *weakMasks) sweep(m *LTS, masks []uint64) {
	for _, s := range k.order {
		mask := masks[s]
		for _, e := range m.Out(s) {
			if e.Action != Tau {
				break
			}
			mask |= masks[e.To]
		}
		masks[s] = mask
	}
}

// cutByMasks cuts blocks by masks as long as that cuts some, within the limit of work.
func (w *weakSplitting) cutByMasks(ctx context.Context) error {
	f := &w.forward
	round := f.m.NumEdges() + (len(w.by)+1)*f.m.NumStates()
	if f.limit < round {
		return nil
	}
	if f.masks == nil {
		f.masks = newWeakMasks(f.m)
	}
	if f.masks.order == nil {
		return nil
	}
	for idle := 0; f.work+round <= f.limit && idle < 2; idle++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.work += round
		f.masks.round(f.m, w.blocks)
		if w.cutByHashes() {
			idle = -1
		}
	}
	return nil
}

// cutByHashes cuts all blocks into states of equal hashes.
func (w *weakSplitting) cutByHashes() (cut bool) {
	hashes := w.forward.masks.hashes
	var members []State
	for b := range w.blocks.count() {
		if r := w.blocks.ranges[b]; r.end-r.first == 1 {
			continue
		}
		members = append(members[:0], w.blocks.members(uint32(b))...)
		slices.SortFunc(members, func(s, t State) int {
			return cmp.Or(cmp.Compare(hashes[s], hashes[t]), cmp.Compare(s, t))
		})
		cut = w.cutParts(len(members), func(i int) State { return members[i] }, func(i, j int) bool {
			return hashes[members[i]] == hashes[members[j]]
		}) || cut
	}
	return cut
}
