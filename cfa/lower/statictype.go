package lower

// Types of values without evaluating them. The library's own types differ where
// enumeration constants take part.

import (
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// staticType is the type of the value that rvalue gives, without evaluating.
// The library's own types differ where enumeration constants take part.
func (l *terms) staticType(n cc.ExpressionNode) ctype {
	n = source.Unparen(n)
	promoted := func(e cc.ExpressionNode) ctype {
		t := l.staticType(e)
		if t.class == classInt {
			t.typ = t.typ.Promote()
		}
		return t
	}
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		if e, ok := x.ResolvedTo().(*cc.Enumerator); ok && x.Case == cc.PrimaryExpressionIdent {
			return l.enumerator(x, e).ctype
		}
		if x.Case == cc.PrimaryExpressionFloat {
			return l.evaluated(l.ctypeOf(x.Type()), x)
		}
	case *cc.PostfixExpression:
		if f := x.Field(); f != nil && f.IsBitfield() {
			t := l.bitField(f)
			return t
		}
	case *cc.ExpressionList:
		for x.ExpressionList != nil {
			x = x.ExpressionList
		}
		return l.staticType(x.AssignmentExpression)
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			return l.staticType(x.UnaryExpression)
		}
	case *cc.ConditionalExpression:
		return l.resultType(x)
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
			return promoted(x.CastExpression)
		}
	default:
		b := source.AsBinary(n)
		switch {
		case b == nil:
		case b.Op >= source.OpEq:
			return ctInt
		case b.Op == source.OpShl || b.Op == source.OpShr:
			return promoted(b.Left)
		default:
			s, t := promoted(b.Left), promoted(b.Right)
			if s.class == classInt && t.class == classInt {
				return ctype{class: classInt, typ: expr.Common(s.typ, t.typ)}
			}
			if s.class == classFloat || t.class == classFloat || s.class == classExtended || t.class == classExtended {
				return l.evaluated(commonFloat(s, t), n)
			}
		}
	}
	return l.ctypeOf(n.Type().Decay())
}

// resultType is the type of a conditional expression (C11 6.5.15).
func (l *terms) resultType(x *cc.ConditionalExpression) ctype {
	a, b := l.staticType(source.Middle(x)), l.staticType(x.ConditionalExpression)
	switch {
	case a.class == classInt && b.class == classInt:
		return ctype{class: classInt, typ: expr.Common(a.typ, b.typ)}
	case a.class == classVoid || b.class == classVoid:
		return ctVoid
	case a.class == classOpaque || b.class == classOpaque:
		return ctOpaque
	case a.class == classFloat || b.class == classFloat, a.class == classExtended || b.class == classExtended:
		return l.evaluated(commonFloat(a, b), x) // an integer is not rounded to the type of the other side
	case a.class == classPtr || b.class == classPtr:
		return ctype{class: classPtr, typ: l.pointer}
	}
	return a
}
