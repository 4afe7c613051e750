package sequential

// The locations of an automaton in which several take turns, while it is made.
//
// Idea: each state of the several has one location, made when the state is met first. Where more than one
// step may come next, the variable Chooses gets any value, and a row of branches on it leads to the steps.
//
// Cost: two locations for each step that may come next.

import (
	"encoding/binary"

	"magus/cfa"
	"magus/smt/expr"
)

// An Interleaving is what was made so far.
type Interleaving struct {
	Chooses *expr.Expr // an unsigned integer
	Locs    []cfa.Location
	Of      []int // by location: whose statement it is, or of which location; -1 of those in between
	index   map[string]cfa.Loc
}

// NewInterleaving has no locations.
func NewInterleaving(chooses *expr.Expr) Interleaving {
	return Interleaving{Chooses: chooses, index: map[string]cfa.Loc{}}
}

// At is the location of a state, and whether the state is new.
func (b *Interleaving) At(state ...cfa.Loc) (l cfa.Loc, isNew bool) {
	var k []byte
	for _, l := range state {
		k = binary.AppendVarint(k, int64(l))
	}
	if l, ok := b.index[string(k)]; ok {
		return l, false
	}
	l = b.Emit(cfa.Location{}, -1)
	b.index[string(k)] = l
	return l, true
}

// Emit makes a location.
func (b *Interleaving) Emit(l cfa.Location, of int) cfa.Loc {
	b.Locs, b.Of = append(b.Locs, l), append(b.Of, of)
	return cfa.Loc(len(b.Locs) - 1)
}

// Follow is a new location behind another one.
func (b *Interleaving) Follow(at cfa.Loc) cfa.Loc {
	n := b.Emit(cfa.Location{}, -1)
	b.Locs[at].Succ = append(b.Locs[at].Succ, n)
	return n
}

// Choose leads from a location to one of n steps, at least one, each of which is made at a location of its
// own. Between are those at which it is chosen, which have the place of like.
func (b *Interleaving) Choose(
	pool *expr.Pool, at cfa.Loc, n int, like cfa.Location, why string, step func(i int, at cfa.Loc),
) (between []cfa.Loc) {
	like.Succ = nil
	if n > 1 {
		like.Stmt = cfa.Assign{LHS: b.Chooses, Nondet: why}
		b.Locs[at] = like
		between = append(between, at)
		at = b.Follow(at)
	}
	for i := range n - 1 {
		like.Stmt = cfa.Branch{Cond: pool.Eq(b.Chooses, pool.Const(b.Chooses.Type(), uint64(i)))}
		b.Locs[at] = like
		between = append(between, at)
		this, rest := b.Follow(at), b.Follow(at)
		step(i, this)
		at = rest
	}
	step(n-1, at)
	return between
}
