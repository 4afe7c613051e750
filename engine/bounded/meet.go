package bounded

// Idea: ways that come together at a node are made one, first those that part a condition
// between them, so that the condition is their parent's and nothing has to be said of how they parted.
// Source: none; joins of static single assignment form with their gates.
// Deviations: none.
// Cost: one look at an index for each way and each two that are made one, besides what merging values
// costs. A dispatch over thousands of cases comes together at one node.

import (
	"slices"

	"magus/internal/bitset"
	"magus/smt/expr"
)

// meet makes one of the ways to an instance: first of those that part a condition
// between them, then of the rest.
func (u *unrolling) meet(in *instance) {
	ways := u.mergeOpposites(slices.Clone(in.in), u.live[in.node])
	in.cond, in.env = ways[0].cond, ways[0].env
	for _, w := range ways[1:] {
		in.env = u.merge(u.holds(w.cond.bit), w.env, in.env, u.live[in.node])
		in.cond = &cond{bit: u.pool.Or(in.cond.bit, w.cond.bit)}
	}
	for i := range in.in {
		in.in[i].env = nil
	}
}

// A parting is the condition of one side where a condition is parted.
type parting struct {
	parent *cond
	guard  *expr.Expr
}

// mergeOpposites makes one of each two ways that part a condition between them, until there are
// none: the first that has an earlier one, and the earliest of these. The one replaces the earlier.
func (u *unrolling) mergeOpposites(ways []arrival, live bitset.Set[int]) []arrival {
	merged := make([]bool, len(ways))
	at := map[parting][]int{} // indices of ways, ascending
	for i := range ways {
		for {
			c := ways[i].cond
			if c.parent == nil {
				break
			}
			key, other := parting{c.parent, c.guard}, parting{c.parent, u.pool.Not(c.guard)}
			if len(at[other]) == 0 {
				j, _ := slices.BinarySearch(at[key], i)
				at[key] = slices.Insert(at[key], j, i)
				break
			}
			j := at[other][0]
			at[other] = at[other][1:]
			a, b := &ways[max(i, j)], &ways[min(i, j)]
			*b = arrival{cond: a.cond.parent, env: u.merge(a.cond.guard, a.env, b.env, live)}
			merged[max(i, j)] = true
			i = min(i, j)
		}
	}
	left := ways[:0]
	for i, w := range ways {
		if !merged[i] {
			left = append(left, w)
		}
	}
	return left
}
