package lts

import (
	"context"
	"slices"
)

// Idea: the coarsest branching bisimulation of an LTS without τ cycles, by partitions that are refined
// together. A τ transition is inert while both its ends are in one block. The others are kept in
//
//	slices   by bunch, action and block of the target
//	exits    by bunch and block of the source
//	bunches  unions of slices
//
// Invariant: if a block has a transition in a bunch, then every bottom state of the block, that is one
// that no inert transition leaves, has one. So all states of the block can go inertly to such a transition,
// because τ has no cycles. A bunch of several slices says too little: its first or last slice, whichever
// is smaller, becomes a bunch of its own, and the blocks that exit by it are cut in two, the states
// that can reach the new bunch inertly and those that cannot, and again by what is left of the old one.
// Both parts are searched for alternately, a transition each, until the smaller one is known. Then slices
// and exits are split along the new block. When every bunch is one slice, the blocks are stable.
//
// By a cut, inert transitions from the first part to the second become visible, and states may be
// bottom states that were none. What reaches these transitions is cut off, and is cut again by each of its
// exits.
//
// For strong bisimulation no transition is ever inert; then this is the algorithm of Paige and Tarjan.
//
// Source: Jansen, Groote, Keiren, Wijs, "An O(m log n) algorithm for branching bisimilarity on labelled
// transition systems" (TACAS 2020); refinable partitions as in Valmari, "Bisimilarity minimization in
// O(m log n) time" (Petri Nets 2009). Deviations: at the start all visible transitions are one bunch,
// so that actions need no treatment of their own; a state counts its transitions in each bunch, where
// the paper keeps them next to each other.
//
// Cost: O(m log n) time: every piece of work is charged to a part that has at most half of the states
// of its block, to a bunch that has at most half of the transitions of the old one, or to a state
// that has become a bottom state. Memory: 44 bytes a transition besides the LTS, up to twice that if
// most bunches and exits are single transitions, and 36 to 56 a state. It is used where
// signature refinement, which is faster on most LTSs, takes too many rounds.

// bunching is the state of one computation.
type bunching struct {
	m       *LTS
	tau     bool     // are τ transitions inside a block inert
	source  []State  // by transition
	into    []uint32 // transitions by target
	starts  []uint32 // into[starts[s]:starts[s+1]] are those with target s,
	tauEnds []uint32 // into[starts[s]:tauEnds[s]] those of them that may be inert

	blocks *blocks
	inert  []uint32 // by state: how many inert transitions leave it

	slices  *refinable // of transitions; those of a bunch are next to each other
	bunchOf []uint32   // by slice
	bunches []setRange // ranges of slices.items; mid is not used
	pending []uint32   // the bunches of more than one slice
	queued  []bool     // by bunch: is it pending
	counter []uint32   // by transition: the counter of its source and bunch
	counts  []uint32   // by counter: transitions

	exits *refinable // of transitions
	lists exitLists
	jobOf []uint32 // by exit: the job that it is part of, or nothing
	jobs  []job

	fresh []uint32 // by state, while a bunch is made: the counter for it, or nothing
	rest  []uint32 // by state: the counter for what is left of the bunch peeled last
	left  []uint32 // by block, while the rest of a bunch is prepared: its exit by the rest, or nothing
	lockstep
	bottoms []State // the bottom states that the present cut made
	work    int
}

const nothing = ^uint32(0)

// A job is to cut blocks by exits of one bunch.
type job struct {
	exits []uint32 // those whose jobOf is this job; others are done or part of another job
	marks []uint32 // transitions: bottom states are marked that are sources of these
	rest  bool     // it is about the rest of the bunch that was peeled, whose jobs is done
}

// bunchPartition returns the classes of m's states under strong, or with tau under branching
// bisimulation, with their history. Then m must not have τ cycles.
func bunchPartition(ctx context.Context, m *LTS, tau bool) (*blocks, error) {
	r := newBunching(m, tau)
	for {
		for i := 0; i < len(r.jobs); i++ {
			if err := r.interrupted(ctx); err != nil {
				return nil, err
			}
			r.do(uint32(i))
		}
		r.jobs = r.jobs[:0]
		if len(r.pending) == 0 {
			return r.blocks, ctx.Err()
		}
		r.peel()
	}
}

func (r *bunching) interrupted(ctx context.Context) error {
	if r.work < contextInterval {
		return nil
	}
	r.work = 0
	return ctx.Err()
}

