package solvertest

import (
	"fmt"
	"math/rand/v2"

	"magus/smt/expr"
	"magus/smt/softfloat"
)

// Floats draws conditions over floating-point variables and a few integers.
type Floats struct {
	Rand *rand.Rand
	Pool *expr.Pool
	Vars []*expr.Expr // of Types
	Ints []*expr.Expr
	// Types are the floating-point types of subterms.
	Types []expr.Type
	// Remainders says whether there are any: their circuits are large.
	Remainders bool
}

// NewFloats has n variables of the formats, and one integer of that width.
func NewFloats(r *rand.Rand, n, width int, formats ...softfloat.Format) *Floats {
	g := &Floats{Rand: r, Pool: expr.NewPool(), Remainders: true}
	for _, f := range formats {
		g.Types = append(g.Types, expr.FloatType(f))
	}
	for i := range n {
		g.Vars = append(g.Vars, g.Pool.Var(fmt.Sprintf("x%d", i), pick(r, g.Types...)))
	}
	g.Ints = []*expr.Expr{g.Pool.Var("i", expr.Type{Width: uint8(width), Signed: r.IntN(2) == 0})}
	return g
}

func (g *Floats) mode() *expr.Expr {
	return g.Pool.Rounding(softfloat.Mode(g.Rand.IntN(softfloat.Modes)))
}

// Constant draws a simple number, a special one, or any.
func (g *Floats) Constant(t expr.Type) *expr.Expr {
	f := t.Format()
	v := g.Rand.Uint64()
	switch g.Rand.IntN(4) {
	case 0:
		v = pick(g.Rand, f.Zero(), f.Neg(f.Zero()), f.One(), f.Neg(f.One()), f.Inf(), f.NaN(), f.Max(), f.MinNormal(), 1)
	case 1:
		v, _ = f.FromInt(softfloat.NearestEven, softfloat.Int{Width: 6, Signed: true}, v)
	}
	return g.Pool.Const(t, v)
}

func (g *Floats) leaf(t expr.Type) *expr.Expr {
	for _, i := range g.Rand.Perm(len(g.Vars)) {
		if v := g.Vars[i]; v.Type() == t && g.Rand.IntN(4) > 0 {
			return v
		}
	}
	return g.Constant(t)
}

// Term draws a term of a floating-point type of at most the given depth.
func (g *Floats) Term(t expr.Type, depth int) *expr.Expr {
	if depth == 0 {
		return g.leaf(t)
	}
	p, sub := g.Pool, func() *expr.Expr { return g.Term(t, depth-1) }
	ops := []expr.Op{expr.Const, expr.Ite, expr.FAdd, expr.FAdd, expr.FMul, expr.FMul, expr.FDiv, expr.FFma, expr.FSqrt,
		expr.FRound, expr.FNeg, expr.FAbs, expr.FCast, expr.IntToF, expr.FFrom}
	if g.Remainders {
		ops = append(ops, expr.FRem, expr.FMod)
	}
	switch op := pick(g.Rand, ops...); op {
	case expr.Const:
		return g.leaf(t)
	case expr.Ite:
		return p.Ite(g.Cond(depth-1), sub(), sub())
	case expr.FAdd, expr.FMul, expr.FDiv:
		return p.Apply(op, t, g.mode(), sub(), sub())
	case expr.FFma:
		return p.FFma(g.mode(), sub(), sub(), sub())
	case expr.FSqrt, expr.FRound:
		return p.Apply(op, t, g.mode(), sub())
	case expr.FNeg, expr.FAbs:
		return p.Apply(op, t, sub())
	case expr.FCast:
		return p.FCast(g.mode(), t, g.Term(pick(g.Rand, g.Types...), depth-1))
	case expr.IntToF:
		return p.IntToF(g.mode(), t, g.Int(depth-1))
	case expr.FFrom:
		return p.FFrom(t, p.Cast(t.BitsType(), g.Int(depth-1)))
	default:
		return p.Apply(op, t, sub(), sub())
	}
}

// Int draws an integer of the variable's type.
func (g *Floats) Int(depth int) *expr.Expr {
	p, v := g.Pool, g.Ints[0]
	t := v.Type()
	if depth == 0 {
		if g.Rand.IntN(3) == 0 {
			return p.Const(t, g.Rand.Uint64())
		}
		return v
	}
	x := g.Term(pick(g.Rand, g.Types...), depth-1)
	switch g.Rand.IntN(4) {
	case 0:
		return p.Cast(t, p.FBits(x))
	case 1:
		return p.Add(g.Int(depth-1), g.Int(depth-1))
	}
	return p.FToInt(g.mode(), t, x)
}

// Cond draws a condition of at most the given depth.
func (g *Floats) Cond(depth int) *expr.Expr {
	p, t := g.Pool, pick(g.Rand, g.Types...)
	below := max(0, depth-1)
	term := func() *expr.Expr { return g.Term(t, below) }
	if depth > 0 {
		switch sub := func() *expr.Expr { return g.Cond(below) }; g.Rand.IntN(8) {
		case 0:
			return p.Not(sub())
		case 1:
			return p.Land(sub(), sub())
		case 2:
			return p.Lor(sub(), sub())
		case 3:
			return p.FInRange(g.mode(), g.Ints[0].Type(), term())
		case 4:
			return p.Lt(g.Int(below), g.Int(below))
		}
	}
	c := p.Apply(pick(g.Rand, expr.FEq, expr.FLt, expr.FLe, expr.FLt, expr.FLe, expr.Eq), expr.Bool, term(), term())
	switch g.Rand.IntN(8) {
	case 0:
		c = p.FIsNaN(term())
	case 1:
		c = p.FIsNegative(term())
	}
	if g.Rand.IntN(3) == 0 {
		return p.Not(c)
	}
	return c
}
