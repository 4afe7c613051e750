package actionref

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/internal/bitset"
	"magus/lts"
)

// Idea: figure 9 of Chaki et al., "Efficient Verification of Sequential and Concurrent C Programs" (2004),
// over the weak moves. While the quotient has a path u_0 … u_n that accepts the trace, follow the concrete
// states along it; they run out at some step, and the last block they reach is split by the action of that
// step. What the paper leaves open: which abstract path is taken. Here it is the first in the order of block
// numbers, by a depth-first search over pairs of block and position.
//
// Two observations keep this from starting anew after each split. Splitting only removes abstract
// behaviour, so a pair from which the rest of the trace cannot be performed stays such a pair, and new
// blocks inherit it: every pair is given up at most once. And the path and the concrete states along
// it stay valid up to the first position at which the path is in the block that was split.
//
// Termination: theorem 2; every split is proper, and there are finitely many states.
// Cost: besides the splits, at most (blocks at the end) × |trace| × their transitions; once, a search of
// the τ graph for each position of the trace, and for every split one for each position that is
// followed anew.

// ErrConcreteTrace is what Refine returns if the trace is a trace of the concrete LTS: no refinement
// can exclude it.
var ErrConcreteTrace = errors.New("actionref: the trace is not spurious, the concrete LTS has it")

// Refine splits blocks until no path of the quotient accepts the trace (figure 9), and returns the
// refined abstraction with the splits in order. τ in the trace is ignored. If the quotient does not have
// the trace to begin with, it returns a itself, and looks at nothing else. The error is
// ErrConcreteTrace, or that of a ctx that ended; then the abstraction is a itself.
func (a *Abstraction) Refine(ctx context.Context, trace []lts.Action) (*Abstraction, []SplitInfo, error) {
	trace = slices.DeleteFunc(slices.Clone(trace), func(act lts.Action) bool { return act == lts.Tau })
	p := a.partition.clone()
	r := &refiner{splitter: splitter{newSweeper(a.moves), &p}, trace: trace, init: a.moves.nodeOf[a.concrete.Init()]}
	r.dead = make([]bitset.Set[int], len(p.members))
	if !r.findPath() {
		return a, nil, nil
	}
	r.seen, r.met = make([]uint32, a.moves.count), make([]uint32, a.moves.count)
	if spurious, err := r.isSpurious(ctx); err != nil {
		return a, nil, err
	} else if !spurious {
		return a, nil, ErrConcreteTrace
	}
	var splits []SplitInfo
	for r.findPath() {
		info, err := r.splitWhereSpurious(ctx)
		if err != nil {
			return a, nil, err
		}
		splits = append(splits, info)
	}
	return freeze(a.concrete, a.moves, p), splits, nil
}

// refiner is the state of one call of Refine.
type refiner struct {
	splitter
	trace   []lts.Action
	init    int32             // the node of the concrete initial state
	path    []int32           // abstract path for a prefix of the trace; path[i] after i actions
	reached [][]int32         // reached[i]: nodes of the concrete states after i actions along path; not longer than path
	dead    []bitset.Set[int] // by block: the i for which trace[i:] cannot be performed from it; nil for none
	search  uint32            // number of the search; see step
	seen    []uint32          // by node: the last search that looked at it
	met     []uint32          // by node: the last search that met it as a target
	stack   []int32
}

func (r *refiner) isDead(b int32, i int) bool {
	return r.dead[b] != nil && r.dead[b].Has(i)
}

func (r *refiner) giveUp(b int32, i int) {
	if r.dead[b] == nil {
		r.dead[b] = bitset.New[int](len(r.trace) + 1)
	}
	r.dead[b].Add(i)
}

// findPath extends path to the whole trace, taking back steps that lead nowhere. It says whether there
// is such a path.
func (r *refiner) findPath() bool {
	if len(r.path) == 0 {
		r.path = append(r.path, r.partition.blockOf[r.init])
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
	for _, e := range lts.EdgesBy(r.partition.out[b], r.trace[i]) {
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
func (r *refiner) splitWhereSpurious(ctx context.Context) (SplitInfo, error) {
	i, err := r.followPath(ctx)
	if err != nil {
		return SplitInfo{}, err
	}
	u, act := r.path[i], r.trace[i]
	parts, err := r.split(ctx, u, act)
	if err != nil {
		return SplitInfo{}, err
	}
	if len(parts) < 2 {
		panic(fmt.Sprintf("actionref: block %d was not split by action %d (theorem 2)", u, act))
	}
	info := SplitInfo{Block: int(u), Action: act}
	for k, part := range parts {
		info.Into = append(info.Into, int(part))
		if k > 0 {
			r.dead = append(r.dead, slices.Clone(r.dead[u]))
		}
	}
	if n := slices.Index(r.path, u); n >= 0 {
		r.cut(n)
	}
	return info, nil
}

// followPath computes reached as far as it is not empty and returns the last position that has a
// state. There is a next one, since the trace is spurious.
func (r *refiner) followPath(ctx context.Context) (int, error) {
	if len(r.reached) == 0 {
		r.reached = append(r.reached, []int32{r.init})
	}
	for {
		i := len(r.reached) - 1
		next, err := r.step(ctx, r.reached[i], r.trace[i], r.path[i+1])
		if err != nil || len(next) == 0 {
			return i, err
		}
		r.reached = append(r.reached, next)
	}
}

// isSpurious says whether no concrete run performs the trace.
func (r *refiner) isSpurious(ctx context.Context) (bool, error) {
	at := []int32{r.init}
	for _, act := range r.trace {
		next, err := r.step(ctx, at, act, anyBlock)
		if err != nil || len(next) == 0 {
			return true, err
		}
		at = next
	}
	return false, nil
}

// anyBlock does not restrict a step.
const anyBlock = -1

// step returns the nodes in the given block that weak moves with action a lead to from the given nodes,
// each once, in the order of a depth-first search.
func (r *refiner) step(ctx context.Context, from []int32, a lts.Action, block int32) ([]int32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.search++
	var next []int32
	r.push(from)
	for len(r.stack) > 0 {
		k := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		for _, e := range lts.EdgesBy(r.moves.out.at(k), a) {
			if (block == anyBlock || r.partition.blockOf[e.To] == block) && r.met[e.To] != r.search {
				r.met[e.To] = r.search
				next = append(next, int32(e.To))
			}
		}
		r.push(r.moves.tau.at(k))
	}
	return next, nil
}

// push puts the nodes on the stack that this search has not looked at.
func (r *refiner) push(nodes []int32) {
	for _, k := range nodes {
		if r.seen[k] != r.search {
			r.seen[k] = r.search
			r.stack = append(r.stack, k)
		}
	}
}
