package lts

import (
	"context"
	"slices"

	"magus/internal/bitset"
)

// Idea: weak bisimulation by splitters. A block B and an action a split every block into the states that
// can do a weakly to B and the others; they are found by going backwards over τ, a and τ. When a
// block is split, both parts are splitters again; the smaller one comes first, so that the larger one, which may
// be split again by then, need not be looked at often.
//
// Of LTSs in which most states are alone in the end, most are alone soon, and nearly all splitters split
// nothing more. So what is left is looked at by signatures in between (weaksig.go), which need no splitters.
//
// Source: Kanellakis, Smolka, "CCS expressions, finite state processes, and three problems of
// equivalence" (Information and Computation 1990), with weak
// transitions that are not stored but found again for every splitter. Rejected: signatures of weak steps of all states,
// which took three to thirty times as long and quadratic space.
//
// Cost: at most 2n splitters for n states, each up to transitions + actions × τ transitions of
// time; memory linear in the LTS. The n is that of the quotient under branching bisimulation.

// weakSplitting is the state of one computation.
type weakSplitting struct {
	blocks  *blocks // all states are bottom states
	into    []Edge  // into[starts[s]:starts[s+1]] are the transitions into s, turned around, τ first
	starts  []uint32
	stack   []uint32 // splitters
	queued  []bool   // by block: is it on the stack
	found   bitset.Set[State]
	states  []State   // those in found
	by      [][]State // by action: states that can do it to where the splitter can be reached by τ
	actions []Action  // those with states in by
	touched []uint32  // blocks with marked states
	work    int
	made    int // work, but for what was done since the last look at the context
	forward weakSignatures
}

// weakSplit returns the classes of m's states under weak bisimulation, with their history.
func weakSplit(ctx context.Context, m *LTS) (*blocks, error) {
	return weakSplitAfter(ctx, m, firstForward)
}

// weakSplitAfter is weakSplit, where masks and signatures are tried after so much work of splitters.
func weakSplitAfter(ctx context.Context, m *LTS, first int) (*blocks, error) {
	n := m.NumStates()
	w := &weakSplitting{forward: newWeakSignatures(m, first), blocks: newBlocks(n), found: bitset.New[State](n),
		stack: []uint32{0}, queued: []bool{true},
		by: make([][]State, lastAction(m)+1)}
	for s := range State(n) {
		w.blocks.lower(s)
	}
	w.into, w.starts = predecessorEdges(m)
	for s := range n {
		slices.SortFunc(w.into[w.starts[s]:w.starts[s+1]], Edge.Compare)
	}
	for len(w.stack) > 0 {
		last := len(w.stack) - 1
		b := w.stack[last]
		w.stack, w.queued[b] = w.stack[:last], false
		w.splitBy(b)
		if err := w.interrupted(ctx); err != nil {
			return nil, err
		}
		if stable, err := w.tryForward(ctx); stable || err != nil {
			return w.blocks, err
		}
	}
	return w.blocks, ctx.Err()
}

// interrupted looks at the context now and then.
func (w *weakSplitting) interrupted(ctx context.Context) error {
	if w.work < contextInterval {
		return nil
	}
	w.made += w.work
	w.work = 0
	return ctx.Err()
}

// splitBy splits all blocks by what they can do weakly to a block.
func (w *weakSplitting) splitBy(block uint32) {
	w.reach(w.blocks.members(block))
	for _, s := range w.states {
		for _, e := range w.into[w.starts[s]:w.starts[s+1]] {
			if e.Action == Tau {
				continue
			}
			if len(w.by[e.Action]) == 0 {
				w.actions = append(w.actions, e.Action)
			}
			w.by[e.Action] = append(w.by[e.Action], e.To)
		}
		w.work += int(w.starts[s+1] - w.starts[s])
	}
	w.split()
	slices.Sort(w.actions)
	for _, a := range w.actions {
		w.reach(w.by[a])
		w.by[a] = w.by[a][:0]
		w.split()
	}
	w.actions = w.actions[:0]
}

// reach finds the states that can go to some states by τ.
func (w *weakSplitting) reach(to []State) {
	for _, s := range to {
		w.find(s)
	}
	for i := 0; i < len(w.states); i++ {
		s := w.states[i]
		for _, e := range w.into[w.starts[s]:w.starts[s+1]] {
			if e.Action != Tau {
				break
			}
			w.find(e.To)
			w.work++
		}
	}
}

func (w *weakSplitting) find(s State) {
	if w.found.Add(s) {
		w.states = append(w.states, s)
	}
}

// split splits all blocks into the states that were found and the others, and forgets the former.
func (w *weakSplitting) split() {
	w.found.Forget(w.states)
	for _, s := range w.states {
		b := w.blocks.of[s]
		if r := w.blocks.ranges[b]; r.marked == r.end {
			w.touched = append(w.touched, b)
		}
		w.blocks.mark(s)
	}
	w.work += len(w.states)
	for _, b := range w.touched {
		r := w.blocks.ranges[b]
		if r.marked == r.first {
			w.blocks.unmark(b)
			continue
		}
		w.cut(b)
	}
	w.states, w.touched = w.states[:0], w.touched[:0]
}

// cut cuts a block into the states that are marked and the others. Both parts are splitters.
func (w *weakSplitting) cut(b uint32) {
	r := w.blocks.ranges[b]
	part := w.blocks.cut(b, nil, r.end-r.marked <= r.marked-r.first)
	if !w.queued[b] {
		w.queued[b] = true
		w.stack = append(w.stack, b)
	}
	w.queued = append(w.queued, true)
	w.stack = append(w.stack, part)
}
