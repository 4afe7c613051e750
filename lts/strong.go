package lts

import "context"

// Idea: the coarsest strong bisimulation by three partitions that are refined together.
//
//	blocks   of states; in the end the classes
//	slices   of transitions, by action and block of the target
//	fans     of transitions, by source and bunch
//
// A bunch is a union of slices. Invariant: of the states of a block, either all have a transition in
// a given bunch or none has. A bunch of several slices is not known to be uniform yet: its first or
// last slice, whichever is smaller, becomes a bunch of its own, and each block is split into the
// states with transitions in that slice alone, in both, and in the rest alone. Then slices are split
// along the blocks that are new. When every bunch is one slice, the blocks are stable.
//
// Source: Paige, Tarjan, "Three partition refinement algorithms" (SIAM J. Comput. 1987); Valmari,
// "Bisimilarity minimization in O(m log n) time" (Petri Nets 2009), which keeps transitions in
// refinable partitions. Bunches of slices are as in Jansen, Groote, Keiren, Wijs, "An O(m log n)
// algorithm for branching bisimilarity on labelled transition systems" (TACAS 2020). Deviation: at the
// start all transitions are one bunch, so that actions need no treatment of their own.
//
// Cost: O(m log n) time. A transition is moved to a new bunch only if that is at most half of the
// old one, and looked at for a new block only if that is at most half of the old one. Memory: 32 to
// 44 bytes a transition besides the LTS, and 28 to 40 a state. It is
// used where signature refinement, which is faster on most LTSs, takes too many rounds.

// strongRefinement is the state of one computation.
type strongRefinement struct {
	m      *LTS
	source []uint32 // by transition
	into   []uint32 // transitions by target
	starts []uint32 // into[starts[s]:starts[s+1]] are those with target s

	blocks *refinable // of states
	slices *refinable // of transitions; those of a bunch are next to each other
	fans   *refinable // of transitions

	bunchOf []uint32   // by slice
	bunches []setRange // ranges of slices.items; mid is not used
	pending []uint32   // the bunches of more than one slice
	queued  []bool     // by bunch: is it pending

	only []uint32 // scratch: the states that have left a bunch
	work int
}

// strongPartition returns the classes of m's states under strong bisimulation.
func strongPartition(ctx context.Context, m *LTS) ([]uint32, int, error) {
	r := newStrongRefinement(m)
	for len(r.pending) > 0 {
		if r.work >= contextInterval {
			r.work = 0
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
		}
		r.refine(r.peel())
	}
	blocks := make([]uint32, m.NumStates())
	for s := range blocks {
		blocks[s] = r.blocks.cells[s].set
	}
	return blocks, r.blocks.count(), ctx.Err()
}

func newStrongRefinement(m *LTS) *strongRefinement {
	n, edges := m.NumStates(), uint32(m.NumEdges())
	r := &strongRefinement{m: m, source: make([]uint32, edges)}
	for s := range State(n) {
		for i := m.offsets[s]; i < m.offsets[s+1]; i++ {
			r.source[i] = s
		}
	}
	r.into, r.starts = distribute(m, n, func(e Edge) uint32 { return e.To })
	byAction, actions := distribute(m, int(lastAction(m))+1, func(e Edge) uint32 { return uint32(e.Action) })
	r.slices = newRefinable(byAction, withoutEmpty(actions))
	r.fans = newRefinable(identity(int(edges)), m.offsets)
	r.blocks = newRefinable(identity(n), []uint32{0, uint32(n)})
	r.bunchOf = make([]uint32, r.slices.count())
	r.bunches, r.queued = []setRange{{end: edges}}, []bool{false}
	if r.slices.count() > 1 {
		r.enqueue(0)
	}
	for s := range State(n) {
		if m.offsets[s] < m.offsets[s+1] {
			r.blocks.mark(s)
		}
	}
	r.blocks.split(nil)
	r.splitSlices(1)
	return r
}

// distribute sorts the transitions by a key below keys; those of key k are sorted[starts[k]:starts[k+1]].
func distribute(m *LTS, keys int, key func(Edge) uint32) (sorted, starts []uint32) {
	starts = make([]uint32, keys+1)
	for _, e := range m.edges {
		starts[key(e)]++
	}
	sum := uint32(0)
	for k, n := range starts {
		sum += n
		starts[k] = sum // where the transitions of key k end
	}
	sorted = make([]uint32, len(m.edges))
	for i := len(m.edges) - 1; i >= 0; i-- {
		k := key(m.edges[i])
		starts[k]--
		sorted[starts[k]] = uint32(i)
	}
	return sorted, starts
}

func lastAction(m *LTS) Action {
	last := Tau
	for _, e := range m.edges {
		last = max(last, e.Action)
	}
	return last
}

// withoutEmpty drops repetitions from ascending offsets.
func withoutEmpty(offsets []uint32) []uint32 {
	kept := offsets[:1]
	for _, o := range offsets[1:] {
		if o > kept[len(kept)-1] {
			kept = append(kept, o)
		}
	}
	return kept
}

func (r *strongRefinement) enqueue(bunch uint32) {
	if !r.queued[bunch] {
		r.queued[bunch] = true
		r.pending = append(r.pending, bunch)
	}
}

// peel makes a bunch of one slice of a pending bunch and returns the slice.
func (r *strongRefinement) peel() (slice uint32) {
	bunch := r.pending[len(r.pending)-1]
	b := &r.bunches[bunch]
	slice = r.sliceAt(b.first)
	if last := r.sliceAt(b.end - 1); r.slices.sets[last].size() < r.slices.sets[slice].size() {
		slice = last
	}
	s := r.slices.sets[slice]
	if s.first == b.first {
		b.first = s.end
	} else {
		b.end = s.first
	}
	if r.slices.sets[r.sliceAt(b.first)].end == b.end {
		r.pending = r.pending[:len(r.pending)-1]
		r.queued[bunch] = false
	}
	r.bunchOf[slice] = uint32(len(r.bunches))
	r.bunches = append(r.bunches, s)
	r.queued = append(r.queued, false)
	return slice
}

// sliceAt returns the slice that a place of slices.items is in.
func (r *strongRefinement) sliceAt(place uint32) uint32 {
	return r.slices.cells[r.slices.items[place]].set
}

// refine restores the invariant after slice has become a bunch.
func (r *strongRefinement) refine(slice uint32) {
	old := uint32(r.blocks.count())
	for _, t := range r.slices.members(slice) {
		r.fans.mark(t)
		r.blocks.mark(r.source[t])
		r.work++
	}
	r.only = r.only[:0]
	for _, fan := range r.fans.touched {
		if f := r.fans.sets[fan]; f.mid == f.end {
			r.only = append(r.only, r.source[r.fans.items[f.first]])
		}
	}
	r.fans.split(nil)
	r.blocks.split(nil)
	for _, s := range r.only {
		r.blocks.mark(s)
	}
	r.blocks.split(nil)
	for b := old; int(b) < r.blocks.count(); b++ {
		r.splitSlices(b)
	}
}

// splitSlices splits slices such that the transitions into a block, if there is such a block, have
// slices of their own.
func (r *strongRefinement) splitSlices(block uint32) {
	if int(block) >= r.blocks.count() {
		return
	}
	for _, s := range r.blocks.members(block) {
		for _, t := range r.into[r.starts[s]:r.starts[s+1]] {
			r.slices.mark(t)
			r.work++
		}
	}
	r.slices.split(func(old uint32) {
		bunch := r.bunchOf[old]
		r.bunchOf = append(r.bunchOf, bunch)
		r.enqueue(bunch)
	})
}
