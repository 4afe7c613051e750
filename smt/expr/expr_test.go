package expr

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
	"magus/smt/softfloat"
)

// TestCanonicalForm pins the shapes that predicates rely on.
func TestCanonicalForm(t *testing.T) {
	p := NewPool()
	x, y := p.Var("x", Int32), p.Var("y", Int32)
	u := p.Var("u", Uint8)
	k := func(v int64) *Expr { return p.Int(Int32, v) }
	for _, c := range []struct {
		got  *Expr
		want string
	}{
		{p.Eq(p.Add(x, k(1)), p.Add(y, k(1))), "x == y"},
		{p.Eq(y, x), "x == y"},
		{p.Eq(p.Add(x, k(1)), y), "x == y - 1"},
		{p.Eq(y, p.Add(x, k(1))), "x == y - 1"},
		{p.Eq(p.Sub(x, y), k(0)), "x == y"},
		{p.Truth(p.Sub(x, k(12288))), "x != 12288"},
		{p.Le(x, k(9)), "x < 10"},
		{p.Gt(x, k(9)), "x >= 10"},
		{p.Ge(k(9), x), "x < 10"},
		{p.Lt(x, p.Const(Int32, Int32.Max())), "x != 2147483647"},
		{p.Le(x, p.Const(Int32, Int32.Max())), "1"},
		{p.Truth(p.FromBool(Int32, p.Lt(x, y))), "x < y"},
		{p.Eq(p.FromBool(Int32, p.Lt(x, y)), k(2)), "0"},
		{p.Eq(p.Cast(Int32, u), k(300)), "0"},
		{p.Lt(p.Cast(Int32, u), k(200)), "u < 200"},
		{p.Eq(p.Cast(Int64, x), p.Int(Int64, -1)), "x == -1"},
		{p.Add(p.Sub(x, y), y), "x"},
		{p.Sub(p.Add(x, y), y), "x"},
		{p.Land(p.Eq(x, y), p.Ne(x, y)), "0"},
		{p.Not(p.Land(p.Lt(x, y), p.Lt(y, k(3)))), "!(x < y && y < 3)"},
		{p.Mul(p.Add(x, k(2)), y), "y * (x + 2)"},
		{p.Cast(Uint8, p.Cast(Int32, u)), "u"},
	} {
		require.Equal(t, c.want, c.got.String())
	}
	require.Same(t, p.Eq(p.Add(x, k(1)), y), p.Eq(y, p.Add(x, k(1))))
}

// node is a term built without simplification, for comparison.
type node struct {
	op   Op
	typ  Type
	val  uint64
	args []*node
}

func (n *node) eval(env []uint64) uint64 {
	switch n.op {
	case Const:
		return n.val
	case Var:
		return n.typ.Trunc(env[n.val])
	case Ite:
		if n.args[0].eval(env) != 0 {
			return n.args[1].eval(env)
		}
		return n.args[2].eval(env)
	case Land:
		return n.args[0].eval(env) & n.args[1].eval(env)
	case Lor:
		return n.args[0].eval(env) | n.args[1].eval(env)
	case Not:
		return n.args[0].eval(env) ^ 1
	case Neg:
		return n.typ.Trunc(-n.args[0].eval(env))
	case Compl:
		return n.typ.Trunc(^n.args[0].eval(env))
	case Cast:
		return n.typ.Trunc(extend(n.args[0].typ, n.args[0].eval(env)))
	}
	return apply2(n.op, n.args[0].typ, n.args[0].eval(env), n.args[1].eval(env))
}

func (n *node) build(p *Pool) *Expr {
	switch n.op {
	case Const:
		return p.Const(n.typ, n.val)
	case Var:
		return p.Var(fmt.Sprintf("v%d_%v", n.val, n.typ), n.typ)
	}
	args := make([]*Expr, len(n.args))
	for i, a := range n.args {
		args[i] = a.build(p)
	}
	return p.Apply(n.op, n.typ, args...)
}

var testTypes = []Type{{Width: 3, Signed: false}, {Width: 3, Signed: true}, {Width: 4, Signed: true},
	{Width: 4, Signed: false}, {Width: 7, Signed: true}}

