package lts

import (
	"cmp"
	"context"
	"slices"

	"magus/internal/bitset"
)

// Idea: where blocks have several states, these are told apart by masks first (weakmask.go), and then
// exactly. A block of several states is cut by what each of them can do weakly, and to which blocks. If no
// block is cut, the partition is stable, whatever splitters are left. That takes a walk forwards from each
// state that is not alone in its block, and nothing for the others; so it is tried whenever the splitters
// have taken twice as long as the last time, and given up where it takes longer than they did, unless it has
// made more parts for its work.
//
// Source: signatures as in Blom, Orzan (signature.go), of weak steps; that they finish what splitters have
// begun is ours.
// Cost: at most as much as the splitters took; of that, memory for the signatures of one block.

// weakSignatures finds signatures of weak steps.
type weakSignatures struct {
	m      *LTS
	tried  int // how much work there was when it was tried last
	parts  int // how many blocks there were then
	limit  int // of work
	work   int
	looked int // how much of it there was when the context was looked at
	found  bitset.Set[State]
	states []State // those in found
	met    bitset.Set[uint32]
	blocks []uint32 // those in met
	hashes []uint64 // by state
	by     [][]State
	acts   []Action // those with states in by
	masks  *weakMasks
}

// firstForward is how much work splitters have before signatures are tried.
const firstForward = 1 << 12

func newWeakSignatures(m *LTS, first int) weakSignatures {
	return weakSignatures{m: m, tried: first / 2, found: bitset.New[State](m.NumStates()),
		met: bitset.New[uint32](m.NumStates()), hashes: make([]uint64, m.NumStates()),
		by: make([][]State, lastAction(m)+1)}
}

// tryForward cuts blocks by masks and signatures if it is time to, and says whether the partition is stable.
func (w *weakSplitting) tryForward(ctx context.Context) (stable bool, err error) {
	f := &w.forward
	if w.made+w.work < 2*f.tried {
		return false, nil
	}
	work, before := w.made+w.work-f.tried, w.blocks.count()
	parts := before - f.parts
	f.tried = w.made + w.work
	f.limit, f.work, f.looked = f.tried, 0, 0
	defer func() { f.parts = w.blocks.count() }()
	for {
		if err := w.cutByMasks(ctx); err != nil {
			return false, err
		}
		if ended := w.cutAllBySignatures(ctx); ended || ctx.Err() != nil {
			return ended, ctx.Err()
		}
		if (w.blocks.count()-before)*work < 2*parts*f.work {
			return false, nil
		}
		f.limit *= 2 // since it gains more than splitters have
	}
}

// cutAllBySignatures cuts blocks by signatures until that cuts none any more, or is given up. Signatures are
// hashed; where that cuts no block, those with equal hashes are compared.
func (w *weakSplitting) cutAllBySignatures(ctx context.Context) (stable bool) {
	for exactly := false; ; {
		cut := false
		for b := 0; b < w.blocks.count(); b++ {
			if r := w.blocks.ranges[b]; r.end-r.first == 1 {
				continue
			}
			by := w.cutByHash
			if exactly {
				by = w.cutExactly
			}
			this, ok := by(ctx, slices.Clone(w.blocks.members(uint32(b))))
			if !ok {
				return false
			}
			cut = cut || this
		}
		if exactly && !cut {
			return true
		}
		exactly = !cut
	}
}

// cutByHash cuts a block into parts of signatures with equal hashes, and says whether there were several. It
// is given up, and ok is false, if that takes too long or the context has ended.
func (w *weakSplitting) cutByHash(ctx context.Context, members []State) (cut, ok bool) {
	f := &w.forward
	for _, s := range members {
		if f.hashes[s] = f.hash(s, w.blocks.of); f.over(ctx) {
			return false, false
		}
	}
	slices.SortFunc(members, func(s, t State) int {
		return cmp.Or(cmp.Compare(f.hashes[s], f.hashes[t]), cmp.Compare(s, t))
	})
	return w.cutParts(len(members), func(i int) State { return members[i] }, func(i, j int) bool {
		return f.hashes[members[i]] == f.hashes[members[j]]
	}), true
}

