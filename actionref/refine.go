package actionref

import (
	"context"
	"errors"
	"fmt"

	"magus/lts"
)

// Idea: figure 9 of papers/003. While the quotient has a path u_0 … u_n that accepts the trace, follow
// the concrete states along it; they run out at some step, and the last block they reach is split by
// the action of that step. What the paper leaves open: which abstract path is taken. Here it is the
// first in the order of block numbers, by a depth-first search over pairs of block and position.
//
// Two observations keep this from starting anew after each split. Splitting only removes abstract
// behaviour, so a pair from which the rest of the trace cannot be performed stays such a pair, and new
// blocks inherit it: every pair is given up at most once. And the path and the concrete states along
// it stay valid up to the first position at which the path is in the block that was split.
//
// Termination: theorem 2; every split is proper, and there are finitely many states.
// Cost: besides the splits, at most (blocks at the end) × |trace| × their transitions, and for every
// split the concrete states on the part of the path that is followed anew.

// ErrConcreteTrace is what Refine returns if the trace is a trace of the concrete LTS: no refinement
// can exclude it.
var ErrConcreteTrace = errors.New("actionref: the trace is not spurious, the concrete LTS has it")

// Refine splits blocks until no path of the quotient accepts the trace (figure 9), and returns the
// refined abstraction with the splits in order. τ in the trace is an action like any other and is not
// skipped. If the quotient does not have the trace to begin with, it returns a itself. The error is
// ErrConcreteTrace, or that of a ctx that ended; then the abstraction is a itself.
func (a *Abstraction) Refine(ctx context.Context, trace []lts.Action) (*Abstraction, []SplitInfo, error) {
	if !spurious(a.concrete, trace) {
		return a, nil, ErrConcreteTrace
	}
	p := a.parts.clone()
	r := &refiner{splitter: newSplitter(a, &p), trace: trace, dead: make([][]uint64, len(p.members)), stamp: make([]uint32, a.concrete.NumStates())}
	var splits []SplitInfo
	for r.findPath() {
		if err := ctx.Err(); err != nil {
			return a, nil, err
		}
		splits = append(splits, r.splitWhereSpurious())
	}
	if len(splits) == 0 {
		return a, nil, nil
	}
	return freeze(a.concrete, a.into, p), splits, nil
}

// spurious says whether no run of m performs the trace.
func spurious(m *lts.LTS, trace []lts.Action) bool {
	stamp := make([]uint32, m.NumStates())
	at := []lts.State{m.Init()}
	for i, act := range trace {
		var next []lts.State
		for _, s := range at {
			for _, e := range m.OutBy(s, act) {
				if stamp[e.To] != uint32(i+1) {
					stamp[e.To] = uint32(i + 1)
					next = append(next, e.To)
				}
			}
		}
		if at = next; len(at) == 0 {
			return true
		}
	}
	return false
}

// refiner is the state of one call of Refine.
type refiner struct {
	*splitter
	trace   []lts.Action
	path    []int32       // abstract path for a prefix of the trace; path[i] after i actions
	reached [][]lts.State // reached[i]: concrete states after i actions along path; not longer than path
	dead    [][]uint64    // by block: bit i is set if trace[i:] cannot be performed from it
	stamp   []uint32      // by concrete state: the last step of followPath that reached it
	step    uint32
}

func (r *refiner) isDead(b int32, i int) bool {
	return r.dead[b] != nil && r.dead[b][i/64]&(1<<(i%64)) != 0
}

func (r *refiner) giveUp(b int32, i int) {
	if r.dead[b] == nil {
		r.dead[b] = make([]uint64, len(r.trace)/64+1)
	}
	r.dead[b][i/64] |= 1 << (i % 64)
}

// findPath extends path to the whole trace, taking back steps that lead nowhere. It says whether there
// is such a path.
func (r *refiner) findPath() bool {
	if len(r.path) == 0 {
		r.path = append(r.path, r.parts.blockOf[r.m.Init()])
	}
	for {
		i := len(r.path) - 1
		b := r.path[i]
		if i == len(r.trace) {
			return true
		}
		if next, ok := r.successor(b, i); ok {
			r.path = append(r.path, next)
			continue
		}
		r.giveUp(b, i)
		r.cut(i)
		if i == 0 {
			return false
		}
	}
}

// successor returns the first block that trace[i] leads to from b and that is not given up.
func (r *refiner) successor(b int32, i int) (int32, bool) {
	for _, e := range outBy(r.parts.out[b], r.trace[i]) {
		if !r.isDead(int32(e.To), i+1) {
			return int32(e.To), true
		}
	}
	return 0, false
}

// cut shortens the path to its first n blocks.
func (r *refiner) cut(n int) {
	r.path = r.path[:n]
	r.reached = r.reached[:min(n, len(r.reached))]
}

// splitWhereSpurious follows the concrete states along the path until there are none, and splits the
// last block that has some.
func (r *refiner) splitWhereSpurious() SplitInfo {
	i := r.followPath()
	u, act := r.path[i], r.trace[i]
	parts := r.split(u, act)
	if len(parts) < 2 {
		panic(fmt.Sprintf("actionref: block %d was not split by action %d (theorem 2)", u, act))
	}
	info := SplitInfo{Block: int(u), Action: act}
	for k, part := range parts {
		info.Into = append(info.Into, int(part))
		if k > 0 {
			r.dead = append(r.dead, append([]uint64(nil), r.dead[u]...))
		}
	}
	for n, b := range r.path {
		if b == u {
			r.cut(n)
			break
		}
	}
	return info
}

// followPath computes reached as far as it is not empty and returns the last position that has a
// state. There is a next one, since the trace is spurious.
func (r *refiner) followPath() int {
	if len(r.reached) == 0 {
		r.reached = append(r.reached, []lts.State{r.m.Init()})
	}
	for {
		i := len(r.reached) - 1
		r.step++
		var next []lts.State
		for _, s := range r.reached[i] {
			for _, e := range r.m.OutBy(s, r.trace[i]) {
				if r.parts.blockOf[e.To] == r.path[i+1] && r.stamp[e.To] != r.step {
					r.stamp[e.To] = r.step
					next = append(next, e.To)
				}
			}
		}
		if len(next) == 0 {
			return i
		}
		r.reached = append(r.reached, next)
	}
}

// outBy returns the edges with action a of a sorted list.
func outBy(out []lts.Edge, a lts.Action) []lts.Edge {
	lo, hi := 0, len(out)
	for lo < hi {
		if mid := (lo + hi) / 2; out[mid].Action < a {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	end := lo
	for end < len(out) && out[end].Action == a {
		end++
	}
	return out[lo:end]
}
