package expr

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"magus/smt/softfloat"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

// A plain is a term with its value computed step by step, without rules.
type plain struct {
	e  *Expr
	of func(env map[*Expr]uint64) uint64
}

// plainTerms draws terms of tiny formats and integers.
type plainTerms struct {
	r    *rand.Rand
	p    *Pool
	vars []*Expr
	ints []*Expr
	typs []Type
}

func newPlainTerms(r *rand.Rand, formats ...softfloat.Format) *plainTerms {
	g := &plainTerms{r: r, p: NewPool()}
	for i, f := range formats {
		t := FloatType(f)
		g.typs = append(g.typs, t)
		g.vars = append(g.vars, g.p.Var(fmt.Sprintf("x%d", i), t))
	}
	g.ints = []*Expr{g.p.Var("i", Type{Width: 4, Signed: true}), g.p.Var("j", Type{Width: 3})}
	return g
}

// apply is an operator on terms, with what is folded as its value.
func (g *plainTerms) apply(op Op, t Type, args ...plain) plain {
	es := make([]*Expr, len(args))
	for i, a := range args {
		es[i] = a.e
	}
	of := func(env map[*Expr]uint64) uint64 {
		v := make([]uint64, len(args))
		for i, a := range args {
			v[i] = a.of(env)
		}
		if op.IsFloat() {
			return applyFloat(op, t, es[len(es)-1].typ, v)
		}
		switch op {
		case Ite:
			if v[0] == 1 {
				return v[1]
			}
			return v[2]
		case Cast:
			return t.Trunc(extend(es[0].typ, v[0]))
		}
		return apply2(op, es[0].typ, v[0], v[1])
	}
	return plain{g.p.Apply(op, t, es...), of}
}

func (g *plainTerms) constant(t Type, v uint64) plain {
	e := g.p.Const(t, v)
	return plain{e, func(map[*Expr]uint64) uint64 { return e.val }}
}

// number is any constant, or a simple one.
func (g *plainTerms) number(t Type) plain {
	v := g.r.Uint64()
	if g.r.IntN(2) == 0 {
		v, _ = t.Format().FromInt(softfloat.NearestEven, softfloat.Int{Width: 5, Signed: true}, v)
	}
	return g.constant(t, v)
}

func (g *plainTerms) variable(v *Expr) plain {
	return plain{v, func(env map[*Expr]uint64) uint64 { return env[v] }}
}

func (g *plainTerms) mode() plain {
	return g.constant(Mode, uint64(max(0, g.r.IntN(8)-3)))
}

func (g *plainTerms) float(t Type, depth int) plain {
	if depth == 0 || g.r.IntN(6) == 0 {
		for i, u := range g.typs {
			if u == t && g.r.IntN(3) > 0 {
				return g.variable(g.vars[i])
			}
		}
		return g.number(t)
	}
	sub := func() plain { return g.float(t, depth-1) }
	switch g.r.IntN(12) {
	case 0, 1:
		return g.apply(FAdd, t, g.mode(), sub(), sub())
	case 2, 3:
		return g.apply(FMul, t, g.mode(), sub(), sub())
	case 4:
		return g.apply(FDiv, t, g.mode(), sub(), sub())
	case 5:
		return g.apply(FSqrt, t, g.mode(), sub())
	case 6:
		return g.apply(FRound, t, g.mode(), sub())
	case 7:
		return g.apply([]Op{FNeg, FAbs}[g.r.IntN(2)], t, sub())
	case 8:
		if from := g.typs[g.r.IntN(len(g.typs))]; from != t {
			return g.apply(FCast, t, g.mode(), g.float(from, depth-1))
		}
		return sub()
	case 9:
		return g.apply(IntToF, t, g.mode(), g.int(depth-1))
	case 10:
		return g.apply([]Op{FRem, FMod}[g.r.IntN(2)], t, sub(), sub())
	}
	if g.r.IntN(2) == 0 {
		return g.apply(FFma, t, g.mode(), sub(), sub(), sub())
	}
	return g.apply(Ite, t, g.cond(depth-1), sub(), sub())
}

func (g *plainTerms) int(depth int) plain {
	v := g.variable(g.ints[g.r.IntN(len(g.ints))])
	t := v.e.typ
	switch {
	case depth == 0 || g.r.IntN(4) == 0:
		return v
	case g.r.IntN(3) == 0:
		wide := Type{Width: 5, Signed: true}
		return g.apply(Cast, wide, v)
	}
	return g.apply(FToInt, t, g.mode(), g.float(g.typs[g.r.IntN(len(g.typs))], depth-1))
}

func (g *plainTerms) cond(depth int) plain {
	if g.r.IntN(4) == 0 {
		a := g.int(max(0, depth-1))
		return g.apply([]Op{Eq, Lt}[g.r.IntN(2)], Bool, a, g.constant(a.e.typ, g.r.Uint64()))
	}
	t := g.typs[g.r.IntN(len(g.typs))]
	a, b := g.float(t, max(0, depth-1)), g.float(t, max(0, depth-1))
	if g.r.IntN(2) == 0 {
		b = g.number(t)
	}
	if g.r.IntN(2) == 0 {
		a, b = b, a
	}
	return g.apply([]Op{FEq, FLt, FLe}[g.r.IntN(3)], Bool, a, b)
}

