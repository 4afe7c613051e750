package bounded

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/bitset"
	"magus/smt/expr"
	"magus/smt/symbolic"
)

// simpleMerge is mergeOpposites by looking at all pairs again and again.
func simpleMerge(u *unrolling, ways []arrival, live bitset.Set[int]) []arrival {
	for {
		i, j := oppositePair(u, ways)
		if i < 0 {
			return ways
		}
		a, b := ways[i], ways[j]
		ways[j] = arrival{cond: a.cond.parent, env: u.merge(a.cond.guard, a.env, b.env, live)}
		ways = slices.Delete(ways, i, i+1)
	}
}

// oppositePair is the first way that parts a condition with an earlier one, and the earliest of these.
func oppositePair(u *unrolling, ways []arrival) (int, int) {
	for i, a := range ways {
		for j, b := range ways[:i] {
			if a.cond.parent != nil && a.cond.parent == b.cond.parent && u.pool.Not(a.cond.guard) == b.cond.guard {
				return i, j
			}
		}
	}
	return -1, -1
}

// The same ways come of it, in the same order and with the same values, whatever tree of conditions
// they are the leaves of.
func TestMergeOppositesAgainstAllPairs(t *testing.T) {
	pool := expr.NewPool()
	x := pool.Var("x", expr.Int32)
	u := &unrolling{pool: pool, flow: &flow{vars: []*expr.Expr{x}}}
	live := bitset.Full[int](1)
	merged := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		leaves := []*cond{u.always()}
		for n := 1 + r.IntN(12); n > 0; n-- {
			i := r.IntN(len(leaves))
			g := pool.Eq(x, pool.Const(expr.Int32, uint64(r.IntN(4))))
			c := leaves[i]
			leaves[i] = &cond{parent: c, guard: g, bit: c.bit}
			leaves = append(leaves, &cond{parent: c, guard: pool.Not(g), bit: c.bit})
			if r.IntN(4) == 0 {
				leaves = append(leaves, leaves[r.IntN(len(leaves))]) // two edges under one condition
			}
		}
		r.Shuffle(len(leaves), func(i, j int) { leaves[i], leaves[j] = leaves[j], leaves[i] })
		var ways []arrival
		for i, c := range leaves[:1+r.IntN(len(leaves))] {
			ways = append(ways, arrival{cond: c,
				env: symbolic.New(1).With([]int{0}, []*expr.Expr{pool.Const(expr.Int32, uint64(i))})})
		}
		want, got := simpleMerge(u, slices.Clone(ways), live), u.mergeOpposites(slices.Clone(ways), live)
		require.Equal(t, len(want), len(got), "seed %d", seed)
		for i := range want {
			require.Same(t, want[i].cond, got[i].cond, "seed %d", seed)
			require.Same(t, want[i].env.Get(0), got[i].env.Get(0), "seed %d", seed)
		}
		merged += len(ways) - len(got)
	}
	require.Greater(t, merged, 3000, fmt.Sprint(merged))
}
