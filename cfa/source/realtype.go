package source

// Types of arithmetic of floating point (C11 6.3.1.8, C23 annex H).
//
// Idea: the library takes _Float16, by the type that stands for it, for one that float and double become, and
// _Float128 for one that becomes long double. So the type of arithmetic is read off its operands.
//
// Cost: linear in the expression.

import (
	"slices"

	"modernc.org/cc/v4"
)

// realRanks are the types of floating point, those first that become the others.
var realRanks = []cc.Kind{HalfKind, cc.Float, cc.Double, cc.LongDouble, cc.Float128}

// RealType is the type of an expression, by its operands where it is arithmetic of floating point; nil if the
// library has none.
func RealType(n cc.ExpressionNode) cc.Type {
	n = Unparen(n)
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionStmt {
			if last := blockValue(x.CompoundStatement); last != nil {
				return usualReal(RealType(last), nil, x.Type())
			}
		}
	case *cc.ConditionalExpression:
		return usualReal(RealType(Middle(x)), RealType(x.ConditionalExpression), x.Type())
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionPlus || x.Case == cc.UnaryExpressionMinus {
			return usualReal(RealType(x.CastExpression), nil, x.Type())
		}
	case *cc.ExpressionList:
		for x.ExpressionList != nil {
			x = x.ExpressionList
		}
		return RealType(x.AssignmentExpression)
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			return x.UnaryExpression.Type()
		}
	}
	if b := AsBinary(n); b != nil && (b.Op == OpAdd || b.Op == OpSub || b.Op == OpMul || b.Op == OpDiv) {
		return usualReal(RealType(b.Left), RealType(b.Right), n.Type())
	}
	return n.Type()
}

// usualReal is the type that operands of two types are converted to; other if neither has floating point that is
// listed.
func usualReal(a, b, other cc.Type) cc.Type {
	rank := func(t cc.Type) int {
		if t == nil {
			return -1
		}
		return slices.Index(realRanks, t.Kind())
	}
	switch {
	case a != nil && cc.IsComplexType(a) || b != nil && cc.IsComplexType(b):
		return other
	case rank(a) < 0 && rank(b) < 0:
		return other
	case rank(a) >= rank(b):
		return a
	}
	return b
}

// isMisreal reports whether the library has another type for arithmetic of floating point than C.
func isMisreal(n cc.ExpressionNode) bool {
	t := RealType(n)
	return t != nil && n.Type() != nil && t.Kind() != n.Type().Kind()
}
