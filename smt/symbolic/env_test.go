package symbolic

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/bitset"
	"magus/internal/sample"
	"magus/smt/expr"
)

// What an Env says is what a plain list would, and those that it was made of stay as they are.
func TestAgainstLists(t *testing.T) {
	sample.Long(t)
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

// Behind a branch on a condition what was chosen by it is known, and nothing else changes.
func TestGiven(t *testing.T) {
	pool := expr.NewPool()
	c, d := pool.Var("c", expr.Bool), pool.Var("d", expr.Bool)
	one, two := pool.Int(expr.Int32, 1), pool.Int(expr.Int32, 2)
	x := pool.Var("x", expr.Int32)
	by := func(cond *expr.Expr) *expr.Expr { return pool.Ite(cond, one, x) }
	e := New(60).With([]int{0, 3, 17, 18, 19}, []*expr.Expr{by(c), by(d), two, by(c), pool.Ite(c, by(d), two)})
	values := func(e Env) []*expr.Expr {
		all := make([]*expr.Expr, 60)
		for v := range all {
			all[v] = e.Get(v)
		}
		return all
	}
	before := values(e)
	for cond, want := range map[*expr.Expr][]*expr.Expr{
		c:           {one, by(d), two, one, by(d)},
		pool.Not(c): {x, by(d), two, x, two},
		d:           {by(c), one, two, by(c), pool.Ite(c, by(d), two)},
	} {
		all := New(60).With([]int{0, 3, 17, 18, 19}, want)
		require.Equal(t, values(all), values(e.Given(cond)), cond)
	}
	require.Equal(t, before, values(e), "an Env that others have does not change")
	same := e.Given(pool.Eq(x, two))
	require.Same(t, &e[0], &same[0], "nothing is copied where nothing is known")
}
