package expr

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/softfloat"
)

func TestSMTLIB(t *testing.T) {
	p := NewPool()
	x, y, u := p.Var("x", Int32), p.Var("y", Int32), p.Var("u", Uint8)
	s := p.Mul(x, y)
	for _, c := range []struct {
		e    *Expr
		want string
	}{
		{p.Lt(x, p.Int(Int32, 5)), "(bvslt x (_ bv5 32))"},
		{p.Lt(u, p.Int(Uint8, 5)), "(bvult u (_ bv5 8))"},
		{p.Shr(u, u), "(bvlshr u u)"},
		{p.Cast(Int32, u), "((_ zero_extend 24) u)"},
		{p.Cast(Int8, x), "((_ extract 7 0) x)"},
		{p.Div(x, y), "(bvsdiv x y)"},
		{p.True(), "true"},
		{p.Not(p.Var("b", Bool)), "(not b)"},
		{p.Eq(p.Div(s, x), p.Rem(s, y)), "(let ((?0 (bvmul x y))) (= (bvsdiv ?0 x) (bvsrem ?0 y)))"},
	} {
		require.Equal(t, c.want, c.e.SMTLIB((*Expr).Name))
	}
}

// TestSMTLIBIsLinear: a term with 2^200 paths has a short text.
func TestSMTLIBIsLinear(t *testing.T) {
	p := NewPool()
	e := p.Var("x", Int32)
	for range 200 {
		e = p.Mul(e, p.Add(e, p.Int(Int32, 1)))
	}
	require.Less(t, len(e.SMTLIB((*Expr).Name)), 200*80)
}

// The text that defines a number is no longer than its subterms are many: what occurs twice is written once.
func TestDefinitionsShareSubterms(t *testing.T) {
	p := NewPool()
	x := p.Var("x", Float32)
	f, mode := x, p.Rounding(softfloat.NearestEven)
	for i := range 200 {
		c := p.FLt(f, p.Var(fmt.Sprintf("c%d", i), Float32))
		f = p.Ite(c, f, p.Var(fmt.Sprintf("y%d", i), Float32))
	}
	sum := p.FAdd(mode, f, x)
	require.Equal(t, []*Expr{sum}, Defined(sum))
	require.Less(t, len(sum.SMTDefinition((*Expr).Name)), 40_000)
}
