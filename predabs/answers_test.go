package predabs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/bitblast"
	"magus/smt/expr"
)

// asker is an abstraction that only asks, with a pool of its own, in which terms have been made in another order.
func asker(t *testing.T, seed uint64) (*Abstraction, []*expr.Expr) {
	t.Helper()
	p := expr.NewPool()
	var terms []*expr.Expr
	make := []func() *expr.Expr{}
	vars := func() []*expr.Expr {
		return []*expr.Expr{p.Var("x", expr.Int8), p.Var("y", expr.Int8), p.Var("u", expr.Uint8)}
	}
	for k := range 12 {
		make = append(make, func() *expr.Expr {
			v := vars()
			switch c := p.Int(expr.Int8, int64(k%5)); {
			case k < 4:
				return p.Lt(v[0], c)
			case k < 8:
				return p.Eq(p.Add(v[0], v[1]), c)
			default:
				return p.Le(v[2], p.Cast(expr.Uint8, c))
			}
		})
	}
	terms = slices.Grow(terms, len(make))[:len(make)]
	for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(len(make)) {
		terms[i] = make[i]()
	}
	return &Abstraction{space: &space{pool: p}, oracle: newOracle(p, bitblast.New(p))}, terms
}

// What was answered is the answer to the same question only, whatever the order of its conditions and the
// pool of its terms.
func TestAnswersAreThoseOfFreshQuestions(t *testing.T) {
	first, terms := asker(t, 1)
	first.Recall(nil)
	second, others := asker(t, 2)
	fresh, plain := asker(t, 3)
	r := rand.New(rand.NewPCG(7, 7))
	type question struct{ about, given []int }
	var all []question
	for range 60 {
		perm := r.Perm(len(terms))
		n := 1 + r.IntN(4)
		all = append(all, question{perm[:n], perm[n : n+r.IntN(4)]})
	}
	of := func(terms []*expr.Expr, at []int) (out []*expr.Expr) {
		for _, i := range at {
			out = append(out, terms[i])
		}
		return out
	}
	for _, q := range all {
		_, err := first.enumerate(t.Context(), of(terms, q.about), of(terms, q.given))
		require.NoError(t, err)
	}
	second.Recall(first.Answers())
	for _, q := range all {
		slices.Reverse(q.about)
		slices.Reverse(q.given)
		got, err := second.enumerate(t.Context(), of(others, q.about), of(others, q.given))
		require.NoError(t, err)
		want, err := fresh.enumerate(t.Context(), of(plain, q.about), of(plain, q.given))
		require.NoError(t, err)
		require.ElementsMatch(t, want, got)
	}
	require.Zero(t, second.Queries, "every question was known")
	require.Equal(t, first.Answers(), second.Answers(), "what is used is kept")
	before := second.Queries
	_, err := second.enumerate(t.Context(), of(others, []int{0}),
		[]*expr.Expr{second.pool.Eq(second.pool.Var("x", expr.Int8), second.pool.Int(expr.Int8, 99))})
	require.NoError(t, err)
	require.Equal(t, before+1, second.Queries, "another question is asked")
}

// Terms that differ in anything have different digests.
func TestDigestsTellTermsApart(t *testing.T) {
	p := expr.NewPool()
	x, y := p.Var("x", expr.Int8), expr.NewPool().Var("x", expr.Uint8)
	k := &answers{digests: map[*expr.Expr]digest{}}
	met := map[digest]*expr.Expr{}
	for _, e := range []*expr.Expr{x, y, p.Var("xx", expr.Int8), p.Int(expr.Int8, 1), p.Const(expr.Uint8, 1),
		p.Int(expr.Int8, 2), p.Add(x, x), p.Add(x, p.Int(expr.Int8, 1)),
		p.Sub(x, p.Var("z", expr.Int8)), p.Sub(p.Var("z", expr.Int8), x), p.Cast(expr.Uint8, x),
		p.Lt(x, p.Int(expr.Int8, 1)), p.Le(x, p.Int(expr.Int8, 1)), p.True(), p.False()} {
		d := k.of(e)
		require.Nil(t, met[d], "%v and %v", e, met[d])
		met[d] = e
	}
}
