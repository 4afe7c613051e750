package bitblast_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/smt/bitblast"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

// Equations and comparisons of trees of ?: with constants added have the value that evaluation gives them.
func TestTreesAgainstEvaluation(t *testing.T) {
	trees := 400
	if testing.Short() {
		trees = 100
	}
	holds := 0
	for seed := range uint64(trees) {
		r := rand.New(rand.NewPCG(seed, 8))
		typ := expr.Type{Width: uint8(2 + r.IntN(3)), Signed: r.IntN(2) == 0}
		p := expr.NewPool()
		s := bitblast.New(p)
		leaves := []*expr.Expr{p.Var("x", typ), p.Var("y", typ), p.Var("z", typ)}
		conds := []*expr.Expr{p.Var("c", expr.Bool), p.Var("d", expr.Bool), p.Var("e", expr.Bool)}
		tree := func(depth int) *expr.Expr {
			terms := append(slices.Clone(leaves[:1+r.IntN(3)]), p.Const(typ, r.Uint64()))
			for range depth {
				pick := func() *expr.Expr { return terms[r.IntN(len(terms))] }
				e := p.Add(p.Ite(conds[r.IntN(3)], pick(), pick()), p.Const(typ, uint64(r.IntN(3))))
				terms = append(terms, e)
			}
			return terms[len(terms)-1]
		}
		for range 4 {
			x, y := tree(r.IntN(6)), tree(r.IntN(6))
			f := p.Eq(x, y)
			switch r.IntN(4) {
			case 0:
				f = p.Lt(x, p.Const(typ, r.Uint64()))
			case 1:
				f = p.Lt(p.Const(typ, r.Uint64()), x)
			}
			for range 6 {
				values := map[*expr.Expr]uint64{}
				var fixed []*expr.Expr
				for _, v := range leaves {
					values[v] = typ.Trunc(r.Uint64())
					fixed = append(fixed, p.Eq(v, p.Const(typ, values[v])))
				}
				for _, c := range conds {
					values[c] = r.Uint64() & 1
					fixed = append(fixed, p.Eq(c, p.Bool(values[c] == 1)))
				}
				want := expr.Eval(f, func(v *expr.Expr) uint64 { return values[v] })
				holds += int(want)
				is := p.Eq(f, p.Bool(want == 1))
				require.Equal(t, solver.Sat, solvertest.Query(t, s, nil, append(fixed, is)), "seed %d: %v", seed, f)
				require.Equal(t, solver.Unsat, solvertest.Query(t, s, nil, append(fixed, p.Not(is))), "seed %d: %v", seed, f)
			}
		}
	}
	assert.Greater(t, holds, trees)
}

// What follows from a difference is seen without a search: x + 7 == y + 12 from x == y + 5, after conditional
// increments too.
func TestEquationsFollowWithoutSearch(t *testing.T) {
	p := expr.NewPool()
	s := bitblast.New(p)
	x, y := p.Var("x", expr.Int32), p.Var("y", expr.Int32)
	s.Assert(p.Eq(x, p.Add(y, p.Int(expr.Int32, 5))))
	last, sum := x, p.Int(expr.Int32, 5)
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		c, one := p.Var(name, expr.Bool), p.Int(expr.Int32, 1)
		s.Assert(p.Eq(c, p.Var("all", expr.Bool)))
		last, sum = p.Ite(c, p.Add(last, one), last), p.Add(sum, one)
	}
	r, err := s.Check(t.Context(), p.Var("all", expr.Bool), p.Ne(last, p.Add(y, sum)))
	require.NoError(t, err)
	require.Equal(t, solver.Unsat, r)
	require.Zero(t, s.Stats().Conflicts)
}

// A narrow variable has the values that it can hold and no others, and cannot be made narrow once it is in use.
func TestNarrowVariables(t *testing.T) {
	p := expr.NewPool()
	s := bitblast.New(p)
	v := p.Var("v", expr.Int32)
	s.Narrow(v, 3)
	for k := range int64(20) {
		want := solver.Unsat
		if k < 8 {
			want = solver.Sat
		}
		require.Equal(t, want, solvertest.Query(t, s, nil, []*expr.Expr{p.Eq(v, p.Int(expr.Int32, k))}), "%d", k)
	}
	require.Equal(t, solver.Unsat, solvertest.Query(t, s, nil, []*expr.Expr{p.Lt(v, p.Int(expr.Int32, 0))}))
	require.Panics(t, func() { s.Narrow(v, 2) })
}