func newBunching(m *LTS, tau bool) *bunching {
	n := m.NumStates()
	r := &bunching{m: m, tau: tau, source: sources(m), blocks: newBlocks(n), inert: make([]uint32, n)}
	r.fresh, r.rest, r.left = slices.Repeat([]uint32{nothing}, n), make([]uint32, n), []uint32{nothing}
	r.side, r.untested = make([]uint8, n), make([]uint32, n)
	r.lists.heads = []uint32{nothing}
	r.arrange()
	for t, e := range m.edges {
		if tau && e.Action == Tau {
			r.inert[r.source[t]]++
		}
	}
	for s := range State(n) {
		if r.inert[s] == 0 {
			r.blocks.lower(s)
		}
	}
	r.firstBunch()
	return r
}

// arrange fills into, starts and tauEnds.
func (r *bunching) arrange() {
	m, n := r.m, r.m.NumStates()
	inert := func(e Edge) uint32 {
		if r.tau && e.Action == Tau {
			return 0
		}
		return 1
	}
	// The transitions into s that may be inert have the key 2s, the others 2s+1.
	var starts []uint32
	r.into, starts = distribute(m, 2*n, func(e Edge) uint32 { return 2*e.To + inert(e) })
	r.starts, r.tauEnds = make([]uint32, n+1), make([]uint32, n)
	for s := range n {
		r.starts[s], r.tauEnds[s] = starts[2*s], starts[2*s+1]
	}
	r.starts[n] = starts[2*n]
}

// firstBunch makes a bunch of all visible transitions and the job to cut the block of all states by it.
func (r *bunching) firstBunch() {
	m, inert := r.m, uint32(lastAction(r.m))+1
	byAction, starts := distribute(m, int(inert)+1, func(e Edge) uint32 {
		if r.tau && e.Action == Tau {
			return inert
		}
		return uint32(e.Action)
	})
	visible := starts[inert]
	r.counter, r.counts = slices.Clone(r.source), make([]uint32, m.NumStates())
	if visible == 0 {
		r.slices, r.exits = newRefinable(byAction, []uint32{0}), newRefinable(slices.Clone(byAction), []uint32{0})
		return
	}
	for _, t := range byAction[:visible] {
		r.counts[r.source[t]]++
	}
	r.exits = newRefinable(slices.Clone(byAction), []uint32{0, visible})
	r.slices = newRefinable(byAction, withoutEmpty(starts[:inert+1]))
	r.bunchOf = make([]uint32, r.slices.count())
	r.bunches, r.queued = []setRange{{end: visible}}, []bool{false}
	if r.slices.count() > 1 {
		r.enqueue(0)
	}
	r.lists.add(0, 0)
	r.jobOf = []uint32{0}
	r.jobs = []job{{exits: []uint32{0}, marks: r.exits.members(0)}}
}

// withoutEmpty drops repetitions from ascending offsets.
func withoutEmpty(offsets []uint32) []uint32 { return slices.Compact(offsets) }

func (r *bunching) enqueue(bunch uint32) {
	if !r.queued[bunch] {
		r.queued[bunch] = true
		r.pending = append(r.pending, bunch)
	}
}

// sliceAt returns the slice that an index of slices.items is in.
func (r *bunching) sliceAt(at uint32) uint32 { return r.slices.cells[r.slices.items[at]].set }

// bunch returns the bunch of a visible transition.
func (r *bunching) bunch(t uint32) uint32 { return r.bunchOf[r.slices.cells[t].set] }

// blockOf returns the block that an exit leaves.
func (r *bunching) blockOf(exit uint32) uint32 {
	return r.blocks.of[r.source[r.exits.items[r.exits.sets[exit].first]]]
}

// peel makes a bunch of one slice of a pending bunch, and the jobs to cut by it and by the rest.
func (r *bunching) peel() {
	bunch := r.pending[len(r.pending)-1]
	b := &r.bunches[bunch]
	slice := r.sliceAt(b.first)
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
	members := r.slices.members(slice)
	for _, t := range members {
		r.rest[r.source[t]] = r.counter[t]
	}
	r.bunchOf[slice] = r.addBunch(s.first, s.end)
	r.count(members)
	for _, t := range members {
		r.exits.mark(t)
	}
	const ofSlice, ofRest = 0, 1
	r.jobs = append(r.jobs, job{marks: members}, job{rest: true})
	r.exits.split(func(old, part uint32) {
		r.jobOf[old] = ofSlice
		if part != old {
			r.jobOf = append(r.jobOf, ofSlice)
			r.lists.add(r.blockOf(part), part)
			rest := part
			if r.bunch(r.exits.items[r.exits.sets[old].first]) != r.bunchOf[slice] {
				old, rest = part, old
			}
			r.jobOf[rest] = ofRest
			r.jobs[ofRest].exits = append(r.jobs[ofRest].exits, rest)
		}
		r.jobs[ofSlice].exits = append(r.jobs[ofSlice].exits, old)
	})
}

