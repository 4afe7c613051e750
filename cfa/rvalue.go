package cfa

// Lowering of expressions to terms.
//
// Idea: rvalue writes out whatever an expression does besides having a value
// and returns the value as a term over the variables at that moment. Where a
// later operand changes a variable of an earlier one's term, the earlier
// value is kept in a temporary: a Goto is left at its place and made an
// assignment when that turns out.

import (
	"fmt"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// A value is what an expression evaluates to: a term where the type has
// terms; nothing for void, for floating point (which may be anything), and
// after something that is not modelled, where control does not go on.
type value struct {
	ctype
	t *expr.Expr
}

// rvalue evaluates an expression.
func (l *lowerer) rvalue(n cc.ExpressionNode) value {
	n = unparen(n)
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		return l.primary(x)
	case *cc.PostfixExpression:
		return l.postfix(x)
	case *cc.UnaryExpression:
		return l.unary(x)
	case *cc.CastExpression:
		return l.cast(x)
	case *cc.AssignmentExpression:
		return l.assignment(x)
	case *cc.ConditionalExpression:
		return l.conditional(x)
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		return l.logical(n)
	case *cc.ExpressionList:
		for ; x.ExpressionList != nil; x = x.ExpressionList {
			l.discard(x.AssignmentExpression)
		}
		return l.rvalue(x.AssignmentExpression)
	}
	if b := asBinary(n); b != nil {
		return l.binary(n, b)
	}
	return l.refuse(n, fmt.Sprintf("expression %s", cc.NodeSource(n)), "")
}

// discard evaluates an expression for its effects.
func (l *lowerer) discard(n cc.ExpressionNode) {
	n = unparen(n)
	switch x := n.(type) {
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionCall:
			l.call(x, nil, false)
			return
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			l.increment(x, x.PostfixExpression, x.Case == cc.PostfixExpressionInc)
			return
		}
	case *cc.AssignmentExpression:
		l.assignment(x)
		return
	case *cc.CastExpression:
		l.discard(x.CastExpression)
		return
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionStmt {
			l.compound(x.CompoundStatement)
			return
		}
	case *cc.ExpressionList:
		for ; x != nil; x = x.ExpressionList {
			l.discard(x.AssignmentExpression)
		}
		return
	case *cc.ConditionalExpression:
		a, b := l.cond(x.LogicalOrExpression)
		l.open = a
		if x.ExpressionList != nil {
			l.discard(x.ExpressionList)
		}
		end := l.open
		l.open = b
		l.discard(x.ConditionalExpression)
		l.open = append(l.open, end...)
		return
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		a, b := l.cond(n)
		l.open = append(a, b...)
		return
	}
	if !l.harmless(n) {
		l.rvalue(n)
	}
}

// harmless reports whether evaluating n does nothing at all, whatever its
// value is: no side effect and no trap worth modelling.
func (l *lowerer) harmless(n cc.ExpressionNode) bool {
	ok := true
	walkExpr(n, func(e cc.ExpressionNode) {
		switch x := unparen(e).(type) {
		case *cc.AssignmentExpression:
			ok = false
		case *cc.PostfixExpression:
			ok = ok && (x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionIndex || x.Case == cc.PostfixExpressionPSelect)
		case *cc.UnaryExpression:
			ok = ok && x.Case != cc.UnaryExpressionInc && x.Case != cc.UnaryExpressionDec
		case *cc.PrimaryExpression:
			ok = ok && x.Case != cc.PrimaryExpressionStmt
		}
	})
	return ok
}

// pure reports whether rvalue(n) is a term and writes nothing.
func (l *lowerer) pure(n cc.ExpressionNode) bool {
	n = unparen(n)
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
			return true
		case cc.PrimaryExpressionIdent:
			if _, ok := x.ResolvedTo().(*cc.Enumerator); ok {
				return true
			}
			d := declarator(n)
			return d != nil && l.prog.model.ctypeOf(d.Type()).scalar()
		}
		return false
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
			return l.pure(x.CastExpression)
		case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
			return true
		}
		return false
	case *cc.CastExpression:
		return l.prog.model.ctypeOf(x.Type()).scalar() && l.pure(x.CastExpression)
	case *cc.ConditionalExpression:
		return l.pure(x.LogicalOrExpression) && l.pure(middle(x)) && l.pure(x.ConditionalExpression)
	case *cc.LogicalAndExpression:
		return l.pure(x.LogicalAndExpression) && l.pure(x.InclusiveOrExpression)
	case *cc.LogicalOrExpression:
		return l.pure(x.LogicalOrExpression) && l.pure(x.LogicalAndExpression)
	}
	b := asBinary(n)
	if b == nil || !l.pure(b.left) || !l.pure(b.right) {
		return false
	}
	switch b.op {
	case opDiv, opRem, opShl, opShr:
		v, ok := l.libraryConst(b.right)
		return ok && v.t != nil && v.class == classInt && l.inRange(b, v.t)
	case opAdd, opSub:
		return l.prog.model.ctypeOf(b.left.Type()).class == classInt && l.prog.model.ctypeOf(b.right.Type()).class == classInt
	}
	return true
}

