package predabs

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/smt/embedded"
	"magus/smt/expr"
)

// randomQuestion draws atoms before an edge, with the values that they have for some values of the variables,
// or anyhow, and atoms after it. Equations with offsets are as frequent as in programs that count.
func randomQuestion(r *rand.Rand, p *expr.Pool) (terms, assumed []*expr.Expr) {
	narrow := expr.Type{Width: 4, Signed: true}
	flag := p.Var("flag", expr.Bool)
	vars := make([]*expr.Expr, 2+r.IntN(4))
	for i := range vars {
		vars[i] = p.Var(string(rune('a'+i)), narrow)
	}
	values := map[*expr.Expr]uint64{flag: uint64(r.IntN(2))}
	for _, v := range vars {
		values[v] = uint64(r.IntN(16))
	}
	consistent := r.IntN(4) > 0
	atom := func() *expr.Expr {
		v, w, k := vars[r.IntN(len(vars))], vars[r.IntN(len(vars))], p.Int(narrow, int64(r.IntN(16)-8))
		if r.IntN(3) == 0 { // which holds
			k = p.Const(narrow, values[v]-values[w])
		}
		switch r.IntN(8) {
		case 0, 1:
			return p.Eq(v, k)
		case 2, 3:
			return p.Eq(v, p.Add(w, k))
		case 4:
			return p.Lt(p.Add(v, k), p.Int(narrow, 5))
		case 5:
			return p.Eq(p.Mul(v, w), k)
		case 6:
			return p.Lt(v, w)
		}
		return flag
	}
	for range r.IntN(10) {
		a := atom()
		holds := r.IntN(2) == 0
		if consistent {
			holds = expr.Eval(a, func(v *expr.Expr) uint64 { return values[v] }) == 1
		}
		if !holds {
			a = p.Not(a)
		}
		assumed = append(assumed, a)
	}
	if r.IntN(3) == 0 {
		assumed = append(assumed, p.Land(atom(), p.Lor(atom(), p.Not(atom()))))
	}
	for range r.IntN(5) {
		terms = append(terms, atom())
	}
	return terms, assumed
}

// What a valuation settles has no part in the answer: it is that of the whole question, row by row.
func TestRandomSettledQuestionsAreTheWholeOnes(t *testing.T) {
	sample.Long(t)
	ctx := context.Background()
	some, none := 0, 0
	for seed := range uint64(3000) {
		p := expr.NewPool()
		x := newOracle(p, embedded.New(p))
		r := rand.New(rand.NewPCG(seed, 16))
		for range 3 {
			terms, assumed := randomQuestion(r, p)
			want, err := x.ask(ctx, terms, assumed)
			require.NoError(t, err)
			got, err := x.enumerate(ctx, terms, assumed)
			require.NoError(t, err)
			require.Equal(t, want, got, "seed %d: %v under %v", seed, terms, assumed)
			if len(want) > 0 {
				some++
			} else {
				none++
			}
		}
	}
	require.Greater(t, some, 3000)
	require.Greater(t, none, 1000)
}

// A valuation that says what all variables are is no question, however many atoms it has, and others differ
// in few pieces.
func TestValuationsThatSettleAllAreNotAsked(t *testing.T) {
	p := expr.NewPool()
	x := newOracle(p, embedded.New(p))
	i, y, z := p.Var("i", expr.Int32), p.Var("y", expr.Int32), p.Var("z", expr.Int32)
	next := []*expr.Expr{p.Eq(p.Add(i, p.Int(expr.Int32, 1)), p.Int(expr.Int32, 3)),
		p.Eq(p.Add(i, p.Int(expr.Int32, 51)), y)}
	for k := range int64(10) {
		at := p.Eq(i, p.Int(expr.Int32, k))
		rows, err := x.enumerate(t.Context(), next, []*expr.Expr{at, p.Eq(y, p.Add(i, p.Int(expr.Int32, 50))), p.Ne(z, y)})
		require.NoError(t, err)
		want := uint64(0)
		if k == 2 {
			want = 1
		}
		require.Equal(t, []uint64{want}, rows)
	}
	require.Equal(t, 10, x.Queries, "only z != k + 50 is asked about")
	for k := range int64(10) {
		_, err := x.enumerate(t.Context(), next,
			[]*expr.Expr{p.Eq(i, p.Int(expr.Int32, k)), p.Eq(y, p.Int(expr.Int32, k+50)), p.Ne(z, y)})
		require.NoError(t, err)
	}
	require.Equal(t, 10, x.Queries, "and known from then on")
	sum, same := p.Lt(p.Add(y, z), i), p.Lt(i, p.Add(y, p.Int(expr.Int32, 3)))
	for _, q := range [][2][]*expr.Expr{{{sum, same}, nil}, {{sum}, {same}}} {
		want, err := x.ask(t.Context(), q[0], q[1])
		require.NoError(t, err)
		got, err := x.enumerate(t.Context(), q[0], q[1])
		require.NoError(t, err)
		require.Equal(t, want, got, "whether a condition is assumed or asked about")
	}
}