func drawNode(t *rapid.T, typ Type, depth int) *node {
	if depth == 0 || rapid.IntRange(0, 5).Draw(t, "leaf") == 0 {
		if typ.IsBool() || rapid.Bool().Draw(t, "const") {
			return &node{op: Const, typ: typ, val: typ.Trunc(rapid.Uint64().Draw(t, "val"))}
		}
		return &node{op: Var, typ: typ, val: uint64(rapid.IntRange(0, 2).Draw(t, "var"))}
	}
	sub := func(typ Type) *node { return drawNode(t, typ, depth-1) }
	other := rapid.SampledFrom(testTypes).Draw(t, "type")
	if typ.IsBool() {
		op := rapid.SampledFrom([]Op{Eq, Eq, Lt, Lt, Land, Lor, Not, Ite}).Draw(t, "op")
		switch op {
		case Eq, Lt:
			return &node{op: op, typ: typ, args: []*node{sub(other), sub(other)}}
		case Not:
			return &node{op: op, typ: typ, args: []*node{sub(Bool)}}
		case Ite:
			return &node{op: op, typ: typ, args: []*node{sub(Bool), sub(Bool), sub(Bool)}}
		}
		return &node{op: op, typ: typ, args: []*node{sub(Bool), sub(Bool)}}
	}
	op := rapid.SampledFrom([]Op{Add, Add, Sub, Mul, Div, Rem, Neg, And, Or, Xor, Compl, Shl, Shr, Cast, Cast, Ite}).
		Draw(t, "op")
	switch op {
	case Neg, Compl:
		return &node{op: op, typ: typ, args: []*node{sub(typ)}}
	case Cast:
		return &node{op: op, typ: typ, args: []*node{sub(other)}}
	case Ite:
		return &node{op: op, typ: typ, args: []*node{sub(Bool), sub(typ), sub(typ)}}
	}
	return &node{op: op, typ: typ, args: []*node{sub(typ), sub(typ)}}
}

// TestSimplificationKeepsValue compares every rule with plain evaluation.
func TestSimplificationKeepsValue(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom(append([]Type{Bool, Bool}, testTypes...)).Draw(t, "type")
		n := drawNode(t, typ, 4)
		p := NewPool()
		e := n.build(p)
		require.Equal(t, typ, e.Type())
		require.Same(t, e, n.build(p), "the same term twice is one term")
		for range 20 {
			env := []uint64{rapid.Uint64().Draw(t, "e0"), rapid.Uint64().Draw(t, "e1"), rapid.Uint64().Draw(t, "e2")}
			got := Eval(e, func(v *Expr) uint64 { return env[v.Name()[1]-'0'] })
			require.Equal(t, n.eval(env), got, "%v", e)
		}
	})
}

// TestSubstIsEvaluationUnderUpdate: evaluating e[x := r] is evaluating e where
// x has r's value, the law of weakest preconditions.
func TestSubstIsEvaluationUnderUpdate(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		p := NewPool()
		typ := rapid.SampledFrom(testTypes).Draw(t, "type")
		e := drawNode(t, Bool, 4).build(p)
		r := drawNode(t, typ, 3).build(p)
		x := p.Var(fmt.Sprintf("v0_%v", typ), typ)
		w := p.Subst(e, map[*Expr]*Expr{x: r})
		for range 10 {
			env := []uint64{rapid.Uint64().Draw(t, "e0"), rapid.Uint64().Draw(t, "e1"), rapid.Uint64().Draw(t, "e2")}
			val := func(v *Expr) uint64 { return env[v.Name()[1]-'0'] }
			rv := Eval(r, val)
			after := func(v *Expr) uint64 {
				if v == x {
					return rv
				}
				return val(v)
			}
			require.Equal(t, Eval(e, after), Eval(w, val))
		}
	})
}

func TestCommonFollowsC(t *testing.T) {
	require.Equal(t, Int32, Common(Int8, Uint16))
	require.Equal(t, Uint32, Common(Uint32, Int32))
	require.Equal(t, Int64, Common(Uint32, Int64))
	require.Equal(t, Uint64, Common(Uint64, Int64))
}

func TestVarsAreInOrderOfAge(t *testing.T) {
	p := NewPool()
	b, a := p.Var("b", Int32), p.Var("a", Int32)
	require.Equal(t, []*Expr{b, a}, Vars(p.Lt(a, b), p.Eq(a, b)))
}

// An offset compared with a constant is the index compared with one.
func TestMultiplesKeepValue(t *testing.T) {
	narrow := []Type{{Width: 4, Signed: true}, {Width: 4, Signed: false}, Int8, Uint8}
	sample.Check(t, func(t *rapid.T) {
		p := NewPool()
		in := rapid.SampledFrom(narrow).Draw(t, "in")
		wide := rapid.SampledFrom([]Type{Int16, Uint16, Uint8, {Width: 12, Signed: true}}).Draw(t, "wide")
		k := rapid.Uint64Range(0, 40).Draw(t, "k")
		i := rapid.Uint64().Draw(t, "i")
		x := p.Var("x", in)
		offset := p.Mul(p.Cast(wide, x), p.Const(wide, k))
		at := Eval(offset, func(*Expr) uint64 { return in.Trunc(i) })
		c := wide.Trunc(at + rapid.SampledFrom([]uint64{0, 0, 1, 7}).Draw(t, "off"))
		for v := range in.Mask() + 1 {
			got := Eval(p.Eq(offset, p.Const(wide, c)), func(*Expr) uint64 { return v })
			require.Equal(t, b2u(Eval(offset, func(*Expr) uint64 { return v }) == c), got, "%v at %d",
				p.Eq(offset, p.Const(wide, c)), v)
		}
	})
}

