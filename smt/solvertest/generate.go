package solvertest

import (
	"fmt"
	"math/rand/v2"

	"magus/smt/expr"
)

// A Generator draws conditions over a few variables.
type Generator struct {
	Rand *rand.Rand
	Pool *expr.Pool
	Vars []*expr.Expr
	// Types are the types of subterms; those of Vars are among them.
	Types []expr.Type
}

// NewGenerator has n variables of one or two types of at most width bits.
func NewGenerator(r *rand.Rand, n, width int) *Generator {
	g := &Generator{Rand: r, Pool: expr.NewPool()}
	for range 1 + r.IntN(2) {
		g.Types = append(g.Types, expr.Type{Width: uint8(1 + r.IntN(width)), Signed: r.IntN(2) == 0})
	}
	for i := range n {
		t := g.Types[r.IntN(len(g.Types))]
		if r.IntN(12) == 0 {
			t = expr.Bool
		}
		g.Vars = append(g.Vars, g.Pool.Var(fmt.Sprintf("v%d", i), t))
	}
	return g
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// leaf is a variable of type t where there is one, or a constant.
func (g *Generator) leaf(t expr.Type) *expr.Expr {
	v := pick(g.Rand, g.Vars...)
	if g.Rand.IntN(4) == 0 {
		return g.Pool.Const(t, g.Rand.Uint64())
	}
	switch {
	case v.Type() == t:
		return v
	case v.Type().IsBool():
		return g.Pool.FromBool(t, v)
	case t.IsBool():
		return g.Pool.Truth(v)
	}
	return g.Pool.Cast(t, v)
}

// Term draws a term of type t of at most the given depth.
func (g *Generator) Term(t expr.Type, depth int) *expr.Expr {
	if depth == 0 {
		return g.leaf(t)
	}
	if t.IsBool() {
		return g.Cond(depth)
	}
	sub := func() *expr.Expr { return g.Term(t, depth-1) }
	op := pick(g.Rand, expr.Add, expr.Sub, expr.Mul, expr.Div, expr.Rem, expr.Neg, expr.And, expr.Or, expr.Xor, expr.Compl,
		expr.Shl, expr.Shr, expr.Cast, expr.Ite, expr.Const)
	switch op {
	case expr.Const:
		return g.leaf(t)
	case expr.Neg, expr.Compl:
		return g.Pool.Apply(op, t, sub())
	case expr.Cast:
		return g.Pool.Cast(t, g.Term(pick(g.Rand, g.Types...), depth-1))
	case expr.Ite:
		return g.Pool.Ite(g.Cond(depth-1), sub(), sub())
	}
	return g.Pool.Apply(op, t, sub(), sub())
}

// Cond draws a condition of at most the given depth.
func (g *Generator) Cond(depth int) *expr.Expr {
	if depth == 0 {
		return g.Literal()
	}
	sub := func() *expr.Expr { return g.Cond(depth - 1) }
	switch g.Rand.IntN(6) {
	case 0:
		return g.Pool.Not(sub())
	case 1:
		return g.Pool.Land(sub(), sub(), sub())
	case 2:
		return g.Pool.Lor(sub(), sub())
	case 3:
		return g.Pool.Eq(sub(), sub())
	}
	t := pick(g.Rand, g.Types...)
	return g.Pool.Apply(pick(g.Rand, expr.Eq, expr.Lt), t, g.Term(t, depth-1), g.Term(t, depth-1))
}

// Literal draws a comparison of a variable with a variable of its type or a
// constant, or the negation of one.
func (g *Generator) Literal() *expr.Expr {
	x := pick(g.Rand, g.Vars...)
	y := pick(g.Rand, g.Vars...)
	if x.Type() != y.Type() || g.Rand.IntN(2) == 0 {
		y = g.Pool.Const(x.Type(), g.Rand.Uint64())
	}
	f := g.Pool.Eq(x, y)
	if !x.Type().IsBool() && g.Rand.IntN(2) == 0 {
		f = g.Pool.Lt(x, y)
	}
	if g.Rand.IntN(2) == 0 {
		f = g.Pool.Not(f)
	}
	return f
}