// addBunch adds the bunch slices.items[first:end] and returns its number.
func (r *bunching) addBunch(first, end uint32) uint32 {
	r.bunches = append(r.bunches, setRange{first: first, end: end})
	r.queued = append(r.queued, false)
	return uint32(len(r.bunches) - 1)
}

// count gives the transitions, those of a new bunch, counters of their own.
func (r *bunching) count(transitions []uint32) {
	for _, t := range transitions {
		s := r.source[t]
		if r.fresh[s] == nothing {
			r.fresh[s] = uint32(len(r.counts))
			r.counts = append(r.counts, 0)
		}
		if r.slices.has(t) {
			r.counts[r.counter[t]]--
		}
		r.counter[t] = r.fresh[s]
		r.counts[r.fresh[s]]++
		r.work++
	}
	for _, t := range transitions {
		r.fresh[r.source[t]] = nothing
	}
}

// do cuts the blocks of a job's exits. All marks are made before the first cut: those in one block do
// not matter to others.
func (r *bunching) do(id uint32) {
	if r.jobs[id].rest {
		r.prepareRest(id)
	}
	for _, t := range r.jobs[id].marks {
		if s := r.source[t]; r.blocks.isBottom(s) {
			r.blocks.mark(s)
		}
		r.work++
	}
	for i := 0; i < len(r.jobs[id].exits); i++ {
		if exit := r.jobs[id].exits[i]; r.jobOf[exit] == id {
			r.jobOf[exit] = nothing
			r.stabilise(exit)
		}
	}
}

// prepareRest drops the exits of blocks that have nothing in the new bunch: all their bottom states have
// a transition in the rest. Marked are the bottom states of other blocks that have.
func (r *bunching) prepareRest(id uint32) {
	j := &r.jobs[id]
	for _, exit := range j.exits {
		if r.jobOf[exit] == id {
			r.jobOf[exit] = nothing
			r.left[r.blockOf(exit)] = exit
		}
	}
	blocks := make([]uint32, 0, len(j.exits)) // those with an exit by the rest
	for _, exit := range j.exits {
		blocks = append(blocks, r.blockOf(exit))
	}
	j.exits = j.exits[:0]
	new := r.bunches[r.bunch(r.jobs[id-1].marks[0])]
	for _, t := range r.slices.items[new.first:new.end] {
		s := r.source[t]
		exit := r.left[r.blocks.of[s]]
		if exit == nothing {
			continue
		}
		if r.jobOf[exit] != id {
			r.jobOf[exit] = id
			j.exits = append(j.exits, exit)
		}
		if r.counts[r.rest[s]] > 0 {
			// Any transition with this source will do to say that it is marked.
			j.marks = append(j.marks, t)
		}
		r.work++
	}
	for _, block := range blocks {
		r.left[block] = nothing
	}
}

// stabilise cuts the block of an exit, whose bottom states with a transition in it are marked.
func (r *bunching) stabilise(exit uint32) {
	block := r.blockOf(exit)
	if b := r.blocks.ranges[block]; b.marked == b.bottom {
		r.blocks.unmark(block)
		return
	}
	r.bottoms = r.bottoms[:0]
	t := r.exits.members(exit)[0]
	reach, other := r.cut(block, r.exits.members(exit), splitter{bunch: r.bunch(t), block: nothing})
	first := r.expose(reach, other)
	if len(first) == 0 {
		return
	}
	for _, s := range r.bottoms {
		r.blocks.mark(s)
	}
	var second []uint32
	if b := r.blocks.ranges[reach]; b.marked == b.bottom {
		r.blocks.unmark(reach)
	} else {
		reach, other = r.cut(reach, first, splitter{bunch: nothing, block: other})
		second = r.expose(reach, other)
	}
	r.admit(reach, first, second)
	r.destabilise(reach, r.bottoms)
}

// expose returns the inert transitions from a block to the other part of what was a block with it. They
// are not inert any more.
func (r *bunching) expose(from, to uint32) (visible []uint32) {
	if !r.tau {
		return nil
	}
	if from > to { // from is the part whose transitions may be looked at
		for _, s := range r.blocks.members(from) {
			for t := r.m.offsets[s]; t < r.m.offsets[s+1] && r.m.edges[t].Action == Tau; t++ {
				if r.blocks.of[r.m.edges[t].To] == to && !r.slices.has(t) {
					visible = append(visible, t)
				}
				r.work++
			}
		}
	} else {
		for _, s := range r.blocks.members(to) {
			for _, t := range r.into[r.starts[s]:r.tauEnds[s]] {
				if r.blocks.of[r.source[t]] == from && !r.slices.has(t) {
					visible = append(visible, t)
				}
				r.work++
			}
		}
	}
	for _, t := range visible {
		s := r.source[t]
		if r.inert[s]--; r.inert[s] == 0 {
			r.blocks.lower(s)
			r.bottoms = append(r.bottoms, s)
		}
	}
	return visible
}

