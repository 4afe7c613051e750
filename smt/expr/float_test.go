package expr

import (
	"testing"

	"magus/smt/softfloat"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// number is a constant of C.
func number(t *testing.T, p *Pool, typ Type, text string) *Expr {
	t.Helper()
	v, _, err := typ.Format().Parse(text, softfloat.NearestEven)
	require.NoError(t, err)
	return p.Const(typ, v)
}

func TestFloatConstantsFold(t *testing.T) {
	p := NewPool()
	rne, rtz := p.Rounding(softfloat.NearestEven), p.Rounding(softfloat.TowardZero)
	f := func(s string) *Expr { return number(t, p, Float32, s) }
	d := func(s string) *Expr { return number(t, p, Float64, s) }
	for _, c := range []struct {
		got, want *Expr
	}{
		{p.FAdd(rne, d("0.1"), d("0.2")), d("0.30000000000000004")},
		{p.FSub(rne, f("1"), f("1")), f("0")},
		{p.FMul(rne, f("1e30"), f("1e30")), f("inf")},
		{p.FMul(rtz, f("1e30"), f("1e30")), f("0x1.fffffep127")},
		{p.FDiv(rne, f("0"), f("-0")), f("nan")},
		{p.FSqrt(rne, d("2")), d("1.4142135623730951")},
		{p.FFma(rne, d("0.1"), d("10"), d("-1")), d("0x1p-54")},
		{p.FMod(d("5.5"), d("-2")), d("1.5")},
		{p.FRem(d("5.5"), d("2")), d("-0.5")},
		{p.FRound(p.Rounding(softfloat.TowardNegative), d("-0.5")), d("-1")},
		{p.FCast(rne, Float32, d("0.1")), f("0.1")},
		{p.FToInt(rtz, Int32, d("-2.9")), p.Int(Int32, -2)},
		{p.FToInt(rtz, Uint8, d("256")), p.Int(Uint8, 0)},
		{p.IntToF(rne, Float32, p.Int(Int32, 16777217)), f("16777216")},
		{p.FBits(f("-0")), p.Const(Uint32, 1<<31)},
		{p.FFrom(Float32, p.Const(Int32, 0x3f800000)), f("1")},
		{p.FInRange(rtz, Int32, d("2147483647.5")), p.True()},
		{p.FInRange(rtz, Int32, d("2147483648")), p.False()},
		{p.FInRange(rtz, Int32, f("-2147483648")), p.True()},
		{p.FInRange(rtz, Uint8, f("-0.9")), p.True()},
		{p.FInRange(rtz, Uint8, f("nan")), p.False()},
		{p.FIsNaN(f("nan")), p.True()},
		{p.FIsInf(f("-inf")), p.True()},
		{p.FIsNormal(f("1e-40")), p.False()},
		{p.FIsSubnormal(f("1e-40")), p.True()},
		{p.FIsNegative(f("-0")), p.True()},
		{p.FCopySign(f("1"), f("-0")), f("-1")},
		{p.FEq(f("0"), f("-0")), p.True()},
		{p.Eq(f("0"), f("-0")), p.False()},
		{p.FLe(f("nan"), f("1")), p.False()},
	} {
		assert.Same(t, c.want, c.got, "%v, not %v", c.got, c.want)
	}
}

func TestFloatText(t *testing.T) {
	p := NewPool()
	rne, rtz := p.Rounding(softfloat.NearestEven), p.Rounding(softfloat.TowardZero)
	x, y, i := p.Var("x", Float32), p.Var("y", Float32), p.Var("i", Int32)
	c := number(t, p, Float32, "0.1")
	for _, c := range []struct {
		e    *Expr
		want string
	}{
		{p.FMul(rne, p.FAdd(rne, x, y), c), "(x + y) * 0.1f"},
		{p.FSub(rne, x, y), "x - y"},
		{p.FAdd(rtz, x, y), "add_rtz(x, y)"},
		{p.FNe(x, y), "x != y"},
		{p.Eq(x, y), "same(x, y)"},
		{p.Ne(x, y), "!same(x, y)"},
		{p.FToInt(rtz, Int32, x), "(int)x"},
		{p.FCast(rne, Float64, x), "(double)x"},
		{p.IntToF(rne, Float32, i), "(float)i"},
		{p.FRound(rtz, x), "trunc(x)"},
		{p.FSqrt(rne, x), "sqrt(x)"},
		{p.Not(p.FLe(x, c)), "!(x <= 0.1f)"},
		{p.Const(Float64, Float64.Format().NaN()), "NAN"},
	} {
		assert.Equal(t, c.want, c.e.String())
	}
}

func TestIntegerOperatorsRefuseFloats(t *testing.T) {
	p := NewPool()
	x := p.Var("x", Float32)
	for _, build := range []func(){
		func() { p.Add(x, x) }, func() { p.Lt(x, x) }, func() { p.Neg(x) }, func() { p.Cast(Int32, x) },
		func() { p.Cast(Float32, p.Var("i", Int32)) }, func() { p.Xor(x, x) }, func() { p.Shl(x, x) },
		func() { p.FAdd(p.Rounding(0), x, p.Var("d", Float64)) }, func() { p.FAdd(p.Const(Mode, 5), x, x) },
	} {
		assert.Panics(t, build)
	}
}
