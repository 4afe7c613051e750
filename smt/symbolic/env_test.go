package symbolic

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/bitset"
	"magus/smt/expr"
)

// What an Env says is what a plain list would, and those that it was made of stay as they are.
func TestAgainstLists(t *testing.T) {
	const vars = 40
	pool := expr.NewPool()
	cond := pool.Var("cond", expr.Bool)
	initial := make([]*expr.Expr, vars)
	for v := range initial {
		initial[v] = pool.Var(string(rune('A'+v)), expr.Int32)
	}
	live := bitset.New[int](vars)
	for v := range vars / 2 {
		live.Add(v)
	}
	all := func(int) bool { return true }
	type pair struct {
		env  Env
		list []*expr.Expr
	}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		made := []pair{{New(vars), make([]*expr.Expr, vars)}}
		for range 20 {
			a, b := made[r.IntN(len(made))], made[r.IntN(len(made))]
			next := pair{list: make([]*expr.Expr, vars)}
			if r.IntN(2) == 0 {
				v, w := r.IntN(vars), r.IntN(vars)
				terms := []*expr.Expr{pool.Int(expr.Int32, r.Int64N(9)), pool.Int(expr.Int32, r.Int64N(9))}
				next.env = a.env.With([]int{v, w}, terms)
				copy(next.list, a.list)
				next.list[v], next.list[w] = terms[0], terms[1]
			} else {
				next.env = a.env.Merge(pool, cond, b.env, initial, live, all)
				for v := range next.list {
					x, y := a.list[v], b.list[v]
					if x != y {
						x = pool.Ite(cond, cmp.Or(x, initial[v]), cmp.Or(y, initial[v]))
					}
					next.list[v] = x
				}
			}
			made = append(made, next)
			for _, p := range made {
				for v := range p.list {
					require.Same(t, p.list[v], p.env.Get(v), "seed %d, variable %d", seed, v)
				}
			}
		}
	}
}