// inRange reports whether a constant divisor or shift count gives the
// operation a value.
func (l *lowerer) inRange(b *binaryExpr, by *expr.Expr) bool {
	if b.op == opDiv || b.op == opRem {
		return by.Value() != 0
	}
	width := l.prog.model.ctypeOf(b.left.Type()).typ.Promote().Width
	return by.Int() >= 0 && by.Int() < int64(width)
}

// libraryConst is the constant that the C library folded an integer
// expression to, if it did.
func (l *lowerer) libraryConst(n cc.ExpressionNode) (value, bool) {
	t := l.prog.model.ctypeOf(n.Type())
	if t.class != classInt {
		return value{}, false
	}
	switch v := n.Value().(type) {
	case cc.Int64Value:
		return value{t, l.pool.Const(t.typ, uint64(v))}, true
	case cc.UInt64Value:
		return value{t, l.pool.Const(t.typ, uint64(v))}, true
	}
	return value{}, false
}

func (l *lowerer) primary(x *cc.PrimaryExpression) value {
	switch x.Case {
	case cc.PrimaryExpressionIdent:
		return l.identifier(x)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		if v, ok := l.libraryConst(x); ok {
			return v
		}
	case cc.PrimaryExpressionFloat:
		return value{ctFloat, nil}
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		t := l.prog.model.ptrType()
		return value{ctype{classPtr, t}, l.any(t, "string", "address of a string literal", position(x.Position()))}
	case cc.PrimaryExpressionStmt:
		return l.statementExpr(x)
	case cc.PrimaryExpressionGeneric:
		if selectsByEnum(x.GenericSelection.AssignmentExpression) {
			return l.refuse(x, "_Generic on an enumeration", "cast the operand to an integer type")
		}
		if a := x.GenericSelection.Associated(); a != nil {
			return l.rvalue(a.AssignmentExpression)
		}
	}
	return l.refuse(x, "expression "+cc.NodeSource(x), "")
}

func (l *lowerer) identifier(x *cc.PrimaryExpression) value {
	if e, ok := x.ResolvedTo().(*cc.Enumerator); ok {
		return l.enumerator(x, e)
	}
	d := declarator(x)
	if d == nil {
		if v, ok := l.libraryConst(x); ok {
			return v
		}
		return l.refuse(x, x.Token.SrcStr(), "")
	}
	v, t := l.storage(d)
	switch t.class {
	case classFloat:
		return value{t, nil}
	case classInt, classPtr:
		return value{t, v}
	}
	what := fmt.Sprintf("%s, of type %s", d.Name(), d.Type())
	if t.class == classAggregate {
		what = describe(d.Type()) + " " + d.Name()
	}
	return l.refuse(x, what, "")
}

// enumerator is an enumeration constant: an int where int can hold it
// (C11 6.7.2.2), whatever the type of the enumeration.
func (l *lowerer) enumerator(x *cc.PrimaryExpression, e *cc.Enumerator) value {
	var bits uint64
	t := ctInt
	switch v := e.Value().(type) {
	case cc.Int64Value:
		bits = uint64(v)
		if int64(v) != int64(int32(v)) {
			t = ctype{classInt, expr.Int64}
		}
	case cc.UInt64Value:
		bits = uint64(v)
		switch {
		case v>>63 != 0:
			t = ctype{classInt, expr.Uint64}
		case v > 1<<31-1:
			t = ctype{classInt, expr.Int64}
		}
	default:
		return l.refuse(x, "enumeration constant "+x.Token.SrcStr(), "")
	}
	if t != ctInt && l.prog.model.ctypeOf(e.Type()).class == classInt {
		t = l.prog.model.ctypeOf(e.Type())
	}
	return value{t, l.pool.Const(t.typ, bits)}
}

// statementExpr is GCC's ({ … }): the value of the last expression.
func (l *lowerer) statementExpr(x *cc.PrimaryExpression) value {
	outer := l.fr.scope
	defer func() { l.fr.scope = outer }()
	for list := x.CompoundStatement.BlockItemList; list != nil; list = list.BlockItemList {
		item := list.BlockItem
		if list.BlockItemList == nil && item.Case == cc.BlockItemStmt && item.Statement.Case == cc.StatementExpr {
			if e := item.Statement.ExpressionStatement.ExpressionList; e != nil {
				return l.rvalue(e)
			}
		}
		l.blockItem(item)
	}
	return value{ctype: ctVoid}
}

