package lower

// Expressions that do nothing, and expressions that are terms.

import (
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// harmless reports whether evaluating n does nothing at all, whatever its
// value is: no side effect and no trap worth modelling.
func (l *facts) harmless(n cc.ExpressionNode) bool {
	ok := true
	source.WalkExpr(n, func(e cc.ExpressionNode) {
		switch x := source.Unparen(e).(type) {
		case *cc.AssignmentExpression:
			ok = false
		case *cc.PostfixExpression:
			ok = ok && (x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionIndex ||
				x.Case == cc.PostfixExpressionPSelect)
		case *cc.UnaryExpression:
			ok = ok && x.Case != cc.UnaryExpressionInc && x.Case != cc.UnaryExpressionDec && (!isSizeof(x) || l.sizesNothing(x))
		case *cc.CastExpression:
			ok = ok && !source.IsVariable(x.Type()) && !l.folds(x.Type(), x.TypeName)
		case *cc.PrimaryExpression:
			ok = ok && x.Case != cc.PrimaryExpressionStmt
		}
	})
	return ok
}

func isSizeof(x *cc.UnaryExpression) bool {
	return x.Case == cc.UnaryExpressionSizeofExpr || x.Case == cc.UnaryExpressionSizeofType
}

// pure reports whether rvalue(n) is a term and writes nothing.
func (l *expressions) pure(n cc.ExpressionNode) bool {
	n = source.Unparen(n)
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
			return true
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			return true
		case cc.PrimaryExpressionFloat:
			t := l.ctypeOf(x.Type())
			return t.class == classFloat || t.class == classExtended
		case cc.PrimaryExpressionIdent:
			if _, ok := x.ResolvedTo().(*cc.Enumerator); ok {
				return true
			}
			d := source.Declarator(n)
			if d != nil && l.ctypeOf(d.Type()).class == classExtended {
				return !l.threading.concurrent() && !l.accesses.mayBeMissing(d)
			}
			return d != nil && !l.readsShared(d) && !(l.accesses.mayBeMissing(d) && l.ctypeOf(d.Type()).scalar()) &&
				(l.ctypeOf(d.Type()).scalar() ||
					d.Type().Kind() == cc.Array || d.Type().Kind() == cc.Function)
		}
		return false
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionCall {
			t := l.ctypeOf(x.Type())
			return isFloatConstant(x) && (t.class == classFloat || t.class == classExtended)
		}
		if x.Case == cc.PostfixExpressionComplit && !source.IsArray(x) {
			return false
		}
		return l.pureLvalue(x) && l.readsTerm(x)
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
			return l.pure(x.CastExpression)
		case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType:
			return l.sizesNothing(x)
		case cc.UnaryExpressionLabelAddr, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
			return true
		case cc.UnaryExpressionAddrof:
			return l.pureLvalue(x.CastExpression)
		case cc.UnaryExpressionDeref:
			return (source.IsFunction(x) || source.IsArray(x)) && l.pure(x.CastExpression)
		}
		return false
	case *cc.CastExpression:
		if t := l.ctypeOf(x.Type()); t.class == classFloat && l.checksFloats() != 0 &&
			l.staticType(x.CastExpression).typ.Width > t.typ.Width {
			return false
		}
		return l.ctypeOf(x.Type()).termed() && l.pure(x.CastExpression) && !l.fromInteger(x) &&
			!source.IsVariable(x.Type()) && !l.folds(x.Type(), x.TypeName) &&
			!l.mayNotFit(x)
	case *cc.ConditionalExpression:
		return l.pure(x.LogicalOrExpression) && l.pure(source.Middle(x)) && l.pure(x.ConditionalExpression)
	case *cc.LogicalAndExpression:
		return l.pure(x.LogicalAndExpression) && l.pure(x.InclusiveOrExpression)
	case *cc.LogicalOrExpression:
		return l.pure(x.LogicalOrExpression) && l.pure(x.LogicalAndExpression)
	}
	b := source.AsBinary(n)
	if b == nil || !l.pure(b.Left) || !l.pure(b.Right) {
		return false
	}
	if l.isNumber(b.Left) || l.isNumber(b.Right) {
		return b.Op >= source.OpEq || l.checksFloats() == 0
	}
	switch b.Op {
	case source.OpDiv, source.OpRem, source.OpShl, source.OpShr:
		v, ok := l.libraryConst(b.Right)
		return ok && v.t != nil && v.class == classInt && l.inRange(b, v.t)
	}
	return true
}

// isNumber reports whether an expression is a floating-point number.
func (l *expressions) isNumber(n cc.ExpressionNode) bool {
	t := l.ctypeOf(n.Type())
	return t.class == classFloat || t.class == classExtended
}

// readsShared reports whether reading a scalar variable is a statement, since other threads may
// write it.
func (l *expressions) readsShared(d *cc.Declarator) bool {
	return l.threading.concurrent() && l.ctypeOf(d.Type()).scalar() && (l.fr.locals[d] == nil || d.AddressTaken())
}

// pureLvalue reports whether an lvalue is found without any statement.
func (l *expressions) pureLvalue(n cc.ExpressionNode) bool {
	n = source.Unparen(n)
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		return source.Declarator(x) != nil || source.IsArray(x)
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionSelect:
			return x.Field() != nil && l.pureLvalue(x.PostfixExpression)
		case cc.PostfixExpressionPSelect:
			return x.Field() != nil && l.pure(x.PostfixExpression)
		case cc.PostfixExpressionIndex:
			return l.pure(x.PostfixExpression) && l.pure(x.ExpressionList)
		case cc.PostfixExpressionComplit:
			return l.prog.Literal(x) != nil && l.bytes(x.TypeName.Type()) > 0 && !l.misread(x)
		}
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionDeref && l.pure(x.CastExpression)
	}
	return false
}

// readsTerm reports whether the lvalue, a pure one, is read by a term alone: a
// cell, or the address of an array.
func (l *expressions) readsTerm(n cc.ExpressionNode) bool {
	if source.IsArray(n) {
		return true
	}
	if l.threading.concurrent() {
		return false
	}
	p := l.accesses.lvalue(n)
	if p.v != nil {
		return true
	}
	_, ok := l.accesses.direct(p)
	return ok && p.t.scalar()
}

// inRange reports whether a constant divisor or shift count gives the
// operation a value.
func (l *facts) inRange(b *source.BinaryExpr, by *expr.Expr) bool {
	if b.Op == source.OpDiv || b.Op == source.OpRem {
		return by.Value() != 0
	}
	width := l.ctypeOf(b.Left.Type()).typ.Promote().Width
	return by.Int() >= 0 && by.Int() < int64(width)
}
