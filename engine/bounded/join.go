package bounded

// Joins: where several edges arrive at a node.
//
// Idea: the arrivals at a node are merged, first those under opposite conditions: their merged condition is
// that of the branch, and nothing has to be said of how they parted.
//
// Source: the joins of gated static single assignment form (Ottenstein, Ballance, MacCabe, PLDI 1990).
//
// Cost: one look at an index for each arrival and each two that are merged, besides what merging values
// costs. A dispatch over thousands of cases joins at one node.

import (
	"slices"

	"magus/internal/bitset"
	"magus/smt/expr"
)

// join merges the arrivals at an instance: first those under opposite conditions, then the rest.
func (u *unrolling) join(in *instance) {
	arrivals := u.mergeOpposites(slices.Clone(in.in), u.live[in.node])
	in.cond, in.env = arrivals[0].cond, arrivals[0].env
	for _, w := range arrivals[1:] {
		in.env = u.merge(u.holds(w.cond.bit), w.env, in.env, u.live[in.node])
		in.cond = &cond{bit: u.pool.Or(in.cond.bit, w.cond.bit)}
	}
	for i := range in.in {
		in.in[i].env = nil
	}
}

// A side is one side of a branch: a guard besides the condition of the branch.
type side struct {
	parent *cond
	guard  *expr.Expr
}

// mergeOpposites merges each two arrivals from the opposite sides of one branch, until there are none:
// the first that has an earlier one, with the earliest of these, which it replaces.
func (u *unrolling) mergeOpposites(arrivals []arrival, live bitset.Set[int]) []arrival {
	merged := make([]bool, len(arrivals))
	at := map[side][]int{} // indices of arrivals, ascending
	for i := range arrivals {
		for {
			c := arrivals[i].cond
			if c.parent == nil {
				break
			}
			key, other := side{c.parent, c.guard}, side{c.parent, u.pool.Not(c.guard)}
			if len(at[other]) == 0 {
				j, _ := slices.BinarySearch(at[key], i)
				at[key] = slices.Insert(at[key], j, i)
				break
			}
			j := at[other][0]
			at[other] = at[other][1:]
			a, b := &arrivals[max(i, j)], &arrivals[min(i, j)]
			*b = arrival{cond: a.cond.parent, env: u.merge(a.cond.guard, a.env, b.env, live)}
			merged[max(i, j)] = true
			i = min(i, j)
		}
	}
	left := arrivals[:0]
	for i, w := range arrivals {
		if !merged[i] {
			left = append(left, w)
		}
	}
	return left
}