func (l *lowerer) postfix(x *cc.PostfixExpression) value {
	switch x.Case {
	case cc.PostfixExpressionCall:
		return l.call(x, nil, true)
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return l.postIncrement(x)
	case cc.PostfixExpressionIndex:
		return l.refuse(x, "array element "+cc.NodeSource(x), "")
	case cc.PostfixExpressionSelect:
		return l.refuse(x, "member "+cc.NodeSource(x), "")
	case cc.PostfixExpressionPSelect:
		if v, ok := l.libraryConst(x); ok {
			return v
		}
		return l.refuse(x, "member "+cc.NodeSource(x), "")
	case cc.PostfixExpressionComplit:
		return l.refuse(x, "compound literal", "")
	}
	return l.refuse(x, "expression "+cc.NodeSource(x), "")
}

// postIncrement is x++ or x-- where the old value is used.
func (l *lowerer) postIncrement(x *cc.PostfixExpression) value {
	d := declarator(x.PostfixExpression)
	if d == nil {
		return l.increment(x, x.PostfixExpression, x.Case == cc.PostfixExpressionInc)
	}
	v, t := l.storage(d)
	if v == nil {
		l.increment(x, x.PostfixExpression, x.Case == cc.PostfixExpressionInc)
		return value{t, nil}
	}
	old := l.temp(d.Name(), t.typ, position(x.Position()))
	l.assign(old, v, position(x.Position()))
	l.increment(x, x.PostfixExpression, x.Case == cc.PostfixExpressionInc)
	return value{t, old}
}

// increment is ++x or --x; its value is the new one.
func (l *lowerer) increment(n cc.Node, operand cc.ExpressionNode, up bool) value {
	d := declarator(operand)
	if d == nil {
		return l.rvalueOfLvalue(operand)
	}
	v, t := l.storage(d)
	pos := position(n.Position())
	switch {
	case t.class == classFloat:
		return value{t, nil}
	case t.class == classPtr:
		return l.refuse(n, "pointer arithmetic", "")
	case v == nil:
		return l.rvalueOfLvalue(operand)
	}
	wide := t.typ.Promote()
	one := l.pool.Const(wide, 1)
	if !up {
		one = l.pool.Neg(one)
	}
	sum := value{ctype{classInt, wide}, l.pool.Add(l.pool.Cast(wide, v), one)}
	l.storeValue(target{v, t}, sum, operand, pos)
	return value{t, v}
}

// rvalueOfLvalue evaluates an operand that is to be changed and that is no
// variable; this ends in its own complaint.
func (l *lowerer) rvalueOfLvalue(n cc.ExpressionNode) value {
	v := l.rvalue(n)
	if len(l.open) > 0 {
		return l.refuse(n, "assignment to "+cc.NodeSource(n), "")
	}
	return v
}

func (l *lowerer) unary(x *cc.UnaryExpression) value {
	switch x.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return l.increment(x, x.UnaryExpression, x.Case == cc.UnaryExpressionInc)
	case cc.UnaryExpressionPlus:
		return l.promote(l.rvalue(x.CastExpression), x.CastExpression)
	case cc.UnaryExpressionMinus:
		return l.mapTerm(l.promote(l.rvalue(x.CastExpression), x.CastExpression), l.pool.Neg)
	case cc.UnaryExpressionCpl:
		return l.mapTerm(l.promote(l.rvalue(x.CastExpression), x.CastExpression), l.pool.Compl)
	case cc.UnaryExpressionNot:
		c := l.truth(l.rvalue(x.CastExpression), x)
		if c == nil {
			return value{}
		}
		return value{ctInt, l.pool.FromBool(expr.Int32, l.pool.Not(c))}
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		if v, ok := l.libraryConst(x); ok {
			return v
		}
	case cc.UnaryExpressionAddrof:
		if v, ok := l.libraryConst(x); ok {
			return v
		}
		return l.refuse(x, "address "+cc.NodeSource(x), "addresses are modelled only as arguments of routines without a body")
	case cc.UnaryExpressionDeref:
		return l.refuse(x, "dereference "+cc.NodeSource(x), "")
	}
	return l.refuse(x, "expression "+cc.NodeSource(x), "")
}

func (l *lowerer) mapTerm(v value, f func(*expr.Expr) *expr.Expr) value {
	if v.t != nil {
		v.t = f(v.t)
	}
	return v
}
