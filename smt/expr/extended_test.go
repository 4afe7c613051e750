package expr

import (
	"math/rand/v2"
	"testing"

	"magus/smt/softfloat"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func long(t *testing.T, p *Pool, text string) *Expr {
	t.Helper()
	v, _, err := softfloat.Extended.Parse(text, softfloat.NearestEven)
	require.NoError(t, err)
	return p.XConst(Float80, v)
}

func TestExtendedConstantsFold(t *testing.T) {
	p := NewPool()
	rne, rtz := p.Rounding(softfloat.NearestEven), p.Rounding(softfloat.TowardZero)
	l := func(s string) *Expr { return long(t, p, s) }
	for _, c := range []struct{ got, want *Expr }{
		{p.XOperation(XAdd, rne, l("0.1"), l("0.2")), l("0.3000000000000000000108")},
		{p.XOperation(XDiv, rne, l("1"), l("3")), l("0.33333333333333333334237")},
		{p.XOperation(XRound, rtz, l("-2.5")), l("-2")},
		{p.XFrom(Float80, p.Const(Uint64, 1<<64-1)), l("18446744073709551615")},
		{p.XFrom(Float80, number(t, p, Float32, "0.1")), l("0x1.99999ap-4")},
		{p.XToF(rne, Float64, l("0.1")), number(t, p, Float64, "0.1")},
		{p.XToInt(rtz, Int64, l("-9223372036854775808")), p.Const(Int64, 1<<63)},
		{p.XInRange(rtz, Int64, l("9223372036854775807.5")), p.True()},
		{p.XInRange(rtz, Int64, l("9223372036854775808")), p.False()},
		{p.XInRange(rtz, Uint64, l("nan")), p.False()},
		{p.XCompare(XEq, l("0"), l("-0")), p.True()},
		{p.XCompare(XLe, l("nan"), l("1")), p.False()},
		{p.XIsNormal(l("0x1p-16383")), p.False()},
		{p.XNeg(l("1")), l("-1")},
		{p.XAbs(l("-1")), l("1")},
	} {
		assert.Same(t, c.want, c.got, "%v, not %v", c.got, c.want)
	}
}

func TestExtendedPrints(t *testing.T) {
	p := NewPool()
	rne, up := p.Rounding(softfloat.NearestEven), p.Rounding(softfloat.TowardPositive)
	x := p.XPair(p.Var("x{sign, exponent}", Uint16), p.Var("x{significand}", Uint64))
	d := p.Var("d", Float64)
	sum := p.XOperation(XAdd, rne, x, p.XOperation(XMul, rne, x, p.XFrom(Float80, d)))
	high, low := sum.Words()
	for want, got := range map[string]*Expr{
		"x + x * (long double)d < 0.1L":       p.XCompare(XLt, sum, long(t, p, "0.1")),
		"exponent(x + x * (long double)d)":    high,
		"significand(x + x * (long double)d)": low,
		"(double)(x + x * (long double)d)":    p.XToF(rne, Float64, sum),
		"ceill(x) == -x":                      p.XCompare(XEq, p.XOperation(XRound, up, x), p.XNeg(x)),
		"sqrtl_rtp(fabsl(x)) <= x":            p.XCompare(XLe, p.XOperation(XSqrt, up, p.XAbs(x)), x),
		"(int)x < 3":                          p.Lt(p.XToInt(p.Rounding(softfloat.TowardZero), Int32, x), p.Int(Int32, 3)),
	} {
		assert.Equal(t, want, got.String())
	}
}

// TestExtendedRules compares terms that rules have made simpler with what the software says.
func TestExtendedRules(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	x := softfloat.Extended
	sources := []Type{Float32, Float64, Int8, Uint8, Int32, Uint32, Int64, Uint64}
	pick := func(typ Type) uint64 {
		v := r.Uint64()
		switch {
		case !typ.IsFloat():
			v >>= r.IntN(64)
		case r.IntN(3) == 0:
			v, _ = typ.Format().FromInt(softfloat.NearestEven, softfloat.Int{Width: 8, Signed: true}, v&0xff)
		}
		if r.IntN(5) == 0 {
			return []uint64{typ.Min(), typ.Max(), 0, 1}[r.IntN(4)]
		}
		return typ.Trunc(v)
	}
	exact := func(typ Type, v uint64) softfloat.Pair {
		var n softfloat.Pair
		if typ.IsFloat() {
			n, _ = x.From(softfloat.NearestEven, typ.Format(), v)
		} else {
			n, _ = x.FromInt(softfloat.NearestEven, intType(typ), v)
		}
		return n
	}
	for range 4000 {
		p := NewPool()
		s, u := sources[r.IntN(len(sources))], sources[r.IntN(len(sources))]
		a, b := p.Var("a", s), p.Var("b", u)
		v, w := pick(s), pick(u)
		env := func(e *Expr) uint64 {
			if e == a {
				return v
			}
			return w
		}
		// a constant near to the value, or another one
		c := exact(u, w)
		if r.IntN(2) == 0 {
			c = exact(s, v)
		}
		if r.IntN(2) == 0 && c.High&0x7fff != 0 {
			c.Low = (c.Low + uint64(r.IntN(5)) - 2) | 1<<63
		}
		for _, op := range []Op{XEq, XLt, XLe} {
			for _, k := range []struct {
				e    *Expr
				a, b softfloat.Pair
			}{
				{p.XCompare(op, p.XFrom(Float80, a), p.XFrom(Float80, b)), exact(s, v), exact(u, w)},
				{p.XCompare(op, p.XFrom(Float80, a), p.XConst(Float80, c)), exact(s, v), c},
				{p.XCompare(op, p.XConst(Float80, c), p.XFrom(Float80, a)), c, exact(s, v)},
				{p.XCompare(op, p.XNeg(p.XFrom(Float80, a)), p.XConst(Float80, c)), x.Neg(exact(s, v)), c},
			} {
				if compareExtended(op, x, k.a, k.b) != Eval(k.e, env) {
					require.Failf(t, "wrong", "%v of %v and %v for %x %x, constant %x", k.e, s, u, v, w, c)
				}
			}
		}
		m := softfloat.Mode(r.IntN(softfloat.Modes))
		for _, to := range sources {
			if to.IsFloat() {
				want, _ := x.Convert(m, to.Format(), exact(s, v))
				require.Equal(t, want, Eval(p.XToF(p.Rounding(m), to, p.XFrom(Float80, a)), env), "%v to %v: %x", s, to, v)
				continue
			}
			want, _, _ := x.ToInt(m, intType(to), exact(s, v))
			require.Equal(t, want, Eval(p.XToInt(p.Rounding(m), to, p.XFrom(Float80, a)), env), "%v to %v: %x", s, to, v)
		}
	}
}
