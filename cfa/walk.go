package cfa

// Syntactic questions about C expressions.

import "modernc.org/cc/v4"

// unparen strips parentheses.
func unparen(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch x := n.(type) {
		case *cc.PrimaryExpression:
			if x.Case != cc.PrimaryExpressionExpr {
				return n
			}
			n = x.ExpressionList
		case *cc.ExpressionList:
			if x.ExpressionList != nil {
				return n
			}
			n = x.AssignmentExpression
		case *cc.ConstantExpression:
			n = x.ConditionalExpression
		default:
			return n
		}
	}
}

// operands are the direct subexpressions of an expression. Those of sizeof
// and _Alignof, which are not evaluated, and the statements of a statement
// expression are left out.
func operands(n cc.ExpressionNode) []cc.ExpressionNode {
	switch x := unparen(n).(type) {
	case *cc.ExpressionList:
		var list []cc.ExpressionNode
		for ; x != nil; x = x.ExpressionList {
			list = append(list, x.AssignmentExpression)
		}
		return list
	case *cc.AssignmentExpression:
		return []cc.ExpressionNode{x.UnaryExpression, x.AssignmentExpression}
	case *cc.ConditionalExpression:
		return []cc.ExpressionNode{x.LogicalOrExpression, middle(x), x.ConditionalExpression}
	case *cc.LogicalOrExpression:
		return []cc.ExpressionNode{x.LogicalOrExpression, x.LogicalAndExpression}
	case *cc.LogicalAndExpression:
		return []cc.ExpressionNode{x.LogicalAndExpression, x.InclusiveOrExpression}
	case *cc.CastExpression:
		return []cc.ExpressionNode{x.CastExpression}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec, cc.UnaryExpressionImag, cc.UnaryExpressionReal:
			return []cc.ExpressionNode{x.UnaryExpression}
		case cc.UnaryExpressionAddrof, cc.UnaryExpressionDeref, cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
			return []cc.ExpressionNode{x.CastExpression}
		}
	case *cc.PostfixExpression:
		return postfixOperands(x)
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionGeneric {
			if a := x.GenericSelection.Associated(); a != nil {
				return []cc.ExpressionNode{a.AssignmentExpression}
			}
		}
	default:
		if b := asBinary(x); b != nil {
			return []cc.ExpressionNode{b.left, b.right}
		}
	}
	return nil
}

// middle is b of a ? b : c, and a of GCC's a ?: c.
func middle(x *cc.ConditionalExpression) cc.ExpressionNode {
	if x.ExpressionList == nil {
		return x.LogicalOrExpression
	}
	return x.ExpressionList
}

func postfixOperands(x *cc.PostfixExpression) []cc.ExpressionNode {
	switch x.Case {
	case cc.PostfixExpressionIndex:
		return []cc.ExpressionNode{x.PostfixExpression, x.ExpressionList}
	case cc.PostfixExpressionCall:
		return append([]cc.ExpressionNode{x.PostfixExpression}, arguments(x)...)
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect, cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return []cc.ExpressionNode{x.PostfixExpression}
	case cc.PostfixExpressionComplit:
		var list []cc.ExpressionNode
		for l := x.InitializerList; l != nil; l = l.InitializerList {
			walkInitializer(l.Initializer, func(e cc.ExpressionNode) { list = append(list, e) })
		}
		return list
	}
	return nil
}

// arguments are the arguments of a call.
func arguments(n *cc.PostfixExpression) []cc.ExpressionNode {
	var args []cc.ExpressionNode
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		args = append(args, l.AssignmentExpression)
	}
	return args
}

// walkInitializer calls f for every subexpression of an initialiser.
func walkInitializer(n *cc.Initializer, f func(cc.ExpressionNode)) {
	if n == nil {
		return
	}
	if n.Case == cc.InitializerExpr {
		walkExpr(n.AssignmentExpression, f)
		return
	}
	for l := n.InitializerList; l != nil; l = l.InitializerList {
		walkInitializer(l.Initializer, f)
	}
}

// walkExpr calls f for an expression and all its subexpressions.
func walkExpr(n cc.ExpressionNode, f func(cc.ExpressionNode)) {
	if n == nil {
		return
	}
	f(n)
	for _, o := range operands(n) {
		walkExpr(o, f)
	}
}

// mentions reports whether the expression reads or writes d.
func mentions(n cc.ExpressionNode, d *cc.Declarator) bool {
	found := false
	walkExpr(n, func(e cc.ExpressionNode) { found = found || declarator(e) == d })
	return found
}

// mentionsIn is mentions for an initialiser.
func mentionsIn(n *cc.Initializer, d *cc.Declarator) bool {
	found := false
	walkInitializer(n, func(e cc.ExpressionNode) { found = found || declarator(e) == d })
	return found
}

// addressedDeclarator is d where the expression is &d, and nil elsewhere.
func addressedDeclarator(n cc.ExpressionNode) *cc.Declarator {
	u, ok := unparen(n).(*cc.UnaryExpression)
	if !ok || u.Case != cc.UnaryExpressionAddrof {
		return nil
	}
	return declarator(u.CastExpression)
}

// declarator is what an identifier names, if the expression is one and it
// names an object or a function.
func declarator(n cc.ExpressionNode) *cc.Declarator {
	x, ok := unparen(n).(*cc.PrimaryExpression)
	if !ok || x.Case != cc.PrimaryExpressionIdent {
		return nil
	}
	switch d := x.ResolvedTo().(type) {
	case *cc.Declarator:
		return d
	case *cc.Parameter:
		return d.Declarator
	}
	return nil
}

// A binaryOp is an operator of arithmetic or comparison.
type binaryOp int

const (
	opMul binaryOp = iota
	opDiv
	opRem
	opAdd
	opSub
	opShl
	opShr
	opAnd
	opXor
	opOr
	opEq
	opNe
	opLt
	opGt
	opLe
	opGe
)

// A binaryExpr is an expression with such an operator.
type binaryExpr struct {
	op          binaryOp
	left, right cc.ExpressionNode
}

// asBinary reads n as a binary expression, or is nil. The library numbers the
// cases of each production from 0, which is a mere operand, in the order of
// the operators above.
func asBinary(n cc.ExpressionNode) *binaryExpr {
	of := func(first binaryOp, c int, left, right cc.ExpressionNode) *binaryExpr {
		if c == 0 {
			return nil
		}
		return &binaryExpr{first + binaryOp(c-1), left, right}
	}
	switch x := n.(type) {
	case *cc.MultiplicativeExpression:
		return of(opMul, int(x.Case), x.MultiplicativeExpression, x.CastExpression)
	case *cc.AdditiveExpression:
		return of(opAdd, int(x.Case), x.AdditiveExpression, x.MultiplicativeExpression)
	case *cc.ShiftExpression:
		return of(opShl, int(x.Case), x.ShiftExpression, x.AdditiveExpression)
	case *cc.AndExpression:
		return of(opAnd, int(x.Case), x.AndExpression, x.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return of(opXor, int(x.Case), x.ExclusiveOrExpression, x.AndExpression)
	case *cc.InclusiveOrExpression:
		return of(opOr, int(x.Case), x.InclusiveOrExpression, x.ExclusiveOrExpression)
	case *cc.EqualityExpression:
		return of(opEq, int(x.Case), x.EqualityExpression, x.RelationalExpression)
	case *cc.RelationalExpression:
		return of(opLt, int(x.Case), x.RelationalExpression, x.ShiftExpression)
	}
	return nil
}