// admit makes a bunch of transitions of a block that were inert, which lead to one or two other blocks.
func (r *bunching) admit(block uint32, first, second []uint32) {
	bunch := r.addBunch(r.slices.tail, r.slices.tail+uint32(len(first)+len(second)))
	all := slices.Concat(first, second)
	r.count(all)
	r.slices.adopt(first)
	r.bunchOf = append(r.bunchOf, bunch)
	if len(second) > 0 {
		r.slices.adopt(second)
		r.bunchOf = append(r.bunchOf, bunch)
		r.enqueue(bunch)
	}
	exit := r.exits.adopt(all)
	r.jobOf = append(r.jobOf, nothing)
	r.lists.add(block, exit)
}

// destabilise makes jobs to cut a block, whose bottom states are all new, by each of its exits but the
// last one, which all bottom states have.
func (r *bunching) destabilise(block uint32, bottoms []State) {
	for _, s := range bottoms {
		for t := r.m.offsets[s]; t < r.m.offsets[s+1]; t++ {
			r.exits.mark(t)
			r.work++
		}
	}
	last := uint32(r.exits.count() - 1)
	for exit := r.lists.heads[block]; exit != nothing; exit = r.lists.links[exit].next {
		if exit == last {
			continue
		}
		e := r.exits.sets[exit]
		r.jobOf[exit] = uint32(len(r.jobs))
		r.jobs = append(r.jobs, job{exits: []uint32{exit}, marks: slices.Clone(r.exits.items[e.first:e.mid])})
	}
	for _, exit := range r.exits.touched {
		r.exits.sets[exit].mid = r.exits.sets[exit].first
	}
	r.exits.touched = r.exits.touched[:0]
}

// cut cuts a block into the states that can reach inertly a transition of a splitter, and the others;
// neither part is empty. from are the splitter's transitions that leave the block, and the bottom
// states among their sources are those that are marked.
func (r *bunching) cut(block uint32, from []uint32, by splitter) (reach, other uint32) {
	inner, reaching := r.smaller(block, from, by)
	part := r.blocks.cut(block, inner, reaching)
	r.lists.heads = append(r.lists.heads, nothing)
	r.left = append(r.left, nothing)
	for _, s := range r.blocks.members(part) {
		for t := r.m.offsets[s]; t < r.m.offsets[s+1]; t++ {
			if r.exits.has(t) {
				r.exits.mark(t)
			}
		}
		for _, t := range r.into[r.starts[s]:r.starts[s+1]] {
			if r.slices.has(t) {
				r.slices.mark(t)
			}
		}
		r.work += int(r.m.offsets[s+1] - r.m.offsets[s] + r.starts[s+1] - r.starts[s])
	}
	r.exits.split(func(old, new uint32) {
		if new != old {
			j := r.jobOf[old]
			r.jobOf = append(r.jobOf, j)
			if j != nothing {
				r.jobs[j].exits = append(r.jobs[j].exits, new)
			}
			r.lists.add(r.blockOf(new), new)
		}
		if r.blockOf(old) == part {
			r.lists.remove(block, old)
			r.lists.add(part, old)
		}
	})
	r.slices.split(func(old, new uint32) {
		if new != old {
			r.bunchOf = append(r.bunchOf, r.bunchOf[old])
			r.enqueue(r.bunchOf[old])
		}
	})
	if reaching {
		return part, block
	}
	return block, part
}

// exitLists are the exits of each block, as lists.
type exitLists struct {
	heads []uint32 // by block: an exit, or nothing
	links []link   // by exit
}

type link struct{ previous, next uint32 } // exits, or nothing

// add adds an exit, perhaps a new one, to the list of a block.
func (l *exitLists) add(block, exit uint32) {
	for int(exit) >= len(l.links) {
		l.links = append(l.links, link{})
	}
	head := l.heads[block]
	l.links[exit] = link{nothing, head}
	if head != nothing {
		l.links[head].previous = exit
	}
	l.heads[block] = exit
}

func (l *exitLists) remove(block, exit uint32) {
	at := l.links[exit]
	if at.previous == nothing {
		l.heads[block] = at.next
	} else {
		l.links[at.previous].next = at.next
	}
	if at.next != nothing {
		l.links[at.next].previous = at.previous
	}
}