// cutExactly cuts a block into the states that have the signature of the first, and the others, if there are any.
func (w *weakSplitting) cutExactly(ctx context.Context, members []State) (cut, ok bool) {
	f := &w.forward
	first := f.signature(members[0], w.blocks.of)
	var others []State
	for _, s := range members[1:] {
		if !slices.Equal(f.signature(s, w.blocks.of), first) {
			others = append(others, s)
		}
		if f.over(ctx) {
			return false, false
		}
	}
	if others == nil {
		return false, true
	}
	for _, s := range others {
		w.blocks.mark(s)
	}
	w.cut(w.blocks.of[others[0]])
	return true, true
}

// over reports whether signatures have taken too long, or the context has ended.
func (f *weakSignatures) over(ctx context.Context) bool {
	if f.work-f.looked > contextInterval {
		if f.looked = f.work; ctx.Err() != nil {
			return true
		}
	}
	return f.work > f.limit
}

// cutParts cuts a block, whose n states are in an order in which those that belong together are next to each other.
func (w *weakSplitting) cutParts(n int, at func(int) State, together func(i, j int) bool) (cut bool) {
	for first := 0; ; {
		end := first + 1
		for end < n && together(first, end) {
			end++
		}
		if end == n {
			return cut
		}
		cut = true
		for ; first < end; first++ {
			w.blocks.mark(at(first))
		}
		w.cut(w.blocks.of[at(end)])
	}
}

// signature is what s can do weakly: actions, τ as none, with the blocks that it leads to, in ascending order.
func (f *weakSignatures) signature(s State, of []uint32) []uint64 {
	var has []uint64
	f.each(s, of, func(e uint64) { has = append(has, e) })
	slices.Sort(has)
	return has
}

// hash is a hash of the signature.
func (f *weakSignatures) hash(s State, of []uint32) uint64 {
	sum := uint64(0)
	f.each(s, of, func(e uint64) { sum += mix(e) })
	return sum
}

// each calls add for each element of the signature, once, in some order.
func (f *weakSignatures) each(s State, of []uint32, add func(uint64)) {
	f.find(s)
	f.reach()
	for _, t := range f.states {
		for _, e := range f.m.Out(t) {
			if e.Action == Tau {
				continue
			}
			if len(f.by[e.Action]) == 0 {
				f.acts = append(f.acts, e.Action)
			}
			f.by[e.Action] = append(f.by[e.Action], e.To)
		}
		f.work += len(f.m.Out(t))
	}
	f.blocksFound(Tau, of, add)
	for _, a := range f.acts {
		for _, t := range f.by[a] {
			f.find(t)
		}
		f.by[a] = f.by[a][:0]
		f.reach()
		f.blocksFound(a, of, add)
	}
	f.acts = f.acts[:0]
}

// blocksFound calls add for the blocks of the states found, and forgets these.
func (f *weakSignatures) blocksFound(a Action, of []uint32, add func(uint64)) {
	for _, t := range f.states {
		if b := of[t]; f.met.Add(b) {
			f.blocks = append(f.blocks, b)
			add(element(a, b))
		}
	}
	f.met.Forget(f.blocks)
	f.found.Forget(f.states)
	f.blocks, f.states = f.blocks[:0], f.states[:0]
}

// reach adds what τ reaches from the states found.
func (f *weakSignatures) reach() {
	for i := 0; i < len(f.states); i++ {
		for _, e := range f.m.Out(f.states[i]) {
			if e.Action != Tau {
				break
			}
			f.find(e.To)
			f.work++
		}
		f.work++
	}
}

func (f *weakSignatures) find(s State) {
	if f.found.Add(s) {
		f.states = append(f.states, s)
	}
}