// TestFloatRules compares terms that went through the rules with what they stand for,
// for all values of their variables.
func TestFloatRules(t *testing.T) {
	sample.Long(t)
	formats := [][]softfloat.Format{
		{{Exp: 2, Prec: 3}, {Exp: 3, Prec: 3}}, {{Exp: 3, Prec: 2}, {Exp: 3, Prec: 4}},
		{{Exp: 3, Prec: 3}, {Exp: 5, Prec: 8}},
		{{Exp: 4, Prec: 2}, {Exp: 2, Prec: 2}}, {softfloat.Half, softfloat.Single}, {softfloat.Single, softfloat.Double},
	}
	r := rand.New(rand.NewPCG(11, 12))
	decided := 0
	for range 6000 {
		g := newPlainTerms(r, formats[r.IntN(len(formats))]...)
		c := g.cond(1 + r.IntN(4))
		if g.r.IntN(3) == 0 {
			c = g.float(g.typs[0], 1+r.IntN(3))
		}
		if c.e.IsConst() {
			decided++
		}
		vars := Vars(c.e)
		all := append(append([]*Expr{}, g.vars...), g.ints...)
		for n := range 400 {
			env := map[*Expr]uint64{}
			for _, v := range all {
				if env[v] = v.typ.Trunc(r.Uint64()); v.typ.IsFloat() && r.IntN(2) == 0 {
					env[v] = g.number(v.typ).e.val
				}
			}
			if len(vars) == 1 { // all of its values
				env[vars[0]] = vars[0].typ.Trunc(uint64(n))
			}
			want := c.of(env)
			if got := Eval(c.e, func(v *Expr) uint64 { return env[v] }); got != want {
				require.Failf(t, "wrong", "%v at %v: %#x, not %#x", c.e, env, got, want)
			}
			if c.e.typ.IsFloat() {
				is, f := g.p.rangeOf(c.e), c.e.typ.Format()
				if f.IsNaN(want) {
					require.True(t, is.NaN, "%v at %v", c.e, env)
				} else {
					require.True(t, is.has(Place(f, want)), "%v at %v: %#x in %v", c.e, env, want, is)
					require.GreaterOrEqual(t, GridOf(f, want), is.Grid, "%v at %v: %#x on the grid", c.e, env, want)
				}
			}
		}
	}
	require.Greater(t, decided, 200)
}

// TestComparisonsWithConstants: a comparison of a function of x with a constant is
// said of x.
func TestComparisonsWithConstants(t *testing.T) {
	p := NewPool()
	rne := p.Rounding(softfloat.NearestEven)
	x, d, i := p.Var("x", Float32), p.Var("d", Float64), p.Var("i", Int32)
	f := func(s string) *Expr { return number(t, p, Float32, s) }
	w := func(s string) *Expr { return number(t, p, Float64, s) }
	for _, c := range []struct {
		e    *Expr
		want string
	}{
		{p.FLt(p.FCast(rne, Float64, x), w("0.1")), "x < 0.1f"},
		{p.FLe(p.FCast(rne, Float64, x), w("0.1")), "x <= 0.099999994f"},
		{p.FEq(p.FCast(rne, Float64, x), w("0.1")), "0"},
		{p.FLt(p.FAdd(rne, x, f("1")), f("10")), "x < 9.0f"},
		{p.FLe(f("10"), p.FMul(rne, x, f("-2"))), "x <= -5.0f"},
		{p.FLt(p.FMul(rne, x, f("0.5")), f("inf")), "x < INFINITY"},
		{p.FLt(p.FSqrt(rne, x), f("2")), "0.0f <= x && x < 4.0f"},
		{p.FLt(p.FAbs(x), f("1")), "x < 1.0f && -1.0f < x"},
		{p.FLt(p.IntToF(rne, Float64, i), w("2.5")), "i < 3"},
		{p.FEq(p.IntToF(rne, Float64, i), w("2.5")), "0"},
		{p.FLt(p.IntToF(rne, Float64, i), w("1e300")), "1"},
		{p.FLt(p.FSub(rne, x, f("2")), f("0")), "x < 2.0f"},
		{p.Lt(p.FToInt(p.Rounding(softfloat.TowardZero), Int32, d), p.Int(Int32, 0)),
			"-2147483648.9999995 <= d && d <= -1.0"},
		{p.FIsNaN(p.FAdd(rne, x, f("1"))), "x != x"},
		{p.FLe(p.FDiv(rne, x, f("4")), f("1")), "x <= 4.0f"},
		{p.FLt(p.FMul(rne, p.IntToF(rne, Float64, i), w("0.1")), w("1")), "i < 10"},
	} {
		assert.Equal(t, c.want, c.e.String())
	}
}

// TestNarrowed: what is computed with double and cut to float is computed with float.
func TestNarrowed(t *testing.T) {
	p := NewPool()
	rne := p.Rounding(softfloat.NearestEven)
	x, y := p.Var("x", Float32), p.Var("y", Float32)
	wide := func(a *Expr) *Expr { return p.FCast(rne, Float64, a) }
	half, tenth := number(t, p, Float64, "0.5"), number(t, p, Float64, "0.1")
	for _, c := range []struct {
		e    *Expr
		want string
	}{
		{p.FAdd(rne, wide(x), wide(y)), "x + y"},
		{p.FMul(rne, wide(x), half), "x * 0.5f"},
		{p.FMul(rne, wide(x), tenth), "(float)((double)x * 0.1)"},
		{p.FSqrt(rne, wide(x)), "sqrt(x)"},
		{p.FDiv(rne, half, p.FNeg(wide(x))), "0.5f / -x"},
	} {
		assert.Equal(t, c.want, p.FCast(rne, Float32, c.e).String())
	}
}
