package source

// What expressions point to.
//
// The library takes &a[i], of an array whose elements are arrays, for a pointer to a pointer: it has made an address of
// a[i] before. What such an expression points to is read off the syntax here, through the operators that hand
// a pointer on. Where the library has made a type of it, by typeof or __auto_type, that is refused (Mistyped).

import "modernc.org/cc/v4"

// Pointee is the type of what an expression points to that is an address; nil for others.
func Pointee(n cc.ExpressionNode) cc.Type {
	n = Unparen(n)
	if n == nil || n.Type() == nil {
		return nil
	}
	if IsArray(n) {
		if a, ok := n.Type().Undecay().(*cc.ArrayType); ok {
			return a.Elem()
		}
	}
	switch x := n.(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionAddrof && IsArray(x.CastExpression) {
			return Unparen(x.CastExpression).Type().Undecay()
		}
	case *cc.AdditiveExpression:
		switch {
		case x.Case == cc.AdditiveExpressionMul:
		case IsAddress(x.AdditiveExpression) && !IsAddress(x.MultiplicativeExpression):
			return Pointee(x.AdditiveExpression)
		case IsAddress(x.MultiplicativeExpression) && !IsAddress(x.AdditiveExpression):
			return Pointee(x.MultiplicativeExpression)
		}
	case *cc.ExpressionList:
		for x.ExpressionList != nil {
			x = x.ExpressionList
		}
		if x.AssignmentExpression != n {
			return Pointee(x.AssignmentExpression)
		}
	case *cc.ConditionalExpression:
		if p := chosenAddress(x); p != nil {
			return Pointee(p)
		}
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionStmt {
			if last := blockValue(x.CompoundStatement); last != nil {
				return Pointee(last)
			}
		}
	}
	if p, ok := n.Type().Decay().(*cc.PointerType); ok {
		return p.Elem()
	}
	return nil
}

// chosenAddress is the side of a ?: from which the library has the type; nil where that is no address.
func chosenAddress(x *cc.ConditionalExpression) cc.ExpressionNode {
	if x.Case != cc.ConditionalExpressionCond {
		return nil
	}
	first := firstSide(x)
	switch {
	case IsAddress(first):
		return first
	case IsAddress(x.ConditionalExpression):
		return x.ConditionalExpression
	}
	return nil
}

// firstSide is the first side of a ?:, which is the condition of c ?: p.
func firstSide(x *cc.ConditionalExpression) cc.ExpressionNode {
	if l, ok := x.ExpressionList.(*cc.ExpressionList); x.ExpressionList == nil || ok && l == nil {
		return x.LogicalOrExpression
	}
	return x.ExpressionList
}

// blockValue is the expression whose value a statement expression has, or nil.
func blockValue(b *cc.CompoundStatement) cc.ExpressionNode {
	var last *cc.BlockItem
	for l := b.BlockItemList; l != nil; l = l.BlockItemList {
		last = l.BlockItem
	}
	if last == nil || last.Statement == nil || last.Statement.ExpressionStatement == nil {
		return nil
	}
	if e := last.Statement.ExpressionStatement.ExpressionList; e != nil {
		return e
	}
	return nil
}

// isMisaddressed reports whether the library has another type for what an expression points to.
func isMisaddressed(n cc.ExpressionNode) bool {
	n = Unparen(n)
	if n == nil || n.Type() == nil || IsArray(n) {
		return false
	}
	p, ok := n.Type().(*cc.PointerType)
	to := Pointee(n)
	return ok && to != nil && to.Kind() == cc.Array && p.Elem().Kind() == cc.Ptr
}