// Constants that have names are printed by them, whenever they were built;
// nothing else changes.
func TestNamedConstants(t *testing.T) {
	p := NewPool()
	x := p.Var("x", Uint32)
	early := p.Eq(x, p.Const(Uint32, 4096))
	p.NameConstants(func(t Type, v uint64) (string, bool) {
		switch {
		case t != Uint32:
			return "", false
		case v == 4096 || v == 8192:
			return fmt.Sprintf("&a%d", v/4096), true
		}
		return "-&a1", v == 1<<32-4096
	})
	require.Equal(t, "x == &a1", early.String())
	require.Same(t, early, p.Eq(x, p.Const(Uint32, 4096)))
	require.Equal(t, "x != &a2", p.Not(p.Eq(x, p.Const(Uint32, 8192))).String())
	require.Equal(t, "(x - &a1) * 2U", p.Mul(p.Add(x, p.Const(Uint32, 1<<32-4096)), p.Const(Uint32, 2)).String())
	require.Equal(t, "4096", p.Const(Uint64, 4096).String()[:4])
	require.Equal(t, uint64(4096), p.Const(Uint32, 4096).Value())
}

// TestSharedTermsTakeLittle: where values are chosen again and again among a few before them, as merges of
// ways make them, what is made of them takes about as much as there are choices. The ways through them are 2
// to the power of that.
func TestSharedTermsTakeLittle(t *testing.T) {
	const row = 60
	sample.Check(t, func(t *rapid.T) {
		p := NewPool()
		typ := rapid.SampledFrom([]Type{Int32, Uint8}).Draw(t, "type")
		ops := rapid.SliceOfN(rapid.SampledFrom([]Op{Eq, Eq, Lt, Lt, Cast, Add, Neg, Mul, And, Xor}), 1, 2).Draw(t, "ops")
		variables := rapid.IntRange(0, 2).Draw(t, "variables")
		var values []*Expr
		for i := range 4 {
			if values = append(values, p.Const(typ, uint64(40*i))); i < variables {
				values[i] = p.Var(fmt.Sprintf("v%d", i), typ)
			}
		}
		before := func() *Expr { return values[len(values)-1-rapid.IntRange(0, 3).Draw(t, "before")] }
		for i := range row {
			cond := p.Var(fmt.Sprintf("c%d", i), Bool)
			value, other := before(), before()
			op := rapid.SampledFrom(ops).Draw(t, "op")
			began := mallocs()
			switch op {
			case Eq, Lt:
				p.Apply(op, Bool, value, other)
			case Cast:
				value = p.Cast(typ, p.Cast(Int64, value))
			case Neg:
				value = p.Neg(value)
			default:
				value = p.Apply(op, typ, value, other)
			}
			values = append(values, p.Ite(cond, value, other))
			require.Less(t, mallocs()-began, uint64(20_000), "after %d", i)
		}
	})
}

// mallocs is how many objects were allocated so far.
func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// TestOperandsTellTermsApart: terms that differ in one operand, wherever it stands, are different terms.
func TestOperandsTellTermsApart(t *testing.T) {
	p := NewPool()
	d := FloatType(softfloat.Double)
	x, y, z, w := p.Var("x", d), p.Var("y", d), p.Var("z", d), p.Var("w", d)
	near, down := p.Rounding(softfloat.NearestEven), p.Rounding(softfloat.TowardNegative)
	c := p.Var("c", Bool)
	terms := []*Expr{
		p.FFma(near, x, y, z), p.FFma(down, x, y, z), p.FFma(near, w, y, z), p.FFma(near, x, w, z), p.FFma(near, x, y, w),
		p.Ite(c, x, y), p.Ite(c, x, z), p.Ite(c, z, y),
	}
	for i, a := range terms {
		for _, b := range terms[:i] {
			require.NotSame(t, a, b, "%v and %v", a, b)
		}
	}
	require.Same(t, terms[0], p.FFma(near, x, y, z))
}

// TestTermsAreFound: in a pool of many terms each is found again, and they have numbers in order of age.
func TestTermsAreFound(t *testing.T) {
	p := NewPool()
	const n = 2000
	build := func() (all []*Expr) {
		for i := range n {
			v := p.Var(fmt.Sprint("v", i%50), Int32)
			all = append(all, p.Add(v, p.Mul(v, p.Const(Int32, uint64(i)))), p.Xor(v, p.Const(Int32, uint64(i))))
		}
		return all
	}
	first := build()
	size := len(p.Terms())
	require.Equal(t, first, build())
	require.Len(t, p.Terms(), size)
	for i, e := range p.Terms() {
		require.EqualValues(t, i, e.ID())
	}
}
