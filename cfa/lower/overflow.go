package lower

// Signed operations that overflow (C11 6.5, paragraph 5), where they are asked about: the run ends there, or
// performs error.
//
// Idea: the operands are compared with the bounds that the other one leaves, so that where one is a constant
// the other is compared with a constant. Products of up to 32 bits are exact in 64 bits, wider ones are
// divided again.
//
// Left out: shifts to the left, which wrap, and conversions, which are defined by the implementation.

import (
	"math"

	"modernc.org/cc/v4"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"
)

// signed looks at a binary operation of two values of one type before it is made.
func (l *terms) signed(n cc.Node, op source.BinaryOp, x, y *expr.Expr) {
	if l.opt.SignedOverflow != cfa.OverflowWraps && x.Type().Signed {
		l.noOverflow(n, l.overflows(op, x, y))
	}
}

// negated looks at a negation before it is made.
func (l *terms) negated(n cc.Node, x *expr.Expr) {
	if l.opt.SignedOverflow != cfa.OverflowWraps && x != nil && x.Type().Signed {
		l.noOverflow(n, l.Pool.Eq(x, l.Pool.Const(x.Type(), x.Type().Min())))
	}
}

// noOverflow goes on where a condition does not hold.
func (l *terms) noOverflow(n cc.Node, overflows *expr.Expr) {
	if overflows.IsFalse() || l.Dead() {
		return
	}
	pos := source.Position(n.Position())
	yes, no := l.Branch(overflows, pos)
	l.Continue(yes)
	if len(yes) > 0 {
		if l.opt.SignedOverflow == cfa.OverflowIsError {
			l.Asked(cfa.SignedOverflow, pos)
		} else {
			l.Assume(cfa.AboutOverflow, pos, "no signed operation overflows: a run ends where one does")
			l.Halt(cfa.SignedOverflow, pos)
		}
	}
	l.Continue(no)
}

// overflows is the condition under which an operation overflows.
func (l *terms) overflows(op source.BinaryOp, x, y *expr.Expr) *expr.Expr {
	p, t := l.Pool, x.Type()
	least, most := p.Const(t, t.Min()), p.Const(t, t.Max())
	zero, minus := p.Const(t, 0), p.Int(t, -1)
	switch op {
	case source.OpAdd:
		if x.IsConst() {
			x, y = y, x
		}
		return p.Ite(p.Lt(y, zero), p.Lt(x, p.Sub(least, y)), p.Lt(p.Sub(most, y), x))
	case source.OpSub:
		return p.Ite(p.Lt(y, zero), p.Lt(p.Add(most, y), x), p.Lt(x, p.Add(least, y)))
	case source.OpMul:
		return l.productOverflows(x, y)
	case source.OpDiv, source.OpRem:
		return p.Land(p.Eq(x, least), p.Eq(y, minus))
	}
	return p.False()
}

// productOverflows is the condition under which a product does.
func (l *terms) productOverflows(x, y *expr.Expr) *expr.Expr {
	p, t := l.Pool, x.Type()
	least, most := p.Const(t, t.Min()), p.Const(t, t.Max())
	zero, minus := p.Const(t, 0), p.Int(t, -1)
	if x.IsConst() {
		x, y = y, x
	}
	switch {
	case y == zero:
		return p.False()
	case y == minus:
		return p.Eq(x, least)
	case y.IsConst() && y.Int() > 0:
		return p.Lor(p.Lt(p.Div(most, y), x), p.Lt(x, p.Div(least, y)))
	case y.IsConst():
		return p.Lor(p.Lt(p.Div(least, y), x), p.Lt(x, p.Div(most, y)))
	}
	// What follows from the rest, and is easier to decide: one factor at least is greater than the root of the bound.
	large := p.Lor(l.beyondRoot(x), l.beyondRoot(y))
	if t.Width <= 32 {
		wide := p.Mul(p.Cast(expr.Int64, x), p.Cast(expr.Int64, y))
		return p.Land(large, p.Lor(p.Lt(wide, p.Cast(expr.Int64, least)), p.Lt(p.Cast(expr.Int64, most), wide)))
	}
	return p.Land(large, p.Lor(p.Land(p.Eq(x, minus), p.Eq(y, least)), p.Land(p.Eq(y, minus), p.Eq(x, least)),
		p.Land(p.Ne(x, zero), p.Ne(x, minus), p.Ne(p.Div(p.Mul(x, y), x), y))))
}

// beyondRoot is that a number, or the opposite one, is greater than the root of the greatest number of its
// type: the product of two that are not is a number of the type.
func (l *terms) beyondRoot(x *expr.Expr) *expr.Expr {
	p, t := l.Pool, x.Type()
	root := int64(math.Sqrt(float64(t.Max())))
	for uint64(root) > t.Max()/uint64(root) { // the floating-point root may be too great
		root--
	}
	return p.Lor(p.Lt(x, p.Int(t, -root)), p.Lt(p.Int(t, root), x))
}
